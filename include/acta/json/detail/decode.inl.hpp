// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/json/detail/decode.hpp"
#include "acta/json/detail/scalar_text.hpp"
#include "acta/json/detail/text_reader.hpp"
#include "acta/json/detail/value_reader.hpp"
#include "acta/observe/observer.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI::json_detail {

ACTA_INLINE Number Number::of(std::int64_t value) noexcept {
    Number n;
    n.integer = value;
    return n;
}
ACTA_INLINE Number Number::of(std::uint64_t value) noexcept {
    Number n;
    if (value <= static_cast<std::uint64_t>(INT64_MAX)) {
        n.integer = static_cast<std::int64_t>(value);
    } else {
        n.kind = Kind::unsigned_integer;
        n.unsigned_integer = value;
    }
    return n;
}
ACTA_INLINE Number Number::of(double value) noexcept {
    Number n;
    n.kind = Kind::real;
    n.real = value;
    return n;
}
ACTA_INLINE Number Number::fault(Kind kind) noexcept {
    Number n;
    n.kind = kind;
    return n;
}

[[gnu::cold]] ACTA_INLINE void ValueFaults::add(std::vector<LocElement> loc, Number::Kind kind, const void* where) {
    Issue issue;
    issue.loc = std::move(loc);
    const bool real = kind == Number::Kind::real_too_large;
    issue.type = real ? "finite_number" : "int_parsing_size";
    issue.message =
        real ? "Input should be a finite number" : "Unable to parse input string as an integer, exceeded maximum size";
    issues.push_back(std::move(issue));
    places.push_back(where);
}

// [[gnu::cold]] marks functions that seldom run, most of them for errors: the compiler optimises them for size and in
// less time (3.6 % of what a source that reads and writes costs at -O2).
[[nodiscard]] [[gnu::cold]] ACTA_INLINE std::vector<LocElement> to_loc(const PathNode* path) {
    std::vector<const void*> nodes;
    for (; path != nullptr; path = path->up) nodes.push_back(path);
    std::vector<LocElement> loc;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const auto* const node = static_cast<const PathNode*>(nodes[i]);
        loc.push_back(node->is_key ? LocElement(std::string(node->key)) : LocElement(node->index));
    }
    return loc;
}

[[gnu::cold]] ACTA_INLINE void Decoder::issue(std::string_view type, std::string_view message, const void* where) {
    add(to_loc(path), type, message, where);
}

[[gnu::cold]] ACTA_INLINE void Decoder::refuse(std::string_view type, std::string_view message) {
    issue(type, message, in.where());
    in.skip();
}

[[gnu::cold]] ACTA_INLINE void Decoder::add(std::vector<LocElement> loc, std::string_view type,
                                            std::string_view message, const void* where) {
    issues.push_back({std::move(loc), std::string(type), std::string(message), in.excerpt(where)});
    places.push_back(where);
    if (issues.size() >= std::max<std::size_t>(options.max_issues, 1)) throw TooManyIssues{};
}

[[gnu::cold]] ACTA_INLINE void Decoder::drop_issues_from(std::size_t first) {
    truncate(issues, first);
    truncate(places, first);
}

[[gnu::cold]] ACTA_INLINE void Decoder::warn(std::string_view type, std::string_view message, const void* where) const {
    if (options.warnings == nullptr || trying ||
        options.warnings->size() >= std::max<std::size_t>(options.max_issues, 1))
        return;
    std::vector<Issue> one(1);
    one.front() = {to_loc(path), std::string(type), std::string(message), in.excerpt(where)};
    in.locate(one, {where});
    options.warnings->push_back(std::move(one.front()));
}

ACTA_INLINE void Decoder::read_json(Json& out) {
    faults_.limit = std::max<std::size_t>(options.max_issues, 1);
    faults_.keep = keep_large_numbers;
    in.read_json(out, faults_);
    if (!faults_.issues.empty()) report_faults();
}

[[gnu::cold]] ACTA_INLINE void Decoder::report_faults() {
    ValueFaults faults = std::move(faults_);  // which is empty then
    for (std::size_t i = 0; i < faults.issues.size(); ++i) {
        Issue& fault = faults.issues[i];
        std::vector<LocElement> loc = to_loc(path);
        for (LocElement& element : fault.loc) loc.push_back(std::move(element));
        add(std::move(loc), fault.type, fault.message, faults.places[i]);
    }
}

// Scalars -------------------------------------------------------------------------------------------

[[gnu::cold]] inline void refuse_size(Decoder& d, const void* where) {
    d.issue("int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size", where);
}

