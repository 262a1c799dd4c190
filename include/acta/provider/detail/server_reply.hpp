// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/base/utf8.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/parse.hpp"
#include "acta/provider/http/secrets.hpp"

// What servers answer, whatever API they have.
namespace acta::inline ACTA_ABI::provider_detail {

[[noreturn]] inline void throw_reply(const std::string& message) {
    throw ChatModelError("the answer is not a completion: " + message, {.fault = ChatModelFault::reply});
}

/// Throws the same for the first issue of a message, whose place is below `path`.
[[noreturn]] inline void throw_reply(const std::string& path, const ValidationError& error) {
    const Issue& first = error.issues().front();
    throw_reply(path + codec::loc_as_dots(first.loc) + ": " + first.message);
}

/// Returns the member of an object, or a null pointer if there is none or it is null.
[[nodiscard]] inline const Json* member(const Json& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

[[nodiscard]] inline std::string text_member(const Json& object, std::string_view key) {
    const Json* const found = member(object, key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

/// Returns a text of a server in a form that fits into one line of a message: UTF-8, no control characters, not too
/// long.
[[nodiscard]] inline std::string quoted_text(std::string_view text) {
    constexpr std::size_t longest = 1000;
    const std::string clean = utf8::replace_invalid(text.substr(0, longest * 2));
    std::string out(utf8::prefix(clean, longest));
    for (char& c : out) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    return out.size() < text.size() ? out + "..." : out;
}

/// Returns a count of tokens; 0 if it is none.
[[nodiscard]] inline std::int64_t count_member(const Json& object, std::string_view key) {
    const Json* const found = member(object, key);
    if (found == nullptr || !found->is_number_integer()) return 0;
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    const bool fits = !found->is_number_unsigned() || found->get<std::uint64_t>() <= most;
    return fits ? found->get<std::int64_t>() : 0;
}

/// Returns the same of a member of a member; nothing if there is none.
[[nodiscard]] inline std::optional<std::int64_t> detail_count(const Json& object, std::string_view of,
                                                              std::string_view key) {
    const Json* const details = member(object, of);
    if (details == nullptr || member(*details, key) == nullptr) return std::nullopt;
    return count_member(*details, key);
}

/// Returns the beginning of a text, for an error. Secrets are hidden first: a truncated one would not be recognised.
[[nodiscard]] inline std::string beginning(std::string_view text, const http::Secrets& secrets) {
    constexpr std::size_t longest = 200;
    return quoted_text(secrets.hide(std::string(text)).substr(0, longest));
}

/// Parses JSON. Throws `ChatModelError` (`reply`) with the beginning of a text that is not JSON.
[[nodiscard]] inline Json read_body(std::string_view text, const ParseOptions& options,
                                    const http::Secrets& secrets = {}) {
    try {
        return parse<Json>(text, options);
    } catch (const ValidationError& error) {
        const std::string why = error.issues().empty() ? std::string() : error.issues().front().message;
        throw_reply(why + "; it begins with \"" + beginning(text, secrets) + "\"");
    }
}

/// Returns whether a request that failed with this status may succeed later. RFC 9110: 408, 429, 502 to 504 are
/// temporary by their nature; 409 is a lock of the server that timed out, and other 5xx are treated alike by OpenAI's
/// own clients.
[[nodiscard]] constexpr bool is_transient_status(int status) noexcept {
    return status == 408 || status == 409 || status == 429 || (status >= 500 && status <= 599);
}

/// A server's report of an error: `error` with `message`, `type` and `code` (text or number), a text alone, or another
/// server's `message` or `detail`. Empty if it reports nothing.
struct ServerError {
    std::string message{};
    std::string code{};
    std::string type{};
};

[[nodiscard]] inline std::string code_text(const Json* code) {
    if (code == nullptr) return {};
    if (code->is_string()) return code->get<std::string>();
    return code->is_number() ? code->dump() : std::string();
}

[[nodiscard]] inline ServerError server_error(const Json& body) {
    ServerError out;
    const Json* const error = member(body, "error");
    if (error != nullptr && error->is_string()) out.message = error->get<std::string>();
    const Json& from = error != nullptr && error->is_object() ? *error : body;
    for (const char* key : {"message", "detail", "error_msg"}) {
        if (out.message.empty()) out.message = text_member(from, key);
    }
    out.code = code_text(member(from, "code"));
    out.type = text_member(from, "type");
    return out;
}

/// Returns whether a server refused a request because the model cannot read so many tokens: OpenAI's code, llama.cpp's
/// type, and what these, vLLM, llama-cpp-python and Anthropic say where neither is sent.
[[nodiscard]] inline bool is_context_too_long(const ServerError& error) {
    if (error.code == "context_length_exceeded" || error.type == "exceed_context_size_error") return true;
    constexpr std::array<std::string_view, 6> sayings = {
        "maximum context length",         "prompt is too long",
        "exceed context limit",           "exceed context window",
        "context size has been exceeded", "exceeds the available context size"};
    return std::ranges::any_of(sayings, [&](std::string_view one) {
        return std::ranges::search(error.message, one, {}, ascii::to_lower).begin() != error.message.end();
    });
}

/// Such a request fails again, whatever its status: older llama.cpp's is 500. A rate limit in tokens is no such thing.
inline void mark_context_too_long(ChatModelFailure& failure, const ServerError& error) {
    if (failure.status == 429 || !is_context_too_long(error)) return;
    failure.fault = ChatModelFault::context_too_long;
    failure.is_transient = false;
}

/// Reads the same from an answer with an error status, whose body need not be JSON.
[[nodiscard]] inline ServerError server_error_text(std::string_view text, const ParseOptions& options,
                                                   const http::Secrets& secrets = {}) {
    try {
        const ServerError error = server_error(parse<Json>(text, options));
        if (!error.message.empty()) return error;
    } catch (const ValidationError&) {
    }
    return {beginning(text, secrets), {}, {}};
}

}  // namespace acta::inline ACTA_ABI::provider_detail
