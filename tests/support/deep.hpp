// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "acta/json/json.hpp"

// Documents with a member that is nested more deeply than a record can have, but not than JSON is read.
namespace deep {

using acta::Json;

/// The path of each object in a value, with its level.
struct Place {
    Json::json_pointer path{};
    std::size_t level = 1;
};

inline void find_objects(const Json& value, const Place& place, std::vector<Place>& out) {
    if (value.is_object()) {
        out.push_back(place);
        for (const auto& [key, one] : value.items()) find_objects(one, {place.path / key, place.level + 1}, out);
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i) find_objects(value[i], {place.path / i, place.level + 1}, out);
    }
}

inline std::vector<Place> objects_of(const Json& value) {
    std::vector<Place> out;
    find_objects(value, {}, out);
    return out;
}

/// A value of this many levels, of lists and objects in turn.
inline Json nested(std::size_t levels) {
    Json out = "deep-inside";
    for (std::size_t i = 0; i < levels; ++i) {
        Json next;
        if (i % 2 == 0)
            next.push_back(std::move(out));
        else
            next["x"] = std::move(out);
        out = std::move(next);
    }
    return out;
}

/// The document with a member `deep` in this object, so that the whole has 126 levels.
inline Json with_deep_member(Json document, const Place& place) {
    document[place.path]["deep"] = nested(126 - place.level);
    return document;
}

}  // namespace deep
