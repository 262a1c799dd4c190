// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/sha256.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/mcp/detail/wire.hpp"
#include "acta/mcp/server.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI::mcp::server_detail {

using Clock = std::chrono::steady_clock;

/// A request that is answered with an error.
struct Refusal {
    ErrorObject error{};
};
[[noreturn]] ACTA_INLINE void refuse(int code, std::string message, std::optional<Json> data = std::nullopt) {
    throw Refusal{{code, std::move(message), std::move(data)}};
}

inline constexpr std::array<std::string_view, 8> log_levels{"debug", "info",     "notice", "warning",
                                                            "error", "critical", "alert",  "emergency"};
/// Returns how important a level is, from 0 on; nothing if there is none of this name.
[[nodiscard]] ACTA_INLINE std::optional<std::size_t> importance(std::string_view level) {
    const auto* const found = std::ranges::find(log_levels, level);
    if (found == log_levels.end()) return std::nullopt;
    return static_cast<std::size_t>(found - log_levels.begin());
}

/// Returns bytes that cannot be guessed.
[[nodiscard]] ACTA_INLINE std::string random_bytes(std::size_t count) {
    std::random_device random;
    std::string out;
    while (out.size() < count) out += static_cast<char>(random() & 0xFFU);
    return out;
}

/// A template of URIs, taken apart.
class UriForm {
public:
    explicit UriForm(std::string_view text) {
        while (!text.empty()) {
            const std::size_t open = std::min(text.find('{'), text.size());
            parts_.push_back({std::string(text.substr(0, open)), "", false});
            text.remove_prefix(open);
            if (text.empty()) break;
            const std::size_t close = text.find('}');
            if (close == std::string_view::npos) refuse_form(text);
            std::string_view name = text.substr(1, close - 1);
            const bool is_long = name.starts_with('+');
            if (is_long) name.remove_prefix(1);
            if (name.empty() || !std::ranges::all_of(name, [](char c) { return ascii::is_alnum(c) || c == '_'; }))
                refuse_form(text.substr(0, close + 1));
            parts_.back().variable = name;
            parts_.back().is_long = is_long;
            text.remove_prefix(close + 1);
        }
    }
    /// Returns the values of the variables; nothing if the URI has another form.
    [[nodiscard]] std::optional<JsonObject> match(std::string_view uri) const {
        JsonObject out;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const Part& part = parts_[i];
            if (!uri.starts_with(part.text)) return std::nullopt;
            uri.remove_prefix(part.text.size());
            if (part.variable.empty()) continue;
            const bool is_last = i + 1 == parts_.size();
            const std::string_view next = is_last ? std::string_view() : std::string_view(parts_[i + 1].text);
            std::size_t end = part.is_long ? uri.size() : std::min(uri.find('/'), uri.size());
            if (!next.empty()) end = part.is_long ? uri.rfind(next) : uri.find(next);
            if (end == std::string_view::npos || end == 0) return std::nullopt;
            if (!part.is_long && uri.substr(0, end).find('/') != std::string_view::npos) return std::nullopt;
            base::put(out, part.variable, base::text_json(uri.substr(0, end)));
            uri.remove_prefix(end);
        }
        if (!uri.empty()) return std::nullopt;
        return out;
    }

private:
    struct Part {
        std::string text{};
        std::string variable{};  // after the text; empty if there is none
        bool is_long = false;
    };
    [[noreturn]] static void refuse_form(std::string_view at) {
        throw mcp::Error(base::concat({"a template of URIs has an expression that is not {name} or {+name}: ", at}));
    }

    std::vector<Part> parts_{};
};

/// What a server offers, at one moment.
struct Offer {
    struct OfferedResource {
        Resource resource{};
        ReadResource read{};
    };
    struct OfferedTemplate {
        ResourceTemplate form{};
        UriForm parsed;
        ReadResource read{};
    };
    struct OfferedPrompt {
        Prompt prompt{};
        MakePrompt make{};
    };
    /// Offers the skills of a registry as tools.
    void set_skills(SkillRegistry all) {
        skills = std::move(all);
        ApiTools made = acta::tools(skills, ToolDialect::mcp);
        names = std::move(made.names);
        tools = stateless_tools = base::array_of(made.tools);
        for (std::size_t i = 0; i < tools.size(); ++i) {
            const RegisteredSkill& skill = skills.at(*names.find_skill(base::text_member(tools[i], "name")));
            // Before 2026 the structured content of a result is an object.
            if (std::optional<Json> schema = skill.result_schema({.dialect = SchemaDialect::mcp})) {
                base::put(tools[i], "outputSchema", *std::move(schema));
                base::put(stateless_tools[i], "outputSchema", *skill.result_schema());
            }
        }
    }

    SkillRegistry skills{};
    decltype(ApiTools::names) names{};
    JsonArray tools{};  // before 2026
    JsonArray stateless_tools{};
    std::vector<std::shared_ptr<const OfferedResource>> resources{};
    std::vector<std::shared_ptr<const OfferedTemplate>> templates{};
    std::vector<std::shared_ptr<const OfferedPrompt>> prompts{};
    CompleteArgument complete{};
};

/// Who wants to learn of changes.
struct ServerListener {
    ServerListener(Subscription of, std::optional<RequestId> listening, Send to)
        : what(std::move(of)), id(std::move(listening)), send(std::move(to)) {}

