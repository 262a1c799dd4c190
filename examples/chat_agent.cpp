// SPDX-License-Identifier: MIT

// A whole agent: a model that calls tools until it has an answer, with a limit of steps, older steps compressed, and a
// record that is saved after each step and gone on from when it is started again. Any server of OpenAI's chat API will
// do; a key is taken from OPENAI_API_KEY.

#include <acta/acta.hpp>
#include <acta/provider/openai/chat_model.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "chat_agent/answer.hpp"

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

    chat_agent::History history;
    if (fs::exists(file)) history = acta::load<chat_agent::History>(file);
    chat_agent::begin(history, task);
    std::cout << chat_agent::answer(model, skills, history, [&] { acta::save(history, file); }) << "\n";
    report(acta::totals(history));
    return EXIT_SUCCESS;
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
