// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "acta/base/json_value.hpp"
#include "acta/base/utility.hpp"
#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"

// The replies of the platform's tools. Every reply begins with the same three keys: `type` identifies the reply,
// `message` says in words what happened, `session_id` names the chat session it belongs to.
//
// Ids mean the same in every reply:
//
//   agent_id          The agent that the reply is about, as requested from the tool. An agent is what a person sees:
//                     a name, a description, an owner. In replies of the block tools it is the block.
//   graph_id          The graph of blocks and links that runs when the agent runs. Changing a graph makes a new
//                     version: `graph_version` names it, and a missing one means the newest.
//   library_agent_id  The entry of one user's library: which graph this user runs, in which version, with which
//                     settings. Two users who added the same agent have two of them. `library_agent_link` is its page.
//   execution_id      One run of a graph.
//   operation_id      One long-running call of a tool (it makes an agent, say), not a run of a graph.
//   task_id           The event stream of such a call.
//   tool_call_id      The model's request that asked for the tool.
//   session_id        The chat session.
namespace acta::inline ACTA_ABI {

/// The type of a reply.
enum class ResponseType {
    agents_found,             ///< A search found agents.
    agent_details,            ///< Details of one agent.
    setup_requirements,       ///< An agent's requirements for a run, and which of them the user meets.
    execution_started,        ///< A run of an agent was started, or put on the schedule.
    need_login,               ///< The user must log in first.
    error,                    ///< The tool failed.
    no_results,               ///< A search found nothing.
    agent_output,             ///< The outputs of a run of an agent.
    understanding_updated,    ///< The knowledge of the user's business was extended.
    agent_preview,            ///< An agent was generated and can be previewed; it is not saved.
    agent_saved,              ///< An agent was saved to the user's library.
    clarification_needed,     ///< The user must answer questions first.
    block_list,               ///< Blocks that a search found.
    block_output,             ///< The outputs of a run of one block.
    doc_search_results,       ///< Pages of the documentation that a search found.
    doc_page,                 ///< One page of the documentation.
    workspace_file_list,      ///< The files of the workspace.
    workspace_file_content,   ///< The content of a file of the workspace.
    workspace_file_metadata,  ///< Metadata of a file of the workspace and where to download it.
    workspace_file_written,   ///< A file was written to the workspace.
    workspace_file_deleted,   ///< A file of the workspace was deleted, or could not be.
    operation_started,        ///< A long-running call continues in the background.
    operation_pending,        ///< Placeholder for the result of such a call in the history.
    operation_in_progress,    ///< The same call was made again while the first one was still running.
    input_validation_error    ///< The given inputs do not fit the agent.
};

template <>
struct Describe<ResponseType> {
    static constexpr std::string_view doc = "Types of tool responses.";
    static constexpr auto values =
        acta::values<ResponseType>({{"agents_found", ResponseType::agents_found},
                                    {"agent_details", ResponseType::agent_details},
                                    {"setup_requirements", ResponseType::setup_requirements},
                                    {"execution_started", ResponseType::execution_started},
                                    {"need_login", ResponseType::need_login},
                                    {"error", ResponseType::error},
                                    {"no_results", ResponseType::no_results},
                                    {"agent_output", ResponseType::agent_output},
                                    {"understanding_updated", ResponseType::understanding_updated},
                                    {"agent_preview", ResponseType::agent_preview},
                                    {"agent_saved", ResponseType::agent_saved},
                                    {"clarification_needed", ResponseType::clarification_needed},
                                    {"block_list", ResponseType::block_list},
                                    {"block_output", ResponseType::block_output},
                                    {"doc_search_results", ResponseType::doc_search_results},
                                    {"doc_page", ResponseType::doc_page},
                                    {"workspace_file_list", ResponseType::workspace_file_list},
                                    {"workspace_file_content", ResponseType::workspace_file_content},
                                    {"workspace_file_metadata", ResponseType::workspace_file_metadata},
                                    {"workspace_file_written", ResponseType::workspace_file_written},
                                    {"workspace_file_deleted", ResponseType::workspace_file_deleted},
                                    {"operation_started", ResponseType::operation_started},
                                    {"operation_pending", ResponseType::operation_pending},
                                    {"operation_in_progress", ResponseType::operation_in_progress},
                                    {"input_validation_error", ResponseType::input_validation_error}});
};

/// Returns the name of the type in JSON.
[[nodiscard]] constexpr std::string_view to_string(ResponseType type) noexcept {
    return introspection::enum_name(type);
}
/// Writes the name as in JSON.
inline std::ostream& operator<<(std::ostream& out, ResponseType type) { return out << to_string(type); }

/// Returns the type with this name, or nothing if it is not one of the platform's.
[[nodiscard]] constexpr std::optional<ResponseType> find_response_type(std::string_view name) noexcept {
    for (const auto& item : Describe<ResponseType>::values) {
        if (item.name == name) return item.value;
    }
    return std::nullopt;
}

/// Describes the common fields of all replies, for the start of a reply's own fields: `type` is fixed, `message` is
/// required, `session_id` may be null. The type is a `ResponseType`, or a text for a reply of your own.
template <class T, class Type>
constexpr auto response_fields(Type type) {
    return acta::fields(literal("type", type), required("message", &T::message),
                        defaulted("session_id", &T::session_id));
}

namespace tool_response_detail {

/// The base of the descriptions of the platform's replies and of their parts, all of which keep unknown fields. In JSON
/// the members listed in `required_members` and so on have the names that they have here.
template <class Struct>
struct Description {
    using T = Struct;

