// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/utf8.hpp"
#include "acta/json/dump.hpp"
#include "acta/view/detail/shown_json.hpp"

namespace acta::inline ACTA_ABI::view_detail {

ACTA_INLINE void ShownJson::write(const Json& value, int frame) {
    left_ = max_bytes_;
    write_value(value, frame, 0);
}

ACTA_INLINE void ShownJson::write(std::string_view text) {
    left_ = max_bytes_;
    write_text(text);
}

ACTA_INLINE void ShownJson::write_value(const Json& value, int frame, int depth) {
    switch (value.type()) {
        case Json::value_t::string: return write_text(value.get_ref<const std::string&>());
        case Json::value_t::array: return write_array(value, frame, depth);
        case Json::value_t::object: return write_object(value, frame, depth);
        case Json::value_t::number_float:
            // JSON has no such numbers, and a run that had one should not look as if it had none.
            if (const double number = value.get<double>(); !std::isfinite(number))
                return write_escaped(std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity");
            break;
        default: break;
    }
    const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    left_ -= std::min(left_, text.size());
    out_ += text;
}

ACTA_INLINE void ShownJson::write_array(const Json& value, int frame, int depth) {
    if (depth == deepest && !value.empty()) return write_cut("what is nested deeper");
    out_ += '[';
    std::size_t done = 0;
    for (const Json& item : value) {
        if (done != 0) out_ += ',';
        if (frame > 0) {
            left_ = max_bytes_;
        } else if (is_full()) {
            write_cut(std::to_string(value.size() - done) + " more items");
            break;
        }
        write_value(item, frame - 1, depth + 1);
        ++done;
    }
    out_ += ']';
}

ACTA_INLINE void ShownJson::write_object(const Json& value, int frame, int depth) {
    if (depth == deepest && !value.empty()) return write_cut("what is nested deeper");
    out_ += '{';
    std::size_t done = 0;
    for (const auto& [key, item] : value.get_ref<const Json::object_t&>()) {
        if (done != 0) out_ += ',';
        if (frame > 0) {
            write_escaped(key);
            left_ = max_bytes_;
        } else if (is_full()) {
            out_ += "\"\\u2026\":";
            write_cut(std::to_string(value.size() - done) + " more members");
            break;
        } else {
            write_text(key);
        }
        out_ += ':';
        write_value(item, frame - 1, depth + 1);
        ++done;
    }
    out_ += '}';
}

ACTA_INLINE void ShownJson::write_text(std::string_view text) {
    std::string redacted;
    if (redactor_) text = redacted = redactor_(text);
    const std::string_view kept = utf8::prefix(text, left_);
    left_ -= std::min(left_, std::max<std::size_t>(text.size(), 1));  // many empty texts also fill a page
    if (kept.size() == text.size()) return write_escaped(text);
    ++cuts_;
    left_ = 0;
    write_escaped(std::string(kept) + "\n[cut: " + std::to_string(text.size() - kept.size()) + " more bytes]");
}

ACTA_INLINE void ShownJson::write_cut(const std::string& what) {
    ++cuts_;
    write_escaped("[cut: " + what + "]");
}

ACTA_INLINE void ShownJson::write_escaped(std::string_view text) {
    const std::string json = dump(std::string(text), {.invalid_utf8 = InvalidUtf8::replace});
    for (const char c : json) {
        if (c == '<')
            out_ += "\\u003c";  // nothing in it ends the script element, or begins a comment
        else if (c == '\x7f')
            out_ += "\\u007f";
        else
            out_ += c;
    }
}

}  // namespace acta::inline ACTA_ABI::view_detail
