// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/pysyntax/detail/call_finder.hpp"
#include "acta/pysyntax/detail/call_reader.hpp"
#include "acta/pysyntax/detail/known_names.hpp"
#include "acta/pysyntax/detail/scanner.hpp"

// The inside of a call that cannot be read is not read either: text in an argument is not meant to run, nor is `g(1)`
// in `f(a=g(1))`. That also bounds the work: nothing is read again, so it is linear in the text however many of its
// calls fail. Keys are looked up in O(log n).
namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {

[[noreturn]] ACTA_INLINE void throw_failure(const ReadFailure& failure, std::string_view text) {
    throw CallSyntaxError(failure.reason, text, failure.offset);
}

/// The failures of several attempts. The first is thrown; one at `name (`, which may be prose, only if all are.
class Failures {
public:
    void add(const ReadFailure& failure, bool spaced) {
        auto& slot = spaced ? spaced_ : first_;
        if (!slot) slot = failure;
    }

    [[nodiscard]] const std::optional<ReadFailure>& first() const noexcept { return first_; }
    [[nodiscard]] const std::optional<ReadFailure>& any() const noexcept { return first_ ? first_ : spaced_; }

private:
    std::optional<ReadFailure> first_{};
    std::optional<ReadFailure> spaced_{};
};

/// Returns whether the text has only blanks before `begin`. Never searches past the last parenthesis.
[[nodiscard]] ACTA_INLINE bool is_first(std::string_view text, std::size_t begin) noexcept {
    return skip_back(text, begin, " \t\f\r\n") == 0;
}

/// Returns whether `name (…)` is worth reading: it opens like keyword arguments, or it begins the text. Anything else
/// is prose, and a call may be inside it.
[[nodiscard]] ACTA_INLINE bool may_be_call(std::string_view text, const Candidate& found) {
    return !found.is_spaced() || opens_with_keyword(text, found.parenthesis) || is_first(text, found.name_begin);
}

/// Returns whether the text read at `found` is a call: `name (1)` is one only if it is the whole text.
[[nodiscard]] ACTA_INLINE bool is_meant(std::string_view text, const Candidate& found, const ParsedCall& call) {
    if (found.attached) return false;
    return !found.is_spaced() || opens_with_keyword(text, found.parenthesis) ||
           text.substr(call.end).find_first_not_of(" \t\f\r\n") == std::string_view::npos;
}

/// Returns the beginning of the list whose first item may be the call at `name_begin`: its `[` is the first character
/// of its line, apart from back-quotes. npos if there is none.
[[nodiscard]] ACTA_INLINE std::size_t list_begin(std::string_view text, std::size_t name_begin) noexcept {
    std::size_t at = skip_back(text, name_begin, " \t\r\n");
    if (at == 0 || text[at - 1] != '[') return std::string_view::npos;
    const std::size_t bracket = at - 1;
    at = skip_back(text, skip_blanks_back(text, bracket), "`");
    at = skip_blanks_back(text, at);
    return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r' ? bracket : std::string_view::npos;
}

/// A call and the places of its arguments, for errors that are found later.
struct LocatedCall {
    ParsedCall parsed{};
    std::vector<std::size_t> positional_at{};
    std::vector<std::size_t> keyword_at{};
};

/// Reads the arguments of a call whose name is known.
ACTA_INLINE bool read_call(Scanner& in, const CallOptions& options, std::size_t name_begin, std::string_view name,
                           LocatedCall& out) {
    ParsedCall& parsed = out.parsed;
    const LocatedArguments arguments{parsed.positional, parsed.call.arguments, parsed.end, out.positional_at,
                                     out.keyword_at};
    if (!ArgumentsReader(in, options, arguments).read()) return false;
    parsed.call.name = name;
    parsed.begin = name_begin;
    return true;
}

/// Reads the call at `found`.
ACTA_INLINE bool read_candidate(Scanner& in, const CallOptions& options, const Candidate& found, LocatedCall& out) {
    const std::string_view name = in.text().substr(found.name_begin, found.name_end - found.name_begin);
    in.move_to(found.parenthesis);
    return read_call(in, options, found.name_begin, name, out);
}

/// Moves past the call at `found`, which could not be read. One that is never closed, as in a reply that was cut,
/// takes the rest of the text.
ACTA_INLINE void skip_call(Scanner& in, const Candidate& found) {
    const std::size_t end = find_call_end(in, found.parenthesis, [](std::size_t at) { return at; });
    in.move_to(std::max(in.position(), std::min(end, in.text().size())));
}

/// Returns the call at `found`, if it can be read and is not prose. Moves on in either case.
ACTA_INLINE std::optional<ParsedCall> try_candidate(Scanner& in, const CallOptions& options, const Candidate& found,
                                                    Failures& failures) {
    LocatedCall located;
    if (may_be_call(in.text(), found)) {
        if (!read_candidate(in, options, found, located)) {
            if (!found.attached) failures.add(in.failure(), found.is_spaced());
            skip_call(in, found);
            return std::nullopt;
        }
        if (is_meant(in.text(), found, located.parsed)) return std::move(located.parsed);
        if (found.attached && !found.is_spaced()) return std::nullopt;
    }
    // Text is read again at most once here, at the beginning of the text.
    in.move_to(found.parenthesis + 1);
    return std::nullopt;
}

/// Returns the name of a call in a list, read forward; empty if there is none.
ACTA_INLINE std::string_view listed_name(Scanner& in) {
    const std::size_t begin = in.position();
    if (in.identifier().empty()) return {};
    while (in.peek() == '.' || in.peek() == '-') {
        const bool dot = in.peek() == '.';
        in.advance(1);
        const std::size_t part = in.position();
        dot ? static_cast<void>(in.identifier()) : in.skip_identifier_parts();
        if (in.position() == part) return {};
    }
    return in.text().substr(begin, in.position() - begin);
}

/// Returns the known name of a call in a list; empty, with a failure, if there is none.
ACTA_INLINE std::string_view listed_name(Scanner& in, const KnownNames& names) {
    const std::string_view text = in.text();
    const std::size_t begin = in.position();
    const std::size_t parenthesis = std::min(text.find('(', begin), text.size());
    in.charge(parenthesis - begin);
    const std::size_t end = std::max(begin, skip_blanks_back(text, parenthesis));
    const KnownName found = names.before(text, end);
    if (!found.name.empty() && found.begin == begin) {
        in.move_to(end);
        return found.name;
    }
    if (!listed_name(in).empty() && in.position() == end && parenthesis != text.size()) {
        in.fail(excerpt(text.substr(begin, end - begin)) + " is not a known name", begin);
    } else {
        in.fail("a call is expected in the list", begin);
    }
    return {};
}

/// Reads `[f(a=1), g(b=2)]` from the bracket. A list is meant to be called as a whole, so one call that cannot be read
/// is a failure of the whole. `names` may be null.
ACTA_INLINE bool read_call_list(Scanner& in, const CallOptions& options, const KnownNames* names,
                                std::vector<ParsedCall>& out) {
    const std::size_t opener = in.position();
    in.advance(1);
    while (true) {
        if (!in.skip_blanks(true)) return false;
        if (in.peek() == ']') break;
        if (in.at_end()) return in.fail("'[' is never closed", opener);
        const std::size_t begin = in.position();
        const std::string_view name = names != nullptr ? listed_name(in, *names) : listed_name(in);
        if (names != nullptr && name.empty()) return false;
        if (!in.skip_blanks(true)) return false;
        if (name.empty() || in.peek() != '(') return in.fail("a call is expected in the list", begin);
        LocatedCall located;
        if (!read_call(in, options, begin, name, located) || !in.skip_blanks(true)) return false;
        out.push_back(std::move(located.parsed));
        if (in.peek() == ']') break;
        if (in.at_end()) return in.fail("'[' is never closed", opener);
        if (in.peek() != ',') return in.fail("a comma is missing", in.position());
        in.advance(1);
    }
    in.advance(1);
    return true;
}

/// Reads the calls of known names.
class KnownCallsReader {
public:
    KnownCallsReader(std::string_view text, std::vector<std::string> names, const CallOptions& options)
        : names_(std::move(names)), options_(options), in_(text, options.stats) {}

    [[nodiscard]] std::vector<ParsedCall> read() {
        const std::string_view text = in_.text();
        for (std::size_t at = find(); at != std::string_view::npos; at = find()) {
            if (read_call_at(at, true)) continue;
            const std::size_t end = skip_blanks_back(text, at);
            const FoundName other = name_before(text, end);
            in_.charge(at - other.begin);
            if (other.begin == end || end != at || is_definition(text, other.begin)) {
                in_.move_to(at + 1);
            } else {
                read_inside(at);
            }
        }
        if (calls_.empty() && failures_.first()) throw_failure(*failures_.first(), text);
        return std::move(calls_);
    }

private:
    /// Returns the next parenthesis.
    [[nodiscard]] std::size_t find() {
        const std::size_t at = in_.text().find('(', in_.position());
        in_.charge(std::min(at, in_.text().size()) - in_.position());
        return at;
    }

    /// `print(default_api.f(a=1))`: a call of something else is code, so calls are searched only between its strings.
    void read_inside(std::size_t opener) {
        const std::size_t end = find_call_end(in_, opener, [this](std::size_t at) {
            return read_call_at(at, false) && in_.position() > at + 1 ? in_.position() : at;
        });
        in_.move_to(std::max(in_.position(), std::min(end, in_.text().size())));
    }

    /// Reads the call of a known name whose parenthesis is at `at`, or the list that it begins. Returns whether there
    /// is one, and has moved on then.
    bool read_call_at(std::size_t at, bool may_begin_list) {
        const std::string_view text = in_.text();
        Candidate found;
        found.parenthesis = at;
        found.name_end = skip_blanks_back(text, at);
        const KnownName known = names_.before(text, found.name_end);
        in_.charge(at - found.name_end + known.scanned);
        if (known.name.empty() || is_definition(text, known.begin)) return false;
        found.name_begin = known.begin;
        const std::size_t bracket = may_begin_list ? list_begin(text, known.begin) : std::string_view::npos;
        if (bracket != std::string_view::npos && bracket >= in_.position()) {
            in_.move_to(bracket);
            if (!read_call_list(in_, options_, &names_, calls_)) throw_failure(in_.failure(), text);
        } else if (auto call = try_candidate(in_, options_, found, failures_)) {
            call->call.name = known.name;
            calls_.push_back(*std::move(call));
        }
        return true;
    }

    KnownNames names_;
    const CallOptions& options_;
    Scanner in_;
    std::vector<ParsedCall> calls_{};
    Failures failures_{};
};

ACTA_INLINE std::vector<ParsedCall> read_known_calls(std::string_view text, std::vector<std::string> names,
                                                     const CallOptions& options) {
    return KnownCallsReader(text, std::move(names), options).read();
}

/// Binds the positional arguments to the names of the parameters and puts them before the keyword arguments. Without
/// `names` there is nothing to bind them to.
ACTA_INLINE bool bind_positional(Scanner& in, std::optional<std::span<const std::string>> names, LocatedCall& located) {
    AssistantFunctionCall& call = located.parsed.call;
    JsonArray& positional = located.parsed.positional;
    if (positional.empty()) return true;
    if (!names) return in.fail("a positional argument needs the skill's parameters", located.positional_at.front());
    if (positional.size() > names->size()) {
        return in.fail(
            "the skill takes only " + std::to_string(names->size()) + (names->size() == 1 ? " argument" : " arguments"),
            located.positional_at[names->size()]);
    }
    JsonObject bound;
    ObjectBuilder builder(bound);
    for (std::size_t i = 0; i < positional.size(); ++i) {
        if (!builder.insert((*names)[i], std::move(positional[i]))) {
            return in.fail("two parameters of the skill are called " + excerpt((*names)[i]), located.positional_at[i]);
        }
    }
    std::size_t index = 0;
    for (auto& [key, value] : call.arguments) {
        if (!builder.insert(key, std::move(value))) {
            return in.fail("the argument " + excerpt(key) + " is given by position and by keyword",
                           located.keyword_at[index]);
        }
        ++index;
    }
    positional.clear();
    call.arguments = std::move(bound);
    return true;
}

ACTA_INLINE std::optional<JsonObject> find_arguments(std::string_view skill_name,
                                                     std::optional<std::span<const std::string>> names,
                                                     std::string_view text, const CallOptions& options) {
    if (skill_name.empty()) return std::nullopt;
    const CallFinder finder(text, skill_name, options.stats);
    Scanner in(text, options.stats);
    Failures failures;
    for (auto found = finder.next(0); found; found = finder.next(in.position())) {
        if (!names && found->is_spaced() && !opens_with_keyword(text, found->parenthesis)) {
            in.move_to(found->parenthesis + 1);
            continue;
        }
        LocatedCall located;
        if (read_candidate(in, options, *found, located) && bind_positional(in, names, located)) {
            return std::move(located.parsed.call.arguments);
        }
        failures.add(in.failure(), found->is_spaced());
    }
    if (failures.first()) throw_failure(*failures.first(), text);
    return std::nullopt;
}

}  // namespace pysyntax_detail

