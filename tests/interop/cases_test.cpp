// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/acta.hpp"
#include "acta/base/file.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/schema/schema.hpp"
#include "acta/tool_response/tool_response.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"
#include "wire_cases.hpp"

// Small documents of other programs in tests/data/cases/, and what a reader makes of each: tests/data/cases/README.md
// explains the members of `expect`.

namespace {

using acta::Json;
using History = acta::EpisodicActionHistory<>;

/// What a case got, for comparison with its expectation. Members that its kind does not have stay empty.
struct Outcome {
    std::optional<std::string> refusal{};
    std::optional<std::string> format{};
    std::optional<History> history{};
    acta::TrajectoryReport report{};
    std::optional<std::vector<acta::ParsedCall>> calls{};
    std::optional<Json> schema{};
    std::optional<std::string> written{};
    std::optional<wire_cases::Request> request{};
    std::optional<acta::ErrorInfo> error{};
    bool known = false;
    bool same = false;
};

std::string in_lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

/// Throws what is wrong, which the test prints with the case.
[[noreturn]] void fail(const std::string& what, const std::string& got) {
    throw std::runtime_error(what + "; but got " + got);
}
void require_text(const std::string& text, const Json& wanted, const std::string& what) {
    for (const Json& one : wanted) {
        if (text.find(one.get<std::string>()) == std::string::npos) fail(what + " has " + one.dump(), text);
    }
}

void compare_call(const acta::AssistantFunctionCall& call, const Json& expected) {
    if (expected.contains("name") && call.name != expected["name"].get<std::string>())
        fail("a call of " + expected["name"].dump(), call.name);
    if (expected.contains("arguments") && Json(call.arguments) != expected["arguments"])
        fail("arguments " + expected["arguments"].dump(), acta::dump(call.arguments));
}

auto moment_of(const Json& time) { return acta::validate<acta::Timestamp>(time).instant(); }

void compare_metrics(const acta::Boxed<acta::StepMetrics>& metrics, const Json& expected) {
    if (!metrics) fail("metrics " + expected.dump(), "none");
    const Json actual = acta::to_json_value(*metrics);
    for (const auto& [key, value] : expected.items()) {
        const bool is_time = key.ends_with("_at") && actual[key].is_string();
        if (is_time ? moment_of(actual[key]) != moment_of(value) : actual[key] != value)
            fail("metrics with " + key + " " + value.dump(), actual.dump());
    }
}

void compare_steps(const History& history, const Json& expected) {
    if (history.size() != expected.size())
        fail(std::to_string(expected.size()) + " steps", std::to_string(history.size()) + " " + acta::dump(history));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Json& step = expected[i];
        const auto& episode = history[i];
        const auto calls = get_tools(episode.action);
        if (step.contains("calls")) {
            if (calls.size() != step["calls"].size())
                fail("calls " + step["calls"].dump(), std::to_string(calls.size()));
            for (std::size_t c = 0; c < calls.size(); ++c) {
                const Json& call = step["calls"][c];
                compare_call(calls[c], call);
                if (!call.contains("status") && !call.contains("result_mentions")) continue;
                const auto own = std::ranges::find(episode.tool_results, history.tool_call_ids(i)[c],
                                                   &acta::ToolResult::tool_call_id);
                if (own == episode.tool_results.end()) fail("a result of its own", acta::dump(episode));
                if (call.contains("status") && to_string(status(own->result)) != call["status"].get<std::string>())
                    fail("a call with " + call["status"].dump(), acta::dump(*own));
                if (call.contains("result_mentions"))
                    require_text(acta::dump(own->result), call["result_mentions"], "the result");
            }
        }
        if (step.contains("status") && (!episode.result || Json(to_string(status(*episode.result))) != step["status"]))
            fail("step " + std::to_string(i) + " with " + step["status"].dump(), acta::dump(episode));
        if (step.contains("result_mentions"))
            require_text(acta::dump(episode.result), step["result_mentions"], "the result");
        if (step.contains("thoughts_mention"))
            require_text(acta::dump(episode.action.thoughts), step["thoughts_mention"], "the thoughts");
        if (step.contains("metrics")) compare_metrics(episode.metrics, step["metrics"]);
    }
}

void compare_tokens(const History& history, const Json& expected) {
    const acta::MetricsTotals all = acta::totals(history);
    const std::map<std::string, double> actual{{"prompt", static_cast<double>(all.prompt_tokens)},
                                               {"completion", static_cast<double>(all.completion_tokens)},
                                               {"cached", static_cast<double>(all.cached_tokens)},
                                               {"cache_write", static_cast<double>(all.cache_write_tokens)},
                                               {"reasoning", static_cast<double>(all.reasoning_tokens)},
                                               {"cost_usd", all.cost_usd}};
    for (const auto& [key, value] : expected.items()) {
        if (std::abs(actual.at(key) - value.get<double>()) > 1e-9)
            fail(key + " tokens " + value.dump(), std::to_string(actual.at(key)));
    }
}

