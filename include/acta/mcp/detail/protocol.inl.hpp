// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/mcp/detail/wire.hpp"
#include "acta/mcp/json_rpc.hpp"
#include "acta/mcp/protocol.hpp"
#include "acta/schema/validator.hpp"

namespace acta::inline ACTA_ABI {

namespace mcp_detail {

ACTA_INLINE JsonObject object_member(const Json& value, std::string_view key) {
    return value.is_object() ? object_member(base::object_of(value), key) : JsonObject();
}
ACTA_INLINE JsonObject object_member(const Json::object_t& object, std::string_view key) {
    const Json* const found = base::find_key(object, key);
    return found != nullptr && found->is_object() ? JsonObject(base::object_of(*found)) : JsonObject();
}

ACTA_INLINE bool is_wanted(const mcp::Subscription& what, const mcp::Change& change) {
    switch (change.kind) {
        case mcp::Change::Kind::tools: return what.tools;
        case mcp::Change::Kind::prompts: return what.prompts;
        case mcp::Change::Kind::resources: return what.resources;
        case mcp::Change::Kind::resource: return std::ranges::find(what.uris, change.uri) != what.uris.end();
    }
    return false;
}

/// Returns whether a text is a token of RFC 9110, section 5.6.2.
ACTA_INLINE bool is_token(std::string_view text) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return ascii::is_alnum(c) || others.find(c) != std::string_view::npos;
    });
}

/// The search for `x-mcp-header` in a schema.
class HeaderSearch {
public:
    explicit HeaderSearch(const JsonObject& schema) { look(Json(schema), true); }
    std::vector<mcp::HeaderParameter> found{};

private:
    static constexpr std::string_view keyword = "x-mcp-header";

    [[noreturn]] static void refuse(std::string_view what) {
        throw mcp::ProtocolError(base::concat({"a parameter's ", keyword, " ", what}));
    }
    /// Looks in a schema, which `is_reached` by properties alone.
    void look(const Json& schema, bool is_reached) {
        if (schema.is_array())
            for (const Json& one : base::array_of(schema)) look(one, false);
        if (!schema.is_object()) return;
        for (const auto& [key, value] : base::object_of(schema)) {
            if (key == keyword) {
                add(schema, value, is_reached && !path_.empty());
            } else if (key == "properties" && value.is_object()) {
                look_in_properties(value, is_reached);
            } else if (key != "const" && key != "enum" && key != "default" && key != "examples") {
                look(value, false);
            }
        }
    }
    void look_in_properties(const Json& properties, bool is_reached) {
        for (const auto& [name, property] : base::object_of(properties)) {
            path_.push_back(name);
            look(property, is_reached);
            path_.pop_back();
        }
    }
    void add(const Json& schema, const Json& name, bool is_reached) {
        if (!name.is_string()) refuse("is not a text");
        if (!is_token(base::text_of(name))) refuse("is not a name of a header");
        if (!is_reached) refuse("is at a value that is not reached by properties alone");
        const std::string type = base::text_member(schema, "type");
        if (type != "string" && type != "integer" && type != "boolean")
            refuse("is at a value that is not a text, an integer or a boolean");
        const auto lower = [](std::string text) {
            for (char& c : text) c = ascii::to_lower(c);
            return text;
        };
        for (const mcp::HeaderParameter& other : found)
            if (lower(other.name) == lower(base::text_of(name))) refuse("is there twice");
        found.push_back({base::text_of(name), path_});
    }

    std::vector<std::string> path_{};
};

ACTA_INLINE std::optional<std::string> header_text(const Json& value) {
    constexpr std::int64_t largest = (std::int64_t{1} << 53) - 1;
    if (value.is_string()) return base::text_of(value);
    if (value.is_boolean()) return base::boolean_of(value) ? "true" : "false";
    if (!value.is_number()) return std::nullopt;
    const std::optional<std::int64_t> number = base::whole_number(value);
    if (!number || *number > largest || *number < -largest) return std::nullopt;
    return std::to_string(*number);
}

ACTA_INLINE const Json* argument_at(const JsonObject& params, const mcp::HeaderParameter& parameter) {
    const Json* value = base::find_key(params, "arguments");
    for (const std::string& name : parameter.path)
        if (value != nullptr) value = base::find_key(*value, name);
    return value;
}