    std::mutex mutex{};
    Subscription what;
    const std::optional<RequestId> id;  // of a request that listens
    Send send;                          // empty once it is over
};

/// A server, as its sessions share it.
class State {
public:
    State(SkillRegistry skills, ServerOptions options) : options_(std::move(options)) {
        auto first = std::make_shared<Offer>();
        first->set_skills(std::move(skills));
        offer_ = std::move(first);
        if (!options_.state_key.empty()) return;
        options_.state_key = random_bytes(32);
    }

    [[nodiscard]] const ServerOptions& options() const noexcept { return options_; }
    [[nodiscard]] std::shared_ptr<const Offer> offer() const {
        const std::lock_guard lock(mutex_);
        return offer_;
    }
    template <class Edit>
    void edit(const Edit& edit) {
        const std::lock_guard lock(mutex_);
        auto changed = std::make_shared<Offer>(*offer_);
        edit(*changed);
        offer_ = std::move(changed);
    }
    template <class Edit>
    void change(Change::Kind kind, const Edit& edit) {
        this->edit(edit);
        report({kind, ""});
    }

    void report(const Change& change) {
        std::vector<std::shared_ptr<ServerListener>> all;
        {
            const std::lock_guard lock(mutex_);
            all = listeners_;
        }
        for (const auto& one : all) {
            const std::lock_guard sending(one->mutex);
            if (!one->send || !mcp_detail::is_wanted(one->what, change)) continue;
            Notification out{method_of(change.kind), {}};
            if (one->id)
                base::put(out.params, "_meta", Json{{mcp_detail::subscription_key, mcp_detail::id_json(*one->id)}});
            if (change.kind == Change::Kind::resource) base::put(out.params, "uri", base::text_json(change.uri));
            one->send(out);
        }
    }
    void add(std::shared_ptr<ServerListener> listener) {
        const std::lock_guard lock(mutex_);
        listeners_.push_back(std::move(listener));
    }
    /// Nothing is sent to it afterwards.
    void remove(const std::shared_ptr<ServerListener>& listener) {
        {
            const std::lock_guard lock(mutex_);
            std::erase(listeners_, listener);
        }
        const std::lock_guard sending(listener->mutex);
        listener->send = nullptr;
    }

private:
    [[nodiscard]] static std::string method_of(Change::Kind kind) {
        switch (kind) {
            case Change::Kind::tools: return "notifications/tools/list_changed";
            case Change::Kind::prompts: return "notifications/prompts/list_changed";
            case Change::Kind::resources: return "notifications/resources/list_changed";
            case Change::Kind::resource: break;
        }
        return "notifications/resources/updated";
    }

    ServerOptions options_;
    mutable std::mutex mutex_{};
    std::shared_ptr<const Offer> offer_{};
    std::vector<std::shared_ptr<ServerListener>> listeners_{};
};

/// One client.
class SessionState {
public:
    SessionState(std::shared_ptr<State> state, Send send) : server(std::move(state)), push(std::move(send)) {}

    const std::shared_ptr<State> server;
    const Send push;

    mutable std::mutex mutex{};
    condition_variable_any changed{};
    std::string version{};  // of a session that has begun
    JsonObject capabilities{};
    std::string log_level = "debug";
    std::map<RequestId, stop_source> in_flight{};
    int active = 0;  // requests that are worked on, or whose response is being sent
    std::map<RequestId, std::optional<Response>> awaited{};
    std::shared_ptr<ServerListener> listener{};
    std::int64_t next_id = 1;
    bool is_closing = false;
};

/// What the transport says about a request.
struct Arrival {
    std::optional<bool> is_stateless{};  // where it is known from more than the message
    std::string caller{};                // who sends it, for the state that it may hold
    std::function<std::optional<ErrorObject>(const Request&, const Offer&)> check{};  // of its headers
};

/// Returns what is wrong with the parameters that every request of 2026 has; nothing if they are there.
[[nodiscard]] ACTA_INLINE std::optional<ErrorObject> stateless_fault(const Request& request) {
    const JsonObject meta = mcp_detail::object_member(request.params, "_meta");
    const Json* const version = base::find_key(meta, mcp_detail::version_key);
    const Json* const capabilities = base::find_key(meta, mcp_detail::capabilities_key);
    const auto fault = [](std::string_view key, std::string_view what) {
        return ErrorObject{error_code::invalid_params, base::concat({"_meta must have ", key, ", which is ", what}),
                           std::nullopt};
    };
    if (version == nullptr || !version->is_string()) return fault(mcp_detail::version_key, "a text");
    if (capabilities == nullptr || !capabilities->is_object()) return fault(mcp_detail::capabilities_key, "an object");
    return std::nullopt;
}

/// Resources of which one session, or one request, can learn that they have changed.
inline constexpr std::size_t most_subscriptions = 1000;

/// A request that is worked on.
class Call {
public:
    Call(SessionState& session, Request request, const Send& send, stop_token stop, const Arrival& arrival)
        : session_(session),
          server_(*session.server),
          offer_(server_.offer()),
          request_(std::move(request)),
          params_(request_.params),
          meta_(mcp_detail::object_member(params_, "_meta")),
          send_(send),
          until_{std::move(stop), std::nullopt},
          arrival_(arrival),
          context_(*this) {}