/// Reads the next value as an integer; returns false (and adds an issue) if it is not one.
inline bool decode_wide_integer(Decoder& d, WideInteger& out) {
    constexpr double exact = 9007199254740992.0;  // 2^53: beyond, neighbouring integers are one double
    const Token token = d.in.peek();
    const void* const at = d.in.where();
    if (token == Token::number) {
        const Number n = d.in.read_number();
        switch (n.kind) {
            case Number::Kind::integer:
                out.negative = n.integer < 0;
                out.magnitude = static_cast<std::uint64_t>(n.integer);
                if (out.negative) out.magnitude = ~out.magnitude + 1;
                return true;
            case Number::Kind::unsigned_integer: out.magnitude = n.unsigned_integer; return true;
            case Number::Kind::integer_too_large: refuse_size(d, at); return false;
            case Number::Kind::real_too_large:
                d.issue("finite_number", "Input should be a finite number", at);
                return false;
            case Number::Kind::real: break;
        }
        if (d.strict()) {
            d.issue("int_type", "Input should be a valid integer", at);
        } else if (!std::isfinite(n.real)) {
            d.issue("finite_number", "Input should be a finite number", at);
        } else if (n.real != std::trunc(n.real)) {
            d.issue("int_from_float", "Input should be a valid integer, got a number with a fractional part", at);
        } else if (std::fabs(n.real) > exact) {
            refuse_size(d, at);
        } else {
            out = {n.real < 0, static_cast<std::uint64_t>(std::fabs(n.real))};
            return true;
        }
        return false;
    }
    if (!d.strict() && token == Token::boolean) {
        out.magnitude = d.in.read_boolean() ? 1U : 0U;
        return true;
    }
    if (!d.strict() && token == Token::string) {
        switch (text_to_integer(d.in.read_text(), out)) {
            case IntegerText::good: return true;
            case IntegerText::too_large: refuse_size(d, at); break;
            case IntegerText::bad:
                d.issue("int_parsing", "Input should be a valid integer, unable to parse string as an integer", at);
                break;
        }
        return false;
    }
    d.refuse("int_type", "Input should be a valid integer");
    return false;
}

ACTA_INLINE bool decode_integer(Decoder& d, std::int64_t min, std::uint64_t max, std::uint64_t& bits) {
    d.in.peek();
    const void* const at = d.in.where();
    WideInteger wide;
    if (!decode_wide_integer(d, wide)) return false;
    const std::uint64_t lowest = ~static_cast<std::uint64_t>(min) + 1;  // the magnitude of min
    const bool fits =
        wide.negative ? wide.magnitude == 0 || (min < 0 && wide.magnitude <= lowest) : wide.magnitude <= max;
    if (!fits) {
        refuse_size(d, at);
        return false;
    }
    bits = wide.negative ? ~wide.magnitude + 1 : wide.magnitude;
    return true;
}

ACTA_INLINE bool decode_float(Decoder& d, double& out) {
    const Token token = d.in.peek();
    const void* const at = d.in.where();
    if (token == Token::number) {
        const Number n = d.in.read_number();
        switch (n.kind) {
            case Number::Kind::integer: out = static_cast<double>(n.integer); return true;
            case Number::Kind::unsigned_integer: out = static_cast<double>(n.unsigned_integer); return true;
            case Number::Kind::real: out = n.real; return true;
            case Number::Kind::integer_too_large:  // too large for 64 bits, which a double may hold
                out = n.real;
                if (std::isfinite(out)) return true;
                [[fallthrough]];
            case Number::Kind::real_too_large:
                d.issue("finite_number", "Input should be a finite number", at);
                return false;
        }
    }
    if (!d.strict() && token == Token::boolean) {
        out = d.in.read_boolean() ? 1.0 : 0.0;
        return true;
    }
    if (!d.strict() && token == Token::string) {
        if (text_to_float(d.in.read_text(), out)) return true;
        d.issue("float_parsing", "Input should be a valid number, unable to parse string as a number", at);
        return false;
    }
    d.refuse("float_type", "Input should be a valid number");
    return false;
}

/// Returns whether pydantic treats a number as an integer when it expects a bool: up to 18 digits, or whole and of 64
/// bits.
inline bool is_small(std::int64_t value) noexcept {
    constexpr std::int64_t limit = 1'000'000'000'000'000'000;
    return -limit < value && value < limit;
}
inline bool is_small_whole(double value) noexcept {
    constexpr double limit = 9223372036854775808.0;  // 2^63
    return -limit < value && value < limit && value == std::trunc(value);
}

