// SPDX-License-Identifier: MIT

// The demo: an agent explores a folder, needs no model for it, and keeps the record of it with acta. `explore --help`
// says what can be asked.
//
// The parts: folder.hpp (a folder with bounds), records.hpp and tools.hpp (what the agent can do), toolbox.hpp (tools
// by name), plan.hpp and questions.hpp (what it does next), chat_policy.hpp (what a model would do), terminal.hpp (how
// it is interrupted), options.hpp.

#include <acta/acta.hpp>
#include <acta/compress/extractive.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/chat_policy.hpp"
#include "explore/folder.hpp"
#include "explore/options.hpp"
#include "explore/plan.hpp"
#include "explore/questions.hpp"
#include "explore/terminal.hpp"
#include "explore/toolbox.hpp"

namespace explore {
namespace {

/// One line of a result, for somebody who watches.
std::string brief(const acta::ActionResult& result) {
    constexpr std::size_t longest = 100;
    const std::string text = acta::match(
        result,  //
        [](const acta::ActionSuccessResult& success) { return acta::python_str(success.outputs); },
        [](const acta::ActionErrorResult& error) {
            return error.reason + (error.error ? " (" + error.error->exception_type + ")" : "");
        },
        [](const acta::ActionInterruptedByHuman& human) { return human.feedback; });
    const std::string_view line = acta::utf8::prefix(std::string_view(text).substr(0, text.find('\n')), longest);
    return line.size() == text.size() ? text : std::string(line) + " ...";
}

class Agent {
public:
    Agent(const Folder& folder, const Options& options) : tools_(folder_tools(folder)), options_(options) {
        if (options.model) policy_.emplace(options, tools_);
        std::cout << "Exploring " << path_text(folder.root()) << "\n";
        if (terminal_.listens()) std::cout << "Press i before a step is done to interrupt it.\n";
    }

    /// Takes one step after another until the plan needs no more.
    void find_out(const Question& question) {
        std::cout << "\n=== " << question.text << "\n";
        while (true) {
            Plan plan(history_);
            question.plan(plan);
            if (!plan.proposal()) {
                std::cout << "\nAnswer: " << plan.answer() << "\n";
                return;
            }
            take_step(*plan.proposal());
        }
    }

    /// The same with a model, which may ask for other steps at each time; not without end.
    void find_out(const std::string& question) {
        constexpr int most_steps = 20;
        std::cout << "\n=== " << question << "\n";
        policy_->ask(question, history_);
        for (int i = 0; i < most_steps; ++i) {
            acta::StepMetrics metrics = acta::StepMetrics::start();
            const acta::ActionProposal<> proposal = policy_->next(history_, metrics);
            if (!has_tool_call(proposal)) {
                std::cout << "\nAnswer: " << printable(proposal.thoughts) << "\n";
                return;
            }
            take_step(proposal, metrics);
        }
        std::cout << "\nNo answer after " << most_steps << " steps.\n";
    }

    [[nodiscard]] const History& history() const noexcept { return history_; }

private:
    void take_step(const acta::ActionProposal<>& proposal,
                   const acta::StepMetrics& metrics = acta::StepMetrics::start()) {
        history_.register_action(proposal, metrics);
        std::cout << "\nStep " << history_.size() << ": ";
        const char* separator = "";
        for (const acta::AssistantFunctionCall& call : proposal.get_tools())
            std::cout << std::exchange(separator, ", ") << call;
        std::cout << "\n  because: " << proposal.thoughts << '\n' << std::flush;  // it is to be seen before it is done
        const std::optional<std::string> feedback = interruption();
        if (feedback)
            finish_step(acta::ActionInterruptedByHuman{.feedback = *feedback});
        else if (proposal.use_tools.empty())
            finish_step(tools_.call(proposal.use_tool));
        else
            call_all(proposal);
    }
    void finish_step(acta::ActionResult result) {
        std::cout << "  " << acta::status(result) << ": " << brief(result) << "\n";
        history_.register_result(std::move(result));
    }
    /// Only a model asks for several things at once.
    void call_all(const acta::ActionProposal<>& proposal) {
        const std::vector<acta::ToolResult> executed = acta::execute(proposal, tools_);
        for (const acta::ToolResult& call : executed)
            std::cout << "  " << acta::status(call.result) << ": " << brief(call.result) << "\n";
        history_.register_results(executed);
    }

