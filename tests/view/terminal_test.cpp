// SPDX-License-Identifier: MIT
#include <acta/base/unicode.hpp>
#include <acta/history/shared_history.hpp>
#include <acta/observe/observer.hpp>
#include <acta/view/terminal.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "view/runs.hpp"

namespace {

using TerminalHistory = acta::EpisodicActionHistory<>;

std::string terminal_page(const TerminalHistory& history, const acta::TerminalOptions& options = {}) {
    std::string out;
    acta::to_terminal(
        history, [&](std::string_view text) { out += text; }, options);
    return out;
}

/// Whether a text has what a terminal could take for a command, apart from line feeds.
bool has_terminal_controls(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) return true;
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        if (byte == 0xC2 && next < 0xA0) return true;  // C1
        const std::string_view three = text.substr(i, 3);
        for (const std::string_view bad :
             {"\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202B", "\u202D", "\u202E", "\u2066", "\u2069"}) {
            if (three == bad) return true;
        }
    }
    return !acta::utf8::is_valid(text);
}

TerminalHistory tide_history() {
    TerminalHistory history;
    history.register_message(acta::ChatMessage::user("When is high tide?"));
    acta::StepMetrics metrics;
    metrics.prompt_tokens = 1200;
    metrics.completion_tokens = 80;
    metrics.cost_usd = 0.0025;
    metrics.model = "deep-1";
    history.register_action({.thoughts = "Look it up.", .use_tool = {"search", {{"query", "tides"}}}}, metrics);
    history.register_result(acta::ActionSuccessResult{.outputs = "12:00\n00:25"});
    history.register_action({.thoughts = "Check it.", .use_tool = {"read", {{"path", "a.txt"}}}});
    history.register_result(acta::ActionErrorResult{"no such file", acta::ErrorInfo::make("OSError", "no such file")});
    history.register_answer("At noon.");
    return history;
}

}  // namespace

TEST_CASE("Text for a terminal has marks in place of control sequences") {
    CHECK(acta::terminal_text("\x1b[2J\x1b]0;title\x07") == "␛[2J␛]0;title␇");
    CHECK(acta::terminal_text("a\rb\x7f\b") == "a␍b␡␈");
    CHECK(acta::terminal_text(std::string_view("\0", 1)) == "␀");
    CHECK(acta::terminal_text("one\n\ttwo") == "one\n\ttwo");
    CHECK(acta::terminal_text("\xC2\x9B"
                              "31m") == "⟨U+009B⟩31m");
    CHECK(acta::terminal_text("safe\u202Egpj.exe") == "safe⟨U+202E⟩gpj.exe");
    CHECK(acta::terminal_text("\u061C\u200E\u2066\u2069\u2028\u2029") ==
          "⟨U+061C⟩⟨U+200E⟩⟨U+2066⟩⟨U+2069⟩⟨U+2028⟩⟨U+2029⟩");
    CHECK(acta::terminal_text("\U000E0041\u200B\uFEFF\u00AD") == "⟨U+E0041⟩⟨U+200B⟩⟨U+FEFF⟩⟨U+00AD⟩");
    CHECK(acta::terminal_text("\xFF\xC3") == "⟨0xFF⟩⟨0xC3⟩");
    CHECK(acta::terminal_text("\x80\xC2\x80") == "⟨0x80⟩⟨U+0080⟩");
    CHECK(acta::terminal_text("größe 潮 🌊 e\u0301") == "größe 潮 🌊 e\u0301");
}

