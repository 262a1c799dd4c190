// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/agent/agent_run.hpp"
#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/trace/detail/span.inl.hpp"
#include "acta/trace/tracer.hpp"

namespace acta::inline ACTA_ABI::trace_detail {

using trace::Span;
using trace::SpanKind;
using trace::TraceOptions;
using trace::TraceParent;

/// Derives identifiers from texts. What spans of a run have in common is hashed once.
class IdHash {
public:
    /// Begins with a text, and a number that makes another hash of the same texts.
    explicit IdHash(std::string_view first = {}, std::uint64_t seed = 0)
        : hash_(0xCBF29CE484222325U ^ (seed * 0x9E3779B97F4A7C15U)) {
        add(first);
        add(std::string_view("", 1));
    }
    IdHash& add(std::string_view text) {
        for (const char byte : text) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
        return *this;
    }
    IdHash& add(std::size_t number) {
        char digits[20];
        const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
        return add(std::string_view(std::begin(digits), end));
    }
    /// Returns 16 hexadecimal digits, not all 0.
    [[nodiscard]] std::string id() const {
        std::uint64_t hash = (hash_ ^ (hash_ >> 30U)) * 0xBF58476D1CE4E5B9U;  // so that each bit depends on all
        hash = (hash ^ (hash >> 27U)) * 0x94D049BB133111EBU;
        hash ^= hash >> 31U;
        std::string out(16, '0');
        for (std::size_t i = 0; i < 16; ++i) out[i] = "0123456789abcdef"[(hash >> (60 - 4 * i)) & 15U];
        if (hash == 0) out.back() = '1';
        return out;
    }

private:
    std::uint64_t hash_;
};

/// The content of spans: redacted, masked, cut.
class Content {
public:
    explicit Content(const TraceOptions& options) : options_(options) {}

    [[nodiscard]] std::string shown(std::string_view text) const {
        std::string out = mask_secrets(options_.redactor ? options_.redactor(text) : std::string(text));
        base::clean(out);
        if (out.size() <= options_.max_text_bytes) return out;
        return std::string(utf8::prefix(out, options_.max_text_bytes)) + "...";
    }
    /// Texts that a key says to be a secret are masked as a whole. Recurses as deep as the value, whose depth its
    /// reader has limited.
    [[nodiscard]] Json value(const Json& of, std::string_view key = {}) const {
        if (of.is_string()) {
            std::string text = shown(base::text_of(of));
            const std::string assigned = base::concat({key, "=", text});
            if (!key.empty() && mask_secrets(assigned) != assigned) text = "[secret]";
            return base::text_json(text);
        }
        Json out = of;
        if (of.is_array()) {
            for (Json& one : out) one = value(one, key);
        } else if (of.is_object()) {
            Json object = base::new_object();
            for (const auto& [name, one] : base::object_of(of)) base::put(object, shown(name), value(one, name));
            out = std::move(object);
        }
        return out;
    }
    [[nodiscard]] Json part(std::string_view type, std::string_view key, Json value) const {
        Json out = base::new_object();
        base::put(out, "type", base::text_json(type));
        base::put(out, key, std::move(value));
        return out;
    }
    /// Returns a message in the form of the conventions. Content that is not text is a placeholder.
    [[nodiscard]] Json message(const ChatMessage& of) const {
        Json parts(Json::value_t::array);
        if (of.reasoning_content && !of.reasoning_content->empty())
            parts.push_back(part("reasoning", "content", base::text_json(shown(*of.reasoning_content))));
        if (of.role == ChatRole::tool) {
            Json response = part("tool_call_response", "id", base::text_json(of.tool_call_id));
            base::put(response, "response", base::text_json(shown(of.content)));
            parts.push_back(std::move(response));
        } else if (of.parts.empty() && !of.content.empty()) {
            parts.push_back(part("text", "content", base::text_json(shown(of.content))));
        }
        for (const ContentPart& one : of.parts) {
            if (of.role == ChatRole::tool) break;  // its text has them
            const bool is_text = one.type == "text";
            Json piece = part(is_text ? "text" : "generic", "content", base::text_json(shown(to_string(one))));
            if (!is_text) base::put(piece, "generic_type", base::text_json(one.type));
            parts.push_back(std::move(piece));
        }
        for (const AssistantToolCall& call : of.tool_calls) {
            Json request = part("tool_call", "id", base::text_json(call.id));
            base::put(request, "name", base::text_json(call.function.name));
            base::put(request, "arguments", value(Json(call.function.arguments)));
            parts.push_back(std::move(request));
        }
        Json out = base::new_object();
        base::put(out, "role", base::text_json(to_string(of.role)));
        base::put(out, "parts", std::move(parts));
        return out;
    }

private:
    const TraceOptions& options_;
};

/// Adds an attribute, whose value is made in its place.
template <class Value>
void put(Span& span, trace::AttributeKey key, Value&& value) {
    trace::Attribute& one = span.attributes.emplace_back();
    one.key = key;
    if constexpr (std::is_convertible_v<const Value&, std::string_view>)
        one.value.template emplace<std::string>(std::forward<Value>(value));
    else
        one.value = std::forward<Value>(value);
}

/// A run, as its spans know it.
struct Scope {
    const TraceOptions* options = nullptr;
    TraceParent position{};  ///< Of the run's own span.
    std::string parent_id{};
    bool has_remote_parent = false;
    IdHash path{};  ///< Distinguishes the run within the trace.
    std::string agent{};