    /// Returns the response.
    Response answer() {
        try {
            begin();
            Json result = work();
            finish(result);
            return {request_.id, std::move(result)};
        } catch (Refusal& refusal) {
            return {request_.id, std::move(refusal.error)};
        } catch (const MissingCapability& missing) {
            return {request_.id, refused(missing)};
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            return {request_.id, ErrorObject{error_code::internal_error, base::what_of(error), std::nullopt}};
        }
    }

    [[nodiscard]] bool is_stateless() const noexcept { return is_stateless_; }
    [[nodiscard]] const std::string& version() const noexcept { return version_; }
    [[nodiscard]] const Until& until() const noexcept { return until_; }

    [[nodiscard]] bool client_offers(std::string_view capability) const noexcept {
        return base::find_key(capabilities_, capability) != nullptr;
    }

    std::vector<JsonObject> ask(const std::vector<Question>& questions) {
        for (const Question& one : questions) {
            const std::string needed = capability_of(one);
            if (needed.empty()) throw mcp::Error("a client cannot be asked for '" + one.method + "'");
            if (client_offers(needed) && has_mode(one)) continue;
            missing_ = needed;
            throw MissingCapability(needed);
        }
        return is_stateless_ ? ask_by_result(questions) : ask_by_requests(questions);
    }

    void report_progress(const SkillProgress& progress) {
        const Json* const token = base::find_key(meta_, "progressToken");
        if (token == nullptr) return;
        const std::lock_guard lock(mutex_);
        if (progress_ && progress.done <= *progress_) return;
        progress_ = progress.done;
        Notification out{"notifications/progress", {}};
        base::put(out.params, "progressToken", *token);
        base::put(out.params, "progress", number(progress.done));
        if (progress.total) base::put(out.params, "total", number(*progress.total));
        if (!progress.message.empty()) base::put(out.params, "message", base::text_json(progress.message));
        send_(out);
    }

    void log(const LogMessage& message) {
        const std::optional<std::size_t> level = importance(message.level);
        const std::optional<std::size_t> least = importance(log_level_);
        if (!level || !least || *level < *least) return;
        Json params = to_json_value(message);
        send_(Notification{"notifications/message", JsonObject(std::move(params.get_ref<Json::object_t&>()))});
    }

private:
    // What the request is.

    void begin() {
        const Json* const version = base::find_key(meta_, mcp_detail::version_key);
        is_stateless_ = arrival_.is_stateless.value_or(version != nullptr || request_.method == "server/discover" ||
                                                       request_.method == "subscriptions/listen");
        is_stateless_ ? begin_stateless(version) : begin_in_session();
    }
    void begin_stateless(const Json* version) {
        if (std::optional<ErrorObject> fault = stateless_fault(request_)) throw Refusal{*std::move(fault)};
        if (arrival_.check)
            if (std::optional<ErrorObject> wrong = arrival_.check(request_, *offer_)) throw Refusal{*std::move(wrong)};
        version_ = base::text_of(*version);
        if (version_ != versions.front())
            refuse(error_code::unsupported_version, "Unsupported protocol version",
                   Json{{"supported", Json::array({versions.front()})}, {"requested", version_}});
        capabilities_ = mcp_detail::object_member(meta_, mcp_detail::capabilities_key);
        log_level_ = base::text_member(meta_, mcp_detail::log_level_key);
    }
    void begin_in_session() {
        const std::lock_guard lock(session_.mutex);
        version_ = session_.version;
        capabilities_ = session_.capabilities;
        log_level_ = session_.log_level;
        if (version_.empty() && request_.method != "initialize" && request_.method != "ping")
            refuse(error_code::invalid_params,
                   base::concat(
                       {"A session begins with initialize; without one, _meta must have ", mcp_detail::version_key}));
    }

    /// Returns the result. Throws `Refusal` and others.
    Json work() {
        const std::string& method = request_.method;
        if (method == "tools/list") return list("tools", is_stateless_ ? offer_->stateless_tools : offer_->tools);
        if (method == "tools/call") return call_tool();
        if (const bool has = !offer_->resources.empty() || !offer_->templates.empty(); has) {
            if (method == "resources/list") return list("resources", resources());
            if (method == "resources/templates/list") return list("resourceTemplates", templates());
            if (method == "resources/read") return read_resource();
            if (!is_stateless_ && method == "resources/subscribe") return subscribe(true);
            if (!is_stateless_ && method == "resources/unsubscribe") return subscribe(false);
        }
        if (!offer_->prompts.empty()) {
            if (method == "prompts/list") return list("prompts", prompts());
            if (method == "prompts/get") return make_prompt();
        }
        if (offer_->complete && method == "completion/complete") return complete();
        if (is_stateless_) {
            if (method == "server/discover") return discover();
            if (method == "subscriptions/listen") return listen();
        } else {
            if (method == "initialize") return initialize();
            if (method == "ping") return base::new_object();
            if (method == "logging/setLevel") return set_log_level();
        }
        refuse(error_code::method_not_found, base::concat({"Method not found: ", utf8::prefix(method, 200)}));
    }

    // The results.

