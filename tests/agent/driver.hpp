// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"

// What the tests of the loop run: `run_agent`, or in acta_agent_by_hand_tests a second driver of `AgentRun`, as a
// program with an event loop would write it.
namespace driven {

#ifdef ACTA_TEST_BY_HAND

/// Answers calls last first, and at the same time where the options allow it.
inline void run_calls(acta::AgentRun& run, const std::vector<acta::PendingCall>& calls) {
    const auto answer = [&run](const acta::PendingCall& one) { run.give(one.call.id, run.call(one)); };
    if (run.options().max_parallel <= 1) return answer(calls.front());  // the others are listed again
    std::vector<std::thread> threads;
    for (std::size_t i = calls.size(); i != 0; --i) threads.emplace_back(answer, calls[i - 1]);
    for (std::thread& one : threads) one.join();
}

template <class Model, class History>
acta::RunResult run_agent(Model&& model, const acta::SkillRegistry& skills, History& history,
                          const acta::RunOptions& options = {}) {
    acta::AgentRun started(skills, history, options);
    acta::AgentRun run = std::move(started);  // a run may be moved
    const auto seen = acta::observed(std::ref(model), options.observer);
    while (true) {
        const acta::AgentStep* step = &run.next();
        step = &run.next();  // the same
        if (const auto* const request = std::get_if<acta::AskModel>(step)) {
            std::optional<acta::ChatCompletion> completion;
            std::exception_ptr failure;
            try {
                completion = seen(request->messages, request->options);
            } catch (...) {
                failure = std::current_exception();
            }
            if (completion)
                run.give(*std::move(completion));
            else
                run.fail(failure);
        } else if (const auto* const calls = std::get_if<acta::RunCalls>(step)) {
            run_calls(run, std::vector(calls->calls));
        } else {
            return run.leave();
        }
    }
}

#else

using acta::run_agent;

#endif

}  // namespace driven
