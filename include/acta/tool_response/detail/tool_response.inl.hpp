// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "acta/tool_response/tool_response.hpp"

namespace acta::inline ACTA_ABI {
namespace tool_response_detail {

ACTA_INLINE ReplyPreview preview_reply(codec::Decoder& d) {
    ReplyPreview preview;
    d.in.peek();
    const codec::Mark start = d.in.mark();
    codec::Container container;
    d.in.enter(container);
    std::string_view key;
    while (d.in.next_key(container, key)) {
        const bool is_type = key == "type";
        const bool is_status = key == "status";
        if (key == "operation_id" || key == "tool_name") {
            bool& has = key == "tool_name" ? preview.has_tool : preview.has_operation;
            has = d.in.peek() != codec::Token::null;
            d.in.skip();
            continue;
        }
        const codec::Token token = d.in.peek();
        if (is_type) preview.type_is_text = token == codec::Token::string;
        if ((is_type || is_status) && token == codec::Token::string) {
            const std::string_view text = d.in.read_text();
            if (is_type)
                preview.type = text;
            else
                preview.accepted = text == texts::operation_accepted;
        } else {
            if (is_status) preview.accepted = false;
            d.in.skip();
        }
    }
    d.in.rewind(start);
    return preview;
}

ACTA_INLINE std::size_t member_of(const ReplyMembers& members, const ReplyPreview& preview) {
    const std::size_t none = members.types.size();
    if (preview.type == to_string(ResponseType::operation_started) && members.started != none &&
        members.asynchronous != none) {
        const bool own = !preview.accepted && preview.has_operation && preview.has_tool;
        return own ? members.started : members.asynchronous;
    }
    if (preview.type.empty()) return none;  // as members without a type
    const auto found = std::find(members.types.begin(), members.types.end(), preview.type);
    return static_cast<std::size_t>(found - members.types.begin());
}

ACTA_INLINE std::size_t guess_reply(codec::Decoder& d, const ReplyMembers& members) {
    const std::size_t none = members.types.size();
    const codec::Mark start = d.in.mark();
    codec::Container container;
    d.in.enter(container);
    std::string_view key;
    std::size_t found = none;
    if (d.in.next_key(container, key) && key == "type" && d.in.peek() == codec::Token::string) {
        ReplyPreview preview;
        preview.type = d.in.read_text();
        found = member_of(members, preview);
    }
    d.in.rewind(start);
    return found == members.asynchronous ? none : found;
}

ACTA_INLINE void decode_reply(codec::Decoder& d, const ReplyMembers& members,
                              std::span<const codec::Alternative> alternatives, void* variant) {
    if (d.in.peek() != codec::Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    const std::size_t none = members.types.size();
    const void* const where = d.in.where();
    if (!d.speculating) {
        const std::size_t guess = guess_reply(d, members);
        if (guess != none && codec::decode_guess(d, "type", alternatives[guess], variant)) return;
    }
    const ReplyPreview preview = preview_reply(d);
    if (preview.type_is_text) {
        std::size_t chosen = member_of(members, preview);
        if (chosen == none) chosen = members.unknown;
        d.in.peek();
        alternatives[chosen].decode(d, alternatives[chosen].emplace(variant));
        return;
    }
    std::vector<std::string_view> expected;
    for (const std::string_view type : members.types) {
        if (!type.empty() && std::find(expected.begin(), expected.end(), type) == expected.end())
            expected.push_back(type);
    }
    codec::refuse_tag(d, "type", codec::preview_object(d, "type", {}), expected, where);
}

}  // namespace tool_response_detail

}  // namespace acta::inline ACTA_ABI
