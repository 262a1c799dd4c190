// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/mcp/client.hpp"
#include "acta/mcp/detail/wire.hpp"
#include "acta/schema/validator.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI::mcp::client_detail {

using Clock = std::chrono::steady_clock;

/// A tool of the server, and what is needed to call it.
struct KnownTool {
    Tool tool{};
    SchemaValidator input;
    std::optional<SchemaValidator> output{};
    std::vector<HeaderParameter> headers{};
};

/// Returns whether a name fits a pattern, in which `*` stands for any text.
ACTA_INLINE bool fits(std::string_view pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) return pattern == name;
    if (!name.starts_with(pattern.substr(0, star))) return false;
    name.remove_prefix(star);
    pattern.remove_prefix(star + 1);
    for (;;) {
        const std::size_t next = pattern.find('*');
        const std::string_view part = pattern.substr(0, next);
        if (next == std::string_view::npos) return name.ends_with(part);
        const std::size_t at = name.find(part);
        if (at == std::string_view::npos) return false;
        name.remove_prefix(at + part.size());
        pattern.remove_prefix(next + 1);
    }
}

/// Results of lists and reads that the server lets a client keep.
class Cache {
public:
    [[nodiscard]] std::optional<Json> find(const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(key);
        if (found == entries_.end() || found->second.until <= Clock::now()) return std::nullopt;
        return found->second.result;
    }
    void keep(const std::string& key, const Json& result, std::chrono::milliseconds time) {
        constexpr std::size_t most = 64;
        constexpr std::size_t largest = std::size_t{1024} * 1024;
        if (dump(result).size() > largest) return;
        const std::lock_guard lock(mutex_);
        std::erase_if(entries_, [](const auto& one) { return one.second.until <= Clock::now(); });
        if (entries_.size() < most) entries_[key] = {result, base::saturated_sum(Clock::now(), time)};
    }
    /// Forgets what methods or parameters that begin with this have.
    void forget(const std::string& beginning) {
        const std::lock_guard lock(mutex_);
        std::erase_if(entries_, [&](const auto& one) { return one.first.starts_with(beginning); });
    }

private:
    struct Entry {
        Json result{};
        Clock::time_point until{};
    };
    std::mutex mutex_{};
    std::map<std::string, Entry> entries_{};
};

/// The connection of a client and of its tools.
class State {
public:
    State(std::unique_ptr<Transport> transport, ClientOptions options)
        : options_(std::move(options)), transport_(std::move(transport)) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { close(); }

    [[nodiscard]] const ClientOptions& options() const noexcept { return options_; }

