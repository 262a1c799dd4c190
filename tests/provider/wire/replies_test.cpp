// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <atomic>
#include <cctype>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/chat_model.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "provider/openai/aimock.hpp"
#include "support/paths.hpp"

// Replies as servers write them (README.md here), played by serve.py to the three clients.
namespace {

using nlohmann::json;  // whose objects compare without order

std::string wire_file(const std::string& name) { return paths::source("tests/provider/wire/" + name); }

json cases_of(const std::string& name) {
    json out = json::parse(read_file(wire_file(name)));
    for (json& one : out) {
        if (one.contains("kind")) one["expect"] = {{"error", one["kind"]}};
    }
    return out;
}

/// A text as parts: all of them in this order, with nothing but white space between.
std::string text_problem(const json& expected, std::string_view text) {
    const json parts = expected.is_array() ? expected : json::array({expected});
    std::string_view rest = text;
    for (const json& part : parts) {
        const auto& one = part.get_ref<const std::string&>();
        if (parts.size() > 1) rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
        if (!rest.starts_with(one)) return "\"" + std::string(text) + "\" instead of " + expected.dump();
        rest.remove_prefix(one.size());
    }
    if (parts.size() > 1) rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    return rest.empty() ? "" : "\"" + std::string(text) + "\" instead of " + expected.dump();
}

/// What came of a reply.
struct Outcome {
    std::optional<acta::ChatCompletion> completion{};
    std::optional<acta::ChatModelError> error{};
    std::string streamed{};
};

struct Call {
    std::string name{};
    json arguments{};
    std::string id{};
};
std::vector<Call> calls_of(const acta::ChatCompletion& completion) {
    std::vector<Call> out;
    for (const auto& call : completion.message.tool_calls.value_or(std::vector<acta::AssistantToolCall>())) {
        out.push_back({call.function.name, json::parse(acta::Json(call.function.arguments).dump()), call.id});
    }
    return out;
}

std::string calls_problem(const json& expect, const acta::ChatCompletion& completion) {
    const std::vector<Call> calls = calls_of(completion);
    std::string said;
    for (const Call& call : calls) said += call.name + "(" + call.arguments.dump() + ") id " + call.id + "; ";
    if (const auto wanted = expect.find("calls"); wanted != expect.end()) {
        if (wanted->size() != calls.size()) return "calls: " + said;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const json& one = (*wanted)[i];
            if (one["name"] != calls[i].name || one["arguments"] != calls[i].arguments ||
                (one.contains("id") && one["id"] != calls[i].id) || calls[i].id.empty())
                return "calls: " + said;
        }
    }
    for (const json& name : expect.value("cut_calls", json::array())) {
        for (const Call& call : calls) {
            if (json(call.name) == name && call.arguments == json::object()) return "runs a call that was cut: " + said;
        }
    }
    for (const json& whole : expect.value("whole_calls", json::array())) {
        const std::string name = whole.is_object() ? whole["name"].get<std::string>() : whole.get<std::string>();
        bool found = false;
        for (const Call& call : calls)
            found = found || (call.name == name && (!whole.is_object() || whole["arguments"] == call.arguments));
        if (!found) return "a whole call is missing: " + said;
    }
    return {};
}

std::string answer_problem(const json& expect, const std::string& api, const acta::ChatCompletion& completion) {
    std::string problem;
    if (expect.contains("text")) problem += text_problem(expect["text"], completion.message.content);
    if (expect.contains("reasoning"))
        problem += text_problem(expect["reasoning"], completion.message.reasoning_content.value_or("(none)"));
    problem += calls_problem(expect, completion);
    if (expect.contains("finish") && expect["finish"] != completion.finish_reason)
        problem += "finish " + completion.finish_reason;
    if (expect.contains("not_finish") && expect["not_finish"] == completion.finish_reason)
        problem += "finish " + completion.finish_reason;
    if (expect.contains("usage")) {
        const acta::TokenUsage usage = completion.usage.value_or(acta::TokenUsage());
        if (expect["usage"]["prompt"] != usage.prompt_tokens ||
            expect["usage"]["completion"] != usage.completion_tokens)
            problem += "usage " + std::to_string(usage.prompt_tokens);
    }
    if (expect.contains("kept")) {
        const std::string provider = api == "openai_chat" ? "openai" : api;
        const json extra = json::parse(acta::Json(completion.message.extra).dump());
        const json own = extra.value(provider, json::object());
        for (const auto& [member, value] : expect["kept"].items()) {
            if (own.value(member, json()) != value) problem += "kept " + extra.dump();
        }
    }
    return problem;
}

