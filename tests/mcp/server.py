#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server of the Model Context Protocol on its standard streams, or over HTTP, which misbehaves on command.

use: server.py [ERA] [START]

ERA is 2026 (the default), 2025 (initialize alone), both, silent (2025, and no answer to what it does not know) or dies
(2025, and ends at a request that it does not know). START is a fault at the beginning: exit, hang, garbage, deaf (reads
nothing), child (starts a process that holds the streams open) or http (serves a port, which it prints). The tools are described in `TOOLS`; what `fault` does
is in `fault`.
"""
import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

era = sys.argv[1] if len(sys.argv) > 1 else "2026"
start = sys.argv[2] if len(sys.argv) > 2 else ""

TEXT = {"type": "string"}
TOOLS = [
    {"name": "echo", "description": "Returns a text.", "annotations": {"readOnlyHint": True},
     "inputSchema": {"type": "object", "properties": {"text": TEXT, "times": {"type": "integer"}}, "required": ["text"]}},
    {"name": "sum", "description": "Adds two numbers.", "annotations": {"destructiveHint": False},
     "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
                     "required": ["a", "b"]},
     "outputSchema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]}},
    {"name": "count", "description": "Reports its progress.", "inputSchema": {"type": "object"}},
    {"name": "ask", "description": "Asks a person.", "inputSchema": {"type": "object"}},
    {"name": "visit", "description": "Needs a URL to be opened.", "inputSchema": {"type": "object"}},
    {"name": "fault", "description": "Misbehaves.",
     "inputSchema": {"type": "object", "properties": {"kind": TEXT}, "required": ["kind"]}},
    {"name": "crash", "description": "Kills the program that calls it, once.", "annotations": {"readOnlyHint": True},
     "inputSchema": {"type": "object", "properties": {"file": TEXT}, "required": ["file"]}},
    {"name": "task", "description": "Is not offered.", "inputSchema": {"type": "object"},
     "execution": {"taskSupport": "required"}},
    {"description": "Has no name."},
]
FORM = {"type": "object", "required": ["name"],
        "properties": {"name": {"type": "string", "minLength": 2}, "age": {"type": "integer", "default": 30}}}

lock = threading.Lock()
current = threading.local()  # its `reply` is that to the request over HTTP that this thread works on
answers = {}
arrived = threading.Condition()
visited = False


def write(value):
    message = value if isinstance(value, str) else json.dumps({"jsonrpc": "2.0", **value})
    if hasattr(current, "reply"):
        current.reply.event([message])
        return
    with lock:
        sys.stdout.write(message + "\n")
        sys.stdout.flush()


def write_long(blocks):
    """Writes one message of many parts."""
    if hasattr(current, "reply"):
        current.reply.event(blocks)
        return
    with lock:
        for block in blocks:
            sys.stdout.write(block)
        sys.stdout.write("\n")
        sys.stdout.flush()


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def ask_2025():
    """Sends a request, and waits for its answer."""
    write({"id": "q1", "method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": FORM}})
    with arrived:
        arrived.wait_for(lambda: "q1" in answers, 30)
        return answers.pop("q1", {"error": "no answer"})


def fault(kind, identifier):
    """Does what is wrong; returns a result where one is sent all the same."""
    if kind == "exit":
        print("out of tea", file=sys.stderr, flush=True)
        os._exit(3)
    if kind == "kill":
        os.kill(os.getpid(), 9)
    if kind == "hang":
        time.sleep(3600)
    if kind == "garbage":
        write("Warning: this is not JSON")
        time.sleep(3600)
    if kind == "before":
        write("Warning: this is not JSON")
        write("")
        write("{\"jsonrpc\": \"2.0\"}")
    if kind == "long":
        write_long("x" * 1_000_000 for _ in range(100))
        time.sleep(3600)
    if kind == "unknown":
        write({"id": 999_999, "result": {}})
        write({"id": str(identifier), "result": text("of the text")})
    if kind == "cut":  # HTTP alone
        current.reply.begin(200, "text/event-stream")
        current.reply.wfile.write(b"data: {\"jsonrpc\"")
        current.reply.close_connection = True
        return None
    if kind == "status":
        current.reply.begin(503, "text/plain", 10)
        current.reply.wfile.write(b"overloaded")
        return None
    if kind == "gone":
        current.reply.connection.shutdown(socket.SHUT_RDWR)
        return None
    if kind == "twice":
        write({"id": identifier, "result": text("first")})
        return text("second")
    if kind == "late":
        time.sleep(0.8)
    if kind == "errors":
        for i in range(5000):
            print("error output, line", i, file=sys.stderr)
        sys.stderr.flush()
    if kind == "flood":
        for i in range(20_000):
            write({"method": "notifications/progress", "params": {"progressToken": identifier, "progress": i,
                                                                 "message": "x" * 100}})
    if kind == "ping":
        write({"id": "p1", "method": "ping"})
        with arrived:
            arrived.wait_for(lambda: "p1" in answers, 10)
            return text(json.dumps(answers.pop("p1", "no answer")))
    if kind == "sampling":
        write({"id": "s1", "method": "sampling/createMessage", "params": {}})
        with arrived:
            arrived.wait_for(lambda: "s1" in answers, 10)
            return text(json.dumps(answers.pop("s1", "no answer")))
    if kind == "no result":
        return {"content": "none"}
    if kind == "type":
        return {"resultType": "later"}
    if kind == "error":
        return {"error": {"code": -32603, "message": "as asked"}}
    return text("well")


def call(request):
    global visited
    params, identifier = request["params"], request["id"]
    name, arguments = params["name"], params.get("arguments", {})
    modern = "io.modelcontextprotocol/protocolVersion" in params.get("_meta", {})
    if name == "echo":
        if None in arguments.values():
            return text(json.dumps(arguments))
        return text(arguments["text"] * arguments.get("times", 1))
    if name == "sum":
        total = arguments["a"] + arguments["b"]
        if total == 13:
            return text("13", structuredContent={"sum": "thirteen"})
        return text(json.dumps({"sum": total}), structuredContent={"sum": total})
    if name == "count":
        token = params.get("_meta", {}).get("progressToken")
        for i in range(3):
            if token is not None:
                write({"method": "notifications/progress",
                       "params": {"progressToken": token, "progress": i, "total": 3, "message": "step " + str(i)}})
        return text("counted" if token is not None else "no token")
    if name == "ask":
        if not modern:
            return text(json.dumps(ask_2025()))
        if "inputResponses" in params:
            return text(json.dumps([params["inputResponses"], params.get("requestState")]))
        return {"resultType": "input_required", "requestState": "s\u00e9 1",
                "inputRequests": {"who": {"method": "elicitation/create",
                                          "params": {"mode": "form", "message": "Who?", "requestedSchema": FORM}}}}
    if name == "visit":
        if visited:
            return text("welcome")
        visited = True
        return {"error": {"code": -32042, "message": "first", "data": {"elicitations": [
            {"mode": "url", "message": "Log in", "url": "https://example.org/", "elicitationId": "e1"}]}}}
    if name == "crash":
        with open(arguments["file"], "a+") as file:
            file.write("called\n")
            file.seek(0)
            calls = len(file.readlines())
        if calls == 1:
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(3600)
        return text("call " + str(calls))
    if name == "fault":
        return fault(arguments["kind"], identifier)
    return {"error": {"code": -32602, "message": "Unknown tool: " + name}}


def answer(request):
    """Returns the result, an object with an error, or nothing."""
    method, params = request["method"], request.get("params", {})
    meta = params.get("_meta", {})
    modern = "io.modelcontextprotocol/protocolVersion" in meta
    capabilities = {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "prompts": {}, "completions": {},
                    "logging": {}}
    if method == "server/discover" and era in ("2026", "both"):
        return {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": capabilities,
                "instructions": "Be brief.",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "test", "version": "1"}}}
    if method == "initialize" and era != "2026":
        return {"protocolVersion": params["protocolVersion"], "capabilities": capabilities, "instructions": "Be brief.",
                "serverInfo": {"name": "test", "version": "1"}}
    if method == "tools/list":
        if "cursor" not in params:
            return {"tools": TOOLS[:3], "nextCursor": ""}
        return {"tools": TOOLS[3:], "nextCursor": None}
    if method == "tools/call":
        return call(request)
    if method == "resources/list":
        return {"resources": [{"uri": "file:///a", "name": "a", "size": 3}]}
    if method == "resources/templates/list":
        return {"resourceTemplates": [{"uriTemplate": "file:///{path}", "name": "files"}]}
    if method == "resources/read":
        if params["uri"] != "file:///a":
            return {"error": {"code": -32602 if modern else -32002, "message": "Resource not found"}}
        return {"contents": [{"uri": "file:///a", "mimeType": "text/plain", "text": "abc"}]}
    if method == "prompts/list":
        return {"prompts": [{"name": "greet", "arguments": [{"name": "who", "required": True}]}]}
    if method == "prompts/get":
        return {"description": "A greeting", "messages": [
            {"role": "user", "content": {"type": "text", "text": "Greet " + params["arguments"]["who"]}}]}
    if method == "completion/complete":
        return {"completion": {"values": [params["argument"]["value"] + "da"], "total": 1}}
    if method in ("logging/setLevel", "resources/subscribe"):
        write({"method": "notifications/message", "params": {"level": "info", "logger": "test", "data": method}})
        if method == "resources/subscribe":
            write({"method": "notifications/resources/updated", "params": {"uri": params["uri"]}})
            write({"method": "notifications/tools/list_changed"})
        return {}
    if method == "subscriptions/listen" and modern:
        about = {"io.modelcontextprotocol/subscriptionId": request["id"]}
        write({"method": "notifications/subscriptions/acknowledged",
               "params": {"_meta": about, "notifications": params["notifications"]}})
        write({"method": "notifications/resources/updated", "params": {"_meta": about, "uri": "file:///a"}})
        write({"method": "notifications/tools/list_changed", "params": {"_meta": about}})
        return None
    if era == "silent":
        return None
    if era == "dies":
        print("what is this?", file=sys.stderr, flush=True)
        os._exit(1)
    return {"error": {"code": -32601, "message": "Method not found"}}


def serve(request):
    result = answer(request)
    if result is not None:
        write({"id": request["id"], **(result if "error" in result else {"result": result})})


def take(message):
    """Takes a message that is no request."""
    if "method" not in message:
        with arrived:
            answers[message["id"]] = message.get("result", message.get("error"))
            arrived.notify_all()
    elif message["method"] == "notifications/cancelled":
        print("cancelled", message["params"]["requestId"], file=sys.stderr, flush=True)


class Reply(http.server.BaseHTTPRequestHandler):
    """A request over HTTP, and the reply to it: JSON, or a stream if anything is sent before the response."""
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def begin(self, status, kind, size=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if size is None:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(size))
        self.end_headers()
        self.has_begun = True

    def event(self, parts):
        if not self.has_begun:
            self.begin(200, "text/event-stream")
        self.wfile.write(b"data: ")
        for part in parts:
            self.wfile.write(part.encode())
        self.wfile.write(b"\n\n")

    def do_GET(self):
        self.begin(405, "text/plain", 0)

    def do_POST(self):
        self.has_begun = False
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "method" not in message or "id" not in message:
            take(message)
            self.begin(202, "text/plain", 0)
            return
        current.reply = self
        try:
            result = answer(message)
            if result is None or self.has_begun:
                if result is not None:
                    write({"id": message["id"], **(result if "error" in result else {"result": result})})
                return
            body = json.dumps({"jsonrpc": "2.0", "id": message["id"],
                               **(result if "error" in result else {"result": result})}).encode()
            self.begin(200, "application/json", len(body))
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


def serve_http():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Reply)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()  # until the one that started it has gone
    os._exit(0)


def main():
    if start == "http":
        serve_http()
    if start == "exit":
        print("no such folder: /srv", file=sys.stderr, flush=True)
        sys.exit(2)
    if start == "hang":
        time.sleep(3600)
    if start == "deaf":
        time.sleep(3600)
    if start == "garbage":
        write("Listening on port 80")
    if start == "child":
        subprocess.Popen(["sleep", "3600"])
    for line in sys.stdin:
        message = json.loads(line)
        if "method" in message and "id" in message:
            threading.Thread(target=serve, args=[message], daemon=True).start()
        else:
            take(message)
    os._exit(0)


main()