    /// Returns the scope of the run with this number.
    [[nodiscard]] static Scope of_run(const TraceOptions& options, const std::string& record, std::size_t number) {
        Scope out{.options = &options, .has_remote_parent = options.parent.has_value(), .agent = options.agent_name};
        const std::string path = base::concat({record, "/", std::to_string(number)});
        if (options.parent) {
            out.position = *options.parent;
            out.parent_id = options.parent->span_id;
        } else {
            out.position.trace_id = IdHash(record, 1).add(path).id() + IdHash(record, 2).add(path).id();
        }
        out.path = IdHash(out.position.trace_id).add(path);
        out.position.span_id = out.path.id();
        return out;
    }
    /// Returns the scope of the run of an agent that is a tool.
    [[nodiscard]] Scope of_call(const Span& call, const std::string& name, std::size_t number) const {
        Scope out = *this;
        out.path.add("/").add(call.span_id).add("/").add(number);
        out.parent_id = call.span_id;
        out.has_remote_parent = false;
        out.agent = name;
        out.position.span_id = out.path.id();
        return out;
    }

    [[nodiscard]] Span begin(std::string_view operation, std::string_view target, Time start) const {
        Span out{.trace_id = position.trace_id, .trace_state = position.trace_state, .start = start, .end = start};
        out.name = target.empty() ? std::string(operation) : base::concat({operation, " ", target});
        out.attributes.reserve(12);  // more than most have
        put(out, "gen_ai.operation.name", operation);
        if (!options->conversation_id.empty()) put(out, "gen_ai.conversation.id", options->conversation_id);
        return out;
    }
    [[nodiscard]] Span run(Time start) const {
        Span out = begin("invoke_agent", agent, start);
        out.span_id = position.span_id;
        out.parent_id = parent_id;
        out.has_remote_parent = has_remote_parent;
        if (!agent.empty()) put(out, "gen_ai.agent.name", agent);
        const bool is_own = agent == options->agent_name;
        if (is_own && !options->agent_description.empty())
            put(out, "gen_ai.agent.description", options->agent_description);
        return out;
    }
    [[nodiscard]] Span chat(std::size_t number, std::string model, Time start) const {
        if (model.empty()) model = options->model;
        Span out = begin("chat", model, start);
        out.span_id = IdHash(path).add("/chat/").add(number).id();
        out.parent_id = position.span_id;
        out.kind = SpanKind::client;
        if (!options->provider.empty()) put(out, "gen_ai.provider.name", options->provider);
        if (!model.empty()) put(out, "gen_ai.request.model", std::move(model));
        if (!options->server_address.empty()) {
            put(out, "server.address", options->server_address);
            if (options->server_port != 0) put(out, "server.port", std::int64_t{options->server_port});
        }
        return out;
    }
    [[nodiscard]] Span call(std::size_t step, const std::string& id, const AssistantFunctionCall& call,
                            Time start) const {
        Span out = begin("execute_tool", call.name, start);
        out.span_id = IdHash(path).add("/call/").add(step).add("/").add(id).id();
        out.parent_id = position.span_id;
        if (!agent.empty()) put(out, "gen_ai.agent.name", agent);
        put(out, "gen_ai.tool.name", call.name);
        put(out, "gen_ai.tool.type", "function");
        put(out, "gen_ai.tool.call.id", id);
        return out;
    }

