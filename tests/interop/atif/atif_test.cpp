// SPDX-License-Identifier: MIT
#include "acta/interop/atif/atif.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "acta/interop/trajectory.hpp"
#include "interop/atif/atif_rules.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"
#include "support/lvalue.hpp"
#include "support/thoughts.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using acta::Json;

/// A proposal that has only what every one must have.
struct Brief {
    std::string thoughts{};
    acta::AssistantFunctionCall use_tool{};

    friend bool operator==(const Brief&, const Brief&) = default;
};

}  // namespace

template <>
struct acta::Describe<Brief> {
    static constexpr auto fields =
        acta::fields(acta::required("thoughts", &Brief::thoughts), acta::required("use_tool", &Brief::use_tool));
};

namespace {

acta::ActionSuccessResult success(Json outputs) {
    acta::ActionSuccessResult result;
    result.outputs = std::move(outputs);
    return result;
}

acta::ActionProposal<> proposal(const std::string& thoughts, const std::string& tool, acta::JsonObject arguments = {}) {
    acta::ActionProposal<> out;
    out.thoughts = thoughts;
    out.use_tool.name = tool;
    out.use_tool.arguments = std::move(arguments);
    return out;
}

/// A history with a step of every kind.
History every_kind() {
    History history;
    history.register_action(proposal("Plain.", "read", {{"path", "a.txt"}}));
    history.register_result(success("text\r\nwith lines"));
    history.register_action(proposal("Values.", "count"));
    history.register_result(success(acta::JsonObject{{"files", 3}, {"ok", true}, {"none", nullptr}}));
    history.register_action(proposal("Nothing.", "clear"));
    history.register_result(success(nullptr));
    history.register_action(proposal("Fails.", "read", {{"path", "b.txt"}}));
    acta::ActionErrorResult error{"no such file", {}};
    error.error = acta::ErrorInfo{{1, "two"}, "no such file", "FileNotFoundError", "FileNotFoundError('no such file')"};
    history.register_result(error);
    history.register_action(proposal("Interrupted.", "rm", {{"path", "c.txt"}}));
    history.register_result(acta::ActionInterruptedByHuman{"Keep that file."});

    acta::ActionProposal<> raw = proposal("I look it up.", "search", {{"q", "x"}});
    raw.raw_message.emplace().content = "Let me look it up.";
    raw.raw_message->tool_calls.emplace().push_back({"call_abc", raw.use_tool});
    history.register_action(raw);
    history.register_result("call_abc", success("found"));

    acta::ActionProposal<> both = proposal("Both.", "one");
    both.use_tools = {{"one", {}}, {"two", {{"n", 2}}}};
    history.register_action(both);
    history.register_result("call_1", success("second"));
    history.register_result("call_0", error);
    acta::ActionProposal<> fine = proposal("Both again.", "one");
    fine.use_tools = both.use_tools;
    history.register_action(fine);
    history.register_result("call_0", success("first"));
    history.register_result("call_1", success("second"));

    acta::HistoryRecord<acta::ActionProposal<>> record = history.record();
    record.episodes.emplace_back().action.thoughts = "I am done.";  // older documents have answers as steps
    record.episodes.back().result = success("bye");
    record.cursor = std::ssize(record.episodes);
    history = History(std::move(record));

    history.set_summary(history.id(0), "Read a.txt.");
    acta::StepMetrics metrics;
    metrics.started_at = acta::parse_timestamp("2026-11-22T01:02:03.5Z");
    metrics.finished_at = acta::parse_timestamp("2026-11-22T01:02:04Z");
    metrics.prompt_tokens = 1200;
    metrics.completion_tokens = 34;
    metrics.cost_usd = 0.0125;
    history.set_metrics(0, metrics);
    metrics = {};
    metrics.finished_at = acta::parse_timestamp("2026-11-22T01:03:00");
    metrics.prompt_tokens = 800;
    history.set_metrics(1, metrics);
    history.set_metrics(2, {});
    history.append_user_feedback("Go on.");
    history.append_user_feedback("");
    return history;
}

template <class P>
void check_round_trip(const acta::EpisodicActionHistory<P>& history, const acta::atif::Options& options = {}) {
    const acta::atif::Document document = acta::atif::to_document(history, options);
    CHECK(acta::atif::check(document).empty());
    for (const bool exclude_none : {false, true}) {
        acta::DumpOptions dump;
        dump.exclude_none = exclude_none;
        const std::string text = acta::dump(document, dump);
        atif_rules::check_document(Json::parse(text), static_cast<int>(options.version));
        const auto read = acta::atif::to_history<P>(acta::parse<acta::atif::Document>(text));
        CHECK(read == history);
        CHECK(acta::dump(read) == acta::dump(history));
    }
}

std::vector<std::string> atif_faults(const std::string& text) {
    std::vector<std::string> out;
    try {
        static_cast<void>(acta::atif::to_history(acta::parse<acta::atif::Document>(text)));
    } catch (const acta::ValidationError& error) {
        for (const acta::Issue& issue : error.issues()) out.push_back(issue.pointer() + " " + issue.type);
    }
    return out;
}

std::string document_of(const std::string& steps, const std::string& version = "1.7") {
    return R"({"schema_version": "ATIF-v)" + version +
           R"(", "session_id": "s", "agent": {"name": "a", "version": "1"}, "steps": [)" + steps + "]}";
}

}  // namespace

