// SPDX-License-Identifier: MIT
// A history: read, printed, gone on with, compressed, written.
#include "acta/history/history.hpp"

#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "fuzz.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;

/// What holds of every history that can be gone on with.
void check_state(const History& history) {
    fuzz::require(history.cursor() <= history.size(), "a cursor beyond the end");
    fuzz::require(history.empty() == history.fmt_list().empty(), "a list of steps without a step, or the other way");
    fuzz::require((history.current_episode() == nullptr) == (history.cursor() == history.size()), "a lost episode");
}

void go_on(History history) {
    try {
        history.register_result(acta::ActionSuccessResult{.outputs = "done"});
    } catch (const acta::HistoryError&) {
        check_state(history);
    }
    try {
        history.close_open_episode(acta::ActionErrorResult{"cut", {}});
    } catch (const acta::HistoryError&) {
        check_state(history);
    }
    const std::size_t before = history.size();
    try {
        history.register_action({.thoughts = "t", .use_tool = {"f", {}}});
        fuzz::require(history.size() == before + 1, "an action that is no step");
        history.rewind(0);
        fuzz::require(history.size() == before, "an open step that stays");
    } catch (const acta::HistoryError& error) {
        fuzz::require(error.code() == acta::HistoryErrorCode::action_already_set, "another error");
        fuzz::require(!history.current_episode()->result, "an open step that is finished");
    }
    check_state(history);
    history.rewind(1);
    check_state(history);
    (void)acta::dump(history);
}

void compress(History& history) {
    acta::CompressionOptions options;
    options.max_parallel = 1;
    options.keep_recent = 0;
    const acta::CompressionReport report = acta::handle_compression(history, acta::ExtractiveSummarizer{}, options);
    for (const acta::SummarisedEpisode& done : report.summarised) {
        const std::string& summary = *history[done.step].summary;
        fuzz::require(!summary.empty() && summary.find('\n') == std::string::npos, "a summary that is no line");
    }
    for (const auto& episode : history) {
        const bool due = episode.result && !episode.summary;
        fuzz::require(!due || !report.failed.empty(), "a finished step without a summary");
    }
}

void run(std::string_view text) {
    acta::ActionResult result;
    fuzz::read_twice(text, result);
    acta::Episode<> episode;
    if (fuzz::read_twice(text, episode)) (void)episode.format();
    History history;
    if (!fuzz::read_twice(text, history)) return;
    check_state(history);
    (void)history.fmt_paragraph();
    go_on(history);
    compress(history);
    acta::PromptOptions limits;
    limits.max_tokens = 200;
    limits.keep_recent = 1;
    const acta::PromptText prompt = acta::Prompt(limits).text(history);
    fuzz::require(prompt.report.older.tokens <= limits.max_tokens, "older steps beyond their budget");
    (void)acta::Prompt(limits).messages(history);
    (void)acta::dump(history);
}

}  // namespace

FUZZ_TARGET(run)
