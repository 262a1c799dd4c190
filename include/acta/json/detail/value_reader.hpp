// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/json/detail/decoder.hpp"
#include "acta/json/detail/encode.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// Reads a value in memory, which must stay alive and unchanged. A template, always on `Json`, so that a source
/// that only reads text does not compile it.
template <class AnyJson>
class JsonValueReader final : public JsonReader {
public:
    JsonValueReader(const AnyJson& value, std::size_t max_depth) : value_(&value) {
        if (deeper_than(value, max_depth)) throw SyntaxFailure{"recursion limit exceeded", &value};
    }

    Token peek() override {
        where_ = value_;
        switch (value_->type()) {
            case Json::value_t::null: return Token::null;
            case Json::value_t::boolean: return Token::boolean;
            case Json::value_t::number_integer:
            case Json::value_t::number_unsigned:
            case Json::value_t::number_float: return Token::number;
            case Json::value_t::string: return Token::string;
            case Json::value_t::array: return Token::array;
            case Json::value_t::object: return Token::object;
            default: return Token::other;  // binary, or a value that failed to parse
        }
    }
    void read_null() override {}
    bool read_boolean() override { return base::boolean_of(*value_); }
    Number read_number() override {
        if (value_->is_number_float()) return Number::of(base::real_of(*value_));
        if (value_->is_number_unsigned()) return Number::of(base::unsigned_of(*value_));
        return Number::of(base::integer_of(*value_));
    }
    std::string_view read_text() override { return base::text_of(*value_); }
    void read_text_into(std::string& out) override { out = base::text_of(*value_); }
    void read_json(Json& out, ValueFaults&) override { out = *value_; }
    void skip() override {}

    void enter(Container& container) override { container.node = value_; }
    bool next_element(Container& container) override {
        const auto& array = base::array_of(*static_cast<const AnyJson*>(container.node));
        if (container.index == array.size()) return false;
        value_ = &array[container.index++];
        return true;
    }
    bool next_key(Container& container, std::string_view& key) override {
        const auto& object = base::object_of(*static_cast<const AnyJson*>(container.node));
        if (container.index == object.size()) return false;
        const auto& entry = base::entries(object)[container.index++];
        key = entry.first;
        value_ = &entry.second;
        return true;
    }

    [[nodiscard]] std::size_t expected_elements(const Container& container, std::size_t) const override {
        return static_cast<const AnyJson*>(container.node)->size();
    }
    [[nodiscard]] Mark mark() const override { return {value_, 0}; }
    void rewind(const Mark& mark) override { value_ = static_cast<const AnyJson*>(mark.at); }

    [[nodiscard]] std::string excerpt(const void* where) const override {
        std::string out;
        append_excerpt(out, *static_cast<const AnyJson*>(where));
        if (out.size() <= max_excerpt_bytes) return out;
        return std::string(utf8::prefix(out, max_excerpt_bytes)) + "...";
    }
    void locate(std::vector<Issue>&, const std::vector<const void*>&) const override {}

private:
    /// Writes until the excerpt is long enough, so that its cost does not follow the value's size.
    static void append_excerpt(std::string& out, const AnyJson& value) {
        const char* separator = "";
        if (value.is_array()) {
            out += '[';
            for (const AnyJson& element : value) {
                if (out.size() > max_excerpt_bytes) return;
                out += std::exchange(separator, ", ");
                append_excerpt(out, element);
            }
            out += ']';
        } else if (value.is_object()) {
            out += '{';
            for (const auto& [key, element] : base::object_of(value)) {
                if (out.size() > max_excerpt_bytes) return;
                out += std::exchange(separator, ", ");
                append_excerpt(out, AnyJson(key.substr(0, 2 * max_excerpt_bytes)));
                out += ": ";
                append_excerpt(out, element);
            }
            out += '}';
        } else if (value.is_string()) {
            const auto& text = base::text_of(value);
            const std::string start(utf8::prefix(text, 2 * max_excerpt_bytes));
            DumpOptions options;
            options.invalid_utf8 = InvalidUtf8::replace;
            out += write_string(writing_of(AnyJson(start)), options);
        } else {
            out += write_string(writing_of(value), {});
        }
    }

    const AnyJson* value_;
};

}  // namespace acta::inline ACTA_ABI::json_detail
