// SPDX-License-Identifier: MIT
#pragma once

#include "acta/base/entries.hpp"
#include "acta/json/detail/read/json_text_reader.hpp"

// Whole JSON values from a text, without recursion: the values of `any` fields, and skipped ones.
namespace acta::inline ACTA_ABI::json_detail {

inline void put_number(const Number& number, Json& out) {
    switch (number.kind) {
        case Number::Kind::integer:
            // As nlohmann's own parser distinguishes them.
            if (number.integer < 0)
                base::set(out, number.integer);
            else
                base::set(out, static_cast<std::uint64_t>(number.integer));
            break;
        case Number::Kind::unsigned_integer: base::set(out, number.unsigned_integer); break;
        case Number::Kind::real: base::set(out, number.real); break;
        default: out = nullptr; break;
    }
}

inline void JsonTextReader::read_scalar(Token token, Json& out, ValueFaults& faults) {
    switch (token) {
        case Token::string: read_text_into(base::set_text(out)); break;
        case Token::number: {
            const Number number = read_number();
            put_number(number, out);
            if (number.kind >= Number::Kind::integer_too_large && !faults.full())
                faults.add(inner_loc(0), number.kind, where_);
            break;
        }
        case Token::boolean: base::set(out, read_boolean()); break;
        default:
            read_null();
            out = nullptr;
            break;
    }
}

/// Returns the path from the outermost open container to the value being read.
[[gnu::cold]] inline std::vector<LocElement> JsonTextReader::inner_loc(std::size_t first_frame) const {
    std::vector<LocElement> loc;
    for (std::size_t i = first_frame; i < frames_.size(); ++i) {
        const Frame& frame = frames_[i];
        const std::size_t values_end = i + 1 < frames_.size() ? frames_[i + 1].values : values_.size();
        if (frame.object) {
            const std::size_t keys_end = i + 1 < frames_.size() ? frames_[i + 1].keys : keys_.size();
            loc.push_back(LocElement(keys_[keys_end - 1]));
        } else {
            // A scalar already has its place in values_, an open container has none yet.
            const bool innermost = i + 1 == frames_.size();
            loc.push_back(LocElement(values_end - frame.values - (innermost ? 1 : 0)));
        }
    }
    return loc;
}

inline Json JsonTextReader::close_container(const Frame& frame) {
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(frame.values);
    Json out;
    if (frame.object) {
        out = base::new_object();
        auto& object = *out.get_ptr<Json::object_t*>();
        object.reserve(values_.size() - frame.values);
        auto key = keys_.begin() + static_cast<std::ptrdiff_t>(frame.keys);
        for (auto value = first; value != values_.end(); ++value, ++key) {
            object.emplace_back(std::move(*key), std::move(*value));
        }
        base::drop_repeated_keys(object);
        truncate(keys_, frame.keys);
    } else {
        out = Json(Json::value_t::array);
        auto& array = *out.get_ptr<JsonArray*>();
        array.reserve(values_.size() - frame.values);
        for (auto value = first; value != values_.end(); ++value) array.push_back(std::move(*value));
    }
    truncate(values_, frame.values);
    return out;
}

inline void JsonTextReader::read_json(Json& out, ValueFaults& faults) {
    Token token = peek();
    if (token != Token::array && token != Token::object) return read_scalar(token, out, faults);
    for (;;) {
        if (token == Token::array || token == Token::object) {
            open();
            frames_.push_back({token == Token::object, true, values_.size(), keys_.size()});
        } else {
            values_.push_back(Json());
            read_scalar(token, values_.back(), faults);
        }
        for (;;) {
            Frame& frame = frames_.back();
            std::string_view key;
            const bool more = frame.object ? step_key(frame.first, key) : step_element(frame.first);
            if (more) {
                if (frame.object) keys_.emplace_back(key);
                break;
            }
            Json done = close_container(frame);
            frames_.pop_back();
            if (frames_.empty()) {
                out = std::move(done);
                return;
            }
            values_.push_back(std::move(done));
        }
        token = peek();
    }
}

/// Skips the next value, checking it as if it were kept.
inline void JsonTextReader::skip() {
    const std::size_t base = open_.size();
    Token token = peek();
    bool first = true;
    for (;;) {
        switch (token) {
            case Token::array:
            case Token::object:
                open();
                open_.push_back(token == Token::object ? '{' : '[');
                first = true;
                break;
            case Token::string: skip_text(); break;
            case Token::number: {
                bool real = false;
                p_ = scan_number(p_, real);
                break;
            }
            case Token::boolean: read_boolean(); break;
            default: read_null(); break;
        }
        for (;;) {
            if (open_.size() == base) return;
            std::string_view key;
            if (open_.back() == '{' ? step_key(first, key) : step_element(first)) break;
            open_.pop_back();
            first = false;
        }
        token = peek();
    }
}

}  // namespace acta::inline ACTA_ABI::json_detail