    void set_text(Span& span, trace::AttributeKey key, const Json& value) const {
        put(span, std::move(key), dump(value));
    }
    void fail(Span& span, const std::string& type, std::string_view message) const {
        span.is_error = true;
        put(span, "error.type", type.empty() ? "_OTHER" : type);
        if (options->content) span.error_message = Content(*options).shown(message);
    }
    void set_input(Span& span, std::span<const ChatMessage> messages) const {
        if (!options->content) return;
        Json list(Json::value_t::array);
        for (const ChatMessage& one : messages) list.push_back(Content(*options).message(one));
        set_text(span, "gen_ai.input.messages", list);
    }
    static std::string reason_of(bool has_calls, std::string_view finish) {
        const FinishReason kind = finish_reason_of(finish);
        if (kind == FinishReason::length) return "length";
        if (kind == FinishReason::content_filter) return "content_filter";
        if (kind == FinishReason::error) return "error";
        if (finish.empty() || kind == FinishReason::stop || kind == FinishReason::tool_calls)
            return has_calls ? "tool_call" : "stop";
        return std::string(finish);
    }
    static void set_finish(Span& span, bool has_calls, std::string_view finish) {
        std::vector<std::string> reasons(1, reason_of(has_calls, finish));
        put(span, "gen_ai.response.finish_reasons", std::move(reasons));
    }
    /// The finish reason of an answer, and with content the answer. Without content only whether it has calls counts.
    void set_output(Span& span, const ChatMessage& answer, std::string_view finish) const {
        const bool has_calls = !answer.tool_calls.empty();
        set_finish(span, has_calls, finish);
        if (!options->content) return;
        const Content content(*options);
        Json message = content.message(answer);
        base::put(message, "finish_reason", base::text_json(content.shown(reason_of(has_calls, finish))));
        Json list(Json::value_t::array);
        list.push_back(std::move(message));
        set_text(span, "gen_ai.output.messages", list);
    }
    void set_result(Span& span, const AssistantFunctionCall& call, const ActionResult& result) const {
        put(span, "acta.result.status", std::string(to_string(status(result))));
        const auto* const error = std::get_if<ActionErrorResult>(&result);
        if (error != nullptr) fail(span, error->error ? error->error->exception_type : "", error->reason);
        if (!options->content) return;
        const Content content(*options);
        set_text(span, "gen_ai.tool.call.arguments", content.value(Json(call.arguments)));
        Json shown = base::new_object();
        if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
            Json outputs = content.value(success->outputs, "result");
            if (outputs.is_object())
                shown = std::move(outputs);
            else
                base::put(shown, "result", std::move(outputs));
        } else if (error != nullptr) {
            base::put(shown, "error", base::text_json(content.shown(error->reason)));
        } else {
            const auto& human = std::get<ActionInterruptedByHuman>(result);
            base::put(shown, "feedback", base::text_json(content.shown(human.feedback)));
        }
        set_text(span, "gen_ai.tool.call.result", shown);
    }
    /// How a run ended; `end` is the name of a `RunEnd`.
    void set_end(Span& span, std::string_view end, const ErrorInfo* error, const TokenUsage& usage,
                 std::size_t requests, std::optional<double> cost, const ChatMessage* answer,
                 std::string_view finish) const {
        set(span, "gen_ai.usage.input_tokens", usage.prompt_tokens);
        set(span, "gen_ai.usage.output_tokens", usage.completion_tokens);
        if (usage.estimated) put(span, "acta.usage.estimated", true);
        set(span, "acta.run.requests", static_cast<std::int64_t>(requests));
        if (cost && *cost > 0) put(span, "acta.run.cost_usd", *cost);
        put(span, "acta.run.end", end);
        if (answer != nullptr) set_output(span, *answer, finish);
        if (end == to_string(RunEnd::failed))
            fail(span, error == nullptr ? "" : error->exception_type, error == nullptr ? "" : error->message);
    }
    static void set(Span& span, trace::AttributeKey key, std::optional<std::int64_t> number) {
        if (number) put(span, std::move(key), *number);
    }
    /// Of the tokens of a completion (`TokenUsage`) or of a step (`StepMetrics`).
    template <class Tokens>
    static void set_tokens(Span& span, const Tokens& tokens) {
        set(span, "gen_ai.usage.input_tokens", tokens.prompt_tokens);
        set(span, "gen_ai.usage.output_tokens", tokens.completion_tokens);
        set(span, "gen_ai.usage.cache_read.input_tokens", tokens.cached_tokens);
        set(span, "gen_ai.usage.cache_write.input_tokens", tokens.cache_write_tokens);
        set(span, "gen_ai.usage.reasoning.output_tokens", tokens.reasoning_tokens);
    }
    static void set_model(Span& span, std::string model) {
        base::clean(model);
        if (!model.empty()) put(span, "gen_ai.response.model", std::move(model));
    }
};

