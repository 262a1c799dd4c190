// SPDX-License-Identifier: MIT

// The demo: an agent explores a folder, needs no model for it, and keeps the record of it with acta. `explore --help`
// says what can be asked.
//
// The parts: folder.hpp (a folder with bounds), records.hpp and tools.hpp (what the agent can do), toolbox.hpp (tools
// by name), plan.hpp and questions.hpp (what it does next), model.hpp (the plan as a model, or a real one),
// terminal.hpp (how it is interrupted), run_file.hpp (how a run that was killed resumes), options.hpp.

#include <acta/acta.hpp>
#include <acta/agent/run.hpp>
#include <acta/compress/extractive.hpp>
#include <acta/view/html.hpp>
#include <acta/view/terminal.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explore/folder.hpp"
#include "explore/model.hpp"
#include "explore/options.hpp"
#include "explore/plan.hpp"
#include "explore/questions.hpp"
#include "explore/run_file.hpp"
#include "explore/terminal.hpp"
#include "explore/toolbox.hpp"

namespace explore {
namespace {

/// One line of a result, for a person who watches.
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
    Agent(const Folder& folder, const Options& options, acta::SharedHistory<>& history, std::function<void()> on_change)
        : tools_(folder_tools(folder)), options_(options), history_(history), on_change_(std::move(on_change)) {
        std::cout << "Exploring " << path_text(folder.root()) << "\n";
        if (const std::size_t steps = history.lock()->size(); steps != 0)
            std::cout << "Continuing a run after " << steps << " steps.\n";
        if (terminal_.listens()) std::cout << "Press i before a step is done to interrupt it.\n";
    }

    /// Takes one step after another until there is an answer. Returns whether there is one.
    bool find_out(const std::string& question, const acta::AnyChatModel& model) {
        std::cout << "\n=== " << question << "\n";
        if (const auto known = known_answer(question)) {
            std::cout << "\nAnswered before: " << *known << "\n";
            return true;
        }
        const acta::RunResult run = acta::run_agent(model, tools_, history_, run_options());
        if (run.end == acta::RunEnd::answered) {
            std::cout << "\nAnswer: " << (options_.model ? printable(run.answer) : run.answer) << "\n";
            return true;
        }
        std::cerr << "explore: " << (run.error ? run.error->message : "no answer, " + to_string(run)) << "\n";
        return false;
    }

private:
    /// Asks the question, unless that was done before the run was killed. Returns the answer if it has one already.
    std::optional<std::string> known_answer(const std::string& question) {
        const History history = history_.snapshot();
        const std::span<const acta::ConversationMessage> said = history.messages();
        const auto asked =
            std::ranges::find(said, acta::ChatMessage::user(question), &acta::ConversationMessage::message);
        if (asked == said.end()) {
            history_.lock()->register_message(acta::ChatMessage::user(question));
            on_change_();
            return std::nullopt;
        }
        return asked + 1 == said.end() ? std::nullopt : std::optional(printable((asked + 1)->message.content));
    }
    [[nodiscard]] acta::RunOptions run_options() {
        acta::RunOptions run;
        run.instructions =
            "You explore a folder with the tools, and answer questions about it. Call tools until you know; then "
            "answer "
            "in a few words, without a tool.";
        run.limits.requests = 30;
        run.compression.keep_recent = 1000;  // the whole history is shown, and compressed at the end
        run.approve = [this](const acta::AssistantToolCall&) {
            begin_step();
            return feedback_ ? acta::Approval::no(*feedback_) : acta::Approval::yes();
        };
        run.on_event = acta::on([this](const acta::HistoryChanged&) { on_change_(); },
                                [this](const acta::CallStarted&) { begin_step(); },
                                [](const acta::CallCompleted& done) { show(done.result); });
        return run;
    }