    [[nodiscard]] Json capabilities() const {
        const Json changes{{"listChanged", true}};
        Json out{{"tools", changes}, {"logging", base::new_object()}};
        if (!offer_->prompts.empty()) base::put(out, "prompts", changes);
        if (!offer_->resources.empty() || !offer_->templates.empty())
            base::put(out, "resources", Json{{"subscribe", true}, {"listChanged", true}});
        if (offer_->complete) base::put(out, "completions", base::new_object());
        return out;
    }
    [[nodiscard]] Json server_info() const {
        const ServerOptions& options = server_.options();
        return to_json_value(Implementation{options.name, options.version, options.title, {}});
    }
    Json discover() const {
        Json out{{"supportedVersions", Json::array({versions.front()})}, {"capabilities", capabilities()}};
        if (!server_.options().instructions.empty()) base::put(out, "instructions", server_.options().instructions);
        return out;
    }
    Json initialize() {
        const std::string asked = base::text_member(params_, "protocolVersion");
        const bool is_known = std::ranges::find(versions, asked) != versions.end() && !mcp::is_stateless(asked);
        version_ = is_known ? asked : std::string(*std::ranges::find_if_not(versions, mcp::is_stateless));
        const std::lock_guard lock(session_.mutex);
        session_.version = version_;
        session_.capabilities = mcp_detail::object_member(params_, "capabilities");
        if (session_.push && session_.listener == nullptr) {
            session_.listener = std::make_shared<ServerListener>(
                Subscription{.tools = true, .prompts = true, .resources = true}, std::nullopt, session_.push);
            server_.add(session_.listener);
        }
        Json out{{"protocolVersion", version_}, {"capabilities", capabilities()}, {"serverInfo", server_info()}};
        if (!server_.options().instructions.empty()) base::put(out, "instructions", server_.options().instructions);
        return out;
    }
    Json set_log_level() {
        const std::string level = base::text_member(params_, "level");
        if (!importance(level)) refuse(error_code::invalid_params, "Unknown level");
        const std::lock_guard lock(session_.mutex);
        session_.log_level = level;
        return base::new_object();
    }
    Json subscribe(bool on) {
        const std::string uri = base::text_member(params_, "uri");
        if (uri.empty()) refuse(error_code::invalid_params, "uri must be a text");
        std::shared_ptr<ServerListener> listener;
        {
            const std::lock_guard lock(session_.mutex);
            listener = session_.listener;
        }
        if (listener == nullptr) return base::new_object();
        const std::lock_guard lock(listener->mutex);
        std::vector<std::string>& uris = listener->what.uris;
        std::erase(uris, uri);
        if (on && uris.size() >= most_subscriptions)
            refuse(error_code::invalid_params,
                   "There are more than " + std::to_string(most_subscriptions) + " subscriptions");
        if (on) uris.push_back(uri);
        return base::new_object();
    }

    /// Returns the page of a list that the cursor, the index of its first member, asks for.
    Json list(std::string_view key, std::vector<Json> members) const {
        std::size_t first = 0;
        if (const Json* const cursor = base::find_key(params_, "cursor"); cursor != nullptr && !cursor->is_null()) {
            const std::optional<std::int64_t> index =
                cursor->is_string() && !base::text_of(*cursor).empty() ? base::whole_number(*cursor) : std::nullopt;
            if (!index || *index <= 0 || static_cast<std::size_t>(*index) > members.size())
                refuse(error_code::invalid_params, "Unknown cursor");
            first = static_cast<std::size_t>(*index);
        }
        const std::size_t last =
            std::min(members.size(), first + std::max<std::size_t>(server_.options().page_size, 1));
        JsonArray page(std::make_move_iterator(std::next(members.begin(), static_cast<std::ptrdiff_t>(first))),
                       std::make_move_iterator(std::next(members.begin(), static_cast<std::ptrdiff_t>(last))));
        Json out = base::new_object();
        base::put(out, key, Json(std::move(page)));
        if (last != members.size()) base::put(out, "nextCursor", std::to_string(last));
        return out;
    }
    template <class All, class Member>
    [[nodiscard]] static std::vector<Json> written(const All& all, Member member) {
        std::vector<Json> out;
        for (const auto& one : all) out.push_back(to_json_value((*one).*member));
        return out;
    }
    [[nodiscard]] std::vector<Json> resources() const {
        return written(offer_->resources, &Offer::OfferedResource::resource);
    }
    [[nodiscard]] std::vector<Json> templates() const {
        return written(offer_->templates, &Offer::OfferedTemplate::form);
    }
    [[nodiscard]] std::vector<Json> prompts() const { return written(offer_->prompts, &Offer::OfferedPrompt::prompt); }

    Json call_tool() {
        const std::string name = base::text_member(params_, "name");
        const std::string* const skill = offer_->names.find_skill(name);
        if (skill == nullptr)
            refuse(error_code::invalid_params, base::concat({"Unknown tool: ", utf8::prefix(name, 200)}));
        read_input(name);
        SkillRunOptions run = server_.options().run;
        run.until.stop = until_.stop;
        run.outer = &context_;
        run.on_progress = [this](const SkillProgress& progress) { report_progress(progress); };
        const ActionResult result = offer_->skills.call(*skill, mcp_detail::object_member(params_, "arguments"), run);
        if (!pending_.empty()) return input_required(name);
        if (missing_ && is_stateless_ && !is_success(result)) throw MissingCapability(*missing_);
        return to_json_value(to_tool_result(result, is_stateless_ ? Version::v2026_07_28 : Version::v2025_06_18));
    }