TEST_CASE("a history with steps of every kind comes back from every version of ATIF") {
    for (const acta::atif::Version version :
         {acta::atif::Version::v1_4, acta::atif::Version::v1_5, acta::atif::Version::v1_6, acta::atif::Version::v1_7,
          acta::atif::Version::v1_8}) {
        acta::atif::Options options;
        options.version = version;
        options.session_id = "run 7";
        options.model_name = "tiny";
        options.notes = "A test.";
        options.tools.push_back({"read", "Reads a file.", acta::JsonObject{{"type", "object"}}});
        acta::HistoryRecord<acta::ActionProposal<>> record = lvalue(every_kind()).record();
        acta::ChatMessage shown = acta::ChatMessage::user("<image/png, 3 bytes>");
        shown.parts = {{.type = "image", .media_type = "image/png", .data = "AAAA"}};
        acta::ChatMessage thought = acta::ChatMessage::assistant("A word between.");
        thought.extra = {{"anthropic", acta::JsonObject{{"id", "m1"}}}};
        record.conversation = {{0, acta::ChatMessage::system("Be an agent.")},
                               {0, acta::ChatMessage::user("Do it.")},
                               {1, shown},
                               {3, thought},
                               {record.episodes.size(), acta::ChatMessage::user("Said at the end, and seen.")}};
        const History history(record);
        check_round_trip(history, options);
        const Json document = acta::to_json_value(acta::atif::to_document(history, options));
        CHECK(document["agent"].contains("tool_definitions") == (version != acta::atif::Version::v1_4));
    }
}

