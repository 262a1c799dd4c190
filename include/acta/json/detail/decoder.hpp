// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/json/issue.hpp"

// What reading a document needs: the interface that decoders read from, their state, and the functions that do not
// depend on the type that is read.
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

    [[nodiscard]] static Number of(std::int64_t value) noexcept;
    [[nodiscard]] static Number of(std::uint64_t value) noexcept;
    [[nodiscard]] static Number of(double value) noexcept;
    [[nodiscard]] static Number fault(Kind kind) noexcept;
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
    bool keep = false;  // such a number as the nearest double, or as its text, instead
    std::vector<Issue> issues{};
    std::vector<const void*> places{};

    [[nodiscard]] bool full() const noexcept { return issues.size() >= limit; }
    void add(std::vector<LocElement> loc, Number::Kind kind, const void* where);
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
    virtual bool take_key(Container&, std::string_view) { return false; }
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

/// The path to the current value, a list whose nodes are on the stack of the functions that descend.
struct PathNode {
    const PathNode* up = nullptr;
    std::string_view key{};
    std::size_t index = 0;
    bool is_key = false;
};

[[nodiscard]] std::vector<LocElement> to_loc(const PathNode* path);

/// The limit of issues was reached.
struct TooManyIssues {};

/// The state of reading one document: the source, the options, and the issues so far.
class Decoder {
public:
    Decoder(JsonReader& source, const ParseOptions& parse_options)
        : in(source), options(parse_options), keep_large_numbers(parse_options.keep_large_numbers) {}
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    JsonReader& in;
    const ParseOptions& options;
    const PathNode* path = nullptr;
    std::vector<Issue> issues{};
    std::vector<const void*> places{};  // of the issues, for line and column
    bool speculating = false;           // a union's member was guessed and is being read
    bool trying = false;                // a union's members are being tried in turn
    bool literal_mismatch = false;      // set by a fixed field with a different value
    bool keep_large_numbers;            // as the option, or for the member that is being read
    bool is_foreign = false;            // no member of the document is known, or one that is missing is misspelt

    [[nodiscard]] bool strict() const noexcept { return options.strictness == Strictness::strict; }

    /// Adds an issue at `where`. Throws `TooManyIssues` at the limit. Messages are views, so that the many callers need
    /// not construct strings.
    void issue(std::string_view type, std::string_view message, const void* where);
    /// Adds an issue for the value that `peek` looked at last, and skips the value.
    void refuse(std::string_view type, std::string_view message);
    void add(std::vector<LocElement> loc, std::string_view type, std::string_view message, const void* where);
    void drop_issues_from(std::size_t first);
    /// Reports something that was repaired, if the caller wants to know.
    void warn(std::string_view type, std::string_view message, const void* where) const;

    void read_json(Json& out);

private:
    void report_faults();

    ValueFaults faults_{};
};

// The destructors take the address of the node out of the path again, which g++ does not see.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdangling-pointer"
#endif
/// Extends the path by one step while it lives.
class PathScope {
public:
    PathScope(Decoder& d, std::string_view key) : path_(d.path), node_{d.path, key, 0, true} { d.path = &node_; }
    explicit PathScope(Decoder& d) : path_(d.path), node_{d.path, {}, 0, false} { d.path = &node_; }
    PathScope(const PathScope&) = delete;
    PathScope& operator=(const PathScope&) = delete;
    ~PathScope() { path_ = node_.up; }

