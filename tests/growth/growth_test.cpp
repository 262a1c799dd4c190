// SPDX-License-Identifier: MIT
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/history/stuck.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/prompt/prompt.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/codec.hpp"
#include "acta/provider/openai/wire.hpp"
#include "acta/view/html.hpp"
#include "acta/view/terminal.hpp"
#include "growth/compared.hpp"
#include "growth/documents.hpp"
#include "growth/inputs.hpp"
#include "support/catch.hpp"

// Four times as many calls, steps, messages or runs take four times the work, not sixteen times. Comparisons of texts
// are counted, not seconds: a search for each of many costs a comparison with all of them.
namespace {

using growth::History;
using growth::Json;
using growth::Order;

constexpr double in_proportion = 5.4;  // trees and sorting need a little more than four times as many

/// A work, and a name for messages.
template <class Input>
struct Named {
    std::string_view name;
    std::function<void(const Input&)> work;
};

/// Checks that each work takes comparisons in proportion to the size of its input, which is not counted.
template <class Make, class Input = std::invoke_result_t<Make, std::size_t>>
void check_growth(std::string_view what, const Make& make, std::size_t size, const std::vector<Named<Input>>& works) {
    const Input least = make(2);
    const Input few = make(size);
    const Input many = make(4 * size);
    for (const auto& [name, work] : works) {
        const auto compared_by = [&work = work](const Input& input) {
            const std::size_t before = growth::compared();
            work(input);
            return static_cast<double>(growth::compared() - before);
        };
        work(least);                                 // what is made once is made
        const double once = compared_by(few) + 500;  // so that a few comparisons do not count
        INFO(what << ": " << name);
        CHECK(compared_by(many) / once < in_proportion);
    }
}

void check_histories(const std::vector<Named<History>>& works) {
    check_growth("calls", growth::calls, 150, works);
    check_growth("steps", growth::steps, 100, works);
    check_growth("messages", growth::messages, 100, works);
    check_growth("sub runs", growth::sub_runs, 60, works);
    check_growth("runs", growth::runs, 100, works);
}

void ignore(std::string_view /*text*/) {}

/// A document is read as it is, and as one that may need repairs.
const std::vector<Named<std::string>> both_readers{
    {"strict", [](const std::string& text) { static_cast<void>(acta::parse_trajectory(text)); }},
    {"lenient", [](const std::string& text) { static_cast<void>(acta::parse_trajectory(text, {.lenient = true})); }}};
const std::vector<Named<std::string>> lenient_reader{both_readers.back()};

/// The calls of a step whose ids have the same first bytes, and so do the names of their tools.
std::vector<acta::ChatMessage> similar_calls(std::size_t n) {
    const std::string begin(200, 'x');
    acta::ChatMessage message = acta::ChatMessage::assistant("I look.");
    std::vector<acta::ChatMessage> out{acta::ChatMessage::user("Look.")};
    for (std::size_t i = 0; i < n; ++i)
        message.tool_calls.push_back({begin + growth::id_of(i), {begin + growth::id_of(i), {}}});
    out.push_back(message);
    for (const acta::AssistantToolCall& call : message.tool_calls) {
        out.push_back({.role = acta::ChatRole::tool, .content = "seen"});
        out.back().tool_call_id = call.id;
    }
    return out;
}

/// An answer whose calls have one id, and their results.
std::vector<acta::ChatMessage> calls_of_one_id(std::size_t n) {
    std::vector<acta::ChatMessage> out{acta::ChatMessage::user("Look."), acta::ChatMessage::assistant("I look.")};
    for (std::size_t i = 0; i < n; ++i) out[1].tool_calls.push_back({"call_0_of_this_answer", {"look", {}}});
    for (std::size_t i = 0; i < n; ++i) out.push_back(acta::ChatMessage::tool("call_0_of_this_answer", "seen"));
    return out;
}

/// Answers whose calls have one id, with what was said between them by the system and the user.
std::vector<acta::ChatMessage> answers_with_one_id(std::size_t n) {
    std::vector<acta::ChatMessage> out{acta::ChatMessage::user("Look.")};
    for (std::size_t i = 0; i < n; ++i) {
        out.push_back(acta::ChatMessage::assistant("", {{"call_0_of_each_answer", {"look", {}}}}));
        out.push_back(acta::ChatMessage::tool("call_0_of_each_answer", "seen"));
        if (i % 3 == 0) out.push_back(acta::ChatMessage::system("Be brief."));
        if (i % 3 == 1) out.push_back(acta::ChatMessage::user("Quick."));
    }
    return out;
}

}  // namespace