ACTA_INLINE void decode_bool(Decoder& d, bool& out) {
    const Token token = d.in.peek();
    const void* const at = d.in.where();
    std::optional<bool> value;
    if (token == Token::boolean) {
        out = d.in.read_boolean();
        return;
    }
    if (d.strict() || (token != Token::string && token != Token::number)) {
        d.refuse("bool_type", "Input should be a valid boolean");
        return;
    }
    if (token == Token::string) {
        value = text_to_bool(d.in.read_text());
    } else {
        const Number n = d.in.read_number();
        const bool real = n.kind == Number::Kind::real;
        if (real ? !is_small_whole(n.real) : n.kind != Number::Kind::integer || !is_small(n.integer)) {
            d.issue("bool_type", "Input should be a valid boolean", at);
            return;
        }
        if (real ? n.real == 0 || n.real == 1 : n.integer == 0 || n.integer == 1)
            value = real ? n.real == 1 : n.integer == 1;
    }
    if (value)
        out = *value;
    else
        d.issue("bool_parsing", "Input should be a valid boolean, unable to interpret input", at);
}

ACTA_INLINE void decode_string(Decoder& d, std::string& out) {
    if (d.in.peek() == Token::string)
        d.in.read_text_into(out);
    else
        d.refuse("string_type", "Input should be a valid string");
}

ACTA_INLINE void decode_object(Decoder& d, JsonObject& out) {
    if (d.in.peek() != Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    Json value;
    d.read_json(value);
    out = std::move(*value.get_ptr<Json::object_t*>());
}

/// `'a', 'b' or "it's"`, as pydantic lists what it expected: in Python's quotes.
template <class Names>
[[gnu::cold]] std::string expected_text(const Names& names) {
    std::string out;
    std::size_t left = std::size(names);
    for (const std::string_view name : names) {
        --left;
        base::append(out, {python_repr(name), left == 0 ? "" : left == 1 ? " or " : ", "});
    }
    return out;
}

// Records -------------------------------------------------------------------------------------------

ACTA_INLINE std::size_t find_field(std::span<const FieldDecoder> fields, std::string_view key,
                                   std::size_t expected) noexcept {
    if (expected < fields.size() && fields[expected].key == key) return expected;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].key == key) return i;
    }
    return fields.size();
}

/// Sorts the issues of one object by its fields. Works only once there are issues.
class IssueOrder {
public:
    explicit IssueOrder(const Decoder& d) : base_(d.issues.size()) {}

    [[nodiscard]] bool has_issues(const Decoder& d) const noexcept { return d.issues.size() != base_; }

    /// Notes that the issues from `first` on belong to `field`.
    void note(const Decoder& d, std::size_t field, std::size_t first) {
        if (d.issues.size() != first) add_run(field, first, d.issues.size());
    }
    /// Returns the first issue of a key of this object that is not declared, or the number of issues.
    [[nodiscard]] [[gnu::cold]] std::size_t find(const Decoder& d, std::string_view key) const {
        const std::size_t depth = to_loc(d.path).size();
        std::size_t i = base_;
        while (i < d.issues.size() && !is_at(d.issues[i], depth, key)) ++i;
        return i;
    }
    /// Drops the issues of the earlier values of a repeated key that is not declared.
    [[gnu::cold]] void forget(const Decoder& d, std::string_view key) {
        const std::size_t depth = to_loc(d.path).size();
        for (std::size_t run = 0; run < begins_.size(); ++run) {
            if (is_at(d.issues[begins_[run]], depth, key)) ends_[run] = begins_[run];
        }
    }
    /// Drops the issues of a repeated key's first value.
    [[gnu::cold]] void forget(std::size_t field) {
        if (field >= last_.size() || last_[field] == 0) return;
        ends_[last_[field] - 1] = begins_[last_[field] - 1];
        last_[field] = 0;
    }
    [[gnu::cold]] void finish(Decoder& d, const RecordDecoder& record, const FieldSet& seen, const void* where) const {
        std::vector<Issue> issues;
        std::vector<const void*> places;
        for (std::size_t i = base_; i < d.issues.size(); ++i) {
            issues.push_back(std::move(d.issues[i]));
            places.push_back(d.places[i]);
        }
        d.drop_issues_from(base_);
        const auto take = [&](std::size_t field) {
            for (std::size_t run = 0; run < fields_.size(); ++run) {
                if (fields_[run] != field) continue;
                for (std::size_t i = begins_[run]; i < ends_[run]; ++i) {
                    d.issues.push_back(std::move(issues[i - base_]));
                    d.places.push_back(places[i - base_]);
                }
            }
        };
        for (std::size_t i = 0; i < record.fields.size(); ++i) {
            if (contains(seen, i)) {
                take(i);
            } else if (record.fields[i].required) {
                const PathScope scope(d, record.fields[i].key);
                d.issue("missing", "Field required", where);
            }
        }
        take(record.fields.size());  // keys that are not declared come last
    }

private:
    static bool is_at(const Issue& issue, std::size_t depth, std::string_view key) {
        const auto* const name = issue.loc.size() > depth ? std::get_if<std::string>(&issue.loc[depth]) : nullptr;
        return name != nullptr && *name == key;
    }
    [[gnu::cold]] void add_run(std::size_t field, std::size_t first, std::size_t end) {
        fields_.push_back(field);
        begins_.push_back(first);
        ends_.push_back(end);
        if (last_.size() <= field) last_.resize(field + 1);
        last_[field] = fields_.size();
    }

