// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/text_places.hpp"
#include "acta/base/unicode.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/swe_agent/swe_agent.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"

// Lenient reading: a document is repaired so that the strict reader of its format accepts it. Each change is reported.
namespace acta::inline ACTA_ABI::interop_detail {

/// A report that is being written. Beyond a number of notes it only counts, so that a document of many small faults
/// does not become a report many times its size.
class BoundedReport {
public:
    explicit BoundedReport(std::size_t max = ParseOptions().max_issues) : max_(std::max<std::size_t>(max, 1)) {}

    void push_back(TrajectoryNote note) {
        if (notes_.size() < max_) return notes_.push_back(std::move(note));
        ++more_;
        worst_ = std::max(worst_, note.kind);
    }
    void append(TrajectoryReport notes) {
        for (TrajectoryNote& note : notes) push_back(std::move(note));
    }
    /// Appends what another report holds and counts.
    void append(BoundedReport other) {
        append(std::move(other.notes_));
        more_ += other.more_;
        worst_ = std::max(worst_, other.worst_);
    }
    /// Returns the number of notes that are kept.
    [[nodiscard]] std::size_t size() const noexcept { return notes_.size(); }
    [[nodiscard]] std::size_t max() const noexcept { return max_; }
    [[nodiscard]] TrajectoryNote& operator[](std::size_t i) { return notes_[i]; }
    /// Returns the notes, and one that counts the others.
    [[nodiscard]] TrajectoryReport take() {
        if (more_ > 0)
            notes_.push_back({worst_, {}, {}, std::to_string(more_) + (more_ == 1 ? " more note" : " more notes")});
        return std::move(notes_);
    }

private:
    std::size_t max_;
    std::size_t more_ = 0;
    TrajectoryNoteKind worst_ = TrajectoryNoteKind::kept;  // of those that are only counted
    TrajectoryReport notes_{};
};

/// The state that the repairers of all formats share: the report, and the calls whose results become errors.
struct Repairs {
    BoundedReport report{};
    std::set<std::pair<std::string, std::string>> malformed{};  ///< Calls: their names and arguments.
    std::optional<std::size_t> step{};                          ///< The step that the next notes refer to.

