// SPDX-License-Identifier: MIT
#include <sstream>
#include <variant>

#include "acta/history/history.hpp"
#include "acta/history/history_view.hpp"
#include "acta/json/json.hpp"
#include "support/golden.hpp"
#include "support/thoughts.hpp"

namespace {

template <class T>
std::string streamed(const T& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

template <class P>
void check_formats(const acta::EpisodicActionHistory<P>& history, const acta::Json& row) {
    CHECK(history.fmt_list() == row["fmt_list"].get<std::string>());
    CHECK(acta::to_string(history) == row["fmt_list"].get<std::string>());
    CHECK(streamed(history) == row["fmt_list"].get<std::string>());
    CHECK(history.fmt_paragraph() == row["fmt_paragraph"].get<std::string>());
    REQUIRE(history.size() == row["episodes"].size());
    for (std::size_t i = 0; i < history.size(); ++i) {
        const acta::Json& expected = row["episodes"][i];
        CHECK(acta::to_string(history[i]) == expected["str"].get<std::string>());
        CHECK(streamed(history[i]) == expected["str"].get<std::string>());
        CHECK(history[i].format() == expected["format"].get<std::string>());
        CHECK(acta::to_string(history[i].action.use_tool) == expected["use_tool"].get<std::string>());
    }
}

template <class P>
void check_file(const char* file, std::size_t rows) {
    using History = acta::EpisodicActionHistory<P>;
    std::size_t count = 0;
    for (const acta::Json& row : golden::rows(file)) {
        check_formats(acta::validate<History>(row["history"]), row);
        check_formats(acta::parse<History>(row["history"].dump()), row);
        ++count;
    }
    CHECK(count == rows);
}

}  // namespace

TEST_CASE("steps of thoughts in text print as the golden vectors say") {
    check_file<acta::ActionProposal<>>("formats.json", 13);
}

TEST_CASE("steps of structured thoughts print as the golden vectors say") {
    check_file<acta::ActionProposal<Plan>>("formats_with_summary.json", 6);
}

TEST_CASE("a variant of thoughts prints as the thoughts it holds") {
    using Mixed = acta::ActionProposal<std::variant<std::string, Plan>>;
    check_file<Mixed>("formats.json", 13);
    check_file<Mixed>("formats_with_summary.json", 6);
}

TEST_CASE("thoughts of any JSON print as text where they are text") {
    check_file<acta::ActionProposal<acta::Json>>("formats.json", 13);
}

TEST_CASE("a history of mixed thoughts is read, printed and written") {
    using History = acta::EpisodicActionHistory<acta::ActionProposal<std::variant<std::string, Plan>>>;
    const std::string text =
        R"({"episodes":[{"action":{"thoughts":"plain","use_tool":{"name":"a","arguments":{}}},)"
        R"("result":null,"summary":null},{"action":{"thoughts":{"text":"planned","steps":["x","y"]},)"
        R"("use_tool":{"name":"b","arguments":{}}},"result":null,"summary":null}],"cursor":0})";
    const auto history = acta::parse<History>(text);
    CHECK(std::get<std::string>(history[0].action.thoughts) == "plain");
    CHECK(std::get<Plan>(history[1].action.thoughts).steps.size() == 2);
    CHECK_THAT(history[0].format(), contains_text("- **Reasoning:** \"plain\"\n"));
    CHECK_THAT(history[1].format(), contains_text("- **Reasoning:** \"planned\"\n"));
    CHECK(acta::dump(history) == text);
}

TEST_CASE("thoughts of any JSON are kept whole and printed as Python does") {
    using Proposal = acta::ActionProposal<acta::Json>;
    const std::string text = R"({"thoughts":{"b":[1,null],"a":"x"},"use_tool":{"name":"a","arguments":{}}})";
    acta::Episode<Proposal> episode;
    episode.action = acta::parse<Proposal>(text);
    CHECK(acta::dump(episode.action) == text);
    CHECK_THAT(episode.format(), contains_text(R"(- **Reasoning:** "{'b': [1, None], 'a': 'x'}")"));
}

TEST_CASE("a step shows placeholders for binary content wherever it stands") {
    const std::string url = "data:image/png;base64," + std::string(200'000, 'A');
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Look at " + url;
    proposal.use_tool = {"show", {{"image", url}, {"image_base64", std::string(200'000, 'A')}}};
    acta::ActionErrorResult error;
    error.reason = "cannot read " + url;
    error.error = acta::ErrorInfo{.message = error.reason, .repr = "E('" + error.reason + "')"};
    acta::ActionSuccessResult success;
    success.outputs = acta::JsonObject{{"image_base64", std::string(200'000, 'A')}};
    acta::EpisodicActionHistory<> history;
    for (const acta::ActionResult& result :
         {acta::ActionResult(error), acta::ActionResult(acta::ActionInterruptedByHuman{"use " + url}),
          acta::ActionResult(success)}) {
        history.register_action(proposal);
        history.register_result(result);
        CHECK(history[history.size() - 1].format().size() < 500);
    }
    CHECK(history.fmt_paragraph().size() < 1500);
    CHECK(history.fmt_list().size() < 1500);
    CHECK_THAT(history[0].format(), contains_text("- **Reason:** cannot read <image/png, 150000 bytes>\n"));
    CHECK_THAT(history[2].format(), contains_text("image_base64='<base64, 150000 bytes>'"));
}

TEST_CASE("an error of at most 100 bytes is repeated in a prompt") {
    for (const std::size_t size : {std::size_t{100}, std::size_t{101}}) {
        acta::EpisodicActionHistory<> history;
        history.register_action({.use_tool = {"look", {}}});
        const std::size_t around = acta::ErrorInfo::make("Fog", "r").repr.size() - 1;
        acta::ActionErrorResult result{.reason = std::string(size - around, 'r')};
        result.error = acta::ErrorInfo::make("Fog", result.reason);
        REQUIRE(result.error->repr.size() == size);
        history.register_result(result);
        CAPTURE(size);
        const bool is_repeated = acta::HistoryView(history).text(0).find(result.error->repr) != std::string::npos;
        CHECK(is_repeated == (size == 100));
        CHECK_THAT(history[0].format(), contains_text(result.error->repr));
    }
}

TEST_CASE("an output of several lines does not look like another step in a list") {
    acta::EpisodicActionHistory<> history;
    history.register_action({.use_tool = {"look", {}}});
    history.register_result(acta::ActionSuccessResult{.outputs = "a\r2. Executed `look()`: b"});
    CHECK(history.fmt_list() == "1. Executed `look()`: a\r\\2. Executed `look()`: b");
}
