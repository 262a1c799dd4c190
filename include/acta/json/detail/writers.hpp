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
#include <utility>
#include <vector>

#include "acta/base/real.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/json/detail/encode.hpp"
#include "acta/json/detail/simd.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// Writes JSON text through a small buffer, so that its target gets large pieces.
class JsonTextWriter final : public JsonWriter {
public:
    JsonTextWriter(TextTarget target, const DumpOptions& options)
        : target_(target),
          indent_(options.indent),
          replace_(options.invalid_utf8 == InvalidUtf8::replace),
          round_trip_(options.round_trip) {}

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
    void raw(std::string_view json) override {
        separate();
        flush();
        written_ += json.size();
        target_.take(target_.context, json.data(), json.size());
    }
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
        const auto size = static_cast<std::size_t>(p_ - buffer_.get());
        written_ += size;
        if (round_trip_ && written_ > ParseOptions{}.max_bytes)
            throw EncodeError("the text is longer than the 512 MiB that are read back", "");
        target_.take(target_.context, buffer_.get(), size);
        p_ = buffer_.get();
    }

private:
    static constexpr std::size_t buffer_size = std::size_t{16} * 1024;

    /// Flushes if fewer than `size` bytes, at most about a kilobyte, are free.
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
        if (round_trip_ && static_cast<std::size_t>(depth_) >= ParseOptions{}.max_depth) throw Refused::depth;
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
    bool round_trip_;
    std::size_t written_ = 0;
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
    if (!std::isfinite(value)) {
        if (round_trip_) throw Refused::number;
        return null();  // as pydantic does
    }
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
        if (!replace_) throw Refused::text;
        return quoted(utf8::replace_invalid(value));
    }
    reserve(6 * Block::size + 2);
    *p_++ = '"';
    if (value.size() <= Block::size) return quoted_short(value);
    for (auto left = static_cast<std::size_t>(end - p); left != 0;) {
        const std::size_t size = left <= escaped_at_once ? left : escaped_at_once - Block::size;  // leaves no tiny rest
        reserve(escaped_capacity(size));
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

// The size of a text before it is written -------------------------------------------------------------

/// The parts of a document, of which all are counted at first and then one in eight.
class Sampling {
public:
    explicit Sampling(std::size_t exact) : exact_(exact) {}

    /// Returns whether to measure the next part.
    bool takes_next() noexcept {
        constexpr std::size_t every = 8;
        const bool takes = turn_ < exact_ || turn_ % every == 0;
        ++turn_;
        skipped_ += takes ? 0 : 1;
        return takes;
    }
    void measured(std::size_t size) noexcept {
        // A part much larger than the rest says nothing about the skipped ones.
        constexpr std::size_t usual = std::size_t{64} * 1024;
        if (size > usual) return;
        sum_ += size;
        ++count_;
    }
    /// Returns the estimated size of the skipped parts, with a little added.
    [[nodiscard]] std::size_t rest() const noexcept {
        const std::size_t rest = count_ == 0 ? 0 : skipped_ * (sum_ / count_ + 1);
        return rest + rest / 16;
    }

private:
    std::size_t exact_;
    std::size_t turn_ = 0;
    std::size_t skipped_ = 0;
    std::size_t sum_ = 0;
    std::size_t count_ = 0;
};

/// Measures the size of the compact text, so that it is written into memory of that size. Small documents are measured
/// completely; in a long list, after the first few hundred elements, only one in eight is: a pass over all of a large
/// document costs a quarter of writing it, since it goes through memory once more.
class Measure final : public JsonWriter, public ElementSample {
public:
    /// Returns the size, exact or nearly so.
    [[nodiscard]] std::size_t size() const noexcept { return size_ + rest_; }

    bool takes_element(std::size_t i, std::size_t count) override {
        if (count < 2 * exact_elements || (sampled_level_ != 0 && sampled_level_ != level_)) return true;
        if (i == 0) {
            sampled_level_ = level_;
            elements_ = Sampling(exact_elements);
        } else {
            close_element();
        }
        in_element_ = elements_.takes_next();
        element_start_ = size_;
        return in_element_;
    }
    void null() override { size_ += 5; }
    void boolean(bool) override { size_ += 6; }
    void integer(std::int64_t value) override {
        unsigned_integer(value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value));
        size_ += value < 0 ? 1 : 0;
    }
    void unsigned_integer(std::uint64_t value) override {
        size_ += 2;
        for (; value > 9; value /= 10) ++size_;
    }
    void real(double value) override {
        char digits[64];
        size_ += std::isfinite(value) ? base::write_real(value, digits, base::json_reals) + 1 : 5;
    }
    void text(std::string_view value) override { size_ += quoted(value) + 1; }
    void json(const Json& value) override {
        walk_json(value, *this, [this](const Json& one) { scalar(one); });
    }
    void raw(std::string_view json) override { size_ += json.size() + 1; }
    void begin_object() override { size_ += 1; }
    void end_object() override { size_ += 2; }
    void begin_array() override {
        size_ += 1;
        ++level_;
    }
    void end_array() override {
        size_ += 2;
        if (level_ == sampled_level_) {
            close_element();
            rest_ += elements_.rest();
            sampled_level_ = 0;
        }
        --level_;
    }
    void key(std::string_view key) override { size_ += quoted(key) + 1; }
    void field(std::string_view key) override { size_ += key.size() + 3; }

private:
    void scalar(const Json& value) {
        switch (value.type()) {
            case Json::value_t::number_integer: return integer(base::integer_of(value));
            case Json::value_t::number_unsigned: return unsigned_integer(base::unsigned_of(value));
            case Json::value_t::number_float: return real(base::real_of(value));
            case Json::value_t::string: return text(base::text_of(value));
            default: size_ += 6;
        }
    }
    static std::size_t quoted(std::string_view value) {
        return 2 + value.size() + count_escapes(value.data(), value.data() + value.size());
    }
    void close_element() noexcept {
        if (in_element_) elements_.measured(size_ - element_start_);
        in_element_ = false;
    }

    static constexpr std::size_t exact_elements = 512;
    std::size_t size_ = 1;
    std::size_t rest_ = 0;
    std::size_t level_ = 0;          // arrays that are open
    std::size_t sampled_level_ = 0;  // of the list whose elements are sampled, or 0
    Sampling elements_{exact_elements};
    bool in_element_ = false;
    std::size_t element_start_ = 0;
};

