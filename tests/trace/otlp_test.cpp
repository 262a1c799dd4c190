// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/trace/span.hpp"
#include "support/catch.hpp"
#include "trace/traced_run.hpp"

// The JSON of the protocol, the header `traceparent`, and histograms.
namespace {

using acta::Json;
using acta::trace::MetricNames;
using acta::trace::Metrics;
using acta::trace::Span;
using acta::trace::SpanKind;
using acta::trace::Time;
using acta::trace::TraceParent;

Span chat(std::chrono::nanoseconds time, std::int64_t input, std::int64_t output, const std::string& model = "gpt-5") {
    return {.name = "chat " + model,
            .kind = SpanKind::client,
            .start = Time(std::chrono::seconds(1'700'000'000)),
            .end = Time(std::chrono::seconds(1'700'000'000) + time),
            .attributes = {{"gen_ai.operation.name", std::string("chat")},
                           {"gen_ai.provider.name", std::string("openai")},
                           {"gen_ai.request.model", model},
                           {"gen_ai.response.id", std::string("not of metrics")},
                           {"gen_ai.usage.input_tokens", input},
                           {"gen_ai.usage.output_tokens", output}}};
}

Json metrics_of(const Metrics& metrics) {
    return acta::parse<Json>(metrics.to_otlp())["resourceMetrics"][0]["scopeMetrics"][0];
}

}  // namespace

TEST_CASE("An attribute is named by a literal or by a text of its own") {
    acta::trace::AttributeKey key("tide.port");
    CHECK(key == "tide.port");
    std::string text = "tide.height.above.chart.datum";
    std::vector<acta::trace::Attribute> attributes{{text, 4.6}, {"tide.port", std::string("Brest")}};
    text[0] = 'T';
    key = attributes.front().key;
    const std::vector<acta::trace::Attribute> others = std::move(attributes);
    CHECK(key == "tide.height.above.chart.datum");
    CHECK(key == others.front().key);
    CHECK_FALSE(key == acta::trace::AttributeKey());
    CHECK(acta::trace::AttributeKey().text().empty());
    REQUIRE(acta::trace::find(others, std::string("tide.port")) != nullptr);
    CHECK(acta::trace::find(others, "tide") == nullptr);
}

TEST_CASE("a span in the JSON of the protocol") {
    const Span span{.trace_id = "0af7651916cd43dd8448eb211c80319c",
                    .span_id = "b7ad6b7169203331",
                    .parent_id = "00f067aa0ba902b7",
                    .trace_state = "vendor=1",
                    .has_remote_parent = true,
                    .name = "chat \xff",
                    .kind = SpanKind::client,
                    .start = Time(std::chrono::nanoseconds(1'700'000'000'123'456'789)),
                    .end = Time(std::chrono::nanoseconds(1'700'000'000'123'456'788)),  // before the start
                    .attributes = {{"flag", true},
                                   {"number", std::int64_t{1} << 53},
                                   {"real", 0.25},
                                   {"nothing", std::numeric_limits<double>::quiet_NaN()},
                                   {"list", std::vector<std::string>{"a", "b"}}},
                    .is_error = true,
                    .error_message = "no"};
    const std::string body =
        acta::trace::to_otlp(std::vector{span}, {.service_name = "harbour", .attributes = {{"a", false}}});
    const Json whole = acta::parse<Json>(body);
    const Json& resource = whole["resourceSpans"][0];
    CHECK(resource["resource"]["attributes"][0] ==
          acta::parse<Json>(R"({"key": "service.name", "value": {"stringValue": "harbour"}})"));
    CHECK(resource["resource"]["attributes"].back() ==
          acta::parse<Json>(R"({"key": "a", "value": {"boolValue": false}})"));
    const Json& scope = resource["scopeSpans"][0];
    CHECK(scope["schemaUrl"] == "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev");
    CHECK(scope["scope"] == Json{{"name", "acta"}, {"version", std::string(acta::version)}});
    const Json other = acta::parse<Json>(acta::trace::to_otlp(std::vector{chat(std::chrono::seconds(1), 1, 1)}));
    CHECK(other["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["status"] == Json::object());
    CHECK(scope["spans"][0] == acta::parse<Json>(R"({
        "traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "traceState": "vendor=1",
        "parentSpanId": "00f067aa0ba902b7", "flags": 769, "name": "chat \ufffd", "kind": 3,
        "startTimeUnixNano": "1700000000123456789", "endTimeUnixNano": "1700000000123456789",
        "attributes": [
            {"key": "flag", "value": {"boolValue": true}},
            {"key": "number", "value": {"intValue": "9007199254740992"}},
            {"key": "real", "value": {"doubleValue": 0.25}},
            {"key": "list", "value": {"arrayValue": {"values": [{"stringValue": "a"}, {"stringValue": "b"}]}}}],
        "status": {"code": 2, "message": "no"}})"));
}

TEST_CASE("a resource may name its service itself") {
    const Json whole = acta::parse<Json>(
        acta::trace::to_otlp(std::vector<Span>{}, {.attributes = {{"service.name", std::string("pilot")}}}));
    std::size_t names = 0;
    for (const Json& one : whole["resourceSpans"][0]["resource"]["attributes"]) {
        if (one["key"] != "service.name") continue;
        ++names;
        CHECK(one["value"]["stringValue"] == "pilot");
    }
    CHECK(names == 1);
}

TEST_CASE("traceparent is read and written") {
    const std::string header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const auto parent = TraceParent::parse(header, "congo=t61rcWkgMzE");
    REQUIRE(parent);
    CHECK(parent->trace_id == "0af7651916cd43dd8448eb211c80319c");
    CHECK(parent->span_id == "b7ad6b7169203331");
    CHECK(parent->sampled);
    CHECK(parent->trace_state == "congo=t61rcWkgMzE");
    CHECK(parent->text() == header);
    CHECK_FALSE(TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")->sampled);
    CHECK(TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff")->sampled);
    for (const auto& [flags, sampled] :
         {std::pair{"08", false}, std::pair{"09", true}, std::pair{"0a", false}, std::pair{"0b", true}}) {
        INFO(flags);
        CHECK(TraceParent::parse(header.substr(0, header.size() - 2) + flags)->sampled == sampled);
    }
    // A later version may have more (section 4.3).
    CHECK(TraceParent::parse("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
    CHECK(TraceParent::parse("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what"));
}

TEST_CASE("what is not a traceparent is refused") {
    const std::string header =
        GENERATE(as<std::string>(), "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                 "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                 "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what",
                 "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.what",
                 "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                 "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                 "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                 "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g",
                 "0x-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                 "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01");
    CAPTURE(header);
    CHECK_FALSE(TraceParent::parse(header));
}

TEST_CASE("requests are counted in histograms") {
    Metrics metrics;
    CHECK(metrics.empty());
    metrics.add({.name = "execute_tool", .attributes = {{"gen_ai.operation.name", std::string("execute_tool")}}});
    CHECK(metrics.empty());
    metrics.add(chat(std::chrono::milliseconds(20), 100, 4));
    metrics.add(chat(std::chrono::seconds(100), 300, 5));
    Span failed = chat(std::chrono::milliseconds(5), 0, 0);
    failed.attributes.resize(3);  // its tokens are unknown
    failed.attributes.push_back({"error.type", std::string("Timeout")});
    metrics.add(failed);
    const Json scope = metrics_of(metrics);
    CHECK(scope["schemaUrl"] == "https://opentelemetry.io/schemas/1.41.0");
    REQUIRE(scope["metrics"].size() == 2);
    const Json& tokens = scope["metrics"][0];
    CHECK(tokens["name"] == "gen_ai.client.token.usage");
    CHECK(tokens["unit"] == "{token}");
    CHECK(tokens["histogram"]["aggregationTemporality"] == 2);
    const Json& points = tokens["histogram"]["dataPoints"];
    REQUIRE(points.size() == 2);
    const Json& input = points[0];
    CHECK(acta::dump(input["attributes"]) == R"([{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},)"
                                             R"({"key":"gen_ai.provider.name","value":{"stringValue":"openai"}},)"
                                             R"({"key":"gen_ai.request.model","value":{"stringValue":"gpt-5"}},)"
                                             R"({"key":"gen_ai.token.type","value":{"stringValue":"input"}}])");
    CHECK(input["count"] == "2");
    CHECK(input["sum"] == 400.0);
    CHECK(input["min"] == 100.0);
    CHECK(input["max"] == 300.0);
    CHECK(input["explicitBounds"].size() == 14);
    CHECK(acta::dump(input["bucketCounts"]) == R"(["0","0","0","0","1","1","0","0","0","0","0","0","0","0","0"])");
    CHECK(acta::dump(points[1]["bucketCounts"]) ==  // 4 is within the bound 4
          R"(["0","1","1","0","0","0","0","0","0","0","0","0","0","0","0"])");
    const Json& durations = scope["metrics"][1];
    CHECK(durations["name"] == "gen_ai.client.operation.duration");
    CHECK(durations["unit"] == "s");
    REQUIRE(durations["histogram"]["dataPoints"].size() == 2);  // one with `error.type`
    std::size_t counted = 0;
    for (const Json& one : durations["histogram"]["dataPoints"]) counted += one["count"] == "2" ? 2 : 1;
    CHECK(counted == 3);
}

TEST_CASE("metrics may have the names of the newest conventions") {
    Metrics metrics(MetricNames::development);
    metrics.add(chat(std::chrono::milliseconds(20), 100, 4));
    const Json scope = metrics_of(metrics);
    CHECK(scope["schemaUrl"] == "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev");
    REQUIRE(scope["metrics"].size() == 3);
    CHECK(scope["metrics"][0]["name"] == "gen_ai.client.inference.operation.input_tokens");
    CHECK(scope["metrics"][1]["name"] == "gen_ai.client.inference.operation.output_tokens");
    CHECK(scope["metrics"][2]["name"] == "gen_ai.client.inference.duration");
    CHECK(acta::dump(scope).find("gen_ai.token.type") == std::string::npos);
}

TEST_CASE("metrics distinguish a limited number of models") {
    Metrics metrics(MetricNames::development);
    for (std::size_t i = 0; i < Metrics::max_series + 500; ++i)
        metrics.add(chat(std::chrono::milliseconds(20), 1, 1, "model " + std::to_string(i)));
    const Json points = metrics_of(metrics)["metrics"][0]["histogram"]["dataPoints"];
    CHECK(points.size() == 2000);
    std::uint64_t others = 0;
    for (const Json& one : points) {
        if (one["attributes"][0]["key"] == "otel.metric.overflow")
            others = std::stoull(one["count"].get<std::string>());
    }
    CHECK(others == 501);
}
