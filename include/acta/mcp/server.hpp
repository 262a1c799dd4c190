// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/callback.hpp"
#include "acta/base/duration.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/mcp/json_rpc.hpp"
#include "acta/mcp/protocol.hpp"
#include "acta/mcp/result.hpp"
#include "acta/mcp/values.hpp"
#include "acta/skill/registry.hpp"
#include "acta/version.hpp"

// A server of the Model Context Protocol, without I/O (docs/mcp.md). acta/mcp/serve.hpp serves it.
namespace acta::inline ACTA_ABI::mcp {

/// A question of a server to its client: what it asks for, and under which name the answer is kept.
struct Question {
    std::string key{};     ///< Different from those of the other questions of one request.
    std::string method{};  ///< `elicitation/create`, `sampling/createMessage` or `roots/list`.
    JsonObject params{};   ///< As the method has them.

    friend bool operator==(const Question&, const Question&) = default;
};

namespace server_detail {
class Call;
class State;
class SessionState;
class HttpState;
}  // namespace server_detail

/// The request of a client, as the function that answers it sees it. Functions of prompts and resources get it as an
/// argument, and those of skills by `of`.
///
/// What is asked of the client is answered before 2026 while the function waits. A client of 2026 sends the request
/// once more with the answers, and the function is called again from its start, so that it should ask before it has
/// any effect; the exception that ends the first call is `InputNeeded`, which is not to be caught.
class ServerContext : public OuterRun {
public:
    /// Returns the request of the client that a skill is called for; null if it is called otherwise.
    [[nodiscard]] static ServerContext* of(const SkillContext& context) noexcept;

    /// Asks a person. Throws `MissingCapability` if the client does not offer that.
    [[nodiscard]] InputAnswer elicit(std::string_view key, const InputRequest& request);
    /// Asks for what any method returns, and returns its result. Throws `MissingCapability`, and `RequestError` if the
    /// client refuses.
    [[nodiscard]] JsonObject ask(const Question& question);
    /// The same for several questions at once, in their order.
    [[nodiscard]] std::vector<JsonObject> ask_all(const std::vector<Question>& questions);
    /// Returns whether the client offers this, such as `sampling`.
    [[nodiscard]] bool client_offers(std::string_view capability) const noexcept;

    /// Tells the client how far the request is, if it wants to know. What is less than before is not sent.
    void report_progress(const SkillProgress& progress);
    /// Tells the client something (`notifications/message`), if it wants to know what has this level.
    void log(const LogMessage& message);

    /// What ends the request.
    [[nodiscard]] const Until& until() const noexcept;
    /// Returns the revision that the client speaks.
    [[nodiscard]] const std::string& version() const noexcept;

private:
    friend class server_detail::Call;
    explicit ServerContext(server_detail::Call& call) : OuterRun(Kind::request), call_(call) {}
    server_detail::Call& call_;
};

/// A client does not offer what is asked of it.
class MissingCapability : public mcp::Error {
public:
    /// An error about this capability.
    explicit MissingCapability(std::string capability)
        : Error("the client does not offer " + capability), capability_(std::move(capability)) {}
    /// Returns its name, such as `sampling`.
    [[nodiscard]] const std::string& capability() const noexcept { return capability_; }

private:
    std::string capability_;
};

/// Ends a call whose client has to be asked first.
class InputNeeded : public mcp::Error {
public:
    InputNeeded() : Error("the client is asked for input") {}
};

/// What a server is, and its limits.
struct ServerOptions {
    std::string name = "acta";           ///< For programs.
    std::string version{acta::version};  ///< Of the program.
    std::string title{};                 ///< For people.
    std::string instructions{};          ///< How to use the server, for a model.
    SkillRunOptions run{};               ///< Of each call of a skill, without what a request decides.
    /// Signs the state of a request that a client of 2026 keeps between its rounds. The same for all processes that
    /// may get one; random if empty.
    std::string state_key{};
    TimeLimit state_lifetime = std::chrono::minutes(10);  ///< Of such a state.
    TimeLimit ask_timeout = std::chrono::minutes(10);     ///< For the answer of a client before 2026.
    std::chrono::milliseconds list_lifetime{0};           ///< How long a client may keep lists and resources (`ttlMs`).
    std::size_t max_message_bytes = std::size_t{16} * 1024 * 1024;  ///< Of a message.
    std::size_t page_size = 1000;                                   ///< Members of a list in one answer.
    std::size_t max_sessions = 1000;                     ///< Over HTTP before 2026; the oldest one ends for another.
    TimeLimit session_lifetime = std::chrono::hours(1);  ///< Of a session that is not used.
};

/// Returns the contents of a resource, by its URI; of a template, also by the values of its variables.
using ReadResource = std::function<std::vector<ResourceContents>(const std::string& uri, const JsonObject& variables,
                                                                 ServerContext& context)>;
/// Returns the messages of a prompt, by its arguments, which are texts.
using MakePrompt = std::function<PromptResult(const JsonObject& arguments, ServerContext& context)>;
/// Returns values for an argument of a prompt or a variable of a template.
using CompleteArgument = std::function<Completion(const CompletionRequest& request)>;

/// Receives what a server sends. Called by several threads, at the same time too.
using Send = std::function<void(const Message&)>;

class ServerSession;

/// A server: skills as tools, resources and prompts. It may be changed while it serves, by any thread.
class Server {
public:
    /// A server of these skills.
    explicit Server(SkillRegistry skills = {}, ServerOptions options = {});

    /// Replaces the skills, and says so to clients that listen.
    void set_skills(SkillRegistry skills);
    /// Adds a resource, or replaces that of the same URI.
    void add_resource(Resource resource, ReadResource read);
    /// Adds resources whose URIs have a form: `{name}` stands for any text without a slash, `{+name}` for any text.
    /// Throws `Error` for other expressions of RFC 6570.
    void add_resource_template(ResourceTemplate form, ReadResource read);
    /// Adds a prompt, or replaces that of the same name.
    void add_prompt(Prompt prompt, MakePrompt make);
    /// Sets what completes arguments; without it a server does not offer to.
    void set_completion(CompleteArgument complete);
    /// Says to clients that listen that something has changed.
    void report(const Change& change);

    /// Returns what the server was made with.
    [[nodiscard]] const ServerOptions& options() const noexcept;

private:
    friend class ServerSession;
    std::shared_ptr<server_detail::State> state_;
};

/// One client of a server: a connection, or a session over HTTP. Several threads may use it.
class ServerSession {
public:
    /// A client of this server. `push` gets what is not part of an answer; if empty, nothing is sent so.
    explicit ServerSession(const Server& server, Send push = {});
    ServerSession(const ServerSession&) = delete;
    ServerSession& operator=(const ServerSession&) = delete;
    /// Calls `close`.
    ~ServerSession();

    /// Takes a message, and passes on to `send` what is sent because of it, the response last. A request is worked on
    /// in this thread until its response is sent or `stop` is requested. Throws nothing but `std::bad_alloc` and what
    /// `send` throws.
    void handle(Message message, const Send& send, const stop_token& stop = {});
    /// Stops what is under way, and waits for it. Messages that come later are ignored.
    void close() noexcept;
    /// Returns the revision of the session; empty before it has begun, and with clients of 2026.
    [[nodiscard]] std::string version() const;

private:
    friend class server_detail::HttpState;
    std::shared_ptr<server_detail::SessionState> state_;
};

}  // namespace acta::inline ACTA_ABI::mcp

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/server.inl.hpp"
#endif
