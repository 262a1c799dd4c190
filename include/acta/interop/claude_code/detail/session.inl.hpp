// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/interop/detail/foreign_calls.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/recordable.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/provider/anthropic/wire.hpp"

// Sessions of Claude Code: JSON lines, many of which wrap a message of Anthropic's API. `parentUuid` makes them a tree:
// the run is the branch that the last message is on. Lines of subagents (`isSidechain`) are runs of their own, which
// belong to the calls that began them. The output of `--output-format stream-json` has the same lines without parents,
// and a line with what the run cost.
namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a value is a line with a message.
[[nodiscard]] bool is_claude_code_line(const Json& line);
/// Returns whether a list has lines of a session.
[[nodiscard]] bool is_claude_code(const Json& lines);
/// Reads the run in a session's lines. Everything else in them is noted as dropped.
[[nodiscard]] EpisodicActionHistory<> read_claude_code(const Json& lines, bool lenient, Repairs& repairs);

ACTA_INLINE bool is_claude_code_line(const Json& line) {
    const std::string type = base::text_member(line, "type");
    const Json* const message = base::find_key(line, "message");
    return (type == "user" || type == "assistant") && message != nullptr &&
           !base::text_member(*message, "role").empty();
}

/// Returns whether a value is the line of `stream-json` with the totals of a run.
ACTA_INLINE bool is_claude_code_total(const Json& line) {
    return base::text_member(line, "type") == "result" && base::find_key(line, "total_cost_usd") != nullptr;
}

ACTA_INLINE bool is_claude_code(const Json& lines) {
    return lines.is_array() && std::ranges::any_of(lines, is_claude_code_line);
}

/// A value in a session: a line, or a message of a subagent within the progress that a line reports.
struct ClaudeCodeEntry {
    const Json* json = nullptr;
    std::size_t number = 0;  ///< Of the line.
    std::string agent{};     ///< The subagent's id; empty if the line does not say.
    std::string call{};      ///< The call that began the subagent; empty if the line does not say.
    bool is_side = false;    ///< Belongs to a subagent.
};

/// A call of a run, which may have begun a subagent.
struct ClaudeCodeCall {
    std::string id{};
    std::string name{};
    std::optional<std::string> prompt{};
    std::string agent{};        ///< As its result names it.
    bool starts_agent = false;  ///< By its name or arguments.
    std::size_t step = 0;
    std::size_t line = 0;  ///< Its line in the document.
};

/// The lines of one subagent, in order.
struct ClaudeCodeChain {
    std::vector<ClaudeCodeEntry> entries{};
    std::size_t first = 0;     ///< The line of its first message.
    std::size_t messages = 0;  ///< How many of the entries are messages.
    std::string agent{};
    std::string call{};
    std::string prompt{};  ///< Its first message.
};

