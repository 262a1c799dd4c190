// SPDX-License-Identifier: MIT
#pragma once

#include "acta/tool_response/operation_tracker.hpp"
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
        if (is_type) {
            preview.has_type = true;
            preview.type_is_text = token == codec::Token::string;
            preview.type = preview.type_is_text ? std::string() : d.in.excerpt(d.in.where());
        }
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
    for (std::size_t i = 0; i < none; ++i) {
        if (!members.types[i].empty() && members.types[i] == preview.type) return i;
    }
    return none;
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
    return found == members.started || found == members.asynchronous ? none : found;
}

ACTA_INLINE std::string expected_types(const ReplyMembers& members) {
    std::string out;
    for (const std::string_view type : members.types) {
        if (type.empty() || out.find("'" + std::string(type) + "'") != std::string::npos) continue;
        if (!out.empty()) out += ", ";
        out.append("'").append(type).append("'");
    }
    return out;
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
    alternatives[members.unknown].emplace(variant);
    if (preview.has_type)
        d.issue("union_tag_invalid",
                "Input tag '" + preview.type +
                    "' found using 'type' does not match any of the expected tags: " + expected_types(members),
                where);
    else
        d.issue("union_tag_not_found", "Unable to extract tag using discriminator 'type'", where);
    d.in.skip();
}

}  // namespace tool_response_detail
namespace tool_response_detail {

ACTA_INLINE OperationSignal signal_of(const OperationStartedResponse& r) {
    return {OperationSignal::Kind::started, false, r.tool_name, id_or_nothing(r.operation_id),
            id_or_nothing(r.task_id),       {}};
}

}  // namespace tool_response_detail

ACTA_INLINE const Operation* OperationTracker::find_call(std::string_view tool_call_id) const {
    const Operation* const own = look_up(calls_, tool_call_id);
    return own != nullptr ? own : look_up(repeats_, tool_call_id);
}

ACTA_INLINE void OperationTracker::forget_finished() {
    std::deque<Operation> kept;
    std::vector<std::size_t> moved(operations_.size(), gone);
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        if (operations_[i].finished()) continue;
        moved[i] = kept.size();
        kept.push_back(std::move(operations_[i]));
    }
    operations_ = std::move(kept);
    for (Index* const index : {&calls_, &repeats_, &operation_ids_, &task_ids_}) {
        for (auto entry = index->begin(); entry != index->end();) {
            entry->second = moved[entry->second];
            entry = entry->second == gone ? index->erase(entry) : std::next(entry);
        }
    }
}

ACTA_INLINE std::size_t OperationTracker::index_of(const Index& index, std::string_view id) {
    const auto found = index.find(id);
    return found == index.end() ? gone : found->second;
}

ACTA_INLINE const Operation* OperationTracker::look_up(const Index& index, std::string_view id) const {
    const std::size_t i = index_of(index, id);
    return i == gone ? nullptr : &operations_[i];
}

ACTA_INLINE OperationUpdate OperationTracker::apply(std::string_view call,
                                                    const tool_response_detail::OperationSignal& news) {
    if (news.kind == Kind::unknown)
        return refuse(OperationEvent::unknown_reply, find_call(call), "the reply has an unknown type");
    if (news.kind == Kind::in_progress) return repeat(call, news);
    // A call that once repeated another call may start an operation of its own, but its results are the other's.
    const bool starts = news.kind == Kind::started;
    std::size_t index = index_of(calls_, call);
    if (index == gone && !starts) index = index_of(repeats_, call);
    if (index == gone && !starts)
        return refuse(OperationEvent::unknown_call, nullptr,
                      "no operation was started for call '" + std::string(call) + "'");
    const bool known = index != gone;
    if (!known) index = operations_.size();
    if (OperationUpdate conflict = check_ids(index, news); !conflict) return conflict;
    if (!known) {
        operations_.push_back({std::string(call), OperationStage::started, {}, {}, {}, 0});
        calls_.emplace(call, index);
        link(index, news);
        return {OperationEvent::advanced, &operations_[index], {}};
    }
    return advance(index, news);
}

ACTA_INLINE OperationUpdate OperationTracker::advance(std::size_t index,
                                                      const tool_response_detail::OperationSignal& news) {
    Operation& operation = operations_[index];
    const OperationStage next = news.kind == Kind::started   ? OperationStage::started
                                : news.kind == Kind::pending ? OperationStage::pending
                                : news.failed                ? OperationStage::failed
                                                             : OperationStage::done;
    if (operation.finished() || next < operation.stage)
        return refuse(OperationEvent::out_of_order, &operation,
                      "'" + std::string(to_string(next)) + "' cannot follow '" +
                          std::string(to_string(operation.stage)) + "' of call '" + operation.tool_call_id + "'");
    link(index, news);
    const bool same = operation.stage == next;
    operation.stage = next;
    return {same ? OperationEvent::unchanged : OperationEvent::advanced, &operation, {}};
}

ACTA_INLINE OperationUpdate OperationTracker::repeat(std::string_view call,
                                                     const tool_response_detail::OperationSignal& news) {
    const auto found = calls_.find(news.running_call_id);
    if (found == calls_.end())
        return refuse(OperationEvent::unknown_call, nullptr,
                      "no operation was started for call '" + news.running_call_id + "', which is reported as running");
    Operation& operation = operations_[found->second];
    if (operation.finished())
        return refuse(OperationEvent::out_of_order, &operation,
                      "call '" + operation.tool_call_id + "' is reported as running, but is '" +
                          std::string(to_string(operation.stage)) + "'");
    ++operation.repeats;
    if (!calls_.contains(call)) repeats_.insert_or_assign(std::string(call), found->second);
    return {OperationEvent::repeated_call, &operation, {}};
}

ACTA_INLINE OperationUpdate OperationTracker::check_ids(std::size_t index,
                                                        const tool_response_detail::OperationSignal& news) const {
    const Operation* const known = index < operations_.size() ? &operations_[index] : nullptr;
    const auto fits = [&](const Index& ids, const std::optional<std::string>& id,
                          std::optional<std::string> Operation::*member) {
        if (!id) return true;
        if (known != nullptr && known->*member && *(known->*member) != *id) return false;
        const auto owner = ids.find(*id);
        return owner == ids.end() || owner->second == index;
    };
    if (!fits(operation_ids_, news.operation_id, &Operation::operation_id))
        return refuse(OperationEvent::id_conflict, known,
                      "operation '" + *news.operation_id + "' belongs to another call");
    if (!fits(task_ids_, news.task_id, &Operation::task_id))
        return refuse(OperationEvent::id_conflict, known, "task '" + *news.task_id + "' belongs to another call");
    return {};
}

ACTA_INLINE void OperationTracker::link(std::size_t index, const tool_response_detail::OperationSignal& news) {
    Operation& operation = operations_[index];
    if (!news.tool_name.empty()) operation.tool_name = news.tool_name;
    if (news.operation_id) {
        operation.operation_id = news.operation_id;
        operation_ids_.emplace(*news.operation_id, index);
    }
    if (news.task_id) {
        operation.task_id = news.task_id;
        task_ids_.emplace(*news.task_id, index);
    }
}

}  // namespace acta::inline ACTA_ABI