// A record.

/// Reads the spans of the runs of a history, in order.
class RecordReader {
public:
    RecordReader(const HistoryView& history, std::vector<Span>& out) : history_(history), out_(out) {
        for (std::size_t i = 0; i < history.size(); ++i) note(*history.step(i).metrics, first_);
        for (const ConversationMessage& said : history.messages()) note(said.metrics, first_);
        time_ = first_.value_or(Time());
    }

    /// Returns a text that distinguishes the history, and stays the same when runs are added to it.
    [[nodiscard]] std::string beginning() const {
        std::string out = first_ ? std::to_string(first_->time_since_epoch().count()) : "";
        if (!history_.messages().empty()) base::append(out, {"\n", history_.messages().front().message.content});
        if (history_.size() != 0) base::append(out, {"\n", dump(Json(history_.step(0).calls.front().arguments))});
        return out;
    }

    [[nodiscard]] bool has_more(std::size_t run) const {
        return run < history_.runs().size() || step_ < history_.size() ||
               std::any_of(history_.messages().begin() + static_cast<std::ptrdiff_t>(message_),
                           history_.messages().end(), is_request);
    }

    /// Appends the spans of the next run, of this number.
    void read_run(std::size_t number, const Scope& scope) {
        const RunRecord* const record = number < history_.runs().size() ? &history_.runs()[number] : nullptr;
        const std::size_t end = record == nullptr ? history_.size() : std::min(record->after, history_.size());
        const std::size_t limit = record == nullptr ? history_.messages().size() : record->requests;
        std::optional<Time> begun;
        std::optional<Time> ended;
        const ConversationMessage* answer = nullptr;
        const ChatMessage* question = nullptr;
        std::size_t requests = 0;
        std::size_t steps = 0;
        const auto take = [&](const Span& span) {
            begun = std::min(begun.value_or(span.start), span.start);
            ended = std::max(ended.value_or(span.end), span.end);
        };
        const auto messages = [&](bool is_last) {
            for (; message_ < history_.messages().size(); ++message_) {
                const ConversationMessage& said = history_.messages()[message_];
                if (said.before > step_ || (is_last && requests >= limit)) return;
                answer = nullptr;
                if (said.message.role == ChatRole::user && requests == 0) question = &said.message;
                if (!is_request(said)) continue;
                Span chat = chat_span(scope, ++requests, *said.metrics, said.message);
                take(chat);
                out_.push_back(std::move(chat));
                answer = &said;
            }
        };
        for (; step_ < end; ++step_) {
            messages(false);
            read_step(step_, steps++, ++requests, scope, take);
        }
        messages(true);
        // What was asked before the requests of this run is not asked by the next one.
        if (record != nullptr && record->end == to_string(RunEnd::failed) && record->error &&
            record->requests > requests) {
            Span chat = scope.chat(++requests, {}, ended.value_or(time_));
            scope.fail(chat, record->error->exception_type, record->error->message);
            take(chat);
            out_.push_back(std::move(chat));
        }
        Span run = scope.run(begun.value_or(time_));
        run.end = ended.value_or(run.start);
        if (question != nullptr) scope.set_input(run, std::span(question, 1));
        if (record != nullptr) {
            using Seconds = std::chrono::duration<double>;
            const double seconds = std::clamp(record->seconds, 0.0, 1e9);
            run.end =
                std::max(run.end, run.start + std::chrono::duration_cast<std::chrono::nanoseconds>(Seconds(seconds)));
            const ChatMessage* const said = answer == nullptr ? nullptr : &answer->message;
            scope.set_end(run, record->end, record->error ? &*record->error : nullptr, record->usage, record->requests,
                          record->cost_usd, said, record->finish_reason);
        }
        out_.push_back(std::move(run));
    }

private:
    static bool is_request(const ConversationMessage& said) {
        return said.message.role == ChatRole::assistant && said.metrics.has_value();
    }
    static std::optional<Time> moment(const std::optional<Timestamp>& timestamp) {
        const auto instant = timestamp ? timestamp->instant() : std::nullopt;
        if (!instant) return std::nullopt;
        return Time(*instant);
    }
    static void note(const Boxed<StepMetrics>& metrics, std::optional<Time>& first) {
        const auto start = metrics ? moment(metrics->started_at) : std::nullopt;
        if (start) first = std::min(first.value_or(*start), *start);
    }
    /// Sets the times of a span; where they are unknown, those of the one before it.
    void set_times(Span& span, const StepMetrics& metrics) {
        span.start = moment(metrics.started_at).value_or(time_);
        span.end = std::max(span.start, moment(metrics.finished_at).value_or(span.start));
        time_ = span.end;
    }
    Span chat_span(const Scope& scope, std::size_t number, const StepMetrics& metrics, const ChatMessage& message) {
        Span chat = scope.chat(number, {}, time_);
        set_times(chat, metrics);
        Scope::set_model(chat, metrics.model);
        Scope::set_tokens(chat, metrics);
        scope.set_output(chat, message, metrics.finish_reason);
        return chat;
    }
    template <class Take>
    void read_step(std::size_t index, std::size_t in_run, std::size_t number, const Scope& scope, const Take& take) {
        const StepView step = history_.step(index);
        const std::vector<std::string> ids = history_.call_ids(index);
        const StepMetrics metrics = step.metrics->has_value() ? **step.metrics : StepMetrics();
        ChatMessage message = step.raw_message != nullptr ? ChatMessage(*step.raw_message)
                                                          : ChatMessage::assistant(history_.words(index));
        message.tool_calls.clear();
        for (std::size_t i = 0; i < step.calls.size(); ++i) message.tool_calls.push_back({ids[i], step.calls[i]});
        Span chat = chat_span(scope, number, metrics, message);
        put(chat, "acta.time.shared_with_step", true);
        take(chat);
        std::map<std::string_view, const ActionResult*> results;
        for (const ToolResult& one : step.results) results.emplace(one.tool_call_id, &one.result);
        std::vector<Span> calls;
        for (std::size_t i = 0; i < step.calls.size(); ++i) {
            const auto own = results.find(ids[i]);
            const ActionResult* const result = own != results.end()                          ? own->second
                                               : results.empty() && step.result->has_value() ? &**step.result
                                                                                             : nullptr;
            if (result == nullptr) continue;
            Span call = scope.call(in_run, ids[i], step.calls[i], chat.start);
            call.end = chat.end;
            put(call, "acta.time.shared_with_step", true);
            scope.set_result(call, step.calls[i], *result);
            calls.push_back(std::move(call));
        }
        out_.push_back(std::move(chat));
        for (std::size_t i = 0; i < calls.size(); ++i) {
            read_sub_run(index, calls[i], scope);
            out_.push_back(std::move(calls[i]));
        }
    }
    void read_sub_run(std::size_t index, const Span& call, const Scope& scope) {
        const std::string& id = std::get<std::string>(*find(call.attributes, "gen_ai.tool.call.id"));
        const std::string& name = std::get<std::string>(*find(call.attributes, "gen_ai.tool.name"));
        for (const SubRun& one : history_.sub_runs()) {
            if (one.step != index || one.tool_call_id != id) continue;
            const auto inner = validate<EpisodicActionHistory<>>(one.history);
            RecordReader reader(inner, out_);
            for (std::size_t run = 0; reader.has_more(run); ++run) reader.read_run(run, scope.of_call(call, name, run));
        }
    }