    Json read_resource() {
        const std::string uri = base::text_member(params_, "uri");
        read_input(uri);
        for (const auto& one : offer_->resources)
            if (one->resource.uri == uri) return contents(uri, one->read, {});
        for (const auto& one : offer_->templates)
            if (const std::optional<JsonObject> variables = one->parsed.match(uri))
                return contents(uri, one->read, *variables);
        refuse_resource(uri);
    }
    Json contents(const std::string& uri, const ReadResource& read, const JsonObject& variables) {
        std::vector<ResourceContents> out;
        try {
            out = read(uri, variables, context_);
        } catch (const InputNeeded&) {
        }
        if (!pending_.empty()) return input_required(uri);
        if (out.empty()) refuse_resource(uri);
        return Json{{"contents", to_json_value(out)}};
    }
    [[noreturn]] void refuse_resource(const std::string& uri) const {
        refuse(is_stateless_ ? error_code::invalid_params : error_code::resource_not_found, "Resource not found",
               Json{{"uri", uri}});
    }

    Json make_prompt() {
        const std::string name = base::text_member(params_, "name");
        const auto found =
            std::ranges::find_if(offer_->prompts, [&](const auto& one) { return one->prompt.name == name; });
        if (found == offer_->prompts.end())
            refuse(error_code::invalid_params, base::concat({"Unknown prompt: ", utf8::prefix(name, 200)}));
        const JsonObject arguments = mcp_detail::object_member(params_, "arguments");
        for (const PromptArgument& one : (*found)->prompt.arguments) {
            const Json* const given = base::find_key(arguments, one.name);
            if (given == nullptr && one.required)
                refuse(error_code::invalid_params, "The prompt needs the argument '" + one.name + "'");
            if (given != nullptr && !given->is_string())
                refuse(error_code::invalid_params, "The argument '" + one.name + "' must be a text");
        }
        read_input(name);
        PromptResult out;
        try {
            out = (*found)->make(arguments, context_);
        } catch (const InputNeeded&) {
        }
        return pending_.empty() ? to_json_value(out) : input_required(name);
    }

    Json complete() const {
        constexpr std::size_t most = 100;
        const JsonObject ref = mcp_detail::object_member(params_, "ref");
        const JsonObject argument = mcp_detail::object_member(params_, "argument");
        const JsonObject context = mcp_detail::object_member(params_, "context");
        CompletionRequest wanted{base::text_member(Json(ref), "name"), base::text_member(Json(ref), "uri"),
                                 base::text_member(Json(argument), "name"), base::text_member(Json(argument), "value"),
                                 mcp_detail::object_member(Json(context), "arguments")};
        if ((wanted.prompt.empty() && wanted.uri_template.empty()) || wanted.argument.empty())
            refuse(error_code::invalid_params, "ref and argument must say what is completed");
        Completion out = offer_->complete(wanted);
        if (out.values.size() > most) {
            if (!out.total) out.total = static_cast<std::int64_t>(out.values.size());
            out.values.resize(most);
            out.has_more = true;
        }
        return Json{{"completion", to_json_value(out)}};
    }

    /// Sends changes until the request is stopped.
    Json listen() {
        const JsonObject asked = mcp_detail::object_member(params_, "notifications");
        const auto is_on = [&](std::string_view key, bool is_offered) {
            const Json* const value = base::find_key(asked, key);
            return is_offered && value != nullptr && value->is_boolean() && base::boolean_of(*value);
        };
        const bool has_resources = !offer_->resources.empty() || !offer_->templates.empty();
        Subscription what{is_on("toolsListChanged", true),
                          is_on("promptsListChanged", !offer_->prompts.empty()),
                          is_on("resourcesListChanged", has_resources),
                          {}};
        if (const Json* const uris = base::find_key(asked, "resourceSubscriptions");
            has_resources && uris != nullptr && uris->is_array())
            for (const Json& one : base::array_of(*uris))
                if (one.is_string() && what.uris.size() < most_subscriptions) what.uris.push_back(base::text_of(one));
        Json granted = base::new_object();
        if (what.tools) base::put(granted, "toolsListChanged", true);
        if (what.prompts) base::put(granted, "promptsListChanged", true);
        if (what.resources) base::put(granted, "resourcesListChanged", true);
        if (!what.uris.empty()) base::put(granted, "resourceSubscriptions", to_json_value(what.uris));
        const Json about{{mcp_detail::subscription_key, mcp_detail::id_json(request_.id)}};
        send_(Notification{"notifications/subscriptions/acknowledged", {{"_meta", about}, {"notifications", granted}}});
        const auto listener = std::make_shared<ServerListener>(std::move(what), request_.id, send_);
        server_.add(listener);
        std::unique_lock lock(session_.mutex);
        base::wait_until(session_.changed, lock, until_.stop, Clock::time_point::max(),
                         [this] { return session_.is_closing; });
        lock.unlock();
        server_.remove(listener);
        return Json{{"_meta", about}};
    }

