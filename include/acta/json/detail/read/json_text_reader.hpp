// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/entries.hpp"
#include "acta/base/utf8.hpp"
#include "acta/json/detail/read/json_reader.hpp"
#include "acta/json/detail/simd/scan.hpp"
#include "acta/json/detail/simd/utf8_simd.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// Reads JSON (RFC 8259) from a text that stays alive and unchanged while it is read.
// Virtual functions are already declared inline here: otherwise the first is the key function, and g++ compiles the
// whole class in every source that sees it.
class JsonTextReader final : public JsonReader {
public:
    JsonTextReader(std::string_view text, std::size_t max_depth)
        : begin_(text.data()), p_(begin_), end_(begin_ + text.size()), max_depth_(max_depth) {}

    inline Token peek() override;
    void read_null() override { literal("null"); }
    inline bool read_boolean() override;
    inline Number read_number() override;
    inline std::string_view read_text() override;
    inline void read_text_into(std::string& out) override;
    inline void read_json(Json& out, ValueFaults& faults) override;
    inline void skip() override;

    void enter(Container& container) override {
        container.node = p_;
        open();
    }
    bool next_element(Container& container) override { return step_element(container.first); }
    bool next_key(Container& container, std::string_view& key) override { return step_key(container.first, key); }

    inline bool take_key(Container& container, std::string_view key) override;
    [[nodiscard]] inline std::size_t expected_elements(const Container& container, std::size_t count) const override;

    [[nodiscard]] Mark mark() const override { return {p_, depth_}; }
    void rewind(const Mark& mark) override {
        steps_ += static_cast<std::size_t>(p_ - static_cast<const char*>(mark.at));
        p_ = static_cast<const char*>(mark.at);
        depth_ = mark.depth;
    }
    [[nodiscard]] inline std::string excerpt(const void* where) const override;
    inline void locate(std::vector<Issue>& issues, const std::vector<const void*>& where) const override;

    /// Throws unless only white space is left.
    void finish();
    /// Bytes looked at so far, including rereading, as the growth tests count them.
    [[nodiscard]] std::size_t steps() const noexcept { return steps_ + static_cast<std::size_t>(p_ - begin_); }

private:
    struct Frame {
        bool object;
        bool first;
        std::size_t values;
        std::size_t keys;
    };

    [[noreturn]] [[gnu::cold]] static void fail(const char* message, const char* at) {
        throw SyntaxFailure{message, at};
    }
    void skip_space() noexcept {
        while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
    }
    void literal(std::string_view word);
    void open();
    void close() noexcept {
        ++p_;
        --depth_;
    }
    bool step_element(bool& first);
    bool step_key(bool& first, std::string_view& key);

    const char* find_stop(const char* p, bool& high) const;
    void check_string(const char* start, const char* stop, bool high) const;
    void skip_text();
    [[noreturn]] void fail_string(const char* start) const;
    void unescape(std::string& out, const char* start, const char* p, bool high);
    const char* unescape_one(const char* p, char*& d) const;
    bool unescape_group(const char*& text, char*& out, bool& high) const;
    bool unescape_group_by_stops(const char*& text, char*& out, bool& high) const;
    const char* unescape_unicode(const char* p, char*& d) const;
    char32_t hex4(const char* p) const;
    std::size_t raw_length(const char* p) const;
    char* flush(std::string& out, const char* d, const char* p);

    const char* scan_number(const char* p, bool& real) const;
    void read_scalar(Token token, Json& out, ValueFaults& faults);
    Json close_container(const Frame& frame);
    [[nodiscard]] std::vector<LocElement> inner_loc(std::size_t first_frame) const;

    static constexpr std::size_t scratch_size = std::size_t{16} * 1024;

    const char* begin_;
    const char* p_;
    const char* end_;
    std::size_t depth_ = 0;
    std::size_t max_depth_;
    std::size_t steps_ = 0;
    std::unique_ptr<char[]> scratch_{};
    std::string text_{};  // where escaped keys and scalars are put together
    std::vector<Frame> frames_{};
    std::vector<Json> values_{};
    std::vector<std::string> keys_{};
    std::string open_{};  // the containers that `skip` is in
};

inline Token JsonTextReader::peek() {
    skip_space();
    where_ = p_;
    if (p_ == end_) fail("EOF while parsing a value", p_);
    switch (*p_) {
        case '"': return Token::string;
        case '{': return Token::object;
        case '[': return Token::array;
        case 'n': return Token::null;
        case 't':
        case 'f': return Token::boolean;
        case '-':
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7':
        case '8':
        case '9': return Token::number;
        default: fail("expected value", p_);
    }
}

inline void JsonTextReader::literal(std::string_view word) {
    if (std::string_view(p_, std::min(word.size(), static_cast<std::size_t>(end_ - p_))) != word) {
        fail("expected ident", p_);
    }
    p_ += word.size();
}