    void set_index(std::size_t index) noexcept { node_.index = index; }
    void set_key(std::string_view key) noexcept {
        node_.key = key;
        node_.is_key = true;
    }

private:
    const PathNode*& path_;
    PathNode node_;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

// Scalars by pydantic 2's rules for JSON input, lax and strict (pydantic's conversion table).

/// Reads an integer between `min` and `max` as its 64 bits; returns false (and adds an issue) otherwise.
bool decode_integer(Decoder& d, std::int64_t min, std::uint64_t max, std::uint64_t& bits);
/// Reads the next value as a float; returns false (and adds an issue) if it is not one.
bool decode_float(Decoder& d, double& out);
void decode_bool(Decoder& d, bool& out);
void decode_string(Decoder& d, std::string& out);
void decode_object(Decoder& d, JsonObject& out);

// Objects with declared fields. A table of small functions knows the type; everything else is in decode_record.

inline constexpr std::size_t max_fields = 256;
using FieldSet = std::array<std::uint64_t, max_fields / 64>;

constexpr void insert(FieldSet& set, std::size_t i) noexcept { set[i / 64] |= std::uint64_t{1} << (i % 64); }
constexpr bool contains(const FieldSet& set, std::size_t i) noexcept { return ((set[i / 64] >> (i % 64)) & 1) != 0; }
constexpr bool includes(const FieldSet& set, const FieldSet& subset) noexcept {
    for (std::size_t i = 0; i < set.size(); ++i) {
        if ((subset[i] & ~set[i]) != 0) return false;
    }
    return true;
}

/// How one field of an object is read. `again`: its key was read before.
struct FieldDecoder {
    std::string_view key;
    void (*decode)(Decoder& d, void* object, bool again);
    bool required;
    std::string_view tag;  // of a fixed field, its text
};

/// How an object is read; one constant per described type.
struct RecordDecoder {
    std::span<const FieldDecoder> fields;
    FieldSet required;
    JsonObject& (*extra)(void* object);  // where unknown keys are kept, or null
    bool keeps_always = true;            // or only if the options say so
};

/// Returns the index of the field with a key, or the number of fields. Looks at the field at `expected` first.
[[nodiscard]] std::size_t find_field(std::span<const FieldDecoder> fields, std::string_view key,
                                     std::size_t expected) noexcept;

/// Reads an object into `object`, which must be newly made. Returns the fields that were present.
FieldSet decode_record(Decoder& d, const RecordDecoder& record, void* object);

void refuse_literal(Decoder& d, std::string_view expected, const void* where);
/// Reads a fixed field: the one text that it may hold.
void decode_literal(Decoder& d, std::string_view expected);
/// Reads one of several texts; returns its index, or the number of texts (and an issue).
std::size_t decode_choice(Decoder& d, std::span<const std::string_view> names, std::string_view type);

// Values of one of several types. A member is chosen before it is read: if members were tried in turn at every level,
// the time for bad input would grow exponentially with depth.

/// One member of a union.
struct Alternative {
    bool described;               // g++ -fsanitize=undefined cannot compare an address with null at compile time
    const RecordDecoder* record;  // null if it is not a described struct
    unsigned (*fits)(Token token, bool whole);
    void* (*emplace)(void* variant);
    void (*decode)(Decoder& d, void* value);
};

/// Returns the text of the fixed field `key`, or nothing.
constexpr std::string_view tag_of(const RecordDecoder& record, std::string_view key) {
    for (const FieldDecoder& field : record.fields) {
        if (field.key == key) return field.tag;
    }
    return {};
}

/// Returns the key of the fixed field that all members have, each with a different text; empty if there is none.
constexpr std::string_view find_union_tag(std::span<const Alternative> members) {
    if (members.empty() || !members.front().described) return {};
    for (const FieldDecoder& field : members.front().record->fields) {
        if (field.tag.empty()) continue;
        bool good = true;
        for (std::size_t i = 0; i < members.size() && good; ++i) {
            if (!members[i].described) return {};
            const std::string_view tag = tag_of(*members[i].record, field.key);
            good = !tag.empty();
            for (std::size_t j = 0; j < i && good; ++j) good = tag_of(*members[j].record, field.key) != tag;
        }
        if (good) return field.key;
    }
    return {};
}

/// The result of looking ahead at the keys of an object.
struct Preview {
    bool has_tag = false;
    bool tag_is_text = false;
    std::string tag_text{};
    Json tag_value{};
    std::vector<FieldSet> seen{};  // per member
};

/// Looks at the keys of the next object without consuming it. `tag` may be empty.
[[nodiscard]] Preview preview_object(Decoder& d, std::string_view tag, std::span<const Alternative> members);
/// Reports that the object at `where`, which is next, has no tag, or another than those expected, and skips it.
void refuse_tag(Decoder& d, std::string_view tag, const Preview& preview, std::span<const std::string_view> expected,
                const void* where);
/// Reads the guessed member; if its tag does not confirm the guess, changes nothing and returns false.
bool decode_guess(Decoder& d, std::string_view tag, const Alternative& member, void* variant);
/// Reads a union whose members are distinguished by the text at `tag`; if that is missing, by their required keys
/// (docs/reference/json.md, "Unions").
void decode_tagged(Decoder& d, std::string_view tag, std::span<const Alternative> members, void* variant);
/// Reads a union without tags: the member that suits the kind of value best; among several structs the first whose
/// required keys are all there; among other equals the first that can be read.
void decode_untagged(Decoder& d, std::span<const Alternative> members, void* variant);

}  // namespace acta::inline ACTA_ABI::json_detail