TEST_CASE("runs of agents that were tools come back from every version of ATIF, with what they have") {
    History innermost;
    innermost.register_message(acta::ChatMessage::user("How deep?"));
    innermost.register_action(proposal("I measure.", "sound", {{"at", "buoy"}}));
    innermost.register_result(acta::ActionErrorResult{.reason = "The line is too short."});
    History inner;
    acta::StepMetrics metrics;
    metrics.prompt_tokens = 12;
    metrics.cost_usd = 0.25;
    inner.register_message(acta::ChatMessage::user("Ask the crew."));
    inner.register_action(proposal("I ask.", "crew"), metrics);
    inner.register_sub_run(inner.tool_call_ids(0)[0], acta::to_json_value(innermost));
    inner.register_result(success("too deep"));
    inner.register_answer("Too deep to say.");
    acta::RunRecord ended;
    ended.end = "answered";
    ended.after = 1;
    inner.register_run(ended);
    History history;
    acta::ActionProposal<> two = proposal("Two at once.", "diver");
    two.use_tools = {{"diver", {{"question", "Depth?"}}}, {"lookout", {}}};
    history.register_action(two);
    const std::vector<std::string> ids = history.tool_call_ids(0);
    history.register_sub_run(ids[1], acta::to_json_value(History()));
    history.register_sub_run(ids[0], acta::to_json_value(inner));
    history.register_result(ids[0], success("Too deep to say."));
    history.register_result(ids[1], success("Waves."));
    history.register_action(proposal("Another.", "odd"));
    history.register_sub_run(history.tool_call_ids(1)[0], Json{{"not", "a history"}});
    history.register_result(success("ok"));
    history.register_action(proposal("Not done yet.", "diver"));
    history.register_sub_run(history.tool_call_ids(2)[0], acta::to_json_value(innermost));
    history.register_run(ended);
    for (const auto version :
         {acta::atif::Version::v1_4, acta::atif::Version::v1_6, acta::atif::Version::v1_7, acta::atif::Version::v1_8}) {
        acta::atif::Options options;
        options.version = version;
        const acta::atif::Document document = acta::atif::to_document(history, options);
        CHECK(acta::atif::check(document).empty());
        const std::string text = acta::dump(document);
        CHECK(acta::atif::to_history(acta::parse<acta::atif::Document>(text)) == history);
        const acta::Trajectory read = acta::parse_trajectory(text);
        CHECK(read.with_sub_runs() == history);
        CHECK(read.report.empty());
        CHECK(document.subagent_trajectories.has_value() == (version >= acta::atif::Version::v1_7));
    }
    // Other programs find the runs where ATIF has them.
    const acta::atif::Document document = acta::atif::to_document(history);
    REQUIRE(document.subagent_trajectories->size() == 2);
    const Json diver((*document.subagent_trajectories)[1]);
    CHECK(diver["trajectory_id"] == "sub-2");
    CHECK(diver["agent"]["name"] == "diver");
    CHECK(diver["final_metrics"]["total_cost_usd"] == 0.25);
    CHECK(diver["subagent_trajectories"][0]["trajectory_id"] == "sub-2.1");
    const auto& results = document.steps[0].observation->results;
    CHECK(results[0].subagent_trajectory_ref == std::vector<acta::JsonObject>{{{"trajectory_id", "sub-2"}}});
    CHECK(results[1].subagent_trajectory_ref == std::vector<acta::JsonObject>{{{"trajectory_id", "sub-1"}}});
}

