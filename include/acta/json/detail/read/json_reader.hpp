// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/json/issue.hpp"

// The interface that decoders read from: text (json_text_reader.hpp) or a value in memory (json_value_reader.hpp).
namespace acta::inline ACTA_ABI::json_detail {

/// The kind of the next value.
enum class Token : std::uint8_t { null, boolean, number, string, array, object, other };

/// A JSON number as it is written: integers keep all their digits, and numbers that fit no type say so.
struct Number {
    enum class Kind : std::uint8_t { integer, unsigned_integer, real, integer_too_large, real_too_large };
    Kind kind = Kind::integer;
    union {
        std::int64_t integer = 0;
        std::uint64_t unsigned_integer;  // only above the range of `integer`
        double real;                     // also of an integer that is too large: the nearest, or infinity
    };

    [[nodiscard]] static Number of(std::int64_t value) noexcept {
        Number n;
        n.integer = value;
        return n;
    }
    [[nodiscard]] static Number of(std::uint64_t value) noexcept {
        Number n;
        if (value <= static_cast<std::uint64_t>(INT64_MAX)) {
            n.integer = static_cast<std::int64_t>(value);
        } else {
            n.kind = Kind::unsigned_integer;
            n.unsigned_integer = value;
        }
        return n;
    }
    [[nodiscard]] static Number of(double value) noexcept {
        Number n;
        n.kind = Kind::real;
        n.real = value;
        return n;
    }
    [[nodiscard]] static Number fault(Kind kind) noexcept {
        Number n;
        n.kind = kind;
        return n;
    }
};

/// The document is not JSON, or exceeds a limit: nothing more can be read from it.
struct SyntaxFailure {
    std::string message;
    const void* where;
};

/// The numbers inside an `any` value that no `Json` can hold, up to the limit of issues. Each is kept as an issue with
/// its path from the value that was read, and its place.
struct ValueFaults {
    std::size_t limit = 1;
    std::vector<Issue> issues{};
    std::vector<const void*> places{};

    [[nodiscard]] bool full() const noexcept { return issues.size() >= limit; }
    [[gnu::cold]] void add(std::vector<LocElement> loc, Number::Kind kind, const void* where) {
        Issue issue;
        issue.loc = std::move(loc);
        const bool real = kind == Number::Kind::real_too_large;
        issue.type = real ? "finite_number" : "int_parsing_size";
        issue.message = real ? "Input should be a finite number"
                             : "Unable to parse input string as an integer, exceeded maximum size";
        issues.push_back(std::move(issue));
        places.push_back(where);
    }
};

/// Like `resize` for shrinking; the code for growing is not compiled.
template <class T>
void truncate(std::vector<T>& list, std::size_t size) {
    while (list.size() > size) list.pop_back();
}

/// Where an array or object is being read; lives in the function that reads it.
struct Container {
    bool first = true;
    std::size_t index = 0;
    const void* node = nullptr;
};

/// A place to return to.
struct Mark {
    const void* at;
    std::size_t depth;
};

/// A pull reader. The caller looks with `peek`, then calls the one function that fits the token.
/// Views of text and keys are valid until the next call. Functions throw `SyntaxFailure`.
class JsonReader {
public:
    JsonReader() = default;
    JsonReader(const JsonReader&) = delete;
    JsonReader& operator=(const JsonReader&) = delete;
    virtual ~JsonReader() = default;

    virtual Token peek() = 0;
    virtual void read_null() = 0;
    virtual bool read_boolean() = 0;
    virtual Number read_number() = 0;
    virtual std::string_view read_text() = 0;
    virtual void read_text_into(std::string& out) = 0;
    virtual void read_json(Json& out, ValueFaults& faults) = 0;
    virtual void skip() = 0;

    virtual void enter(Container& container) = 0;
    virtual bool next_element(Container& container) = 0;
    virtual bool next_key(Container& container, std::string_view& key) = 0;

    /// Takes the next key if it is this one, which costs less than finding its end; changes nothing otherwise.
    virtual bool take_key(Container& container, std::string_view key) {
        static_cast<void>(container);
        static_cast<void>(key);
        return false;
    }
    /// Returns how many elements an array may have in all, after `count` of them; 0 if that is unknown.
    [[nodiscard]] virtual std::size_t expected_elements(const Container& container, std::size_t count) const = 0;

    [[nodiscard]] virtual Mark mark() const = 0;
    virtual void rewind(const Mark& mark) = 0;

    /// Returns the start of the value at `where`, as JSON.
    [[nodiscard]] virtual std::string excerpt(const void* where) const = 0;
    /// Sets line and column of issues whose places are given in `where`, in one pass over a text.
    virtual void locate(std::vector<Issue>& issues, const std::vector<const void*>& where) const = 0;

    /// Returns the place of the value that `peek` looked at last.
    [[nodiscard]] const void* where() const noexcept { return where_; }

protected:
    const void* where_ = nullptr;
};

inline constexpr std::size_t max_excerpt_bytes = 100;

}  // namespace acta::inline ACTA_ABI::json_detail
