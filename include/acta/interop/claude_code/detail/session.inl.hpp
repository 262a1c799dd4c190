// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/provider/anthropic/wire.hpp"

// Sessions of Claude Code: JSON lines, many of which wrap a message of Anthropic's API. `parentUuid` makes them a tree:
// the run is the branch that the last message is on. Lines of subagents (`isSidechain`) are runs of their own.
namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a value is a line with a message.
[[nodiscard]] bool is_claude_code_line(const Json& line);
/// Returns whether a list has lines of a session.
[[nodiscard]] bool is_claude_code(const Json& lines);
/// Reads the run in a session's lines. Everything else in them is noted as dropped.
[[nodiscard]] EpisodicActionHistory<> read_claude_code(const Json& lines, bool lenient, Repairs& repairs);

}  // namespace acta::inline ACTA_ABI::interop_detail

namespace acta::inline ACTA_ABI::interop_detail {

ACTA_INLINE bool is_claude_code_line(const Json& line) {
    const std::string type = string_member(line, "type");
    const Json* const message = json_member(line, "message");
    return (type == "user" || type == "assistant") && message != nullptr && !string_member(*message, "role").empty();
}

ACTA_INLINE bool is_claude_code(const Json& lines) {
    return lines.is_array() && std::ranges::any_of(lines, is_claude_code_line);
}

class ClaudeCodeReader {
public:
    ClaudeCodeReader(const Json& lines, Repairs& repairs) : repairs_(repairs) {
        for (std::size_t i = 0; i < lines.size(); ++i) add_line(lines[i], i);
        dropped_.note(repairs_.report);
        std::size_t newest[2] = {none, none};  // line of the run, of a subagent
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            std::size_t& previous = newest[lines_[i].is_side ? 1 : 0];
            lines_[i].parent = parent_of(*lines_[i].json, previous);
            previous = i;
        }
    }