std::string error_problem(const json& expect, const acta::ChatModelError& error, std::size_t asked) {
    using acta::ChatModelFault;
    const std::string kind = expect["error"];
    const ChatModelFault fault = error.fault();
    const bool once = asked == 1;
    bool good = false;
    if (kind == "retried" || kind == "rate_limited") good = asked > 1 && fault != ChatModelFault::context_too_long;
    if (kind == "refused") good = once && fault == ChatModelFault::status;
    if (kind == "context_too_long") good = once && fault == ChatModelFault::context_too_long;
    if (kind == "unreadable") good = fault == ChatModelFault::reply;
    if (kind == "broken") good = once && (fault == ChatModelFault::status || fault == ChatModelFault::connection);
    if (kind == "other") good = fault != ChatModelFault::context_too_long;
    const std::string what = error.what();
    good = good && what.find(expect.value("says", "")) != std::string::npos && what.find('\n') == std::string::npos;
    return good ? "" : "asked " + std::to_string(asked) + " times: " + what;
}

std::string problem_of(const json& one, const Outcome& outcome, std::size_t asked) {
    const json& expect = one["expect"];
    std::string problem;
    if (expect.contains("streamed_text")) problem = text_problem(expect["streamed_text"], outcome.streamed);
    if (outcome.error && (expect.contains("error") || expect.contains("not_finish")))
        return expect.contains("error") ? problem + error_problem(expect, *outcome.error, asked) : problem;
    if (outcome.error) return outcome.error->what();
    if (expect.contains("error")) return "answered " + outcome.completion->message.content;
    return problem + answer_problem(expect, one["api"], *outcome.completion);
}

/// The bytes of a reply.
std::string bytes_of(const json& one) {
    std::string out;
    for (const json& piece : one["pieces"]) {
        if (piece.contains("text")) {
            out += piece["text"].get<std::string>();
            continue;
        }
        const std::string coded = piece["bytes"];
        constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        unsigned bits = 0;
        int count = 0;
        for (const char c : coded) {
            if (c == '=') break;
            bits = (bits << 6U) | static_cast<unsigned>(letters.find(c));
            count += 6;
            if (count < 8) continue;
            count -= 8;
            out += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
        }
    }
    return out;
}

acta::HttpChatCodec codec_of(const std::string& api) {
    if (api == "openai_responses") return acta::openai::ResponsesCodec({.model = "m", .api_key = ""});
    if (api == "anthropic") return acta::anthropic::ChatCodec({.model = "m", .api_key = ""});
    return acta::openai::ChatCodec({.base_url = "http://h", .model = "m", .api_key = ""});
}

/// What is wrong with what becomes of a reply that is fed to a reader in pieces of this size.
std::string problem_of_pieces(const json& one, std::size_t size) {
    acta::ChatOptions options;
    Outcome outcome;
    if (one.value("stream", false)) options.on_text = [&](std::string_view text) { outcome.streamed += text; };
    acta::ChatReplyReader reader =
        codec_of(one["api"]).reader(std::vector<acta::ChatMessage>{acta::ChatMessage::user("?")}, options);
    std::vector<std::pair<std::string, std::string>> headers;
    const json given = one.value("headers", json::object());
    for (const auto& [name, value] : given.items()) {
        headers.emplace_back(name, value);
        for (char& c : headers.back().first) c = static_cast<char>(std::tolower(c));
    }
    std::size_t asked = 1;
    try {
        reader.begin(one.value("status", 200), headers);
        const std::string bytes = bytes_of(one);
        for (std::size_t i = 0; i < bytes.size(); i += size)
            static_cast<void>(reader.feed(std::string_view(bytes).substr(i, size)));
        outcome.completion = reader.finish().completion;
    } catch (const acta::ChatModelError& error) {
        asked = error.is_transient() && !reader.has_shown() ? 2 : 1;
        outcome.error = error;
    }
    return problem_of(one, outcome, asked);
}

/// serve.py with these files.
class Played {
public:
    explicit Played(const std::string& files) {
        ::setenv("NO_PROXY", "127.0.0.1,localhost", 1);
        ::setenv("no_proxy", "127.0.0.1,localhost", 1);
        const std::string log = (folder_ / "log").string();
        program_.emplace("'" + paths::python() + "' '" + wire_file("serve.py") + "' " + files + " >'" + log + "' 2>&1");
        root_ = "http://127.0.0.1:" + aimock::wait_for(log, "port ");
    }

    template <class Options>
    [[nodiscard]] Options options(const std::string& name) const {
        return {.base_url = root_ + "/" + name + "/v1",
                .model = "m",
                .api_key = "",
                .retry = {.max_attempts = 2, .first_delay = std::chrono::milliseconds(1)}};
    }
    [[nodiscard]] acta::AnyChatModel model(const std::string& api, const std::string& name) const {
        if (api == "openai_responses") return acta::openai::ResponsesModel(options<acta::openai::Options>(name));
        if (api == "anthropic") return acta::anthropic::ChatModel(options<acta::anthropic::Options>(name));
        return acta::openai::ChatModel(options<acta::openai::Options>(name));
    }

