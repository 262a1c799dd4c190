// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/error.hpp"

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

}  // namespace acta::inline ACTA_ABI

#if !defined(ACTA_COMPILED)
#include "acta/json/detail/issue.inl.hpp"  // IWYU pragma: export
#endif