    [[nodiscard]] std::optional<std::string> interruption() const {
        if (options_.interrupt_at == history_.size()) return options_.feedback.value_or("Leave that out.");
        std::optional<std::string> typed = terminal_.feedback(options_.pause);
        if (typed) typed = acta::utf8::replace_invalid(*typed);
        return typed;
    }

    acta::SkillRegistry tools_;
    const Options& options_;
    Terminal terminal_{};
    std::optional<ChatPolicy> policy_{};
    History history_{};
};

/// A file in a new folder of this run alone, so that nobody else's file is overwritten.
fs::path temporary_file() {
    std::random_device random;
    while (true) {
        const fs::path folder = fs::temp_directory_path() / ("acta-explore-" + std::to_string(random()));
        if (!fs::create_directory(folder)) continue;
        fs::permissions(folder, fs::perms::owner_all);
        return folder / "history.json";
    }
}

/// Saves the history and reads it again; returns whether it came back as it was.
bool save_and_compare(const History& history, const fs::path& path) {
    acta::save(history, path, {.indent = 2});
    const bool equal = acta::load<History>(path) == history;
    std::cout << "\n=== The history as JSON\n\n"
              << "Saved " << history.size() << " steps to " << path_text(path)
              << " and loaded them again: " << (equal ? "equal" : "NOT EQUAL") << ".\n";
    return equal;
}

/// Shows what the next prompt would be: the newest steps in full, the older ones by summaries that need no model.
void show_compressed(History history) {
    const acta::EstimateTokens tokens;
    const std::size_t before = tokens(history.fmt_paragraph());
    const acta::CompressionReport report = acta::handle_compression(history, acta::ExtractiveSummarizer{});
    const acta::PromptText prompt = acta::Prompt().text(history);
    std::cout << "\n=== The history compressed, for the next prompt\n\n"
              << report << "; about " << before << " tokens before, " << prompt.report.tokens << " now, "
              << prompt.report.omitted.steps << " oldest steps left out\n\n"
              << prompt.text << "\n";
}

std::vector<std::string> question_texts(const Options& options) {
    if (!options.questions.empty()) return options.questions;
    return {"what is in here", "where is main defined", "what are the largest files"};
}

std::vector<Question> find_questions(const Options& options) {
    std::vector<Question> questions;
    for (const std::string& text : question_texts(options)) {
        std::optional<Question> question = find_question(text);
        if (!question) throw UsageError("no plan answers the question '" + text + "'; see --help");
        questions.push_back(std::move(*question));
    }
    return questions;
}

/// Asks the planner, or the model; returns whether all went well. What was done until a model failed is kept.
bool explore_all(Agent& agent, const std::vector<Question>& questions, const Options& options) {
    if (!options.model) {
        for (const Question& question : questions) agent.find_out(question);
        return true;
    }
    try {
        for (const std::string& text : question_texts(options)) agent.find_out(text);
        return true;
    } catch (const acta::Error& error) {
        std::cerr << "explore: " << error.what() << "\n";
        return false;
    }
}

int run(const Options& options) {
    if (options.help) {
        std::cout << usage;
        return EXIT_SUCCESS;
    }
    const std::vector<Question> questions = options.model ? std::vector<Question>() : find_questions(options);
    const Folder folder(options.folder.value_or(fs::current_path()));
    Agent agent(folder, options);
    const bool good = explore_all(agent, questions, options);

    const History& history = agent.history();
    std::cout << "\n=== The history as a list\n\n" << history.fmt_list() << "\n";
    std::cout << "\n=== The history as paragraphs\n\n" << history.fmt_paragraph();
    const bool equal = save_and_compare(history, options.save ? *options.save : temporary_file());
    std::cout << "\n=== The JSON Schema of a proposal\n\n" << acta::schema<acta::ActionProposal<>>().dump(2) << "\n";
    show_compressed(history);
    if (options.interrupt_at && *options.interrupt_at > history.size())
        std::cerr << "explore: there was no step " << *options.interrupt_at << " to interrupt\n";
    return good && equal && std::cout.flush() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace explore

int main(int argc, char** argv) {
    constexpr int usage_error = 2;
    try {
        return explore::run(explore::read_options({argv + (argc > 0 ? 1 : 0), argv + argc}));
    } catch (const explore::UsageError& error) {
        std::cerr << "explore: " << error.what() << "\n\n" << explore::usage;
        return usage_error;
    } catch (const std::exception& error) {
        std::cerr << "explore: " << error.what() << "\n";
        return EXIT_FAILURE;
    }
}
