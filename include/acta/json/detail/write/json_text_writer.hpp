// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/real.hpp"
#include "acta/base/utf8.hpp"
#include "acta/json/detail/simd/escape_simd.hpp"
#include "acta/json/detail/simd/utf8_simd.hpp"
#include "acta/json/detail/write/json_writer.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// Takes pieces of the finished text.
struct TextTarget {
    void (*take)(void* context, const char* data, std::size_t size);
    void* context;
};

/// Writes JSON text through a small buffer, so that its target gets large pieces.
class JsonTextWriter final : public JsonWriter {
public:
    JsonTextWriter(TextTarget target, const DumpOptions& options)
        : target_(target), indent_(options.indent), replace_(options.invalid_utf8 == InvalidUtf8::replace) {}

    void null() override { word("null"); }
    void boolean(bool value) override { word(value ? std::string_view("true") : std::string_view("false")); }
    void integer(std::int64_t value) override { number(value); }
    void unsigned_integer(std::uint64_t value) override { number(value); }
    inline void real(double value) override;
    void text(std::string_view value) override {
        separate();
        quoted(value);
    }
    inline void json(const Json& value) override;
    void begin_object() override { open('{'); }
    void end_object() override { close('}'); }
    void begin_array() override { open('['); }
    void end_array() override { close(']'); }
    void key(std::string_view key) override {
        separate();
        quoted(key);
        after_key();
    }
    void field(std::string_view key) override {
        separate();
        reserve(key.size() + 2);
        *p_++ = '"';
        std::memcpy(p_, key.data(), key.size());
        p_ += key.size();
        *p_++ = '"';
        after_key();
    }
    /// Hands over the rest.
    void flush() {
        target_.take(target_.context, buffer_.get(), static_cast<std::size_t>(p_ - buffer_.get()));
        p_ = buffer_.get();
    }

private:
    static constexpr std::size_t buffer_size = std::size_t{16} * 1024;

    /// Makes room for `size` bytes, at most a kilobyte or so.
    void reserve(std::size_t size) {
        if (static_cast<std::size_t>(limit_ - p_) < size) flush();
    }
    void separate() {
        if (!first_) {
            reserve(1);
            *p_++ = ',';
        }
        if (indent_ > 0 && depth_ > 0 && !after_key_) new_line();
        first_ = false;
        after_key_ = false;
    }
    void after_key() {
        reserve(2);
        *p_++ = ':';
        if (indent_ > 0) *p_++ = ' ';
        first_ = true;
        after_key_ = true;
    }
    void new_line();
    void open(char bracket) {
        separate();
        reserve(1);
        *p_++ = bracket;
        ++depth_;
        first_ = true;
    }
    void close(char bracket) {
        --depth_;
        if (indent_ > 0 && !first_) new_line();
        reserve(1);
        *p_++ = bracket;
        first_ = false;
    }
    void word(std::string_view text) {
        separate();
        reserve(text.size());
        std::memcpy(p_, text.data(), text.size());
        p_ += text.size();
    }
    template <class Integer>
    void number(Integer value) {
        constexpr std::size_t longest = 20;
        separate();
        reserve(longest);
        p_ = std::to_chars(p_, p_ + longest, value).ptr;
    }
    void scalar(const Json& value);
    void quoted(std::string_view value);
    void quoted_short(std::string_view value);

    TextTarget target_;
    std::unique_ptr<char[]> buffer_{new char[buffer_size]};  // make_unique would fill it
    char* p_ = buffer_.get();
    char* limit_ = buffer_.get() + buffer_size;
    int indent_;
    bool replace_;
    bool first_ = true;
    bool after_key_ = false;
    int depth_ = 0;
};

inline void JsonTextWriter::new_line() {
    reserve(1);
    *p_++ = '\n';
    for (int i = 0; i < depth_ * indent_; ++i) {
        reserve(1);
        *p_++ = ' ';
    }
}

inline void JsonTextWriter::real(double value) {
    if (!std::isfinite(value)) return null();  // as pydantic does
    separate();
    reserve(64);
    p_ += base::write_real(value, p_, base::json_reals);
}

/// Writes a text of at most a block, and the quote after it: most keys and many values are that short.
inline void JsonTextWriter::quoted_short(std::string_view value) {
    char rest[Block::size] = {};
    if (!value.empty()) std::memcpy(rest, value.data(), value.size());
    const Block block(rest);
    const std::size_t good = first_of(block.stops());
    if (good >= value.size()) {
        block.store(p_);
        p_ += value.size();
    } else {
        p_ = write_escaped_bytes(value.data(), value.size(), p_);
    }
    *p_++ = '"';
}

inline void JsonTextWriter::quoted(std::string_view value) {
    const char* p = value.data();
    const char* const end = p + value.size();
    if (!is_utf8(p, end)) {
        if (!replace_) throw InvalidText{};
        return quoted(utf8::replace_invalid(value));
    }
    reserve(6 * Block::size + 2);
    *p_++ = '"';
    if (value.size() <= Block::size) return quoted_short(value);
    for (auto left = static_cast<std::size_t>(end - p); left != 0;) {
        const std::size_t size = left <= escaped_at_once ? left : escaped_at_once - Block::size;  // leaves no tiny rest
        reserve(room_for_escaped(size));
        p_ = write_escaped(p, size, p_);
        p += size;
        left -= size;
    }
    reserve(1);
    *p_++ = '"';
}

inline void JsonTextWriter::scalar(const Json& value) {
    switch (value.type()) {
        case Json::value_t::boolean: return boolean(base::boolean_of(value));
        case Json::value_t::number_integer: return integer(base::integer_of(value));
        case Json::value_t::number_unsigned: return unsigned_integer(base::unsigned_of(value));
        case Json::value_t::number_float: return real(base::real_of(value));
        case Json::value_t::string: return text(base::text_of(value));
        default: return null();
    }
}

/// Calls the sink for every part of `value`, without recursion.
template <class Scalar, class Target>
void walk_json(const Json& value, Target& sink, const Scalar& scalar) {
    if (!value.is_structured()) return scalar(value);
    std::vector<base::JsonFrame> stack;
    const auto enter = [&](const Json& child) {
        if (child.is_array())
            sink.begin_array();
        else
            sink.begin_object();
        stack.push_back({&child, 0});
    };
    enter(value);
    while (!stack.empty()) {
        base::JsonFrame& frame = stack.back();
        const Json& container = *frame.value;
        const Json* child = nullptr;
        if (container.is_array()) {
            const auto& array = base::array_of(container);
            if (frame.next != array.size()) child = &array[frame.next++];
        } else {
            const auto& all = base::entries(base::object_of(container));
            if (frame.next != all.size()) {
                sink.key(all[frame.next].first);
                child = &all[frame.next++].second;
            }
        }
        if (child == nullptr) {
            if (container.is_array())
                sink.end_array();
            else
                sink.end_object();
            stack.pop_back();
        } else if (child->is_structured()) {
            enter(*child);
        } else {
            scalar(*child);
        }
    }
}

inline void JsonTextWriter::json(const Json& value) {
    walk_json(value, *this, [this](const Json& one) { scalar(one); });
}

}  // namespace acta::inline ACTA_ABI::json_detail