TEST_CASE("Characters that nobody sees are marked, but not in emoji and in scripts that need them") {
    for (const char* const text : {"👩\u200D💻", "❤\uFE0F", "👁\uFE0F\u200D🗨\uFE0F", "1\uFE0F\u20E3", "می\u200Cخواهم",
                                   "क्\u200Dष", "🏴\u200D☠\uFE0F"}) {
        CAPTURE(text);
        CHECK(acta::terminal_text(text) == text);
    }
    for (const char* const hidden : {"\u034F", "\u17B4", "\u180B", "\u2800", "\U0001D173", "\uFE00", "\uFE0F", "\u200D",
                                     "\u200C", "\u3164", "\u2064", "\U000E0041", "\uFFF0", "\u115F"}) {
        CAPTURE(hidden);
        CHECK_THAT(acta::terminal_text(std::string("a") + hidden + "b"), contains_text("a⟨U+"));
        CHECK_THAT(acta::terminal_text(std::string("🌊") + hidden + hidden + "b"), contains_text("⟨U+"));
    }
}

TEST_CASE("No code point leaves a control behind, and a second pass changes nothing") {
    for (char32_t code = 0; code < 0x11'0000; code += code < 0x3000 ? 1 : 97) {
        if (code >= 0xD800 && code < 0xE000) continue;
        char bytes[4];
        const std::string text(bytes, acta::utf8::encode(code, bytes));
        const std::string safe = acta::terminal_text(text);
        if (!has_terminal_controls(safe) && acta::terminal_text(safe) == safe) continue;
        CAPTURE(static_cast<unsigned>(code));
        FAIL("not safe");
    }
    for (int byte = 0x80; byte < 0x100; ++byte)
        CHECK_FALSE(has_terminal_controls(acta::terminal_text(std::string(1, static_cast<char>(byte)))));
}

TEST_CASE("A run in a terminal has a block for each step, and totals") {
    CHECK(terminal_page(tide_history()) == R"(User
  When is high tide?

Step 1  1200 tokens to the model, 80 from it, 0.0025 USD, deep-1
  Look it up.
  > search(query='tides')
    12:00
    00:25

Step 2  ERROR
  Check it.
  > read(path='a.txt')
  ! OSError: no such file

Assistant
  At noon.

2 steps, 1200 tokens to the model, 80 from it, 0.0025 USD; 1 error
)");
    CHECK(terminal_page(TerminalHistory()) == "0 steps\n");
}

TEST_CASE("A run in a terminal can be its errors, or one step, alone") {
    CHECK(terminal_page(tide_history(), {.errors_only = true}) == R"(Step 2  ERROR
  Check it.
  > read(path='a.txt')
  ! OSError: no such file

2 steps, 1200 tokens to the model, 80 from it, 0.0025 USD; 1 error
)");
    const std::string first = terminal_page(tide_history(), {.first = 0, .last = 0});
    CHECK_THAT(first, starts_with_text("Step 1  1200"));
    CHECK_THAT(first, !contains_text("Step 2"));
}

TEST_CASE("Parallel calls stand with their own results, and an open step has none") {
    TerminalHistory history;
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Both.";
    acta::set_calls(proposal, {{"left", {}}, {"right", {}}});
    history.register_action(proposal);
    history.register_result("call_1", acta::ActionErrorResult{"blocked"});
    CHECK(terminal_page(history) == R"(Step 1  not finished
  Both.
  > left()
    (no result)
  > right()
  ! blocked

1 step; 1 step not finished
)");
}

