// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "acta/base/duration.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/retry.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE JsonObject& JsonObject::operator=(JsonObject other) noexcept {
    this->swap(other);
    return *this;
}

namespace base {

ACTA_INLINE std::string& set_text(Json& out) {
    out = Json(Json::value_t::string);
    return *out.get_ptr<std::string*>();
}

ACTA_INLINE void set(Json& out, bool value) {
    out = Json(Json::value_t::boolean);
    *out.get_ptr<bool*>() = value;
}

ACTA_INLINE void set(Json& out, std::int64_t value) {
    out = Json(Json::value_t::number_integer);
    *out.get_ptr<std::int64_t*>() = value;
}

ACTA_INLINE void set(Json& out, std::uint64_t value) {
    out = Json(Json::value_t::number_unsigned);
    *out.get_ptr<std::uint64_t*>() = value;
}

ACTA_INLINE void set(Json& out, double value) {
    out = Json(Json::value_t::number_float);
    *out.get_ptr<double*>() = value;
}

ACTA_INLINE Json text_json(std::string_view text) {
    Json out;
    set_text(out) = text;
    return out;
}

ACTA_INLINE void clean(std::string& text) {
    if (!utf8::is_valid(text)) text = utf8::replace_invalid(text);
}

ACTA_INLINE void clean_keys(Json::object_t& object) {
    bool good = true;
    for (const auto& [key, value] : object) good = good && utf8::is_valid(key);
    if (good) return;
    Json::object_t out;
    for (auto& [key, value] : object) entries(out).emplace_back(utf8::replace_invalid(key), std::move(value));
    drop_repeated_keys(out);
    object = std::move(out);
}

ACTA_INLINE void clean(Json& root) {
    std::vector<Json*> open{&root};
    while (!open.empty()) {
        Json& value = *open.back();
        open.pop_back();
        if (value.is_string()) {
            clean(value.get_ref<std::string&>());
        } else if (value.is_object()) {
            clean_keys(value.get_ref<Json::object_t&>());
            for (auto& [key, child] : value.get_ref<Json::object_t&>()) open.push_back(&child);
        } else if (value.is_array()) {
            for (Json& child : value) open.push_back(&child);
        }
    }
}

ACTA_INLINE bool is_deeper(const Json& value, std::size_t levels) {
    if (!value.is_structured()) return false;
    return levels == 0 || std::any_of(value.begin(), value.end(),
                                      [levels](const Json& inner) { return is_deeper(inner, levels - 1); });
}

ACTA_INLINE const Json* find_key(const Json::object_t& object, std::string_view key) noexcept {
    for (const auto& entry : object) {
        if (entry.first == key) return &entry.second;
    }
    return nullptr;
}
ACTA_INLINE const Json* find_key(const Json& value, std::string_view key) noexcept {
    const auto* const object = value.get_ptr<const Json::object_t*>();
    return object == nullptr ? nullptr : find_key(*object, key);
}
ACTA_INLINE Json* find_key(Json& value, std::string_view key) noexcept {
    return const_cast<Json*>(find_key(std::as_const(value), key));
}
ACTA_INLINE const Json* find_path(const Json& value, std::string_view path) noexcept {
    const std::size_t slash = path.find('/');
    const Json* const found = find_key(value, path.substr(0, slash));
    if (found == nullptr || slash == std::string_view::npos) return found;
    return find_path(*found, path.substr(slash + 1));
}
ACTA_INLINE std::string text_member(const Json::object_t& object, std::string_view key) {
    const Json* const found = find_key(object, key);
    return found != nullptr && found->is_string() ? text_of(*found) : std::string();
}
ACTA_INLINE std::string text_member(const Json& value, std::string_view key) {
    const Json* const found = find_key(value, key);
    return found != nullptr && found->is_string() ? text_of(*found) : std::string();
}

ACTA_INLINE std::optional<std::int64_t> whole_number(const Json& value) {
    if (value.is_string()) {
        std::int64_t out = 0;
        const std::string& text = text_of(value);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
        return error == std::errc() && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
    }
    if (value.is_number_unsigned() && unsigned_of(value) > std::numeric_limits<std::int64_t>::max())
        return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    constexpr double most = 9007199254740992.0;  // 2 to the power of 53: the whole numbers of a double
    const double number = real_of(value);
    if (!(number >= -most && number <= most)) return std::nullopt;
    const auto out = static_cast<std::int64_t>(number);
    return static_cast<double>(out) == number ? std::optional(out) : std::nullopt;
}

ACTA_INLINE bool equal(const Json& a, const Json& b) {
    const auto* const text = a.get_ptr<const std::string*>();
    const auto* const other = b.get_ptr<const std::string*>();
    return text != nullptr && other != nullptr ? *text == *other : a == b;
}

ACTA_INLINE bool equal(const Json::object_t& a, const Json::object_t& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
        return one.first == other.first && equal(one.second, other.second);
    });
}