    std::size_t base_;
    // Runs of issues, each of one field; three lists, as a list of their own type costs much to compile.
    std::vector<std::size_t> fields_{};
    std::vector<std::size_t> begins_{};
    std::vector<std::size_t> ends_{};
    std::vector<std::size_t> last_{};  // by field: its run that counts, from 1 on
};

/// Reads a key that is not declared. The value of a repeated one replaces the first, as in a `Json`.
inline void decode_unknown(Decoder& d, const RecordDecoder& record, void* object, std::string_view key,
                           IssueOrder& order) {
    const bool keeps = record.extra != nullptr && (record.keeps_always || d.options.unknown_keys == UnknownKeys::keep);
    if (!keeps && d.options.unknown_keys != UnknownKeys::forbid) {
        d.in.peek();
        d.in.skip();
        return;
    }
    if (keeps) {
        if (order.has_issues(d)) order.forget(d, key);
        JsonObject& extra = record.extra(object);
        extra.emplace_back(std::string(key), Json());
        const PathScope scope(d, extra.back().first);
        d.in.peek();
        d.read_json(extra.back().second);
        return;
    }
    const std::string kept(key);
    const std::size_t known = order.find(d, kept);
    const PathScope scope(d, kept);
    d.in.peek();
    if (known == d.issues.size()) return d.refuse("extra_forbidden", "Extra inputs are not permitted");
    d.issues[known].input = d.in.excerpt(d.in.where());
    d.places[known] = d.in.where();
    d.in.skip();
}

/// Returns whether an unknown key is a missing one, misspelt.
[[gnu::cold]] inline bool is_misspelt_field(const RecordDecoder& record, const FieldSet& seen,
                                            std::span<const std::string> unknown) {
    for (std::size_t i = 0; i < record.fields.size(); ++i) {
        if (contains(seen, i)) continue;
        for (const std::string& key : unknown) {
            if (ascii::is_misspelling(key, record.fields[i].key)) return true;
        }
    }
    return false;
}

ACTA_INLINE FieldSet decode_record(Decoder& d, const RecordDecoder& record, void* object) {
    if (d.in.peek() != Token::object) {
        d.refuse("model_type", "Input should be an object");
        return {};
    }
    const void* const where = d.in.where();
    Container container;
    d.in.enter(container);
    IssueOrder order(d);
    const std::size_t before = d.issues.size();
    FieldSet seen{};
    std::size_t next = 0;
    bool has_members = false;
    std::vector<std::string> unknown;  // of the document's root, for those who want to be warned
    std::string_view key;
    for (;;) {
        const std::size_t first = d.issues.size();
        std::size_t i = next;  // as a rule keys come in the order of the fields
        if (next == record.fields.size() || !d.in.take_key(container, record.fields[next].key)) {
            if (!d.in.next_key(container, key)) break;
            i = find_field(record.fields, key, next);
        }
        has_members = true;
        if (i == record.fields.size()) {
            constexpr std::size_t enough = 32;
            if (d.path == nullptr && d.options.warnings != nullptr && unknown.size() < enough)
                unknown.emplace_back(key);
            decode_unknown(d, record, object, key, order);
        } else {
            const FieldDecoder& field = record.fields[i];
            const bool again = contains(seen, i);
            if (again) order.forget(i);
            insert(seen, i);
            const PathScope scope(d, field.key);
            field.decode(d, object, again);
            next = i + 1;
        }
        order.note(d, i, first);
    }
    if (record.extra != nullptr) base::drop_repeated_keys<Json::object_t>(record.extra(object));
    if (d.path == nullptr && record.extra == nullptr)
        d.is_foreign = has_members && (seen == FieldSet{} || is_misspelt_field(record, seen, unknown));
    if (d.issues.size() != before || !includes(seen, record.required)) order.finish(d, record, seen, where);
    return seen;
}

