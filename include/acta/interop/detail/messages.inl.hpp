// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/chat/extension.hpp"
#include "acta/history/history.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/json.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/openai/wire.hpp"

// Runs that are read as a list of messages, each with its location in the document and what the answer took.
namespace acta::inline ACTA_ABI::interop_detail {

using DocumentLoc = std::vector<LocElement>;

/// A message that was read.
struct ReadMessage {
    ChatMessage message{};
    DocumentLoc loc{};
    StepMetrics metrics{};  ///< Of an answer of the model.
};

/// Returns the history in the messages, with their metrics. Issues have the locations of the messages.
[[nodiscard]] EpisodicActionHistory<> history_of_messages(std::vector<ReadMessage> read);

/// Returns the number at the first of these paths of keys, such as `details/cached`, that has one.
[[nodiscard]] std::optional<std::int64_t> first_count(const Json& object,
                                                      std::initializer_list<std::string_view> paths);

/// Sets the tokens that an API's usage states: OpenAI's, Anthropic's, or that of a library in between.
void set_usage(StepMetrics& metrics, const Json* usage);

/// Returns the moment that a member states; nothing if it states none.
[[nodiscard]] std::optional<Timestamp> time_member(const Json& object, const char* key);

/// Notes the totals of a run that no step has, as `info.model_stats` of SWE-agent.
void note_totals(BoundedReport& report, DocumentLoc loc, const std::string& name, const Json* totals);

/// Lines that are not read, of which there may be many: one note for each kind, at the first line.
class DroppedLines {
public:
    /// Adds the line with this index. `kind` is its type.
    void add(const std::string& kind, std::size_t line);
    void note(BoundedReport& report) const;

private:
    std::map<std::string, std::size_t> places_{};               // of kinds
    std::vector<std::pair<std::size_t, std::size_t>> lines_{};  // by kind: the first one, how many
    std::vector<std::string> kinds_{};
};

/// Collects messages of OpenAI's form from a document of another format. Results are placed right after their calls,
/// wherever they are in the document.
class MessageList {
public:
    /// Begins the next entry of the document, which the messages that are added next come from.
    void begin(DocumentLoc loc, std::optional<Timestamp> time = {});

    /// Adds a message without calls.
    void say(const char* role, Json content, const std::string& thought = {});

    /// Adds a call. Calls of one response of the model, whose name may be empty, are one message.
    void call(const std::string& response, const std::string& id, const std::string& name, const Json& arguments,
              const Json& text, const std::string& thought);

    /// Adds a call to the newest message of the model, which there must be.
    void add_call(const std::string& id, const std::string& name, const Json& arguments);

    /// Adds the result of a call; false if no call with this id is open.
    bool answer(const std::string& id, Json content, bool failed);
    /// The same for a call that a person refused.
    bool interrupt(const std::string& id, const std::string& reason);

    /// Returns the newest message of the model; null if there is none.
    [[nodiscard]] Json* newest_answer() { return entries_.empty() || newest_ == none ? nullptr : &at(newest_).message; }
    /// Returns its metrics. There must be one.
    [[nodiscard]] StepMetrics& newest_metrics() { return at(newest_).metrics; }
    /// Returns whether a call with this id is open.
    [[nodiscard]] bool is_open(const std::string& id) const { return open_.contains(id); }
    /// Returns the id of the first open call of the newest message with calls; empty if there is none.
    [[nodiscard]] std::string open_call();

    /// Returns the history, and leaves nothing here. Lenient reading repairs the messages first, and notes that.
    [[nodiscard]] EpisodicActionHistory<> history(bool lenient, Repairs& repairs);

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct Entry {
        Json message{};
        DocumentLoc loc{};
        StepMetrics metrics{};
        std::vector<DocumentLoc> calls{};  ///< The locations of its calls.
        std::vector<Entry> results{};
    };

    Entry& at(std::size_t i) { return entries_[i]; }
    [[nodiscard]] std::vector<Entry> take_all();
    [[nodiscard]] static DocumentLoc loc_of(const std::vector<Entry>& entries, const DocumentLoc& loc);

