// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/json/json.hpp"
#include "acta/view/html.hpp"
#include "acta/view/terminal.hpp"
#include "support/catch.hpp"
#include "support/messages_random.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"
#include "view/runs.hpp"

// Pages and texts of runs made at random, as they were when last looked at (CONTRIBUTING.md, "What a change needs").
namespace {

/// A run with metrics, reasoning, ends, runs of agents that were tools, and texts of all widths.
runs::History random_run(RandomHistories& random, int depth) {
    static const auto parts = parts_of(
        "tide|harbour|a longer word|\n|\n\n|\t|\r\n| |  |\xE6\xBD\xAE\xE4\xBD\x8D|\xED\x95\x9C|e\xCC\x81|"
        "\xF0\x9F\x99\x82|\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xA7|\xE2\x80\x8B|\xE2\x80\xAE|\x1B[2J|\x7F|\xC2\x9B|"
        "\xF0\xA0\x80\x80|\xF3\xA0\x81\xA7|<b>&\"'</script>|0123456789012345678901234567890123456789");
    const auto text = [&random] {
        std::string out;
        for (std::size_t i = random.below(random.chance(20) ? 150 : 12); i > 0; --i)
            out += parts[random.below(parts.size())];
        return out;
    };
    const runs::History made = random.with_conversation(random.history());
    auto record = made.record();
    for (std::size_t i = 0; i < record.episodes.size(); ++i) {
        auto& step = record.episodes[i];
        if (random.chance(50)) step.action.thoughts = text();
        if (random.chance(30)) step.action.use_tool.arguments = acta::JsonObject{{"text", text()}, {"n", 1}};
        auto* const success = step.result ? std::get_if<acta::ActionSuccessResult>(&*step.result) : nullptr;
        if (success != nullptr && random.chance(50)) success->outputs = text();
        if (step.action.raw_message && random.chance(40)) step.action.raw_message->reasoning_content = text();
        if (random.chance(70)) {
            acta::StepMetrics& metrics = step.metrics.emplace();
            const auto start = acta::parse_timestamp("2024-05-01T10:00:00Z").value() + std::chrono::seconds(40 * i);
            if (random.chance(80)) metrics.started_at = start;
            if (random.chance(80)) metrics.finished_at = start + std::chrono::milliseconds(random.below(100'000));
            if (random.chance(60)) metrics.prompt_tokens = random.below(3000);
            if (random.chance(60)) metrics.completion_tokens = random.below(300);
            if (random.chance(60)) metrics.cost_usd = 0.001 * static_cast<double>(random.below(5000));
            if (random.chance(30)) metrics.model = text();
        }
        if (depth > 0 && random.chance(15)) {
            const acta::Json inner = acta::to_json_value(random_run(random, depth - 1));
            record.sub_runs.push_back({i, random.chance(80) ? "call_0" : random.id(), inner});
        }
    }
    for (std::size_t i = random.below(3); i > 0; --i) {
        acta::RunRecord run;
        run.end = random.chance(50) ? "answered" : "failed";
        if (random.chance(40)) {
            const std::string type = random.chance(80) ? "Lost" : "";
            run.error = acta::ErrorInfo::make(type, text());
        }
        run.after = random.below(record.episodes.size() + 1);
        run.requests = random.below(4);
        run.usage.prompt_tokens = static_cast<std::int64_t>(random.below(900));
        if (random.chance(50)) run.cost_usd = 0.25;
        run.seconds = 0.5 * static_cast<double>(random.below(300));
        record.runs.push_back(std::move(run));
    }
    return runs::History(std::move(record));
}

/// The run in a page, which its script shows.
std::string run_in(const std::string& page) {
    const std::size_t begin = page.find("<script id=\"data\"");
    return page.substr(begin, page.find("</script>", begin) - begin);
}

}  // namespace

TEST_CASE("runs are shown as was recorded") {
    RandomHistories random(1);
    const auto page = [&] {
        const runs::History run = random_run(random, 2);
        return run_in(runs::page_of(run, {.title = random.text(), .max_output_bytes = 100 + random.below(300)}));
    };
    std::string out = results(page, 4, 30, 8);
    const auto terminal = [&] {
        const runs::History run = random_run(random, 2);
        constexpr std::size_t widths[] = {1, 20, 21, 40, 80};
        acta::TerminalOptions options;
        options.colour = random.chance(30);
        options.width = widths[random.below(std::size(widths))];
        options.max_lines = random.below(6);
        options.max_call_lines = random.below(4);
        options.errors_only = random.chance(20);
        if (random.chance(20)) options.first = random.below(4);
        if (random.chance(20)) options.last = random.below(4);
        std::string text;
        acta::to_terminal(
            run, [&](std::string_view piece) { text += piece; }, options);
        return text;
    };
    out += results(terminal, 12, 40, 10);
    check_recorded("tests/view/views.txt", out);
}