TEST_CASE("a run is shown with work in proportion to its size") {
    check_histories({
        {"terminal", [](const History& run) { acta::to_terminal(run, ignore); }},
        {"terminal, all lines", [](const History& run) { acta::to_terminal(run, ignore, {.max_lines = 0}); }},
        {"page", [](const History& run) { acta::to_html(run, ignore); }},
    });
}

TEST_CASE("a history is copied, written and read with work in proportion to its size") {
    check_histories({
        {"copy", [](const History& run) { CHECK(History(run.record()) == run); }},
        {"JSON", [](const History& run) { CHECK(acta::parse<History>(acta::dump(run)) == run); }},
        {"ATIF", [](const History& run) { static_cast<void>(acta::atif::to_document(run)); }},
        {"AutoGPT", [](const History& run) { static_cast<void>(acta::autogpt::to_document(run)); }},
        {"messages", [](const History& run) { static_cast<void>(history_from_messages(acta::to_messages(run))); }},
    });
    const auto document = [](const auto& make) {
        return [make](std::size_t n) { return acta::dump(acta::atif::to_document(make(n))); };
    };
    check_growth("ATIF of calls", document(growth::calls), 130, both_readers);
    check_growth("ATIF of steps", document(growth::steps), 60, both_readers);
    check_growth("ATIF of sub runs", document(growth::sub_runs), 60, both_readers);
}

TEST_CASE("a conversation is written for a provider with work in proportion to its size") {
    const std::vector<Named<std::vector<acta::ChatMessage>>> wires{
        {"chat completions",
         [](const auto& messages) {
             static_cast<void>(acta::openai::from_wire(Json(acta::openai::to_wire(messages))));
         }},
        {"responses",
         [](const auto& messages) {
             namespace responses = acta::openai::responses;
             static_cast<void>(responses::from_wire(Json(responses::to_wire(messages))));
         }},
        {"Anthropic",
         [](const auto& messages) {
             static_cast<void>(acta::anthropic::from_wire(Json(acta::anthropic::to_wire(messages))));
         }},
        {"Mistral and DeepSeek",
         [](const auto& messages) {
             for (const char* const server : {"api.mistral.ai", "api.deepseek.com"}) {
                 const std::string base = "https://" + std::string(server);
                 static_cast<void>(acta::openai::ChatCodec({.base_url = base, .api_key = ""}).request(messages));
             }
         }},
    };
    check_growth(
        "calls", [](std::size_t n) { return acta::to_messages(growth::calls(n)); }, 150, wires);
    check_growth(
        "steps", [](std::size_t n) { return acta::to_messages(growth::steps(n)); }, 150, wires);
    check_growth("similar calls", similar_calls, 150, wires);
    check_growth("calls of one id", calls_of_one_id, 150, wires);
    check_growth("answers with the same id", answers_with_one_id, 150, wires);
    check_growth("calls in parts", growth::openai_call_parts, 500,
                 {{"chat completions", [](const std::string& text) {
                       const auto messages = acta::parse<std::vector<acta::ChatMessage>>(text);
                       CHECK(messages.at(1).tool_calls.size() >= 2);
                   }}});
    const auto names = [](std::size_t n) {
        std::vector<std::string> out;
        for (std::size_t i = 0; i < n; ++i) out.push_back(std::string(100, 'x') + growth::id_of(i));
        return out;
    };
    check_growth("names of tools", names, 150, {{"names", [](const std::vector<std::string>& skills) {
                                                     CHECK(acta::ToolNames(skills).size() == skills.size());
                                                 }}});
}

TEST_CASE("sessions of other programs are read with work in proportion to their size") {
    const auto check = [](std::string_view what, auto make) {
        check_growth(
            what, [&](std::size_t n) { return make(n, Order::backward); }, 130, both_readers);
    };
    check("response items", [](std::size_t n, Order of) { return acta::dump(growth::response_items(n, of)); });
    check("Codex", growth::codex_session);
    check("OpenHands", growth::openhands_events);
    check("old OpenHands", growth::old_openhands_events);
    check("Claude Code", [](std::size_t n, Order of) { return growth::claude_code_session(n, of); });
    const auto with_agents = [](std::size_t n) { return growth::claude_code_session(n, Order::backward, true); };
    check_growth("Claude Code with agents", with_agents, 60, both_readers);
    check_growth("Claude Code with totals", growth::claude_code_totals, 130, both_readers);
}