    EpisodicActionHistory<> read(bool lenient) {
        find_run();
        note_others();
        join_lines();
        if (lenient) repair();
        std::vector<ReadMessage> out;
        for (Joined& one : joined_) append_messages(out, one);
        EpisodicActionHistory<> history = history_of_messages(std::move(out));
        note_side_chains(history);
        return history;
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// A line in the tree. Only some have a message.
    struct Line {
        const Json* json = nullptr;
        std::size_t number = 0;     ///< In the document.
        std::size_t parent = none;  ///< Of `lines_`.
        bool is_message = false;
        bool is_side = false;  ///< Belongs to a subagent.
        bool in_run = false;
    };

    /// A message that may come from several lines.
    struct Joined {
        Json message{};
        std::size_t number = 0;
        StepMetrics metrics{};
        std::optional<Timestamp> last{};              ///< The time of its last line.
        std::map<std::size_t, std::size_t> blocks{};  ///< Of its content, by hash.
    };

    void drop(std::size_t number, std::string why) {
        repairs_.report.push_back({TrajectoryNoteKind::dropped, {}, {number}, std::move(why)});
    }

    void add_line(const Json& json, std::size_t number) {
        Line line;
        line.json = &json;
        line.number = number;
        line.is_message = is_claude_code_line(json);
        if (!line.is_message) dropped_.add(string_member(json, "type"), number);
        const std::string uuid = string_member(json, "uuid");
        if (!line.is_message && uuid.empty()) return;
        const Json* const side = json_member(json, "isSidechain");
        line.is_side = (side != nullptr && *side == true) || !string_member(json, "parent_tool_use_id").empty();
        const auto [known, is_new] = places_.emplace(uuid, lines_.size());
        if (!uuid.empty() && !is_new) {
            if (line.is_message) drop(number, "The line repeats an earlier one");
            order_.push_back(known->second);
            return;
        }
        order_.push_back(lines_.size());
        lines_.push_back(line);
    }

    /// Returns the line before this one in the conversation. That is the previous one in the file if the line does not
    /// say, if what it names is lost, and after a compaction.
    [[nodiscard]] std::size_t parent_of(const Json& json, std::size_t previous) const {
        const Json* const parent = json_member(json, "parentUuid");
        if (parent == nullptr) return previous;
        if (parent->is_null()) {
            const auto logical = places_.find(string_member(json, "logicalParentUuid"));
            if (logical != places_.end()) return logical->second;
            const Json* const summary = json_member(json, "isCompactSummary");
            const bool compacted =
                string_member(json, "subtype") == "compact_boundary" || (summary != nullptr && *summary == true);
            return compacted ? previous : none;
        }
        const auto named = places_.find(json_text(*parent));
        return named == places_.end() ? previous : named->second;
    }

    /// Marks the branch of the last message, and what hangs beside it: the other lines of its messages, and the results
    /// of their calls.
    void find_run() {
        const auto is_own = [](const Line& line) { return line.is_message && !line.is_side; };
        if (std::ranges::none_of(lines_, is_own)) {  // the file of a subagent
            for (Line& line : lines_) line.is_side = false;
        }
        while (!order_.empty() && !is_own(lines_[order_.back()])) order_.pop_back();
        for (std::size_t i = order_.empty() ? none : order_.back(); i != none && !lines_[i].in_run;
             i = lines_[i].parent)
            lines_[i].in_run = true;
        std::set<std::string> ids;
        for (const Line& line : lines_) {
            if (line.in_run && line.is_message) ids.insert(message_id(line));
        }
        ids.erase("");
        std::set<std::string> calls;
        std::set<std::string> answered;
        for (Line& line : lines_) {
            if (is_own(line) && ids.contains(message_id(line))) line.in_run = true;
            if (!line.in_run || !line.is_message) continue;
            for_blocks(line, "tool_use", [&](const Json& block) { calls.insert(string_member(block, "id")); });
            for_blocks(line, "tool_result",
                       [&](const Json& block) { answered.insert(string_member(block, "tool_use_id")); });
        }
        for (Line& line : lines_) {
            if (line.in_run || !is_own(line)) continue;
            for_blocks(line, "tool_result", [&](const Json& block) {
                const std::string id = string_member(block, "tool_use_id");
                if (calls.contains(id) && answered.insert(id).second) line.in_run = true;
            });
        }
    }

    static std::string message_id(const Line& line) { return string_member((*line.json)["message"], "id"); }

    template <class Function>
    static void for_blocks(const Line& line, std::string_view type, const Function& function) {
        const Json* const content = json_member((*line.json)["message"], "content");
        if (content == nullptr || !content->is_array()) return;
        for (const Json& block : *content) {
            if (string_member(block, "type") == type) function(block);
        }
    }

    /// Notes the branches that were taken back: one note for each, at its first message.
    void note_others() {
        std::map<std::size_t, std::size_t> sizes;  // by first message
        std::vector<std::size_t> roots(lines_.size(), none);
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const Line& line = lines_[i];
            if (line.in_run || line.is_side) continue;
            if (line.parent != none) roots[i] = roots[line.parent];
            if (!line.is_message) continue;
            if (roots[i] == none) roots[i] = i;
            ++sizes[roots[i]];
        }
        for (const auto& [first, count] : sizes) {
            drop(lines_[first].number, "A branch that was taken back: " + std::to_string(count) +
                                           (count == 1 ? " line" : " lines") + " that the last one does not follow");
        }
    }

    /// Joins the lines of one answer, which share its id.
    void join_lines() {
        std::map<std::string, std::size_t> places;
        for (const Line& line : lines_) {
            if (!line.in_run || !line.is_message) continue;
            const Json& message = (*line.json)["message"];
            const std::string id = message_id(line);
            const auto [place, is_new] = places.emplace(id, joined_.size());
            if (id.empty() || is_new) {
                joined_.push_back({message, line.number, {}, {}});
                joined_.back().message.erase("id");
            } else {
                append_blocks(joined_[place->second], message);
            }
            Joined& joined = joined_[id.empty() ? joined_.size() - 1 : place->second];
            if (string_member(message, "role") == "assistant") {
                set_metrics(joined, *line.json, message);
            } else if (const auto time = time_member(*line.json, "timestamp")) {
                for_blocks(line, "tool_result",
                           [&](const Json& block) { ended_[string_member(block, "tool_use_id")] = *time; });
            }
        }
    }

