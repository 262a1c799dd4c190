// SPDX-License-Identifier: MIT
#pragma once

// The command line.

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace replay {

inline constexpr std::string_view usage = R"(Usage: replay [options] FILE

Reads the record of an agent's run, compresses it without a model, and shows the prompt that its agent would go on
with. FILE is a history that acta saved, an ATIF document, a trajectory of SWE-agent, or a list of OpenAI's or
Anthropic's messages; which of them is recognised by its content.

Options:
  --full N               How many of the newest steps stay as they are; by default 4.
  --max-full-tokens N    Budget of these, in tokens; by default 4096.
  --max-tokens N         Budget of the lines of older steps; by default 1024.
  --summary-tokens N     Length of a summary at most; by default 60.
  --output-characters N  Cuts outputs of tools in the prompt beyond N characters; by default not.
  --messages             Shows the prompt as messages instead of as one text.
  --save FILE            Saves the compressed history, as acta's own JSON.
  --atif FILE            Saves it as an ATIF document.
  --quiet                Shows no progress.
  --help                 This text.
)";

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    std::filesystem::path file{};
    std::size_t full = 4;
    std::size_t max_full_tokens = 4096;
    std::size_t max_tokens = 1024;
    std::size_t summary_tokens = 60;
    std::optional<std::size_t> output_characters{};
    std::optional<std::filesystem::path> save{};
    std::optional<std::filesystem::path> atif{};
    bool messages = false;
    bool quiet = false;
    bool help = false;
};

namespace detail {

inline std::size_t number(const std::string& name, std::string_view text, std::size_t least) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least)
        throw UsageError(name + " wants a number from " + std::to_string(least) + ", not '" + std::string(text) + "'");
    return value;
}

inline bool set_flag(Options& options, std::string_view name) {
    bool* const flag = name == "--messages"               ? &options.messages
                       : name == "--quiet"                ? &options.quiet
                       : name == "--help" || name == "-h" ? &options.help
                                                          : nullptr;
    if (flag != nullptr) *flag = true;
    return flag != nullptr;
}

inline void set_option(Options& options, const std::string& name, const std::string& value) {
    if (name == "--full")
        options.full = number(name, value, 0);
    else if (name == "--max-full-tokens")
        options.max_full_tokens = number(name, value, 0);
    else if (name == "--max-tokens")
        options.max_tokens = number(name, value, 0);
    else if (name == "--summary-tokens")
        options.summary_tokens = number(name, value, 1);
    else if (name == "--output-characters")
        options.output_characters = number(name, value, 1);
    else if (name == "--save")
        options.save = value;
    else if (name == "--atif")
        options.atif = value;
    else
        throw UsageError("unknown option " + name);
}

}  // namespace detail

/// Reads `--name value`, `--name=value` and one file. Throws `UsageError`.
inline Options read_options(const std::vector<std::string>& words) {
    Options options;
    bool only_file = false;  // after "--"
    bool has_file = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!only_file && word == "--") {
            only_file = true;
        } else if (!only_file && detail::set_flag(options, word)) {
            continue;
        } else if (!only_file && word.size() > 1 && word.front() == '-') {
            const std::size_t sign = word.find('=');
            const std::string name = word.substr(0, sign);
            if (sign == std::string::npos && i + 1 == words.size())
                throw UsageError("unknown option, or one without its value: " + name);
            detail::set_option(options, name, sign == std::string::npos ? words[++i] : word.substr(sign + 1));
        } else {
            if (has_file) throw UsageError("more than one file: " + word);
            options.file = word;
            has_file = true;
        }
    }
    if (!options.help && !has_file) throw UsageError("no file is named");
    return options;
}

}  // namespace replay