    /// Shows the open step, and listens whether to skip it.
    void begin_step() {
        const History history = history_.snapshot();
        if (std::exchange(shown_, history.size()) == history.size()) return;
        const acta::ActionProposal<>& proposal = history[history.size() - 1].action;
        std::cout << "\nStep " << history.size() << ": ";
        const char* separator = "";
        for (const acta::AssistantFunctionCall& call : proposal.get_tools())
            std::cout << std::exchange(separator, ", ") << call;
        std::cout << "\n  because: " << proposal.thoughts << '\n' << std::flush;  // before it is executed
        feedback_ = interruption();
        if (feedback_) show(acta::ActionInterruptedByHuman{.feedback = *feedback_});
    }
    static void show(const acta::ActionResult& result) {
        const acta::ResultStatus status = acta::status(result);
        const char* const colour = !wants_colour()                         ? ""
                                   : status == acta::ResultStatus::success ? "\x1b[32m"
                                   : status == acta::ResultStatus::error   ? "\x1b[31m"
                                                                           : "\x1b[33m";
        std::cout << "  " << colour << status << (*colour == '\0' ? "" : "\x1b[0m") << ": " << brief(result) << "\n";
    }

    [[nodiscard]] std::optional<std::string> interruption() const {
        if (options_.interrupt_at == history_.lock()->size()) return options_.feedback.value_or("Leave that out.");
        std::optional<std::string> typed = terminal_.feedback(options_.pause);
        if (typed) typed = acta::utf8::replace_invalid(*typed);
        return typed;
    }