    /// Appends the blocks that a message does not have yet.
    static void append_blocks(Joined& joined, const Json& message) {
        Json& content = joined.message["content"];
        const Json* const more = json_member(message, "content");
        if (more == nullptr || !more->is_array()) return;
        if (joined.blocks.empty() && content.is_array()) {
            for (std::size_t i = 0; i < content.size(); ++i)
                joined.blocks.try_emplace(std::hash<Json>()(content[i]), i);
        }
        if (!content.is_array())
            content = content.is_null() ? Json::array() : Json::array({text_block(json_text(content))});
        for (const Json& block : *more) {
            const auto [place, is_new] = joined.blocks.try_emplace(std::hash<Json>()(block), content.size());
            if (is_new || content[place->second] != block) content.push_back(block);
        }
    }

    static void set_metrics(Joined& joined, const Json& line, const Json& message) {
        set_usage(joined.metrics, json_member(message, "usage"));
        const std::string model = string_member(message, "model");
        if (model != "<synthetic>") joined.metrics.model = model;  // which the program itself writes
        if (const auto time = time_member(line, "timestamp")) {
            if (!joined.metrics.started_at) joined.metrics.started_at = time;
            joined.last = time;
        }
    }

    void repair() {
        Json messages = Json::array();
        for (Joined& one : joined_) messages.push_back(std::move(one.message));
        const std::size_t first = repairs_.report.size();
        repair_anthropic_messages(messages, {}, repairs_);
        for (std::size_t i = first; i < repairs_.report.size(); ++i) {
            DocumentLoc& loc = repairs_.report[i].loc;
            loc = line_loc(joined_[std::get<std::size_t>(loc.front())].number, loc);
        }
        for (std::size_t i = 0; i < joined_.size(); ++i) joined_[i].message = std::move(messages[i]);
    }

    /// Returns the location in a line of a location in the list of messages.
    static DocumentLoc line_loc(std::size_t number, const DocumentLoc& loc) {
        DocumentLoc out{number, std::string("message")};
        out.insert(out.end(), loc.begin() + 1, loc.end());
        return out;
    }

    /// Appends the messages in one of Anthropic's: results are messages of their own.
    void append_messages(std::vector<ReadMessage>& out, Joined& joined) {
        std::vector<ChatMessage> messages;
        try {
            messages = anthropic::from_wire(Json::array({std::move(joined.message)}));
        } catch (const ValidationError& error) {
            std::vector<Issue> issues(error.issues().begin(), error.issues().end());
            for (Issue& issue : issues)
                issue.loc = issue.loc.empty() ? DocumentLoc{joined.number} : line_loc(joined.number, issue.loc);
            throw ValidationError("Trajectory", std::move(issues), error.truncated());
        }
        for (ChatMessage& message : messages) {
            ReadMessage read{std::move(message), {joined.number}, {}};
            if (read.message.role == ChatRole::assistant) {
                read.metrics = std::move(joined.metrics);
                if (read.message.tool_calls.empty()) read.metrics.finished_at = joined.last;
                for (const AssistantToolCall& call : read.message.tool_calls) {
                    const auto ended = ended_.find(call.id);
                    if (ended != ended_.end()) read.metrics.finished_at = ended->second;
                }
            }
            out.push_back(std::move(read));
        }
    }

    // Subagents ------------------------------------------------------------------------------------------------

    /// A call that may have begun a subagent.
    struct Began {
        std::string id{};
        std::string name{};
        std::string prompt{};
        std::string agent{};  ///< As its result names it.
        std::size_t step = 0;
        bool is_taken = false;
    };

