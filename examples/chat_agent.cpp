// SPDX-License-Identifier: MIT

// A whole agent: a model that calls tools until it has an answer, with a limit of steps, older steps compressed, and a
// record that is saved after each step and gone on from when it is started again. Any server of OpenAI's chat API will
// do; a key is taken from OPENAI_API_KEY.

#include <acta/acta.hpp>
#include <acta/compress/compressor.hpp>
#include <acta/compress/extractive.hpp>
#include <acta/interop/openai/history.hpp>
#include <acta/provider/openai/chat_model.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// A path below the current folder: a model does not get to see more.
fs::path below_here(const std::string& path) {
    const fs::path relative = fs::relative(path);  // follows links
    if (relative.empty() || *relative.begin() == "..") throw std::invalid_argument("'" + path + "' is not below here");
    return relative;
}

std::vector<std::string> list_files(const std::string& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(below_here(folder))) {
        names.push_back(entry.path().filename().string() + (entry.is_directory() ? "/" : ""));
    }
    return names;
}

std::string read_file(const std::string& path) {
    std::ifstream in(below_here(path), std::ios::binary);
    std::string text(20'000, '\0');
    if (!in.read(text.data(), static_cast<std::streamsize>(text.size())) && !in.eof())
        throw std::runtime_error("cannot read '" + path + "'");
    text.resize(static_cast<std::size_t>(in.gcount()));
    return acta::utf8::replace_invalid(text);
}

/// What the whole run took, earlier starts of it included.
void report(const acta::MetricsTotals& total) {
    std::cerr << total.steps << " steps, " << total.prompt_tokens << " tokens to the model, " << total.completion_tokens
              << " from it\n";
}

int work(const std::string& url, const std::string& name, const fs::path& file, const std::string& task) {
    acta::SkillRegistry skills;
    skills.add("list_files", "The names in a folder.", list_files, acta::param("folder", "'.' is where we are.", "."));
    skills.add("read_file", "The beginning of a text file.", read_file, acta::param("path", "The file."));
    const acta::openai::ChatModel model({.base_url = url, .model = name});

    acta::EpisodicActionHistory<> history;
    if (fs::exists(file)) history = acta::load<acta::EpisodicActionHistory<>>(file);
    const auto* const open = history.current_episode();
    if (open != nullptr && !open->result && acta::has_tool_call(open->action))
        history.close_open_episode(acta::ActionErrorResult{.reason = "The agent was stopped before it was done."});
    else
        history.rewind();  // an answer, which is the end of an earlier run
    const acta::HistoryMessagesOptions conversation{
        .context = {{0, acta::ChatMessage::system("Solve the task with the tools. When you know, answer without one.")},
                    {0, acta::ChatMessage::user(task)}},
        .use_summaries = true};

    constexpr int max_steps = 20;
    for (int step = 0; step < max_steps; ++step) {
        acta::StepMetrics metrics = acta::StepMetrics::start();
        const auto messages =
            acta::openai::from_wire(acta::to_json_value(acta::to_openai_messages(history, conversation)));
        const acta::ChatCompletion completion = model(messages, {.tools = skills.tool_definitions()});
        metrics.add(completion);
        const auto proposal = acta::proposal_from(completion.message);
        history.register_action(proposal, metrics);
        acta::save(history, file);
        if (!acta::has_tool_call(proposal)) {
            std::cout << proposal.thoughts << "\n";
            report(acta::totals(history));
            return EXIT_SUCCESS;
        }
        for (const auto& call : acta::get_tools(proposal)) std::cout << call << '\n' << std::flush;
        history.register_results(acta::execute(proposal, skills));
        acta::handle_compression(history, acta::ExtractiveSummarizer{});
        acta::save(history, file);
    }
    std::cerr << "no answer after " << max_steps << " steps\n";
    return EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::cerr << "Usage: chat_agent URL MODEL HISTORY_FILE TASK\n";
        return 2;
    }
    try {
        return work(argv[1], argv[2], argv[3], argv[4]);
    } catch (const std::exception& error) {
        std::cerr << "chat_agent: " << error.what() << "\n";
        return EXIT_FAILURE;
    }
}