void compare_history(const Outcome& got, const Json& expected) {
    const History& history = *got.history;
    if (expected.contains("steps")) compare_steps(history, expected["steps"]);
    if (expected.contains("messages")) {
        Json actual = Json::array();
        for (const acta::ConversationMessage& one : history.messages())
            actual.push_back({{"role", to_string(one.message.role)}, {"text", one.message.content}});
        if (actual != expected["messages"]) fail("messages " + expected["messages"].dump(), actual.dump());
    }
    if (expected.contains("tokens")) compare_tokens(history, expected["tokens"]);
    const std::string json = got.written ? *got.written : acta::dump(history);
    if (expected.contains("mentions")) require_text(json, expected["mentions"], "the JSON");
    for (const Json& one : expected.value("lacks", Json::array())) {
        if (json.find(one.get<std::string>()) != std::string::npos) fail("a JSON without " + one.dump(), json);
    }
    if (got.report.size() < expected.value("report_at_least", std::size_t{0}))
        fail("notes", std::to_string(got.report.size()));
    if (expected.contains("report_mentions")) {
        std::string report;
        for (const acta::TrajectoryNote& note : got.report) report += note.message + '\n';
        require_text(report, expected["report_mentions"], "the report");
    }
}

void compare_calls(const std::vector<acta::ParsedCall>& calls, const Json& expected) {
    if (expected.contains("calls")) {
        if (calls.size() != expected["calls"].size())
            fail("calls " + expected["calls"].dump(), std::to_string(calls.size()));
        for (std::size_t i = 0; i < calls.size(); ++i) compare_call(calls[i].call, expected["calls"][i]);
    }
    if (expected.contains("calls_count") && calls.size() != expected["calls_count"].get<std::size_t>())
        fail(expected["calls_count"].dump() + " calls", std::to_string(calls.size()));
    for (const Json& one : expected.value("includes", Json::array())) {
        const bool found = std::ranges::any_of(calls, [&](const acta::ParsedCall& call) {
            return Json(call.call.name) == one["name"] && Json(call.call.arguments) == one["arguments"];
        });
        if (!found) fail("the call " + one.dump(), "others");
    }
    if (expected.value("survives_json", false)) {
        for (const acta::ParsedCall& call : calls) {
            if (acta::parse<acta::AssistantFunctionCall>(acta::dump(call.call)) != call.call)
                fail("the same call after dump and parse", call.call.name);
        }
    }
}

bool allows_null(const Json& schema) {
    const auto has_null = [](const Json& type) {
        return type == "null" || (type.is_array() && std::ranges::find(type, Json("null")) != type.end());
    };
    if (schema.contains("enum") && std::ranges::find(schema["enum"], Json()) == schema["enum"].end()) return false;
    if (schema.contains("type")) return has_null(schema["type"]);
    return schema.contains("anyOf") && std::ranges::any_of(schema["anyOf"], allows_null);
}

void compare_schema(const Json& schema, const Json& expected) {
    const Json required = expected.value("required", Json::object());
    for (const auto& [place, keys] : required.items()) {
        const Json& actual = schema.at(Json::json_pointer(place)).at("required");
        if (actual.get<std::set<std::string>>() != keys.get<std::set<std::string>>())
            fail("required at '" + place + "' " + keys.dump(), actual.dump());
    }
    for (const bool nullable : {true, false}) {
        for (const Json& place : expected.value(nullable ? "nullable" : "not_nullable", Json::array())) {
            const Json& part = schema.at(Json::json_pointer(place.get<std::string>()));
            if (allows_null(part) != nullable)
                fail(place.get<std::string>() + (nullable ? " nullable" : " not nullable"), part.dump());
        }
    }
}

