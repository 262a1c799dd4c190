// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/retry.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/http/http.hpp"
#include "acta/version.hpp"

// Needs libcurl: link acta::client.

// The options of a client, checked once and prepared for requests.
namespace acta::inline ACTA_ABI::provider_detail {

/// The destination of requests.
struct Endpoint {
    std::string url{};
    std::string shown_url{};  ///< Without a query, which may hold a key.
    std::string host{};
    std::vector<std::string> headers{};
    http::Secrets secrets{};
};

/// The options that all clients have, and what differs in their use.
struct Settings {
    std::string base_url{};
    std::string path{};  ///< Of the requests, below the base URL.
    std::string model{};
    std::optional<std::string> api_key{};
    const char* key_variable = "";  ///< The key's place in the environment.
    const char* key_header = "";    ///< The name of the header with the key.
    std::string_view key_prefix{};  ///< Before the key in it.
    const char* options_name = "";  ///< Of the class, for messages.
    std::vector<std::pair<std::string, std::string>> own_headers{};
    std::vector<std::pair<std::string, std::string>> headers{};
    JsonObject extra{};
    std::chrono::milliseconds connect_timeout{};
    std::chrono::milliseconds timeout{};
    std::size_t max_response_bytes = 0;
    RetryOptions retry{};
    std::string ca_file{};
};

/// Takes over the members that all options have.
template <class Options>
[[nodiscard]] Settings settings_of(const Options& options) {
    Settings out;
    out.base_url = options.base_url;
    out.model = options.model;
    out.api_key = options.api_key;
    out.headers = options.headers;
    out.extra = options.extra;
    out.connect_timeout = options.connect_timeout;
    out.timeout = options.timeout;
    out.max_response_bytes = options.max_response_bytes;
    out.retry = options.retry;
    out.ca_file = options.ca_file;
    return out;
}

[[nodiscard]] inline std::string lower_case(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

/// Returns a header line. Refuses anything longer than one line (RFC 9110, section 5), without showing the value.
[[nodiscard]] inline std::string header_line(const std::string& name, const std::string& value) {
    constexpr std::string_view letters =
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (name.empty() || name.find_first_not_of(letters) != std::string::npos)
        throw ChatModelError::configuration("the name of a header contains a character that is not allowed");
    const auto bad = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; };
    const auto found = std::find_if(value.begin(), value.end(), bad);
    if (found != value.end()) {
        throw ChatModelError::configuration("the value of the header " + name + " has a control character at byte " +
                                            std::to_string(found - value.begin()) + ", which is not allowed");
    }
    return value.find_first_not_of(" \t") == std::string::npos ? name + ";" : name + ": " + value;
}

/// Returns whether a header of this name, in lower case, is likely to hold a secret.
[[nodiscard]] inline bool is_secret_header(const std::string& lower_name) {
    for (const char* part : {"auth", "key", "token", "secret", "cookie"}) {
        if (lower_name.find(part) != std::string::npos) return true;
    }
    return false;
}

/// Returns the host of a URL; empty if it is not valid.
[[nodiscard]] inline std::string host_of(const std::string& url) {
    const std::optional<http::Url> read = http::Url::parse(url);
    return read ? read->host() : std::string();
}

/// Sets the destination of requests, and returns the scheme.
[[nodiscard]] inline std::string set_url(Endpoint& endpoint, const Settings& options) {
    std::optional<http::Url> url = http::Url::parse(options.base_url);
    // The URL is not shown, since it may contain a key.
    if (!url)
        throw ChatModelError::configuration(
            "the base URL is not valid: it must begin with http:// or https:// and have a host");
    std::string scheme = url->scheme();
    if (scheme != "http" && scheme != "https")
        throw ChatModelError::configuration("the base URL must begin with http:// or https://");
    if (url->has_credentials())
        throw ChatModelError::configuration("the base URL has a user or a password in it; give a header instead");
    std::string path = url->path();
    while (path.ends_with('/')) path.pop_back();
    if (!path.ends_with(options.path)) path += options.path;
    url->set_path(path);
    url->drop_fragment();
    endpoint.host = url->host();
    endpoint.url = url->text();
    url->drop_query();
    endpoint.shown_url = url->text();
    return scheme;
}

inline void add_extra_headers(Endpoint& endpoint, const Settings& options, bool& authorized) {
    for (const auto& [name, value] : options.headers) {
        const std::string lower = lower_case(name);
        for (const char* own : {"content-length", "transfer-encoding", "content-type", "host", "expect"}) {
            if (lower == own)
                throw ChatModelError::configuration("the header " + name + " is set by the client itself");
        }
        endpoint.headers.push_back(header_line(name, value));
        if (lower == "authorization" || lower == lower_case(options.key_header)) authorized = true;
        if (!is_secret_header(lower)) continue;
        endpoint.secrets.add(value);
        endpoint.secrets.add(std::string_view(value).substr(value.find_last_of(' ') + 1));  // after "Bearer"
    }
}

inline void add_key(Endpoint& endpoint, const Settings& options, const std::string& scheme) {
    std::optional<std::string> key = options.api_key;
    if (!key) {
        key = http::environment(options.key_variable);
        if (key && !key->empty() && scheme == "http" && !http::is_this_machine(endpoint.host)) {
            throw ChatModelError::configuration(
                std::string("the key of ") + options.key_variable + " does not go to " + endpoint.shown_url +
                ", over plain http: give it as " + options.options_name +
                "::api_key where it is meant for that server, or an empty text where the server needs none");
        }
    }
    if (!key || key->empty()) return;
    const auto bad = [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) > 0x7E;
    };
    const auto found = std::find_if(key->begin(), key->end(), bad);
    if (found != key->end()) {
        throw ChatModelError::configuration("the API key has a blank, a line break or another character at byte " +
                                            std::to_string(found - key->begin()) + " that is not allowed in a key");
    }
    endpoint.secrets.add(*key);
    endpoint.headers.push_back(header_line(options.key_header, std::string(options.key_prefix) + *key));
}