    /// Returns what was agreed on with the server, which is connected if it is not.
    std::shared_ptr<const ClientProtocol> connected(const Until& until) {
        std::unique_lock lock(mutex_);
        const auto latest = until.deadline.value_or(Clock::time_point::max());
        if (!base::wait_until(changed_, lock, until.stop, latest, [this] { return !is_opening_; })) throw_over(until);
        if (protocol_ != nullptr && transport_->is_open() && !has_ended_session_) return protocol_;
        is_opening_ = true;
        // A session that the server has ended is followed by another one of the same revision.
        const std::string version =
            protocol_ == nullptr || transport_->is_process() ? options_.version : protocol_->server().version;
        protocol_.reset();
        lock.unlock();
        std::shared_ptr<const ClientProtocol> made;
        std::exception_ptr failure;
        try {
            made = open(until, version);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        is_opening_ = false;
        changed_.notify_all();
        if (failure) std::rethrow_exception(failure);
        has_ended_session_ = false;
        protocol_ = made;
        if (options_.on_input || options_.on_log) start_listening(made, lock, until);
        return made;
    }

    /// Sends a request and returns its result, after asking a person where the server needs that.
    Json request(const std::string& method, JsonObject params, const CallOptions& options,
                 const std::vector<HeaderParameter>& headers = {}) {
        constexpr int most_rounds = 8;
        for (int round = 0;; ++round) {
            auto [protocol, answer] = exchange(method, params, options, headers);
            std::variant<Json, InputRequired> result = protocol->result(method, std::move(answer));
            if (Json* const done = std::get_if<Json>(&result)) return std::move(*done);
            if (round == most_rounds) throw ProtocolError(called() + " asks for input again and again");
            const auto& required = std::get<InputRequired>(result);
            std::vector<InputAnswer> answers;
            for (const auto& [key, asked] : required.requests) {
                answers.push_back(ask(asked));
                if (!required.is_answered && answers.back().action != InputAnswer::Action::accept)
                    throw Error(called() + " needs a URL to be opened first, which was declined");
                if (options.until.is_over()) throw_over(options.until);
            }
            ClientProtocol::add_input(params, required, answers);
        }
    }

    /// The same for a result that may be kept for a while.
    Json kept_request(const std::string& method, JsonObject params, const CallOptions& options) {
        const std::string key = method + dump(Json(params));
        if (std::optional<Json> kept = cache_.find(key)) return *std::move(kept);
        Json result = request(method, std::move(params), options);
        const Json* const time = base::find_key(result, "ttlMs");
        const std::int64_t milliseconds = time == nullptr ? 0 : base::whole_number(*time).value_or(0);
        const bool is_shared = !options_.token || base::text_member(result, "cacheScope") == "public";
        if (milliseconds > 0 && is_shared && connected(options.until)->is_stateless())
            cache_.keep(key, result, std::chrono::milliseconds(milliseconds));
        return result;
    }

    /// Returns the members of a list, of all of its pages, at most `most`.
    template <class T>
    std::vector<T> list(const std::string& capability, const std::string& method, std::string_view key,
                        const CallOptions& options, std::size_t most) {
        constexpr int most_pages = 1000;
        std::vector<T> out;
        if (base::find_key(connected(options.until)->server().capabilities, capability) == nullptr) return out;
        std::size_t bytes = 0;
        JsonObject params;
        for (int page = 0; page < most_pages; ++page) {
            const Json result = kept_request(method, params, options);
            bytes += dump(result).size();
            if (bytes > options_.max_message_bytes) throw ProtocolError(called() + " has a list that is too long");
            if (const Json* const all = base::find_key(result, key); all != nullptr && all->is_array()) {
                for (const Json& one : base::array_of(*all))
                    if (!add<T>(out, one, most)) return out;
            }
            const Json* const next = base::find_key(result, "nextCursor");
            if (next == nullptr || !next->is_string()) return out;
            params.clear();
            base::put(params, "cursor", *next);
        }
        throw ProtocolError(called() + " has a list of more than " + std::to_string(most_pages) + " pages");
    }

    std::vector<std::shared_ptr<const KnownTool>> list_tools(const CallOptions& options) {
        std::vector<std::shared_ptr<const KnownTool>> out;
        for (Tool& tool : list<Tool>("tools", "tools/list", "tools", options, options_.max_tools)) {
            const std::string name = tool.name;
            try {
                out.push_back(known(std::move(tool)));
            } catch (const acta::Error& error) {
                warn(name, error.what());
            }
        }
        const std::lock_guard lock(mutex_);
        tools_.clear();
        for (const auto& one : out) tools_.emplace(one->tool.name, one);
        has_tools_ = true;
        return out;
    }

    /// Returns a tool; null if the server does not offer it.
    std::shared_ptr<const KnownTool> find_tool(std::string_view name, const CallOptions& options) {
        {
            const std::lock_guard lock(mutex_);
            if (has_tools_) return tool_of(name);
        }
        static_cast<void>(list_tools(options));
        const std::lock_guard lock(mutex_);
        return tool_of(name);
    }

    CallToolResult call_tool(std::string_view name, JsonObject arguments, const CallOptions& options) {
        std::shared_ptr<const KnownTool> known = find_tool(name, options);
        if (known != nullptr) {
            JsonObject checked = arguments;
            const std::vector<Issue> issues = skill_extension::argument_issues(known->input, checked);
            if (!issues.empty())
                throw InvalidArguments(base::concat({"the arguments of ", name, " do not fit: ",
                                                     issues.front().pointer(), ": ", issues.front().message}),
                                       issues);
        }
        JsonObject params;
        base::put(params, "name", base::text_json(name));
        base::put(params, "arguments", Json(std::move(arguments)));
        static const std::vector<HeaderParameter> none;
        Json result;
        try {
            result = request("tools/call", params, options, known == nullptr ? none : known->headers);
        } catch (const RequestError& error) {
            if (error.error().code != error_code::header_mismatch) throw;
            cache_.forget("tools/");  // the tool has other headers than it had
            static_cast<void>(list_tools(options));
            known = find_tool(name, options);
            result = request("tools/call", std::move(params), options, known == nullptr ? none : known->headers);
        }
        return checked_result(known.get(), name, std::move(result));
    }

    bool listen(const Subscription& what, const Callback<void(const Change&)>& on_change, const Until& until) {
        const std::shared_ptr<const ClientProtocol> protocol = connected(until);
        return protocol->is_stateless() ? listen_by_request(*protocol, what, on_change, until)
                                        : listen_to_session(protocol, what, on_change, until);
    }

    void close() noexcept {
        std::vector<Listening> ended;
        {
            const std::lock_guard lock(mutex_);
            protocol_.reset();
            heard_.reset();
            for (Listening& one : listening_) one.thread.request_stop();
            std::erase_if(listening_, [&](Listening& one) {
                if (one.thread.get_id() == std::this_thread::get_id()) return false;  // called by `on_input`
                ended.push_back(std::move(one));
                return true;
            });
        }
        ended.clear();
        transport_->close();
    }

private:
    [[nodiscard]] std::string called() const { return "the server '" + options_.name + "'"; }
    [[noreturn]] static void throw_over(const Until& until) {
        if (until.is_cancelled()) throw Cancelled();
        throw Timeout();
    }
    void warn(std::string_view subject, std::string_view reason) const {
        if (options_.observer == nullptr) return;
        options_.observer->notify({.level = EventLevel::warning,
                                   .name = event_names::mcp_warning,
                                   .fields = {{"server", options_.name}, {"subject", subject}, {"error", reason}}});
    }
    [[nodiscard]] std::shared_ptr<const KnownTool> tool_of(std::string_view name) const {
        const auto found = tools_.find(name);
        return found == tools_.end() ? nullptr : found->second;
    }

    /// Reads a member of a list. Returns whether there may be more.
    template <class T>
    bool add(std::vector<T>& out, const Json& value, std::size_t most) {
        if (out.size() >= most) {
            warn("the list", "there are more than " + std::to_string(most));
            return false;
        }
        try {
            out.push_back(validate<T>(value));
        } catch (const ValidationError& error) {
            warn(base::text_member(value, "name"), error.what());
        }
        return true;
    }

    [[nodiscard]] std::shared_ptr<const KnownTool> known(Tool tool) const {
        const Json* const execution = base::find_key(tool.extra, "execution");
        if (execution != nullptr && base::text_member(*execution, "taskSupport") == "required")
            throw ProtocolError("it runs as a task alone");
        std::vector<HeaderParameter> headers;
        if (!transport_->is_process()) headers = header_parameters(tool.input_schema);
        SchemaValidator input(Json(tool.input_schema), MalformedKeywords::ignore);
        std::optional<SchemaValidator> output;
        if (tool.output_schema) output.emplace(Json(*tool.output_schema), MalformedKeywords::ignore);
        return std::make_shared<const KnownTool>(
            KnownTool{std::move(tool), std::move(input), std::move(output), std::move(headers)});
    }

    CallToolResult checked_result(const KnownTool* known, std::string_view name, Json result) const {
        try {
            CallToolResult out = validate<CallToolResult>(result);
            if (known == nullptr || !known->output || out.is_error) return out;
            if (!out.structured_content)
                throw ProtocolError(base::concat({called(), " answered a call of ", name,
                                                  " without the structured content that its schema describes"}));
            const std::vector<Issue> issues = known->output->issues(*out.structured_content, 1);
            if (!issues.empty())
                throw ProtocolError(base::concat({called(), " answered a call of ", name,
                                                  " with structured content that does not fit its schema: ",
                                                  issues.front().pointer(), ": ", issues.front().message}));
            return out;
        } catch (const ValidationError& error) {
            throw ProtocolError(base::concat(
                {called(), " answered a call of ", name, " with a result that is not valid: ", error.what()}));
        }
    }

    // The connection.

    [[nodiscard]] RequestId next_id() { return next_id_++; }
    [[nodiscard]] Outgoing outgoing(const ClientProtocol& protocol, Message message,
                                    const std::vector<HeaderParameter>& parameters = {}) const {
        std::vector<std::string> headers;
        if (!transport_->is_process()) headers = protocol.headers(message, parameters);
        return {std::move(message), std::move(headers), protocol.is_stateless()};
    }

    std::shared_ptr<const ClientProtocol> open(const Until& until, const std::string& version) {
        ClientProtocol protocol({.name = options_.name,
                                 .client = options_.client,
                                 .has_input = static_cast<bool>(options_.on_input),
                                 .version = version,
                                 .log_level = options_.log_level});
        const auto end = base::saturated_sum(Clock::now(), std::chrono::nanoseconds(options_.start_timeout));
        transport_->open([this](const Message& message) { notice(message); });
        while (!protocol.is_open()) open_once(protocol, until.not_after(end));
        if (const std::optional<Notification> last = protocol.after_opening())
            transport_->send(outgoing(protocol, *last), {.until = until, .timeout = options_.start_timeout});
        if (!protocol.is_stateless() && !options_.log_level.empty() &&
            base::find_key(protocol.server().capabilities, "logging") != nullptr)
            set_log_level(protocol, until.not_after(end));
        return std::make_shared<const ClientProtocol>(std::move(protocol));
    }

    void set_log_level(const ClientProtocol& protocol, const Until& until) {
        Request request{next_id(), "logging/setLevel", {}};
        base::put(request.params, "level", base::text_json(options_.log_level));
        static_cast<void>(transport_->exchange(outgoing(protocol, std::move(request)), {.until = until},
                                               [&](const Message& message) { take(protocol, message, {}, {}); }));
    }

    void open_once(ClientProtocol& protocol, const Until& until) {
        const Outgoing out = outgoing(protocol, protocol.opening(next_id()));
        const bool is_probe = protocol.is_stateless();
        const TimeLimit probe = options_.probe_timeout;
        const Patience patience{
            .until = until,
            .timeout = is_probe && transport_->is_process() ? probe : TimeLimit(std::chrono::nanoseconds::max())};
        try {
            return protocol.opened(transport_->exchange(
                out, patience, [&](const Message& message) { take(protocol, message, {}, patience); }));
        } catch (const StatusError& error) {
            const bool is_refusal = error.status() / 100 == 4 && error.status() != 401 && error.status() != 403;
            if (!is_refusal || !protocol.not_opened()) throw;
            return;
        } catch (const ConnectionError&) {
            if (!transport_->is_process() || !protocol.not_opened()) throw;
        } catch (const Timeout&) {
            if (!transport_->is_process() || until.is_late() || !protocol.not_opened())
                throw Timeout(base::concat({called(), " did not answer ", std::get<Request>(out.message).method,
                                            " in time", transport_->last_words()}));
        }
        transport_->open([this](const Message& message) {
            notice(message);
        });  // one that does not answer, or has ended, does not help
    }

    struct Answer {
        std::shared_ptr<const ClientProtocol> protocol{};
        Response response{};
    };

    Answer exchange(const std::string& method, const JsonObject& params, const CallOptions& options,
                    const std::vector<HeaderParameter>& headers) {
        for (bool is_second = false;; is_second = true) {
            const std::shared_ptr<const ClientProtocol> protocol = connected(options.until);
            Request request{next_id(), method, params};
            protocol->complete(request, static_cast<bool>(options.on_progress));
            try {
                return {protocol, exchange(*protocol, outgoing(*protocol, std::move(request), headers), options)};
            } catch (const StatusError& error) {
                if (error.status() != 404 || protocol->is_stateless() || is_second) throw;
                forget(protocol);  // the server has ended the session
            }
        }
    }

    Response exchange(const ClientProtocol& protocol, const Outgoing& out, const CallOptions& options) {
        const Patience patience{.until = options.until, .timeout = options_.request_timeout, .asked = &asked_};
        const auto& request = std::get<Request>(out.message);
        try {
            return transport_->exchange(out, patience,
                                        [&](const Message& message) { take(protocol, message, options, patience); });
        } catch (const Timeout&) {
            cancel(protocol, request, "the time is over");
            throw Timeout(
                base::concat({called(), " did not answer ", request.method, " in time", transport_->last_words()}));
        } catch (const Cancelled&) {
            cancel(protocol, request, "the call was stopped");
            throw;
        }
    }

    void cancel(const ClientProtocol& protocol, const Request& request, std::string_view reason) noexcept {
        if (!transport_->is_process() && protocol.is_stateless()) return;  // the end of the stream says so
        try {
            Notification cancelled{"notifications/cancelled", {}};
            base::put(cancelled.params, "requestId", mcp_detail::id_json(request.id));
            base::put(cancelled.params, "reason", base::text_json(reason));
            transport_->send(outgoing(protocol, std::move(cancelled)), {.timeout = std::chrono::seconds(2)});
        } catch (...) {  // the server finds out when it answers
        }
    }

    void forget(const std::shared_ptr<const ClientProtocol>& protocol) {
        const std::lock_guard lock(mutex_);
        if (protocol_ == protocol) has_ended_session_ = true;
    }

    // What the server sends while it works.

    void take(const ClientProtocol& protocol, const Message& message, const CallOptions& options,
              const Patience& patience) {
        if (const auto* const request = std::get_if<Request>(&message)) return answer(protocol, *request, patience);
        const auto& notification = std::get<Notification>(message);
        if (notification.method == "notifications/progress")
            report(notification.params, options);
        else
            notice(message);
    }

    /// Takes a notification that is about no request.
    void notice(const Message& message) {
        const auto* const notification = std::get_if<Notification>(&message);
        if (notification != nullptr && notification->method == "notifications/message" && options_.on_log) {
            try {
                options_.on_log(validate<LogMessage>(Json(notification->params)));
            } catch (const ValidationError& error) {
                warn(notification->method, error.what());
            }
        }
        const std::optional<Change> change = change_of(message);
        if (!change) return;
        constexpr std::size_t most = 1000;
        const std::lock_guard lock(mutex_);
        for (Listener* const one : listeners_)
            if (mcp_detail::is_wanted(one->what, *change) && one->changes.size() < most)
                one->changes.push_back(*change);
        changed_.notify_all();
    }

    [[nodiscard]] InputAnswer ask(const InputRequest& request) {
        const std::shared_ptr<void> asking = asked_.asking();
        return options_.on_input(request);
    }

    static void report(const JsonObject& params, const CallOptions& options) {
        const Json* const done = base::find_key(params, "progress");
        if (done == nullptr || !done->is_number()) return;
        SkillProgress progress{.done = done->get<double>(), .message = base::text_member(params, "message")};
        if (const Json* const total = base::find_key(params, "total"); total != nullptr && total->is_number())
            progress.total = total->get<double>();
        options.on_progress(progress);
    }

    void answer(const ClientProtocol& protocol, const Request& request, const Patience& patience) {
        const auto send = [&](Response response) {
            transport_->send(outgoing(protocol, std::move(response)), patience);
        };
        std::variant<Response, InputRequest> asked = protocol.asked(request);
        if (auto* const response = std::get_if<Response>(&asked)) return send(std::move(*response));
        const auto& input = std::get<InputRequest>(asked);
        try {
            send({request.id, Json(ClientProtocol::answer(input, ask(input)))});
        } catch (const ConnectionError&) {
            throw;
        } catch (...) {
            send({request.id, Json(ClientProtocol::answer(input, {}))});
            throw;
        }
    }

    /// Returns what has changed by a notification, and removes what it makes obsolete.
    std::optional<Change> change_of(const Message& message) {
        const auto* const notification = std::get_if<Notification>(&message);
        if (notification == nullptr) return std::nullopt;
        const std::string& method = notification->method;
        if (method == "notifications/resources/updated") {
            Change out{Change::Kind::resource, base::text_member(notification->params, "uri")};
            cache_.forget("resources/read");
            return out;
        }
        if (method == "notifications/tools/list_changed") {
            cache_.forget("tools/");
            const std::lock_guard lock(mutex_);
            has_tools_ = false;
            return Change{Change::Kind::tools, ""};
        }
        if (method == "notifications/prompts/list_changed") {
            cache_.forget("prompts/");
            return Change{Change::Kind::prompts, ""};
        }
        if (method == "notifications/resources/list_changed") {
            cache_.forget("resources/");
            return Change{Change::Kind::resources, ""};
        }
        return std::nullopt;
    }

    bool listen_by_request(const ClientProtocol& protocol, const Subscription& what,
                           const Callback<void(const Change&)>& on_change, const Until& until) {
        Json wanted = base::new_object();
        if (what.tools) base::put(wanted, "toolsListChanged", true);
        if (what.prompts) base::put(wanted, "promptsListChanged", true);
        if (what.resources) base::put(wanted, "resourcesListChanged", true);
        if (!what.uris.empty()) base::put(wanted, "resourceSubscriptions", to_json_value(what.uris));
        Request request{next_id(), "subscriptions/listen", {}};
        base::put(request.params, "notifications", std::move(wanted));
        protocol.complete(request, false);
        const Outgoing out = outgoing(protocol, std::move(request));
        const auto tell = [&](const Message& message) {
            if (std::holds_alternative<Request>(message)) return take(protocol, message, {}, {.until = until});
            const std::optional<Change> change = change_of(message);
            if (change && mcp_detail::is_wanted(what, *change)) on_change(*change);
        };
        try {
            const Response end = transport_->exchange(out, {.until = until}, tell);
            const auto* const error = std::get_if<ErrorObject>(&end.outcome);
            if (error != nullptr && error->code == error_code::method_not_found) return false;
            static_cast<void>(protocol.result("subscriptions/listen", end));
        } catch (const Timeout&) {
            cancel(protocol, std::get<Request>(out.message), "no longer of interest");
        } catch (const Cancelled&) {
            cancel(protocol, std::get<Request>(out.message), "no longer of interest");
        }
        return true;
    }

    /// A call that waits for changes in a session.
    struct Listener {
        Subscription what{};
        std::deque<Change> changes{};
    };

    bool listen_to_session(const std::shared_ptr<const ClientProtocol>& protocol, const Subscription& what,
                           const Callback<void(const Change&)>& on_change, const Until& until) {
        Listener listener{what, {}};
        std::unique_lock lock(mutex_);
        listeners_.push_back(&listener);
        const std::shared_ptr<void> leave(&listener, [&](Listener* one) {
            if (!lock.owns_lock()) lock.lock();  // `on_change` or a request threw
            std::erase(listeners_, one);
        });
        start_listening(protocol, lock, until);
        lock.unlock();
        for (const std::string& uri : what.uris) {
            JsonObject params;
            base::put(params, "uri", base::text_json(uri));
            static_cast<void>(request("resources/subscribe", std::move(params), {.until = until}));
        }
        lock.lock();
        while (!until.is_over()) {
            constexpr std::chrono::milliseconds look_again(500);  // whether the connection still is there
            const auto next = until.not_after(Clock::now() + look_again);
            base::wait_until(changed_, lock, until.stop, *next.deadline, [&] { return !listener.changes.empty(); });
            const bool is_lost = listener.changes.empty() && !is_heard(protocol);
            if (is_lost && transport_->is_process())
                throw ConnectionError(called() + " has ended" + transport_->last_words());
            if (is_lost) return false;
            for (const Change& change : std::exchange(listener.changes, {})) {
                lock.unlock();
                on_change(change);
                lock.lock();
            }
        }
        return true;
    }
    [[nodiscard]] bool is_heard(const std::shared_ptr<const ClientProtocol>& protocol) const {
        if (transport_->is_process()) return protocol == protocol_ && transport_->is_open();
        return std::ranges::any_of(listening_, [](const Listening& one) { return !one.flags->has_ended; });
    }

    /// A thread that waits for what a server sends over HTTP outside of any answer.
    struct Listening {
        struct Flags {
            bool is_open = false;
            bool has_ended = false;
        };
        std::shared_ptr<Flags> flags{};  // guarded by `mutex_`
        jthread thread{};
    };

    /// Starts such a thread for a session, unless it has one, and waits a moment for the server to take notice: what a
    /// server sends before is lost.
    void start_listening(const std::shared_ptr<const ClientProtocol>& protocol, std::unique_lock<std::mutex>& lock,
                         const Until& until) {
        constexpr std::chrono::seconds longest(2);
        if (transport_->is_process() || protocol->is_stateless() || heard_ == protocol) return;
        heard_ = protocol;
        for (Listening& one : listening_) one.thread.request_stop();  // of a session that has ended
        std::erase_if(listening_, [](const Listening& one) { return one.flags->has_ended; });
        const auto flags = std::make_shared<Listening::Flags>();
        listening_.push_back(
            {flags, jthread([this, protocol, flags](const stop_token& stop) { hear(*protocol, *flags, stop); })});
        base::wait_until(changed_, lock, until.stop, Clock::now() + longest,
                         [&] { return flags->is_open || flags->has_ended; });
    }
    void hear(const ClientProtocol& protocol, Listening::Flags& flags, const stop_token& stop) {
        const auto set = [&](bool& flag) {
            const std::lock_guard lock(mutex_);
            flag = true;
            changed_.notify_all();
        };
        const Patience patience{.until = {.stop = stop}, .timeout = options_.request_timeout};
        try {
            transport_->listen(
                protocol.headers(Notification()), patience.until, [&] { set(flags.is_open); },
                [&](const Message& message) { take(protocol, message, {}, patience); });
        } catch (const std::exception& error) {
            warn("the session", base::what_of(error));
        }
        set(flags.has_ended);
    }

    const ClientOptions options_;
    const std::unique_ptr<Transport> transport_;
    std::atomic<std::int64_t> next_id_{1};
    Cache cache_{};
    AskedTime asked_{};
    mutable std::mutex mutex_{};
    condition_variable_any changed_{};
    std::shared_ptr<const ClientProtocol> protocol_{};
    std::map<std::string, std::shared_ptr<const KnownTool>, std::less<>> tools_{};
    std::vector<Listener*> listeners_{};
    std::shared_ptr<const ClientProtocol> heard_{};  // whose server has a thread of `listening_`
    std::vector<Listening> listening_{};
    bool has_tools_ = false;
    bool is_opening_ = false;
    bool has_ended_session_ = false;
};

/// Calls a tool of a server as a skill.
class ToolCall {
public:
    ToolCall(std::shared_ptr<State> state, std::string name, bool may_repeat)
        : state_(std::move(state)), name_(std::move(name)), may_repeat_(may_repeat) {}