ACTA_INLINE std::string header_line(std::string_view name, std::string_view text) {
    const std::string value = mcp::header_value(text);
    return value.empty() ? base::concat({name, ";"}) : base::concat({name, ": ", value});
}

ACTA_INLINE std::string_view named_by(std::string_view method) {
    if (method == "tools/call" || method == "prompts/get") return "name";
    if (method == "resources/read") return "uri";
    return {};
}

/// Returns whether a text has the form that a schema names; true for forms that are not known.
ACTA_INLINE bool has_format(std::string_view format, std::string_view text) {
    const auto is_number = [&](std::size_t at, std::size_t size) {
        return at + size <= text.size() && std::ranges::all_of(text.substr(at, size), ascii::is_digit);
    };
    const auto number = [&](std::size_t at, std::size_t size) {
        int out = 0;
        for (const char c : text.substr(at, size)) out = 10 * out + (c - '0');
        return out;
    };
    const auto is_below = [&](std::size_t at, int end) { return is_number(at, 2) && number(at, 2) < end; };
    const auto is_date = [&] {
        return is_number(0, 4) && is_number(5, 2) && is_number(8, 2) && text[4] == '-' && text[7] == '-' &&
               std::chrono::year_month_day(std::chrono::year(number(0, 4)),
                                           std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                           std::chrono::day(static_cast<unsigned>(number(8, 2))))
                   .ok();
    };
    if (format == "email") {
        const std::size_t at = text.rfind('@');
        return at != std::string_view::npos && at != 0 && at + 1 != text.size() &&
               text.find_first_of(" \t\r\n") == std::string_view::npos;
    }
    if (format == "uri") {
        const std::size_t colon = text.find(':');
        return colon != std::string_view::npos && ascii::is_alpha(text.front()) &&
               text.find_first_of(" \t\r\n<>\"") == std::string_view::npos;
    }
    if (format == "date") return text.size() == 10 && is_date();
    if (format == "date-time") {  // RFC 3339, section 5.6
        if (text.size() < 20 || !is_date() || ascii::to_lower(text[10]) != 't' || !is_below(11, 24) ||
            text[13] != ':' || !is_below(14, 60) || text[16] != ':' || !is_below(17, 61))
            return false;
        const bool has_fraction = text[19] == '.';
        if (has_fraction && !is_number(20, 1)) return false;
        const std::size_t at = has_fraction ? std::min(text.find_first_not_of("0123456789", 20), text.size()) : 19;
        const std::string_view zone = text.substr(at);
        return zone == "Z" || zone == "z" ||
               (zone.size() == 6 && (zone[0] == '+' || zone[0] == '-') && is_below(at + 1, 24) && zone[3] == ':' &&
                is_below(at + 4, 60));
    }
    return true;
}

/// Throws if a member of an accepted form has not the format of its schema, which a validator does not look at.
ACTA_INLINE void check_formats(const Json& properties, const JsonObject& content) {
    for (const auto& [name, value] : content) {
        const Json* const property = base::find_key(properties, name);
        if (property == nullptr || !value.is_string()) continue;
        const std::string format = base::text_member(*property, "format");
        if (!has_format(format, base::text_of(value)))
            throw mcp::Error("the answer does not fit the form: /" + name + ": Input should have the format '" +
                             format + "'");
    }
}

}  // namespace mcp_detail

namespace mcp {

ACTA_INLINE std::vector<HeaderParameter> header_parameters(const JsonObject& input_schema) {
    return mcp_detail::HeaderSearch(input_schema).found;
}

ACTA_INLINE std::string header_value(std::string_view text) {
    constexpr std::string_view begin = "=?base64?";
    const bool is_plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; }) &&
                          !text.starts_with(' ') && !text.ends_with(' ') &&
                          !(text.starts_with(begin) && text.ends_with("?="));
    return is_plain ? std::string(text) : base::concat({begin, base::base64(text), "?="});
}

