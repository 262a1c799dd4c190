// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/json/issue.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

namespace schema_detail {
struct CompiledSchema;
}

/// What happens to a keyword whose value is not of the kind that it should be, such as a `required` that is a text:
/// schemas of other programs may have such ones.
enum class MalformedKeywords {
    refuse,  ///< `SchemaError`
    ignore   ///< the keyword does not count
};

/// Checks values against a JSON Schema that is only known at run time, such as that of a tool of an MCP server. Schemas
/// of draft 2020-12 and, by `$schema`, draft-07 (docs/reference/schema.md, "Validator"). Cheap to copy; several threads
/// may use one.
///
/// @code{.cpp}
/// #include <acta/schema/validator.hpp>
/// #include <cassert>
/// const acta::SchemaValidator validator(acta::Json::parse(R"({"properties": {"limit": {"type": "integer"}}})"));
/// assert(validator.accepts({{"limit", 3}}));
/// assert(validator.issues({{"limit", "three"}}).at(0).pointer() == "/limit");
/// @endcode
class SchemaValidator {
public:
    /// Prepares a schema, in time linear in its size. Throws `SchemaError` with a JSON pointer to a malformed keyword,
    /// and if it is nested more than 400 levels deep. What a schema refers to is never fetched: a `$ref` to another
    /// document, a `$schema` of another draft, and a pattern that `pattern` does not take are issues `schema_unusable`
    /// of the values that they are needed for.
    explicit SchemaValidator(Json schema, MalformedKeywords malformed = MalformedKeywords::refuse);

    /// Returns whether the schema accepts the value. What takes more than `max_work` is not accepted.
    [[nodiscard]] bool accepts(const Json& value) const;
    /// Returns what the schema does not accept, named as `parse` names it, at most `max_issues`; empty if it accepts
    /// the value.
    [[nodiscard]] std::vector<Issue> issues(const Json& value, std::size_t max_issues = 100) const;

    /// Returns the schema.
    [[nodiscard]] const Json& schema() const noexcept;

    /// How many schemas one value is checked with, each counted as often as it is, after which an issue
    /// `schema_unusable` ends the checking: references can make the number grow exponentially. Patterns, comparisons,
    /// lengths of texts and looking at keys count by the time that they take. A list of 100 000 numbers needs as many.
    static constexpr std::size_t max_work = 1'000'000;
    /// How deep such checks may be nested, by the value's depth and by references.
    static constexpr std::size_t max_depth = 1000;

private:
    std::shared_ptr<const schema_detail::CompiledSchema> compiled_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/schema/detail/validator.inl.hpp"
#endif