    void note(TrajectoryNoteKind kind, std::vector<LocElement> loc, std::string message) {
        report.push_back({kind, step, std::move(loc), std::move(message)});
    }
    /// The notes from the one at `first` on, and the next ones, refer to no step: what they are about is kept as text.
    void leave_step(std::size_t first) {
        for (std::size_t i = first; i < report.size(); ++i) report[i].step.reset();
        step.reset();
    }
};

/// Notes halves of surrogate pairs that were replaced in a text, and the line of the first one, if that is not 0.
void note_half_pairs(BoundedReport& report, std::vector<LocElement> loc, std::size_t count, std::size_t line = 0);

/// Returns a text unchanged, any other value as its JSON.
[[nodiscard]] std::string json_text(const Json& value);
/// Returns the text of a content in parts, or of any other value.
[[nodiscard]] std::string content_text_of(const Json& content);

/// Makes the arguments of a call an object: text that is not one is kept as `raw_arguments`.
void repair_arguments(Json& arguments, const std::string& name, std::vector<LocElement> loc, Repairs& repairs);

/// Returns `loc` followed by `steps`.
template <class... Steps>
[[nodiscard]] std::vector<LocElement> extend_path(std::vector<LocElement> loc, const Steps&... steps) {
    (loc.emplace_back(steps), ...);
    return loc;
}

/// Repairs a list of OpenAI's messages or, with `swe_agent`, SWE-agent's `history`.
void repair_openai_messages(Json& messages, const std::vector<LocElement>& loc, bool swe_agent, Repairs& repairs);
void repair_anthropic_messages(Json& messages, const std::vector<LocElement>& loc, Repairs& repairs);

/// Makes the results of malformed calls errors, in the runs of subagents as well.
[[nodiscard]] EpisodicActionHistory<> with_failed_calls(EpisodicActionHistory<> history, const Repairs& repairs);

inline constexpr const char* raw_arguments_key = "raw_arguments";

ACTA_INLINE void note_half_pairs(BoundedReport& report, std::vector<LocElement> loc, std::size_t count,
                                 std::size_t line) {
    std::string message = count == 1 ? "Half of a surrogate pair is read as U+FFFD"
                                     : std::to_string(count) + " halves of surrogate pairs are read as U+FFFD";
    if (line != 0) message += (count == 1 ? ", in line " : ", the first in line ") + std::to_string(line);
    report.push_back({TrajectoryNoteKind::changed, {}, std::move(loc), std::move(message)});
}

ACTA_INLINE std::string json_text(const Json& value) {
    if (const auto* const text = value.get_ptr<const std::string*>()) return *text;
    if (value.is_null()) return {};
    DumpOptions options;
    options.invalid_utf8 = InvalidUtf8::replace;
    return dump(value, options);
}

ACTA_INLINE std::string content_text_of(const Json& content) {
    if (!content.is_array()) return json_text(content);
    std::string out;
    for (const Json& part : content) {
        const Json* const text = base::find_key(part, "text");
        if (!out.empty()) out += '\n';
        out += json_text(text != nullptr && text->is_string() ? *text : part);
    }
    return out;
}

ACTA_INLINE void repair_arguments(Json& arguments, const std::string& name, std::vector<LocElement> loc,
                                  Repairs& repairs) {
    if (arguments.is_object()) return;
    if (arguments.is_null()) {
        arguments = Json::object();
        return;
    }
    if (std::optional<Json> object = json_object_of_text(arguments)) {
        arguments = *std::move(object);
        return;
    }
    std::string raw = json_text(arguments);
    repairs.note(
        TrajectoryNoteKind::kept, std::move(loc),
        "The arguments of '" + name + "' are not a JSON object: kept as 'raw_arguments', with an error result");
    repairs.malformed.emplace(name, raw);
    arguments = Json::object();
    arguments[raw_arguments_key] = std::move(raw);
}

ACTA_INLINE bool is_malformed(const AssistantFunctionCall& call, const Repairs& repairs) {
    if (call.arguments.size() != 1) return false;
    const auto raw = call.arguments.find(raw_arguments_key);
    if (raw == call.arguments.end() || !raw->second.is_string()) return false;
    return repairs.malformed.contains({call.name, raw->second.get_ref<const std::string&>()});
}

/// Returns the result of a malformed call, with the text of its original result as the reason.
ACTA_INLINE ActionResult failed_call(const std::optional<ActionResult>& result) {
    if (result && !is_success(*result)) return *result;
    ActionErrorResult error;
    error.reason = result ? content_text_of(std::get<ActionSuccessResult>(*result).outputs)
                          : "The arguments are not a JSON object.";
    return ActionResult(std::in_place_type<ActionErrorResult>, std::move(error));
}

ACTA_INLINE EpisodicActionHistory<> with_failed_calls(EpisodicActionHistory<> history, const Repairs& repairs) {
    if (repairs.malformed.empty()) return history;
    HistoryRecord<ActionProposal<>> record = history.record();
    for (std::size_t i = 0; i < record.episodes.size(); ++i) {
        Episode<>& episode = record.episodes[i];
        const auto calls = get_tools(episode.action);
        if (calls.size() == 1) {
            if (is_malformed(calls.front(), repairs)) episode.result = failed_call(episode.result);
            continue;
        }
        const std::vector<std::string> ids = history.tool_call_ids(i);
        const base::TextPlaces places(episode.tool_results, &ToolResult::tool_call_id);
        bool changed = false;
        std::vector<ToolResult> results;
        for (std::size_t c = 0; c < calls.size(); ++c) {
            const std::optional<std::size_t> place = places.find(ids[c]);
            const ToolResult* const own = place ? &episode.tool_results[*place] : nullptr;
            const bool malformed = is_malformed(calls[c], repairs);
            changed = changed || malformed;
            if (malformed)
                results.push_back({ids[c], failed_call(own != nullptr ? std::optional(own->result) : std::nullopt)});
            else if (own != nullptr)
                results.push_back(*own);
        }
        if (!changed) continue;
        episode.tool_results = std::move(results);
        if (episode.tool_results.size() == calls.size()) episode.result = joined_result(episode.tool_results);
    }
    for (SubRun& run : record.sub_runs) {
        try {
            auto inner = validate<EpisodicActionHistory<>>(std::as_const(run.history));
            run.history = to_json_value(with_failed_calls(std::move(inner), repairs));
        } catch (const ValidationError&) {  // acta's own note of a history of another type
        }
    }
    const bool open = !record.episodes.empty() && !record.episodes.back().result;
    record.cursor = std::ssize(record.episodes) - (open ? 1 : 0);
    return EpisodicActionHistory<>(std::move(record));
}

// Repairs lists of messages.

/// The calls of the newest message that have no result yet.
class OpenCalls {
public:
    struct Call {
        std::string id{};
        std::string name{};
        bool has_id = false;  ///< Of its own.
    };

