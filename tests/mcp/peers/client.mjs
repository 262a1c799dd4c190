// SPDX-License-Identifier: MIT
// A client of the TypeScript SDK, which makes the requests that it is told to.
//
// use: node client.mjs PACKAGES VERSION TARGET REQUESTS
//
// PACKAGES is the folder with node_modules. VERSION is `legacy`, `auto` or a revision of 2026. TARGET is the URL of a
// server, or the path of a program. REQUESTS is JSON, [{do, with, within}]: a method of the SDK's class Client, its
// argument, and after how many milliseconds the request is cancelled. `changed` waits for a change of the tools. Prints
// what came of it as JSON: {version, server, instructions, answers: [{result, progress} or {error}]}.
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";

const [packages, version, target, requests] = process.argv.slice(2);
const require = createRequire(packages + "/");
const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
const { StdioClientTransport } = require("@modelcontextprotocol/client/stdio");

console.debug = console.error; // The SDK writes to it, and the output is for the answers.
let changes = 0;
const client = new Client(
    { name: "peer", version: "1.0" },
    {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: version.startsWith("2026") ? { pin: version } : version },
        listChanged: { tools: { onChanged: () => ++changes, debounceMs: 0 } },
    },
);
// The boat is as long as its question is in words.
client.setRequestHandler("elicitation/create", ({ params }) => ({
    action: "accept",
    content: { metres: params.message.split(" ").length },
}));

async function answerTo(request) {
    if (request.do === "changed") {
        for (let i = 0; i < 500 && changes === 0; ++i) await pause(10);
        return { result: { changes: changes > 0 } };
    }
    let progress = 0;
    const options = { onprogress: () => ++progress };
    if (request.within) options.signal = AbortSignal.timeout(request.within);
    try {
        return { result: await client[request.do](request.with, options), progress };
    } catch (error) {
        return { error: { name: error.name, code: error.code, message: error.message } };
    }
}

await client.connect(
    target.startsWith("http:")
        ? new StreamableHTTPClientTransport(new URL(target))
        : new StdioClientTransport({ command: target, stderr: "ignore" }),
);
const answers = [];
for (const request of JSON.parse(requests)) answers.push(await answerTo(request));
console.log(
    JSON.stringify({
        version: client.getNegotiatedProtocolVersion(),
        server: client.getServerVersion(),
        instructions: client.getInstructions(),
        answers,
    }),
);
await client.close();
