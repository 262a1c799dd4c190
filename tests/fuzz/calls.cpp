// SPDX-License-Identifier: MIT
// Calls and literals in Python's syntax: errors name a place in the text, and what is printed is read as the same.
#include "acta/pysyntax/call.hpp"

#include <algorithm>

#include "fuzz.hpp"

namespace {

void check(const acta::CallSyntaxError& error, std::string_view text) {
    fuzz::require(error.offset() <= text.size(), "an error beyond the text", error.what());
    const std::string_view what = error.what();
    fuzz::require(what.size() < 2000 && acta::utf8::is_valid(what), "an error that is too long, or not UTF-8", what);
}

/// A literal that Python prints is read as the same, but for infinities, which it prints as names.
void print_again(const acta::Json& value) {
    if (!fuzz::is_finite(value)) return;
    const std::string printed = acta::python_repr(value);
    fuzz::require(acta::parse_literal(printed, {.max_depth = 500}) == value, "a printed literal is another", printed);
}

void print_again(const acta::ParsedCall& found) {
    if (!found.positional.empty() || !fuzz::is_finite(acta::Json(found.call.arguments))) return;
    const std::string printed = acta::to_string(found.call);
    const acta::AssistantFunctionCall again = acta::parse_call(printed, {.max_depth = 500}).call;
    fuzz::require(again == found.call, "a printed call is another", printed);
}

/// A call that is found among all is also found by its name, unless it has positional arguments or something before it
/// that may take it along: what a name finds does not depend on the calls of other names.
void find_by_name(const acta::ParsedCall& found, std::string_view text) {
    if (!found.positional.empty()) return;
    const auto alone = acta::parse_arguments(found.call.name, text.substr(found.begin));
    fuzz::require(alone == found.call.arguments, "a call that its name does not find, or finds otherwise",
                  found.call.name);
    try {
        (void)acta::parse_arguments(found.call.name, text);
    } catch (const acta::CallSyntaxError& error) {
        check(error, text);
    }
}

void run(std::string_view text) {
    try {
        const std::vector<acta::ParsedCall> calls = acta::parse_calls(text);
        for (const acta::ParsedCall& found : calls) {
            fuzz::require(found.begin < found.end && found.end <= text.size(), "a call that is not in the text");
            print_again(found);
        }
        if (!calls.empty()) find_by_name(calls.front(), text);
    } catch (const acta::CallSyntaxError& error) {
        check(error, text);
    }
    try {
        static const std::vector<std::string> names{"f", "search", "get-weather", "functions.g"};
        for (const acta::ParsedCall& found : acta::parse_calls(text, names)) {
            fuzz::require(std::find(names.begin(), names.end(), found.call.name) != names.end(),
                          "a call of an unknown name");
            fuzz::require(text.substr(found.begin).find(found.call.name) < 16,
                          "a call that does not begin with its name");
            print_again(found);
        }
    } catch (const acta::CallSyntaxError& error) {
        check(error, text);
    }
    try {
        (void)acta::parse_call(text);
    } catch (const acta::CallSyntaxError& error) {
        check(error, text);
    }
    try {
        static const std::vector<std::string> parameters{"a", "b"};
        (void)acta::parse_arguments("search", parameters, text);
    } catch (const acta::CallSyntaxError& error) {
        check(error, text);
    }
    try {
        print_again(acta::parse_literal(text));
    } catch (const acta::CallSyntaxError& error) {
        check(error, text);
    }
    acta::Json json;
    if (fuzz::read_json(text, json)) print_again(json);
}

}  // namespace

FUZZ_TARGET(run)
