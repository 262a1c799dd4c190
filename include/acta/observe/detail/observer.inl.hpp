// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "acta/base/utf8.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

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

ACTA_INLINE std::int64_t Observer::nanoseconds() const noexcept {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

ACTA_INLINE void Observer::notify_of_parse(const ParseReport& report) noexcept {
    try {
        Event event{report.failed ? EventLevel::error : EventLevel::info,
                    event_names::parse,
                    std::chrono::nanoseconds(report.nanoseconds),
                    report.failed,
                    {}};
        event.fields.emplace_back("type", report.type);
        if (report.bytes) event.fields.emplace_back("bytes", *report.bytes);
        if (report.issues != 0) {
            event.fields.emplace_back("issues", report.issues);
            event.fields.emplace_back("error", report.error);
        }
        notify(std::move(event));
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

}  // namespace acta::inline ACTA_ABI