    template <auto... Members>
    static constexpr auto required_members = acta::fields(acta::required<Members>()...);
    template <auto... Members>
    static constexpr auto defaulted_members = acta::fields(acta::defaulted<Members>()...);
    template <auto... Members>
    static constexpr auto optional_members = acta::fields(acta::optional_field<Members>()...);

    template <class... Items>
    static constexpr auto part(const Items&... items) {
        return acta::fields(items..., kept_keys(&T::extra));
    }
    template <class Type, class... Items>
    static constexpr auto reply(Type type, const Items&... items) {
        return acta::fields(response_fields<T>(type), items..., kept_keys(&T::extra));
    }
};

}  // namespace tool_response_detail

// Accessors that work on any reply: of a known type, of an unknown type, and on a variant of them.

/// A reply of an unknown type, kept whole, so that newer servers do not break older clients.
struct UnknownResponse {
    JsonObject content{};  ///< The reply as received, including `type`, with its key order.

    friend bool operator==(const UnknownResponse&, const UnknownResponse&) = default;
};

template <>
struct Describe<UnknownResponse> {
    using representation = JsonObject;
    static const JsonObject& to_representation(const UnknownResponse& reply) { return reply.content; }
    static UnknownResponse from_representation(JsonObject content) { return {std::move(content)}; }
};

namespace tool_response_detail {

template <class Item>
constexpr std::string_view type_literal([[maybe_unused]] const Item& item) {
    if constexpr (introspection::ItemTraits<Item>::literal) {
        if (item.name == "type") return introspection::literal_text(item);
    }
    return {};
}

/// Returns the `type` of a reply; empty if its description fixes none.
template <class T>
constexpr std::string_view find_reply_type() {
    if constexpr (DescribedRecord<T>) {
        std::string_view found;
        Describe<T>::fields.for_each(
            [&found](const auto& item) { found = found.empty() ? type_literal(item) : found; });
        return found;
    } else {
        return {};
    }
}
template <class T>
inline constexpr std::string_view reply_type = find_reply_type<T>();

/// Returns the text at `key` of an unknown reply, or nothing.
inline std::optional<std::string_view> find_text(const UnknownResponse& reply, std::string_view key) {
    const Json* const found = base::find_key(reply.content, key);
    const auto* const text = found == nullptr ? nullptr : found->get_ptr<const Json::string_t*>();
    return text == nullptr ? std::nullopt : std::optional<std::string_view>(*text);
}

template <class T>
inline constexpr bool holds_unknown = false;
template <class... T>
inline constexpr bool holds_unknown<std::variant<T...>> = (std::same_as<T, UnknownResponse> || ...);

}  // namespace tool_response_detail

/// A reply of one type: a described struct with the common fields, made with `response_fields`.
template <class T>
concept ToolReply = DescribedRecord<T> && !tool_response_detail::reply_type<T>.empty() && requires(const T& reply) {
    { reply.message } -> std::same_as<const std::string&>;
    { reply.session_id } -> std::same_as<const std::optional<std::string>&>;
};

/// A variant of replies, one of them `UnknownResponse`: `ToolResponse`, `BasicToolResponse<Mine…>`, or a smaller
/// variant of your own, such as `std::variant<AgentsFoundResponse, NoResultsResponse, UnknownResponse>`, which is
/// cheaper to compile. Read it with `parse_tool_response` (or `parse`); other replies become `UnknownResponse`.
template <class T>
concept ToolResponseVariant = tool_response_detail::holds_unknown<T>;

namespace tool_response_detail {
template <class T>
concept AnyReply = ToolReply<T> || std::same_as<T, UnknownResponse> || ToolResponseVariant<T>;
}  // namespace tool_response_detail

/// Returns the type as written in JSON; empty for an unknown reply without one.
template <tool_response_detail::AnyReply R>
[[nodiscard]] constexpr std::string_view response_type_name([[maybe_unused]] const R& reply) {
    if constexpr (ToolReply<R>)
        return tool_response_detail::reply_type<R>;
    else if constexpr (ToolResponseVariant<R>)
        return std::visit([](const auto& one) { return acta::response_type_name(one); }, reply);
    else
        return tool_response_detail::find_text(reply, "type").value_or(std::string_view());
}

/// Returns the type if it is one of the platform's; nothing for an unknown reply or one of your own.
template <tool_response_detail::AnyReply R>
[[nodiscard]] constexpr std::optional<ResponseType> response_type(const R& reply) {
    return find_response_type(acta::response_type_name(reply));
}

/// Returns the message; empty for an unknown reply without one. Valid as long as the reply.
template <tool_response_detail::AnyReply R>
[[nodiscard]] std::string_view message(const R& reply) {
    if constexpr (ToolReply<R>)
        return reply.message;
    else if constexpr (ToolResponseVariant<R>)
        return std::visit([](const auto& one) { return acta::message(one); }, reply);
    else
        return tool_response_detail::find_text(reply, "message").value_or(std::string_view());
}

/// Returns the chat session if the reply names one. Valid as long as the reply.
template <tool_response_detail::AnyReply R>
[[nodiscard]] std::optional<std::string_view> session_id(const R& reply) {
    if constexpr (ToolReply<R>)
        return reply.session_id;
    else if constexpr (ToolResponseVariant<R>)
        return std::visit([](const auto& one) { return acta::session_id(one); }, reply);
    else
        return tool_response_detail::find_text(reply, "session_id");
}

/// Returns whether the request was not fulfilled: errors, inputs that do not fit, a missing login, a block or a
/// deletion without success, a failed run. A negative answer (nothing found, a question to the user) is not an error. A
/// reply of your own defines it by `static bool failed(const Mine&)` in its description. False for an unknown reply.
template <tool_response_detail::AnyReply R>
[[nodiscard]] bool is_error([[maybe_unused]] const R& reply) {
    if constexpr (ToolResponseVariant<R>)
        return std::visit([](const auto& one) { return acta::is_error(one); }, reply);
    else if constexpr (requires { Describe<R>::failed(reply); })
        return Describe<R>::failed(reply);
    else
        return false;
}

/// Calls the function that accepts the reply. Every type must be accepted by one of them, or it does not compile; a
/// last `[](const auto&) { … }` accepts all the others.
template <class R, class... Functions>
    requires ToolResponseVariant<std::remove_cvref_t<R>>
decltype(auto) match(R&& reply, Functions&&... functions) {
    return std::visit(base::Overloaded<std::remove_cvref_t<Functions>...>{std::forward<Functions>(functions)...},
                      std::forward<R>(reply));
}

}  // namespace acta::inline ACTA_ABI