TEST_CASE("The run of an agent that was a tool is a line in a terminal, and whole where texts are") {
    const std::string page = terminal_page(runs::crew(), {.width = 120});
    CHECK_THAT(page, contains_text("  > pilot(question='When can a ship of 6 m enter?')\n    From 03:30 to 05:00.\n"
                                   "    Subagent ended with an answer: 2 steps in 3.4 s, 1060 tokens to the model, 50 "
                                   "from it, 0.0011 USD; 1 error\n"
                                   "  > weather_office(question='What is the wind?')\n"));
    CHECK_THAT(page, contains_text("    Subagent ended: failed: the connection was lost: 1 step in 30.0 s, "));
    CHECK(page.find("channel 12") == std::string::npos);
    const std::string whole = terminal_page(runs::crew(), {.width = 120, .max_lines = 0});
    CHECK_THAT(whole, contains_text("    | User\n    |   When can a ship of 6 m enter?\n    |\n    | Step 1  2.5 s, "));
    CHECK_THAT(whole, contains_text("    |     |   > read_gauge(station='Brest')\n"
                                    "    |     |     6.9 m at 04:12, deepwater\n    |     |\n    |     | Assistant\n"));
    CHECK_THAT(whole, contains_text("    |   ! nobody answers on channel 12\n"));
    const std::string step = terminal_page(runs::crew(), {.max_lines = 0, .first = 0, .last = 0});
    CHECK_THAT(step, contains_text("    | Assistant\n    |   From 03:30 to 05:00.\n"));
    CHECK_THAT(terminal_page(runs::many_runs(30, 2)), contains_text("    \u2026 18 more subagents\n"));
    CHECK_FALSE(has_terminal_controls(terminal_page(runs::hostile(), {.max_lines = 0})));
    TerminalHistory other = tide_history();
    acta::HistoryRecord<acta::ActionProposal<>> record = other.record();
    record.sub_runs = {{0, "call_9", acta::Json("text")}};
    CHECK_THAT(terminal_page(TerminalHistory(record)), contains_text("    Subagent: its run is in another form\n"));
}

TEST_CASE("The line of a run within a run says how it ended, and how many errors it had") {
    const auto step = [](TerminalHistory& history, const acta::ActionResult& result) {
        history.register_action({.thoughts = "Look.", .use_tool = {"f", {}}});
        history.register_result(result);
    };
    const auto line = [&](const auto& make) {
        TerminalHistory inner;
        make(inner);
        TerminalHistory outer;
        step(outer, acta::ActionSuccessResult{.outputs = "done"});
        auto record = outer.record();
        record.sub_runs = {{0, "call_0", acta::to_json_value(inner)}};
        const std::string page = terminal_page(TerminalHistory(std::move(record)), {});
        const std::size_t begin = page.find("Subagent");
        return page.substr(begin, page.find('\n', begin) - begin);
    };
    const acta::ActionSuccessResult good{.outputs = 1};
    const acta::ActionErrorResult bad{.reason = "no"};
    CHECK(line([](TerminalHistory&) {}) == "Subagent did nothing: 0 steps");
    CHECK(line([&](TerminalHistory& run) { step(run, good); }) == "Subagent ended without an answer: 1 step");
    CHECK(line([&](TerminalHistory& run) { step(run, bad); }) == "Subagent ended with an error: 1 step; 1 error");
    CHECK(line([&](TerminalHistory& run) { step(run, acta::ActionInterruptedByHuman{"no"}); }) ==
          "Subagent was interrupted by a human: 1 step");
    CHECK(line([](TerminalHistory& run) {
              run.register_action({.use_tool = {"f", {}}});
          }) == "Subagent did not finish: 1 step");
    CHECK(line([&](TerminalHistory& run) {
              step(run, bad);
              step(run, bad);
              step(run, good);
              run.register_answer("Well.");
          }) == "Subagent ended with an answer: 3 steps; 2 errors");
    // An answer before the last step, or what others say after it, is not how it ended.
    CHECK(line([&](TerminalHistory& run) {
              run.register_answer("Well.");
              step(run, good);
          }) == "Subagent ended without an answer: 1 step");
    CHECK(line([&](TerminalHistory& run) {
              step(run, good);
              run.register_message(acta::ChatMessage::user("Go on."));
          }) == "Subagent ended without an answer: 1 step");
}