ACTA_INLINE void assign(Json& object, std::string_view key, Json value) {
    auto& entries = object.get_ref<Json::object_t&>();
    for (auto& entry : entries) {
        if (entry.first == key) {
            entry.second = std::move(value);
            return;
        }
    }
    put(entries, key, std::move(value));
}

ACTA_INLINE RetryClock& retry_clock() noexcept {
    static RetryClock clock;
    return clock;
}

ACTA_INLINE std::chrono::steady_clock::time_point retry_now() {
    return retry_clock().now ? retry_clock().now() : std::chrono::steady_clock::now();
}

// Different at each call and in each process: SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
ACTA_INLINE double jitter() {
    if (retry_clock().jitter) return retry_clock().jitter();
    static std::atomic<std::uint64_t> state{
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())};
    std::uint64_t z = state.fetch_add(0x9E3779B97F4A7C15U, std::memory_order_relaxed);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

ACTA_INLINE void retry_wait(std::chrono::nanoseconds time, const stop_token& stop) {
    if (retry_clock().wait) return retry_clock().wait(time, stop);
    std::mutex mutex;
    condition_variable_any condition;
    std::unique_lock lock(mutex);
    wait_until(condition, lock, stop, deadline_in(time), [] { return false; });
}

/// Returns this part, at most a half, of a time.
[[nodiscard]] inline std::chrono::nanoseconds part_of(std::chrono::nanoseconds time, double part) noexcept {
    return std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(time.count()) * part));
}

ACTA_INLINE std::chrono::nanoseconds back_off(const RetryOptions& options, int repetition) {
    using std::chrono::nanoseconds;
    const auto longest = std::max(saturated_cast<nanoseconds>(options.max_delay), nanoseconds(0));
    auto delay = std::max(saturated_cast<nanoseconds>(options.first_delay), nanoseconds(0));
    for (int i = 1; i < repetition && delay.count() > 0 && delay < longest; ++i) delay = saturated_sum(delay, delay);
    delay = std::min(delay, longest);
    return delay - part_of(delay, 0.5 * (1 - jitter()));
}

ACTA_INLINE std::optional<std::chrono::nanoseconds> retry_delay(const RetryOptions& options, int attempt,
                                                                std::optional<std::chrono::milliseconds> retry_after) {
    if (attempt >= options.max_attempts) return std::nullopt;
    const std::chrono::nanoseconds own = back_off(options, attempt);
    if (!retry_after) return own;
    if (*retry_after > options.max_retry_after) return std::nullopt;
    const auto asked = saturated_cast<std::chrono::nanoseconds>(*retry_after);
    return std::max(own, saturated_sum(asked, part_of(std::min(own, asked), 0.5 * jitter())));
}

/// Only the first bytes of longer names are compared, so that a hostile name costs no more than a long one.
inline constexpr std::size_t max_compared_bytes = 64;

