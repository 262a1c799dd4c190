// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace acta::inline ACTA_ABI