/// Checks the options. Throws `ChatModelError` of fault `configuration`, which contains no secret.
[[nodiscard]] inline Endpoint make_endpoint(const Settings& options) {
    Endpoint endpoint;
    const std::string scheme = set_url(endpoint, options);
    endpoint.headers = {"Content-Type: application/json", "Accept: application/json, text/event-stream",
                        std::string("User-Agent: acta/") + version};
    bool authorized = false;
    add_extra_headers(endpoint, options, authorized);
    if (!authorized) add_key(endpoint, options, scheme);
    for (const auto& [name, value] : options.own_headers) {
        if (!value.empty()) endpoint.headers.push_back(header_line(name, value));
    }
    for (const char* own : {"messages", "input", "stream"}) {
        if (options.extra.find(own) != options.extra.end())
            throw ChatModelError::configuration(std::string(options.options_name) + "::extra cannot have '" + own +
                                                "'");
    }
    if (options.timeout.count() <= 0 || options.connect_timeout.count() <= 0)
        throw ChatModelError::configuration("a timeout must be positive");
    if (options.retry.max_attempts < 1) throw ChatModelError::configuration("there must be at least one attempt");
    return endpoint;
}

}  // namespace acta::inline ACTA_ABI::provider_detail

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

// The names of tools in a request, which every API restricts in the same way.
namespace acta::inline ACTA_ABI::provider_detail {

/// Returns the names of all tools of a request, including those of earlier calls, in a form that the API accepts.
[[nodiscard]] inline ToolNames tool_names(std::span<const ChatMessage> messages, const ChatOptions& options) {
    std::vector<std::string> names;
    std::set<std::string_view> known;
    const auto add = [&](const std::string& name) {
        if (known.insert(name).second) names.push_back(name);
    };
    for (const ToolDefinition& tool : options.tools) add(tool.name);
    for (const ChatMessage& message : messages) {
        for (const AssistantToolCall& call : message.tool_calls) add(call.function.name);
    }
    return ToolNames(names);
}

/// The messages of a request with the names of tools that the API accepts.
class Renamed {
public:
    Renamed(std::span<const ChatMessage> messages, const ToolNames& names) : messages_(messages) {
        const auto is_legal = [](const AssistantToolCall& call) { return ToolNames::is_legal(call.function.name); };
        if (std::ranges::all_of(messages, [&](const ChatMessage& message) {
                return std::ranges::all_of(message.tool_calls, is_legal);
            }))
            return;
        changed_.assign(messages.begin(), messages.end());
        for (ChatMessage& message : changed_) {
            for (AssistantToolCall& call : message.tool_calls) call.function = names.to_tool(std::move(call.function));
        }
        messages_ = changed_;
    }
    Renamed(const Renamed&) = delete;
    Renamed& operator=(const Renamed&) = delete;
    ~Renamed() = default;

    [[nodiscard]] std::span<const ChatMessage> messages() const noexcept { return messages_; }

private:
    std::vector<ChatMessage> changed_{};
    std::span<const ChatMessage> messages_;
};

}  // namespace acta::inline ACTA_ABI::provider_detail

// What differs between the APIs of providers; the rest is acta/provider/http_chat_model.hpp.
namespace acta::inline ACTA_ABI::provider_detail {

/// Assembles the events of a stream into the body that would have come without streaming.
class StreamedBody {
public:
    StreamedBody() = default;
    StreamedBody(const StreamedBody&) = delete;
    StreamedBody& operator=(const StreamedBody&) = delete;
    virtual ~StreamedBody() = default;

    /// Adds an event and returns the new part of the text. Throws `ChatModelError` (`reply`).
    virtual std::string add(const Json& event) = 0;
    /// Returns whether the answer is there; more may follow, such as its usage.
    [[nodiscard]] virtual bool is_finished() const noexcept = 0;
    /// Returns whether nothing follows.
    [[nodiscard]] virtual bool is_complete() const noexcept { return false; }
    /// Returns the body of the answer.
    [[nodiscard]] virtual Json take() = 0;
};

/// Writes the requests of one API and reads its answers.
class Api {
public:
    Api() = default;
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;
    virtual ~Api() = default;

    /// Returns the body of a request. `names` has every name of a tool in the messages and the options.
    [[nodiscard]] virtual std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                                   const ToolNames& names) const = 0;
    /// Returns the completion in the body of an answer. Throws `ChatModelError` (`reply`) if there is none.
    [[nodiscard]] virtual ChatCompletion read(const Json& body, const ParseOptions& options) const = 0;
    [[nodiscard]] virtual std::unique_ptr<StreamedBody> new_stream() const = 0;
};

}  // namespace acta::inline ACTA_ABI::provider_detail
