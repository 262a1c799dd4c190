// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/json/detail/decode.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/options.hpp"

namespace acta::inline ACTA_ABI {

/// Reads a `T` from JSON text: a described type, a scalar, `Json`, `JsonObject`, or a standard container or variant of
/// these (docs/reference/json.md, "Reading"). Throws `ValidationError` with every issue of the document.
///
/// Time is linear in the size of the text. Memory follows the value; nothing refers to the text afterwards.
///
/// @code{.cpp}
/// #include <iostream>
/// #include <map>
/// #include <string>
/// const auto limits = acta::parse<std::map<std::string, int>>(R"({"retries": 3, "seconds": "60"})");
/// std::cout << limits.at("seconds") << "\n";  // 60: lax reading takes numbers in quotes
///
/// try {
///     static_cast<void>(acta::parse<std::map<std::string, int>>(R"({"retries": 2.5, "seconds": "a"})"));
/// } catch (const acta::ValidationError& error) {
///     for (const acta::Issue& issue : error.issues()) {
///         std::cout << issue.pointer() << ": " << issue.message << "\n";
///     }
/// }
/// @endcode
template <class T>
[[nodiscard]] T parse(std::string_view text, const ParseOptions& options = {}) {
    introspection::require_supported<T>();
    T out{};
    json_detail::read_text_document(text, options, json_detail::reading_of(out));
    return out;
}

/// Reads a `T` from a JSON value in memory, by the rules of `parse` and with the same issues, but without line and
/// column. `ParseOptions::max_bytes` does not apply.
///
/// @code{.cpp}
/// #include <vector>
/// const acta::Json value = {1, 2, "3"};
/// const auto numbers = acta::validate<std::vector<int>>(value);
/// @endcode
template <class T>
[[nodiscard]] T validate(const Json& json, const ParseOptions& options = {}) {
    introspection::require_supported<T>();
    T out{};
    json_detail::read_json_document(json, options, json_detail::reading_of(out));
    return out;
}

}  // namespace acta::inline ACTA_ABI
