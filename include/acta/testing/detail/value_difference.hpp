// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"

// Where two JSON values differ. The order of keys makes no difference.
namespace acta::inline ACTA_ABI::testing_detail {

/// nlohmann's `==` compares integers of both kinds as signed ones.
ACTA_INLINE bool same_number(const Json& a, const Json& b) {
    if (a.is_number_unsigned() == b.is_number_unsigned() || a.is_number_float() || b.is_number_float()) return a == b;
    return a.is_number_unsigned() ? std::cmp_equal(base::unsigned_of(a), base::integer_of(b))
                                  : std::cmp_equal(base::integer_of(a), base::unsigned_of(b));
}

ACTA_INLINE bool same_value(const Json& a, const Json& b);

/// Whether each member of `part` is in `whole`, with an equal value.
ACTA_INLINE bool is_part(const Json::object_t& part, const Json::object_t& whole) {
    return std::ranges::all_of(part, [&](const auto& member) {
        const Json* const other = base::find_key(whole, member.first);
        return other != nullptr && same_value(member.second, *other);
    });
}

ACTA_INLINE bool same_members(const Json::object_t& a, const Json::object_t& b) {
    return a.size() == b.size() && is_part(a, b);
}

ACTA_INLINE bool same_value(const Json& a, const Json& b) {
    if (a.is_number() && b.is_number()) return same_number(a, b);
    if (a.type() != b.type()) return false;
    if (a.is_object()) return same_members(base::object_of(a), base::object_of(b));
    if (a.is_array()) return std::ranges::equal(base::array_of(a), base::array_of(b), same_value);
    return a == b;
}

/// A place in which two values differ; null where one of them has nothing.
struct ValueDifference {
    std::string path{};  // a JSON pointer
    const Json* expected = nullptr;
    const Json* found = nullptr;
};

/// Finds where two values differ, in the order of the expected one.
class ValueDifferences {
public:
    explicit ValueDifferences(std::size_t most) : most_(most) {}

    /// Adds the places below `path`, as long as there are not too many.
    void add(const Json* expected, const Json* found, const std::string& path) {
        if (all_.size() >= most_) return;
        if (expected != nullptr && found != nullptr) {
            if (same_value(*expected, *found)) return;
            if (expected->is_object() && found->is_object()) return add_members(*expected, *found, path);
            if (expected->is_array() && found->is_array()) return add_elements(*expected, *found, path);
        }
        all_.push_back({path, expected, found});
    }
    [[nodiscard]] const std::vector<ValueDifference>& all() const noexcept { return all_; }

private:
    void add_members(const Json& expected, const Json& found, const std::string& path) {
        const auto below = [&path](const std::string& key) {
            return path + Issue{.loc = {key}, .type = {}, .message = {}, .input = {}}.pointer();
        };
        for (const auto& [key, value] : base::object_of(expected)) add(&value, base::find_key(found, key), below(key));
        for (const auto& [key, value] : base::object_of(found))
            if (base::find_key(expected, key) == nullptr) add(nullptr, &value, below(key));
    }
    void add_elements(const Json& expected, const Json& found, const std::string& path) {
        for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i)
            add(i < expected.size() ? &expected[i] : nullptr, i < found.size() ? &found[i] : nullptr,
                path + "/" + std::to_string(i));
    }

    std::size_t most_;
    std::vector<ValueDifference> all_{};
};

/// Returns the beginning of a value's JSON, or `nothing`.
[[nodiscard]] ACTA_INLINE std::string excerpt(const Json* value) {
    constexpr std::size_t longest = 100;
    const std::string text = value == nullptr ? "nothing" : dump(*value, {.invalid_utf8 = InvalidUtf8::replace});
    return text.size() <= longest ? text : std::string(utf8::prefix(text, longest)) + "...";
}

}  // namespace acta::inline ACTA_ABI::testing_detail