    OpenCalls() = default;
    OpenCalls(const OpenCalls&) = delete;
    OpenCalls& operator=(const OpenCalls&) = delete;
    ~OpenCalls() = default;

    /// Begins the next message; `named` are the ids in its later results.
    void begin(std::set<std::string> named) {
        by_id_.clear();
        free_by_name_.clear();
        free_.clear();
        calls_.clear();
        next_number_ = 0;
        named_ = std::move(named);
    }
    /// Adds a call, with an id if it has none.
    void add(Json& id, std::string name) {
        const bool has_id = id.is_string() && !id.get_ref<const std::string&>().empty();
        if (!has_id) {
            next_number_ = std::max(next_number_, by_id_.size());
            std::string made;
            do made = "call_" + std::to_string(next_number_++);
            while (is_known(made));
            id = std::move(made);
        }
        const std::size_t place = calls_.size();
        calls_.push_back({id.get<std::string>(), std::move(name), has_id});
        const Call& call = calls_.back();
        by_id_.emplace(call.id, place);
        if (named_.contains(call.id)) return;
        free_.insert(place);
        free_by_name_.emplace(call.name, place);
    }

    /// Takes the call with this id; false if there is none.
    bool take(std::string_view id) {
        const auto one = first_of(by_id_, id);
        if (one == by_id_.end()) return false;
        take_at(one->second);
        return true;
    }
    /// Takes the first call of this tool, else the first of all, without those whose results are still to come; nothing
    /// if there is none.
    std::optional<Call> take_next(std::string_view name) {
        if (free_.empty()) return std::nullopt;
        const auto one = first_of(free_by_name_, name);
        const std::size_t place = one == free_by_name_.end() ? *free_.begin() : one->second;
        take_at(place);
        return calls_[place];
    }

private:
    using Places = std::set<std::pair<std::string_view, std::size_t>>;  // by a text of a call, in their order

    [[nodiscard]] static Places::const_iterator first_of(const Places& places, std::string_view text) {
        const auto found = places.lower_bound({text, 0});
        return found == places.end() || found->first != text ? places.end() : found;
    }
    [[nodiscard]] bool is_known(const std::string& id) const {
        return named_.contains(id) || first_of(by_id_, id) != by_id_.end();
    }
    void take_at(std::size_t place) {
        by_id_.erase({calls_[place].id, place});
        free_by_name_.erase({calls_[place].name, place});
        free_.erase(place);
    }

    std::deque<Call> calls_{};  // which does not move them
    std::set<std::string> named_{};
    std::size_t next_number_ = 0;  // all before it that were tried are known
    Places by_id_{};               // open calls
    Places free_by_name_{};        // those without a result to come
    std::set<std::size_t> free_{};
};

[[nodiscard]] ACTA_INLINE Json plain_message(const char* role, std::string content) {
    Json message = Json::object();
    message["role"] = role;
    message["content"] = std::move(content);
    return message;
}

[[nodiscard]] ACTA_INLINE Json text_block(std::string text) {
    Json block = Json::object();
    block["type"] = "text";
    block["text"] = std::move(text);
    return block;
}

/// Returns the text of the content of something that is kept as text; its JSON if that says nothing, as a blank text is
/// refused by APIs and shows nothing to people.
[[nodiscard]] ACTA_INLINE std::string kept_text(const Json& whole, const Json* content) {
    std::string out = content == nullptr ? std::string() : content_text_of(*content);
    return ascii::is_blank(out) ? dump(whole, {.invalid_utf8 = InvalidUtf8::replace}) : out;
}

/// Keeps a message that no reader accepts as a message of the system.
ACTA_INLINE void keep_as_text(Json& message, std::vector<LocElement> loc, const char* why, Repairs& repairs) {
    repairs.note(TrajectoryNoteKind::kept, std::move(loc), std::string(why) + ": kept as a system message");
    message = plain_message("system", kept_text(message, &message));
}

class OpenAIRepairer {
public:
    OpenAIRepairer(bool swe_agent, Repairs& repairs) : swe_agent_(swe_agent), repairs_(repairs) {}