    ActionResult operator()(const JsonObject& arguments, SkillContext& context) const {
        const CallOptions options{
            .until = {context.stop_token(), context.deadline()},
            .on_progress = [&context](const SkillProgress& progress) { context.report_progress(progress); }};
        for (bool is_second = false;; is_second = true) {
            static_cast<void>(state_->connected(options.until));
            try {
                return to_action_result(state_->call_tool(name_, arguments, options));
            } catch (const StatusError& error) {
                if (error.status() / 100 == 4) throw;
                if (!may_repeat_ || is_second) return unknown(error);
            } catch (const ConnectionError& error) {
                if (!may_repeat_ || is_second) return unknown(error);
            }
        }
    }

private:
    [[nodiscard]] static ActionResult unknown(const ConnectionError& error) {
        return skill_extension::failed("OutcomeUnknown",
                                       base::concat({error.what(), ". The outcome of the call is unknown."}), {});
    }

    std::shared_ptr<State> state_;
    std::string name_;
    bool may_repeat_;
};

[[nodiscard]] ACTA_INLINE SkillHints hints_of(const Tool& tool, bool trusted) {
    if (!trusted) return {.destructive = true};
    const ToolAnnotations said = tool.annotations.value_or(ToolAnnotations());
    return {.read_only = said.read_only.value_or(false),
            .idempotent = said.idempotent.value_or(false),
            .destructive = said.destructive.value_or(!said.read_only.value_or(false)),
            .open_world = said.open_world.value_or(true)};
}

[[nodiscard]] ACTA_INLINE std::string name_of(const std::string& command_or_host) {
    return std::filesystem::path(command_or_host).filename().string();
}

}  // namespace acta::inline ACTA_ABI::mcp::client_detail