/// Reads one run among entries: that of a session, or of one subagent.
class ClaudeCodeReader {
public:
    ClaudeCodeReader(const std::vector<ClaudeCodeEntry>& entries, Repairs& repairs) : repairs_(repairs) {
        for (const ClaudeCodeEntry& entry : entries) add_entry(entry);
        std::set<std::string> trees;  // subagents whose lines name their parents
        for (const Line& line : lines_) {
            if (!base::text_member(line.json(), "parentUuid").empty()) trees.insert(branch_name(*line.entry));
        }
        std::map<std::string, std::size_t> newest;  // by subagent
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const ClaudeCodeEntry& entry = *lines_[i].entry;
            std::size_t& previous = newest.try_emplace(branch_name(entry), none).first->second;
            // Several subagents without names may be mixed.
            const bool is_tree = trees.contains(branch_name(entry)) || (entry.is_side && entry.agent.empty());
            lines_[i].parent = is_tree ? parent_of(lines_[i], previous) : previous;
            previous = i;
        }
    }

    EpisodicActionHistory<> read(bool lenient) {
        find_run();
        note_others();
        join_lines();
        add_totals();
        if (lenient) repair();
        std::vector<ReadMessage> out;
        for (Joined& one : joined_) append_messages(out, one);
        return history_of_messages(std::move(out));
    }

    /// Notes the lines that have no message, one note for each kind.
    void note_dropped() { dropped_.note(repairs_.report); }

    /// Returns the calls of the run that `read` returned.
    [[nodiscard]] std::vector<ClaudeCodeCall> calls_of(const EpisodicActionHistory<>& history) const;

    /// Returns the lines of subagents, which are not in the run, by subagent.
    [[nodiscard]] std::vector<ClaudeCodeChain> side_chains() const;

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// A line in the tree. Only some have a message.
    struct Line {
        const ClaudeCodeEntry* entry = nullptr;
        std::size_t parent = none;  ///< Of `lines_`.
        bool is_message = false;
        bool is_side = false;  ///< Belongs to a subagent, and the run does not.
        bool in_run = false;

        [[nodiscard]] const Json& json() const { return *entry->json; }
    };

    /// A message that may come from several lines.
    struct Joined {
        Json message{};
        std::size_t number = 0;
        StepMetrics metrics{};
        std::optional<Timestamp> last{};              ///< The time of its last line.
        std::map<std::size_t, std::size_t> blocks{};  ///< Of its content, by hash.
        bool is_open = false;                         ///< An answer without an id.
    };

    /// Returns a name for the session's own lines, or those of a subagent.
    static std::string branch_name(const ClaudeCodeEntry& entry) { return entry.is_side ? "side " + entry.agent : ""; }

    void drop(std::size_t number, std::string why) {
        repairs_.report.push_back({TrajectoryNoteKind::dropped, {}, {number}, std::move(why)});
    }

    void add_entry(const ClaudeCodeEntry& entry) {
        const Json& json = *entry.json;
        const bool is_message = is_claude_code_line(json);
        const bool is_total = !entry.is_side && is_claude_code_total(json);
        if (is_total) totals_.push_back(&entry);
        if (!is_message && !is_total) dropped_.add(base::text_member(json, "type"), entry.number);
        const std::string uuid = base::text_member(json, "uuid");
        if (!is_message && uuid.empty()) return;
        if (!uuid.empty()) {
            const auto [known, is_new] = places_.emplace(uuid, lines_.size());
            if (!is_new) {
                if (is_message) drop(entry.number, "The line repeats an earlier one");
                order_.push_back(known->second);
                return;
            }
        }
        order_.push_back(lines_.size());
        lines_.push_back({&entry, none, is_message, entry.is_side, false});
    }

    /// Returns the line before this one in the conversation. That is the previous one in the file if the line does not
    /// say, if what it names is lost, after a compaction, and if an answer or a result has no parent, which cannot
    /// begin a session.
    [[nodiscard]] std::size_t parent_of(const Line& line, std::size_t previous) const {
        const Json& json = line.json();
        const Json* const parent = base::find_key(json, "parentUuid");
        if (parent == nullptr) return previous;
        if (parent->is_null()) {
            const auto logical = places_.find(base::text_member(json, "logicalParentUuid"));
            if (logical != places_.end()) return logical->second;
            const Json* const summary = base::find_key(json, "isCompactSummary");
            const bool compacted =
                base::text_member(json, "subtype") == "compact_boundary" || (summary != nullptr && *summary == true);
            const bool begins =
                !line.is_message || (base::text_member(json, "type") == "user" && !has_block(line, "tool_result"));
            return compacted || !begins ? previous : none;
        }
        const auto named = places_.find(json_text(*parent));
        return named == places_.end() ? previous : named->second;
    }

    /// Marks the branch of the last message and its side branches: the other lines of its messages, and the results
    /// of their calls.
    void find_run() {
        const auto is_own = [](const Line& line) { return line.is_message && !line.is_side; };
        if (std::ranges::none_of(lines_, is_own)) {  // the file of a subagent, and perhaps of those that it began
            const auto first = std::ranges::find_if(lines_, &Line::is_message);
            const std::string agent = first == lines_.end() ? std::string() : first->entry->agent;
            for (Line& line : lines_)
                line.is_side = !agent.empty() && !line.entry->agent.empty() && line.entry->agent != agent;
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
            for_blocks(line, "tool_use", [&](const Json& block) { calls.insert(base::text_member(block, "id")); });
            for_blocks(line, "tool_result",
                       [&](const Json& block) { answered.insert(base::text_member(block, "tool_use_id")); });
        }
        for (Line& line : lines_) {
            if (line.in_run || !is_own(line)) continue;
            for_blocks(line, "tool_result", [&](const Json& block) {
                const std::string id = base::text_member(block, "tool_use_id");
                if (calls.contains(id) && answered.insert(id).second) line.in_run = true;
            });
        }
    }

    static std::string message_id(const Line& line) { return base::text_member(line.json()["message"], "id"); }

    template <class Function>
    static void for_blocks(const Line& line, std::string_view type, const Function& function) {
        const Json* const content = base::find_key(line.json()["message"], "content");
        if (content == nullptr || !content->is_array()) return;
        for (const Json& block : *content) {
            if (base::text_member(block, "type") == type) function(block);
        }
    }

    static bool has_block(const Line& line, std::string_view type) {
        bool out = false;
        for_blocks(line, type, [&out](const Json& /*block*/) { out = true; });
        return out;
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
            drop(lines_[first].entry->number, "A branch that was taken back: " + std::to_string(count) +
                                                  (count == 1 ? " line" : " lines") +
                                                  " that the last one does not follow");
        }
    }

    /// Joins the lines of one answer, which share its id. Without ids, a call belongs to the answer right before it.
    void join_lines() {
        std::map<std::string, std::size_t> places;
        for (const Line& line : lines_) {
            if (!line.in_run || !line.is_message) continue;
            const Json& message = line.json()["message"];
            note_foreign_call(line);
            const std::string id = message_id(line);
            std::size_t place = joined_.size();
            if (!id.empty())
                place = places.emplace(id, place).first->second;
            else if (has_block(line, "tool_use") && !joined_.empty() && joined_.back().is_open)
                place = joined_.size() - 1;
            if (place == joined_.size()) {
                joined_.push_back({message, line.entry->number, {}, {}});
                joined_.back().message.erase("id");
                joined_.back().is_open = id.empty() && base::text_member(message, "role") == "assistant";
            } else {
                append_blocks(joined_[place], message);
            }
            Joined& joined = joined_[place];
            for_blocks(line, "tool_use", [&](const Json& block) {
                begun_.try_emplace(base::text_member(block, "id"), line.entry->number);
            });
            if (base::text_member(message, "role") == "assistant") {
                set_metrics(joined, line.json(), message);
            } else if (const auto time = time_member(line.json(), "timestamp")) {
                for_blocks(line, "tool_result",
                           [&](const Json& block) { ended_[base::text_member(block, "tool_use_id")] = *time; });
            }
        }
    }

    /// Notes a call or a result that is kept as a block, since it is in a form of another library.
    void note_foreign_call(const Line& line) {
        const std::optional<Issue> foreign = foreign_call_in(line.json()["message"]);
        if (!foreign) return;
        DocumentLoc loc{line.entry->number, std::string("message")};
        loc.insert(loc.end(), foreign->loc.begin(), foreign->loc.end());
        repairs_.report.push_back(
            {TrajectoryNoteKind::kept, {}, std::move(loc), "Not read but kept as it is: " + foreign->message});
    }

    /// Appends the blocks that a message does not have yet.
    static void append_blocks(Joined& joined, const Json& message) {
        Json& content = joined.message["content"];
        const Json* const more = base::find_key(message, "content");
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
        set_usage(joined.metrics, base::find_key(message, "usage"));
        const std::string model = base::text_member(message, "model");
        if (model != "<synthetic>") joined.metrics.model = model;  // which the program itself writes
        if (const auto time = time_member(line, "timestamp")) {
            if (!joined.metrics.started_at) joined.metrics.started_at = time;
            joined.last = time;
        }
    }

    /// Adds what lines with totals say beyond the answers before them to the last of these: the cost, and the tokens
    /// that the lines of an answer, which are written before it ends, do not have.
    void add_totals() {
        double cost = 0;
        std::size_t next = 0;
        Joined* answer = nullptr;  // the last one before a line
        std::string text;          // of it
        for (const ClaudeCodeEntry* const total : totals_) {
            for (; next < joined_.size() && joined_[next].number < total->number; ++next) {
                if (base::text_member(joined_[next].message, "role") != "assistant") continue;
                answer = &joined_[next];
                const Json* const content = base::find_key(std::as_const(answer->message), "content");
                text = content == nullptr ? std::string() : content_text_of(*content);
            }
            if (answer == nullptr) {
                drop(total->number, "The totals of a run without an answer");
                continue;
            }
            note_end(*total, text);
            const Json* const stated = base::find_key(*total->json, "total_cost_usd");
            const double all = stated->is_number() ? stated->get<double>() : -1;
            if (all >= 0 && std::isfinite(all)) {
                // A later line of one run counts what an earlier one did.
                add(answer->metrics.cost_usd, all >= cost ? all - cost : all);
                cost = all;
            }
            if (totals_.size() == 1) add_tokens(*answer, base::find_key(*total->json, "usage"));
        }
    }

    /// Notes how a run ended if it failed, and a result that its last answer does not end with.
    void note_end(const ClaudeCodeEntry& total, std::string_view answer) {
        const Json* const error = base::find_key(*total.json, "is_error");
        const std::string end = base::text_member(*total.json, "subtype");
        if (error != nullptr && *error == true)
            drop(total.number, "The run ended with '" + (end == "success" ? "error" : end) + "'");
        if (!answer.ends_with(base::text_member(*total.json, "result")))
            drop(total.number, "The result of the run, which is not in its last answer");
    }

    template <class T>
    static void add(std::optional<T>& out, T more) {
        out = out.value_or(0) + more;
    }

    /// Adds the tokens of the run that no answer has to one of them.
    void add_tokens(Joined& answer, const Json* usage) {
        StepMetrics all;
        set_usage(all, usage);
        for (const auto member : {&StepMetrics::prompt_tokens, &StepMetrics::completion_tokens,
                                  &StepMetrics::cached_tokens, &StepMetrics::cache_write_tokens}) {
            if (!(all.*member)) continue;
            std::int64_t known = 0;
            for (const Joined& one : joined_) known = base::saturated_sum(known, (one.metrics.*member).value_or(0));
            if (*(all.*member) > known) add(answer.metrics.*member, *(all.*member) - known);
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

    /// Returns the id of the call that a subagent's first line hangs at; empty if it hangs at none, or at several.
    [[nodiscard]] std::string call_above(const Json& first) const {
        std::string id = base::text_member(first, "sourceToolUseID");
        for (const char* const key : {"sourceToolAssistantUUID", "parentUuid"}) {
            const auto above = places_.find(base::text_member(first, key));
            if (!id.empty() || above == places_.end() || !lines_[above->second].is_message) continue;
            std::size_t count = 0;
            for_blocks(lines_[above->second], "tool_use",
                       [&](const Json& block) { id = ++count == 1 ? base::text_member(block, "id") : std::string(); });
        }
        return id;
    }

    /// Returns the subagents that results of the run name, by call.
    [[nodiscard]] std::map<std::string, std::string> agents_of_results() const;

    Repairs& repairs_;
    DroppedLines dropped_{};
    std::vector<Line> lines_{};
    std::map<std::string, std::size_t> places_{};  // of lines, by uuid
    std::vector<std::size_t> order_{};             // of lines, repeated ones included
    std::vector<Joined> joined_{};
    std::vector<const ClaudeCodeEntry*> totals_{};  // lines with them
    std::map<std::string, Timestamp> ended_{};      // calls
    std::map<std::string, std::size_t> begun_{};    // lines of calls
};

ACTA_INLINE std::map<std::string, std::string> ClaudeCodeReader::agents_of_results() const {
    constexpr std::string_view mark = "agentId: ";  // in the text of a result, for the model
    std::map<std::string, std::string> agents;
    for (const Line& line : lines_) {
        if (!line.in_run || !line.is_message) continue;
        const Json* result = base::find_key(line.json(), "toolUseResult");
        if (result == nullptr) result = base::find_key(line.json(), "tool_use_result");  // of `stream-json`
        const std::string named = result == nullptr ? std::string() : base::text_member(*result, "agentId");
        std::size_t count = 0;
        for_blocks(line, "tool_result", [&](const Json& block) {
            std::string agent = count++ == 0 ? named : std::string();
            const Json* const content = base::find_key(block, "content");
            if (agent.empty() && content != nullptr) {
                const std::string text = content_text_of(*content);
                if (const std::size_t at = text.rfind(mark); at != std::string::npos) {
                    const std::size_t begin = at + mark.size();
                    agent = text.substr(begin, text.find_first_of(" \t\r\n,;.()", begin) - begin);
                }
            }
            if (!agent.empty()) agents[base::text_member(block, "tool_use_id")] = std::move(agent);
        });
    }
    return agents;
}

ACTA_INLINE std::vector<ClaudeCodeCall> ClaudeCodeReader::calls_of(const EpisodicActionHistory<>& history) const {
    const std::map<std::string, std::string> agents = agents_of_results();
    std::vector<ClaudeCodeCall> out;
    for (std::size_t i = 0; i < history.size(); ++i) {
        const auto& raw = history[i].action.raw_message;
        if (!raw || !raw->tool_calls) continue;
        for (const AssistantToolCall& made : *raw->tool_calls) {
            ClaudeCodeCall call{made.id, made.function.name, {}, {}, {}, i};
            const JsonObject& arguments = made.function.arguments;
            if (const Json* const prompt = base::find_key(arguments, "prompt")) call.prompt = json_text(*prompt);
            call.starts_agent = call.prompt && (call.name == "Task" || call.name == "Agent" ||
                                                base::find_key(arguments, "subagent_type") != nullptr);
            if (const auto agent = agents.find(made.id); agent != agents.end()) call.agent = agent->second;
            if (const auto line = begun_.find(made.id); line != begun_.end()) call.line = line->second;
            out.push_back(std::move(call));
        }
    }
    return out;
}

ACTA_INLINE std::vector<ClaudeCodeChain> ClaudeCodeReader::side_chains() const {
    std::vector<ClaudeCodeChain> chains;
    std::map<std::string, std::size_t> agents;
    std::vector<std::size_t> chain_of(lines_.size(), none);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        if (!lines_[i].is_side) continue;
        const ClaudeCodeEntry& entry = *lines_[i].entry;
        std::size_t chain = lines_[i].parent == none ? none : chain_of[lines_[i].parent];
        if (!entry.agent.empty()) chain = agents.emplace(entry.agent, chains.size()).first->second;
        if (chain == none) chain = chains.size();
        if (chain == chains.size()) chains.emplace_back().agent = entry.agent;
        chain_of[i] = chain;
        ClaudeCodeChain& of = chains[chain];
        if (of.entries.empty()) of.call = call_above(*entry.json);
        if (!entry.call.empty()) of.call = entry.call;
        of.entries.push_back(entry);
        if (!lines_[i].is_message || of.messages++ > 0) continue;
        of.first = entry.number;
        if (const Json* const content = base::find_key((*entry.json)["message"], "content"))
            of.prompt = content_text_of(*content);
    }
    std::erase_if(chains, [](const ClaudeCodeChain& chain) { return chain.messages == 0; });
    return chains;
}