    HistoryView history_;
    std::vector<Span>& out_;
    std::optional<Time> first_{};
    Time time_{};
    std::size_t step_ = 0;
    std::size_t message_ = 0;
};

// Events.

/// The JSON of what requests have in common: most have the messages of the one before, and the same tools.
class ShownRequest {
public:
    /// Returns a list of messages.
    [[nodiscard]] std::string messages(const Content& content, std::span<const ChatMessage> messages) {
        messages_.resize(messages.size());
        std::string out = "[";
        for (std::size_t i = 0; i < messages.size(); ++i) {
            auto& [message, json] = messages_[i];
            if (json.empty() || message != messages[i])
                messages_[i] = {messages[i], dump(content.message(messages[i]))};
            base::append(out, {i == 0 ? "" : ",", json});
        }
        return out += "]";
    }
    /// Returns the definitions of tools.
    [[nodiscard]] const std::string& definitions(const Content& content, const ToolList& tools) {
        if (!definitions_.empty() && tools.is_same(tools_)) return definitions_;
        Json list(Json::value_t::array);
        for (const ToolDefinition& tool : tools.all()) {
            Json one = content.part("function", "name", base::text_json(tool.name));
            base::put(one, "description", base::text_json(content.shown(tool.description)));
            base::put(one, "parameters", content.value(tool.parameters));
            list.push_back(std::move(one));
        }
        tools_ = tools;
        return definitions_ = dump(list);
    }

private:
    std::vector<std::pair<ChatMessage, std::string>> messages_{};
    ToolList tools_{};
    std::string definitions_{};
};

