// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/swe_agent/swe_agent.hpp"
#include "acta/interop/tool_response_result.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "acta/tool_response/tool_response.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/deep.hpp"
#include "support/paths.hpp"

// Runs that were read from files of other programs are within the limits of a record.
namespace {

using acta::Json;
using History = acta::EpisodicActionHistory<>;

bool is_readable_again(const History& history) { return acta::parse<History>(acta::dump(history)) == history; }

/// The document as text with a member that is too deep in each of its objects, or of one of its lines.
std::vector<std::string> deep_variants(const std::string& text) {
    constexpr std::size_t most = 60;  // of one document
    std::vector<std::string> out;
    std::vector<std::string> lines;
    if (Json::accept(text)) {
        lines.push_back(text);
    } else {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            lines.push_back(text.substr(at, end - at));
            at = end + 1;
        }
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!Json::accept(lines[i])) continue;
        const Json line = Json::parse(lines[i]);
        for (const deep::Place& place : deep::objects_of(line)) {
            std::string variant;
            for (std::size_t j = 0; j < lines.size(); ++j)
                variant += (j == i ? deep::with_deep_member(line, place).dump() : lines[j]) + "\n";
            out.push_back(std::move(variant));
        }
    }
    while (out.size() > most) out.erase(out.begin() + static_cast<std::ptrdiff_t>(out.size() / 2));
    return out;
}

const std::string deep_text = deep::nested(110).dump();

}  // namespace

TEST_CASE("no member that a program adds to its file makes a history that cannot be read again") {
    std::size_t read = 0;
    for (const auto& file : std::filesystem::directory_iterator(paths::source("tests/data/cases/trajectory"))) {
        const Json test = acta::parse<Json>(acta::base::read_file(file.path()));
        if (!test["input"].is_string()) continue;
        for (const std::string& text : deep_variants(test["input"].get<std::string>())) {
            CAPTURE(file.path().filename().string());
            try {
                const acta::Trajectory run = acta::parse_trajectory(text, {.lenient = true});
                if (run.format == acta::TrajectoryFormat::acta) continue;
                ++read;
                CHECK(is_readable_again(run.history));
                CHECK(is_readable_again(run.with_sub_runs()));
                for (const acta::Episode<>& episode : run.history.record().episodes) {
                    const auto* const raw = acta::find_raw_message(episode.action);
                    CHECK((raw == nullptr || acta::chat_extension::is_recordable(*raw)));
                }
            } catch (const acta::ValidationError&) {
            }
        }
    }
    CHECK(read > 200);
}

TEST_CASE("what is omitted from a run that is read is in the report, with its step") {
    const auto notes = [](const std::string& text) {
        std::string out;
        for (const acta::TrajectoryNote& note : acta::parse_trajectory(text).report) {
            if (note.kind == acta::TrajectoryNoteKind::dropped)
                out += std::to_string(note.step.value_or(99)) + " " + note.message + "\n";
        }
        return out;
    };
    CHECK(notes(R"([{"role":"user","content":"Go."},{"role":"assistant","content":"a","zz":)" + deep_text +
                R"(,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},
                   {"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"x"},{"type":"y","v":)" +
                deep_text + "}]}]") ==
          "0 A member that no record can have: openai.zz: Input should be nested at most 100 levels deep\n"
          "0 An output that no record can have: Input should be nested at most 100 levels deep\n");
    CHECK(notes(R"({"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[
                   {"type":"thinking","thinking":"t","signature":"s","zz":)" +
                deep_text + R"(},{"type":"text","text":"a"}]}]})") ==
          "99 A member that no record can have: anthropic.content[0].zz: Input should be nested at most 100 levels "
          "deep\n");
}

TEST_CASE("a subagent with a member that is too deep is not lost") {
    const std::string step = R"({"step_id":1,"source":"agent","message":"m","tool_calls":[
        {"tool_call_id":"c","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"c",
        "content":"x"REFERENCE}]}EXTRA})";
    const auto document = [&](std::string inner_step, const std::string& more) {
        return R"({"schema_version":"ATIF-v1.7","session_id":"s","trajectory_id":"t","agent":{"name":"a","version":"1"},"steps":[)" +
               std::move(inner_step) + "]" + more + "}";
    };
    const auto with = [&](const std::string& reference, const std::string& extra) {
        std::string out = step;
        out.replace(out.find("REFERENCE"), 9, reference);
        out.replace(out.find("EXTRA"), 5, extra);
        return out;
    };
    const std::string inner = document(
        with("", R"(,"extra":{"acta":{"episode":{"action":{"raw_message":{"content":"m","extra":{"openai":{"zz":)" +
                     deep_text + "}}}}}}}"),
        "");
    std::string named = inner;
    named.replace(named.find("\"t\""), 3, "\"sub\"");
    const std::string whole = document(with(R"(,"subagent_trajectory_ref":[{"trajectory_id":"sub"}])", ""),
                                       ",\"subagent_trajectories\":[" + named + "]");
    const acta::Trajectory run = acta::parse_trajectory(whole);
    REQUIRE(run.sub_runs.size() == 1);
    CHECK(run.sub_runs[0].history.dump().find("deep-inside") == std::string::npos);
    CHECK(is_readable_again(run.with_sub_runs()));
}