    /// Repairs the message at `i`.
    void repair(Json& messages, std::size_t i, const std::vector<LocElement>& loc) {
        Json& message = messages[i];
        const std::string role = base::text_member(message, "role");
        const std::optional<std::size_t> newest = repairs_.step;
        const std::size_t first = repairs_.report.size();
        if (role == "assistant") {
            open_.begin(ids_named_after(messages, i));
            repair_assistant(message, loc);
        } else if (role == "tool") {
            repair_tool(message, loc);
        } else if (role == "system" || role == "user" || role == "developer" || role == "function") {
            repairs_.step.reset();
            Json* const content = base::find_key(message, "content");
            if (content == nullptr || !(content->is_string() || content->is_array())) {
                message["content"] = content == nullptr ? std::string() : json_text(*content);
                repairs_.note(TrajectoryNoteKind::changed, extend_path(loc, "content"), "Content is read as text");
            }
        }
        const bool is_read = is_readable(message);
        if (!is_read) {
            repairs_.leave_step(first);
            keep_as_text(message, loc, "The message cannot be read", repairs_);
        }
        if (role != "assistant" || !is_read) repairs_.step = newest;
    }

private:
    [[nodiscard]] bool is_readable(const Json& message) const {
        try {
            if (swe_agent_)
                static_cast<void>(validate<swe_agent::Message>(message));
            else
                static_cast<void>(openai::from_wire(Json::array({message})));
            return true;
        } catch (const ValidationError&) {
            return false;
        }
    }

    /// Returns the ids in results before the next message of the assistant.
    [[nodiscard]] std::set<std::string> ids_named_after(const Json& messages, std::size_t i) const {
        std::set<std::string> out;
        for (++i; i < messages.size() && base::text_member(messages[i], "role") != "assistant"; ++i) {
            if (base::text_member(messages[i], "role") != "tool") continue;
            out.insert(base::text_member(messages[i], "tool_call_id"));
            const Json* const ids = swe_agent_ ? base::find_key(messages[i], "tool_call_ids") : nullptr;
            for (std::size_t k = 0; ids != nullptr && ids->is_array() && k < ids->size(); ++k)
                out.insert(json_text((*ids)[k]));
        }
        return out;
    }

    void repair_assistant(Json& message, const std::vector<LocElement>& loc) {
        Json* const content = base::find_key(message, "content");
        if (content != nullptr && !(content->is_null() || content->is_string() || content->is_array()))
            *content = json_text(*content);
        Json* const calls = base::find_key(message, "tool_calls");
        Json* const function = base::find_key(message, "function_call");
        const bool many = calls != nullptr && calls->is_array() && !calls->empty();
        if (!many && (function == nullptr || !function->is_object())) return;
        // The steps of SWE-agent are also those without messages.
        if (!swe_agent_) repairs_.step = repairs_.step ? *repairs_.step + 1 : 0;
        if (!many) {
            repair_function(*function, extend_path(loc, "function_call"));
            return;
        }
        for (std::size_t i = 0; i < calls->size(); ++i) repair_call((*calls)[i], extend_path(loc, "tool_calls", i));
    }