/// A run whose events arrive.
struct LiveRun {
    Scope scope{};
    Span span{};
    std::optional<Span> chat{};
    bool is_streamed = false;
    std::size_t requests = 0;
    std::size_t steps = 0;
    ToolList tools{};
    ShownRequest shown{};  // with content
    ChatMessage answer{};  // without content, of what it has no more than a call
    struct Call {
        Span span{};
        std::size_t runs = 0;
        std::unique_ptr<LiveRun> run{};
    };
    std::map<std::string, Call, std::less<>> calls{};
};

class LiveTrace {
public:
    LiveTrace(trace::SpanSink sink, TraceOptions options)
        : sink_(std::move(sink)),
          options_(std::move(options)),
          record_(options_.record_id),
          run_(options_.runs_before) {
        if (!sink_) throw Error("a tracer needs a sink for its spans");
        if (!record_.empty()) return;
        // Made once: finding out what the processor offers takes as long as some steps on virtual machines.
        static thread_local std::random_device random;
        for (int i = 0; i < 4; ++i) base::append(record_, {std::to_string(random()), " "});
    }
    LiveTrace(const LiveTrace&) = delete;
    LiveTrace& operator=(const LiveTrace&) = delete;
    ~LiveTrace() {
        try {
            if (live_) abandon(*live_);
        } catch (...) {  // of the sink
        }
    }

    void take(const RunEvent& event) {
        if (std::holds_alternative<HistoryChanged>(event)) return;  // the most frequent one, without the lock
        const std::lock_guard lock(mutex_);
        if (live_ && restarts(event, *live_)) {
            abandon(*live_);
            live_.reset();
        }
        if (!live_) {
            if (!begins(event)) return;
            begun_ = {now(), std::chrono::steady_clock::now()};
            live_ = begin(Scope::of_run(options_, record_, run_++));
        }
        if (take(event, *live_)) live_.reset();
    }

    [[nodiscard]] std::optional<TraceParent> position(std::string_view id) const {
        const std::lock_guard lock(mutex_);
        if (!live_) return std::nullopt;
        TraceParent out = live_->scope.position;
        if (const LiveRun::Call* const call = find_call(*live_, id)) out.span_id = call->span.span_id;
        return out;
    }

private:
    /// By the system's clock at the beginning of the run and what has passed since then, whether or not it was set.
    [[nodiscard]] Time time() const { return begun_.first + (std::chrono::steady_clock::now() - begun_.second); }

