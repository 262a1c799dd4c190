// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

#include "acta/action/action.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/skill/context.hpp"

namespace acta::inline ACTA_ABI {

struct AskModel;
struct RunResult;

/// What failed in a run, as the record has it, and what a model said of its failure.
struct RunError : ErrorInfo {
    /// Of a `ChatModelError`, also of a client of your own. A `Timeout` of a request is one of the connection.
    std::optional<ChatModelFailure> failure{};

    /// Returns whether the same request may succeed later.
    [[nodiscard]] bool is_transient() const noexcept { return failure && failure->is_transient; }
    /// Returns the HTTP status with which the server refused the request; 0 if there was none.
    [[nodiscard]] int status() const noexcept { return failure ? failure->status : 0; }
    /// Returns how long the server asks to wait before the next request.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry_after() const noexcept {
        return failure ? failure->retry_after : std::nullopt;
    }

    friend bool operator==(const RunError&, const RunError&) = default;
};

// What happens in a run. References are valid while `RunOptions::on_event` is called with the event.

/// The model is about to be asked, after `RunOptions::prepare`.
struct RequestStarted {
    std::size_t number = 0;   ///< Of the request in the run, from 1 on.
    const AskModel& request;  ///< The messages and options.
};
/// The model has answered.
struct RequestCompleted {
    std::size_t number = 0;            ///< Of the request.
    const ChatCompletion& completion;  ///< As the model made it; its tokens may be counted by acta.
};
/// The model has not answered.
struct RequestFailed {
    std::size_t number = 0;   ///< Of the request.
    const RunError& error;    ///< Why.
    bool will_retry = false;  ///< Whether the model is asked again and shown less. Otherwise the run ends.
};
/// A call is about to run. Reported by the thread that runs it.
struct CallStarted {
    const AssistantToolCall& call;  ///< The call.
};
/// A tool has reported its progress.
struct CallProgressed {
    const AssistantToolCall& call;  ///< The call.
    const SkillProgress& progress;  ///< What it reported.
};
/// A call has failed and is repeated after a wait (`SkillLimits::max_retries`).
struct CallRetried {
    const AssistantToolCall& call;     ///< The call.
    const ActionResult& result;        ///< Of the attempt that failed.
    int attempt = 0;                   ///< The number of that attempt, from 1 on.
    std::chrono::nanoseconds delay{};  ///< Until the next one.
};
/// A call has its result, also one that did not run: it was refused, could not run, or its outcome is unknown. Calls
/// end in any order.
struct CallCompleted {
    const AssistantToolCall& call;  ///< The call.
    const ActionResult& result;     ///< Its result.
};
/// All calls of a step have results.
struct StepCompleted {
    std::size_t step = 0;  ///< The index of the step in the history.
};
/// The history has changed: the moment to save it.
struct HistoryChanged {};
/// Steps were summarised, or could not be.
struct HistoryCompressed {
    const CompressionReport& report;  ///< Which, and what it took.
};
/// The rolling summary was extended, or could not be.
struct SummaryExtended {
    const RollingSummaryReport& report;  ///< By how many steps, and what it took.
};
/// The run has ended. Not reported if an exception ends it.
struct RunCompleted {
    const RunResult& result;  ///< How.
};
/// The answer has a type whose schema servers do not enforce, such as one with a map (docs/schemas.md): the model may
/// answer otherwise. Reported by `run_agent<T>` before the first request.
struct SchemaNotStrict {
    const std::string& reason;  ///< Where the type is not strict, and why.
};
struct SubRunEvent;

/// What happens in a run: a part of an answer, if the model streams, or one of the above.
///
/// @code{.cpp}
/// #include <iostream>
/// const auto show = [](const acta::RunEvent& event) {   // RunOptions::on_event
///     if (const auto* text = std::get_if<acta::TextDelta>(&event)) std::cout << text->text;
///     if (const auto* begun = std::get_if<acta::CallStarted>(&event)) std::cout << begun->call.function << "\n";
/// };
/// show(acta::TextDelta{"High water"});
/// @endcode
using RunEvent =
    std::variant<TextDelta, ReasoningDelta, CallDelta, AnswerRestarted, RequestStarted, RequestCompleted, RequestFailed,
                 CallStarted, CallProgressed, CallRetried, CallCompleted, StepCompleted, HistoryChanged,
                 HistoryCompressed, SummaryExtended, SchemaNotStrict, RunCompleted, SubRunEvent>;

/// An event of the run of an agent that is a tool (`agent_tool`). That agent's own agents are in it in the same way.
struct SubRunEvent {
    const AssistantToolCall& call;  ///< The call of the agent.
    const RunEvent& event;          ///< What happened in its run.
};

namespace agent_detail {

template <class Function, class Event>
concept TakesEvent = requires(Function& function, const Event& event) { function(event); };

template <class Function, class Events>
inline constexpr bool takes_one_of = false;
template <class Function, class... Events>
inline constexpr bool takes_one_of<Function, std::variant<Events...>> = (TakesEvent<Function, Events> || ...);

/// Calls a function with an event of a kind that it takes. Not `std::visit`, which is instantiated for each kind.
template <class Function, class... Events>
void call_if_taken(Function& function, const std::variant<Events...>& event) {
    const auto call_if = [&]<class Event>(std::type_identity<Event>) {
        if constexpr (TakesEvent<Function, Event>) {
            if (const auto* const one = std::get_if<Event>(&event)) function(*one);
        }
    };
    (call_if(std::type_identity<Events>()), ...);
}

}  // namespace agent_detail

/// Returns a function for `RunOptions::on_event` that calls one of these with each event of the kind that it takes, and
/// ignores other events.
///
/// @code{.cpp}
/// #include <acta/agent/run.hpp>
/// std::size_t begun = 0;
/// std::size_t done = 0;
/// acta::RunOptions options;
/// options.on_event = acta::on([&begun](const acta::CallStarted&) { ++begun; },
///                             [&done](const acta::CallCompleted&) { ++done; });
/// @endcode
template <class... Functions>
[[nodiscard]] auto on(Functions... functions) {
    static_assert((agent_detail::takes_one_of<Functions, RunEvent> && ...),
                  "acta: each function takes one kind of events, as in [](const acta::CallCompleted& done) { ... }");
    return [all = base::Overloaded<Functions...>{std::move(functions)...}](const RunEvent& event) mutable {
        agent_detail::call_if_taken(all, event);
    };
}

}  // namespace acta::inline ACTA_ABI
