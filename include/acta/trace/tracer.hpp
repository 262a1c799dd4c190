// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/agent/run_event.hpp"
#include "acta/history/history_view.hpp"
#include "acta/observe/observer.hpp"
#include "acta/trace/span.hpp"

namespace acta::inline ACTA_ABI::trace_detail {
class LiveTrace;
}  // namespace acta::inline ACTA_ABI::trace_detail

namespace acta::inline ACTA_ABI::trace {

/// What spans say beyond what acta knows, and whether they have content.
struct TraceOptions {
    std::string agent_name{};         ///< `gen_ai.agent.name`; an agent that is a tool has the name of the tool.
    std::string agent_description{};  ///< `gen_ai.agent.description`.
    std::string conversation_id{};    ///< `gen_ai.conversation.id`: one that the program has anyway, such as a session.
    /// `gen_ai.provider.name` of requests, which the conventions require: `openai`, `anthropic`, `aws.bedrock`, ….
    std::string provider{};
    std::string model{};           ///< `gen_ai.request.model` of requests that do not name one (`ChatOptions::model`).
    std::string server_address{};  ///< `server.address` of requests.
    int server_port = 0;           ///< `server.port`; 0 for none.

    /// Whether spans have messages, arguments, results and texts of errors. Otherwise only names, counts and times.
    bool content = false;
    /// Gets each text of the content first, unless it is empty; then `mask_secrets`. Not again for a message that a
    /// request has in common with the one before.
    Redactor redactor{};
    std::size_t max_text_bytes = std::size_t{16} * 1024;  ///< Longer texts of the content are cut.

    /// The span around each run, such as that of the request which the program answers. If its trace is not recorded
    /// (`sampled`), no span is made.
    std::optional<TraceParent> parent{};
    /// What distinguishes this record from others, such as its name in a store: identifiers of traces and spans are
    /// derived from it and the number of the run. If it is empty, they are random for a `Tracer`, and derived from the
    /// beginning of the history for `spans_of`.
    std::string record_id{};
    /// The number of runs in the record before the first one that is traced: for a `Tracer`, the size of the history's
    /// `runs()`.
    std::size_t runs_before = 0;
};

/// Returns the spans of a record: for each run `invoke_agent`, and in it a `chat` for each step and answer of the model
/// and an `execute_tool` for each call that has a result; within such a call the run of an agent that is a tool. Each
/// span comes after those in it. The same record has the same spans, with the same identifiers, and keeps them when
/// further runs are added.
///
/// A record has one interval for a step, which its request and its calls share here (`acta.time.shared_with_step`).
/// Where it has no times, spans have the time of the one before. docs/traces.md lists what only a `Tracer` knows.
///
/// Throws `ValidationError` if the record of an agent that is a tool is not a history.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_action({.use_tool = {"web_search", {{"query", "tides"}}}}, acta::StepMetrics::start());
/// history.register_result(acta::ActionSuccessResult{.outputs = "3 results"});
/// const auto spans = acta::trace::spans_of(history, {.agent_name = "harbour"});
/// assert(spans.size() == 3);   // chat, execute_tool web_search, invoke_agent harbour
/// assert(spans.back().name == "invoke_agent harbour");
/// @endcode
[[nodiscard]] std::vector<Span> spans_of(const HistoryView& history, const TraceOptions& options = {});

/// Where spans go when they end, such as `Exporter::sink()`.
using SpanSink = std::function<void(Span span)>;

/// Makes spans of runs while they happen, from their events: the same tree as `spans_of`, with more details. It is a
/// function for `RunOptions::on_event`; copies are the same tracer. For several runs one after another, or a tracer for
/// each of several runs at a time.
///
/// The sink is called with each span that has ended, by the thread that reports the event, and not by two at once. A
/// run that an exception ends has its spans when the next run begins, or the last copy of the tracer is destroyed.
///
/// @code{.cpp}
/// #include <acta/agent/run.hpp>
/// std::vector<acta::trace::Span> spans;
/// acta::RunOptions options;
/// options.on_event = acta::trace::Tracer([&](acta::trace::Span span) { spans.push_back(std::move(span)); });
///
/// acta::ScriptedChatModel model{"At 12:15."};
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// acta::run_agent(model, acta::SkillRegistry(), history, options);
/// assert(spans.size() == 2 && spans[0].parent_id == spans[1].span_id);
/// @endcode
class Tracer {
public:
    /// Throws `Error` if there is no sink.
    explicit Tracer(SpanSink sink, TraceOptions options = {});

    /// Takes an event of a run.
    void operator()(const RunEvent& event) const;

    /// Returns the position within the run that is traced now, for requests to other services: in the call with this
    /// id if it has begun, such as `SkillContext::tool_call_id()`, else in the run. Nothing between runs. May be called
    /// by any thread.
    [[nodiscard]] std::optional<TraceParent> position(std::string_view tool_call_id = {}) const;

private:
    std::shared_ptr<trace_detail::LiveTrace> live_;
};

}  // namespace acta::inline ACTA_ABI::trace

#ifndef ACTA_COMPILED
#include "acta/trace/detail/tracer.inl.hpp"
#endif
