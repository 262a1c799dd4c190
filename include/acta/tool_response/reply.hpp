// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "acta/base/overloaded.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/tool_response/response_type.hpp"

// Accessors that work on any reply: of a known type, of an unknown type, and on a variant of them.
namespace acta::inline ACTA_ABI {

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

/// Returns the text at `key` of an unknown reply, or null.
inline const std::string* find_text(const UnknownResponse& reply, std::string_view key) {
    for (const auto& [name, value] : reply.content) {
        if (name == key) return value.get_ptr<const Json::string_t*>();
    }
    return nullptr;
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

/// Returns the type as written in JSON; empty for an unknown reply without one.
template <ToolReply T>
[[nodiscard]] constexpr std::string_view response_type_name(const T&) noexcept {
    return tool_response_detail::reply_type<T>;
}
/// @overload
[[nodiscard]] inline std::string_view response_type_name(const UnknownResponse& reply) {
    const std::string* const text = tool_response_detail::find_text(reply, "type");
    return text == nullptr ? std::string_view() : *text;
}
/// @overload
template <ToolResponseVariant R>
[[nodiscard]] std::string_view response_type_name(const R& reply) {
    return std::visit([](const auto& one) { return acta::response_type_name(one); }, reply);
}

/// Returns the type if it is one of the platform's; nothing for an unknown reply or one of your own.
template <ToolReply T>
[[nodiscard]] constexpr std::optional<ResponseType> response_type(const T&) noexcept {
    return find_response_type(tool_response_detail::reply_type<T>);
}
/// @overload
[[nodiscard]] inline std::optional<ResponseType> response_type(const UnknownResponse& reply) {
    return find_response_type(response_type_name(reply));
}
/// @overload
template <ToolResponseVariant R>
[[nodiscard]] std::optional<ResponseType> response_type(const R& reply) {
    return find_response_type(response_type_name(reply));
}

/// Returns the message; empty for an unknown reply without one. Valid as long as the reply.
template <ToolReply T>
[[nodiscard]] std::string_view message(const T& reply) noexcept {
    return reply.message;
}
/// @overload
[[nodiscard]] inline std::string_view message(const UnknownResponse& reply) {
    const std::string* const text = tool_response_detail::find_text(reply, "message");
    return text == nullptr ? std::string_view() : *text;
}
/// @overload
template <ToolResponseVariant R>
[[nodiscard]] std::string_view message(const R& reply) {
    return std::visit([](const auto& one) { return acta::message(one); }, reply);
}

/// Returns the chat session if the reply names one. Valid as long as the reply.
template <ToolReply T>
[[nodiscard]] std::optional<std::string_view> session_id(const T& reply) noexcept {
    if (!reply.session_id) return std::nullopt;
    return *reply.session_id;
}
/// @overload
[[nodiscard]] inline std::optional<std::string_view> session_id(const UnknownResponse& reply) {
    const std::string* const text = tool_response_detail::find_text(reply, "session_id");
    if (text == nullptr) return std::nullopt;
    return *text;
}
/// @overload
template <ToolResponseVariant R>
[[nodiscard]] std::optional<std::string_view> session_id(const R& reply) {
    return std::visit([](const auto& one) { return acta::session_id(one); }, reply);
}

/// Returns whether the request was not fulfilled: errors, inputs that do not fit, a missing login, a block or a
/// deletion without success, a failed run. A negative answer (nothing found, a question to the user) is not an error. A
/// reply of your own defines it by `static bool failed(const Mine&)` in its description. False for an unknown reply.
template <ToolReply T>
[[nodiscard]] bool is_error([[maybe_unused]] const T& reply) {
    if constexpr (requires { Describe<T>::failed(reply); })
        return Describe<T>::failed(reply);
    else
        return false;
}
/// @overload
[[nodiscard]] inline bool is_error(const UnknownResponse&) noexcept { return false; }
/// @overload
template <ToolResponseVariant R>
[[nodiscard]] bool is_error(const R& reply) {
    return std::visit([](const auto& one) { return acta::is_error(one); }, reply);
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
