// SPDX-License-Identifier: MIT

// Reads the record of any agent's run, compresses it and shows what its prompt would be. `replay --help` says what can
// be asked.
//
// The parts: options.hpp (the command line), progress.hpp (a bar or lines).

#include <acta/compress/compress.hpp>
#include <acta/compress/extractive.hpp>
#include <acta/interop/atif/atif.hpp>
#include <acta/interop/trajectory.hpp>
#include <acta/json/json.hpp>
#include <acta/prompt/prompt.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "replay/options.hpp"
#include "replay/progress.hpp"

namespace replay {
namespace {

using History = acta::EpisodicActionHistory<>;

std::string count_of(std::size_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

void print_row(std::string_view what, const acta::PromptCount& count) {
    std::cout << std::left << std::setw(28) << what << std::right << std::setw(8) << count.steps << std::setw(13)
              << count.characters << std::setw(10) << count.tokens << "\n";
}

/// Code points: bytes that do not continue one.
std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The whole history, all steps in full.
acta::PromptCount size_of(const History& history) {
    const std::string text = history.fmt_paragraph();
    return {history.size(), characters(text), acta::EstimateTokens{}(text)};
}

acta::PromptCount size_of(const std::vector<acta::ChatMessage>& messages, const acta::PromptReport& report) {
    acta::PromptCount out{report.full.steps + report.older.steps, 0, report.tokens};
    for (const acta::ChatMessage& message : messages) out.characters += characters(message.content);
    return out;
}

acta::CompressionReport compress(History& history, const Options& options) {
    acta::ExtractiveOptions summaries;
    summaries.max_tokens = options.summary_tokens;
    acta::CompressionOptions compression;
    compression.keep_recent = options.full;
    compression.max_summary_tokens = options.summary_tokens;
    Progress progress(std::cerr, error_is_terminal());
    if (!options.quiet) compression.observer = &progress;
    return acta::handle_compression(history, acta::ExtractiveSummarizer(summaries), compression);
}

void print_failures(const acta::CompressionReport& report) {
    for (const acta::FailedEpisode& failed : report.failed)
        std::cerr << "replay: no summary of step " << failed.step + 1 << ": " << failed.error.message << "\n";
}

acta::Prompt make_prompt(const Options& options) {
    acta::PromptOptions out;
    out.keep_recent = options.full;
    out.max_full_tokens = options.max_full_tokens;
    out.max_tokens = options.max_tokens;
    if (options.output_characters) {
        out.full_output = acta::OutputLimit{.characters = *options.output_characters};
        out.older_output = out.full_output;
    }
    return acta::Prompt(out);
}

void save(const acta::Trajectory& run, const Options& options) {
    if (options.save) acta::save(run.history, *options.save, {.indent = 2});
    if (!options.atif) return;
    acta::atif::Options atif;
    atif.session_id = options.file.stem().string();
    atif.agent_name = "replay";
    acta::save(acta::atif::to_document(run.history, atif), *options.atif, {.indent = 2});
}

void print_sizes(const acta::PromptCount& before, const acta::PromptCount& prompt, const acta::PromptReport& report) {
    std::cout << "\n" << std::string(28, ' ') << "   steps   characters    tokens\n";
    print_row("before, all steps in full", before);
    print_row("the prompt", prompt);
    print_row("  steps in full", report.full);
    print_row("  older steps as lines", report.older);
    print_row("left out of it", report.omitted);
    if (report.unmeasured_steps != 0)
        std::cout << "(not counted: the texts of the oldest " << count_of(report.unmeasured_steps, "step") << ")\n";
    if (report.cut_texts != 0) std::cout << "(" << count_of(report.cut_texts, "text") << " cut)\n";
}

void print_prompt(const History& history, const acta::PromptCount& before, const Options& options) {
    const acta::Prompt prompt = make_prompt(options);
    if (options.messages) {
        const acta::PromptMessages out = prompt.messages(history);
        print_sizes(before, size_of(out.messages, out.report), out.report);
        std::cout << "\n=== The prompt as messages\n";
        for (const acta::ChatMessage& message : out.messages)
            std::cout << "\n--- " << acta::to_json_value(message.role).get<std::string>() << "\n"
                      << message.content << "\n";
    } else {
        const acta::PromptText out = prompt.text(history);
        print_sizes(before, size_of({acta::ChatMessage::user(out.text)}, out.report), out.report);
        std::cout << "\n=== The prompt\n\n" << out.text << (out.text.empty() ? "" : "\n");
    }
}

int run(const Options& options) {
    if (options.help) {
        std::cout << usage;
        return EXIT_SUCCESS;
    }
    std::vector<acta::Issue> warnings;
    acta::ParseOptions parsing;
    parsing.warnings = &warnings;
    acta::Trajectory run = acta::load_trajectory(options.file, {.parse = parsing});
    for (const acta::Issue& warning : warnings) std::cerr << "replay: " << warning.message << "\n";
    std::cout << acta::to_string(run.format) << ": " << count_of(run.history.size(), "step") << ", "
              << count_of(run.history.messages().size(), "other message") << ", "
              << count_of(run.history.pending_feedback().size(), "message") << " of feedback waiting\n";

    const acta::PromptCount before = size_of(run.history);
    const acta::CompressionReport report = compress(run.history, options);
    print_failures(report);
    std::cout << "Compressed: " << report << "\n";
    save(run, options);
    print_prompt(run.history, before, options);
    return std::cout.flush() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace replay

int main(int argc, char** argv) {
    constexpr int usage_error = 2;
    try {
        return replay::run(replay::read_options({argv + (argc > 0 ? 1 : 0), argv + argc}));
    } catch (const replay::UsageError& error) {
        std::cerr << "replay: " << error.what() << "\n\n" << replay::usage;
        return usage_error;
    } catch (const std::exception& error) {
        std::cerr << "replay: " << error.what() << "\n";
        return EXIT_FAILURE;
    }
}