[[gnu::cold]] ACTA_INLINE void refuse_literal(Decoder& d, std::string_view expected, const void* where) {
    d.issue("literal_error", base::concat({"Input should be ", python_repr(expected)}), where);
}

ACTA_INLINE void decode_literal(Decoder& d, std::string_view expected) {
    const Token token = d.in.peek();
    const void* const at = d.in.where();
    if (token == Token::string) {
        if (d.in.read_text() == expected) return;
    } else {
        d.in.skip();
    }
    d.literal_mismatch = true;
    refuse_literal(d, expected, at);
}

ACTA_INLINE std::size_t decode_choice(Decoder& d, std::span<const std::string_view> names, std::string_view type) {
    const Token token = d.in.peek();
    const void* const at = d.in.where();
    if (token == Token::string) {
        const std::string_view text = d.in.read_text();
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == text) return i;
        }
    } else {
        d.in.skip();
    }
    d.issue(type, base::concat({"Input should be ", expected_text(names)}), at);
    return names.size();
}

// Unions --------------------------------------------------------------------------------------------

ACTA_INLINE Preview preview_object(Decoder& d, std::string_view tag, std::span<const Alternative> members) {
    Preview preview;
    preview.seen.resize(members.size());
    d.in.peek();
    const Mark start = d.in.mark();
    Container container;
    d.in.enter(container);
    std::string_view key;
    while (d.in.next_key(container, key)) {
        for (std::size_t m = 0; m < members.size(); ++m) {
            if (members[m].record == nullptr) continue;
            const auto fields = members[m].record->fields;
            const std::size_t i = find_field(fields, key, fields.size());
            if (i != fields.size()) insert(preview.seen[m], i);
        }
        const bool is_tag = !tag.empty() && key == tag;
        const Token token = d.in.peek();
        if (!is_tag) {
            d.in.skip();
            continue;
        }
        preview.has_tag = true;
        preview.tag_is_text = token == Token::string;
        if (preview.tag_is_text) {
            preview.tag_text = d.in.read_text();
        } else {
            ValueFaults faults;
            faults.keep = true;  // only to be shown
            d.in.read_json(preview.tag_value, faults);
        }
    }
    d.in.rewind(start);
    return preview;
}

/// Returns whether all required keys of a member that has any are there.
inline bool is_complete(const Preview& preview, std::span<const Alternative> members, std::size_t m) {
    const RecordDecoder* const record = members[m].record;
    return record != nullptr && !includes(FieldSet{}, record->required) && includes(preview.seen[m], record->required);
}

/// Returns the first declared member that is complete, or the number of members.
inline std::size_t first_complete(const Preview& preview, std::span<const Alternative> members) {
    std::size_t m = 0;
    while (m < members.size() && !is_complete(preview, members, m)) ++m;
    return m;
}

/// Returns the member that the first key suggests: the one whose tag it is, or the only one that has the key. Only a
/// guess, since the tag may come later, or be repeated.
inline std::size_t guess_member(Decoder& d, std::string_view tag, std::span<const Alternative> members) {
    const Mark start = d.in.mark();
    Container container;
    d.in.enter(container);
    std::string_view key;
    std::size_t found = members.size();
    if (d.in.next_key(container, key)) {
        if (key == tag) {
            if (d.in.peek() == Token::string) {
                const std::string_view text = d.in.read_text();
                for (std::size_t m = 0; m < members.size(); ++m) {
                    if (tag_of(*members[m].record, tag) == text) found = m;
                }
            }
        } else {
            for (std::size_t m = 0; m < members.size(); ++m) {
                const auto fields = members[m].record->fields;
                if (find_field(fields, key, 0) == fields.size()) continue;
                found = found == members.size() ? m : members.size() + 1;
            }
        }
    }
    d.in.rewind(start);
    return std::min(found, members.size());
}

