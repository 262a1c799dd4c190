// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"

// Histories that are changed at random, and documents of them with a mistake, as they were when last looked at
// (CONTRIBUTING.md, "What a change needs").
namespace {

using acta::Json;
using History = acta::EpisodicActionHistory<>;

class Histories {
public:
    explicit Histories(unsigned seed) : noise(seed) {}

    std::string text() {
        return noise.text(parts_of("a|b| |\n|two words|- |\t|\xE6\x97\xA5|\n### Step 1: |\n- **Output:** |end."), 4);
    }
    Json value() {
        switch (noise.below(5)) {
            case 0: return nullptr;
            case 1: return noise.below(100);
            case 2: return Json{{"key", text()}};
            case 3: return Json::array({text(), 1.5});
            default: return text();
        }
    }
    acta::ActionResult result() {
        switch (noise.below(5)) {
            case 0: {
                acta::ActionErrorResult out{.reason = text()};
                if (noise.chance(2)) out.error = acta::ErrorInfo{.message = text(), .exception_type = "E"};
                return out;
            }
            case 1: return acta::ActionInterruptedByHuman{text()};
            default: return acta::ActionSuccessResult{.outputs = value()};
        }
    }
    acta::ActionProposal<> proposal() {
        acta::ActionProposal<> out;
        out.thoughts = text();
        std::vector<acta::AssistantFunctionCall> calls;
        for (std::size_t i = noise.below(4); i > 0; --i) {
            acta::JsonObject arguments;
            if (noise.chance(2)) arguments["n"] = value();
            calls.push_back({noise.one_of(parts_of("a|b|search")), std::move(arguments)});
        }
        acta::set_calls(out, calls);
        if (out.raw_message && noise.chance(2)) out.raw_message->content = text();
        if (noise.chance(8)) out.raw_message.reset();
        return out;
    }
    acta::ChatMessage message() {
        const std::string said = text();
        switch (noise.below(4)) {
            case 0: return acta::ChatMessage::system(said);
            case 1: return acta::ChatMessage::assistant(said);
            default: return acta::ChatMessage::user(said);
        }
    }
    std::string id() { return noise.one_of(parts_of("call_0|call_1|call_2|call_9")); }

    void change(History& h) {
        const std::size_t some = noise.below(h.size() + 1);
        switch (noise.below(16)) {
            case 0:
            case 1:
            case 2:
            case 3: return h.register_action(proposal());
            case 4: return h.register_result(result());
            case 5:
            case 6: {
                const std::string of = id();
                return h.register_result(of, result());
            }
            case 7: {
                acta::ActionResult first = result();
                return h.register_results({{id(), std::move(first)}});
            }
            case 8: {
                const std::string of = id();
                return h.set_arguments(of, {{"n", value()}});
            }
            case 9: return h.close_open_episode(result());
            case 10: return h.rewind(static_cast<std::int64_t>(noise.below(3)) - 1);
            case 11: return h.register_message(message());
            case 12: return h.append_user_feedback(text());
            case 13: static_cast<void>(h.take_pending_feedback()); return;
            case 14: {
                if (noise.chance(3)) return h.clear_rolling_summary();
                const auto last = static_cast<std::int64_t>(some);
                return h.set_rolling_summary({.text = text(), .first = 0, .last = last});
            }
            default: {
                const std::string summary = text();
                static_cast<void>(h.set_summary(h.id(some), summary));
            }
        }
    }

    /// A history after some changes, with what those said that were refused.
    std::pair<History, std::string> history() {
        History h;
        std::string said;
        for (std::size_t i = 2 + noise.below(12); i > 0; --i) {
            try {
                change(h);
            } catch (const acta::HistoryError& error) {
                said += std::string(error.what()) + "|";
            } catch (const std::out_of_range&) {
                said += "out of range|";
            }
        }
        return {std::move(h), std::move(said)};
    }

    /// Changes one thing somewhere in a document.
    void spoil(Json& value) {
        if (value.is_structured() && !value.empty() && !noise.chance(6)) {
            const auto child = std::next(value.begin(), static_cast<std::ptrdiff_t>(noise.below(value.size())));
            return spoil(*child);
        }
        switch (noise.below(6)) {
            case 0: value = nullptr; break;
            case 1: value = static_cast<int>(noise.below(5)) - 1; break;
            case 2: value = id(); break;
            case 3: value = Json::array({value, value}); break;
            case 4: value = Json::object(); break;
            default: value = text(); break;
        }
    }

    Noise noise;
};

}  // namespace

TEST_CASE("histories are as was recorded") {
    Histories made(1);
    const auto changed = [&] {
        const auto [h, refused] = made.history();
        std::string out = refused + acta::dump(h) + "|" + h.fmt_paragraph() + "|" + h.fmt_list() + "|";
        History copy = h;
        CHECK(copy == h);
        try {
            made.change(copy);
        } catch (const std::exception&) {
        }
        return out + (copy == h ? "same" : "changed");
    };
    const auto read = [&] {
        Json document = acta::to_json_value(made.history().first);
        for (std::size_t i = 1 + made.noise.below(2); i > 0; --i) made.spoil(document);
        std::vector<acta::Issue> warnings;
        try {
            const auto h = acta::validate<History>(document, {.warnings = &warnings});
            std::string out = acta::dump(h) + "|";
            for (const acta::Issue& one : warnings) out += one.pointer() + " " + one.message + "|";
            return out;
        } catch (const acta::ValidationError& error) {
            return std::string(error.what());
        }
    };
    const std::string changes = results(changed, 10, 20, 40);
    check_recorded("tests/history/histories.txt", changes + results(read, 10, 20, 40));
}
