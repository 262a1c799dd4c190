// SPDX-License-Identifier: MIT
// A program without RTTI that uses the components of acta. With RTTI it must print the same, except for the class of an
// exception.
#include <cstdio>
#include <stdexcept>
#include <string>

#include "every_header.hpp"

namespace {

int failures = 0;

void expect(bool good, const char* what) {
    if (good) return;
    std::printf("wrong: %s\n", what);
    ++failures;
}

struct Search {
    std::string query{};
    int limit = 10;
};

std::string search(const Search& wanted) {
    if (wanted.limit < 0) throw std::runtime_error("below zero");
    if (wanted.limit == 0) throw 7;
    return wanted.query + " found";
}

}  // namespace

template <>
struct acta::Describe<Search> {
    static constexpr auto fields = acta::fields(acta::required("query", &Search::query),
                                                acta::defaulted("limit", &Search::limit, "", range(-9, 9)));
};

namespace {

using History = acta::EpisodicActionHistory<>;

void model() {
    try {
        static_cast<void>(acta::parse<Search>(R"({"limit": 10})"));
        expect(false, "a bad document is refused");
    } catch (const acta::Error& error) {
        expect(std::string(error.what()).starts_with("2 validation errors for "), "all issues are reported");
    }
    expect(acta::dump(acta::parse<Search>(R"({"query": "x"})")) == R"({"query":"x","limit":10})",
           "a struct is written");
    expect(acta::schema<Search>().contains("properties"), "there is a schema");
    const auto reply = acta::parse_tool_response(R"({"type": "of_tomorrow", "message": "m"})");
    expect(std::holds_alternative<acta::UnknownResponse>(reply), "a new reply is kept");
}

History run() {
    acta::SkillRegistry skills;
    skills.add("search", "Looks for pages.", search);
    History history;
    for (const char* call : {"search(query='tides', limit=3)", "search(query='tides', limit=-1)",
                             "search(query='tides', limit=0)", "search(query='tides', limit='many')", "find()"}) {
        acta::ActionProposal<> proposal;
        proposal.thoughts = "Next.";
        proposal.use_tool = acta::parse_call(call).call;
        history.register_action(proposal);
        history.register_result(acta::execute(proposal, skills).front().result);
    }
    return history;
}

std::string error_type(const acta::Episode<>& episode) {
    const auto* const error = std::get_if<acta::ActionErrorResult>(&*episode.result);
    return error != nullptr && error->error ? error->error->exception_type : "none";
}

void agent() {
    History history = run();
    expect(acta::is_success(*history[0].result), "a skill is called");
#if defined(__cpp_rtti)
    expect(error_type(history[1]) == "runtime_error", "the class of an exception is known");
#else
    expect(error_type(history[1]) == "std::exception", "the class of an exception is unknown, and it says so");
#endif
    expect(error_type(history[2]) == "int", "a number that was thrown is reported");
    expect(error_type(history[3]) == "InvalidArguments", "acta's own errors have their names");
    expect(error_type(history[4]) == "SkillNotFound", "an unknown skill is reported");
    expect(acta::parse<History>(acta::dump(history)) == history, "a history is read back");
    expect(acta::parse_trajectory(acta::dump(acta::atif::to_document(history))).history == history,
           "a trajectory is read back");
    expect(acta::history_from_messages(acta::to_messages(history)).size() == history.size(), "messages are read back");
    const auto report = acta::handle_compression(history, acta::ExtractiveSummarizer{});
    expect(report.summarised.size() == 1, "a step is summarised");
    expect(acta::Prompt().text(history).text.find("search") != std::string::npos, "there is a prompt");
}

}  // namespace

int main() {
    model();
    agent();
    return failures;
}