ACTA_INLINE bool decode_guess(Decoder& d, std::string_view tag, const Alternative& member, void* variant) {
    const Mark start = d.in.mark();
    const std::size_t issues = d.issues.size();
    const std::size_t warnings = d.options.warnings == nullptr ? 0 : d.options.warnings->size();
    d.speculating = true;
    d.literal_mismatch = false;
    bool good = false;
    try {
        const FieldSet seen = decode_record(d, *member.record, member.emplace(variant));
        const auto fields = member.record->fields;
        good = contains(seen, find_field(fields, tag, fields.size())) && !d.literal_mismatch;
    } catch (const TooManyIssues&) {
        good = false;
    }
    d.speculating = false;
    if (good) return true;
    d.drop_issues_from(issues);
    if (d.options.warnings != nullptr) truncate(*d.options.warnings, warnings);
    d.in.rewind(start);
    return false;
}

[[gnu::cold]] ACTA_INLINE void refuse_tag(Decoder& d, std::string_view tag, const Preview& preview,
                                          std::span<const std::string_view> expected, const void* where) {
    if (preview.has_tag) {
        std::string names;
        for (const std::string_view one : expected) base::append(names, {names.empty() ? "" : ", ", python_repr(one)});
        d.issue("union_tag_invalid",
                base::concat({"Input tag '", preview.tag_is_text ? preview.tag_text : python_str(preview.tag_value),
                              "' found using '", tag, "' does not match any of the expected tags: ", names}),
                where);
    } else {
        d.issue("union_tag_not_found", base::concat({"Unable to extract tag using discriminator '", tag, "'"}), where);
    }
    d.in.skip();
}