    std::vector<Entry> entries_{};
    DocumentLoc loc_{};
    std::optional<Timestamp> time_{};
    std::size_t newest_ = none;                  // message of the model
    std::size_t answered_ = 0;                   // calls of it before its first open one
    std::string response_{};                     // of the newest call
    std::map<std::string, std::size_t> open_{};  // calls without a result: their message
};

ACTA_INLINE EpisodicActionHistory<> history_of_messages(std::vector<ReadMessage> read) {
    std::vector<ChatMessage> messages;
    messages.reserve(read.size());
    for (ReadMessage& one : read) messages.push_back(std::move(one.message));
    EpisodicActionHistory<> history;
    try {
        history = history_from_messages(messages);
    } catch (const ValidationError& error) {
        std::vector<Issue> issues(error.issues().begin(), error.issues().end());
        for (Issue& issue : issues) issue.loc = read[std::get<std::size_t>(issue.loc.front())].loc;
        throw ValidationError("Trajectory", std::move(issues), error.truncated());
    }
    if (std::ranges::all_of(read, [](const ReadMessage& one) { return one.metrics == StepMetrics(); })) return history;
    HistoryRecord<ActionProposal<>> record = history.record();
    std::size_t step = 0;
    auto said = record.conversation.begin();
    for (std::size_t i = 0; i < read.size(); ++i) {
        if (messages[i].role != ChatRole::assistant) continue;
        const bool known = read[i].metrics != StepMetrics();
        if (!messages[i].tool_calls.empty()) {
            if (known) record.episodes[step].metrics.emplace(std::move(read[i].metrics));
            ++step;
            continue;
        }
        while (said->message.role != ChatRole::assistant) ++said;
        if (known) said->metrics.emplace(std::move(read[i].metrics));
        ++said;
    }
    return EpisodicActionHistory<>(std::move(record));
}

ACTA_INLINE std::optional<std::int64_t> first_count(const Json& object, std::initializer_list<std::string_view> paths) {
    for (const std::string_view path : paths) {
        const Json* const found = base::find_path(object, path);
        if (found == nullptr || !found->is_number_integer()) continue;
        if (const auto count = base::whole_number(*found)) return count;
    }
    return std::nullopt;
}

ACTA_INLINE void set_usage(StepMetrics& metrics, const Json* usage) {
    if (usage == nullptr || !usage->is_object()) return;
    const auto set = [](std::optional<std::int64_t>& out, const std::optional<std::int64_t>& count) {
        if (count && (*count != 0 || !out)) out = count;  // a program that reports parts ends with 0
    };
    const chat_extension::UsageCounts counts = chat_extension::usage_counts(*usage);
    set(metrics.cached_tokens, counts.cached);
    set(metrics.cache_write_tokens, counts.cache_write);
    set(metrics.reasoning_tokens, counts.reasoning);
    set(metrics.completion_tokens, counts.completion);
    set(metrics.prompt_tokens, counts.prompt);
}

ACTA_INLINE std::optional<Timestamp> time_member(const Json& object, const char* key) {
    const Json* const found = base::find_key(object, key);
    if (found == nullptr || !(found->is_string() || found->is_number())) return std::nullopt;
    if (const auto* const text = found->get_ptr<const std::string*>()) return parse_timestamp(*text);
    try {
        return validate<Timestamp>(*found);
    } catch (const ValidationError&) {
        return std::nullopt;
    }
}

ACTA_INLINE void note_totals(BoundedReport& report, DocumentLoc loc, const std::string& name, const Json* totals) {
    if (totals == nullptr || !totals->is_object() || totals->empty()) return;
    report.push_back({TrajectoryNoteKind::dropped,
                      {},
                      std::move(loc),
                      "The totals of the run, which belong to no step (" + name + "): " + json_text(*totals)});
}

ACTA_INLINE void DroppedLines::add(const std::string& kind, std::size_t line) {
    const auto [place, is_new] = places_.try_emplace(kind, lines_.size());
    if (is_new) {
        lines_.emplace_back(line, 0);
        kinds_.push_back(kind);
    }
    ++lines_[place->second].second;
}

ACTA_INLINE void DroppedLines::note(BoundedReport& report) const {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const auto [first, count] = lines_[i];
        const std::string kind = kinds_[i].empty() ? "without a type" : "of type '" + kinds_[i] + "'";
        report.push_back({TrajectoryNoteKind::dropped,
                          {},
                          {first},
                          std::to_string(count) + (count == 1 ? " line " : " lines ") + kind +
                              (count == 1 ? " is" : " are") + " not part of the conversation"});
    }
}

ACTA_INLINE void MessageList::begin(DocumentLoc loc, std::optional<Timestamp> time) {
    loc_ = std::move(loc);
    time_ = time;
}