    /// Asks for the reply of a case, and returns what is wrong with what came of it.
    [[nodiscard]] std::string problem(const json& one) const {
        const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("How is the weather?")};
        acta::ChatOptions options;
        Outcome outcome;
        if (one.value("stream", false)) options.on_text = [&](std::string_view text) { outcome.streamed += text; };
        std::size_t asked = 1;
        try {
            outcome.completion = model(one["api"], one["name"])(messages, options);
        } catch (const acta::ChatModelError& error) {
            asked = static_cast<std::size_t>(error.attempts());
            outcome.error = error;
        } catch (const std::exception& error) {
            return error.what();
        }
        return problem_of(one, outcome, asked);
    }

    /// Asks for all of them, many at a time, as the slow ones mostly wait. Returns what is wrong, a line for each case.
    [[nodiscard]] std::string problems(const json& cases) const {
        std::vector<std::string> wrong(cases.size());
        std::atomic<std::size_t> next = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 12; ++i) {
            threads.emplace_back([&] {
                for (std::size_t n = next++; n < cases.size(); n = next++) wrong[n] = problem(cases[n]);
            });
        }
        for (std::thread& one : threads) one.join();
        std::string out;
        for (std::size_t n = 0; n < cases.size(); ++n) {
            if (!wrong[n].empty()) out += cases[n]["name"].get<std::string>() + ": " + wrong[n] + "\n";
        }
        return out;
    }

private:
    TempFolder folder_{};
    std::optional<aimock::Background> program_{};
    std::string root_{};
};

}  // namespace

TEST_CASE("replies as servers write them become what they mean") {
    if (paths::python().empty()) ACTA_SKIP("there is no Python");
    const Played server("'" + wire_file("replies.json") + "'");
    CHECK(server.problems(cases_of("replies.json")) == "");
}

TEST_CASE("replies are read alike in whatever pieces they come") {
    for (const json& one : cases_of("replies.json")) {
        INFO(one["name"].get<std::string>());
        const bool is_compressed = bytes_of(one).starts_with("\x1F\x8B");  // which a transport decodes
        if (one.value("status", 200) == 0 || is_compressed) continue;
        for (const std::size_t size : {1U, 7U, 1000000U}) CHECK(problem_of_pieces(one, size) == "");
    }
}

TEST_CASE("replies that are damaged are answers or errors of the model, and nothing else") {
    std::minstd_rand random(1);
    const std::string_view pieces[] = {"null", "{}",   "[]",     "\"\"", "7", "1e99", "-1", "true", "\\ud83c",
                                       "\n",   "\n\n", "data: ", ",",    "}", "{",    "\"", "\xFF", "event: error\n"};
    for (const json& one : cases_of("replies.json")) {
        const std::string bytes = bytes_of(one);
        if (bytes.empty()) continue;
        INFO(one["name"].get<std::string>());
        for (int i = 0; i < 30; ++i) {
            std::string damaged = bytes;
            for (int k = 0; k < 1 + i % 4; ++k) {
                // A value of JSON becomes another one, or any few bytes do.
                const std::size_t colon = damaged.find(':', random() % damaged.size());
                const std::size_t at = i % 2 == 0 && colon != std::string::npos ? colon + 1 : random() % damaged.size();
                const std::size_t end = std::min(damaged.find_first_of(",}]", at), damaged.size());
                damaged.replace(at, i % 3 == 0 ? random() % 5 : end - at, pieces[random() % std::size(pieces)]);
                if (damaged.empty()) damaged = "x";
            }
            acta::ChatOptions options;
            std::size_t deltas = 0;
            options.on_event = [&](const acta::ChatDelta&) { ++deltas; };
            acta::ChatReplyReader reader =
                codec_of(one["api"]).reader(std::vector<acta::ChatMessage>{acta::ChatMessage::user("?")}, options);
            try {
                static_cast<void>(reader.feed(damaged));
                const acta::ChatCompletion completion = reader.finish().completion;
                // What was read can be sent back.
                const std::vector<acta::ChatMessage> next{acta::ChatMessage::user("?"), completion.message};
                CHECK_FALSE(codec_of(one["api"]).request(next).body.empty());
            } catch (const acta::ChatModelError& error) {
                CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
            }
        }
    }
}

TEST_CASE("refusals are recognised as a context that is too long by what servers say") {
    if (paths::python().empty()) ACTA_SKIP("there is no Python");
    const Played server("'" + wire_file("too_long.json") + "'");
    CHECK(server.problems(cases_of("too_long.json")) == "");
}

#else

TEST_CASE("replies of servers are played to the clients") { ACTA_SKIP("libcurl is not there"); }

#endif