/// Returns a name without the differences that are most often mistakes: case, and the marks between words.
[[nodiscard]] inline std::string plain_name(std::string_view name) {
    std::string out;
    for (const char c : name.substr(0, max_compared_bytes)) {
        if (c == '_' || c == '-' || c == '.' || c == ' ' || c == '/' || c == ':') continue;
        out += ascii::to_lower(c);
    }
    return out;
}

/// Returns the Damerau-Levenshtein distance (optimal string alignment) of two names.
[[nodiscard]] inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(before_last, last);
        std::swap(last, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

/// Returns the distance of a name from one that may have been meant: 0 for the same word, the largest number for an
/// unrelated one.
[[nodiscard]] inline std::size_t name_distance(std::string_view wanted, std::string_view known) {
    constexpr std::size_t unrelated = std::numeric_limits<std::size_t>::max();
    const std::size_t length = std::max(wanted.size(), known.size());
    const std::size_t difference = length - std::min(wanted.size(), known.size());
    const std::size_t allowed = std::max<std::size_t>(1, length / 3);
    if (difference <= allowed) {
        const std::size_t distance = edit_distance(wanted, known);
        if (distance <= allowed && distance < length) return distance;
    }
    // `functions.search` or `search_web` for `search`: one begins or ends with the other.
    const std::string_view shorter = wanted.size() < known.size() ? wanted : known;
    const std::string_view longer = wanted.size() < known.size() ? known : wanted;
    constexpr std::size_t shortest_part = 3;
    const bool part = shorter.size() >= shortest_part && (longer.starts_with(shorter) || longer.ends_with(shorter));
    return part ? length : unrelated;
}

ACTA_INLINE std::string base64(std::string_view bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = i; k < i + 3; ++k)
            bits = bits << 8U | (k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0U);
        for (unsigned k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : letters[bits >> (18U - 6U * k) & 0x3FU];
    }
    return out;
}

ACTA_INLINE bool append_base64(std::string_view text, std::string& out) {
    const auto value = [](char c) -> std::uint32_t {
        if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
        if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a') + 26;
        if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 52;
        return c == '+' ? 62U : c == '/' ? 63U : 64U;
    };
    if (text.empty() || text.size() % 4 != 0) return false;
    std::size_t padding = 0;
    while (padding < 2 && text[text.size() - 1 - padding] == '=') ++padding;
    for (std::size_t i = 0; i < text.size(); i += 4) {
        const std::size_t digits = i + 4 == text.size() ? 4 - padding : 4;
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < digits; ++k) {
            const std::uint32_t v = value(text[i + k]);
            if (v > 63) return false;
            bits |= v << (18 - 6 * k);
        }
        if (digits == 2 && (bits & 0xFFFFU) != 0) return false;
        if (digits == 3 && (bits & 0xFFU) != 0) return false;
        for (std::size_t k = 0; k + 1 < digits; ++k)
            out += static_cast<char>(static_cast<unsigned char>(bits >> (16 - 8 * k)));
    }
    return true;
}

ACTA_INLINE void sort_indices(std::vector<std::size_t>& order, const void* context,
                              bool (*less)(const void* context, std::size_t a, std::size_t b)) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [=](std::size_t a, std::size_t b) { return less(context, a, b); });
}

ACTA_INLINE std::vector<std::string> closest_names(std::string_view wanted, const std::vector<std::string>& names,
                                                   std::size_t limit) {
    const std::string plain = plain_name(wanted);
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const std::string& name : names) {
        const std::size_t distance = name_distance(plain, plain_name(name));
        if (distance != std::numeric_limits<std::size_t>::max()) found.emplace_back(distance, name);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> out;
    for (std::size_t i = 0; i < found.size() && i < limit; ++i) out.push_back(std::move(found[i].second));
    return out;
}

ACTA_INLINE std::string did_you_mean(const std::vector<std::string>& names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        out += i == 0 ? "; did you mean " : i + 1 == names.size() ? " or " : ", ";
        out.append("'").append(names[i]).append("'");
    }
    return out.empty() ? out : out + "?";
}

}  // namespace base
}  // namespace acta::inline ACTA_ABI