inline bool JsonTextReader::read_boolean() {
    const bool value = *p_ == 't';
    literal(value ? "true" : "false");
    return value;
}

inline void JsonTextReader::open() {
    if (depth_ >= max_depth_) fail("recursion limit exceeded", p_);
    ++depth_;
    ++p_;
}

inline bool JsonTextReader::step_element(bool& first) {
    skip_space();
    if (p_ == end_) fail("EOF while parsing a list", p_);
    if (*p_ == ']') {
        close();
        return false;
    }
    if (first) {
        first = false;
        return true;
    }
    if (*p_ != ',') fail("expected `,` or `]`", p_);
    ++p_;
    skip_space();
    if (p_ != end_ && *p_ == ']') fail("trailing comma", p_);
    return true;
}

inline bool JsonTextReader::step_key(bool& first, std::string_view& key) {
    skip_space();
    if (p_ == end_) fail("EOF while parsing an object", p_);
    if (*p_ == '}') {
        close();
        return false;
    }
    if (first) {
        first = false;
    } else {
        if (*p_ != ',') fail("expected `,` or `}`", p_);
        ++p_;
        skip_space();
        if (p_ == end_) fail("EOF while parsing an object", p_);
        if (*p_ == '}') fail("trailing comma", p_);
    }
    if (*p_ != '"') fail("key must be a string", p_);
    key = read_text();
    skip_space();
    if (p_ == end_) fail("EOF while parsing an object", p_);
    if (*p_ != ':') fail("expected `:`", p_);
    ++p_;
    return true;
}

inline bool JsonTextReader::take_key(Container& container, std::string_view key) {
    const char* p = p_;
    const auto space = [this, &p] {
        while (p != end_ && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) ++p;
    };
    space();
    if (!container.first) {
        if (p == end_ || *p != ',') return false;
        ++p;
        space();
    }
    if (static_cast<std::size_t>(end_ - p) < key.size() + 3 || *p != '"' || p[key.size() + 1] != '"' ||
        std::memcmp(p + 1, key.data(), key.size()) != 0)
        return false;
    p += key.size() + 2;
    space();
    if (p == end_ || *p != ':') return false;
    p_ = p + 1;
    container.first = false;
    return true;
}

/// Returns as many more as the remaining text has room for, if they are like those before.
inline std::size_t JsonTextReader::expected_elements(const Container& container, std::size_t count) const {
    const auto taken = static_cast<double>(p_ - static_cast<const char*>(container.node));
    const double more = static_cast<double>(count) * static_cast<double>(end_ - p_) / std::max(taken, 1.0);
    return count + static_cast<std::size_t>(more * 1.03) + 1;
}

inline void JsonTextReader::finish() {
    skip_space();
    if (p_ != end_) fail("trailing characters", p_);
}

[[gnu::cold]] inline std::string JsonTextReader::excerpt(const void* where) const {
    const char* const p = static_cast<const char*>(where);
    if (p == end_) return {};
    const std::string_view rest(p, static_cast<std::size_t>(end_ - p));
    // To the end of the value if that is near; the text was read once already, so it is JSON.
    std::size_t size = 0;
    try {
        JsonTextReader value(rest.substr(0, max_excerpt_bytes), max_depth_);
        value.peek();
        value.skip();
        size = static_cast<std::size_t>(value.p_ - value.begin_);
    } catch (const SyntaxFailure&) {
        const std::string_view beginning(utf8::prefix(rest, std::min(rest.size(), max_excerpt_bytes)));
        return utf8::replace_invalid(beginning) + "...";
    }
    return std::string(rest.substr(0, size));
}

[[gnu::cold]] inline void JsonTextReader::locate(std::vector<Issue>& issues,
                                                 const std::vector<const void*>& where) const {
    std::vector<std::size_t> order(issues.size());
    base::sort_indices(order, &where, [](const void* places, std::size_t a, std::size_t b) {
        const auto& place = *static_cast<const std::vector<const void*>*>(places);
        return std::less<>()(place[a], place[b]);
    });
    const char* p = begin_;
    std::size_t line = 1;
    std::size_t column = 1;
    for (const std::size_t i : order) {
        for (const char* const at = static_cast<const char*>(where[i]); p < at; ++p) {
            if (*p == '\n') {
                ++line;
                column = 1;
            } else if (!utf8::is_continuation(*p)) {
                ++column;
            }
        }
        issues[i].line = line;
        issues[i].column = column;
    }
}

}  // namespace acta::inline ACTA_ABI::json_detail

#include "acta/json/detail/read/text_json.hpp"
#include "acta/json/detail/read/text_number.hpp"
#include "acta/json/detail/read/text_string.hpp"
