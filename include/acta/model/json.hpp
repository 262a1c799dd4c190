// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

namespace acta::inline v0 {

/// A JSON value of any kind. Objects keep the order of their keys, because the order of a call's
/// arguments is part of what is printed (SPEC section 1).
using Json = nlohmann::ordered_json;

/// A JSON object and nothing else: the type of every `dict[str, Any]` field. It can hold no null,
/// and `{}` is the empty object with every compiler. Look-up by key is linear, as in `Json`.
using JsonObject = Json::object_t;

/// A JSON array and nothing else.
using JsonArray = Json::array_t;

}  // namespace acta::inline v0