ACTA_INLINE JsonObject complete_form(const JsonObject& requested_schema, JsonObject content) {
    const Json schema(requested_schema);
    const Json none = base::new_object();
    const Json* properties = base::find_key(schema, "properties");
    if (properties == nullptr || !properties->is_object()) properties = &none;
    for (const auto& [name, property] : base::object_of(*properties)) {
        const Json* const value = base::find_key(property, "default");
        if (value != nullptr && content.find(name) == content.end()) base::put(content, name, *value);
    }
    const Json whole(content);
    const auto issues = SchemaValidator(schema, MalformedKeywords::ignore).issues(whole, 1);
    if (!issues.empty())
        throw Error("the answer does not fit the form: " + issues.front().pointer() + ": " + issues.front().message);
    mcp_detail::check_formats(*properties, content);
    return content;
}

ACTA_INLINE ClientProtocol::ClientProtocol(ClientDeclaration declaration) : declaration_(std::move(declaration)) {
    version_ = declaration_.version.empty() ? versions.front() : std::string_view(declaration_.version);
    if (!mcp::is_stateless(version_)) state_ = State::initializing;
}

ACTA_INLINE JsonObject ClientProtocol::capabilities(std::string_view version) const {
    if (!declaration_.has_input) return {};
    Json modes = base::new_object();
    if (version >= "2025-11-25") {
        base::put(modes, "form", base::new_object());
        base::put(modes, "url", base::new_object());
    }
    JsonObject out;
    base::put(out, "elicitation", std::move(modes));
    return out;
}

ACTA_INLINE Request ClientProtocol::opening(RequestId id) const {
    Request out{std::move(id), state_ == State::initializing ? "initialize" : "server/discover", {}};
    if (state_ == State::initializing) {
        base::put(out.params, "protocolVersion", base::text_json(version_));
        base::put(out.params, "capabilities", Json(capabilities(version_)));
        base::put(out.params, "clientInfo", to_json_value(declaration_.client));
    } else {
        complete(out, false);
    }
    return out;
}

ACTA_INLINE RequestError ClientProtocol::refused(const ErrorObject& error, std::string_view method) const {
    return {base::concat({called(), " answered ", method, " with error ", std::to_string(error.code), ": ",
                          error.message.empty() ? "no reason" : error.message}),
            error};
}

ACTA_INLINE void ClientProtocol::opened(const Response& answer) {
    state_ == State::initializing ? initialized(answer) : discovered(answer);
}

ACTA_INLINE void ClientProtocol::discovered(const Response& answer) {
    if (const auto* const error = std::get_if<ErrorObject>(&answer.outcome)) {
        if (error->code == error_code::unsupported_version) {
            choose(error->data ? base::find_key(*error->data, "supported") : nullptr);
        } else if (error->code == error_code::header_mismatch || error->code == error_code::missing_capability) {
            server_.version = version_;  // a server of this era, which has not said more about itself
            state_ = State::open;
        } else if (!not_opened()) {
            throw refused(*error, "server/discover");
        }
        return;
    }
    const Json& result = std::get<Json>(answer.outcome);
    const Json* const supported = base::find_key(result, "supportedVersions");
    if (supported == nullptr || !supported->is_array()) {
        if (!not_opened()) throw ProtocolError(called() + " does not say which versions it speaks");
        return;
    }
    if (std::ranges::none_of(base::array_of(*supported), [&](const Json& one) { return base::is_text(one, version_); }))
        return choose(supported);
    const JsonObject meta = mcp_detail::object_member(result, "_meta");
    server_ = described(result, base::find_key(meta, mcp_detail::server_key));
    state_ = State::open;
}

ACTA_INLINE ServerInfo ClientProtocol::described(const Json& result, const Json* server) const {
    ServerInfo out{
        version_, {}, mcp_detail::object_member(result, "capabilities"), base::text_member(result, "instructions")};
    try {
        if (server != nullptr) out.server = validate<Implementation>(*server);
    } catch (const ValidationError&) {  // it does not say who it is
    }
    return out;
}

