// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/tool_response/models.hpp"
#include "acta/tool_response/reply.hpp"

// Follows long-running calls from start to end.
namespace acta::inline ACTA_ABI {

/// How far a long-running call has come.
enum class OperationStage {
    started,  ///< The tool reported that it continues in the background.
    pending,  ///< The history has a placeholder for its result.
    done,     ///< Its result has arrived.
    failed    ///< It ended with an error.
};

/// Returns the name of the enumerator.
[[nodiscard]] constexpr std::string_view to_string(OperationStage stage) noexcept {
    constexpr std::string_view names[] = {"started", "pending", "done", "failed"};
    return names[static_cast<std::size_t>(stage)];
}
/// Writes `to_string`.
inline std::ostream& operator<<(std::ostream& out, OperationStage stage) { return out << to_string(stage); }

/// One long-running call.
struct Operation {
    std::string tool_call_id{};                      ///< The call that started it.
    OperationStage stage = OperationStage::started;  ///< How far it has come.
    std::string tool_name{};                         ///< Empty until a reply names it.
    std::optional<std::string> operation_id{};       ///< Empty until a reply names it.
    std::optional<std::string> task_id{};            ///< Empty until a reply names it; see reconnect.hpp.
    std::size_t repeats = 0;                         ///< How often the same call was made again while this one ran.

    /// Returns whether it is done or has failed.
    [[nodiscard]] bool finished() const noexcept {
        return stage == OperationStage::done || stage == OperationStage::failed;
    }
    friend bool operator==(const Operation&, const Operation&) = default;
};

/// The meaning of a reply.
enum class OperationEvent {
    advanced,       ///< The operation reached a stage.
    unchanged,      ///< It had reached that stage already: a stream repeats events after reconnecting.
    repeated_call,  ///< The same call was made again while the operation ran; the stage is unchanged.
    out_of_order,   ///< The reply cannot follow the current stage. Nothing changed.
    unknown_call,   ///< No operation was started for this call. Nothing changed.
    id_conflict,    ///< The reply's ids belong to another operation. Nothing changed.
    unknown_reply   ///< The reply has an unknown type. Nothing changed.
};

/// Returns the name of the enumerator.
[[nodiscard]] constexpr std::string_view to_string(OperationEvent event) noexcept {
    constexpr std::string_view names[] = {"advanced",     "unchanged",   "repeated_call", "out_of_order",
                                          "unknown_call", "id_conflict", "unknown_reply"};
    return names[static_cast<std::size_t>(event)];
}
/// Writes `to_string`.
inline std::ostream& operator<<(std::ostream& out, OperationEvent event) { return out << to_string(event); }

/// The effect of a reply on an `OperationTracker`.
struct OperationUpdate {
    OperationEvent event = OperationEvent::unchanged;  ///< The meaning of the reply.
    const Operation* operation = nullptr;              ///< Null for an unknown call. Valid until `forget_finished`.
    std::string problem{};                             ///< Why the reply was rejected; empty if it was accepted.

    /// Returns whether the reply was accepted.
    [[nodiscard]] explicit operator bool() const noexcept { return problem.empty(); }
};

namespace tool_response_detail {

/// The content of a reply about an operation.
struct OperationSignal {
    enum class Kind { started, pending, in_progress, result, unknown };
    Kind kind = Kind::result;
    bool failed = false;
    std::string tool_name{};
    std::optional<std::string> operation_id{};  ///< The long-running call, if it has an id.
    std::optional<std::string> task_id{};
    std::string running_call_id{};
};

inline std::optional<std::string> id_or_nothing(std::optional<std::string> id) {
    return id && !id->empty() ? std::move(id) : std::nullopt;
}

OperationSignal signal_of(const OperationStartedResponse& r);
inline OperationSignal signal_of(const AsyncProcessingResponse& r) {
    return {OperationSignal::Kind::started, false, {}, id_or_nothing(r.operation_id), id_or_nothing(r.task_id), {}};
}
inline OperationSignal signal_of(const OperationPendingResponse& r) {
    return {OperationSignal::Kind::pending, false, r.tool_name, id_or_nothing(r.operation_id), {}, {}};
}
inline OperationSignal signal_of(const OperationInProgressResponse& r) {
    return {OperationSignal::Kind::in_progress, false, {}, {}, {}, r.tool_call_id};
}
inline OperationSignal signal_of(const UnknownResponse&) {
    return {OperationSignal::Kind::unknown, false, {}, {}, {}, {}};
}
template <ToolReply T>
OperationSignal signal_of(const T& reply) {
    return {OperationSignal::Kind::result, acta::is_error(reply), {}, {}, {}, {}};
}
template <ToolResponseVariant R>
OperationSignal signal_of(const R& reply) {
    return std::visit([](const auto& one) { return signal_of(one); }, reply);
}

}  // namespace tool_response_detail

/// Follows long-running calls. The caller passes each reply with the id of the tool call that it answers, since replies
/// do not contain it; operation and task ids are linked to the call when they appear. A copyable value; not safe for
/// concurrent use.
///
/// @code{.cpp}
/// #include <cassert>
/// acta::OperationTracker operations;
/// acta::OperationStartedResponse reply{.message = "Working.", .operation_id = "op-1", .tool_name = "create_agent"};
/// acta::OperationUpdate update = operations.update("call-1", reply);
/// assert(update && update.operation->stage == acta::OperationStage::started);
/// @endcode
class OperationTracker {
public:
    /// Applies a reply of any type. `operation_started` begins an operation; `operation_pending` is its placeholder;
    /// `operation_in_progress` reports that its call was made again, and links that call to it; any other reply to the
    /// call is its result. A result for a call that started no operation is `unknown_call`: the tool answered
    /// immediately. Logarithmic in the number of operations.
    template <class Reply>
        requires ToolReply<Reply> || ToolResponseVariant<Reply>
    OperationUpdate update(std::string_view tool_call_id, const Reply& reply) {
        return apply(tool_call_id, tool_response_detail::signal_of(reply));
    }

