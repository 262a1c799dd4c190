// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "acta/base/entries.hpp"
#include "acta/json/detail/read/scalars.hpp"

// Objects with declared fields. A table of small functions knows the type; everything else is here.
namespace acta::inline ACTA_ABI::json_detail {

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
};

inline std::size_t find_field(std::span<const FieldDecoder> fields, std::string_view key,
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

    /// Notes that the issues from `first` on belong to `field`.
    void note(const Decoder& d, std::size_t field, std::size_t first) {
        if (d.issues.size() != first) add_run(field, first, d.issues.size());
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

inline void decode_unknown(Decoder& d, const RecordDecoder& record, void* object, std::string_view key) {
    if (record.extra != nullptr) {
        JsonObject& extra = record.extra(object);
        extra.emplace_back(std::string(key), Json());
        const PathScope scope(d, extra.back().first);
        d.in.peek();
        d.read_json(extra.back().second);
        return;
    }
    if (d.options.unknown_keys == UnknownKeys::forbid) {
        const std::string kept(key);
        const PathScope scope(d, kept);
        d.in.peek();
        d.refuse("extra_forbidden", "Extra inputs are not permitted");
        return;
    }
    d.in.peek();
    d.in.skip();
}

/// Reads an object into `object`, which must be newly made. Returns the fields that were present.
inline FieldSet decode_record(Decoder& d, const RecordDecoder& record, void* object) {
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
    std::string_view key;
    for (;;) {
        const std::size_t first = d.issues.size();
        std::size_t i = next;  // as a rule keys come in the order of the fields
        if (next == record.fields.size() || !d.in.take_key(container, record.fields[next].key)) {
            if (!d.in.next_key(container, key)) break;
            i = find_field(record.fields, key, next);
        }
        if (i == record.fields.size()) {
            decode_unknown(d, record, object, key);
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
    if (d.issues.size() != before || !includes(seen, record.required)) order.finish(d, record, seen, where);
    return seen;
}

[[gnu::cold]] inline void refuse_literal(Decoder& d, std::string_view expected, const void* where) {
    d.issue("literal_error", base::concat({"Input should be ", python_repr(expected)}), where);
}

/// Reads a fixed field: the one text that it may hold.
inline void decode_literal(Decoder& d, std::string_view expected) {
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

/// Reads one of several texts; returns its index, or the number of texts (and an issue).
inline std::size_t decode_choice(Decoder& d, std::span<const std::string_view> names, std::string_view type) {
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

}  // namespace acta::inline ACTA_ABI::json_detail