/// Continues with the newest revision that both sides speak.
ACTA_INLINE void ClientProtocol::choose(const Json* supported) {
    std::string named;
    const auto has = [&](std::string_view version) {
        return supported != nullptr && supported->is_array() &&
               std::ranges::any_of(base::array_of(*supported),
                                   [&](const Json& one) { return base::is_text(one, version); });
    };
    if (supported != nullptr && supported->is_array()) {
        for (const Json& one : base::array_of(*supported))
            if (one.is_string() && named.size() < 200) named += (named.empty() ? "" : ", ") + base::text_of(one);
    }
    for (const std::string_view version : versions) {
        if (!has(version) || (!declaration_.version.empty() && version != declaration_.version)) continue;
        if (version == version_ && ++refusals_ > 1) break;
        version_ = version;
        if (!mcp::is_stateless(version_)) state_ = State::initializing;
        return;
    }
    throw ProtocolError(base::concat({called(), " does not speak ",
                                      declaration_.version.empty() ? "a version that acta speaks" : version_,
                                      "; it names ", named.empty() ? "none" : named}));
}

ACTA_INLINE bool ClientProtocol::not_opened() {
    if (state_ != State::discovering || !declaration_.version.empty()) return false;
    state_ = State::initializing;
    version_ = *std::ranges::find_if_not(versions, mcp::is_stateless);
    return true;
}

ACTA_INLINE void ClientProtocol::initialized(const Response& answer) {
    if (const auto* const error = std::get_if<ErrorObject>(&answer.outcome)) throw refused(*error, "initialize");
    const Json& result = std::get<Json>(answer.outcome);
    const std::string version = base::text_member(result, "protocolVersion");
    if (mcp::is_stateless(version) || std::ranges::find(versions, version) == versions.end())
        throw ProtocolError(base::concat({called(), " answered initialize with the version '",
                                          utf8::prefix(version, 40), "', which acta does not speak"}));
    version_ = version;
    server_ = described(result, base::find_key(result, "serverInfo"));
    state_ = State::open;
}

ACTA_INLINE std::optional<Notification> ClientProtocol::after_opening() const {
    if (is_stateless()) return std::nullopt;
    return Notification{"notifications/initialized", {}};
}

ACTA_INLINE void ClientProtocol::complete(Request& request, bool wants_progress) const {
    if (!is_stateless() && !wants_progress) return;
    const auto given = request.params.find("_meta");
    const bool is_given = given != request.params.end();
    Json meta = is_given && given->second.is_object() ? std::move(given->second) : base::new_object();
    if (is_stateless()) {
        base::assign(meta, mcp_detail::version_key, base::text_json(version_));
        base::assign(meta, mcp_detail::capabilities_key, Json(capabilities(version_)));
        base::assign(meta, mcp_detail::client_key, to_json_value(declaration_.client));
        if (!declaration_.log_level.empty())
            base::assign(meta, mcp_detail::log_level_key, base::text_json(declaration_.log_level));
    }
    if (wants_progress) base::assign(meta, "progressToken", mcp_detail::id_json(request.id));
    if (is_given)
        given->second = std::move(meta);
    else
        base::put(request.params, "_meta", std::move(meta));
}

ACTA_INLINE std::vector<std::string> ClientProtocol::headers(const Message& message,
                                                             const std::vector<HeaderParameter>& parameters) const {
    std::vector<std::string> out;
    const std::string& version = is_open() ? server_.version : version_;
    if (is_stateless() || (is_open() && version >= "2025-06-18")) out.push_back("MCP-Protocol-Version: " + version);
    if (!is_stateless()) return out;
    const auto* const request = std::get_if<Request>(&message);
    if (request == nullptr) {
        if (const auto* const notification = std::get_if<Notification>(&message))
            out.push_back("Mcp-Method: " + notification->method);
        return out;
    }
    out.push_back("Mcp-Method: " + request->method);
    if (const std::string_view key = mcp_detail::named_by(request->method); !key.empty())
        out.push_back(mcp_detail::header_line("Mcp-Name", base::text_member(request->params, key)));
    for (const HeaderParameter& parameter : parameters) {
        const Json* const value = mcp_detail::argument_at(request->params, parameter);
        if (value == nullptr) continue;
        if (const std::optional<std::string> text = mcp_detail::header_text(*value))
            out.push_back(mcp_detail::header_line("Mcp-Param-" + parameter.name, *text));
    }
    return out;
}

ACTA_INLINE InputRequest ClientProtocol::input_request(const Json& params) const {
    if (!declaration_.has_input)
        throw ProtocolError(called() + " asks for a person's input, and this client has no on_input");
    try {
        InputRequest out = validate<InputRequest>(params);
        if (out.mode != "form" && out.mode != "url")
            throw ProtocolError(called() + " asks for input in an unknown mode '" + out.mode + "'");
        return out;
    } catch (const ValidationError& error) {
        throw ProtocolError(called() + " asks for input in an unknown way: " + error.what());
    }
}

