// SPDX-License-Identifier: MIT
#include "acta/interop/trajectory.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "acta/interop/atif/atif.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"
#include "support/lvalue.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace {

namespace fs = std::filesystem;

acta::EpisodicActionHistory<> small_history() {
    acta::EpisodicActionHistory<> history;
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Look.";
    proposal.use_tool = {"look", {{"at", "sea"}}};
    history.register_action(proposal);
    acta::ActionSuccessResult seen;
    seen.outputs = "waves";
    history.register_result(seen);
    history.register_action(proposal);
    history.register_result(acta::ActionErrorResult{"dark", {}});
    return history;
}

std::string openai_text(const acta::EpisodicActionHistory<>& history) {
    return acta::dump(acta::openai::to_wire(acta::to_messages(history)));
}
std::string anthropic_text(const acta::EpisodicActionHistory<>& history) {
    return acta::dump(acta::anthropic::to_wire(acta::to_messages(history)));
}

Faults trajectory_faults(const std::string& text, const acta::TrajectoryOptions& options = {}) {
    Faults out;
    try {
        static_cast<void>(acta::parse_trajectory(text, options));
    } catch (const acta::ValidationError& error) {
        for (const acta::Issue& issue : error.issues()) out.push_back(issue.pointer() + " " + issue.type);
    }
    return out;
}

}  // namespace

TEST_CASE("a document is recognised by its content, not by its name") {
    const TempFolder folder;
    const acta::EpisodicActionHistory<> history = small_history();
    const auto check = [&folder](const std::string& text, acta::TrajectoryFormat format) {
        write_file(folder / "any.txt", text);
        const acta::Trajectory read = acta::load_trajectory(folder / "any.txt");
        CHECK(read.format == format);
        return read;
    };
    using Format = acta::TrajectoryFormat;
    CHECK(check(acta::dump(history), Format::acta).history == history);
    CHECK(check(acta::dump(acta::EpisodicActionHistory<>()), Format::acta).history.empty());
    CHECK(check(acta::dump(acta::atif::to_document(history)), Format::atif).history == history);

    acta::EpisodicActionHistory<> asked = history;
    asked.register_message(acta::ChatMessage::user("Well?"));
    const std::string list = openai_text(asked);
    const acta::Trajectory openai = check(list, Format::openai);
    CHECK(openai.history.size() == 2);
    CHECK(openai.history[0].action.use_tool == history[0].action.use_tool);
    CHECK(openai.history[1].result == history[1].result);
    CHECK(std::ranges::equal(openai.history.messages(), asked.messages()));
    const acta::Trajectory logged = check("{\"model\": \"m\", \"messages\": " + list + "}", Format::openai);
    CHECK(logged.history == openai.history);

    const std::string request = anthropic_text(asked);
    const acta::Trajectory anthropic = check(request, Format::anthropic);
    CHECK(anthropic.history.size() == 2);
    CHECK(anthropic.history[1].result == history[1].result);
    CHECK(check(acta::Json::parse(request)["messages"].dump(), Format::anthropic).history == anthropic.history);
    CHECK(lvalue(check(R"({"system": "Be.", "messages": [{"role": "user", "content": "Hello"}]})", Format::anthropic))
              .history.messages()
              .size() == 2);
    CHECK(check(R"([{"role": "user", "content": "Hello"}])", Format::openai).history.empty());

    CHECK(check(R"({"history": [], "info": {}})", Format::swe_agent).history.empty());
    CHECK(check(R"({"trajectory": [{"action": "ls", "observation": "a"}]})", Format::swe_agent).history.size() == 1);
}

TEST_CASE("names of formats are for people") {
    CHECK(acta::to_string(acta::TrajectoryFormat::acta) == "acta history");
    CHECK(acta::to_string(acta::TrajectoryFormat::anthropic) == "Anthropic messages");
    CHECK(acta::to_string(acta::TrajectoryFormat::openhands) == "OpenHands events");
    CHECK(acta::to_string(acta::TrajectoryNoteKind::dropped) == "dropped");
}

TEST_CASE("what is no trajectory is refused, and what is a bad one by its own reader") {
    for (const char* const text : {"3", "null", "[]", "[1]", R"([{"role": 3}])", "{}", R"({"messages": []})",
                                   R"({"history": 3})", R"({"steps": []})", R"({"schema_version": "1.4"})"}) {
        INFO(text);
        CHECK(trajectory_faults(text) == Faults{" trajectory_unknown"});
    }
    CHECK(trajectory_faults("") == Faults{" json_invalid"});
    CHECK(trajectory_faults("{\"episodes\": [") == Faults{" json_invalid"});
    CHECK(trajectory_faults(R"({"episodes": 3})") == Faults{"/episodes list_type"});
    CHECK(trajectory_faults(R"({"agent": {}, "steps": []})") ==
          Faults{"/schema_version missing", "/agent/name missing", "/agent/version missing"});
    CHECK(trajectory_faults(R"({"trajectory": [{}]})") == Faults{"/trajectory/0/action missing"});
    CHECK(trajectory_faults(R"([{"role": "tool", "content": "x", "tool_call_id": "none"}])") ==
          Faults{"/0/tool_call_id tool_call_unknown"});
    CHECK(trajectory_faults(R"({"messages": [{"role": "user"}]})") == Faults{"/messages/0/content missing"});
    acta::TrajectoryOptions small;
    small.parse.max_bytes = 10;
    CHECK(trajectory_faults(R"({"episodes": []})", small) == Faults{" document_too_large"});
    CHECK_THROWS_AS(acta::load_trajectory("/no/such/file"), acta::FileError);
    const TempFolder folder;
    const auto file_fault = [&](const std::string& text) {
        write_file(folder / "run.json", text);
        try {
            static_cast<void>(acta::load_trajectory(folder / "run.json"));
            return std::string("was read");
        } catch (const acta::ValidationError& error) {
            return std::string(error.what());
        }
    };
    CHECK_THAT(file_fault(R"({"theme": "dark"})"), contains_text("run.json'"));
    CHECK_THAT(file_fault(std::string("\xFF\xFE{\0}\0", 6)), contains_text("is UTF-16"));
    CHECK_THAT(file_fault(std::string("\xFF\xFE{\0}\0", 6)), contains_text("run.json'"));
    CHECK(file_fault("\xEF\xBB\xBF{\"episodes\": []}") == "was read");
    try {
        static_cast<void>(acta::parse_trajectory("{\n\"episodes\": [1,]}"));
        FAIL();
    } catch (const acta::ValidationError& error) {
        CHECK_THAT(error.what(), starts_with_text("1 validation error for Trajectory\n  Invalid JSON"));
        CHECK(error.issues()[0].line == 2);
    }
}