    void repair_call(Json& call, const std::vector<LocElement>& loc) {
        const std::string type = base::text_member(call, "type");
        if (Json* const custom = base::find_key(call, "custom"); custom != nullptr && custom->is_object()) {
            Json function = Json::object();
            function["name"] = base::text_member(*custom, "name");
            function["arguments"] = Json::object();
            if (const Json* const input = base::find_key(*custom, "input")) function["arguments"]["input"] = *input;
            call.erase("custom");
            call["function"] = std::move(function);
            repairs_.note(TrajectoryNoteKind::changed, loc,
                          "A custom call is read as one of a function with the argument 'input'");
        } else if (base::find_key(call, "function") == nullptr || !call["function"].is_object()) {
            const std::string raw = json_text(call);
            const std::string id = base::text_member(call, "id");
            call = Json::object();
            call["id"] = id;
            call["function"] = Json::object();
            call["function"]["name"] = type.empty() ? "unknown" : type;
            call["function"]["arguments"] = raw;
            if (json_object_of_text(raw)) {
                call["function"]["arguments"] = *json_object_of_text(raw);
                repairs_.note(TrajectoryNoteKind::kept, loc, "Not a call of a function: kept whole as its arguments");
            }
        }
        call["type"] = "function";
        repair_function(call["function"], extend_path(loc, "function"));
        open_.add(call["id"], call["function"]["name"].get<std::string>());
    }

    void repair_function(Json& function, const std::vector<LocElement>& loc) {
        if (base::text_member(function, "name").empty()) {
            function["name"] = "unknown";
            repairs_.note(TrajectoryNoteKind::changed, extend_path(loc, "name"), "The call names no function");
        }
        repair_arguments(function["arguments"], function["name"].get<std::string>(), extend_path(loc, "arguments"),
                         repairs_);
    }

    void repair_tool(Json& message, const std::vector<LocElement>& loc) {
        Json* const content = base::find_key(message, "content");
        if (content == nullptr || !(content->is_string() || content->is_array()))
            message["content"] = content == nullptr ? std::string() : json_text(*content);
        if (swe_agent_) {
            repair_swe_agent_ids(message, loc);
            return;
        }
        const Json* const id = base::find_key(message, "tool_call_id");
        if (id != nullptr && id->is_string() && open_.take(id->get<std::string>())) return;
        if (id != nullptr && id->is_string() && !id->get<std::string>().empty()) {
            keep_result(message, loc);
            return;
        }
        std::string name = base::text_member(message, "tool_name");
        if (name.empty()) name = base::text_member(message, "name");
        std::optional<OpenCalls::Call> next = open_.take_next(name);
        if (!next) {
            keep_result(message, loc);
            return;
        }
        message["tool_call_id"] = next->id;
        if (!next->has_id) return;
        repairs_.note(TrajectoryNoteKind::changed, extend_path(loc, "tool_call_id"),
                      "A result without an id is read as that of the next open call");
    }

    void repair_swe_agent_ids(Json& message, const std::vector<LocElement>& loc) {
        Json* const ids = base::find_key(message, "tool_call_ids");
        if (ids != nullptr && ids->is_array() && ids->size() == 1 && (*ids)[0].is_string() &&
            open_.take((*ids)[0].get<std::string>()))
            return;
        if (ids != nullptr && ids->is_array() && ids->size() > 1) {
            bool all = true;
            for (const Json& id : *ids) all = all && id.is_string() && open_.take(id.get<std::string>());
            if (all) return;
        }
        std::optional<OpenCalls::Call> next =
            ids == nullptr || !ids->is_array() || ids->empty() ? open_.take_next({}) : std::nullopt;
        if (!next) {
            keep_result(message, loc);
            return;
        }
        message["tool_call_ids"] = Json::array({next->id});
        if (!next->has_id) return;
        repairs_.note(TrajectoryNoteKind::changed, extend_path(loc, "tool_call_ids"),
                      "A result without an id is read as that of the next open call");
    }

    void keep_result(Json& message, const std::vector<LocElement>& loc) {
        repairs_.note(TrajectoryNoteKind::kept, loc, "A result of no open call: kept as a system message");
        message = plain_message("system", kept_text(message, base::find_key(std::as_const(message), "content")));
    }

    bool swe_agent_;
    Repairs& repairs_;
    OpenCalls open_{};
};

ACTA_INLINE void repair_openai_messages(Json& messages, const std::vector<LocElement>& loc, bool swe_agent,
                                        Repairs& repairs) {
    OpenAIRepairer repairer(swe_agent, repairs);
    for (std::size_t i = 0; i < messages.size(); ++i) repairer.repair(messages, i, extend_path(loc, i));
}

class AnthropicRepairer {
public:
    explicit AnthropicRepairer(Repairs& repairs) : repairs_(repairs) {}