    /// Adds what every result has.
    void finish(Json& result) const {
        if (!is_stateless_) return;
        if (!result.contains("resultType")) base::assign(result, "resultType", "complete");
        Json meta(mcp_detail::object_member(result, "_meta"));
        base::assign(meta, mcp_detail::server_key, server_info());
        base::assign(result, "_meta", std::move(meta));
        const std::string& method = request_.method;
        const bool is_complete = base::is_text(result.at("resultType"), "complete");
        if (is_complete && (method == "server/discover" || method == "resources/read" || method.ends_with("/list"))) {
            base::assign(result, "ttlMs", server_.options().list_lifetime.count());
            base::assign(result, "cacheScope", "private");
        }
    }

    [[nodiscard]] ErrorObject refused(const MissingCapability& missing) const {
        if (!is_stateless_) return {error_code::internal_error, missing.what(), std::nullopt};
        return {error_code::missing_capability, missing.what(),
                Json{{"requiredCapabilities", Json{{missing.capability(), base::new_object()}}}}};
    }
    [[nodiscard]] static Json number(double value) {
        const auto whole = static_cast<std::int64_t>(std::clamp(value, -9e15, 9e15));
        return static_cast<double>(whole) == value ? Json(whole) : Json(value);
    }

    // Asking the client.

    [[nodiscard]] static std::string capability_of(const Question& question) {
        if (question.method == "elicitation/create") return "elicitation";
        if (question.method == "sampling/createMessage") return "sampling";
        if (question.method == "roots/list") return "roots";
        return "";
    }
    /// Returns whether the client shows a question of this mode. One that names no modes shows forms.
    [[nodiscard]] bool has_mode(const Question& question) const {
        if (question.method != "elicitation/create") return true;
        const std::string mode = base::text_member(Json(question.params), "mode");
        const Json& modes = *base::find_key(capabilities_, "elicitation");
        const bool is_form = mode.empty() || mode == "form";
        if (!modes.is_object() || modes.empty()) return is_form;
        return base::find_key(modes, is_form ? "form" : mode) != nullptr;
    }

    /// Returns whether an answer is one to this question.
    [[nodiscard]] static bool is_answer(const Question& question, const Json& answer) {
        if (!answer.is_object()) return false;
        if (question.method == "roots/list") return base::find_key(answer, "roots") != nullptr;
        if (question.method == "sampling/createMessage") return base::find_key(answer, "content") != nullptr;
        try {
            const auto read = validate<InputAnswer>(answer);
            const JsonObject schema = mcp_detail::object_member(Json(question.params), "requestedSchema");
            if (read.action == InputAnswer::Action::accept && base::text_member(Json(question.params), "mode") != "url")
                static_cast<void>(complete_form(schema, read.content));
            return true;
        } catch (const acta::Error&) {
            return false;
        }
    }

    std::vector<JsonObject> ask_by_result(const std::vector<Question>& questions) {
        std::vector<JsonObject> out;
        for (const Question& one : questions) {
            const Json* const known = base::find_key(answers_, one.key);
            if (known != nullptr && is_answer(one, *known))
                out.emplace_back(base::object_of(*known));
            else
                pending_.push_back(one);
        }
        if (!pending_.empty()) throw InputNeeded();
        return out;
    }

    std::vector<JsonObject> ask_by_requests(const std::vector<Question>& questions) {
        std::vector<RequestId> ids;
        {
            const std::lock_guard lock(session_.mutex);
            for (std::size_t i = 0; i < questions.size(); ++i) {
                ids.emplace_back("s" + std::to_string(session_.next_id++));
                session_.awaited.emplace(ids.back(), std::nullopt);
            }
        }
        const std::shared_ptr<void> forget(&ids, [this](const std::vector<RequestId>* all) {
            const std::lock_guard lock(session_.mutex);
            for (const RequestId& id : *all) session_.awaited.erase(id);
        });
        for (std::size_t i = 0; i < questions.size(); ++i)
            send_(Request{ids[i], questions[i].method, questions[i].params});
        std::vector<JsonObject> out;
        const auto end = base::saturated_sum(Clock::now(), std::chrono::nanoseconds(server_.options().ask_timeout));
        for (std::size_t i = 0; i < ids.size(); ++i) out.push_back(answer_to(questions[i], ids[i], end));
        return out;
    }
    JsonObject answer_to(const Question& question, const RequestId& id, Clock::time_point end) {
        std::unique_lock lock(session_.mutex);
        std::optional<Response>& response = session_.awaited.at(id);
        const bool is_there = base::wait_until(session_.changed, lock, until_.stop, end,
                                               [&] { return response.has_value() || session_.is_closing; });
        if (!response) {
            if (is_there || until_.is_cancelled()) throw Cancelled();
            throw Timeout("the client did not answer in time");
        }
        if (const auto* const error = std::get_if<ErrorObject>(&response->outcome))
            throw RequestError("the client answered " + question.method + " with error " + std::to_string(error->code) +
                                   ": " + error->message,
                               *error);
        const Json& result = std::get<Json>(response->outcome);
        if (!is_answer(question, result))
            throw ProtocolError("the client answered " + question.method + " with what does not fit the question");
        return JsonObject(base::object_of(result));
    }

    // The state that a client of 2026 keeps between its requests.

