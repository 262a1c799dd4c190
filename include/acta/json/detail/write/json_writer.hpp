// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "acta/base/concat.hpp"
#include "acta/base/entries.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/utf8.hpp"
#include "acta/json/detail/issue_text.hpp"
#include "acta/json/detail/read/decoder.hpp"
#include "acta/json/detail/simd/utf8_simd.hpp"
#include "acta/json/options.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// The interface that encoders write to. It receives the parts of a document in order; inside objects keys and values
/// alternate.
class JsonWriter {
public:
    JsonWriter() = default;
    JsonWriter(const JsonWriter&) = delete;
    JsonWriter& operator=(const JsonWriter&) = delete;
    virtual ~JsonWriter() = default;

    virtual void null() = 0;
    virtual void boolean(bool value) = 0;
    virtual void integer(std::int64_t value) = 0;
    virtual void unsigned_integer(std::uint64_t value) = 0;
    virtual void real(double value) = 0;
    virtual void text(std::string_view value) = 0;
    virtual void json(const Json& value) = 0;
    virtual void begin_object() = 0;
    virtual void end_object() = 0;
    virtual void begin_array() = 0;
    virtual void end_array() = 0;
    /// Returns whether to write the element at index i of a list of `count`. Only a measure skips any.
    virtual bool wants_element(std::size_t i, std::size_t count) {
        static_cast<void>(i);
        static_cast<void>(count);
        return true;
    }
    /// Writes a key that may need escapes.
    virtual void key(std::string_view key) = 0;
    /// Writes a key of a description.
    virtual void field(std::string_view key) = 0;
};

/// Text that is not UTF-8, found by a writer that does not know its path.
struct InvalidText {};

/// What writing one document needs.
class Encoder {
public:
    Encoder(JsonWriter& sink, const DumpOptions& dump_options) : out(sink), options(dump_options) {}
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    JsonWriter& out;
    const DumpOptions& options;
    const PathNode* path = nullptr;

    /// Goes one step down while a value is written. Not undone when an exception passes, so that the catcher knows the
    /// path.
    class Step {
    public:
        Step(Encoder& e, std::string_view key) noexcept : e_(e), node_{e.path, key, 0, true} { e.path = &node_; }
        Step(Encoder& e, std::size_t index) noexcept : e_(e), node_{e.path, {}, index, false} { e.path = &node_; }
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;
        ~Step() { e_.path = node_.up; }

    private:
        Encoder& e_;
        PathNode node_;
    };

    /// Writes text. Throws `EncodeError` with its path if it is not UTF-8.
    void text(std::string_view value) {
        try {
            out.text(value);
        } catch (const InvalidText&) {
            refuse_text({});
        }
    }
    void key(std::string_view value) {
        try {
            out.key(value);
        } catch (const InvalidText&) {
            refuse_text({});
        }
    }
    void json(const Json& value);
    /// Throws `EncodeError` with the path of an enum whose value has no name.
    [[noreturn]] [[gnu::cold]] void refuse_enum() const {
        refuse("Enum", "has a value that its description does not name", {});
    }

private:
    [[noreturn]] [[gnu::cold]] void refuse_text(const std::string& below) const {
        refuse("Text", "is not valid UTF-8", below);
    }
    [[noreturn]] [[gnu::cold]] void refuse(const char* what, const char* why, const std::string& below) const {
        Issue place;
        place.loc = to_loc(path);
        const std::string pointer = place.pointer() + below;
        throw EncodeError(base::concat({what, " at '", pointer, "' ", why, " and cannot be written as JSON"}), pointer);
    }
};

/// Returns the pointer, from `root`, of the first text below it that is not UTF-8. Searched only once it is known that
/// there is one.
[[gnu::cold]] inline std::string find_invalid_text(const Json& root) {
    std::string pointer;
    std::vector<base::JsonFrame> stack;
    stack.push_back({&root, 0});
    while (!stack.empty()) {
        base::JsonFrame& frame = stack.back();
        pointer.resize(frame.length);
        const Json& value = *frame.value;
        if (value.is_string() && !utf8::is_valid(base::text_of(value))) return pointer;
        if (!value.is_structured() || frame.next == value.size()) {
            stack.pop_back();
            continue;
        }
        const std::size_t i = frame.next++;
        pointer += '/';
        if (value.is_array()) {
            pointer += std::to_string(i);
            stack.push_back({&base::array_of(value)[i], 0, pointer.size()});
        } else {
            const auto& entry = base::entries(base::object_of(value))[i];
            append_pointer_key(pointer, utf8::replace_invalid(entry.first));
            if (!utf8::is_valid(entry.first)) return pointer;
            stack.push_back({&entry.second, 0, pointer.size()});
        }
    }
    return {};
}

inline void Encoder::json(const Json& value) {
    try {
        out.json(value);
    } catch (const InvalidText&) {
        refuse_text(find_invalid_text(value));
    }
}

}  // namespace acta::inline ACTA_ABI::json_detail
