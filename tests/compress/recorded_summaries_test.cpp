// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"

// Summaries of steps made at random, as they were when last looked at (CONTRIBUTING.md, "What a change needs").
namespace {

/// Outputs of tools: logs, listings, reports of errors, prose with facts, very long lines and ideographs.
class Outputs {
public:
    explicit Outputs(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return random_.below(n); }
    bool chance(std::size_t n) { return random_.chance(n); }

    acta::Episode<> step() {
        acta::Episode<> out;
        out.action.thoughts = chance(3) ? "I look at " + path() + ". Then I run it." : "To see what is there.";
        std::vector<acta::AssistantFunctionCall> calls;
        for (std::size_t i = chance(5) ? 2 + below(4) : 1; i > 0; --i)
            calls.push_back({one_of({"read_file", "run", "search"}), {{"path", path()}, {"limit", below(500)}}});
        acta::set_calls(out.action, calls);
        if (chance(8)) return out;  // open
        if (chance(8))
            out.result = acta::ActionInterruptedByHuman{"Do not touch " + path() + "."};
        else if (chance(5))
            out.result = acta::ActionErrorResult{.reason = text()};
        else
            out.result = acta::ActionSuccessResult{.outputs = text()};
        return out;
    }
    std::string text() {
        std::string out;
        const std::size_t lines = chance(2) ? 1 + below(6) : 20 + below(120);
        const std::size_t kind = below(4);
        for (std::size_t i = 0; i < lines; ++i) out += chance(6) ? line(below(9), i) : line(kind * 2 + below(2), i);
        return out;
    }
    /// Without blanks, of a few times what a part of a sentence may have, with a place or two to divide it.
    std::string long_part() {
        std::string out = "Note: " + std::string(200 + below(600), 'x');
        for (std::size_t i = below(4); i > 0; --i) {
            const std::size_t at = chance(2) ? 115 + below(12) : below(out.size());
            out.insert(at, one_of(parts_of(",|;| |}|\n|\xE3\x80\x81|\xEF\xBC\x8C|. ")));
        }
        return out;
    }
    /// With words, numbers and signs anywhere that could begin, end or be a fact, a sentence, a name or an escape.
    std::string noisy_text() {
        static const std::vector<std::string> signs = parts_of(
            ".|. |!|? |: |; |, |\n|\n\n|\t|\\|\\n|\"|'|`|(|)|[|]|{|}|=|==|->|/|//|#|- |* |1.|0x1F|1,234|-3.5e4|12 %|7 "
            "m|"
            "$5|v1.2|10:45|a@b.org|\xC3\xA9|\xE2\x80\xA6|\xE3\x80\x82|\x1B[31m|\x01|\xFF|not |Error: |tide_9|"
            "max_depth=12|\"key\": 3, |https://example.org/a?b=1|2024-05-11T10:45:00Z|lines 4-9|exit code 1|CamelCase|"
            "UPPER_CASE|a.b.c|x|\xC3\x80|\xE2\x80\x80|5%|~/x|%|https://example.org/\\n2|Note: ");
        if (chance(6)) return long_part();
        std::string out = text();
        if (chance(3)) out.resize(std::min(out.size(), below(900)));
        for (std::size_t i = below(30); i > 0; --i) {
            const std::size_t at = chance(10) ? 0 : below(out.size() + 1);
            out.insert(at, one_of(signs));
        }
        return out;
    }

private:
    std::string one_of(const std::vector<std::string>& words) { return random_.one_of(words); }
    /// Joins texts, which braces make in their order whatever the compiler.
    static std::string joined(const std::vector<std::string>& texts) {
        std::string out;
        for (const std::string& one : texts) out += one;
        return out;
    }
    std::string number(std::size_t n) { return std::to_string(below(n)); }
    std::string path() {
        return joined({one_of({"src/", "./tests/", "/var/log/", "C:\\work\\"}),
                       one_of({"tides", "harbour", "main", "v2.old"}), number(20),
                       one_of({".py", ".cpp", ".tar.gz", ""})});
    }
    std::string words(std::size_t count) {
        std::string out;
        for (std::size_t i = 0; i < count; ++i) {
            if (i != 0) out += ' ';
            out += one_of({"the", "survey", "of", "water", "went", "as", "planned", "slowly", "port", "high", "low",
                           "again", "was", "checked"});
        }
        return out;
    }
    std::string line(std::size_t kind, std::size_t i) {
        const std::string index = std::to_string(i);
        switch (kind) {
            case 0: return joined({"step ", index, " of the survey went as planned\n"});
            case 1: return joined({"[2024-05-1", number(9), " 12:3", number(9), "] INFO ", words(4), "\n"});
            case 2:
                return joined({index, ": ", one_of({"def ", "return ", "if ", "raise ", "Error: ", "except Error: "}),
                               "tide_", number(9), "(x)\n"});
            case 3: return joined({path(), ":", number(300), ": ", words(5), "\n"});
            case 4: return joined({words(3 + below(9)), ", ", number(5000), " m at 12.5 %. "});
            case 5:
                return joined(
                    {one_of({"KeyError: 'tide_height' in ", "error: cannot open ", "FAILED ", "Traceback in "}), path(),
                     "\n"});
            case 6:
                return joined(
                    {"\xE6\xBD\xAE\xE4\xBD\x8D\xE3\x81\xAF", number(90), "\xE3\x80\x82",
                     one_of({"\xE9\xAB\x98\xE3\x81\x84\xE3\x80\x82", "\xE4\xBD\x8E\xE3\x81\x84\xE3\x80\x81"})});
            case 7:
                return joined({"{\"id\": \"", number(1'000'000), "\", \"url\": \"https://example.org/", words(1),
                               "\", \"ok\": true}, "});
            default: return joined({words(40 + below(60)), "; ", words(30), "\n"});
        }
    }