    /// Reads the answers that came with the request.
    void read_input(const std::string& name) {
        if (!is_stateless_) return;
        if (const Json* const state = base::find_key(params_, "requestState"); state != nullptr && !state->is_null())
            read_state(*state, name);
        for (const auto& [key, value] : mcp_detail::object_member(params_, "inputResponses")) {
            Json all(std::move(answers_));
            base::assign(all, key, value);
            answers_ = JsonObject(std::move(all.get_ref<Json::object_t&>()));
        }
    }
    [[nodiscard]] std::string digest(const std::string& name) const {
        const Json* const arguments = base::find_key(params_, "arguments");
        return base::base64(base::sha256(
            dump(Json::array({request_.method, name, arrival_.caller, arguments == nullptr ? Json() : *arguments}))));
    }
    [[nodiscard]] std::string signature(std::string_view payload) const {
        return base::base64(base::hmac_sha256(server_.options().state_key, payload));
    }
    [[nodiscard]] static std::int64_t now() {
        return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    }
    Json input_required(const std::string& name) const {
        const std::string payload = dump(Json{{"time", now()}, {"digest", digest(name)}, {"answers", Json(answers_)}});
        Json requests = base::new_object();
        for (const Question& one : pending_)
            base::assign(requests, one.key, Json{{"method", one.method}, {"params", Json(one.params)}});
        return Json{{"resultType", "input_required"},
                    {"inputRequests", std::move(requests)},
                    {"requestState", signature(payload) + payload}};
    }
    void read_state(const Json& state, const std::string& name) {
        constexpr std::size_t signature_size = 44;  // 32 bytes in base64
        const std::string text = state.is_string() ? base::text_of(state) : "";
        const std::string_view given = std::string_view(text).substr(0, std::min(signature_size, text.size()));
        const std::string_view payload = std::string_view(text).substr(given.size());
        const std::string wanted = signature(payload);
        unsigned different = given.size() == wanted.size() ? 0 : 1;
        for (std::size_t i = 0; i < std::min(given.size(), wanted.size()); ++i)  // in a time that shows nothing
            different |= static_cast<unsigned char>(given[i] ^ wanted[i]);
        if (different != 0) refuse(error_code::invalid_params, "requestState is not one of this server");
        const Json read = parse<Json>(payload);
        const auto lifetime = std::chrono::duration_cast<std::chrono::seconds>(
            std::chrono::nanoseconds(server_.options().state_lifetime));
        if (base::whole_number(read.at("time")).value_or(0) + lifetime.count() < now())
            refuse(error_code::invalid_params, "requestState is too old");
        if (!base::is_text(read.at("digest"), digest(name)))
            refuse(error_code::invalid_params, "requestState is one of another request");
        answers_ = mcp_detail::object_member(read, "answers");
    }

    SessionState& session_;
    State& server_;
    const std::shared_ptr<const Offer> offer_;
    const Request request_;
    const JsonObject& params_;
    const JsonObject meta_;
    const Send& send_;
    const Until until_;
    const Arrival& arrival_;
    ServerContext context_;
    bool is_stateless_ = false;
    std::string version_{};
    JsonObject capabilities_{};
    std::string log_level_{};
    JsonObject answers_{};
    std::vector<Question> pending_{};
    std::optional<std::string> missing_{};
    std::mutex mutex_{};  // guards what follows
    std::optional<double> progress_{};
};

/// Takes a message of a client.
ACTA_INLINE void take(SessionState& session, Message message, const Send& send, const stop_token& stop,
                      const Arrival& arrival) {
    if (auto* const response = std::get_if<Response>(&message)) {
        const std::lock_guard lock(session.mutex);
        const auto found = response->id ? session.awaited.find(*response->id) : session.awaited.end();
        if (found != session.awaited.end() && !found->second) found->second = std::move(*response);
        session.changed.notify_all();
        return;
    }
    if (const auto* const notification = std::get_if<Notification>(&message)) {
        if (notification->method != "notifications/cancelled") return;
        const Json* const id = base::find_key(notification->params, "requestId");
        const std::optional<RequestId> known = id == nullptr ? std::nullopt : mcp_detail::id_of(*id);
        std::optional<stop_source> cancelled;
        {
            const std::lock_guard lock(session.mutex);
            const auto found = known ? session.in_flight.find(*known) : session.in_flight.end();
            if (found != session.in_flight.end()) cancelled = found->second;
        }
        if (cancelled) cancelled->request_stop();
        return;
    }
    auto& request = std::get<Request>(message);
    const RequestId id = request.id;
    stop_source own;
    {
        std::unique_lock lock(session.mutex);
        if (session.is_closing) return;
        if (!session.in_flight.emplace(id, own).second) {
            lock.unlock();
            return send(Response{id, ErrorObject{error_code::invalid_request,
                                                 "There is a request of the same id already", std::nullopt}});
        }
        ++session.active;
    }
    bool has_id = true;
    const std::shared_ptr<void> leave(&session, [&](SessionState* of) {
        const std::lock_guard lock(of->mutex);
        if (has_id) of->in_flight.erase(id);
        --of->active;
        of->changed.notify_all();
    });
    auto end = [&own] { own.request_stop(); };
    const stop_callback<decltype(end)> linked(stop, end);
    const Response response = Call(session, std::move(request), send, own.get_token(), arrival).answer();
    {
        // The id is free before the response is sent, since the client may use it again at once.
        const std::lock_guard lock(session.mutex);
        session.in_flight.erase(id);
        has_id = false;
    }
    if (!own.stop_requested()) send(response);
}

}  // namespace acta::inline ACTA_ABI::mcp::server_detail

