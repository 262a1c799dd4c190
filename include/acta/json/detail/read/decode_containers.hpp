// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "acta/base/entries.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/detail/read/decoder.hpp"

// Reading lists, maps and tuples.
namespace acta::inline ACTA_ABI::json_detail {

template <class T>
void decode_value(Decoder& d, T& out);

/// Grows a full list to the size that it probably needs in total, but at most to twice its size.
template <class T>
[[gnu::cold]] void make_room(Decoder& d, const Container& container, T& out) {
    constexpr std::size_t few = 16;
    const std::size_t size = out.size();
    std::size_t room = std::max<std::size_t>(2 * size, 1);
    if (size >= few) room = std::clamp(d.in.expected_elements(container, size), size + size / 8, room);
    out.reserve(room);
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
#if defined(__GNUC__)
            if (out.size() == out.capacity()) __builtin_unreachable();  // so that growing is compiled only once
#endif
            decode_value(d, out.emplace_back());
        }
    }
}

/// Maps issues to the values of a map, so that the last value of a repeated key replaces the issues of the first one
/// with its own, as the map replaces the value. A template, so that a source without maps does not compile it.
template <class Key>
class IssuesByKey {
public:
    /// Notes that the value of the key that was read as number `key` has the issues from `first` to `end`.
    void note(std::size_t key, std::size_t first, std::size_t end) {
        if (first != end) runs_.push_back({key, first, end});
    }
    [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
    /// Needs all keys as they were read, and sorts them.
    [[gnu::cold]] void finish(Decoder& d, const std::vector<Key>& keys) {
        const std::vector<Place> places = places_of(keys);
        std::vector<Run> kept;
        bool moved = false;
        for (const Run& run : runs_) {
            const Place& place = places[run.key];
            if (place.last == run.key) kept.push_back({place.first, run.first, run.end});
            moved = moved || place.last != run.key || place.first != run.key;
        }
        if (!moved) return;
        std::vector<std::size_t> order(kept.size());
        base::sort_indices(order, &kept, [](const void* runs, std::size_t x, std::size_t y) {
            const auto& all = *static_cast<const std::vector<Run>*>(runs);
            return all[x].key < all[y].key;
        });
        std::vector<Issue> issues;
        std::vector<const void*> where;
        for (const std::size_t one : order) {
            for (std::size_t i = kept[one].first; i < kept[one].end; ++i) {
                issues.push_back(std::move(d.issues[i]));
                where.push_back(d.places[i]);
            }
        }
        d.drop_issues_from(runs_.front().first);
        for (Issue& issue : issues) d.issues.push_back(std::move(issue));
        for (const void* const place : where) d.places.push_back(place);
    }

private:
    struct Run {
        std::size_t key;
        std::size_t first;
        std::size_t end;
    };
    /// The numbers under which a key was read first and last.
    struct Place {
        std::size_t first;
        std::size_t last;
    };
    [[gnu::cold]] static std::vector<Place> places_of(const std::vector<Key>& keys) {
        std::vector<std::size_t> order(keys.size());
        base::sort_indices(order, &keys, [](const void* context, std::size_t x, std::size_t y) {
            const auto& all = *static_cast<const std::vector<Key>*>(context);
            const int difference = all[x].compare(all[y]);
            return difference != 0 ? difference < 0 : x < y;
        });
        std::vector<Place> places(keys.size());
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() && keys[order[end]] == keys[order[begin]]) ++end;
            for (std::size_t i = begin; i < end; ++i) places[order[i]] = {order[begin], order[end - 1]};
            begin = end;
        }
        return places;
    }
    std::vector<Run> runs_{};
};

/// `entry(key)` returns the place for the value of a key; `keys()` all keys read, in their order.
template <class Value, class Entry, class Keys>
void decode_map(Decoder& d, const Entry& entry, const Keys& keys) {
    if (d.in.peek() != Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    Container container;
    d.in.enter(container);
    PathScope scope(d);
    IssuesByKey<std::string_view> issues;
    std::string_view key;
    for (std::size_t number = 0; d.in.next_key(container, key); ++number) {
        const std::pair<std::string_view, Value*> place = entry(std::string(key));
        scope.set_key(place.first);
        const std::size_t first = d.issues.size();
        decode_value(d, *place.second);
        issues.note(number, first, d.issues.size());
    }
    if (!issues.empty()) issues.finish(d, keys());
}

template <class T>
void decode_entries(Decoder& d, T& out) {
    using Value = typename T::mapped_type;
    out.clear();
    std::vector<std::string_view> keys;
    if constexpr (introspection::is_ordered_map<T>) {
        decode_map<Value>(
            d,
            [&out](std::string key) {
                out.emplace_back(std::move(key), Value{});
                return std::pair<std::string_view, Value*>(out.back().first, &out.back().second);
            },
            [&out, &keys]() -> const auto& {
                for (const auto& [key, value] : base::entries(out)) keys.push_back(key);
                return keys;
            });
        base::drop_repeated_keys(out);
    } else {
        decode_map<Value>(
            d,
            [&out, &keys](std::string key) {
                auto& entry = *out.insert_or_assign(std::move(key), Value{}).first;
                keys.push_back(entry.first);
                return std::pair<std::string_view, Value*>(entry.first, &entry.second);
            },
            [&keys]() -> const auto& { return keys; });
    }
}

/// Reads an array of a known number of values. `elements(i)` reads the one at index i.
template <class Elements>
void decode_fixed(Decoder& d, std::size_t count, const Elements& elements) {
    if (d.in.peek() != Token::array) {
        d.refuse("tuple_type", "Input should be a valid array");
        return;
    }
    const void* const where = d.in.where();
    const std::size_t before = d.issues.size();
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
        d.drop_issues_from(before);  // as pydantic, which then ignores the elements
        d.issue("too_long",
                base::concat({"Tuple should have at most ", std::to_string(count), count == 1 ? " item" : " items",
                              " after validation, not ", std::to_string(found)}),
                where);
    }
}

template <class T>
void decode_tuple(Decoder& d, T& out) {
    constexpr std::size_t count = std::tuple_size_v<T>;
    decode_fixed(d, count, [&]<std::size_t... I>(std::index_sequence<I...>) {
        return [&](std::size_t i) { ((i == I ? decode_value(d, std::get<I>(out)) : void()), ...); };
    }(std::make_index_sequence<count>{}));
}

}  // namespace acta::inline ACTA_ABI::json_detail