    /// Returns all operations in the order in which they were started.
    [[nodiscard]] const std::deque<Operation>& operations() const noexcept { return operations_; }
    /// Returns the operation of a call, or of a call that repeated it. Null if there is none; valid until
    /// `forget_finished`.
    [[nodiscard]] const Operation* find_call(std::string_view tool_call_id) const;
    /// Returns the operation with this operation id, or null. Valid until `forget_finished`.
    [[nodiscard]] const Operation* find_operation(std::string_view operation_id) const {
        return look_up(operation_ids_, operation_id);
    }
    /// Returns the operation with this task id, or null. Valid until `forget_finished`.
    [[nodiscard]] const Operation* find_task(std::string_view task_id) const { return look_up(task_ids_, task_id); }

    /// Drops finished operations, so that a long session does not keep them all. Linear.
    void forget_finished();

private:
    using Index = std::map<std::string, std::size_t, std::less<>>;
    using Kind = tool_response_detail::OperationSignal::Kind;
    static constexpr std::size_t gone = static_cast<std::size_t>(-1);

    static std::size_t index_of(const Index& index, std::string_view id);
    [[nodiscard]] const Operation* look_up(const Index& index, std::string_view id) const;
    static OperationUpdate refuse(OperationEvent event, const Operation* operation, std::string problem) {
        return {event, operation, std::move(problem)};
    }

    OperationUpdate apply(std::string_view call, const tool_response_detail::OperationSignal& news);

    OperationUpdate advance(std::size_t index, const tool_response_detail::OperationSignal& news);

    OperationUpdate repeat(std::string_view call, const tool_response_detail::OperationSignal& news);

    /// Each id belongs to one operation, and an operation has one of each. `index` may be that of a new one.
    [[nodiscard]] OperationUpdate check_ids(std::size_t index, const tool_response_detail::OperationSignal& news) const;

    void link(std::size_t index, const tool_response_detail::OperationSignal& news);

    std::deque<Operation> operations_{};
    Index calls_{};
    Index repeats_{};  // calls that repeated another call
    Index operation_ids_{};
    Index task_ids_{};
};

}  // namespace acta::inline ACTA_ABI

// Reconnecting to the event stream of a long-running call.
namespace acta::inline ACTA_ABI {

/// Encodes `text` as one segment of a path (RFC 3986, section 2): every byte except letters, digits, `-`, `.`, `_` and
/// `~` becomes `%XX`. Linear.
[[nodiscard]] inline std::string percent_encode(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '.' || c == '_' || c == '~';
        if (plain) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += '%';
            out += digits[byte >> 4U];
            out += digits[byte & 0xFU];
        }
    }
    return out;
}

/// Returns `/chat/tasks/<task id>/stream`, or nothing for an id that cannot be a segment of a path: an empty one, `.`
/// and `..`, which mean another path however they are encoded.
[[nodiscard]] inline std::optional<std::string> reconnect_path_of_task(std::string_view task_id) {
    if (task_id.empty() || task_id == "." || task_id == "..") return std::nullopt;
    return "/chat/tasks/" + percent_encode(task_id) + "/stream";
}

/// Returns the path for reconnecting to a reply's event stream, or nothing if it has none.
template <ToolReply T>
[[nodiscard]] std::optional<std::string> reconnect_path([[maybe_unused]] const T& reply) {
    if constexpr (requires { std::optional<std::string>(reply.task_id); }) {
        const std::optional<std::string> task_id = reply.task_id;
        if (task_id) return reconnect_path_of_task(*task_id);
    }
    return std::nullopt;
}
/// @overload
[[nodiscard]] inline std::optional<std::string> reconnect_path(const UnknownResponse&) { return std::nullopt; }
/// @overload
template <ToolResponseVariant R>
[[nodiscard]] std::optional<std::string> reconnect_path(const R& reply) {
    return std::visit([](const auto& one) { return acta::reconnect_path(one); }, reply);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/tool_response/detail/tool_response.inl.hpp"
#endif
