// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "acta/model/decoder.hpp"
#include "acta/model/kinds.hpp"

// Reading lists, maps and tuples.
namespace acta::inline v0::detail {

template <class T>
void decode_value(Decoder& d, T& out);

/// Grows a full list: to what it is likely to need in all, where that is not more than growing by
/// doubling would give.
template <class T>
void make_room(Decoder& d, const Container& container, T& out) {
    constexpr std::size_t few = 16;
    const std::size_t size = out.size();
    if (size < few) return;
    const std::size_t expected = d.in.expected_elements(container, size);
    out.reserve(std::clamp(expected, size + size / 8, 2 * size));
}

template <class T>
void decode_sequence(Decoder& d, T& out, std::string_view type) {
    out.clear();
    if (d.in.peek() != Token::array) {
        d.refuse(type, "Input should be a valid array");
        return;
    }
    Container container;
    d.in.enter(container);
    PathScope scope(d);
    for (std::size_t i = 0; d.in.next_element(container); ++i) {
        scope.set_index(i);
        if constexpr (std::same_as<typename T::value_type, bool>) {
            bool element = false;
            decode_value(d, element);
            out.push_back(element);
        } else {
            if (out.size() == out.capacity()) make_room(d, container, out);
            decode_value(d, out.emplace_back());
        }
    }
}

/// The issues of a map's values by key. A key that stands there again takes those of its first value along. Only used
/// once there are issues.
class IssuesByKey {
public:
    void note(std::string_view key, std::size_t first, std::size_t end) {
        if (first != end) runs_.insert_or_assign(std::string(key), std::pair(first, end));
    }
    void forget(std::string_view key) {
        const auto run = runs_.find(key);
        if (run == runs_.end()) return;
        dropped_.push_back(run->second);
        runs_.erase(run);
    }
    void finish(Decoder& d) {
        if (dropped_.empty()) return;
        std::sort(dropped_.begin(), dropped_.end());
        dropped_.emplace_back(d.issues.size(), d.issues.size());
        std::size_t to = dropped_.front().first;
        for (std::size_t i = 0; i + 1 < dropped_.size(); ++i) {
            for (std::size_t from = dropped_[i].second; from < dropped_[i + 1].first; ++from, ++to) {
                d.issues[to] = std::move(d.issues[from]);
                d.places[to] = d.places[from];
            }
        }
        d.drop_issues_from(to);
    }

private:
    std::map<std::string, std::pair<std::size_t, std::size_t>, std::less<>> runs_{};
    std::vector<std::pair<std::size_t, std::size_t>> dropped_{};
};

/// `entry(key)` gives the place for the value of a key.
template <class Value, class Entry>
void decode_map(Decoder& d, const Entry& entry) {
    if (d.in.peek() != Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    Container container;
    d.in.enter(container);
    PathScope scope(d);
    const std::size_t before = d.issues.size();
    IssuesByKey issues;
    std::string_view key;
    while (d.in.next_key(container, key)) {
        std::pair<std::string_view, Value*> place = entry(std::string(key));
        scope.set_key(place.first);
        const std::size_t first = d.issues.size();
        if (first != before) issues.forget(place.first);
        decode_value(d, *place.second);
        issues.note(place.first, first, d.issues.size());
    }
    issues.finish(d);
}

template <class T>
void decode_entries(Decoder& d, T& out) {
    using Value = typename T::mapped_type;
    out.clear();
    if constexpr (is_ordered_map<T>) {
        decode_map<Value>(d, [&out](std::string key) {
            out.emplace_back(std::move(key), Value{});
            return std::pair<std::string_view, Value*>(out.back().first, &out.back().second);
        });
        drop_repeated_keys(out);
    } else {
        decode_map<Value>(d, [&out](std::string key) {
            auto& entry = *out.insert_or_assign(std::move(key), Value{}).first;
            return std::pair<std::string_view, Value*>(entry.first, &entry.second);
        });
    }
}

/// Arrays of a known number of values. `elements(i)` reads the one at index i.
template <class Elements>
void decode_fixed(Decoder& d, std::size_t count, const Elements& elements) {
    if (d.in.peek() != Token::array) {
        d.refuse("tuple_type", "Input should be a valid array");
        return;
    }
    const void* const where = d.in.where();
    Container container;
    d.in.enter(container);
    std::size_t found = 0;
    {
        PathScope scope(d);
        for (; d.in.next_element(container); ++found) {
            scope.set_index(found);
            if (found < count) {
                elements(found);
            } else {
                d.in.peek();
                d.in.skip();
            }
        }
        for (std::size_t i = found; i < count; ++i) {
            scope.set_index(i);
            d.issue("missing", "Field required", where);
        }
    }
    if (found > count) {
        d.issue("too_long",
                "Tuple should have at most " + std::to_string(count) + (count == 1 ? " item" : " items") +
                    " after validation, not " + std::to_string(found),
                where);
    }
}

template <class T>
void decode_tuple(Decoder& d, T& out) {
    constexpr std::size_t count = std::tuple_size_v<T>;
    decode_fixed(
        d, count, [&]<std::size_t... I>(std::index_sequence<I...>) {
            return [&](std::size_t i) { ((i == I ? decode_value(d, std::get<I>(out)) : void()), ...); };
        }(std::make_index_sequence<count>{}));
}

}  // namespace acta::inline v0::detail