/// Returns the entries of a session's lines.
ACTA_INLINE std::vector<ClaudeCodeEntry> claude_code_entries(const Json& lines) {
    std::vector<ClaudeCodeEntry> out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Json& line = lines[i];
        ClaudeCodeEntry entry{&line, i, base::text_member(line, "agentId"),
                              base::text_member(line, "parent_tool_use_id")};
        const Json* const side = base::find_key(line, "isSidechain");
        entry.is_side = (side != nullptr && *side == true) || !entry.call.empty();
        if (entry.agent.empty()) entry.agent = entry.call;
        out.push_back(std::move(entry));
        const Json* const data = base::find_key(line, "data");
        const Json* const inner = data == nullptr ? nullptr : base::find_key(*data, "message");
        if (inner == nullptr || base::text_member(*data, "type") != "agent_progress" || !is_claude_code_line(*inner))
            continue;
        ClaudeCodeEntry reported{inner, i, base::text_member(*data, "agentId"),
                                 base::text_member(line, "parentToolUseID")};
        reported.is_side = true;
        if (reported.agent.empty()) reported.agent = reported.call;
        out.push_back(std::move(reported));
    }
    return out;
}

/// Finds the calls that began the subagents of a session, from the run inwards, so that no run is within itself.
class ClaudeCodeSubRuns {
public:
    ClaudeCodeSubRuns(std::vector<ClaudeCodeChain> chains, bool lenient, Repairs& repairs)
        : repairs_(repairs), chains_(std::move(chains)) {
        runs_.resize(chains_.size() + 1);
        for (std::size_t i = 0; i < chains_.size(); ++i) read(i, lenient);
    }