TEST_CASE("trajectories of subagents in another agent's document are runs of their calls") {
    const auto read = [](const std::string& reference, const std::string& subagents, bool lenient = false) {
        return acta::parse_trajectory(
            R"({"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": [
                {"step_id": 1, "source": "agent", "message": "I ask.",
                 "tool_calls": [{"tool_call_id": "j", "function_name": "look", "arguments": {}},
                                {"tool_call_id": "k", "function_name": "delegate", "arguments": {}}],
                 "observation": {"results": [{"source_call_id": "j", "content": "Nothing."},
                    {"source_call_id": "k", "content": "Waves.", "subagent_trajectory_ref": [)" +
                reference + R"(]}]}}], "subagent_trajectories": [)" + subagents + "]}",
            {.lenient = lenient});
    };
    const auto subagent = [](const std::string& id, const std::string& said, const std::string& more = {}) {
        return R"({"schema_version": "ATIF-v1.7", )" + id + R"(, "agent": {"name": "b", "version": "1"}, "steps": [
            {"step_id": 1, "source": "user", "message": ")" +
               said + "\"}]" + more + "}";
    };
    const auto runs = [](const acta::Trajectory& run) {
        std::string out;
        for (const acta::SubRun& one : run.sub_runs) {
            const auto history = acta::parse<History>(acta::dump(one.history));
            out += std::to_string(one.step) + one.tool_call_id + ":" + history.messages().front().message.content + " ";
        }
        for (const acta::TrajectoryNote& note : run.report)
            out += std::string(to_string(note.kind)) + " " + note.message + "; ";
        return out;
    };
    const std::string began = "A subagent's run 's' of 1 steps, which call 'k' began";
    const std::string s = R"("trajectory_id": "s")";
    CHECK(runs(read("{" + s + "}", subagent(s, "Look."))) == "0k:Look. kept " + began + "; ");
    CHECK(runs(read(R"({"session_id": "s"})", subagent(R"("session_id": "s")", "Look."))) ==
          "0k:Look. kept " + began + "; ");
    CHECK(runs(read(subagent(s, "Look."), "")) == "0k:Look. kept " + began + "; ");  // at the call itself
    CHECK(runs(read("{" + s + R"(}, {"trajectory_id": "t"})",
                    subagent(R"("trajectory_id": "t")", "T.") + ", " + subagent(s, "S."))) ==
          "0k:T. 0k:S. kept A subagent's run 't' of 1 steps, which call 'k' began; kept " + began + "; ");
    CHECK(runs(read(R"({"trajectory_id": "r", "trajectory_path": "r.json"})", subagent(s, "Look."))) ==
          "dropped A subagent's run 's' of 1 steps, of no known call; "
          "dropped A subagent's run 'r' in another document, which call 'k' began; ");
    // One that cannot be read leaves the run as it is; lenient reading repairs it.
    const std::string broken = subagent(s, "Look.", R"(, "subagent_trajectories": [], "notes": 7)");
    CHECK_THAT(runs(read("{" + s + "}", broken)),
               contains_text("dropped " + began + ", cannot be read: /notes: Input should be a valid string"));
    const std::string late = R"({"trajectory_id": "s", "steps": [{"source": "user", "message": "Look."}]})";
    CHECK_THAT(runs(read("{" + s + "}", late)), contains_text("cannot be read"));
    const acta::Trajectory repaired = read("{" + s + "}", late, true);
    CHECK_THAT(runs(repaired), contains_text("0k:Look. "));
    CHECK(repaired.report.front().loc.front() == acta::LocElement("subagent_trajectories"));
    // A reference that is a name, and what is none.
    CHECK(runs(read(R"("s", 7)", subagent(s, "Look.") + ", null", true)) ==
          "0k:Look. dropped Only an object can refer to a subagent; "
          "dropped Only an object can be a run of a subagent; "
          "kept " +
              began + "; ");
}

TEST_CASE("what is remembered of steps comes back from ATIF") {
    History history;
    history.register_action(proposal("One.", "look"));
    history.register_result(success("waves"));
    history.set_rolling_summary({.text = "It looked.", .first = 0, .last = 0});
    CHECK(acta::atif::to_history(acta::atif::to_document(history)) == history);
    const acta::SharedHistory<> shared(history);
    CHECK(acta::dump(acta::atif::to_document(shared, {.session_id = "run 7"})) ==
          acta::dump(acta::atif::to_document(history, {.session_id = "run 7"})));
}

TEST_CASE("open steps, unfinished ones and cursors come back") {
    History open;
    check_round_trip(open);
    open.append_user_feedback("Begin.");
    check_round_trip(open);
    open.register_action(proposal("Look.", "look"));
    check_round_trip(open);
    CHECK(lvalue(acta::atif::to_history(acta::atif::to_document(open))).current_episode() != nullptr);

    History parallel;
    acta::ActionProposal<> both = proposal("Both.", "one");
    both.use_tools = {{"one", {}}, {"two", {}}};
    parallel.register_action(both);
    check_round_trip(parallel);
    parallel.register_result("call_1", success("second"));
    check_round_trip(parallel);

    acta::HistoryRecord<acta::ActionProposal<>> record = lvalue(every_kind()).record();
    record.cursor = 2;
    record.episodes[4].result.reset();
    record.episodes[7].tool_results.clear();                // a joined result alone
    record.episodes[6].tool_results[0].tool_call_id = "?";  // an id of no call
    check_round_trip(History(record));
    record.episodes.push_back({});
    check_round_trip(History(record));
}

TEST_CASE("other proposals come back whole") {
    acta::EpisodicActionHistory<acta::ActionProposal<Plan>> plans;
    acta::ActionProposal<Plan> plan;
    plan.thoughts = {"Do both.", {"one", "two"}};
    plan.use_tool.name = "begin";
    plans.register_action(plan);
    plans.register_result(success("begun"));
    check_round_trip(plans);

    acta::EpisodicActionHistory<acta::ActionProposal<Json>> any;
    acta::ActionProposal<Json> json;
    json.thoughts = acta::JsonArray{1, nullptr};
    json.use_tool.name = "begin";
    any.register_action(json);
    check_round_trip(any);
}

TEST_CASE("a proposal of one's own comes back without the members that it does not have") {
    acta::EpisodicActionHistory<Brief> history;
    history.register_action(Brief{"Look.", {"read", {{"path", "a.txt"}}}});
    history.register_result(success("text"));
    check_round_trip(history);
    CHECK(acta::to_json_value(acta::atif::to_document(history))["steps"][0]["extra"]["acta"]["absent"] ==
          Json::parse(R"(["raw_message"])"));
}

TEST_CASE("an exported step says what others expect, and no more than needed beside it") {
    const Json document = acta::to_json_value(acta::atif::to_document(every_kind()));
    const Json& first = document["steps"][0];
    CHECK(first["message"] == "Plain.");
    CHECK(first["timestamp"] == "2026-11-22T01:02:03.500000Z");
    CHECK(first["tool_calls"][0]["function_name"] == "read");
    CHECK(first["observation"]["results"][0]["content"] == "text\r\nwith lines");
    CHECK(first["metrics"]["prompt_tokens"] == 1200);
    CHECK(first["extra"]["acta"]["status"] == "success");
    CHECK(first["extra"]["acta"]["episode"]["summary"] == "Read a.txt.");
    CHECK(!first["extra"]["acta"]["episode"].contains("result"));
    CHECK(document["steps"][1]["observation"]["results"][0]["content"] == R"({"files":3,"ok":true,"none":null})");
    const Json& failed = document["steps"][3];
    CHECK(failed["extra"]["acta"]["status"] == "error");
    CHECK(failed["extra"]["acta"]["episode"]["result"]["error"]["exception_type"] == "FileNotFoundError");
    CHECK(failed["observation"]["results"][0]["content"] == "no such file\nFileNotFoundError('no such file')");
    CHECK(failed["observation"]["results"][0]["extra"]["is_error"] == true);
    CHECK(document["steps"][4]["extra"]["acta"]["status"] == "interrupted_by_human");
    const Json& searched = document["steps"][5];
    CHECK(searched["message"] == "Let me look it up.");
    CHECK(searched["reasoning_content"] == "I look it up.");
    CHECK(!searched["extra"]["acta"].contains("by_id"));  // one call: its result is the step's
    CHECK(searched["extra"]["acta"]["episode"]["action"]["thoughts"] == "I look it up.");
    CHECK(!document["steps"][8].contains("tool_calls"));
    CHECK(document["steps"][9]["source"] == "user");
    CHECK(document["final_metrics"]["total_prompt_tokens"] == 2000);
    CHECK(document["final_metrics"]["total_completion_tokens"] == 34);
}

TEST_CASE("a document says exactly what was said, done and taken") {
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("Go."));
    history.register_action({.thoughts = "Look.", .use_tool = {"look", {{"at", 1}}}});
    history.register_result(acta::ActionSuccessResult{.outputs = Json{{"n", 2}}});
    const auto set = [](acta::StepMetrics& metrics) {
        metrics.prompt_tokens = 10;
        metrics.completion_tokens = 4;
        metrics.cached_tokens = 3;
        metrics.cache_write_tokens = 2;
        metrics.reasoning_tokens = 1;
        metrics.cost_usd = 0.25;
    };
    acta::HistoryRecord<acta::ActionProposal<>> record = history.record();
    set(record.episodes[0].metrics.emplace());
    record.conversation.push_back({1, acta::ChatMessage::assistant("Done.")});
    set(record.conversation.back().metrics.emplace());
    record.conversation.push_back({1, acta::ChatMessage::system("Note.")});
    acta::HistoryRecord<acta::ActionProposal<>> by_id = record;
    by_id.episodes[0].tool_results.push_back({"call_0", *by_id.episodes[0].result});
    check_round_trip(acta::EpisodicActionHistory<>(std::move(by_id)));
    const auto document = acta::atif::to_document(acta::EpisodicActionHistory<>(std::move(record)),
                                                  {.session_id = "s", .agent_version = "1"});
    Json json = acta::to_json_value(document);
    json.erase("extra");
    json["steps"][1].erase("extra");
    const std::string took = R"("metrics":{"prompt_tokens":10,"completion_tokens":4,"cached_tokens":3,"cost_usd":0.25,)"
                             R"("extra":{"cache_creation_input_tokens":2,"reasoning_tokens":1}})";
    CHECK(
        acta::dump(json) ==
        R"({"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"acta","version":"1"},"steps":[)"
        R"({"step_id":1,"source":"user","message":"Go."},{"step_id":2,"source":"agent","message":"Look.","tool_calls":[)"
        R"({"tool_call_id":"call_0","function_name":"look","arguments":{"at":1}}],"observation":{"results":[)"
        R"({"source_call_id":"call_0","content":"{\"n\":2}"}]},)" +
            took + R"(},{"step_id":3,"source":"agent","message":"Done.",)" + took +
            R"(},{"step_id":4,"source":"system","message":"Note."}],"final_metrics":{"total_prompt_tokens":20,)"
            R"("total_completion_tokens":8,"total_cached_tokens":6,"total_cost_usd":0.5,"total_steps":4}})");
}

