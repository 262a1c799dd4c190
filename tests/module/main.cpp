// SPDX-License-Identifier: MIT
// A program that imports acta: types of its own with their descriptions, a history of them, and what acta writes of
// both.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

import acta;

std::string record_of(const acta::EpisodicActionHistory<>& history);  // in a source that includes the headers

namespace {

struct Plan {
    std::string goal{};
    std::vector<std::string> steps{};
    double confidence = 1;

    [[nodiscard]] std::string summary() const { return goal; }
    friend bool operator==(const Plan&, const Plan&) = default;
};

int failures = 0;

void check(bool holds, std::string_view what) {
    if (holds) return;
    std::cerr << "failed: " << what << '\n';
    ++failures;
}

}  // namespace

template <>
struct acta::Describe<Plan> {
    static constexpr std::string_view doc = "What to do next.";
    static constexpr auto fields =
        acta::fields(acta::required("goal", &Plan::goal, "Where to."), acta::defaulted("steps", &Plan::steps),
                     acta::defaulted("confidence", &Plan::confidence, "How sure.", acta::range(0, 1)));
};

int main() {
    using Proposal = acta::ActionProposal<Plan>;
    const auto plan = acta::parse<Plan>(R"({"goal": "the harbour", "steps": ["look", "walk"]})");
    check(plan == Plan{"the harbour", {"look", "walk"}, 1}, "a struct of one's own is read");
    check(acta::dump(plan) == R"({"goal":"the harbour","steps":["look","walk"],"confidence":1.0})",
          "a struct of one's own is written: " + acta::dump(plan));
    check(acta::dump(acta::schema<Plan>()).find("Where to.") != std::string::npos, "its schema has its documentation");

    try {
        (void)acta::parse<Plan>(R"({"goal": 7, "confidence": 2})");
        check(false, "wrong values are refused");
    } catch (const acta::ValidationError& error) {
        check(error.issues().size() == 2, "each of the wrong values is named");
    }

    acta::EpisodicActionHistory<Proposal> history;
    Proposal proposal;
    proposal.thoughts = plan;
    proposal.use_tool.name = "look";
    proposal.use_tool.arguments["where"] = "here";
    history.register_action(proposal);
    history.register_result(acta::ActionSuccessResult{"boats"});
    const std::string written = acta::dump(history);
    check(acta::parse<acta::EpisodicActionHistory<Proposal>>(written) == history,
          "a history is read as it was written");

    const std::string prompt = acta::Prompt().text(history).text;
    check(prompt.find("the harbour") != std::string::npos, "a prompt has the thoughts: " + prompt);

    acta::EpisodicActionHistory<> plain;
    plain.register_action({.thoughts = {}, .use_tool = {.name = "look"}});
    check(acta::parse<acta::EpisodicActionHistory<>>(record_of(plain)) == plain, "both kinds of sources have one type");
    return failures == 0 ? 0 : 1;
}