void compare_request(const wire_cases::Request& got, const Json& expected) {
    const std::string json = got.document.dump();
    if (expected.value("accepted", false) && !got.broken.empty())
        fail("a request that is accepted", got.broken.front());
    if (expected.contains("roles") && Json(got.roles) != expected["roles"])
        fail("roles " + expected["roles"].dump(), json);
    if (expected.contains("images") && Json(got.images) != expected["images"])
        fail("images " + expected["images"].dump(), json);
    if (expected.contains("image_count") && got.images.size() != expected["image_count"].get<std::size_t>())
        fail(expected["image_count"].dump() + " images", json);
    if (expected.contains("images_only_in")) {
        for (const std::string& role : got.images) {
            if (Json(role) != expected["images_only_in"])
                fail("images only in " + expected["images_only_in"].dump(), json);
        }
    }
    if (expected.contains("calls") && got.calls != expected["calls"]) fail("calls " + expected["calls"].dump(), json);
    if (expected.contains("calls_of_any_order")) {
        const Json& wanted = expected["calls_of_any_order"];
        if (!std::is_permutation(got.calls.begin(), got.calls.end(), wanted.begin(), wanted.end()))
            fail("calls of any order " + wanted.dump(), json);
    }
    if (expected.contains("results")) {
        if (got.results.size() != expected["results"].size()) fail("results " + expected["results"].dump(), json);
        for (std::size_t i = 0; i < got.results.size(); ++i) {
            const Json& wanted = expected["results"][i];
            if (wanted.contains("id") && Json(got.results[i].first) != wanted["id"])
                fail("result of " + wanted.dump(), json);
            if (wanted.contains("mentions")) require_text(got.results[i].second, wanted["mentions"], "the result");
        }
    }
    if (expected.contains("mentions")) require_text(json, expected["mentions"], "the request");
    for (const Json& one : expected.value("texts_lack", Json::array())) {
        for (const std::string& text : got.texts) {
            if (text.find(one.get<std::string>()) != std::string::npos) fail("no text with " + one.dump(), text);
        }
    }
}

void compare_error(const acta::ErrorInfo& got, const Json& expected) {
    const Json json = acta::to_json_value(got);
    if (acta::parse<acta::ErrorInfo>(acta::dump(got)) != got) fail("the same error after dump and parse", json.dump());
    if (expected.contains("message") && Json(got.message) != expected["message"])
        fail("message " + expected["message"].dump(), json.dump());
    if (expected.contains("args") && json["args"] != expected["args"])
        fail("args " + expected["args"].dump(), json.dump());
    if (expected.contains("args_size") && json["args"].size() != expected["args_size"].get<std::size_t>())
        fail(expected["args_size"].dump() + " args", json.dump());
}

void compare(const Outcome& got, const Json& expected) {
    if (expected.value("refused", false)) {
        if (!got.refusal) fail("a refusal", got.history ? acta::dump(*got.history) : "a value");
        return;
    }
    if (expected.contains("any_of")) {
        std::string why;
        const bool any = std::ranges::any_of(expected["any_of"], [&](const Json& one) {
            try {
                compare(got, one);
                return true;
            } catch (const std::runtime_error& error) {
                why += std::string(error.what()) + '\n';
                return false;
            }
        });
        if (!any) throw std::runtime_error(why);
        if (got.refusal) return;
    }
    if (got.refusal) fail("no refusal", *got.refusal);
    if (expected.contains("format") && in_lower_case(*got.format).find(expected["format"]) == std::string::npos)
        fail("the format " + expected["format"].dump(), *got.format);
    if (got.history) compare_history(got, expected);
    if (got.calls) compare_calls(*got.calls, expected);
    if (got.schema) compare_schema(*got.schema, expected);
    if (got.request) compare_request(*got.request, expected);
    if (got.error) compare_error(*got.error, expected);
    if (!got.written) return;
    if (expected.contains("text") && *got.written != expected["text"].get<std::string>())
        fail(expected["text"].get<std::string>(), *got.written);
    if (expected.value("same", false) && !got.same) fail("the same value", *got.written);
    if (expected.value("known", false) && !got.known) fail("a known response", *got.written);
    if (expected.contains("mentions")) require_text(*got.written, expected["mentions"], "the JSON");
    const Json json = acta::parse<Json>(*got.written);
    const Json values = expected.value("values", Json::object());
    for (const auto& [place, value] : values.items()) {
        if (!json.contains(Json::json_pointer(place)) || json.at(Json::json_pointer(place)) != value)
            fail(place + " " + value.dump(), *got.written);
    }
}

void read_roundtrip(Outcome& out, const Json& input, bool lenient) {
    const std::string text = input["text"].get<std::string>();
    const std::string as = input["as"].get<std::string>();
    const auto write = [&out](const auto& value) {
        out.written = acta::dump(value);
        out.same = acta::parse<std::decay_t<decltype(value)>>(*out.written) == value;
    };
    if (as == "json") return write(acta::parse<Json>(text));
    if (as == "proposal") return write(acta::parse<acta::ActionProposal<>>(text));
    if (as == "tool_response") {
        const acta::ToolResponse response = acta::parse_tool_response(text, {.unknown_keys = acta::UnknownKeys::keep});
        out.known = !std::holds_alternative<acta::UnknownResponse>(response);
        return write(response);
    }
    History history = acta::parse<History>(text);
    if (input.value("through", "") == "atif") {
        const std::string atif = acta::dump(acta::atif::to_document(history, {.session_id = "run"}));
        acta::Trajectory read = acta::parse_trajectory(atif, {.lenient = lenient});
        out.same = read.history == history;
        history = std::move(read.history);
        out.written = acta::dump(history);
        out.history = std::move(history);
        return;
    }
    write(history);
    out.history = std::move(history);
}

