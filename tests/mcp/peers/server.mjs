// SPDX-License-Identifier: MIT
// A server of the TypeScript SDK, in every revision that the SDK speaks.
//
// use: node server.mjs PACKAGES [http]
//
// PACKAGES is the folder with node_modules. It speaks over its standard streams or, with `http`, at a port of 127.0.0.1
// that it prints: /mcp has sessions for clients before 2026, /stateless has none. It ends with its standard input.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const [packages, kind] = process.argv.slice(2);
const require = createRequire(packages + "/");
const { McpServer, ResourceTemplate, completable, createMcpHandler } = require("@modelcontextprotocol/server");
const { acceptedContent, inputRequired, inputResponse, isLegacyRequest } = require("@modelcontextprotocol/server");
const { z } = require("zod");

let stopped = 0; // calls of `wait` that were cancelled
const handlers = []; // of HTTP, which tell clients of 2026 what has changed

function harbour() {
    const server = new McpServer({ name: "typescript", version: "1.0" }, { instructions: "Heights are in metres." });
    server.registerTool(
        "heights",
        {
            description: "The heights of the tides of a day.",
            inputSchema: z.object({
                port: z.string().meta({ "x-mcp-header": "Port" }),
                unit: z.enum(["m", "ft"]).optional(),
            }),
            outputSchema: z.object({ heights: z.array(z.number()) }),
            annotations: { readOnlyHint: true },
        },
        ({ port }) => {
            if (port !== "Brest") throw new Error("no table for " + port);
            const found = { heights: [1.1, 6.4, 1.3, 6.2] };
            return { content: [{ type: "text", text: JSON.stringify(found) }], structuredContent: found };
        },
    );
    server.registerTool("count", { description: "Reports its progress." }, async (context) => {
        const token = context.mcpReq._meta?.progressToken;
        for (let done = 1; done <= 3 && token !== undefined; ++done)
            await context.mcpReq.notify({
                method: "notifications/progress",
                params: { progressToken: token, progress: done, total: 3 },
            });
        return { content: [{ type: "text", text: "counted" }] };
    });
    const boat = z.object({ metres: z.number().min(1).max(40), flag: z.string().default("white") });
    server.registerTool("book", { description: "Asks a person." }, ({ mcpReq }) => {
        const given = acceptedContent(mcpReq.inputResponses, "boat", boat);
        if (given === undefined)
            return inputRequired({
                inputRequests: { boat: inputRequired.elicit({ message: "How long?", requestedSchema: boat }) },
                requestState: "a berth",
            });
        const state = mcpReq.requestState();
        return { content: [{ type: "text", text: `${state} of ${given.metres} m, flag ${given.flag}` }] };
    });
    server.registerTool("pay", { description: "Has a person open a URL." }, ({ mcpReq }) => {
        const answer = inputResponse(mcpReq.inputResponses, "pay");
        if (answer.kind === "elicit") return { content: [{ type: "text", text: answer.action }] };
        const pay = inputRequired.elicitUrl({ message: "Pay.", url: "https://example.org/pay" });
        return inputRequired({ inputRequests: { pay } });
    });
    server.registerTool("wait", { description: "Waits until it is cancelled." }, async ({ mcpReq }) => {
        await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve));
        ++stopped;
        return { content: [] };
    });
    server.registerTool("stopped", { description: "How often it was.", outputSchema: z.number() }, () => ({
        content: [],
        structuredContent: stopped,
    }));
    server.registerTool("change", { description: "Says that the tools have changed." }, () => {
        server.sendToolListChanged();
        for (const handler of handlers) handler.notify.toolsChanged();
        return { content: [] };
    });
    server.registerResource("ports", "harbour://ports", { mimeType: "application/json" }, ({ href }) => ({
        contents: [{ uri: href, mimeType: "application/json", text: '["Brest"]' }],
    }));
    server.registerResource(
        "port",
        new ResourceTemplate("harbour://ports/{name}", { list: undefined }),
        { mimeType: "application/octet-stream" },
        ({ href }, { name }) => ({ contents: [{ uri: href, blob: Buffer.from(name).toString("base64") }] }),
    );
    const ports = completable(z.string(), (value) => ["Brest", "Dover"].filter((one) => one.startsWith(value)));
    server.registerPrompt(
        "warn",
        { description: "Warns of the tide.", argsSchema: z.object({ port: ports }) },
        ({ port }) => ({ messages: [{ role: "user", content: { type: "text", text: "Mind the tide in " + port } }] }),
    );
    return server;
}

// Answers requests over HTTP, those before 2026 in sessions.
async function handlerWithSessions({ NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest }) {
    const sessions = new Map();
    const modern = createMcpHandler(harbour, { legacy: "reject" });
    handlers.push(modern);
    const answer = toNodeHandler(modern);
    return async (request, response) => {
        const pieces = [];
        for await (const piece of request) pieces.push(piece);
        const body = pieces.length > 0 ? JSON.parse(Buffer.concat(pieces).toString()) : undefined;
        if (!(await isLegacyRequest(await toWebRequest(request, body)))) return answer(request, response, body);
        let transport = sessions.get(request.headers["mcp-session-id"]);
        if (transport === undefined) {
            transport = new NodeStreamableHTTPServerTransport({
                sessionIdGenerator: randomUUID,
                onsessioninitialized: (id) => sessions.set(id, transport),
            });
            await harbour().connect(transport);
        }
        return transport.handleRequest(request, response, body);
    };
}

if (kind === "http") {
    const adapter = require("@modelcontextprotocol/node");
    const stateless = createMcpHandler(harbour);
    handlers.push(stateless);
    const paths = { "/mcp": await handlerWithSessions(adapter), "/stateless": adapter.toNodeHandler(stateless) };
    const http = createServer((request, response) => paths[request.url](request, response));
    http.listen(0, "127.0.0.1", () => console.log(http.address().port));
    process.stdin.on("end", () => process.exit()).resume();
} else {
    require("@modelcontextprotocol/server/stdio").serveStdio(harbour);
}
