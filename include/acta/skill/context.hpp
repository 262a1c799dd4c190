// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/callback.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/json/issue.hpp"

namespace acta::inline ACTA_ABI {

/// A skill is registered or used in an invalid way, such as two skills with the same name.
class SkillError : public Error {
public:
    using Error::Error;
};
/// There is no skill of this name. `what()` is `<name> not found`, with the closest names that exist.
class SkillNotFound : public SkillError {
public:
    using SkillError::SkillError;
};
/// The arguments of a call do not fit the parameters of the skill.
class InvalidArguments : public SkillError {
public:
    /// Makes an error whose `what()` is `message`.
    explicit InvalidArguments(const std::string& message, std::vector<Issue> issues = {})
        : SkillError(message), issues_(std::move(issues)) {}
    /// Returns the faults, each with the name of the parameter first in `loc`.
    [[nodiscard]] const std::vector<Issue>& issues() const noexcept { return issues_; }

private:
    std::vector<Issue> issues_;
};

/// A skill failed in a way that may be gone the next time, such as a service that is busy. Thrown by the skill; a run
/// repeats the call after a while, if its limits say so (`SkillLimits::max_retries`).
class RetrySkill : public SkillError {
public:
    /// Makes an error whose `what()` is `message`. `retry_after` is the time after which a repetition may succeed.
    explicit RetrySkill(const std::string& message, std::optional<std::chrono::milliseconds> retry_after = std::nullopt)
        : SkillError(message), retry_after_(retry_after) {}
    /// Returns the time after which a repetition may succeed, if the skill knows it.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry_after() const noexcept { return retry_after_; }

private:
    std::optional<std::chrono::milliseconds> retry_after_;
};

/// That a function threw `RetrySkill`: the same call may succeed later.
struct SkillRetry {
    std::optional<std::chrono::milliseconds> after{};  ///< `RetrySkill::retry_after`.

    friend bool operator==(const SkillRetry&, const SkillRetry&) = default;
};

/// The outcome of one attempt at a call.
struct SkillOutcome {
    ActionResult result{};              ///< The result, for the history.
    std::optional<SkillRetry> retry{};  ///< Set if the call may be repeated. No result says so by itself.

    friend bool operator==(const SkillOutcome&, const SkillOutcome&) = default;
};

/// How far a call is, as its function reports it.
struct SkillProgress {
    double done = 0;                ///< How much is done; it should only grow.
    std::optional<double> total{};  ///< How much there is to do, if that is known.
    std::string message{};          ///< What is being done, for people.

