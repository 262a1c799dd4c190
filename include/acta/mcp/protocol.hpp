// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/mcp/json_rpc.hpp"
#include "acta/mcp/values.hpp"
#include "acta/version.hpp"

// The Model Context Protocol without I/O: what a client sends, and what an answer means. There are two eras. Revision
// 2026-07-28 is stateless: every request says in `_meta` which revision it is of. Before it, a session begins with
// `initialize`.
namespace acta::inline ACTA_ABI::mcp {

/// The revisions that acta speaks, the newest first.
inline constexpr std::array<std::string_view, 5> versions{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26",
                                                          "2024-11-05"};

/// Returns whether a revision is stateless, which those from 2026 on are.
[[nodiscard]] constexpr bool is_stateless(std::string_view version) noexcept { return version >= "2026"; }

/// A server or client did not do what was asked of it; `what()` names the server.
class Error : public acta::Error {
public:
    using acta::Error::Error;
};

/// The server could not be reached, or the connection to it broke. Whether a request that was on its way has had an
/// effect is unknown.
class ConnectionError : public mcp::Error {
public:
    using mcp::Error::Error;
};

/// The server answered what the protocol does not have, or asks for what this client does not offer.
class ProtocolError : public mcp::Error {
public:
    using Error::Error;
};

/// The server answered a request with an error.
class RequestError : public mcp::Error {
public:
    /// An error whose `what()` is `message`.
    RequestError(const std::string& message, ErrorObject error) : Error(message), error_(std::move(error)) {}
    /// Returns the error as the server sent it.
    [[nodiscard]] const ErrorObject& error() const noexcept { return error_; }

private:
    ErrorObject error_;
};

/// What a server says about itself.
struct ServerInfo {
    std::string version{};       ///< The revision of the protocol that is spoken with it.
    Implementation server{};     ///< The program; its name is empty if it does not say.
    JsonObject capabilities{};   ///< What it offers, such as `tools`.
    std::string instructions{};  ///< How to use it, for a model, in the server's words. Not in any prompt by itself.
};

/// A parameter of a tool that a request over HTTP has in a header too (`x-mcp-header`).
struct HeaderParameter {
    std::string name{};               ///< The header is `Mcp-Param-` and this.
    std::vector<std::string> path{};  ///< The names of the properties that lead to the value.

    friend bool operator==(const HeaderParameter&, const HeaderParameter&) = default;
};

/// Returns the parameters of a tool that have headers, in the order of its schema. Throws `ProtocolError` if one is not
/// valid: a name that is not a token of RFC 9110 or is there twice, a value that may be anything but a text, an integer
/// or a boolean, or one that is not reached by `properties` alone.
[[nodiscard]] std::vector<HeaderParameter> header_parameters(const JsonObject& input_schema);

/// Returns a text as the value of a header: as it is, or as `=?base64?…?=` if it has anything but visible ASCII and
/// inner blanks, or looks like that form.
[[nodiscard]] std::string header_value(std::string_view text);

/// Returns the content of an accepted form: what is missing has its default by the schema. Throws `Error` if the result
/// does not fit the schema.
[[nodiscard]] JsonObject complete_form(const JsonObject& requested_schema, JsonObject content);

/// A server needs input before it can answer a request.
struct InputRequired {
    /// What it asks for, each under the name that its answer is given by; may be empty.
    std::vector<std::pair<std::string, InputRequest>> requests{};
    std::optional<std::string> state{};  ///< Returned to the server as it is.
    /// Whether the answers are sent with the request when it is repeated. Not for a URL that 2025-11-25 has a person
    /// open first (`error_code::url_elicitation_required`).
    bool is_answered = true;
};

/// What a client sends with each request, and what it declares.
struct ClientDeclaration {
    std::string name{};       ///< The name of the server, for messages of errors.
    Implementation client{};  ///< This program.
    bool has_input = false;   ///< Whether a person can be asked.
    std::string version{};    ///< The one revision to speak; empty for the newest that the server has.
    std::string log_level{};  ///< The least level of what a server of 2026 reports; empty for nothing.
};

/// The client's side of the protocol. First `opening` and what is said about its answer are repeated until `is_open`;
/// then the other members may be called.
class ClientProtocol {
public:
    /// Begins with nothing known about the server.
    explicit ClientProtocol(ClientDeclaration declaration);

    /// Returns whether requests can be sent.
    [[nodiscard]] bool is_open() const noexcept { return state_ == State::open; }
    /// Returns the request that finds out about the server, or begins a session.
    [[nodiscard]] Request opening(RequestId id) const;
    /// Takes the answer to it. Throws `ProtocolError` and `RequestError` if that ends the attempt.
    void opened(const Response& answer);
    /// There was no answer, or none in this protocol. Returns whether an older revision is tried now, for which a
    /// server that is a process is restarted.
    [[nodiscard]] bool not_opened();
    /// Returns what is sent once after the opening, if anything is.
    [[nodiscard]] std::optional<Notification> after_opening() const;

    /// Returns what is known of the server.
    [[nodiscard]] const ServerInfo& server() const noexcept { return server_; }
    /// Returns whether the revision that is spoken, or tried, is stateless.
    [[nodiscard]] bool is_stateless() const noexcept {
        return is_open() ? mcp::is_stateless(server_.version) : state_ == State::discovering;
    }

    /// Adds to a request what each one has in `_meta`, and its id as its `progressToken` if progress is wanted.
    void complete(Request& request, bool wants_progress) const;
    /// Returns the headers of a message over HTTP; those of a call of a tool follow from its schema too.
    [[nodiscard]] std::vector<std::string> headers(const Message& message,
                                                   const std::vector<HeaderParameter>& parameters = {}) const;

    /// Returns the result of a request, or what input the server needs for it. Throws `RequestError` and
    /// `ProtocolError`.
    [[nodiscard]] std::variant<Json, InputRequired> result(std::string_view method, Response answer) const;
    /// Adds the answers, and the server's state, to the parameters of a request that is repeated.
    static void add_input(JsonObject& params, const InputRequired& required, const std::vector<InputAnswer>& answers);

    /// Returns the answer to a request of the server, or what it asks a person for.
    [[nodiscard]] std::variant<Response, InputRequest> asked(const Request& request) const;
    /// Returns the answer to a request of the server that asked a person. Throws `Error` if it does not fit the form.
    [[nodiscard]] static JsonObject answer(const InputRequest& request, InputAnswer answer);

private:
    enum class State { discovering, initializing, open };

    [[nodiscard]] JsonObject capabilities(std::string_view version) const;
    [[nodiscard]] std::string called() const { return "the server '" + declaration_.name + "'"; }
    [[nodiscard]] RequestError refused(const ErrorObject& error, std::string_view method) const;
    void discovered(const Response& answer);
    void initialized(const Response& answer);
    [[nodiscard]] ServerInfo described(const Json& result, const Json* server) const;
    void choose(const Json* supported);
    [[nodiscard]] InputRequest input_request(const Json& params) const;

    ClientDeclaration declaration_;
    State state_ = State::discovering;
    std::string version_{};  // the one that is tried
    int refusals_ = 0;       // of this one
    ServerInfo server_{};
};

}  // namespace acta::inline ACTA_ABI::mcp

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/protocol.inl.hpp"
#endif
