// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "acta/schema/detail/map_form.hpp"
#include "acta/schema/maps.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE Json maps_from_lists(const Json& schema, Json value) {
    return schema_detail::MapForm(schema, false).convert(std::move(value));
}

ACTA_INLINE Json lists_from_maps(const Json& schema, Json value) {
    return schema_detail::MapForm(schema, true).convert(std::move(value));
}

}  // namespace acta::inline ACTA_ABI