namespace {

/// A session of Claude Code whose subagents are within each other; the last one's call has the argument `x`, and
/// another call of the session the input `more`.
std::string nested_session(std::size_t levels, const Json& x, const Json& more = Json::object()) {
    const auto line = [](const std::string& type, std::size_t level, Json content) {
        Json out = {{"type", type}, {"message", {{"role", type}, {"content", std::move(content)}}}};
        if (level > 0) out.update({{"isSidechain", true}, {"agentId", "agent " + std::to_string(level)}});
        return out.dump() + "\n";
    };
    std::string out;
    for (std::size_t i = 0; i <= levels; ++i) {
        Json input = {{"prompt", "prompt " + std::to_string(i + 1)}};
        if (i == levels) input["x"] = x;
        Json calls = Json::array();
        calls.push_back({{"type", "tool_use"}, {"id", "t"}, {"name", "Task"}, {"input", std::move(input)}});
        if (i == 0) calls.push_back({{"type", "tool_use"}, {"id", "u"}, {"name", "Read"}, {"input", more}});
        out += line("user", i, "prompt " + std::to_string(i)) + line("assistant", i, std::move(calls));
    }
    return out;
}

std::size_t depth_of(const Json& value) {
    std::size_t out = 0;
    if (value.is_structured()) {
        for (const Json& one : value) out = std::max(out, depth_of(one));
        ++out;
    }
    return out;
}

/// How many runs are within each other.
std::size_t levels_of(const History& history) {
    if (history.sub_runs().empty()) return 0;
    return 1 + levels_of(acta::validate<History>(history.sub_runs().front().history));
}

}  // namespace

TEST_CASE("subagents are read to the last level and the last depth that fit, and no further") {
    for (const std::size_t levels : {15U, 16U, 17U}) {
        const acta::Trajectory run = acta::parse_trajectory(nested_session(levels, 1));
        CHECK(levels_of(run.with_sub_runs()) == std::min<std::size_t>(levels, 16));
        CHECK(run.report.size() == levels);
        CHECK((run.report.back().kind == acta::TrajectoryNoteKind::kept) == (levels <= 16));
    }
    const auto read = [](std::size_t depth) { return acta::parse_trajectory(nested_session(10, deep::nested(depth))); };
    const std::size_t around = depth_of(read(60).sub_runs.front().history) - 60;
    below_at_above("nesting of a run within another one, as it is read from other programs' files", 116,
                   [&](std::size_t depth) { return !read(depth - around).sub_runs.empty(); });
    CHECK_THAT(read(117 - around).report.front().message, ends_with_text("is nested too deeply"));
    // A run in acta's own note of a document, which no other reader looks at.
    acta::HistoryRecord<acta::ActionProposal<>> record;
    record.episodes.emplace_back().action.use_tool.name = "f";
    record.sub_runs.push_back({0, "call_0", Json::object()});
    Json document = acta::to_json_value(
        acta::atif::to_document(History(std::move(record)), {.version = acta::atif::Version::v1_4}));
    Json& history = document["extra"]["acta"]["sub_runs"][0]["run"]["history"];
    history = acta::to_json_value(History());
    for (const std::size_t depth : {115U, 116U}) {
        history["zz"] = 0;
        for (std::size_t i = 0; i < depth; ++i) history["zz"] = Json::array({history["zz"]});
        const acta::Trajectory own = acta::parse_trajectory(document.dump());
        CHECK(own.sub_runs.size() == (depth == 115 ? 1 : 0));
        CHECK(own.report.size() == (depth == 115 ? 0 : 1));
        if (depth == 116) CHECK(own.report[0].message == "The run of the call 'call_0' is nested too deeply");
    }
    // What the run cannot have itself is no reason to omit the runs within it.
    const acta::Trajectory run = acta::parse_trajectory(nested_session(2, 1, {{"x", deep::nested(110)}}));
    CHECK(levels_of(run.with_sub_runs()) == 2);
    CHECK(acta::get_tools(run.history[0].action)[1].arguments.count("x") == 0);
}

TEST_CASE("a part of a reason is cut off behind its last byte that fits") {
    for (const std::size_t size : {1992U, 1993U, 1994U}) {
        acta::ErrorResponse reply;
        reply.message = "m";
        reply.error = std::string(size, 'x');
        const auto result = acta::result_from_tool_response(reply);
        CHECK(std::get<acta::ActionErrorResult>(result).reason ==
              "m (error: " + std::string(std::min<std::size_t>(size, 1993), 'x') + (size > 1993 ? "...)" : ")"));
    }
}