ACTA_INLINE std::variant<Json, InputRequired> ClientProtocol::result(std::string_view method, Response answer) const {
    if (auto* const error = std::get_if<ErrorObject>(&answer.outcome)) {
        const Json* const asked = error->code == error_code::url_elicitation_required && !is_stateless() && error->data
                                      ? base::find_key(*error->data, "elicitations")
                                      : nullptr;
        if (asked == nullptr || !asked->is_array() || asked->empty()) throw refused(*error, method);
        InputRequired out;
        out.is_answered = false;
        for (const Json& one : base::array_of(*asked)) out.requests.emplace_back("", input_request(one));
        return out;
    }
    Json& result = std::get<Json>(answer.outcome);
    if (!result.is_object())
        throw ProtocolError(base::concat({called(), " answered ", method, " with a result that is not an object"}));
    const Json* const type = is_stateless() ? base::find_key(result, "resultType") : nullptr;
    if (type == nullptr || base::is_text(*type, "complete")) return std::move(result);
    if (!base::is_text(*type, "input_required") || mcp_detail::named_by(method).empty())
        throw ProtocolError(base::concat({called(), " answered ", method, " with a result of the type ",
                                          utf8::prefix(dump(*type), 40), ", which it cannot have"}));
    InputRequired out;
    if (const Json* const state = base::find_key(result, "requestState"); state != nullptr && state->is_string())
        out.state = base::text_of(*state);
    for (const auto& [key, request] : mcp_detail::object_member(result, "inputRequests")) {
        const std::string wanted = base::text_member(request, "method");
        if (wanted != "elicitation/create")
            throw ProtocolError(base::concat(
                {called(), " asks for '", utf8::prefix(wanted, 40), "', which this client does not offer"}));
        out.requests.emplace_back(key, input_request(Json(mcp_detail::object_member(request, "params"))));
    }
    if (out.requests.empty() && !out.state)
        throw ProtocolError(base::concat({called(), " answered ", method, " with a request for no input at all"}));
    return out;
}

ACTA_INLINE JsonObject ClientProtocol::answer(const InputRequest& request, InputAnswer answer) {
    if (answer.action == InputAnswer::Action::accept && request.mode == "form")
        answer.content = complete_form(request.requested_schema, std::move(answer.content));
    else
        answer.content.clear();
    Json out = to_json_value(answer);
    if (answer.action == InputAnswer::Action::accept && request.mode == "form" && answer.content.empty())
        base::put(out, "content", base::new_object());
    return JsonObject(std::move(out.get_ref<Json::object_t&>()));
}

ACTA_INLINE void ClientProtocol::add_input(JsonObject& params, const InputRequired& required,
                                           const std::vector<InputAnswer>& answers) {
    const auto erase = [&](std::string_view key) {
        if (const auto found = params.find(std::string(key)); found != params.end()) params.erase(found);
    };
    erase("inputResponses");
    erase("requestState");
    if (!required.is_answered) return;
    Json::object_t responses;
    for (std::size_t i = 0; i < required.requests.size() && i < answers.size(); ++i)
        base::put(responses, required.requests[i].first, Json(answer(required.requests[i].second, answers[i])));
    if (!responses.empty()) base::put(params, "inputResponses", Json(std::move(responses)));
    if (required.state) base::put(params, "requestState", base::text_json(*required.state));
}

ACTA_INLINE std::variant<Response, InputRequest> ClientProtocol::asked(const Request& request) const {
    if (request.method == "ping") return Response{request.id, base::new_object()};
    const auto refuse = [&](int code, std::string message) {
        return Response{request.id, ErrorObject{code, std::move(message), std::nullopt}};
    };
    if (request.method != "elicitation/create" || is_stateless() || !declaration_.has_input)
        return refuse(error_code::method_not_found, "The client does not offer this method");
    try {
        return input_request(Json(request.params));
    } catch (const ProtocolError& error) {
        return refuse(error_code::invalid_params, error.what());
    }
}

}  // namespace mcp
}  // namespace acta::inline ACTA_ABI
