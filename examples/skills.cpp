// SPDX-License-Identifier: MIT

// From plain words to a C++ function's result: functions are registered, a model is asked for the arguments, the call
// is checked and run, and every kind of failure is a result.

#include <acta/acta.hpp>
#include <acta/base/stop_token.hpp>
#include <acta/chat/chat_model.hpp>
#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;

/// A plain function is enough.
std::string forecast(const std::string& place, int days) {
    if (place == "Atlantis") throw std::out_of_range("there is no weather in Atlantis");
    return "rain in " + place + " for " + std::to_string(days) + (days == 1 ? " day" : " days");
}

/// Arguments may also be a struct, which is described once.
struct Search {
    std::string query{};
    std::vector<std::string> sites{};
    int limit = 3;
};

/// A function that takes time looks at its context.
std::string wait_for_tide(const acta::SkillContext& context) {
    while (true) {
        context.check();  // throws when the call is to end
        std::this_thread::sleep_for(1ms);
    }
}

}  // namespace

template <>
struct acta::Describe<Search> {
    static constexpr auto fields =
        acta::fields(acta::required("query", &Search::query, "What to look for."),
                     acta::defaulted("sites", &Search::sites, "Where; everywhere if empty."),
                     acta::defaulted("limit", &Search::limit, "How many results.", acta::range(1, 50)));
};

namespace {

acta::SkillRegistry make_skills() {
    acta::SkillRegistry skills;
    skills.add("forecast", "Says how the weather will be.", forecast, acta::param("place", "A town."),
               acta::param("days", "How many days.", 1, acta::range(1, 14)));
    skills.add("search", "Looks for pages.", [](const Search& search) {
        return std::vector<std::string>{search.query + " (1)", search.query + " (2)"};
    });
    skills.add("wait_for_tide", "Waits for high tide.", wait_for_tide);
    return skills;
}

/// What a skill needs beyond its registration: examples, in the words of users.
acta::Skill declare(const acta::SkillRegistry& skills) {
    return skills.at("forecast")
        .declaration({{"Will it rain in Lisbon?", "forecast(place=\"Lisbon\")"},
                      {"The weather in Kyoto this week", "forecast(place=\"Kyoto\", days=7)"}});
}

void ask_in_plain_words(const acta::SkillRegistry& skills) {
    std::cout << "=== Asked in plain words\n\n";
    const acta::ArgumentsParsingAction question{.skill = declare(skills), .ask = "Brest, the next three days"};
    std::cout << question.prompt() << "\n\n";
    // Any callable is a model; this one has a script. Its first answer does not fit, so it is asked again.
    const acta::ScriptedChatModel model{"forecast(place=Brest)", "Of course: `forecast('Brest', days=3)`"};
    const acta::ParsedArguments parsed = question.run(model, skills);
    for (const acta::ArgumentsAttempt& attempt : parsed.attempts)
        std::cout << "answer: " << attempt.message.content << (attempt.error ? "\n" + attempt.error->message : "")
                  << "\n";
    if (!parsed.arguments) return;
    const acta::SkillAction action{question.skill, *parsed.arguments};
    std::cout << "result: " << action.run(skills) << "\n";
}

void fail_in_every_way(const acta::SkillRegistry& skills) {
    std::cout << "\n=== Every kind of failure is a result\n\n";
    acta::SkillRunOptions hurried;
    hurried.until.deadline = acta::deadline_in(20ms);
    acta::stop_source stop;
    stop.request_stop();
    acta::SkillRunOptions stopped;
    stopped.until.stop = stop.get_token();
    const acta::ActionResult results[] = {
        skills.call("forcast", {{"place", "Brest"}}),
        skills.call("forecast", {{"town", "Brest"}, {"days", "many"}}),
        skills.call("search", {{"query", "tides"}, {"limit", 1000}}),
        skills.call("forecast", {{"place", "Atlantis"}}),
        skills.call("wait_for_tide", {}, hurried),
        skills.call("wait_for_tide", {}, stopped),
    };
    for (const acta::ActionResult& result : results) {
        const auto& error = std::get<acta::ActionErrorResult>(result);
        std::cout << error.error->exception_type << ": " << error.reason << "\n";
    }
    try {
        static_cast<void>(acta::parse_arguments("forecast", "forecast(place='Brest', days=3 + 4)"));
    } catch (const acta::CallSyntaxError& error) {
        std::cout << error.what() << "\n";
    }
}

void run_a_proposal(const acta::SkillRegistry& skills) {
    std::cout << "\n=== A proposal with two calls, run in parallel\n\n";
    std::vector<acta::AssistantFunctionCall> calls;
    for (acta::ParsedCall& found : acta::parse_calls("[forecast(place='Brest'), search(query='tides')]"))
        calls.push_back(std::move(found.call));
    acta::ActionProposal<> proposal{.thoughts = "Both at once."};
    acta::set_calls(proposal, calls);
    acta::EpisodicActionHistory<> history;
    history.register_action(proposal);
    history.register_results(acta::execute(proposal, skills));
    std::cout << history.fmt_paragraph();
}

}  // namespace

int main() {
    const acta::SkillRegistry skills = make_skills();
    ask_in_plain_words(skills);
    fail_in_every_way(skills);
    run_a_proposal(skills);
    std::cout << "\n=== What a model sees of a skill\n\n"
              << acta::dump(acta::tools(skills).front(), {.indent = 2}) << "\n";
}