    /// Returns the run with those of its subagents.
    EpisodicActionHistory<> with_sub_runs(EpisodicActionHistory<> history, std::vector<ClaudeCodeCall> calls) {
        runs_[main()].history = std::move(history);
        runs_[main()].calls = std::move(calls);
        index();
        claim_all();
        for (std::size_t i = claimed_.size(); i-- > 0;) {  // those within others first
            Run& run = runs_[claimed_[i]];
            Json json = to_json_value(complete(run));
            run.is_too_deep = base::is_deeper(json, max_run_depth);
            if (!run.is_too_deep)
                runs_[run.owner].sub_runs.emplace_back(run.place, SubRun{run.step, run.call, std::move(json)});
        }
        note_all();
        return complete(runs_[main()]);
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    static constexpr std::size_t max_depth = 16;  // of runs; JSON of a greater depth could not be read again

    /// The session's run, which is the last one, or the one of a chain.
    struct Run {
        std::optional<EpisodicActionHistory<>> history{};  ///< Empty if it cannot be read.
        std::vector<ClaudeCodeCall> calls{};
        Repairs repairs{};
        std::string error{};  ///< Why it cannot be read.
        bool is_too_deep = false;
        std::size_t owner = none;  ///< The run whose call began this one.
        std::size_t step = 0;      ///< Of the owner.
        std::size_t top_step = 0;  ///< Of the session.
        std::size_t depth = 0;
        std::string call{};
        std::string tool{};
        std::size_t place = 0;  ///< Of the call among those of the owner.
        std::vector<std::pair<std::size_t, SubRun>> sub_runs{};
    };

    [[nodiscard]] std::size_t main() const { return chains_.size(); }

    /// A chain that cannot be read does not make the session unreadable.
    void read(std::size_t chain, bool lenient) {
        Run& run = runs_[chain];
        run.repairs.report = BoundedReport(repairs_.report.max());
        try {
            ClaudeCodeReader reader(chains_[chain].entries, run.repairs);
            TrajectoryReport notes;
            run.history = recordable(with_failed_calls(reader.read(lenient), run.repairs), notes);
            run.repairs.report.append(std::move(notes));
            run.calls = reader.calls_of(*run.history);
        } catch (const ValidationError& error) {
            run.error = error.issues().front().pointer() + ": " + error.issues().front().message;
        }
    }

    void index() {
        for (std::size_t i = 0; i < chains_.size(); ++i) {
            if (!chains_[i].call.empty()) by_name_["call " + chains_[i].call].push_back(i);
            if (!chains_[i].agent.empty()) by_name_["agent " + chains_[i].agent].push_back(i);
        }
        std::vector<bool> is_named(chains_.size());
        for (const Run& run : runs_) {
            for (const ClaudeCodeCall& call : run.calls)
                for_named(call, [&](std::size_t chain) { is_named[chain] = true; });
        }
        for (std::size_t i = chains_.size(); i-- > 0;) {  // the first one at the end
            if (!is_named[i]) by_prompt_[{chains_[i].prompt, !chains_[i].agent.empty()}].push_back(i);
        }
    }

    /// Calls `function` with the chains that name the call, or that its result names.
    template <class Function>
    void for_named(const ClaudeCodeCall& call, const Function& function) {
        for (const std::string& name : {"call " + call.id, "agent " + call.id, "agent " + call.agent}) {
            const auto found = by_name_.find(name);
            if (found == by_name_.end()) continue;
            for (const std::size_t chain : found->second) function(chain);
        }
    }

    void claim_all() {
        std::size_t named = 0;
        std::size_t prompted = 0;
        std::vector<std::size_t> reached{main()};
        const auto add_claimed = [&] {
            for (std::size_t i = reached.size() - 1; i < claimed_.size(); ++i) reached.push_back(claimed_[i]);
        };
        while (prompted < reached.size()) {
            const bool by_name = named < reached.size();
            const std::size_t owner = reached[by_name ? named++ : prompted++];
            for (std::size_t i = 0; i < runs_[owner].calls.size(); ++i) {
                const ClaudeCodeCall& call = runs_[owner].calls[i];
                if (by_name)
                    for_named(call, [&](std::size_t chain) { claim(owner, call, chain); });
                else if (call.prompt && !taken_.contains({owner, i}))
                    claim(owner, call, chain_of_prompt(call));
            }
            add_claimed();
        }
        claim_last(reached);
    }

    /// Returns the first free chain that begins with the call's prompt. A call whose result names a subagent did not
    /// begin that of another one.
    std::size_t chain_of_prompt(const ClaudeCodeCall& call) {
        std::size_t out = none;
        for (const bool has_agent : {false, true}) {
            const auto found = by_prompt_.find({*call.prompt, has_agent});
            if (found == by_prompt_.end() || (has_agent && !call.agent.empty())) continue;
            std::vector<std::size_t>& left = found->second;
            while (!left.empty() && runs_[left.back()].owner != none) left.pop_back();
            if (!left.empty()) out = std::min(out, left.back());
        }
        return out;
    }

    /// If one subagent is left, and one call that begins subagents, they belong together.
    void claim_last(const std::vector<std::size_t>& reached) {
        std::size_t chain = none;
        std::size_t chains = 0;
        for (const auto& [prompt, left] : by_prompt_) {
            for (const std::size_t one : left) {
                if (runs_[one].owner != none) continue;
                chain = one;
                ++chains;
            }
        }
        std::size_t owner = none;
        std::size_t last = 0;
        std::size_t calls = 0;
        for (const std::size_t run : reached) {
            for (std::size_t i = 0; i < runs_[run].calls.size(); ++i) {
                if (!runs_[run].calls[i].starts_agent || taken_.contains({run, i})) continue;
                owner = run;
                last = i;
                ++calls;
            }
        }
        if (chains != 1 || calls != 1) return;
        const ClaudeCodeCall& call = runs_[owner].calls[last];
        const bool other = !call.agent.empty() && !chains_[chain].agent.empty();
        if (!other && chains_[chain].call.empty() && call.line < chains_[chain].first) claim(owner, call, chain);
    }

    void claim(std::size_t owner, const ClaudeCodeCall& call, std::size_t chain) {
        const Run& of = runs_[owner];
        const std::pair taken{owner, static_cast<std::size_t>(&call - of.calls.data())};
        if (chain == none || runs_[chain].owner != none || !runs_[chain].history || of.depth == max_depth) return;
        if (!taken_.insert(taken).second) return;
        Run& run = runs_[chain];
        run.owner = owner;
        run.step = call.step;
        run.top_step = owner == main() ? call.step : of.top_step;
        run.depth = of.depth + 1;
        run.place = taken.second;
        run.call = call.id;
        run.tool = call.name;
        claimed_.push_back(chain);
    }

    void note_all() {
        for (std::size_t i = 0; i < chains_.size(); ++i) {
            Run& run = runs_[i];
            const std::size_t count = chains_[i].messages;
            TrajectoryNote note{TrajectoryNoteKind::dropped, {}, {chains_[i].first}, {}};
            note.message = "A subagent's run of " + std::to_string(count) + (count == 1 ? " line" : " lines");
            if (run.owner != none) {
                if (!run.is_too_deep) note.kind = TrajectoryNoteKind::kept;
                note.step = run.top_step;
                note.message += ", which call '" + run.call + "' of " + run.tool + " began";
                if (run.is_too_deep) note.message += ", is nested too deeply";
            } else {
                note.message += run.error.empty() ? ", of no known call" : " cannot be read: " + run.error;
            }
            const bool is_kept = note.kind == TrajectoryNoteKind::kept;
            repairs_.report.push_back(std::move(note));
            if (!is_kept) continue;
            TrajectoryReport inner = run.repairs.report.take();
            for (TrajectoryNote& one : inner) one.step = run.top_step;
            repairs_.report.append(std::move(inner));
        }
    }

    static EpisodicActionHistory<> complete(Run& run) {
        if (run.sub_runs.empty()) return *std::move(run.history);
        HistoryRecord<ActionProposal<>> record = run.history->record();
        std::ranges::sort(run.sub_runs, {}, [](const auto& one) { return one.first; });
        for (auto& [place, sub_run] : run.sub_runs) record.sub_runs.push_back(std::move(sub_run));
        return EpisodicActionHistory<>(std::move(record));
    }

    Repairs& repairs_;
    std::vector<ClaudeCodeChain> chains_;
    std::vector<Run> runs_{};
    std::vector<std::size_t> claimed_{};  // chains, each after its owner
    std::map<std::string, std::vector<std::size_t>> by_name_{};
    std::map<std::pair<std::string, bool>, std::vector<std::size_t>> by_prompt_{};  // and whether they have an id
    std::set<std::pair<std::size_t, std::size_t>> taken_{};                         // calls: run, index
};

ACTA_INLINE EpisodicActionHistory<> read_claude_code(const Json& lines, bool lenient, Repairs& repairs) {
    const std::vector<ClaudeCodeEntry> entries = claude_code_entries(lines);
    ClaudeCodeReader reader(entries, repairs);
    reader.note_dropped();
    EpisodicActionHistory<> history = reader.read(lenient);
    std::vector<ClaudeCodeChain> chains = reader.side_chains();
    if (chains.empty()) return history;
    std::vector<ClaudeCodeCall> calls = reader.calls_of(history);
    return ClaudeCodeSubRuns(std::move(chains), lenient, repairs).with_sub_runs(std::move(history), std::move(calls));
}

}  // namespace acta::inline ACTA_ABI::interop_detail