    Noise random_;
};

/// `<number> <tokens>: <summary>`, a line each.
std::string summaries() {
    Outputs outputs(5);
    std::string out;
    for (int i = 0; i < 40; ++i) {
        const acta::Episode<> episode = outputs.step();
        const acta::SummaryStep values = acta::summary_step(episode);
        for (const std::size_t tokens : {40U, 150U}) {
            acta::SummaryRequest request{.max_tokens = tokens};
            request.step = &values;
            if (i % 8 == 7) request.question = "How high was the water in the port?";
            out += std::to_string(i) + " " + std::to_string(tokens) + ": " +
                   acta::ExtractiveSummarizer()(episode.format(), request) + "\n";
        }
    }
    // Texts that are no steps, without a bound of their own.
    for (int i = 40; i < 50; ++i)
        out += std::to_string(i) + ": " + acta::ExtractiveSummarizer()(outputs.text(), {.one_line = true}) + "\n";
    // Digests of many more: texts, as they are and as outputs of steps, with bounds of all sizes.
    for (int i = 100; i < 160; ++i) {
        std::string all;
        for (int times = 0; times < 4; ++times) {
            acta::Episode<> episode = outputs.step();
            const std::string text = outputs.noisy_text();
            if (auto* const success =
                    episode.result ? std::get_if<acta::ActionSuccessResult>(&*episode.result) : nullptr)
                success->outputs =
                    outputs.chance(3) ? acta::Json{{"text", text}, {"n", outputs.below(9)}} : acta::Json(text);
            const acta::SummaryStep values = acta::summary_step(episode);
            acta::SummaryRequest request{.max_tokens = 4 + outputs.below(200), .one_line = outputs.chance(2)};
            if (outputs.chance(4)) request.question = outputs.noisy_text().substr(0, 60);
            all += acta::ExtractiveSummarizer()(text, request) + "\n";
            request.step = &values;
            all += acta::ExtractiveSummarizer()(episode.format(), request) + "\n";
        }
        out += std::to_string(i) + ": " + std::to_string(acta::base::fnv1a(all)) + "\n";
    }
    // What is kept of long histories, and what may be if it comes up again.
    for (int i = 50; i < 53; ++i) {
        acta::EpisodicActionHistory<> history;
        for (int step = 0; step < 100; ++step) {
            acta::Episode<> episode = outputs.step();
            if (step % 3 == 0) episode.result = acta::ActionSuccessResult{.outputs = outputs.noisy_text()};
            history.register_action(episode.action);
            history.register_result(
                episode.result.value_or(acta::ActionInterruptedByHuman{"Note: look at " + outputs.text()}));
        }
        acta::RollingSummaryOptions options;
        options.prompt.keep_recent = 2;
        options.prompt.max_tokens = 100;
        if (i == 52) options.is_marked = nullptr;
        static_cast<void>(acta::update_rolling_summary(history, acta::ExtractiveSummarizer(), options));
        acta::RollingSummary kept = *history.rolling_summary();
        const std::size_t candidates = kept.candidates.size();
        const std::string all = std::to_string(acta::base::fnv1a(acta::dump(kept)));
        if (kept.candidates.size() > 12) kept.candidates.resize(12);
        out += std::to_string(i) + " of " + std::to_string(candidates) + ", " + all + ": " + acta::dump(kept) + "\n";
    }
    return out;
}

}  // namespace

TEST_CASE("summaries are those that were recorded") { check_recorded("tests/compress/summaries.txt", summaries()); }