ACTA_INLINE void decode_tagged(Decoder& d, std::string_view tag, std::span<const Alternative> members, void* variant) {
    if (d.in.peek() != Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    const void* const where = d.in.where();
    if (!d.speculating) {
        // Not inside a guess: guesses within guesses could double the work at every level.
        const std::size_t guess = guess_member(d, tag, members);
        if (guess != members.size() && decode_guess(d, tag, members[guess], variant)) return;
    }
    const Preview preview = preview_object(d, tag, members);
    std::size_t chosen = members.size();
    if (!preview.has_tag) {
        chosen = first_complete(preview, members);
    } else if (preview.tag_is_text) {
        for (std::size_t m = 0; m < members.size(); ++m) {
            if (tag_of(*members[m].record, tag) == preview.tag_text) chosen = m;
        }
    }
    if (chosen != members.size()) {
        decode_record(d, *members[chosen].record, members[chosen].emplace(variant));
        return;
    }
    std::vector<std::string_view> expected;
    for (const Alternative& member : members) expected.push_back(tag_of(*member.record, tag));
    refuse_tag(d, tag, preview, expected, where);
}

/// Returns whether the next number is written without point and exponent.
inline bool next_is_whole(Decoder& d) {
    const Mark start = d.in.mark();
    const Number number = d.in.read_number();
    d.in.rewind(start);
    return number.kind == Number::Kind::integer || number.kind == Number::Kind::unsigned_integer;
}

/// Returns the indices of the members that a value may be read as, best fit first; equals in the order of declaration.
inline std::vector<std::size_t> fitting_members(std::span<const Alternative> members, Token token, bool whole) {
    std::vector<std::size_t> order;
    constexpr unsigned best = 3;
    for (unsigned fit = best; fit != 0; --fit) {
        for (std::size_t m = 0; m < members.size(); ++m) {
            if (members[m].fits(token, whole) == fit) order.push_back(m);
        }
    }
    return order;
}

/// Reports what every member expected, as pydantic does.
[[gnu::cold]] inline void refuse_by_all(Decoder& d, std::span<const Alternative> members, const Mark& start,
                                        void* variant) {
    for (const Alternative& member : members) {
        d.in.rewind(start);
        d.in.peek();
        member.decode(d, member.emplace(variant));
    }
}

/// Reads a scalar as the first member that takes it, best fit first: pydantic's smart mode, for which a value that is
/// taken as it is (`true` as a bool) comes before one that is converted (`"true"` as a bool).
inline void decode_scalar(Decoder& d, std::span<const Alternative> members, Token token, void* variant) {
    const Mark start = d.in.mark();
    const bool whole = token == Token::number && next_is_whole(d);
    const std::size_t issues = d.issues.size();
    const std::size_t warnings = d.options.warnings == nullptr ? 0 : d.options.warnings->size();
    for (const std::size_t m : fitting_members(members, token, whole)) {
        d.in.peek();
        try {
            members[m].decode(d, members[m].emplace(variant));
            if (d.issues.size() == issues) return;
        } catch (const TooManyIssues&) {
            // Of this member alone: the next one may take the value.
        }
        d.drop_issues_from(issues);
        if (d.options.warnings != nullptr) truncate(*d.options.warnings, warnings);
        d.in.rewind(start);
    }
    refuse_by_all(d, members, start, variant);
}

/// Returns the first member that the next value can be read as without an issue. Members inside it are not tried in
/// turn, so that the work cannot multiply with depth.
inline std::size_t try_members(Decoder& d, std::span<const Alternative> members,
                               std::span<const std::size_t> candidates, void* variant) {
    const Mark start = d.in.mark();
    const std::size_t issues = d.issues.size();
    for (const std::size_t m : candidates) {
        d.trying = true;
        bool good = false;
        try {
            members[m].decode(d, members[m].emplace(variant));
            good = d.issues.size() == issues;
        } catch (const TooManyIssues&) {
            good = false;
        }
        d.trying = false;
        d.drop_issues_from(issues);
        d.in.rewind(start);
        if (good) return m;
    }
    return candidates.front();
}

ACTA_INLINE void decode_untagged(Decoder& d, std::span<const Alternative> members, void* variant) {
    const Token token = d.in.peek();
    if (token != Token::array && token != Token::object) return decode_scalar(d, members, token, variant);
    const Mark start = d.in.mark();
    const std::vector<std::size_t> fitting = fitting_members(members, token, false);
    if (fitting.empty()) return refuse_by_all(d, members, start, variant);
    std::size_t count = 1;
    while (count < fitting.size() &&
           members[fitting[count]].fits(token, false) == members[fitting.front()].fits(token, false))
        ++count;
    const std::span<const std::size_t> candidates(fitting.data(), count);
    std::size_t chosen = candidates.front();
    if (candidates.size() > 1 && token == Token::object) {
        const Preview preview = preview_object(d, {}, members);
        std::size_t i = 0;
        while (i < candidates.size() && !is_complete(preview, members, candidates[i])) ++i;
        if (i < candidates.size()) chosen = candidates[i];
    } else if (candidates.size() > 1 && token == Token::array && !d.trying) {
        chosen = try_members(d, members, candidates, variant);
    }
    d.in.peek();
    members[chosen].decode(d, members[chosen].emplace(variant));
}

// Documents: where the reader, the decoder, its issues and the observer meet -----------------------------

[[noreturn]] [[gnu::cold]] inline void throw_invalid_json(const JsonReader* source, const Reading& reading,
                                                          const SyntaxFailure& failure) {
    std::vector<Issue> issues(1);
    if (source != nullptr) source->locate(issues, {failure.where});
    Issue& issue = issues.front();
    issue.type = "json_invalid";
    issue.message = base::concat({"Invalid JSON: ", failure.message});
    if (issue.line != 0)
        base::append(issue.message,
                     {" at line ", std::to_string(issue.line), " column ", std::to_string(issue.column)});
    throw ValidationError(reading.title(), std::move(issues));
}

[[noreturn]] [[gnu::cold]] inline void throw_issues(const JsonReader& source, const Reading& reading, Decoder& d,
                                                    bool truncated) {
    source.locate(d.issues, d.places);
    throw ValidationError(reading.title(), std::move(d.issues), truncated);
}

[[noreturn]] [[gnu::cold]] inline void throw_too_large(const Reading& reading, std::size_t size, std::size_t limit) {
    std::vector<Issue> issues(1);
    issues.front().type = "document_too_large";
    issues.front().message =
        base::concat({"Document has ", std::to_string(size), " bytes, more than the limit of ", std::to_string(limit)});
    throw ValidationError(reading.title(), std::move(issues));
}

inline void read_document(JsonReader& source, JsonTextReader* text, const ParseOptions& options,
                          const Reading& reading) {
    Decoder d(source, options);
    bool truncated = false;
    try {
        try {
            reading.decode(d, reading.out);
            if (text != nullptr) text->finish();
        } catch (const TooManyIssues&) {
            truncated = true;
        }
    } catch (const SyntaxFailure& failure) {
        throw_invalid_json(&source, reading, failure);
    }
    if (!d.issues.empty()) throw_issues(source, reading, d, truncated);
    // For those who can refuse it. Others may have a use for the defaults.
    if (d.is_foreign && options.warnings != nullptr) {
        Issue issue;
        issue.type = foreign_document;
        issue.message = "Input should have the members of " + reading.title() + ", and has others";
        options.warnings->push_back(std::move(issue));
    }
}

inline void read_text(std::string_view text, const ParseOptions& options, const Reading& reading) {
    if (text.size() > options.max_bytes) throw_too_large(reading, text.size(), options.max_bytes);
    JsonTextReader reader(text, options.max_depth);
    read_document(reader, &reader, options, reading);
}

// Templates, so that sources which read only text do not compile them.
template <class AnyJson>
void read_json(const AnyJson& json, const ParseOptions& options, const Reading& reading) {
    try {
        JsonValueReader<AnyJson> source(json, options.max_depth);
        read_document(source, nullptr, options, reading);
    } catch (const SyntaxFailure& failure) {
        throw_invalid_json(nullptr, reading, failure);
    }
}

/// Calls `read`, whose event gets what is known of the document by `describe`, and the type and place of the first
/// issue. If memory runs out, the event omits them: observing must not replace the outcome that is reported.
template <class DescribeDocument, class Read>
[[gnu::cold]] void watch_reading(ScopedEvent& event, const DescribeDocument& describe, const Read& read) {
    try {
        describe();
    } catch (const std::bad_alloc&) {
    }
    try {
        read();
    } catch (const ValidationError& error) {
        event.add({{"issues", error.issues().size()}});
        try {
            const Issue& first = error.issues().front();
            event.add({{"error", base::concat({first.type, " at '", first.pointer(), "'"})}});
        } catch (const std::bad_alloc&) {
        }
        throw;
    }
}

ACTA_INLINE void read_text_document(std::string_view text, const ParseOptions& options, const Reading& reading) {
    if (options.observer == nullptr) return read_text(text, options, reading);
    ScopedEvent event(options.observer, event_names::parse);
    watch_reading(
        event,
        [&] {
            event.add({{"type", reading.title()}, {"bytes", text.size()}});
        },
        [&] { read_text(text, options, reading); });
}

template <class AnyJson>
void read_json_document(const AnyJson& json, const ParseOptions& options, const Reading& reading) {
    if (options.observer == nullptr) return read_json(json, options, reading);
    ScopedEvent event(options.observer, event_names::parse);
    watch_reading(
        event,
        [&] {
            event.add({{"type", reading.title()}});
        },
        [&] { read_json(json, options, reading); });
}

#if defined(ACTA_COMPILED)
template void read_json_document<Json>(const Json& json, const ParseOptions& options, const Reading& reading);
#endif

}  // namespace acta::inline ACTA_ABI::json_detail

