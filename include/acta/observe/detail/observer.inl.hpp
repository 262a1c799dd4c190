// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/base/unicode.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

namespace observe_detail {

/// Returns whether a key may have this character.
[[nodiscard]] ACTA_INLINE bool is_secret_letter(char c) noexcept {
    return ascii::is_alnum(c) || std::string_view("_-.+/~").find(c) != std::string_view::npos;
}

/// Returns whether a word looks like a key of a well-known service.
[[nodiscard]] ACTA_INLINE bool has_form_of_key(std::string_view word) noexcept {
    constexpr std::size_t shortest = 16;
    constexpr std::array<std::string_view, 13> beginnings = {
        "sk-", "pk-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "hf_", "AKIA", "AIza", "eyJ"};
    if (word.size() < shortest || word.find_first_of("0123456789") == std::string_view::npos) return false;
    for (const std::string_view beginning : beginnings) {
        if (word.starts_with(beginning)) return true;
    }
    return false;
}

/// The same for a path, any part of which may be a key.
[[nodiscard]] ACTA_INLINE bool has_key_in_path(std::string_view word) noexcept {
    for (;;) {
        const std::size_t slash = word.find('/');
        if (has_form_of_key(word.substr(0, slash))) return true;
        if (slash == std::string_view::npos) return false;
        word.remove_prefix(slash + 1);
    }
}

/// Returns whether the text after the word `before` and the characters `between` is a secret, judging by that name.
[[nodiscard]] ACTA_INLINE bool announces_key(std::string_view before, std::string_view between) {
    constexpr std::array<std::string_view, 8> names = {"api_key",    "api-key", "apikey",   "access_token",
                                                       "auth_token", "secret",  "password", "authorization"};
    constexpr std::size_t longest_name = 64;
    if (before.size() > longest_name || between.size() > 8) return false;
    if (ascii::equals_ignoring_case(before, "bearer")) return between.find_first_not_of(' ') == std::string_view::npos;
    const bool assigned = between.find_first_of(":=") != std::string_view::npos &&
                          between.find_first_not_of(":= \"'\\") == std::string_view::npos;
    if (!assigned) return false;
    for (const std::string_view one : names) {
        if (before.size() >= one.size() &&
            ascii::equals_ignoring_case(before.substr(before.size() - one.size()), one)) {
            return true;
        }
    }
    return false;
}

}  // namespace observe_detail

ACTA_INLINE std::string mask_secrets(std::string_view text) {
    std::string out;
    std::string_view before;
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t gap = i;
        while (i < text.size() && !observe_detail::is_secret_letter(text[i])) ++i;
        const std::string_view between = text.substr(gap, i - gap);
        out += between;
        const std::size_t start = i;
        while (i < text.size() && observe_detail::is_secret_letter(text[i])) ++i;
        const std::string_view word = text.substr(start, i - start);
        if (word.empty()) break;
        const bool scheme = ascii::equals_ignoring_case(word, "bearer");
        const bool secret =
            observe_detail::has_key_in_path(word) || (!scheme && observe_detail::announces_key(before, between));
        out += secret ? std::string_view("[secret]") : word;
        before = word;
    }
    return out;
}

ACTA_INLINE void Observer::notify(Event event) noexcept {
    try {
        for (EventField& field : event.fields) {
            if (auto* const text = std::get_if<std::string>(&field.value)) *text = shown(*text);
        }
        on_event(event);
    } catch (...) {
        return;
    }
}

ACTA_INLINE std::string Observer::shown(const std::string& text) const {
    std::string out = mask_secrets(redactor_ ? redactor_(text) : text);
    if (out.size() <= max_text_bytes) return out;
    out.resize(utf8::prefix(out, max_text_bytes).size());
    return out + "...";
}

ACTA_INLINE EventValue EventField::copy_of(const EventValue& value) {
    const auto* const text = std::get_if<std::string>(&value);
    return text != nullptr ? EventValue(std::string(*text)) : value;
}

ACTA_INLINE const EventValue* Event::find(std::string_view field) const noexcept {
    for (const EventField& one : fields) {
        if (one.name == field) return &one.value;
    }
    return nullptr;
}

ACTA_INLINE void ScopedEvent::add(std::initializer_list<EventField> fields) noexcept {
    try {
        for (const EventField& field : fields) event_.fields.push_back(field);
    } catch (...) {
        return;
    }
}

ACTA_INLINE void ScopedEvent::fail(std::string_view error) noexcept {
    event_.failed = true;
    try {
        event_.fields.emplace_back("error", error);
    } catch (...) {
        return;
    }
}

ACTA_INLINE void ScopedEvent::begin(std::string_view name, EventLevel level) {
    event_.name = name;
    event_.level = level;
    exceptions_ = std::uncaught_exceptions();
    start_ = std::chrono::steady_clock::now();
}

ACTA_INLINE void ScopedEvent::end() noexcept {
    event_.duration = std::chrono::steady_clock::now() - start_;
    event_.failed = event_.failed || std::uncaught_exceptions() > exceptions_;
    if (event_.failed) event_.level = EventLevel::error;
    observer_->notify(std::move(event_));
}

ACTA_INLINE void CountingObserver::on_event(const Event& event) {
    const std::lock_guard lock(mutex_);
    auto found = totals_.find(event.name);
    if (found == totals_.end()) found = totals_.emplace(std::string(event.name), EventTotals{}).first;
    EventTotals& total = found->second;
    ++total.count;
    total.failures += event.failed ? 1U : 0U;
    total.time += event.duration;
    total.longest = std::max(total.longest, event.duration);
    const EventValue* const length = event.find("length");
    if (length != nullptr && std::holds_alternative<std::int64_t>(*length)) length_ = std::get<std::int64_t>(*length);
}

ACTA_INLINE EventTotals CountingObserver::totals(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    const auto found = totals_.find(name);
    return found == totals_.end() ? EventTotals{} : found->second;
}

ACTA_INLINE std::map<std::string, EventTotals, std::less<>> CountingObserver::all() const {
    const std::lock_guard lock(mutex_);
    return totals_;
}

ACTA_INLINE std::optional<std::int64_t> CountingObserver::history_length() const {
    const std::lock_guard lock(mutex_);
    return length_;
}

ACTA_INLINE void CountingObserver::reset() {
    const std::lock_guard lock(mutex_);
    totals_.clear();
    length_.reset();
}

}  // namespace acta::inline ACTA_ABI
