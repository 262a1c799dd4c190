// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/detail/read/record.hpp"
#include "acta/pysyntax/repr.hpp"

// Values of one of several types. A member is chosen before it is read: if members were tried in turn at every level,
// the time for bad input would grow exponentially with depth.
namespace acta::inline ACTA_ABI::json_detail {

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

[[gnu::cold]] inline std::string quoted_tags(std::string_view key, std::span<const Alternative> members) {
    std::string out;
    for (const Alternative& member : members) {
        base::append(out, {out.empty() ? "" : ", ", python_repr(tag_of(*member.record, key))});
    }
    return out;
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
inline Preview preview_object(Decoder& d, std::string_view tag, std::span<const Alternative> members) {
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

/// Reads the guessed member; if its tag does not confirm the guess, changes nothing and returns false.
inline bool decode_guess(Decoder& d, std::string_view tag, const Alternative& member, void* variant) {
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

/// Reports the tags that are allowed, and the one that was found.
[[gnu::cold]] inline void refuse_tag(Decoder& d, std::string_view tag, std::span<const Alternative> members,
                                     const Preview& preview, const void* where) {
    if (preview.has_tag) {
        const std::string found = preview.tag_is_text ? preview.tag_text : python_str(preview.tag_value);
        d.issue("union_tag_invalid",
                base::concat({"Input tag '", found, "' found using '", tag,
                              "' does not match any of the expected tags: ", quoted_tags(tag, members)}),
                where);
    } else {
        d.issue("union_tag_not_found", base::concat({"Unable to extract tag using discriminator '", tag, "'"}), where);
    }
    d.in.skip();
}

/// Reads a union whose members are distinguished by the text at `tag`; if that is missing, by their required keys
/// (docs/behaviour.md, "Unions").
inline void decode_tagged(Decoder& d, std::string_view tag, std::span<const Alternative> members, void* variant) {
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
    if (chosen != members.size())
        decode_record(d, *members[chosen].record, members[chosen].emplace(variant));
    else
        refuse_tag(d, tag, members, preview, where);
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

/// Reads a union without tags: the member that suits the kind of value best; among several structs the first whose
/// required keys are all there; among other equals the first that can be read.
inline void decode_untagged(Decoder& d, std::span<const Alternative> members, void* variant) {
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

}  // namespace acta::inline ACTA_ABI::json_detail