    /// Whether an event begins a run: not the late result of a call of a run that has ended.
    [[nodiscard]] bool begins(const RunEvent& event) const {
        if (const auto* const done = std::get_if<CallCompleted>(&event)) return !late_.contains(done->call.id);
        return std::holds_alternative<RequestStarted>(event) || std::holds_alternative<CallStarted>(event);
    }
    /// Whether an event begins the next run, because an exception has ended this one.
    [[nodiscard]] static bool restarts(const RunEvent& event, const LiveRun& run) {
        const auto* const request = std::get_if<RequestStarted>(&event);
        return request != nullptr && request->number <= run.requests;
    }
    [[nodiscard]] std::unique_ptr<LiveRun> begin(Scope scope) const {
        auto out = std::make_unique<LiveRun>();
        out->scope = std::move(scope);
        out->span = out->scope.run(time());
        return out;
    }
    static const LiveRun::Call* find_call(const LiveRun& run, std::string_view id) {
        const auto found = run.calls.find(id);
        if (found != run.calls.end()) return &found->second;
        for (const auto& [key, call] : run.calls) {  // of agents that are tools
            const LiveRun::Call* const inner = call.run ? find_call(*call.run, id) : nullptr;
            if (inner != nullptr) return inner;
        }
        return nullptr;
    }
    void give(Span&& span) const {
        span.end = time();
        if (!options_.parent || options_.parent->sampled) sink_(std::move(span));
    }
    static Span take_chat(LiveRun& run) {
        Span out = *std::move(run.chat);
        run.chat.reset();
        return out;
    }
    /// Ends what is open in a run.
    void close(LiveRun& run) const {
        if (run.chat) {
            run.scope.fail(*run.chat, "", "the request did not end");
            give(take_chat(run));
        }
        for (auto& [id, call] : run.calls) {
            if (call.run) abandon(*call.run);
            put(call.span, "acta.result.status", "did_not_finish");
            give(std::move(call.span));
        }
        run.calls.clear();
    }
    /// Ends a run that an exception has ended.
    void abandon(LiveRun& run) const {
        close(run);
        run.scope.fail(run.span, "", "an exception ended the run");
        give(std::move(run.span));
    }

    /// Returns whether the event has ended the run.
    bool take(const RunEvent& event, LiveRun& run) {
        return std::visit(
            [&]<class Event>(const Event& one) {
                if constexpr (std::is_same_v<Event, SubRunEvent>) {
                    on_sub_run(one, run);
                } else if constexpr (std::is_same_v<Event, TextDelta> || std::is_same_v<Event, ReasoningDelta> ||
                                     std::is_same_v<Event, CallDelta>) {
                    if (!run.is_streamed && run.chat) on_first_part(run);
                } else if constexpr (std::is_same_v<Event, StepCompleted>) {
                    ++run.steps;
                } else if constexpr (requires { on(one, run); }) {
                    on(one, run);
                }
                return std::is_same_v<Event, RunCompleted>;
            },
            event);
    }