TEST_CASE("lists of messages are read with work in proportion to their size") {
    const auto check = [](std::string_view what, auto make, bool different = false) {
        const growth::Shape shape{.order = Order::backward, .different = different};
        check_growth(
            what, [&](std::size_t n) { return make(n, shape); }, 130, both_readers);
    };
    check("OpenAI", growth::openai_messages);
    check("OpenAI, many tools", growth::openai_messages, true);
    check("Anthropic", growth::anthropic_messages);
    check("LangChain", growth::langchain_messages);
    check("goose", growth::goose_session);
    check("LlamaIndex", growth::llama_index_messages);
    check_growth("logged requests", growth::logged_request, 130, both_readers);
    check("mini-swe-agent", growth::mini_swe_agent);
    check("SWE-agent", growth::swe_agent);
    const auto without_ids = [](auto make) { return [make](std::size_t n) { return make(n, {.ids = false}); }; };
    check_growth("LangChain, functions", without_ids(growth::langchain_messages), 130, both_readers);
    check_growth("mini-swe-agent, commands", without_ids(growth::mini_swe_agent), 130, both_readers);
    for (const bool failed : {false, true})
        check_growth(
            "AutoGPT", [failed](std::size_t n) { return growth::autogpt_run(n, failed); }, 130, both_readers);
}

TEST_CASE("a SWE-agent file whose steps are not those of its messages is read with work in proportion to its size") {
    check_growth("steps", growth::swe_agent_of_two_runs, 2100, {both_readers.front()});  // more than a table may hold
}

TEST_CASE("a document is repaired with work in proportion to its size") {
    const auto shaped = [](auto make, const growth::Shape& shape) {
        return [make, shape](std::size_t n) { return make(n, shape); };
    };
    for (const Order order : {Order::forward, Order::backward}) {
        for (const bool different : {false, true}) {
            const growth::Shape shape{.order = order, .ids = false, .different = different};
            check_growth("OpenAI", shaped(growth::openai_messages, shape), 130, lenient_reader);
            check_growth("Anthropic", shaped(growth::anthropic_messages, shape), 130, lenient_reader);
        }
        const growth::Shape shape{.order = order, .broken = true};
        check_growth("OpenAI, broken arguments", shaped(growth::openai_messages, shape), 130, lenient_reader);
    }
    check_growth("SWE-agent", shaped(growth::swe_agent, {.ids = false}), 130, lenient_reader);
    const auto atif = [](growth::Shape shape, bool taken) {
        return [=](std::size_t n) { return growth::atif_document(n, shape, taken ? n / 2 : 0); };
    };
    check_growth("ATIF", atif({.ids = false}, false), 130, lenient_reader);
    check_growth("ATIF, taken ids", atif({}, true), 130, lenient_reader);
    check_growth("ATIF, broken arguments", atif({.broken = true}, false), 130, lenient_reader);
}

TEST_CASE("prompts and summaries take work in proportion to the run") {
    acta::PromptOptions budget;
    budget.max_tokens = 4000;
    budget.max_full_tokens = 8000;
    check_histories({
        {"prompt", [](const History& run) { static_cast<void>(acta::Prompt(acta::PromptOptions()).text(run)); }},
        {"prompt within a budget", [&](const History& run) { static_cast<void>(acta::Prompt(budget).text(run)); }},
        {"messages within a budget",
         [&](const History& run) { static_cast<void>(acta::to_messages(run, {.budget = budget})); }},
        {"stuck", [](const History& run) { static_cast<void>(acta::stuck(run)); }},
        {"compression",
         [](const History& run) {
             History copy = run;
             acta::handle_compression(copy, acta::ExtractiveSummarizer{}, {.keep_recent = 0, .max_parallel = 1});
         }},
        {"rolling summary",
         [](const History& run) {
             History copy = run;
             acta::update_rolling_summary(copy, acta::ExtractiveSummarizer{});
         }},
    });
}