TEST_CASE("a document of another agent is read sensibly") {
    const std::string text = document_of(R"(
        {"step_id": 1, "source": "system", "message": "You sail."},
        {"step_id": 2, "timestamp": "2026-01-02T03:04:05Z", "source": "user", "message": [
            {"type": "text", "text": "Read the chart."},
            {"type": "image", "source": {"media_type": "image/png", "path": "images/chart.png"}}]},
        {"step_id": 3, "timestamp": "2026-01-02T03:04:07Z", "source": "agent", "model_name": "m", "reasoning_effort": 0.5,
         "message": "I look twice.", "reasoning_content": "Depth and tide.",
         "tool_calls": [
            {"tool_call_id": "d", "function_name": "depth", "arguments": {"at": "pier"}, "extra": {"retries": 1}},
            {"tool_call_id": "t", "function_name": "tide", "arguments": {}}],
         "observation": {"results": [
            {"source_call_id": "t", "content": "high at 04:12"},
            {"source_call_id": "d", "content": [{"type": "text", "text": "4 m"}], "extra": {"score": 1}}]},
         "metrics": {"prompt_tokens": 520, "completion_tokens": 80, "cached_tokens": 200, "cost_usd": 0.5,
            "logprobs": [-0.1], "completion_token_ids": [1], "extra": {"reasoning_tokens": 3}}},
        {"step_id": 4, "source": "user", "message": "Mind the wind."},
        {"step_id": 5, "source": "agent", "reasoning_effort": "low", "message": "", "tool_calls": [
            {"tool_call_id": "w", "function_name": "wind", "arguments": {}}],
         "observation": {"results": [{"content": "4 bft"}]}, "llm_call_count": 1},
        {"step_id": 6, "source": "agent", "message": "", "tool_calls": [
            {"tool_call_id": "x", "function_name": "ask_crew", "arguments": {}}],
         "observation": {"results": [{"source_call_id": "x",
            "subagent_trajectory_ref": [{"trajectory_id": "crew-1"}]}]}},
        {"step_id": 7, "source": "agent", "message": "", "tool_calls": [
            {"tool_call_id": "y", "function_name": "log", "arguments": {}}]},
        {"step_id": 8, "source": "agent", "message": "We can sail at four.", "extra": null},
        {"step_id": 9, "source": "user", "message": "Then go."})");
    const History history = acta::atif::to_history(acta::parse<acta::atif::Document>(text));
    REQUIRE(history.size() == 4);
    CHECK(history[0].action.thoughts == "I look twice.");
    CHECK(history[0].action.raw_message->content == "I look twice.");
    CHECK(history[0].action.raw_message->reasoning_content == "Depth and tide.");
    CHECK(history[0].action.use_tools.size() == 2);
    CHECK(history.tool_call_ids(0) == std::vector<std::string>{"d", "t"});
    CHECK(history[0].tool_results[0].tool_call_id == "d");
    CHECK(*history[0].result == acta::ActionResult(success(acta::JsonArray{"4 m", "high at 04:12"})));
    CHECK(history[0].metrics->prompt_tokens == 520);
    CHECK(history[0].metrics->cost_usd == 0.5);
    CHECK(history[0].metrics->started_at == acta::parse_timestamp("2026-01-02T03:04:07Z"));
    CHECK(*history[1].result == acta::ActionResult(success("4 bft")));
    CHECK(acta::python_str(std::get<acta::ActionSuccessResult>(*history[2].result).outputs) ==
          "[{'trajectory_id': 'crew-1'}]");
    CHECK(!history[3].result);
    CHECK(history.cursor() == 3);
    CHECK(history.pending_feedback().empty());
    acta::ChatMessage chart = acta::ChatMessage::user("Read the chart.\n<image/png, images/chart.png>");
    chart.parts = {{.text = "Read the chart."},
                   {.type = "image", .media_type = "image/png", .url = "images/chart.png"}};
    const std::vector<acta::ConversationMessage> said = {{0, acta::ChatMessage::system("You sail.")},
                                                         {0, chart},
                                                         {1, acta::ChatMessage::user("Mind the wind.")},
                                                         {4, acta::ChatMessage::assistant("We can sail at four.")},
                                                         {4, acta::ChatMessage::user("Then go.")}};
    CHECK(std::ranges::equal(history.messages(), said));
    check_round_trip(history);
}

