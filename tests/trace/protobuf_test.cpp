// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/trace/tracer.hpp"
#include "support/catch.hpp"
#include "support/npm.hpp"
#include "support/temp_folder.hpp"
#include "trace/traced_run.hpp"

// Bodies, as OpenTelemetry's own messages see them: a release of its package that has them as a schema.
namespace {

// Reads a body, refuses what the messages do not have, and writes it after a journey through their binary form.
constexpr const char* script = R"(
const root = require(process.argv[2] + '/node_modules/@opentelemetry/otlp-transformer/build/src/generated/root');
const fs = require('fs');
const collector = root.opentelemetry.proto.collector;
const type = process.argv[3] === 'metrics' ? collector.metrics.v1.ExportMetricsServiceRequest
                                           : collector.trace.v1.ExportTraceServiceRequest;
const ids = new Set(['traceId', 'spanId', 'parentSpanId']);
const changed = (value, change) => Array.isArray(value) ? value.map((one) => changed(one, change))
    : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, one]) =>
              [key, ids.has(key) ? change(one) : changed(one, change)]))
        : value;
const body = JSON.parse(fs.readFileSync(0, 'utf8'));
const binary = changed(body, (id) => Buffer.from(id, 'hex').toString('base64'));
const message = type.fromObject(binary);
const fault = type.verify(message);
if (fault) throw new Error(fault);
const back = type.toObject(type.decode(type.encode(message).finish()), {longs: String, bytes: String});
console.log(JSON.stringify(changed(back, (id) => Buffer.from(id, 'base64').toString('hex'))));
)";

/// A value whose members have no order.
using Unordered = nlohmann::json;

std::optional<Unordered> decoded(const std::string& body, const std::string& signal) {
    const TempFolder folder;
    write_file(folder / "script.js", script);
    write_file(folder / "body.json", body);
    const std::string command = "node '" + (folder / "script.js").string() + "' '" + npm::folder("otlp").string() +
                                "' " + signal + " <'" + (folder / "body.json").string() + "' >'" +
                                (folder / "out.json").string() + "'";
    if (std::system(command.c_str()) != 0) return std::nullopt;
    return Unordered::parse(read_file(folder / "out.json"));
}

}  // namespace

TEST_CASE("bodies are messages of OpenTelemetry", "[full]") {
    if (const auto why = npm::problem("otlp", "@opentelemetry/otlp-transformer@0.205.0", "18.19")) ACTA_SKIP(*why);
    traced::History history;
    acta::RunOptions options;
    acta::trace::Metrics metrics;
    traced::Spans spans;
    const auto parent = acta::trace::TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    options.on_event = acta::trace::Tracer(
        [&](acta::trace::Span span) {
            metrics.add(span);
            spans.push_back(std::move(span));
        },
        {.agent_name = "harbour", .provider = "openai", .model = "gpt-5", .content = true, .parent = parent});
    traced::run(history, options);
    const std::string body = acta::trace::to_otlp(spans, {.service_name = "harbour"});
    // The messages have the same members with the same values: nothing is unknown to them, or of another type.
    CHECK(decoded(body, "traces") == Unordered::parse(body));
    const std::string counts = metrics.to_otlp();
    CHECK(decoded(counts, "metrics") == Unordered::parse(counts));
    CHECK(decoded(R"({"resourceSpans": [{"scopeSpans": [{"spans": [{"kind": "no"}]}]}]})", "traces") !=
          Unordered::parse(R"({"resourceSpans": [{"scopeSpans": [{"spans": [{"kind": "no"}]}]}]})"));
}
