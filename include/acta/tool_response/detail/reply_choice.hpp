// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/describe/introspection.hpp"
#include "acta/json/codec.hpp"
#include "acta/tool_response/operations.hpp"
#include "acta/tool_response/reply.hpp"

// Selects the member of a variant of replies for a reply, and reads it as that.
namespace acta::inline ACTA_ABI {

namespace tool_response_detail {

/// The members of a variant of replies. Indices of missing members are the number of members.
struct ReplyMembers {
    std::span<const std::string_view> types;  // empty of UnknownResponse
    std::size_t started;
    std::size_t asynchronous;
    std::size_t unknown;
};

/// The findings of one pass over a reply's own keys. If a key repeats, its last value counts.
struct ReplyPreview {
    bool has_type = false;
    bool type_is_text = false;
    std::string type{};
    bool accepted = false;
    bool has_operation = false;  // its id, and not null
    bool has_tool = false;
};

ReplyPreview preview_reply(codec::Decoder& d);

/// Returns the member for a type, or the number of members. The two replies that share a type are distinguished by
/// their keys: an operation of the platform's own has its id and the tool's name, one that was handed over says
/// `accepted`.
std::size_t member_of(const ReplyMembers& members, const ReplyPreview& preview);

/// Returns the member indicated by the first key, if that is `type` and leaves no doubt; else the number of members.
std::size_t guess_reply(codec::Decoder& d, const ReplyMembers& members);

std::string expected_types(const ReplyMembers& members);

/// Reads a reply: in one pass if it begins with `type`, as servers write it; else after a first pass over its keys.
void decode_reply(codec::Decoder& d, const ReplyMembers& members, std::span<const codec::Alternative> alternatives,
                  void* variant);

template <class T>
consteval bool is_reply_member() {
    return ToolReply<T> || std::same_as<T, UnknownResponse>;
}

/// Returns whether no two members have the same type, except the two that may.
template <class... T>
consteval bool types_are_distinct() {
    constexpr std::array<std::string_view, sizeof...(T)> types{reply_type<T>...};
    constexpr std::array<bool, sizeof...(T)> asynchronous{std::same_as<T, AsyncProcessingResponse>...};
    constexpr std::array<bool, sizeof...(T)> started{std::same_as<T, OperationStartedResponse>...};
    for (std::size_t i = 0; i < types.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const bool may = (asynchronous[i] && started[j]) || (started[i] && asynchronous[j]);
            if (types[i] == types[j] && !may) return false;
        }
    }
    return true;
}

template <class T, class... All>
consteval std::size_t index_of() {
    std::size_t i = 0;
    std::size_t found = sizeof...(All);
    ((found = std::same_as<T, All> ? i : found, ++i), ...);
    return found;
}

}  // namespace tool_response_detail

/// A variant of replies. Its `tag` is the key that the schema requires of each member.
template <class... T>
    requires(std::same_as<T, UnknownResponse> || ...)
struct Describe<std::variant<T...>> {
    static constexpr std::string_view name = "ToolResponse";
    static constexpr std::string_view tag = "type";

    static void decode(codec::Decoder& d, std::variant<T...>& out) {
        static_assert((tool_response_detail::is_reply_member<T>() && ...),
                      "acta: a reply of your own needs the members `std::string message{}` and "
                      "`std::optional<std::string> session_id{}` and a description that begins with "
                      "acta::response_fields<Mine>(\"its type\")");
        static_assert(tool_response_detail::types_are_distinct<T...>(),
                      "acta: two replies of this variant have the same type: give your own a type of its own");
        static constexpr std::array<std::string_view, sizeof...(T)> types{tool_response_detail::reply_type<T>...};
        static constexpr tool_response_detail::ReplyMembers members{
            types, tool_response_detail::index_of<OperationStartedResponse, T...>(),
            tool_response_detail::index_of<AsyncProcessingResponse, T...>(),
            tool_response_detail::index_of<UnknownResponse, T...>()};
        tool_response_detail::decode_reply(d, members, codec::alternatives<std::variant<T...>>, &out);
    }
};

namespace tool_response_detail {

template <class Variant>
inline constexpr auto reply_titles = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<std::string (*)(), sizeof...(I)>{
        &introspection::type_title<std::variant_alternative_t<I, Variant>>...};
}(std::make_index_sequence<std::variant_size_v<Variant>>{});

/// Reads with `read(out)`. Exceptions name the reply that was being read, if it was known by then: `out` holds it.
template <ToolResponseVariant R, class Read>
R read_reply(const Read& read) {
    R out{UnknownResponse{}};
    try {
        read(out);
    } catch (const ValidationError& error) {
        if (std::holds_alternative<UnknownResponse>(out)) throw;
        const auto issues = error.issues();
        throw ValidationError(reply_titles<R>[out.index()](), std::vector<Issue>(issues.begin(), issues.end()),
                              error.truncated());
    }
    return out;
}

}  // namespace tool_response_detail

}  // namespace acta::inline ACTA_ABI
