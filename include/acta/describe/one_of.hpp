// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "acta/describe/describe.hpp"

// A constraint of text fields, in a header of its own that is cheap to include.
namespace acta::inline ACTA_ABI {

/// One of several texts (pydantic's `Literal`); made by `one_of`.
template <std::size_t N>
struct OneOf : describe_detail::OptionBase {
    std::array<std::string_view, N> names{};  ///< The texts allowed, in the order of the schema.

    /// Reads the text in place of the member's own reading: any other value is a `literal_error`.
    template <class Decoder>
    void decode(Decoder& d, std::string& out) const {
        const std::size_t i = decode_choice(d, names, "literal_error");  // of the room json, found by ADL
        if (i < N) out = names[i];
    }
    /// Sets `enum`, or `const` for a single text.
    void annotate(Json& schema) const {
        JsonArray all;
        for (const std::string_view name : names) all.push_back(base::text_json(name));
        if (N == 1)
            base::assign(schema, "const", std::move(all.front()));
        else
            base::assign(schema, "enum", std::move(all));
    }
};
/// Requires a text that is one of `names`.
template <class... Names>
constexpr OneOf<sizeof...(Names)> one_of(const Names&... names) {
    OneOf<sizeof...(Names)> option;
    option.names = {std::string_view(names)...};
    return option;
}

}  // namespace acta::inline ACTA_ABI