    /// Notes the runs of subagents, each with the call that began it.
    void note_side_chains(const EpisodicActionHistory<>& history) {
        std::vector<std::vector<std::size_t>> chains;
        std::map<std::string, std::size_t> agents;
        std::vector<std::size_t> chain_of(lines_.size(), none);
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (!lines_[i].is_side) continue;
            const std::string agent = agent_of(*lines_[i].json);
            const std::size_t parent = lines_[i].parent;
            std::size_t chain = parent == none ? none : chain_of[parent];
            if (!agent.empty()) {
                const auto [known, is_new] = agents.emplace(agent, chains.size());
                chain = known->second;
            }
            if (chain == none) chain = chains.size();
            if (chain == chains.size()) chains.emplace_back();
            chain_of[i] = chain;
            if (lines_[i].is_message) chains[chain].push_back(i);
        }
        BeganCalls calls(calls_of(history));
        for (const std::vector<std::size_t>& chain : chains) {
            if (chain.empty()) continue;
            const Json& first = *lines_[chain.front()].json;
            const Json* const content = json_member(first["message"], "content");
            const Began* const call = calls.take(agent_of(first), content == nullptr ? "" : content_text_of(*content));
            TrajectoryNote note{TrajectoryNoteKind::dropped, {}, {lines_[chain.front()].number}, {}};
            note.message = "A subagent's run of " + std::to_string(chain.size()) +
                           (chain.size() == 1 ? " line" : " lines") +
                           (call == nullptr ? std::string(", of no known call")
                                            : ", which call '" + call->id + "' of " + call->name + " began");
            if (call != nullptr) note.step = call->step;
            repairs_.report.push_back(std::move(note));
        }
    }

    static std::string agent_of(const Json& line) {
        for (const char* const key : {"agentId", "parent_tool_use_id"}) {
            if (std::string id = string_member(line, key); !id.empty()) return id;
        }
        return {};
    }

    std::vector<Began> calls_of(const EpisodicActionHistory<>& history) const {
        std::map<std::string, std::string> agents;
        for (const Line& line : lines_) {
            const Json* const result = json_member(*line.json, "toolUseResult");
            if (!line.is_message || result == nullptr) continue;
            for_blocks(line, "tool_result", [&](const Json& block) {
                agents[string_member(block, "tool_use_id")] = string_member(*result, "agentId");
            });
        }
        std::vector<Began> out;
        for (std::size_t i = 0; i < history.size(); ++i) {
            const auto& raw = history[i].action.raw_message;
            if (!raw || !raw->tool_calls) continue;
            for (const AssistantToolCall& call : *raw->tool_calls) {
                const auto prompt = call.function.arguments.find("prompt");
                if (prompt == call.function.arguments.end()) continue;
                out.push_back({call.id, call.function.name, json_text(prompt->second), agents[call.id], i});
            }
        }
        return out;
    }

    /// The calls that may have begun subagents, by what a line says of its own.
    class BeganCalls {
    public:
        explicit BeganCalls(std::vector<Began> calls) : calls_(std::move(calls)), free_(calls_.size()) {
            for (std::size_t i = calls_.size(); i-- > 0;) {
                by_agent_[calls_[i].id] = i;
                if (!calls_[i].agent.empty()) by_agent_[calls_[i].agent] = i;
                by_prompt_[calls_[i].prompt].push_back(i);
            }
        }

        /// Takes the call whose result names the agent, else the first one with the same prompt, else the only one that
        /// is left; null if there is none.
        Began* take(const std::string& agent, const std::string& prompt) {
            std::size_t found = calls_.size();
            if (const auto named = by_agent_.find(agent); !agent.empty() && named != by_agent_.end()) {
                found = named->second;
            } else if (const auto said = by_prompt_.find(prompt); said != by_prompt_.end()) {
                std::vector<std::size_t>& left = said->second;  // the first one is at the end
                while (!left.empty() && calls_[left.back()].is_taken) left.pop_back();
                if (!left.empty()) found = left.back();
            }
            if (found == calls_.size() && free_ == 1) {
                const auto is_free = [](const Began& call) { return !call.is_taken; };
                found = static_cast<std::size_t>(std::ranges::find_if(calls_, is_free) - calls_.begin());
            }
            if (found == calls_.size()) return nullptr;
            if (!std::exchange(calls_[found].is_taken, true)) --free_;
            return &calls_[found];
        }

    private:
        std::vector<Began> calls_;
        std::size_t free_;
        std::map<std::string, std::size_t> by_agent_{};
        std::map<std::string, std::vector<std::size_t>> by_prompt_{};
    };

    Repairs& repairs_;
    DroppedLines dropped_{};
    std::vector<Line> lines_{};
    std::map<std::string, std::size_t> places_{};  // of lines, by uuid
    std::vector<std::size_t> order_{};             // of lines, repeated ones included
    std::vector<Joined> joined_{};
    std::map<std::string, Timestamp> ended_{};  // calls
};

ACTA_INLINE EpisodicActionHistory<> read_claude_code(const Json& lines, bool lenient, Repairs& repairs) {
    return ClaudeCodeReader(lines, repairs).read(lenient);
}

}  // namespace acta::inline ACTA_ABI::interop_detail