TEST_CASE("The last line of a run in a terminal counts what failed, was interrupted or did not finish") {
    TerminalHistory history;
    const auto last_line = [&] {
        const std::string page = terminal_page(history);
        const std::size_t end = page.rfind('\n', page.size() - 2);
        return page.substr(end == std::string::npos ? 0 : end + 1);
    };
    const auto add = [&](const acta::ActionResult& result) {
        history.register_action({.thoughts = "Look.", .use_tool = {"f", {}}});
        history.register_result(result);
    };
    add(acta::ActionSuccessResult{.outputs = 1});
    CHECK(last_line() == "1 step\n");
    add(acta::ActionInterruptedByHuman{"no"});
    CHECK(last_line() == "2 steps; 1 interruption\n");
    add(acta::ActionInterruptedByHuman{"no"});
    add(acta::ActionErrorResult{.reason = "no"});
    add(acta::ActionErrorResult{.reason = "no"});
    CHECK(last_line() == "5 steps; 2 errors, 2 interruptions\n");
    history.register_action({.thoughts = "Look.", .use_tool = {"f", {}}});
    CHECK(last_line() == "6 steps; 2 errors, 2 interruptions, 1 step not finished\n");
    CHECK_THAT(terminal_page(history, {.errors_only = true}), starts_with_text("Step 2  INTERRUPTED\n"));
}

TEST_CASE("Colours mark names, metrics, calls and errors, and nothing else") {
    TerminalHistory history = tide_history();
    CHECK(history.set_summary(history.id(0), "Found it."));
    history.register_action({.thoughts = "", .use_tool = {"wait", {}}});
    CHECK(terminal_page(history, {.colour = true}) ==
          "\x1b[1mUser\x1b[0m\n"
          "  When is high tide?\n\n"
          "\x1b[1mStep 1\x1b[0m  \x1b[2m1200 tokens to the model, 80 from it, 0.0025 USD, deep-1\x1b[0m\n"
          "  Look it up.\n"
          "\x1b[36m  > \x1b[0m\x1b[36msearch(query='tides')\x1b[0m\n"
          "    12:00\n"
          "    00:25\n"
          "\x1b[2m  Summary: \x1b[0m\x1b[2mFound it.\x1b[0m\n\n"
          "\x1b[1mStep 2\x1b[0m  \x1b[31mERROR\x1b[0m\n"
          "  Check it.\n"
          "\x1b[36m  > \x1b[0m\x1b[36mread(path='a.txt')\x1b[0m\n"
          "\x1b[31m  ! \x1b[0m\x1b[31mOSError: no such file\x1b[0m\n\n"
          "\x1b[1mAssistant\x1b[0m\n"
          "  At noon.\n\n"
          "\x1b[1mStep 3\x1b[0m  \x1b[2mnot finished\x1b[0m\n"
          "\x1b[36m  > \x1b[0m\x1b[36mwait()\x1b[0m\n"
          "    \x1b[2m(no result)\x1b[0m\n\n"
          "3 steps, 1200 tokens to the model, 80 from it, 0.0025 USD; \x1b[31m1 error\x1b[0m, 1 step not finished\n");
}

TEST_CASE("Summaries and feedback are shown with the run") {
    TerminalHistory history = tide_history();
    CHECK(history.set_summary(history.id(0), "Found the times."));
    acta::RollingSummary rolling;
    rolling.text = "Looked it up.";
    history.set_rolling_summary(rolling);
    history.append_user_feedback("Be quick.");
    const std::string page = terminal_page(history);
    CHECK_THAT(page, contains_text("    00:25\n  Summary: Found the times.\n"));
    CHECK_THAT(page, contains_text("Summary of steps 1 to 1\n  Looked it up.\n"));
    CHECK_THAT(page, contains_text("Feedback that the agent has not taken\n  Be quick.\n"));
}