    /// Repairs the message at `i`.
    void repair(Json& messages, std::size_t i, const std::vector<LocElement>& loc) {
        Json& message = messages[i];
        const std::string role = base::text_member(message, "role");
        const std::optional<std::size_t> newest = repairs_.step;
        const std::size_t first = repairs_.report.size();
        if (role == "assistant") open_.begin(ids_named_after(messages, i));
        if (role != "user" && role != "assistant") {
            repairs_.step.reset();
            repairs_.note(TrajectoryNoteKind::kept, loc, "A message of another role: kept as a message of the user");
            message = plain_message("user", kept_text(message, base::find_key(std::as_const(message), "content")));
            repairs_.step = newest;
        }
        if (Json* const content = base::find_key(message, "content"); content != nullptr && content->is_array())
            repair_blocks(*content, role == "assistant", extend_path(loc, "content"));
        else if (content == nullptr || !content->is_string())
            message["content"] = content == nullptr ? std::string() : json_text(*content);
        try {
            static_cast<void>(anthropic::from_wire(Json::array({message})));
        } catch (const ValidationError&) {
            repairs_.leave_step(first);
            repairs_.note(TrajectoryNoteKind::kept, loc, "The message cannot be read: kept as a message of the user");
            message = plain_message("user", kept_text(message, &message));
            repairs_.step = newest;
        }
    }

private:
    /// Returns the ids in results before the next message of the assistant.
    [[nodiscard]] static std::set<std::string> ids_named_after(const Json& messages, std::size_t i) {
        std::set<std::string> out;
        for (++i; i < messages.size() && base::text_member(messages[i], "role") != "assistant"; ++i) {
            const Json* const content = base::find_key(messages[i], "content");
            if (content == nullptr || !content->is_array()) continue;
            for (const Json& block : *content) out.insert(base::text_member(block, "tool_use_id"));
        }
        return out;
    }

    void repair_blocks(Json& blocks, bool assistant, const std::vector<LocElement>& loc) {
        bool calls = false;
        for (const Json& block : blocks) calls = calls || base::text_member(block, "type") == "tool_use";
        if (assistant && calls) repairs_.step = repairs_.step ? *repairs_.step + 1 : 0;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const std::string type = base::text_member(blocks[i], "type");
            if (type.empty())
                blocks[i] = text_block(blocks[i].is_object() ? json_text(blocks[i]) : kept_text(blocks[i], &blocks[i]));
            else if (type == "tool_use")
                repair_call(blocks[i], extend_path(loc, i));
            else if (type == "tool_result")
                repair_result(blocks[i], extend_path(loc, i));
        }
    }

    void repair_call(Json& block, const std::vector<LocElement>& loc) {
        if (base::text_member(block, "name").empty()) {
            block["name"] = "unknown";
            repairs_.note(TrajectoryNoteKind::changed, extend_path(loc, "name"), "The call names no tool");
        }
        repair_arguments(block["input"], block["name"].get<std::string>(), extend_path(loc, "input"), repairs_);
        open_.add(block["id"], block["name"].get<std::string>());
    }

    void repair_result(Json& block, const std::vector<LocElement>& loc) {
        const std::string id = base::text_member(block, "tool_use_id");
        if (open_.take(id)) return;
        std::optional<OpenCalls::Call> next = id.empty() ? open_.take_next({}) : std::nullopt;
        if (next) {
            block["tool_use_id"] = next->id;
            repairs_.note(TrajectoryNoteKind::changed, extend_path(loc, "tool_use_id"),
                          "A result without an id is read as that of the next open call");
            return;
        }
        repairs_.note(TrajectoryNoteKind::kept, loc, "A result of no open call: kept as text");
        block = text_block(kept_text(block, base::find_key(std::as_const(block), "content")));
    }

    Repairs& repairs_;
    OpenCalls open_{};
};

ACTA_INLINE void repair_anthropic_messages(Json& messages, const std::vector<LocElement>& loc, Repairs& repairs) {
    AnthropicRepairer repairer(repairs);
    for (std::size_t i = 0; i < messages.size(); ++i) repairer.repair(messages, i, extend_path(loc, i));
}

}  // namespace acta::inline ACTA_ABI::interop_detail