namespace acta::inline ACTA_ABI {

namespace json_detail {

[[gnu::cold]] inline std::string in_file(const std::filesystem::path& path) {
    const auto name = path.u8string();  // in UTF-8 on Windows too
    return " in file '" + utf8::replace_invalid(std::string(name.begin(), name.end())) + "'";
}

}  // namespace json_detail

namespace codec {

[[nodiscard]] ACTA_INLINE std::string read_file_text(const std::filesystem::path& path, std::size_t max_bytes,
                                                     bool skip_mark) {
    std::string text = base::read_file(path, max_bytes);
    const std::string_view start = std::string_view(text).substr(0, 3);
    const auto refuse = [&](const char* why) {
        Issue issue;
        issue.type = "json_invalid";
        issue.message = std::string("Invalid JSON: the file ") + why;
        throw ValidationError("JSON" + json_detail::in_file(path), {issue});
    };
    if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) refuse("is UTF-16: JSON files are UTF-8");
    if (start == "\xEF\xBB\xBF") {
        if (!skip_mark) refuse("begins with a byte order mark, which JSON has not: save it without");
        return text.substr(start.size());
    }
    const std::size_t nul = start.substr(0, 2).find('\0');
    if (nul != std::string_view::npos) refuse("is UTF-16 or UTF-32: JSON files are UTF-8");
    return text;
}

[[noreturn]] ACTA_INLINE void throw_in_file(const ValidationError& error, const std::filesystem::path& path) {
    if (error.title().find(" in file '") != std::string::npos) throw error;
    throw ValidationError(error.title() + json_detail::in_file(path), {error.issues().begin(), error.issues().end()},
                          error.truncated());
}

}  // namespace codec

namespace json_detail {

ACTA_INLINE void load_document(const std::filesystem::path& path, const ParseOptions& options, const Reading& reading) {
    const std::string text = codec::read_file_text(path, options.max_bytes, false);
    std::vector<Issue> own;
    ParseOptions used = options;
    used.warnings = &own;
    try {
        read_text_document(text, used, reading);
        for (const Issue& one : own) {
            if (one.type == foreign_document) throw ValidationError(reading.title(), {one});
        }
    } catch (const ValidationError& error) {
        codec::throw_in_file(error, path);
    }
    if (options.warnings != nullptr) options.warnings->insert(options.warnings->end(), own.begin(), own.end());
}

}  // namespace json_detail

}  // namespace acta::inline ACTA_ABI