void read_calls(Outcome& out, const Json& test) {
    acta::CallOptions options;
    options.lenient = test["options"].value("lenient", false);
    const std::string text = test["input"].get<std::string>();
    if (test["options"].contains("names"))
        out.calls = acta::parse_calls(text, test["options"]["names"].get<std::vector<std::string>>(), options);
    else
        out.calls = acta::parse_calls(text, options);
}

/// An exception whose `what()` is any text, or a null pointer.
struct Foreign : std::exception {
    explicit Foreign(const Json& what) : is_null(what.is_null()) {
        if (!is_null) text = what.get<std::string>();
    }
    [[nodiscard]] const char* what() const noexcept override { return is_null ? nullptr : text.c_str(); }

    bool is_null;
    std::string text{};
};

/// Throws the innermost cause, and each of the others with it inside.
[[noreturn]] void throw_nested(const Json& input, std::size_t cause) {
    const Json causes = input.value("nested", Json::array());
    const Foreign error(cause == 0 ? input["what"] : causes[cause - 1]);
    if (cause == causes.size()) throw error;
    try {
        throw_nested(input, cause + 1);
    } catch (const Foreign&) {
        std::throw_with_nested(error);
    }
}

void read_error(Outcome& out, const Json& input) {
    try {
        throw_nested(input, 0);
    } catch (const Foreign& error) {
        out.error = acta::ErrorInfo::from_exception(error);
    }
}

Outcome outcome_of(const Json& test) {
    Outcome out;
    const bool lenient = test["options"].value("lenient", false);
    const std::string kind = test["kind"].get<std::string>();
    const Json& input = test["input"];
    try {
        if (kind == "trajectory") {
            acta::Trajectory run = acta::parse_trajectory(input.get<std::string>(), {.lenient = lenient});
            out.format = std::string(to_string(run.format));
            out.history = std::move(run.history);
            out.report = std::move(run.report);
        } else if (kind == "history") {
            const TempFolder folder;
            write_file(folder / "run.json", input.get<std::string>());
            out.history = acta::load<History>(folder / "run.json");
        } else if (kind == "wire") {
            out.request = wire_cases::request_of(input);
        } else if (kind == "error_info") {
            read_error(out, input);
        } else if (kind == "calls") {
            read_calls(out, test);
        } else if (kind == "schema") {
            acta::SchemaOptions options;
            if (input["dialect"] == "openai_strict") options.dialect = acta::SchemaDialect::openai_strict;
            if (input["dialect"] == "anthropic") options.dialect = acta::SchemaDialect::anthropic;
            if (input["dialect"] == "mcp") options.dialect = acta::SchemaDialect::mcp;
            out.schema = acta::convert_schema(input["schema"], options);
        } else {
            read_roundtrip(out, input, lenient);
        }
    } catch (const acta::Error& error) {
        out.refusal = error.what();
    }
    return out;
}

void check_cases(const std::string& kind) {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(paths::source("tests/data/cases/" + kind)))
        files.push_back(file.path());
    std::ranges::sort(files);
    REQUIRE(!files.empty());
    for (const auto& file : files) {
        const Json test = acta::parse<Json>(acta::base::read_file(file));
        std::string fault;
        try {
            compare(outcome_of(test), test["expect"]);
        } catch (const std::runtime_error& error) {
            fault = error.what();
        }
        INFO(file.filename().string() << ": " << test["why"].get<std::string>());
        CHECK(fault == "");
    }
}

}  // namespace

TEST_CASE("the cases of trajectories come out as they say") { check_cases("trajectory"); }
TEST_CASE("the cases of histories in files come out as they say") { check_cases("history"); }
TEST_CASE("the cases of requests for other servers come out as they say") { check_cases("wire"); }
TEST_CASE("the cases of exceptions come out as they say") { check_cases("error_info"); }
TEST_CASE("the cases of calls in text come out as they say") { check_cases("calls"); }
TEST_CASE("the cases of schemas come out as they say") { check_cases("schema"); }
TEST_CASE("the cases of round trips come out as they say") { check_cases("roundtrip"); }
