// SPDX-License-Identifier: MIT
// A whole agent in the current folder: it streams what the model says, asks before it writes a file, keeps its record,
// and continues from it when it is started again, after a crash too. The record is an SQLite file where CMake has found
// SQLite (CHAT_AGENT_HAS_SQLITE), else JSON. Any server of OpenAI's chat API will do; OPENAI_API_KEY has the key.
#include <acta/acta.hpp>
#include <acta/agent/run.hpp>
#include <acta/provider/openai/chat_model.hpp>
#include <acta/view/terminal.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#ifdef CHAT_AGENT_HAS_SQLITE
#include <acta/store/sqlite/store.hpp>
#include <acta/store/stored_history.hpp>
#endif

namespace fs = std::filesystem;

/// Links are refused, also those that lead nowhere yet, and so is what is neither a file nor a folder, such as a pipe.
fs::path below_here(const std::string& path) {
    const fs::path relative = fs::absolute(path).lexically_normal().lexically_relative(fs::current_path());
    if (relative.empty() || *relative.begin() == "..") throw std::invalid_argument("'" + path + "' is not below here");
    fs::path part;
    for (const fs::path& name : relative) {
        const fs::file_type type = fs::symlink_status(part /= name).type();
        if (type != fs::file_type::regular && type != fs::file_type::directory && type != fs::file_type::not_found)
            throw std::invalid_argument("'" + path + "' is not a file, or behind a link");
    }
    return relative;
}

std::string read_file(const std::string& path) {
    const fs::path file = below_here(path);
    if (!fs::is_directory(file)) return acta::utf8::replace_invalid(acta::base::read_file(file, 1'000'000));
    std::string names;
    for (const auto& entry : fs::directory_iterator(file)) names += entry.path().filename().string() + "\n";
    return names;
}

void write_file(const std::string& path, const std::string& text) {
    if (!(std::ofstream(below_here(path)) << text << std::flush)) throw std::runtime_error("cannot write " + path);
}

acta::Approval ask(const acta::AssistantToolCall& call) {
    if (call.function.name != "write_file") return acta::Approval::yes();
    std::string reply;
    std::cout << "\n"
              << acta::terminal_text(to_string(call)) << "\nMay it? Say y, or what to do instead: " << std::flush;
    std::getline(std::cin, reply);
    return reply == "y" ? acta::Approval::yes() : acta::Approval::no(reply.empty() ? "No." : reply);
}

int main(int argc, char** argv) try {
    if (argc != 5) throw std::invalid_argument("give it URL MODEL HISTORY_FILE TASK");
    acta::SkillRegistry skills;
    skills.add("read_file", "A text file, or the names in a folder.", {.read_only = true}, read_file,
               acta::param("path", "'.' is here."));
    skills.add("write_file", "Writes a text file.", {.idempotent = true, .destructive = true}, write_file,
               acta::param("path"), acta::param("text"));
    const fs::path file = argv[3];
#ifdef CHAT_AGENT_HAS_SQLITE
    acta::sqlite::Store store(file);
    auto history = acta::StoredHistory<>::open_or_create(store, "chat");
#else
    acta::EpisodicActionHistory<> history;
    if (fs::exists(file)) history = acta::load<acta::EpisodicActionHistory<>>(file);
#endif
    const acta::ChatMessage task = acta::ChatMessage::user(argv[4]);
    const auto said = history.messages();
    if (said.empty() || said.back().message != task) history.register_message(task);
    acta::RunOptions options{.instructions = "Solve the task with the tools. When you know, answer.",
                             .limits = {.requests = 50, .tokens = 1'000'000},
                             .approve = ask};
    options.on_text = [](std::string_view text) { std::cout << acta::terminal_text(text) << std::flush; };
    options.on_event = acta::on(
        [](const acta::AnswerRestarted&) { std::cout << "\n[the connection broke, and the answer begins again]\n"; },
        [](const acta::CallStarted& begun) {
            std::cout << "\n" << acta::terminal_text(to_string(begun.call)) << std::endl;
        }
#ifndef CHAT_AGENT_HAS_SQLITE
        ,
        [&](const acta::HistoryChanged&) { acta::save(history, file); }
#endif
    );
    const acta::openai::ChatModel model({.base_url = argv[1], .model = argv[2]});
    const acta::RunResult run = acta::run_agent(model, skills, history, options);
#ifdef CHAT_AGENT_HAS_SQLITE
    const acta::MetricsTotals used = acta::totals(history.snapshot());
#else
    const acta::MetricsTotals used = acta::totals(history);
#endif
    std::cerr << "\n" << run << "; " << used << "\n";
    return run.end == acta::RunEnd::answered ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "chat_agent: " << error.what() << "\n";
    return 2;
}
