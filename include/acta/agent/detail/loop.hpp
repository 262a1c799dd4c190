// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "acta/agent/detail/run_record.hpp"
#include "acta/agent/run_options.hpp"
#include "acta/skill/registry.hpp"

namespace acta::inline ACTA_ABI::agent_detail {

/// The loop of `run_agent`.
class Loop {
public:
    Loop(ChatModelRef model, const SkillRegistry& skills, RunRecord& record, const RunOptions& options);

    [[nodiscard]] RunResult run();

private:
    /// Ends the run; returns false.
    bool end(RunEnd why) noexcept;
    bool fail(ErrorInfo error);
    [[nodiscard]] bool is_stopped() const;
    [[nodiscard]] bool is_within_limits();

    // Each of these returns whether the run continues.
    [[nodiscard]] bool next_step();
    [[nodiscard]] bool ask(ChatCompletion& completion);
    [[nodiscard]] bool take(ChatCompletion completion);
    [[nodiscard]] bool finish_step(bool is_continued);
    [[nodiscard]] bool tidy();

    [[nodiscard]] ChatCompletion request(std::size_t& tokens);
    void show_less(std::size_t tokens);
    void account(const ChatCompletion& completion);
    void account(const SummaryCost& cost);
    [[nodiscard]] std::vector<AssistantToolCall> approved(std::vector<OpenCall> open, bool is_continued);
    [[nodiscard]] std::optional<ActionResult> decide(OpenCall& open, bool is_continued);
    void run_calls(const std::vector<AssistantToolCall>& calls);
    [[nodiscard]] ActionResult call(const AssistantToolCall& call, CallIdentity identity);
    [[nodiscard]] CompressionOptions compression() const;

    /// Calls a function of the options, unless one has thrown. Returns whether none has.
    bool notify(const std::function<void()>& function) noexcept;
    void rethrow();
    /// The history was changed.
    void changed();

    ChatModelRef model_;
    const SkillRegistry& skills_;
    RunRecord& record_;
    const RunOptions& options_;
    PromptOptions budget_;
    std::string instructions_;
    std::vector<ToolDefinition> tools_{};
    StepMetrics metrics_{};          // of the step that is not registered yet
    std::size_t empty_answers_ = 0;  // in a row
    RunResult result_{};

    std::mutex mutex_{};           // for the functions of the options, and the history
    std::exception_ptr thrown_{};  // by one of them
};

[[nodiscard]] RunResult run(ChatModelRef model, const SkillRegistry& skills, RunRecord& record,
                            const RunOptions& options);

// Models without native calls.

/// Returns the description of the tools, and how to call them.
[[nodiscard]] std::string tools_in_words(const SkillRegistry& skills);
/// Returns the calls in the text of an answer, with positional arguments bound to parameters. Throws `CallSyntaxError`.
[[nodiscard]] std::vector<AssistantFunctionCall> calls_in_text(const std::string& text, const SkillRegistry& skills);

}  // namespace acta::inline ACTA_ABI::agent_detail