namespace acta::inline ACTA_ABI::mcp {

ACTA_INLINE ServerContext* ServerContext::of(const SkillContext& context) noexcept {
    OuterRun* const outer = context.outer_run();
    return outer != nullptr && outer->kind() == Kind::request ? static_cast<ServerContext*>(outer) : nullptr;
}

ACTA_INLINE InputAnswer ServerContext::elicit(std::string_view key, const InputRequest& request) {
    Json params = to_json_value(request);
    if (version() < "2025-11-25") base::assign(params, "mode", Json());  // which older clients do not know
    JsonObject written;
    for (auto& [name, value] : params.get_ref<Json::object_t&>())
        if (!value.is_null()) base::put(written, name, std::move(value));
    return validate<InputAnswer>(Json(ask(Question{std::string(key), "elicitation/create", std::move(written)})));
}
ACTA_INLINE JsonObject ServerContext::ask(const Question& question) { return ask_all({question}).at(0); }
ACTA_INLINE std::vector<JsonObject> ServerContext::ask_all(const std::vector<Question>& questions) {
    return call_.ask(questions);
}
ACTA_INLINE bool ServerContext::client_offers(std::string_view capability) const noexcept {
    return call_.client_offers(capability);
}
ACTA_INLINE void ServerContext::report_progress(const SkillProgress& progress) { call_.report_progress(progress); }
ACTA_INLINE void ServerContext::log(const LogMessage& message) { call_.log(message); }
ACTA_INLINE const Until& ServerContext::until() const noexcept { return call_.until(); }
ACTA_INLINE const std::string& ServerContext::version() const noexcept { return call_.version(); }

ACTA_INLINE Server::Server(SkillRegistry skills, ServerOptions options)
    : state_(std::make_shared<server_detail::State>(std::move(skills), std::move(options))) {}

ACTA_INLINE void Server::set_skills(SkillRegistry skills) {
    state_->change(Change::Kind::tools, [&](server_detail::Offer& offer) { offer.set_skills(std::move(skills)); });
}
ACTA_INLINE void Server::add_resource(Resource resource, ReadResource read) {
    auto made = std::make_shared<const server_detail::Offer::OfferedResource>(
        server_detail::Offer::OfferedResource{std::move(resource), std::move(read)});
    state_->change(Change::Kind::resources, [&](server_detail::Offer& offer) {
        std::erase_if(offer.resources, [&](const auto& one) { return one->resource.uri == made->resource.uri; });
        offer.resources.push_back(std::move(made));
    });
}
ACTA_INLINE void Server::add_resource_template(ResourceTemplate form, ReadResource read) {
    server_detail::UriForm parsed(form.uri_template);
    auto made = std::make_shared<const server_detail::Offer::OfferedTemplate>(
        server_detail::Offer::OfferedTemplate{std::move(form), std::move(parsed), std::move(read)});
    state_->change(Change::Kind::resources,
                   [&](server_detail::Offer& offer) { offer.templates.push_back(std::move(made)); });
}
ACTA_INLINE void Server::add_prompt(Prompt prompt, MakePrompt make) {
    auto made = std::make_shared<const server_detail::Offer::OfferedPrompt>(
        server_detail::Offer::OfferedPrompt{std::move(prompt), std::move(make)});
    state_->change(Change::Kind::prompts, [&](server_detail::Offer& offer) {
        std::erase_if(offer.prompts, [&](const auto& one) { return one->prompt.name == made->prompt.name; });
        offer.prompts.push_back(std::move(made));
    });
}
ACTA_INLINE void Server::set_completion(CompleteArgument complete) {
    state_->edit([&](server_detail::Offer& offer) { offer.complete = std::move(complete); });
}
ACTA_INLINE void Server::report(const Change& change) { state_->report(change); }
ACTA_INLINE const ServerOptions& Server::options() const noexcept { return state_->options(); }

ACTA_INLINE ServerSession::ServerSession(const Server& server, Send push)
    : state_(std::make_shared<server_detail::SessionState>(server.state_, std::move(push))) {}

ACTA_INLINE ServerSession::~ServerSession() { close(); }

ACTA_INLINE void ServerSession::close() noexcept {
    std::vector<stop_source> all;
    std::unique_lock lock(state_->mutex);
    state_->is_closing = true;
    for (const auto& [id, source] : state_->in_flight) all.push_back(source);
    state_->changed.notify_all();
    lock.unlock();
    for (stop_source& one : all) one.request_stop();
    lock.lock();
    state_->changed.wait(lock, [this] { return state_->active == 0; });
    const std::shared_ptr<server_detail::ServerListener> listener = std::exchange(state_->listener, nullptr);
    lock.unlock();
    if (listener != nullptr) state_->server->remove(listener);
}

ACTA_INLINE void ServerSession::handle(Message message, const Send& send, const stop_token& stop) {
    server_detail::take(*state_, std::move(message), send, stop, {});
}

ACTA_INLINE std::string ServerSession::version() const {
    const std::lock_guard lock(state_->mutex);
    return state_->version;
}

}  // namespace acta::inline ACTA_ABI::mcp