TEST_CASE("documents that were damaged are read, repaired or refused, never worse") {
    const acta::EpisodicActionHistory<> history = small_history();
    std::uint32_t random = 7;
    const auto next = [&random](std::size_t below) {
        random = random * 1664525U + 1013904223U;
        return static_cast<std::size_t>(random >> 8) % below;
    };
    std::size_t refused = 0;
    std::size_t repaired = 0;
    std::size_t read = 0;
    const std::string pieces[] = {"null", "{}", "[]", "\"x\"", "-1", "true", ""};
    for (const std::string& whole :
         {acta::dump(history), acta::dump(acta::atif::to_document(history)), openai_text(history),
          anthropic_text(history),
          std::string(R"({"trajectory": [{"action": "ls", "observation": "a"}], "history": [{"role": "assistant",
              "action": "ls", "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]},
              {"role": "tool", "content": "a", "tool_call_ids": ["c"]}]})")}) {
        for (int i = 0; i < 300; ++i) {
            std::string text = whole;
            const std::size_t key = text.find('"', next(text.size()));
            if (i % 2 == 0 && key != std::string::npos)  // another name or text: still JSON, as a rule
                text.replace(key, 2, "\"?");
            else
                text.replace(next(text.size()), 1 + next(12), pieces[next(std::size(pieces))]);
            const bool is_read = trajectory_faults(text).empty();
            const bool is_repaired = trajectory_faults(text, {.lenient = true}).empty();
            if (is_read) CHECK(is_repaired);
            ++(is_read ? read : is_repaired ? repaired : refused);
        }
    }
    INFO(read << " read, " << repaired << " repaired, " << refused << " refused");
    CHECK(refused > 500);
    CHECK(repaired > 100);
    CHECK(read > 50);
}

TEST_CASE("a cursor that was repaired is reported") {
    std::vector<acta::Issue> warnings;
    acta::TrajectoryOptions options;
    options.parse.warnings = &warnings;
    CHECK(acta::parse_trajectory(R"({"episodes": [], "cursor": 7})", options).history.empty());
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].type == "cursor_repaired");
}

TEST_CASE("trajectories of others are recognised and read") {
    const fs::path data = paths::shared_data();
    if (!fs::exists(data / "swe-agent")) ACTA_SKIP("swe-agent is not in the shared data folder");
    for (const auto& [name, steps] :
         {std::pair("function_calling_simple.traj", 5U), std::pair("marshmallow-1867.traj", 11U)}) {
        const acta::Trajectory read = acta::load_trajectory(data / "swe-agent" / name);
        CHECK(read.format == acta::TrajectoryFormat::swe_agent);
        CHECK(read.history.size() == steps);
        // What others wrote goes through ATIF and comes back.
        CHECK(acta::atif::to_history(acta::atif::to_document(read.history)) == read.history);
    }
    if (!fs::exists(data / "openhands")) ACTA_SKIP("openhands is not in the shared data folder");
    for (const char* const name : {"completion_log.json", "function_calling_messages.json"}) {
        const acta::Trajectory read = acta::load_trajectory(data / "openhands" / name);
        CHECK(read.format == acta::TrajectoryFormat::openai);
        CHECK(!read.history.messages().empty());
    }
}

TEST_CASE("integers beyond 64 bits in arguments are the nearest double, and the run is read") {
    const std::string object = R"({"amount":1000000000000000000000,"unread":[123456789012345678901234567890,1e999]})";
    const std::string read = R"({"amount":1e+21,"unread":[1.2345678901234568e+29,"1e999"]})";
    const std::string calls = R"([{"role":"user","content":"Pay."},{"role":"assistant","content":"","tool_calls":[)"
                              R"({"id":"c","type":"function","function":{"name":"pay","arguments":)";
    const std::string rest = R"(}}]},{"role":"tool","tool_call_id":"c","content":"paid"}])";
    for (const bool lenient : {false, true}) {
        for (const std::string& arguments : {object, acta::Json(object).dump()}) {
            acta::TrajectoryOptions options;
            options.lenient = lenient;
            const acta::Trajectory run = acta::parse_trajectory(calls + arguments + rest, options);
            REQUIRE(run.history.size() == 1);
            CHECK(acta::dump(run.history[0].action.use_tool.arguments) == read);
            CHECK(run.report.empty());
        }
    }
}