    acta::SkillRegistry tools_;
    const Options& options_;
    Terminal terminal_{};
    acta::SharedHistory<>& history_;
    std::function<void()> on_change_;        // after each change of the history
    std::size_t shown_ = 0;                  // the number of steps when one was last shown
    std::optional<std::string> feedback_{};  // to that step
};

/// Whether the history comes back from its JSON as it was.
bool survives_json(const History& history) { return acta::parse<History>(acta::dump(history)) == history; }

/// What the next prompt would be: the newest steps in full, the older ones by summaries that need no model.
struct NextPrompt {
    acta::CompressionReport compression{};
    std::size_t tokens_before = 0;
    acta::PromptText prompt{};
};
NextPrompt next_prompt(History history) {
    NextPrompt out;
    out.tokens_before = acta::EstimateTokens()(history.fmt_paragraph());
    out.compression = acta::handle_compression(history, acta::ExtractiveSummarizer{});
    out.prompt = acta::Prompt().text(history);
    return out;
}

/// Prints what acta makes of a run.
void print_all(const History& history, const NextPrompt& next) {
    std::cout << "\n=== The history in the terminal\n\n";
    acta::to_terminal(history, [](std::string_view text) { std::cout << text; }, {.colour = wants_colour()});
    std::cout << "\n=== The history as a list\n\n" << history.fmt_list() << "\n";
    std::cout << "\n=== The history as paragraphs\n\n" << history.fmt_paragraph();
    std::cout << "\n=== The JSON Schema of a proposal\n\n" << acta::schema<acta::ActionProposal<>>().dump(2) << "\n";
    std::cout << "\n=== The history compressed, for the next prompt\n\n"
              << next.compression << "; about " << next.tokens_before << " tokens before, " << next.prompt.report.tokens
              << " now, " << next.prompt.report.omitted.steps << " oldest steps left out\n\n"
              << next.prompt.text << "\n";
}

/// Writes a page that shows the run in a browser.
void write_page(const History& history, const std::string& title, const fs::path& path) {
    std::ofstream file(path, std::ios::binary);
    acta::to_html(history, [&file](std::string_view piece) { file << piece; }, {.title = title});
    if (!file.flush()) throw std::runtime_error("Cannot write '" + path_text(path) + "'");
}

/// `history.html` for `history.json`.
fs::path page_beside(fs::path saved) {
    if (saved.extension() == ".html") return saved += ".html";
    return saved.replace_extension(".html");
}

/// Returns the failed calls, and the steps that they are of: `read_file: FileNotFound (step 2)`.
std::string errors_of(const History& history) {
    constexpr std::size_t most = 4;
    std::string out;
    std::size_t count = 0;
    for (std::size_t i = 0; i < history.size(); ++i) {
        const auto& result = history[i].result;
        const auto* const error = result ? std::get_if<acta::ActionErrorResult>(&*result) : nullptr;
        if (error == nullptr || ++count > most) continue;
        out += (out.empty() ? "" : ", ") + history[i].action.use_tool.name + ": " +
               (error->error ? error->error->exception_type : error->reason) + " (step " + std::to_string(i + 1) + ")";
    }
    return count <= most ? out : out + ", and " + std::to_string(count - most) + " more";
}

/// Says in at most ten lines what was done and where it is.
void print_end(const History& history, const NextPrompt& next, const Folder& folder, const Options& options,
               const std::optional<fs::path>& page, bool equal) {
    const auto count = [&](acta::ResultStatus status) {
        return std::to_string(std::ranges::distance(history.with_status(status)));
    };
    const std::string where = path_text(folder.root());
    std::cout << "\n=== Explored " << where << "\n"
              << history.size() << " steps: " << count(acta::ResultStatus::success) << " succeeded, "
              << count(acta::ResultStatus::error) << " failed, " << count(acta::ResultStatus::interrupted_by_human)
              << " interrupted. The record is " << (equal ? "the same" : "NOT THE SAME") << " after JSON and back.\n"
              << "The next prompt: about " << next.prompt.report.tokens << " tokens";
    if (next.prompt.report.tokens < next.tokens_before) std::cout << ", compressed from " << next.tokens_before;
    std::cout << ".\n";
    if (const std::string errors = errors_of(history); !errors.empty()) std::cout << "Errors: " << errors << "\n";
    if (options.save) std::cout << "The history is in " << path_text(*options.save) << "\n";
    if (options.run) std::cout << "The run is kept in " << path_text(*options.run) << "\n";
    if (page) std::cout << "The page of the run, for a browser: " << path_text(*page) << "\n";
    std::cout << "Try also:\n  " << options.program << " --verbose '" << where << "'\n  " << options.program
              << " --question 'where is run_agent defined' '" << where << "'\n";
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

int run(const Options& options) {
    if (options.help) {
        std::cout << usage;
        return EXIT_SUCCESS;
    }
    const std::vector<Question> plans = options.model ? std::vector<Question>() : find_questions(options);
    const acta::AnyChatModel model = options.model ? real_model(options) : acta::AnyChatModel();
    const Folder folder(options.folder.value_or(fs::current_path()));
    std::optional<RunFile> file;
    if (options.run) file.emplace(*options.run, Subject{path_text(folder.root()), question_texts(options)});
    acta::SharedHistory<> in_memory;
    acta::SharedHistory<>& shared = file ? file->history() : in_memory;
    Agent agent(folder, options, shared, [&file] {
        if (file) file->changed();
    });
    bool good = true;  // what was done until a model failed is kept
    for (const Question& question : plans)
        good = good && agent.find_out(question.text, planned_model(question, shared));
    if (model) {
        for (const std::string& question : question_texts(options)) good = good && agent.find_out(question, model);
    }

    const History history = shared.snapshot();
    const NextPrompt next = next_prompt(history);
    if (options.verbose) print_all(history, next);
    std::optional<fs::path> page = options.page;
    if (options.save) {
        acta::save(history, *options.save, {.indent = 2});
        if (!page) page = page_beside(*options.save);
    }
    if (page) write_page(history, "Exploring " + path_text(folder.root().filename()), *page);
    const bool equal = survives_json(history);
    print_end(history, next, folder, options, page, equal);
    if (options.interrupt_at && *options.interrupt_at > history.size())
        std::cerr << "explore: there was no step " << *options.interrupt_at << " to interrupt\n";
    return good && equal && std::cout.flush() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace explore

int main(int argc, char** argv) {
    constexpr int usage_error = 2;
    try {
        explore::Options options = explore::read_options({argv + (argc > 0 ? 1 : 0), argv + argc});
        if (argc > 0) options.program = argv[0];
        return explore::run(options);
    } catch (const explore::UsageError& error) {
        std::cerr << "explore: " << error.what() << "\n\n" << explore::usage;
        return usage_error;
    } catch (const std::exception& error) {
        std::cerr << "explore: " << error.what() << "\n";
        return EXIT_FAILURE;
    }
}