/// Builds a `Json`. Numbers that are not finite stay as they are. A template, always on `Json`, so that a source that
/// only writes text does not compile it.
template <class AnyJson>
class JsonValueWriter final : public JsonWriter {
public:
    void null() override { put(nullptr); }
    void boolean(bool value) override { put_scalar(value); }
    void integer(std::int64_t value) override { put_scalar(value); }
    void unsigned_integer(std::uint64_t value) override { put_scalar(value); }
    void real(double value) override { put_scalar(value); }
    void text(std::string_view value) override { put(base::text_json(value)); }
    void json(const AnyJson& value) override { put(value); }
    void raw(std::string_view json) override { put(AnyJson::parse(json)); }
    void begin_object() override { open(AnyJson::value_t::object); }
    void end_object() override { close(); }
    void begin_array() override { open(AnyJson::value_t::array); }
    void end_array() override { close(); }
    void key(std::string_view key) override { key_ = key; }
    void field(std::string_view key) override { key_ = key; }

    [[nodiscard]] AnyJson take() { return std::move(root_); }

private:
    struct Open {
        AnyJson value;
        std::string key;  // of this value in the one around it
    };

    template <class Scalar>
    void put_scalar(Scalar value) {
        AnyJson made;
        base::set(made, value);
        put(std::move(made));
    }
    void put(AnyJson value) {
        AnyJson* const around = open_.empty() ? nullptr : &open_.back().value;
        if (around == nullptr)
            root_ = std::move(value);
        else if (around->is_array())
            around->template get_ref<JsonArray&>().push_back(std::move(value));
        else
            base::entries(around->template get_ref<Json::object_t&>()).emplace_back(std::move(key_), std::move(value));
    }
    void open(typename AnyJson::value_t type) { open_.push_back({AnyJson(type), std::move(key_)}); }
    void close() {
        Open done = std::move(open_.back());
        open_.pop_back();
        key_ = std::move(done.key);
        put(std::move(done.value));
    }

    AnyJson root_{};
    std::vector<Open> open_{};
    std::string key_{};
};

}  // namespace acta::inline ACTA_ABI::json_detail