    friend bool operator==(const SkillProgress&, const SkillProgress&) = default;
};

/// What calls a skill: a run, for skills that are runs themselves (`agent_tool`), or a request of a client of
/// `mcp::Server`. Only acta derives from it.
class OuterRun {
public:
    /// The kinds of callers.
    enum class Kind {
        run,     ///< A run of an agent.
        request  ///< A request of a client (`mcp::ServerContext`).
    };
    OuterRun(const OuterRun&) = delete;
    OuterRun& operator=(const OuterRun&) = delete;
    /// Returns which one it is.
    [[nodiscard]] Kind kind() const noexcept { return kind_; }

protected:
    explicit OuterRun(Kind kind) noexcept : kind_(kind) {}  ///< A caller of this kind.
    ~OuterRun() = default;

private:
    Kind kind_;
};

/// Options of a call.
struct SkillRunOptions {
    /// Further arguments. Those of the call take precedence; those that the function does not take are ignored.
    JsonObject extra{};
    Until until{};  ///< Cancels the call, or ends it as a `Timeout`.
    /// Whether arguments that the function does not have are an error. They are by default, so that a model that
    /// invents one learns of it.
    UnknownKeys unknown_arguments = UnknownKeys::forbid;
    /// Deadline and stop are for functions to observe. A function without a `SkillContext&`, or one that returns a
    /// future, cannot: it runs in a thread of its own, which is detached when the deadline passes or the call is
    /// stopped, and finishes in the background. Everything that the function refers to must live until then. With
    /// `false` the call waits for it.
    bool detach_on_timeout = true;
    ErrorOptions errors{};         ///< How exceptions of functions become records.
    Observer* observer = nullptr;  ///< Gets an event for each call (`skill_call`), unless it is null.
    /// Called with what the function reports (`SkillContext::report_progress`), by its thread.
    Callback<void(const SkillProgress&)> on_progress{};
    CallIdentity call{};  ///< Which call of a history it is (`EpisodicActionHistory::begin_call`), for the function.
    OuterRun* outer = nullptr;  ///< The run that makes the call; null without one. Must outlive the call.
};

/// The call, as the function of a skill sees it. A function takes it by reference, anywhere among its parameters; a
/// model does not see it.
///
/// @code{.cpp}
/// const auto count = [](int limit, acta::SkillContext& context) {   // skills.add("count", "Counts.", count, "limit")
///     int n = 0;
///     while (n < limit) {
///         context.check();   // throws Timeout or Cancelled
///         ++n;
///     }
///     return n;
/// };
/// acta::SkillContext context({.deadline = acta::deadline_in(std::chrono::seconds(5))});
/// int n = count(10, context);
/// @endcode
class SkillContext {
public:
    SkillContext() = default;
    /// Makes a context for calling a function without a registry.
    explicit SkillContext(Until until, Callback<void(const SkillProgress&)> on_progress = {}, CallIdentity call = {},
                          OuterRun* outer = nullptr)
        : until_(std::move(until)), on_progress_(std::move(on_progress)), call_(std::move(call)), outer_(outer) {}

    /// Returns the id of the call in its step; empty if it is not a call of a history.
    [[nodiscard]] const std::string& tool_call_id() const noexcept { return call_.tool_call_id; }
    /// Returns the index of the step; 0 if it is not a call of a history.
    [[nodiscard]] std::size_t step() const noexcept { return call_.step; }
    /// Returns a text that is the same each time this call runs, after a crash too, and another for every other call
    /// (`CallIdentity::idempotency_key`); empty if the history is in no store. A skill that passes it to the service
    /// that performs the effect says so: `SkillHints::uses_idempotency_key`.
    [[nodiscard]] const std::string& idempotency_key() const noexcept { return call_.idempotency_key; }

    /// Returns the run that makes the call; null if it is not part of one, or if the caller may not wait for the call.
    [[nodiscard]] OuterRun* outer_run() const noexcept { return outer_; }

    /// Returns the token that requests the end of the call.
    [[nodiscard]] const acta::stop_token& stop_token() const noexcept { return until_.stop; }
    /// Returns when the call must be over.
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> deadline() const noexcept {
        return until_.deadline;
    }

    /// Returns whether a stop was requested.
    [[nodiscard]] bool is_cancelled() const noexcept { return until_.is_cancelled(); }
    /// Returns whether the deadline has passed; false without a deadline.
    [[nodiscard]] bool is_late() const noexcept { return until_.is_late(); }
    /// Returns whether the function should end: the call was stopped, or its deadline has passed.
    [[nodiscard]] bool should_stop() const noexcept { return is_cancelled() || is_late(); }
    /// Throws `Cancelled` or `Timeout` if the function should end.
    void check() const {
        if (is_cancelled()) throw Cancelled();
        if (is_late()) throw Timeout();
    }

    /// Reports the progress of the call to the caller, if it asked for it. A function that returns a future cannot: its
    /// caller may be gone.
    void report_progress(const SkillProgress& progress) const {
        if (on_progress_) on_progress_(progress);
    }

private:
    Until until_{};
    Callback<void(const SkillProgress&)> on_progress_{};
    CallIdentity call_{};
    OuterRun* outer_ = nullptr;
};

}  // namespace acta::inline ACTA_ABI
