// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// One step of the path to a value: the key of an object or the index of an array.
using LocElement = std::variant<std::string, std::size_t>;

/// One problem of a document, named as pydantic 2 names it (docs/reference/json.md, "Issues").
struct Issue {
    std::vector<LocElement> loc{};  ///< Keys and indices from the root; never the tag of a union.
    std::string type{};             ///< The code, such as `missing` or `int_parsing`.
    std::string message{};          ///< What was expected, for human readers.
    std::string input{};            ///< The start of the offending value as JSON, at most about 100 bytes.
    std::size_t line = 0;           ///< Counted from 1; 0 if the document was not text.
    std::size_t column = 0;         ///< In code points, counted from 1; 0 if the document was not text.

    /// Returns the path to the value as a JSON pointer (RFC 6901); empty for the root.
    [[nodiscard]] std::string pointer() const;

    friend bool operator==(const Issue&, const Issue&) = default;
};

namespace json_detail {

/// Appends a key with `~` and `/` escaped, as a JSON pointer has it.
void append_pointer_key(std::string& out, std::string_view key);
/// `steps.0.name`, as pydantic prints a path.
[[nodiscard]] std::string loc_as_dots(const std::vector<LocElement>& loc);

}  // namespace json_detail

/// A document does not fit the type it was read as. Holds every issue found, up to `ParseOptions::max_issues`; `what()`
/// lists them as pydantic does.
class ValidationError : public Error {
public:
    /// Makes an error, as `parse` and `validate` do; code that reads documents itself may also make one.
    ValidationError(std::string title, std::vector<Issue> issues, bool truncated = false);

    /// Returns the issues in the order of the described fields, at least one; valid as long as the error is.
    [[nodiscard]] std::span<const Issue> issues() const noexcept { return issues_; }
    /// Returns the name of the expected type.
    [[nodiscard]] const std::string& title() const noexcept { return title_; }
    /// Returns whether reading stopped at the limit of issues, so that there may be more.
    [[nodiscard]] bool truncated() const noexcept { return truncated_; }

private:
    std::string title_;
    std::vector<Issue> issues_;
    bool truncated_;
};

// What other components use beyond the public API.
namespace json_extension {

/// Returns an example of what would have been right, where pydantic's message does not say its form; else nothing.
[[nodiscard]] inline std::string_view expected_form(const Issue& issue) noexcept {
    return issue.type.starts_with("datetime") ? "2026-11-27T12:15:00Z" : "";
}

}  // namespace json_extension

class Observer;

/// Which values are converted to the expected type. `lax` follows pydantic's default rules for JSON input (`"12"` is
/// read as an int); `strict` follows pydantic's strict mode for JSON (docs/reference/json.md, "Conversions").
enum class Strictness { lax, strict };

/// What happens to a key that the description does not name: it is ignored, or is an issue `extra_forbidden`, or is
/// kept and written again if the description has a member for it (`kept_keys`).
enum class UnknownKeys { ignore, forbid, keep };

/// How a document is read. Exceeding a limit throws `ValidationError`.
struct ParseOptions {
    Strictness strictness = Strictness::lax;         ///< Which values are converted.
    UnknownKeys unknown_keys = UnknownKeys::ignore;  ///< Of structs whose description has no `unknown_keys` member.
    bool allow_inf_nan = true;  ///< Whether a number may be infinite or NaN, as pydantic reads `"inf"` and `"nan"`.
    /// Whether numbers that a `Json` cannot hold are kept in it rather than refused: integers beyond 64 bits as the
    /// nearest double, numbers beyond a double as their text. Members that are numbers do not depend on it.
    bool keep_large_numbers = false;
    /// Nesting depth of arrays and objects. With a higher limit, values nested deeper than some thousands of levels can
    /// be read, but copying such a `Json` recurses in nlohmann's code.
    std::size_t max_depth = 128;
    std::size_t max_bytes = std::size_t{512} * 1024 * 1024;  ///< Size of the text in bytes.
    std::size_t max_issues = 100;                            ///< Reading stops at this number of issues; 0 counts as 1.
    /// Receives the issues that were repaired rather than refused (a history's cursor), unless null.
    std::vector<Issue>* warnings = nullptr;
    Observer* observer = nullptr;  ///< Receives an event for each document, unless null.
    /// Called from time to time while texts are matched with a `pattern`, unless null. What it throws ends the reading.
    const std::function<void()>* check = nullptr;
};

/// What writing does with text that is not valid UTF-8: `EncodeError`, or U+FFFD for each bad byte.
enum class InvalidUtf8 { refuse, replace };

/// How a value is written.
struct DumpOptions {
    int indent = 0;             ///< Spaces for each level; 0 is the compact form that pydantic writes.
    bool exclude_none = false;  ///< Omit fields that are null.
    bool by_alias = true;       ///< Write a field's alias rather than its name.
    InvalidUtf8 invalid_utf8 = InvalidUtf8::refuse;  ///< What happens to texts and keys that are not UTF-8.
    /// Throws `EncodeError` for what `parse` with its default limits would not read back: numbers that are not finite,
    /// which are null otherwise, nesting deeper than `ParseOptions::max_depth`, and a text longer than
    /// `ParseOptions::max_bytes`. `save` and the stores always do.
    bool round_trip = false;
};

/// How deep arrays and objects may be nested in a value that becomes part of a record: the arguments of a call, the
/// output of a tool, labels. With what a document has around it, it stays below `ParseOptions::max_depth`.
inline constexpr std::size_t max_content_depth = 100;
/// How many bytes of JSON text such a value may have.
inline constexpr std::size_t max_content_bytes = std::size_t{256} * 1024 * 1024;

namespace json_detail {
struct Reading;
struct Writing;
}  // namespace json_detail

namespace codec {

/// The code that reads and writes a type as a whole document: it is called by `parse`, `validate`, `dump` and the like.
/// `extern template struct acta::codec::Document<T>;` after the description of `T` keeps this code out of a source, and
/// `template struct acta::codec::Document<T>;` in one source that includes `acta/json/json.hpp` instantiates it. The
/// library acta::compiled contains that of acta's own types.
template <class T>
struct Document {
    /// Returns how `out` is read.
    [[nodiscard]] static json_detail::Reading reading(T& out);
    /// Returns how `value` is written.
    [[nodiscard]] static json_detail::Writing writing(const T& value);
};

}  // namespace codec

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/json/detail/issue.inl.hpp"
#endif