ACTA_INLINE void MessageList::say(const char* role, Json content, const std::string& thought) {
    Entry entry;
    entry.message["role"] = role;
    entry.message["content"] = std::move(content);
    if (!thought.empty()) entry.message["reasoning_content"] = thought;
    entry.loc = loc_;
    if (entry.message["role"] == "assistant") {
        newest_ = entries_.size();
        answered_ = 0;
        entry.metrics.started_at = time_;
    }
    entries_.push_back(std::move(entry));
    response_.clear();
}

ACTA_INLINE void MessageList::call(const std::string& response, const std::string& id, const std::string& name,
                                   const Json& arguments, const Json& text, const std::string& thought) {
    if (response.empty() || response != response_) {
        say("assistant", text, thought);
        response_ = response;
    }
    add_call(id, name, arguments);
}

ACTA_INLINE void MessageList::add_call(const std::string& id, const std::string& name, const Json& arguments) {
    Entry& entry = at(newest_);
    Json call = Json::object();
    call["id"] = id;
    call["type"] = "function";
    call["function"] = Json::object();
    call["function"]["name"] = name.empty() ? "unknown" : name;
    call["function"]["arguments"] = arguments;
    entry.message["tool_calls"].push_back(std::move(call));
    entry.calls.push_back(loc_);
    open_.insert_or_assign(id, newest_);
}

ACTA_INLINE bool MessageList::answer(const std::string& id, Json content, bool failed) {
    const auto call = open_.find(id);
    if (call == open_.end()) return false;
    Entry result;
    result.message["role"] = "tool";
    result.message["tool_call_id"] = id;
    result.message["content"] = std::move(content);
    if (failed) result.message["is_error"] = true;
    result.loc = loc_;
    Entry& entry = at(call->second);
    if (time_) entry.metrics.finished_at = time_;
    entry.results.push_back(std::move(result));
    open_.erase(call);
    return true;
}

ACTA_INLINE bool MessageList::interrupt(const std::string& id, const std::string& reason) {
    return answer(id, to_string(ActionInterruptedByHuman{reason}), false);
}

ACTA_INLINE std::string MessageList::open_call() {
    if (newest_ == none) return {};
    const Json* const calls = base::find_key(std::as_const(at(newest_).message), "tool_calls");
    for (; calls != nullptr && answered_ < calls->size(); ++answered_) {
        std::string id = base::text_member((*calls)[answered_], "id");
        if (open_.contains(id)) return id;
    }
    return {};
}

ACTA_INLINE std::vector<MessageList::Entry> MessageList::take_all() {
    std::vector<Entry> out;
    for (Entry& entry : entries_) {
        std::vector<Entry> results = std::move(entry.results);
        out.push_back(std::move(entry));
        std::ranges::move(results, std::back_inserter(out));
    }
    entries_.clear();
    return out;
}

/// Returns the location in the document of a location in the list of messages.
ACTA_INLINE DocumentLoc MessageList::loc_of(const std::vector<Entry>& entries, const DocumentLoc& loc) {
    const auto number = [&loc](std::size_t i) {
        const auto* const found = i < loc.size() ? std::get_if<std::size_t>(&loc[i]) : nullptr;
        return found == nullptr ? none : *found;
    };
    if (number(0) >= entries.size()) return loc;
    const Entry& entry = entries[number(0)];
    return number(2) < entry.calls.size() ? entry.calls[number(2)] : entry.loc;
}

ACTA_INLINE EpisodicActionHistory<> MessageList::history(bool lenient, Repairs& repairs) {
    std::vector<Entry> entries = take_all();
    Json messages = Json::array();
    for (Entry& entry : entries) messages.push_back(std::move(entry.message));
    if (lenient) {
        const std::size_t first = repairs.report.size();
        repair_openai_messages(messages, {}, false, repairs);
        for (std::size_t i = first; i < repairs.report.size(); ++i)
            repairs.report[i].loc = loc_of(entries, repairs.report[i].loc);
    }
    std::vector<ReadMessage> read;
    try {
        std::vector<ChatMessage> list = openai::from_wire(messages);
        for (std::size_t i = 0; i < list.size(); ++i)
            read.push_back({std::move(list[i]), std::move(entries[i].loc), std::move(entries[i].metrics)});
    } catch (const ValidationError& error) {
        std::vector<Issue> issues(error.issues().begin(), error.issues().end());
        for (Issue& issue : issues) issue.loc = loc_of(entries, issue.loc);
        throw ValidationError("Trajectory", std::move(issues), error.truncated());
    }
    return history_of_messages(std::move(read));
}

}  // namespace acta::inline ACTA_ABI::interop_detail