TEST_CASE("Long texts in a terminal are broken between words and cut") {
    TerminalHistory history;
    history.register_action({.thoughts = "one two three four five six", .use_tool = {"f", {}}});
    history.register_result(acta::ActionSuccessResult{.outputs = "1\n2\n3\n4\n5"});
    const std::string page = terminal_page(history, {.width = 20, .max_lines = 2});
    CHECK_THAT(page, contains_text("  one two three four\n  five six\n"));
    CHECK_THAT(page, contains_text("    1\n    2\n    … 3 more lines\n"));
    CHECK_THAT(terminal_page(history, {.max_lines = 0}), contains_text("    4\n    5\n"));
    CHECK_THAT(terminal_page(history, {.max_lines = 4}), contains_text("    4\n    … 1 more line\n"));
    CHECK_THAT(terminal_page(history, {.max_lines = 5}), contains_text("    4\n    5\n\n"));
    // A line may be as wide as the terminal, whose width is at least 20.
    for (const std::size_t width : {0U, 20U, 21U}) {
        const std::size_t letters = (width == 21 ? 21 : 20) - 2;
        TerminalHistory exact;
        exact.register_message(acta::ChatMessage::user(std::string(letters, 'x')));
        exact.register_message(acta::ChatMessage::user(std::string(letters, 'y') + "z"));
        const std::string lines = terminal_page(exact, {.width = width});
        CHECK_THAT(lines, contains_text("User\n  " + std::string(letters, 'x') + "\n\n"));
        CHECK_THAT(lines, contains_text("User\n  " + std::string(letters, 'y') + "\n  z\n\n"));
    }

    TerminalHistory windows;
    windows.register_action({.thoughts = "a\r\nb\rc\n\td", .use_tool = {"f", {}}});
    CHECK_THAT(terminal_page(windows), contains_text("  a\n  b␍c\n      d\n"));

    TerminalHistory wide;
    wide.register_action({.thoughts = "潮潮潮潮潮潮潮潮潮潮", .use_tool = {"f", {}}});
    CHECK_THAT(terminal_page(wide, {.width = 20}), contains_text("  潮潮潮潮潮潮潮潮潮\n  潮\n"));
}

