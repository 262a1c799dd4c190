// SPDX-License-Identifier: MIT
#pragma once

// The command line.

#include <acta/base/unicode.hpp>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace explore {

inline constexpr std::string_view usage = R"(Usage: explore [options] [FOLDER]

An agent explores a folder, by default the current one, and keeps a record of it. It needs no model, but can have one.

Options:
  --question TEXT     What to find out; may be given several times. One of
                        what is in here
                        what are the largest files
                        where is NAME defined
                      By default all three, with 'main' as the name. A model may be asked anything.
  --model URL         Lets a model decide what is done: the base URL of a server with OpenAI's chat API, such as
                      http://localhost:8080/v1. A key is taken from OPENAI_API_KEY.
  --model-name NAME   Which of its models.
  --run FILE          Keeps the run while it lasts, in an SQLite file, or as JSON where explore is built without SQLite.
                      A run of the same folder and questions that was killed resumes there.
  --save FILE         Saves the history as JSON.
  --page FILE         Writes a page of the run, for a browser; by default beside the file of --save, or none.
  --verbose           Also prints what acta makes of the run: its steps, its texts, its schema, the next prompt.
  --interrupt-at N    Interrupts step N, as the key i does where there is a terminal.
  --feedback TEXT     What the user says then.
  --pause MS          How long to wait for the key before a step; by default 300.
  --help              This text.
)";

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    std::string program = "explore";  // as it was called
    std::optional<std::filesystem::path> folder{};
    std::vector<std::string> questions{};
    std::optional<std::string> model{};
    std::string model_name{};
    std::optional<std::filesystem::path> run{};
    std::optional<std::filesystem::path> save{};
    std::optional<std::filesystem::path> page{};
    std::optional<std::size_t> interrupt_at{};
    std::optional<std::string> feedback{};
    std::chrono::milliseconds pause{300};
    bool verbose = false;
    bool help = false;
};

namespace detail {

inline int number(const std::string& name, std::string_view text, int least) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least)
        throw UsageError(name + " wants a number from " + std::to_string(least) + ", not '" + std::string(text) + "'");
    return value;
}

inline void set_option(Options& options, const std::string& name, const std::string& value) {
    // What goes into the history has to be UTF-8; what names a file has to stay as it is.
    if (name == "--question")
        options.questions.push_back(acta::utf8::replace_invalid(value));
    else if (name == "--model")
        options.model = value;
    else if (name == "--model-name")
        options.model_name = acta::utf8::replace_invalid(value);
    else if (name == "--run")
        options.run = value;
    else if (name == "--save")
        options.save = value;
    else if (name == "--page")
        options.page = value;
    else if (name == "--interrupt-at")
        options.interrupt_at = static_cast<std::size_t>(number(name, value, 1));
    else if (name == "--feedback")
        options.feedback = acta::utf8::replace_invalid(value);
    else if (name == "--pause")
        options.pause = std::chrono::milliseconds(number(name, value, 0));
    else
        throw UsageError("unknown option " + name);
}

}  // namespace detail

/// Reads `--name value`, `--name=value` and one folder. Throws `UsageError`.
inline Options read_options(const std::vector<std::string>& words) {
    Options options;
    bool only_folder = false;  // after "--"
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!only_folder && word == "--") {
            only_folder = true;
        } else if (!only_folder && (word == "--help" || word == "-h")) {
            options.help = true;
        } else if (!only_folder && (word == "--verbose" || word == "-v")) {
            options.verbose = true;
        } else if (!only_folder && word.size() > 1 && word.front() == '-') {
            const std::size_t sign = word.find('=');
            const std::string name = word.substr(0, sign);
            if (sign != std::string::npos) {
                detail::set_option(options, name, word.substr(sign + 1));
            } else {
                if (i + 1 == words.size()) throw UsageError("unknown option, or one without its value: " + name);
                detail::set_option(options, name, words[++i]);
            }
        } else {
            if (options.folder) throw UsageError("more than one folder: " + word);
            options.folder = word;
        }
    }
    if (!options.model_name.empty() && !options.model) throw UsageError("--model-name needs --model");
    if (options.feedback && !options.interrupt_at) throw UsageError("--feedback needs --interrupt-at");
    return options;
}

}  // namespace explore