TEST_CASE("a call without a result at the end of another agent's document is open") {
    History history = acta::atif::to_history(acta::parse<acta::atif::Document>(document_of(
        R"({"step_id": 1, "source": "agent", "message": "", "tool_calls": [
            {"tool_call_id": "a", "function_name": "look", "arguments": {}}]})",
        "1.0")));
    REQUIRE(history.current_episode() != nullptr);
    history.register_result("a", success("seen"));
    CHECK(history.cursor() == 1);
}

TEST_CASE("recordings of ATIF 1.8 stay what they are") {
    const std::string part =
        R"({"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav", "duration_sec": 1.5}})";
    const auto read = acta::atif::to_history(acta::parse<acta::atif::Document>(
        document_of(R"({"step_id": 1, "source": "user", "message": [{"type": "text", "text": "Listen."}, )" + part +
                        R"(]}, {"step_id": 2, "source": "agent", "message": "", "tool_calls": [
            {"tool_call_id": "r", "function_name": "record", "arguments": {}}],
            "observation": {"results": [{"source_call_id": "r", "content": [)" +
                        part + "]}]}}",
                    "1.8")));
    REQUIRE(read.messages().size() == 1);
    const acta::ChatMessage& said = read.messages()[0].message;
    CHECK(said.content == "Listen.\n<audio/wav, a.wav>");
    REQUIRE(said.parts.size() == 2);
    CHECK(said.parts[1].url == "a.wav");
    REQUIRE(read.size() == 1);
    CHECK(*read[0].result == acta::ActionResult(success(Json::parse("[" + part + "]"))));

    acta::atif::Options options;
    for (const acta::atif::Version version :
         {acta::atif::Version::v1_4, acta::atif::Version::v1_6, acta::atif::Version::v1_8}) {
        options.version = version;
        const acta::atif::Document document = acta::atif::to_document(read, options);
        CHECK(acta::atif::check(document).empty());
        const bool typed = std::holds_alternative<std::vector<acta::atif::Part>>(document.steps[0].message);
        CHECK(typed == (version == acta::atif::Version::v1_8));
        CHECK(acta::atif::to_history(document) == read);
    }
}

TEST_CASE("an answer of the agent without a call is said, not done") {
    const auto read = acta::atif::to_history(acta::parse<acta::atif::Document>(document_of(R"(
        {"step_id": 1, "source": "user", "message": "Hello."},
        {"step_id": 2, "source": "agent", "message": "What can I do for you?", "reasoning_content": "Polite."},
        {"step_id": 3, "source": "user", "message": "Book it."},
        {"step_id": 4, "source": "agent", "message": "", "tool_calls": [
            {"tool_call_id": "b", "function_name": "book", "arguments": {"seat": 4}}],
         "observation": {"results": [{"source_call_id": "b", "content": "booked"}]}},
        {"step_id": 5, "source": "agent", "message": "It is booked."},
        {"step_id": 6, "source": "user", "message": "Thanks."})")));
    REQUIRE(read.size() == 1);
    REQUIRE(read.messages().size() == 5);
    acta::ChatMessage polite = acta::ChatMessage::assistant("What can I do for you?");
    polite.reasoning_content = "Polite.";
    CHECK(read.messages()[1].message == polite);
    CHECK(read.messages()[3] == acta::ConversationMessage{1, acta::ChatMessage::assistant("It is booked.")});
    CHECK(read.messages()[4] == acta::ConversationMessage{1, acta::ChatMessage::user("Thanks.")});
    check_round_trip(read);
}

TEST_CASE("a broken note of acta's own is refused with its place") {
    const std::string head = R"({"step_id": 1, "source": "agent", "message": "m", "extra": {"acta": )";
    CHECK(atif_faults(document_of(head + R"(3}})")) == Faults{"/steps/0/extra/acta model_type"});
    CHECK(atif_faults(document_of(head + R"({"by_id": "maybe"}}})")) ==
          Faults{"/steps/0/extra/acta/by_id bool_parsing"});
    CHECK(atif_faults(document_of(head + R"({"episode": {"result": {"status": "lost"}}}}})")) ==
          Faults{"/steps/0/result union_tag_invalid"});
    CHECK(atif_faults(document_of(head + R"({"episode": {"action": 3}}}})")) == Faults{"/steps/0/action model_type"});
    CHECK(atif_faults(document_of(head + R"({"episode": {"action": 3}, "absent": ["thoughts"]}}})")).size() == 1);
    CHECK(atif_faults(R"({"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": [],
                          "extra": {"acta": {"cursor": "x"}}})") ==
          Faults{"/extra/acta/version missing", "/extra/acta/cursor int_parsing"});
}

TEST_CASE("a total of tokens beyond 64 bits is left out") {
    History history;
    for (const std::int64_t tokens : {INT64_MAX, std::int64_t{1}, std::int64_t{-5}}) {
        history.register_action(proposal("t", "f"));
        history.register_result(success("done"));
        acta::StepMetrics metrics;
        metrics.prompt_tokens = tokens;
        metrics.completion_tokens = tokens == 1 ? 0 : tokens;
        history.set_metrics(history.size() - 1, metrics);
    }
    const acta::atif::Document document = acta::atif::to_document(history);
    REQUIRE(document.final_metrics);
    CHECK_FALSE(document.final_metrics->total_prompt_tokens);
    CHECK(document.final_metrics->total_completion_tokens == INT64_MAX - 5);
    CHECK(acta::atif::to_history(document) == history);
}