TEST_CASE("A character of East Asia and a picture take two columns, a mark none, and others one") {
    // How many columns of a line of 18 are left for letters.
    const auto columns = [](char32_t code) {
        char bytes[4];
        const std::string text(bytes, acta::utf8::encode(code, bytes));
        if (acta::terminal_text(text) != text) return std::size_t{1};  // a mark stands for it
        for (std::size_t letters = 18;; --letters) {
            TerminalHistory history;
            history.register_message(acta::ChatMessage::user(std::string(letters, 'a') + text));
            if (terminal_page(history, {.width = 20}).find('a' + text) != std::string::npos) return 18 - letters;
        }
    };
    constexpr std::pair<char32_t, char32_t> wide[] = {
        {0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3040, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
        {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
    for (const auto& [first, last] : wide) {
        CAPTURE(static_cast<std::uint32_t>(first));
        CHECK(columns(first) == 2);
        if (last != 0x115F && last != 0xFE6F) CHECK(columns(last) == 2);  // which nobody sees
        CHECK(columns(first - 1) <= 1);
        CHECK(columns(last + 1) <= 1);
    }
    CHECK(columns(0x303F) == 1);
    CHECK(columns(0x2FF) == 1);
    CHECK(columns(0x300) == 0);
}

TEST_CASE("An error without a type is its reason in a terminal, and a message has the thoughts before it") {
    TerminalHistory history;
    history.register_answer(acta::AssistantChatMessage{.content = "Noon.", .reasoning_content = "It is spring."});
    history.register_answer(acta::AssistantChatMessage{.content = "Well.", .reasoning_content = ""});
    history.register_action({.thoughts = "Look.", .use_tool = {"f", {}}});
    history.register_result(acta::ActionErrorResult{"no such file", acta::ErrorInfo{}});
    const std::string page = terminal_page(history);
    CHECK_THAT(page, contains_text("Assistant\n  (It is spring.)\n  Noon.\n"));
    CHECK_THAT(page, contains_text("Assistant\n  Well.\n"));
    CHECK_THAT(page, contains_text("  ! no such file\n"));
}

TEST_CASE("Hostile content of a run cannot control the terminal") {
    const std::string evil =
        "\x1b]0;owned\x07\x1b[2J\r\u202E\xC2\x9B"
        "1m\u2028\x7f";
    TerminalHistory history;
    history.register_message(acta::ChatMessage::user(evil));
    acta::StepMetrics metrics;
    metrics.model = evil;
    history.register_action({.thoughts = evil, .use_tool = {"f" + evil, {{"a" + evil, evil}}}}, metrics);
    history.register_result(acta::ActionErrorResult{evil, acta::ErrorInfo::make(evil, evil)});
    CHECK(history.set_summary(history.id(0), evil));
    history.register_action({.thoughts = evil, .use_tool = {evil, {}}});
    history.register_result(acta::ActionInterruptedByHuman{evil});
    history.append_user_feedback(evil);
    acta::RollingSummary rolling;
    rolling.text = evil;
    history.set_rolling_summary(rolling);
    const std::string page = terminal_page(history);
    CHECK_FALSE(has_terminal_controls(page));
    CHECK_THAT(page, contains_text("␛]0;owned␇"));

    // No name makes a line that looks like another step.
    TerminalHistory forged;
    metrics.model = "m\nStep 2  ERROR";
    forged.register_action({.thoughts = "t\nStep 3", .use_tool = {"f\nStep 4", {}}}, metrics);
    CHECK_THAT(terminal_page(forged), !contains_text("\nStep"));

    // With colour the only sequences are those of colour.
    std::string coloured = terminal_page(history, {.colour = true});
    for (const std::string code : {"0", "1", "2", "31", "36"}) {
        const std::string sequence = "\x1b[" + code + "m";
        for (std::size_t at = 0; (at = coloured.find(sequence)) != std::string::npos;)
            coloured.erase(at, sequence.size());
    }
    CHECK(coloured == page);
}

TEST_CASE("Secrets and binary content are not shown in a terminal") {
    TerminalHistory history;
    history.register_action({.thoughts = "api_key=tide-99", .use_tool = {"f", {{"password", "api_key=tide-99"}}}});
    history.register_result(
        acta::ActionSuccessResult{.outputs = {{"type", "image"}, {"mimeType", "image/png"}, {"data", "iVBORw0KGgo="}}});
    const std::string page = terminal_page(history, {.redactor = acta::mask_secrets});
    CHECK_THAT(page, !contains_text("tide-99"));
    CHECK_THAT(page, contains_text("<image/png, 8 bytes>"));
}

TEST_CASE("A run in a terminal may have thoughts of any kind") {
    acta::EpisodicActionHistory<acta::ActionProposal<acta::Json>> history;
    history.register_action({.thoughts = {{"plan", "look"}}, .use_tool = {"look", {}}});
    std::string out;
    acta::to_terminal(history, [&](std::string_view text) { out += text; });
    CHECK_THAT(out, contains_text("Step 1  not finished\n  {'plan': 'look'}\n  > look()\n"));
}

TEST_CASE("A shared history is written to a terminal as it is at the moment") {
    acta::SharedHistory<> shared(tide_history());
    std::string out;
    acta::to_terminal(shared, [&](std::string_view text) {
        out += text;
        if (shared.lock()->size() == 2) shared.lock()->rewind(1);  // the lock is free
    });
    CHECK(out == terminal_page(tide_history()));
}

TEST_CASE("a terminal text says how the last run ended, unless it was answered") {
    TerminalHistory history;
    history.register_message(acta::ChatMessage::user("Go."));
    CHECK(terminal_page(history).find("last run") == std::string::npos);
    acta::RunRecord run{.end = "failed"};
    run.error = acta::ErrorInfo{.message = "the connection\x1B[2J was lost"};
    history.register_run(run);
    const std::string page = terminal_page(history);
    CHECK_THAT(page, contains_text("How the last run ended"));
    CHECK_THAT(page, contains_text("failed: the connection"));
    CHECK_FALSE(has_terminal_controls(page));
    history.register_run({.end = "answered"});
    CHECK(terminal_page(history).find("last run") == std::string::npos);
}