    void on(const RequestStarted& event, LiveRun& run) const {
        const ChatOptions& asked = event.request.options;
        run.requests = event.number;
        run.is_streamed = false;
        run.tools = asked.tools;
        Span& chat = run.chat.emplace(run.scope.chat(event.number, asked.model.value_or(""), time()));
        Scope::set(chat, "gen_ai.request.max_tokens", asked.max_tokens);
        if (asked.temperature) put(chat, "gen_ai.request.temperature", *asked.temperature);
        if (asked.response_schema) put(chat, "gen_ai.output.type", "json");
        if (!options_.content) return;
        put(chat, "gen_ai.input.messages", run.shown.messages(Content(options_), event.request.messages));
        if (!asked.tools.empty())
            put(chat, "gen_ai.tool.definitions", run.shown.definitions(Content(options_), asked.tools));
        const auto& messages = event.request.messages;
        const auto question = std::find_if(messages.rbegin(), messages.rend(),
                                           [](const ChatMessage& message) { return message.role == ChatRole::user; });
        if (event.number == 1 && question != messages.rend()) run.scope.set_input(run.span, std::span(&*question, 1));
    }
    void on_first_part(LiveRun& run) const {
        run.is_streamed = true;
        const std::chrono::duration<double> after = time() - run.chat->start;
        put(*run.chat, "gen_ai.request.stream", true);
        put(*run.chat, "gen_ai.response.time_to_first_chunk", after.count());
    }
    void on(const RequestCompleted& event, LiveRun& run) const {
        if (!run.chat) return;
        Span chat = take_chat(run);
        Scope::set_model(chat, event.completion.model);
        if (event.completion.usage) Scope::set_tokens(chat, *event.completion.usage);
        if (event.completion.usage && event.completion.usage->estimated) put(chat, "acta.usage.estimated", true);
        if (options_.content) {
            run.answer = event.completion.message;
            run.scope.set_output(chat, run.answer, event.completion.finish_reason);
        } else {
            const auto& calls = event.completion.message.tool_calls;
            run.answer.tool_calls.resize(calls && !calls->empty() ? 1 : 0);
            Scope::set_finish(chat, !run.answer.tool_calls.empty(), event.completion.finish_reason);
        }
        give(std::move(chat));
    }
    void on(const RequestFailed& event, LiveRun& run) const {
        if (!run.chat) return;
        Span chat = take_chat(run);
        run.scope.fail(chat, event.error.exception_type, event.error.message);
        if (event.error.status() != 0) put(chat, "http.response.status_code", std::int64_t{event.error.status()});
        give(std::move(chat));
    }
    [[nodiscard]] Span begun(const AssistantToolCall& call, const LiveRun& run) const {
        Span out = run.scope.call(run.steps, call.id, call.function, time());
        const auto tool = std::ranges::find(run.tools.all(), call.function.name, &ToolDefinition::name);
        if (tool != run.tools.all().end() && !tool->description.empty())
            put(out, "gen_ai.tool.description", tool->description);
        return out;
    }
    void on(const CallStarted& event, LiveRun& run) const {
        run.calls.insert_or_assign(event.call.id, LiveRun::Call{begun(event.call, run)});
    }
    void on(const CallCompleted& event, LiveRun& run) const {
        auto node = run.calls.extract(event.call.id);
        if (!node.empty() && node.mapped().run) abandon(*node.mapped().run);
        if (node.empty()) {
            Span span = begun(event.call, run);
            run.scope.set_result(span, event.call.function, event.result);
            return give(std::move(span));
        }
        run.scope.set_result(node.mapped().span, event.call.function, event.result);
        give(std::move(node.mapped().span));
    }
    void on_sub_run(const SubRunEvent& event, LiveRun& run) {
        const auto found = run.calls.find(event.call.id);
        if (found == run.calls.end()) return;
        LiveRun::Call& call = found->second;
        if (!call.run && !begins(event.event)) return;
        if (!call.run) call.run = begin(run.scope.of_call(call.span, event.call.function.name, call.runs++));
        if (take(event.event, *call.run)) call.run.reset();
    }
    void on(const RunCompleted& event, LiveRun& run) {
        late_.clear();
        for (const auto& [id, call] : run.calls) late_.insert(id);
        close(run);
        const RunResult& result = event.result;
        const bool has_answer = result.end == RunEnd::answered || !result.answer.empty();
        const ErrorInfo* const error = result.error ? &*result.error : nullptr;
        run.scope.set_end(run.span, to_string(result.end), error, result.usage, result.requests, result.cost_usd,
                          has_answer ? &run.answer : nullptr, result.finish_reason);
        give(std::move(run.span));
    }

    trace::SpanSink sink_;
    TraceOptions options_;
    std::string record_;
    std::size_t run_;
    mutable std::mutex mutex_{};
    std::pair<Time, std::chrono::steady_clock::time_point> begun_{};
    std::unique_ptr<LiveRun> live_{};
    std::set<std::string, std::less<>> late_{};  // calls that were open when the last run ended
};

}  // namespace acta::inline ACTA_ABI::trace_detail

namespace acta::inline ACTA_ABI::trace {

ACTA_INLINE std::vector<Span> spans_of(const HistoryView& history, const TraceOptions& options) {
    std::vector<Span> out;
    if (options.parent && !options.parent->sampled) return out;
    trace_detail::RecordReader reader(history, out);
    const std::string record = options.record_id.empty() ? reader.beginning() : options.record_id;
    for (std::size_t run = 0; reader.has_more(run); ++run)
        reader.read_run(run, trace_detail::Scope::of_run(options, record, options.runs_before + run));
    return out;
}

ACTA_INLINE Tracer::Tracer(SpanSink sink, TraceOptions options)
    : live_(std::make_shared<trace_detail::LiveTrace>(std::move(sink), std::move(options))) {}

ACTA_INLINE void Tracer::operator()(const RunEvent& event) const { live_->take(event); }

ACTA_INLINE std::optional<TraceParent> Tracer::position(std::string_view tool_call_id) const {
    return live_->position(tool_call_id);
}

}  // namespace acta::inline ACTA_ABI::trace
