// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::skill_detail {

/// Returns the JSON Schema type for a declaration's word for a type; empty for any type and for unknown words.
inline std::string_view schema_type(std::string_view word) noexcept {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 17> words{{{"string", "string"},
                                                                                   {"str", "string"},
                                                                                   {"number", "number"},
                                                                                   {"float", "number"},
                                                                                   {"double", "number"},
                                                                                   {"integer", "integer"},
                                                                                   {"int", "integer"},
                                                                                   {"boolean", "boolean"},
                                                                                   {"bool", "boolean"},
                                                                                   {"array", "array"},
                                                                                   {"list", "array"},
                                                                                   {"tuple", "array"},
                                                                                   {"set", "array"},
                                                                                   {"object", "object"},
                                                                                   {"dict", "object"},
                                                                                   {"null", "null"},
                                                                                   {"None", "null"}}};
    for (const auto& [known, type] : words) {
        if (word == known) return type;
    }
    return {};
}

}  // namespace acta::inline ACTA_ABI::skill_detail
