// SPDX-License-Identifier: MIT
// The text of an error is in a prompt once.
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/prompt/prompt.hpp"
#include "support/catch.hpp"

namespace {

using acta::ActionErrorResult;
using History = acta::EpisodicActionHistory<>;

/// Returns how often `part` is in `text`.
std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
        ++found;
    return found;
}

ActionErrorResult thrown(const std::string& what) {
    try {
        try {
            throw std::out_of_range("the disk is full");
        } catch (...) {
            std::throw_with_nested(std::runtime_error(what));
        }
    } catch (const std::exception& error) {
        return ActionErrorResult::from_exception(error);
    }
}

History failed(const ActionErrorResult& result) {
    History history;
    history.register_action({.use_tool = {"save", {}}});
    history.register_result(result);
    return history;
}

const std::string mark = "it broke: ";
const std::string long_text = mark + std::string(2000, 'x');

}  // namespace

TEST_CASE("a message of a tool has the text of an error once, with its type and its causes") {
    const ActionErrorResult result = thrown(long_text);
    const History history = failed(result);
    const std::vector<acta::ChatMessage> messages = acta::to_messages(history);
    const std::string& content = messages.back().content;
    CHECK(content == "Action failed: '" + long_text + "'\nError: {\"exception_type\":\"runtime_error\"," +
                         "\"causes\":[\"out_of_range('the disk is full')\"]}");
    // The record has all of it, and comes back.
    CHECK(count(acta::dump(history), mark) == 4);
    const History read = acta::history_from_messages(messages);
    CHECK(read.at(0).result == acta::ActionResult(result));
}

TEST_CASE("an error with other members than the reason has them in messages") {
    std::vector<ActionErrorResult> results(6, thrown("no"));
    results[0].error->message = "another";
    results[1].error->args.clear();
    results[2].error->repr = "E()";
    results[3].reason = "why";
    results[4].error->args.push_back(acta::Json(17));
    results[5].reason = "'; Error: {}";
    for (const ActionErrorResult& result : results) {
        const History history = failed(result);
        const std::vector<acta::ChatMessage> messages = acta::to_messages(history);
        INFO(messages.back().content);
        const History read = acta::history_from_messages(messages);
        CHECK(read.at(0).result == acta::ActionResult(result));
    }
    // What acta wrote before is read.
    const std::string old = "Action failed: 'no'\nError: " + acta::dump(acta::ErrorInfo::make("E", "no"));
    std::vector<acta::ChatMessage> messages = acta::to_messages(failed(results[0]));
    messages.back().content = old;
    const History read = acta::history_from_messages(messages);
    CHECK(std::get<ActionErrorResult>(*read.at(0).result).error == acta::ErrorInfo::make("E", "no"));
}

TEST_CASE("an error that is truncated is truncated in all its members") {
    acta::PromptOptions options;
    options.full_output = acta::OutputLimit{.characters = 300, .tail = 120};
    const History history = failed(thrown(long_text));
    const std::string native = acta::to_messages(history, {.budget = options}).back().content;
    CHECK(native.size() < 600);
    CHECK_THAT(native, contains_text("\"exception_type\":\"runtime_error\""));
    const std::string words = acta::Prompt(options).messages(history).messages.back().content;
    CHECK(words.size() < 600);
    CHECK_THAT(words,
               starts_with_text("save raised an error (runtime_error, caused by out_of_range('the disk is full')): "
                                "```\nit broke: x"));
}

TEST_CASE("a step in full does not repeat a long error") {
    const std::string text = failed(thrown(long_text)).fmt_paragraph();
    CHECK(count(text, mark) == 1);
    CHECK_THAT(text, contains_text("- **Error:** runtime_error, caused by out_of_range('the disk is full')"));
    CHECK_THAT(failed(thrown("no")).fmt_paragraph(), contains_text("- **Error:** runtime_error('no')"));
}