namespace acta::inline ACTA_ABI::mcp {

ACTA_INLINE Client::Client(std::unique_ptr<Transport> transport, ClientOptions options)
    : state_(std::make_shared<client_detail::State>(std::move(transport), std::move(options))) {}

ACTA_INLINE Client Client::stdio(std::vector<std::string> command, ClientOptions options) {
    if (options.name.empty() && !command.empty()) options.name = client_detail::name_of(command.front());
    ProcessOptions process;
    process.command = std::move(command);
    process.inherit_environment = options.inherit_environment;
    process.environment = options.environment;
    process.folder = options.folder;
    process.close_timeout = options.close_timeout;
    process.terminate_timeout = options.terminate_timeout;
    auto transport = std::make_unique<StdioTransport>(std::move(process), options.name, options.max_message_bytes);
    return Client(std::move(transport), std::move(options));
}

ACTA_INLINE Client Client::over_http(std::string url, ClientOptions options) {
    if (options.name.empty()) {
        const std::optional<http::Url> parsed = http::Url::parse(url);
        options.name = parsed ? parsed->host : "";
    }
    auto transport =
        std::make_unique<HttpTransport>(HttpOptions{std::move(url), options.transport, options.token, options.headers,
                                                    options.ca_file, options.proxy, options.connect_timeout},
                                        options.name, options.max_message_bytes);
    return Client(std::move(transport), std::move(options));
}

ACTA_INLINE const std::string& Client::name() const noexcept { return state_->options().name; }

ACTA_INLINE ServerInfo Client::server(const CallOptions& options) const {
    return state_->connected(options.until)->server();
}

ACTA_INLINE std::vector<Tool> Client::list_tools(const CallOptions& options) const {
    std::vector<Tool> out;
    for (const auto& one : state_->list_tools(options)) out.push_back(one->tool);
    return out;
}

ACTA_INLINE std::vector<RunTimeTool> Client::tools(const ToolOptions& which, const CallOptions& options) const {
    const auto is_one_of = [](const std::vector<std::string>& patterns, const std::string& name) {
        return std::ranges::any_of(patterns, [&](const std::string& one) { return client_detail::fits(one, name); });
    };
    std::vector<RunTimeTool> out;
    for (const auto& known : state_->list_tools(options)) {
        const Tool& tool = known->tool;
        if ((!which.allow.empty() && !is_one_of(which.allow, tool.name)) || is_one_of(which.deny, tool.name)) continue;
        const SkillHints hints = client_detail::hints_of(tool, state_->options().trust_hints);
        const bool may_repeat = hints.read_only.value_or(false) || hints.idempotent.value_or(false);
        out.push_back({{which.prefix + tool.name, tool.description, Json(tool.input_schema)},
                       client_detail::ToolCall(state_, tool.name, may_repeat),
                       hints});
    }
    return out;
}

ACTA_INLINE CallToolResult Client::call_tool(std::string_view name, JsonObject arguments,
                                             const CallOptions& options) const {
    return state_->call_tool(name, std::move(arguments), options);
}

ACTA_INLINE std::vector<Resource> Client::resources(const CallOptions& options) const {
    return state_->list<Resource>("resources", "resources/list", "resources", options, static_cast<std::size_t>(-1));
}

ACTA_INLINE std::vector<ResourceTemplate> Client::resource_templates(const CallOptions& options) const {
    return state_->list<ResourceTemplate>("resources", "resources/templates/list", "resourceTemplates", options,
                                          static_cast<std::size_t>(-1));
}

ACTA_INLINE std::vector<ResourceContents> Client::read_resource(std::string_view uri,
                                                                const CallOptions& options) const {
    JsonObject params;
    base::put(params, "uri", base::text_json(uri));
    const Json result = state_->kept_request("resources/read", std::move(params), options);
    const Json* const contents = base::find_key(result, "contents");
    try {
        return contents == nullptr ? std::vector<ResourceContents>()
                                   : validate<std::vector<ResourceContents>>(*contents);
    } catch (const ValidationError& error) {
        throw ProtocolError(base::concat({"the server '", name(), "' answered resources/read with: ", error.what()}));
    }
}

ACTA_INLINE std::vector<Prompt> Client::prompts(const CallOptions& options) const {
    return state_->list<Prompt>("prompts", "prompts/list", "prompts", options, static_cast<std::size_t>(-1));
}

ACTA_INLINE PromptResult Client::get_prompt(std::string_view name, JsonObject arguments,
                                            const CallOptions& options) const {
    JsonObject params;
    base::put(params, "name", base::text_json(name));
    if (!arguments.empty()) base::put(params, "arguments", Json(std::move(arguments)));
    const Json result = state_->request("prompts/get", std::move(params), options);
    try {
        return validate<PromptResult>(result);
    } catch (const ValidationError& error) {
        throw ProtocolError(
            base::concat({"the server '", this->name(), "' answered prompts/get with: ", error.what()}));
    }
}

ACTA_INLINE Completion Client::complete(const CompletionRequest& request, const CallOptions& options) const {
    const bool is_prompt = request.uri_template.empty();
    JsonObject params{{"ref", is_prompt ? Json{{"type", "ref/prompt"}, {"name", request.prompt}}
                                        : Json{{"type", "ref/resource"}, {"uri", request.uri_template}}},
                      {"argument", {{"name", request.argument}, {"value", request.value}}}};
    if (!request.context.empty()) base::put(params, "context", Json{{"arguments", Json(request.context)}});
    const Json result = state_->request("completion/complete", std::move(params), options);
    try {
        return validate<Completion>(Json(mcp_detail::object_member(result, "completion")));
    } catch (const ValidationError& error) {
        throw ProtocolError(
            base::concat({"the server '", name(), "' answered completion/complete with: ", error.what()}));
    }
}

ACTA_INLINE bool Client::listen(const Subscription& what, const Callback<void(const Change&)>& on_change,
                                const Until& until) const {
    return state_->listen(what, on_change, until);
}

ACTA_INLINE Json Client::request(std::string method, JsonObject params, const CallOptions& options) const {
    return state_->request(method, std::move(params), options);
}

ACTA_INLINE void Client::close() noexcept { state_->close(); }

}  // namespace acta::inline ACTA_ABI::mcp