ACTA_INLINE ParsedCall parse_call(std::string_view text, const CallOptions& options) {
    const pysyntax_detail::CallFinder finder(text, {}, options.stats);
    pysyntax_detail::Scanner in(text, options.stats);
    pysyntax_detail::Failures failures;
    for (auto found = finder.next(0); found; found = finder.next(in.position())) {
        if (auto call = pysyntax_detail::try_candidate(in, options, *found, failures)) return *std::move(call);
    }
    if (failures.any()) pysyntax_detail::throw_failure(*failures.any(), text);
    throw CallSyntaxError("there is no call in the text", text, 0);
}

ACTA_INLINE std::vector<ParsedCall> parse_calls(std::string_view text, const CallOptions& options) {
    const pysyntax_detail::CallFinder finder(text, {}, options.stats);
    pysyntax_detail::Scanner in(text, options.stats);
    pysyntax_detail::Failures failures;
    std::vector<ParsedCall> calls;
    for (auto found = finder.next(0); found; found = finder.next(in.position())) {
        const std::size_t bracket = pysyntax_detail::list_begin(text, found->name_begin);
        if (bracket != std::string_view::npos && bracket >= in.position()) {
            in.move_to(bracket);
            if (!pysyntax_detail::read_call_list(in, options, nullptr, calls)) {
                pysyntax_detail::throw_failure(in.failure(), text);
            }
            continue;
        }
        if (auto call = pysyntax_detail::try_candidate(in, options, *found, failures))
            calls.push_back(*std::move(call));
    }
    if (calls.empty() && failures.first()) pysyntax_detail::throw_failure(*failures.first(), text);
    return calls;
}

ACTA_INLINE std::optional<JsonObject> parse_arguments(std::string_view skill_name, std::string_view text,
                                                      const CallOptions& options) {
    return pysyntax_detail::find_arguments(skill_name, std::nullopt, text, options);
}

ACTA_INLINE std::optional<JsonObject> parse_arguments(std::string_view skill_name,
                                                      std::span<const std::string> parameter_names,
                                                      std::string_view text, const CallOptions& options) {
    return pysyntax_detail::find_arguments(skill_name, parameter_names, text, options);
}

}  // namespace acta::inline ACTA_ABI
