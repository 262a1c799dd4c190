// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/describe/introspection.hpp"
#include "acta/history/episode.hpp"
#include "acta/interop/detail/recordable.hpp"
#include "acta/interop/swe_agent/swe_agent.hpp"
#include "acta/json/json.hpp"
#include "acta/version.hpp"

// Assigns the messages of a SWE-agent run to its steps. Both lists are in order, and either may have entries that the
// other does not have, so this is the heaviest common subsequence.
namespace acta::inline ACTA_ABI::interop_detail {

/// The key by which a message and a step are compared; views into the document.
struct SweAgentKey {
    std::string_view action{};
    std::optional<std::string_view> thought{};

    friend bool operator==(const SweAgentKey&, const SweAgentKey&) = default;
};

/// Returns how well two entries fit: 0 if they are different actions, more if the thoughts also agree.
ACTA_INLINE std::uint32_t swe_agent_fit(const SweAgentKey& message, const SweAgentKey& step) {
    if (message.action != step.action) return 0;
    return message.thought == step.thought ? 3 : 2;
}

/// The product of lengths from which an alignment takes the first fitting step instead of the best one.
inline constexpr std::size_t longest_swe_agent_table = std::size_t{1} << 22U;

/// For each message its step, in strictly increasing order.
using SweAgentPlaces = std::vector<std::optional<std::size_t>>;

/// The same, with the first step that fits. Linear, but for a logarithm of the steps.
ACTA_INLINE void align_swe_agent_by_first(std::span<const SweAgentKey> messages, std::span<const SweAgentKey> steps,
                                          std::size_t first, SweAgentPlaces& places) {
    std::map<std::string_view, std::vector<std::size_t>> of_action;  // steps, in order
    for (std::size_t s = 0; s < steps.size(); ++s) of_action[steps[s].action].push_back(s);
    std::size_t next = 0;
    for (std::size_t m = 0; m < messages.size() && next < steps.size(); ++m) {
        const auto found = of_action.find(messages[m].action);
        if (found == of_action.end()) continue;
        const auto step = std::ranges::lower_bound(found->second, next);
        if (step == found->second.end()) continue;
        places[first + m] = first + *step;
        next = *step + 1;
    }
}

ACTA_INLINE void align_swe_agent_by_table(std::span<const SweAgentKey> messages, std::span<const SweAgentKey> steps,
                                          std::size_t first, SweAgentPlaces& places) {
    const std::size_t width = steps.size() + 1;
    std::vector<std::uint32_t> best((messages.size() + 1) * width, 0);  // of the rest from (message, step) on
    for (std::size_t m = messages.size(); m-- > 0;) {
        for (std::size_t s = steps.size(); s-- > 0;) {
            const std::uint32_t fit = swe_agent_fit(messages[m], steps[s]);
            const std::uint32_t both = fit == 0 ? 0 : fit + best[(m + 1) * width + s + 1];
            best[m * width + s] = std::max({both, best[(m + 1) * width + s], best[m * width + s + 1]});
        }
    }
    std::size_t s = 0;
    for (std::size_t m = 0; m < messages.size() && s < steps.size();) {
        const std::uint32_t here = best[m * width + s];
        if (here == best[(m + 1) * width + s]) {
            ++m;
        } else if (here == best[m * width + s + 1]) {
            ++s;
        } else {
            places[first + m++] = first + s++;
        }
    }
}

/// Aligns messages with steps. Equal beginnings and ends are matched at once, so the usual file is read in linear time.
ACTA_INLINE SweAgentPlaces align_swe_agent(std::span<const SweAgentKey> messages, std::span<const SweAgentKey> steps) {
    SweAgentPlaces places(messages.size());
    std::size_t first = 0;
    while (first < messages.size() && first < steps.size() && messages[first] == steps[first]) {
        places[first] = first;
        ++first;
    }
    std::size_t m = messages.size();
    std::size_t s = steps.size();
    while (m > first && s > first && messages[m - 1] == steps[s - 1]) places[--m] = --s;
    messages = messages.subspan(first, m - first);
    steps = steps.subspan(first, s - first);
    if (messages.size() * steps.size() > longest_swe_agent_table)
        align_swe_agent_by_first(messages, steps, first, places);
    else
        align_swe_agent_by_table(messages, steps, first, places);
    return places;
}

}  // namespace acta::inline ACTA_ABI::interop_detail

namespace acta::inline ACTA_ABI {

namespace interop_detail {

ACTA_INLINE std::string swe_agent_text(const swe_agent::Message& message) {
    if (!message.content) return {};
    if (const auto* const text = std::get_if<std::string>(&*message.content)) return *text;
    std::string out;
    for (const JsonObject& part : std::get<std::vector<JsonObject>>(*message.content)) {
        const auto text = part.find("text");
        if (text == part.end() || !text->second.is_string()) continue;
        if (!out.empty()) out += '\n';
        out += text->second.get_ref<const std::string&>();
    }
    return out;
}

/// Returns a command as a call: its first word is the tool, the whole command the argument `command`. An empty command
/// becomes the call without a name, which stands for none.
ACTA_INLINE AssistantFunctionCall command_call(std::string_view command) {
    constexpr std::string_view blanks = " \t\r\n";
    AssistantFunctionCall call;
    const std::size_t first = command.find_first_not_of(blanks);
    if (first == std::string_view::npos) return call;
    const std::size_t end = std::min(command.find_first_of(blanks, first), command.size());
    call.name = std::string(command.substr(first, end - first));
    call.arguments.emplace("command", std::string(command));
    return call;
}

/// Returns the line at the beginning or, with `last`, at the end of a text.
ACTA_INLINE std::string_view outer_line(std::string_view text, bool last) {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
    if (last) return text.substr(text.rfind('\n') + 1);  // 0 without any
    return text.substr(0, text.find('\n'));
}

/// Returns whether a line is the shell's message that it could not run a word of the command, or not redirect to it:
/// `/bin/bash: line 1: pytset: command not found`, `bash: ./run.sh: Permission denied`.
ACTA_INLINE bool is_shell_failure(std::string_view line, std::string_view command) {
    const auto base_name = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
    const std::string_view shell = base_name(line.substr(0, line.find(": ")));
    if (shell != "bash" && shell != "-bash" && shell != "sh") return false;
    for (const std::string_view end : {": command not found", ": Permission denied"}) {
        if (!line.ends_with(end)) continue;
        line.remove_suffix(end.size());
        const std::string_view word = base_name(line.substr(line.rfind(' ') + 1));
        return !word.empty() && command.find(word) != std::string_view::npos;
    }
    return false;
}

/// Removes the prompt that follows an output in the messages for the model:
/// `(Open file: n/a)`, `(Current directory: /repo)`, `bash-$`, a line each.
[[nodiscard]] ACTA_INLINE std::string_view without_prompt(std::string_view output) {
    if (outer_line(output, true) != "bash-$") return output;
    const auto remove = [&output](std::string_view line) {
        output = output.substr(0, static_cast<std::size_t>(line.data() - output.data()));
    };
    remove(outer_line(output, true));
    constexpr std::string_view states[] = {"(Current directory: ", "(Open file: ", "(Interactive session: "};
    for (std::string_view line = outer_line(output, true);
         std::ranges::any_of(states, [line](std::string_view state) { return line.starts_with(state); });
         line = outer_line(output, true))
        remove(line);
    return output;
}

/// Returns whether an output ends with what SWE-agent appends if a command was stopped or could not be executed. These
/// are whole lines in capitals, after the output that there was.
ACTA_INLINE bool ends_with_failure(std::string_view output) {
    std::string_view line = outer_line(output, true);
    for (const std::string_view advice : {"PLEASE REFINE YOUR RUNNING COMMAND", "IF YOU WANT TO VIEW BINARY FILES"}) {
        if (!line.starts_with(advice)) continue;
        line = outer_line(output.substr(0, static_cast<std::size_t>(line.data() - output.data())), true);
        break;
    }
    // The version of 2025 appends it without a line break.
    if (line.ends_with("COMMAND FAILED TO EXECUTE. RESTARTING PROCESS.")) return true;
    constexpr std::string_view failures[] = {
        "EXECUTION TIMED OUT",
        "COMMAND FAILED TO EXECUTE",
        "BROKEN PIPE ERROR",
        "EXECUTION FAILED OR COMMAND MALFORMED",
        "COMMAND PRODUCED TOO MANY NON-UNICODE CHARACTERS",
        "EXIT DUE TO ",
    };
    return std::ranges::any_of(failures, [line](std::string_view words) { return line.starts_with(words); }) &&
           std::ranges::none_of(line, [](char c) { return c >= 'a' && c <= 'z'; });
}

/// Returns whether an output says, in words of SWE-agent or of the shell, that the command failed. A file that has such
/// words somewhere does not.
ACTA_INLINE bool swe_agent_failed(std::string_view output, std::string_view command) {
    for (const std::string_view prefix : {"OBSERVATION:", "Observation:"}) {
        if (output.starts_with(prefix)) output.remove_prefix(prefix.size());
    }
    output = without_prompt(output);
    output.remove_prefix(std::min(output.find_first_not_of(" \t\r\n"), output.size()));
    constexpr std::string_view failures[] = {
        "Your bash command contained syntax errors and was NOT executed",
        "Your proposed edit has introduced new syntax error(s)",
        "No replacement was performed",
    };
    if (std::ranges::any_of(failures, [output](std::string_view words) { return output.starts_with(words); }))
        return true;
    const std::string_view first = outer_line(output, false);
    if (first.starts_with("Operation '") && first.find("' is not supported by this environment") != first.npos)
        return true;
    // It quotes the command, which may have several lines.
    constexpr std::string_view cancelled = "' was cancelled because it took more than ";
    if (output.starts_with("The command '") && output.find(cancelled) != output.npos) return true;
    return ends_with_failure(output) || is_shell_failure(first, command) ||
           is_shell_failure(outer_line(output, true), command);
}

/// Returns the result of a command with this output.
ACTA_INLINE ActionResult command_result(std::string output, std::string_view command) {
    if (swe_agent_failed(output, command)) {
        ActionErrorResult error;
        error.reason = std::move(output);
        return ActionResult(std::in_place_type<ActionErrorResult>, std::move(error));
    }
    ActionSuccessResult success;
    success.outputs = std::move(output);
    return success;
}

/// Returns a step that is only in `trajectory`.
ACTA_INLINE Episode<> swe_agent_episode(const swe_agent::Step& step) {
    Episode<> episode;
    episode.action.use_tool = command_call(step.action);
    episode.action.thoughts = step.thought.value_or(step.response.value_or(""));
    if (step.response) episode.action.raw_message.emplace().content = *step.response;
    if (step.observation) episode.result = command_result(*step.observation, step.action);
    return episode;
}

class SweAgentReader {
public:
    explicit SweAgentReader(const swe_agent::Document& document) : document_(document) {}

    EpisodicActionHistory<> read() {
        if (!document_.history && !document_.trajectory)
            add_issue({std::string("trajectory")}, "missing", "Either 'trajectory' or 'history' is required");
        if (document_.history) {
            const std::vector<swe_agent::Message>& messages = *document_.history;
            for (std::size_t i = 0; i < messages.size(); ++i) {
                if (!messages[i].is_demo.value_or(false)) read_message(messages[i], i);
            }
            close_step();
        }
        if (!issues_.empty())
            throw ValidationError(introspection::type_title<swe_agent::Document>(), std::move(issues_));
        if (document_.trajectory) use_trajectory(*document_.trajectory);
        return finish();
    }

private:
    void add_issue(std::vector<LocElement> loc, std::string type, std::string message) {
        issues_.push_back({std::move(loc), std::move(type), std::move(message)});
    }

    void read_message(const swe_agent::Message& message, std::size_t i) {
        switch (message.role) {
            case ChatRole::assistant: read_assistant(message, i); return;
            case ChatRole::tool: read_tool(message, i); return;
            case ChatRole::system: break;
            case ChatRole::user:
                // A model without function calls gets the output of a command as a user's message.
                if (!episodes_.empty() && answers_.size() == 1 && !answers_.front() && !by_id_) {
                    answers_.front() = command_result(swe_agent_text(message), keys_.back().action);
                    return;
                }
                break;
        }
        said_.push_back({episodes_.size(), {message.role, swe_agent_text(message)}});
    }

    void read_assistant(const swe_agent::Message& message, std::size_t i) {
        close_step();
        Episode<> episode;
        AssistantChatMessage& raw = episode.action.raw_message.emplace();
        raw.content = swe_agent_text(message);
        episode.action.thoughts = message.thought.value_or(raw.content);
        keys_.push_back({message.action ? std::string_view(*message.action) : std::string_view(), message.thought});
        by_id_ = message.tool_calls && !message.tool_calls->empty();
        if (by_id_) {
            raw.tool_calls.emplace();
            for (std::size_t c = 0; c < message.tool_calls->size(); ++c) {
                const swe_agent::ToolCall& call = (*message.tool_calls)[c];
                raw.tool_calls->push_back({call.id, {call.function.name, read_arguments(call, i, c)}});
            }
            episode.action.use_tool = raw.tool_calls->front().function;
            if (raw.tool_calls->size() > 1) {
                for (const AssistantToolCall& call : *raw.tool_calls) episode.action.use_tools.push_back(call.function);
            }
        } else {
            episode.action.use_tool = command_call(keys_.back().action);
        }
        answers_.assign(get_tools(episode.action).size(), std::nullopt);
        places_.clear();
        for (std::size_t c = 0; by_id_ && c < answers_.size(); ++c) places_.emplace((*raw.tool_calls)[c].id, c);
        episodes_.push_back(std::move(episode));
    }

    JsonObject read_arguments(const swe_agent::ToolCall& call, std::size_t i, std::size_t c) {
        if (const auto* const object = std::get_if<JsonObject>(&call.function.arguments)) return *object;
        const std::string& text = std::get<std::string>(call.function.arguments);
        if (text.empty()) return {};
        try {
            return parse<JsonObject>(text, {.keep_large_numbers = true});
        } catch (const ValidationError& error) {
            add_issue({std::string("history"), i, std::string("tool_calls"), c, std::string("function"),
                       std::string("arguments")},
                      error.issues().front().type,
                      "The arguments of call '" + call.id + "' of " + call.function.name +
                          " are not a JSON object: " + error.issues().front().message);
        }
        return {};
    }

    void read_tool(const swe_agent::Message& message, std::size_t i) {
        const std::vector<std::string> ids = message.tool_call_ids.value_or(std::vector<std::string>());
        if (ids.empty() && answers_.size() == 1 && !answers_.front()) {
            answers_.front() = command_result(swe_agent_text(message), keys_.back().action);
            return;
        }
        if (ids.empty()) {
            add_issue({std::string("history"), i, std::string("tool_call_ids")}, "missing",
                      "Field required: without it the call that this answers is unknown");
        }
        for (std::size_t k = 0; k < ids.size(); ++k) {
            const auto place = places_.find(ids[k]);
            const bool known = place != places_.end();
            if (known && !answers_[place->second]) {
                answers_[place->second] = command_result(swe_agent_text(message), keys_.back().action);
                continue;
            }
            add_issue({std::string("history"), i, std::string("tool_call_ids"), k},
                      known ? "tool_call_answered" : "tool_call_unknown",
                      known ? "Call '" + ids[k] + "' has its result already"
                            : "No call with id '" + ids[k] + "' in the assistant's message before this result");
        }
    }

    /// Moves the answers read so far to the newest step.
    void close_step() {
        if (episodes_.empty() || answers_.empty()) return;
        Episode<>& episode = episodes_.back();
        if (answers_.size() == 1) {
            episode.result = std::move(answers_.front());
        } else {
            const std::vector<std::string> ids = call_ids(answers_.size(), &*episode.action.raw_message);
            for (std::size_t c = 0; c < answers_.size(); ++c) {
                if (answers_[c]) episode.tool_results.push_back({ids[c], std::move(*answers_[c])});
            }
            if (episode.tool_results.size() == answers_.size()) episode.result = joined_result(episode.tool_results);
        }
        answers_.clear();
    }

    /// The steps record what happened: `history` has outputs as the model saw them, surrounded by prompts and notes.
    /// But only its messages have the calls. So each step takes the message that it came from, if there is one.
    void use_trajectory(const std::vector<swe_agent::Step>& steps) {
        std::vector<SweAgentKey> keys;
        keys.reserve(steps.size());
        for (const swe_agent::Step& step : steps) keys.push_back({step.action, step.thought});
        const SweAgentPlaces places = align_swe_agent(keys_, keys);
        if (std::ranges::none_of(places, [](const auto& place) { return place.has_value(); })) {
            episodes_.clear();
            episodes_.reserve(steps.size());
            for (const swe_agent::Step& step : steps) episodes_.push_back(swe_agent_episode(step));
            for (ConversationMessage& one : said_) one.before = 0;
            return;
        }
        std::vector<Episode<>> messages = std::exchange(episodes_, {});
        episodes_.reserve(std::max(messages.size(), steps.size()));
        std::vector<std::size_t> ends{0};  // by message: where the one before it ended
        ends.reserve(messages.size() + 1);
        std::size_t next = 0;
        for (std::size_t m = 0; m < messages.size(); ++m) {
            for (; places[m] && next < *places[m]; ++next) episodes_.push_back(swe_agent_episode(steps[next]));
            if (places[m]) take_observation(messages[m], steps[next++]);
            episodes_.push_back(std::move(messages[m]));
            ends.push_back(episodes_.size());
        }
        for (; next < steps.size(); ++next) episodes_.push_back(swe_agent_episode(steps[next]));
        for (ConversationMessage& one : said_) one.before = ends[one.before];
    }

    /// Takes an observation as the output of a step's only call, or of all its calls unless each has its own result.
    static void take_observation(Episode<>& episode, const swe_agent::Step& step) {
        if (!step.observation) return;
        const bool by_call = episode.action.use_tools.size() > 1;
        if (!by_call || (!episode.result && episode.tool_results.empty()))
            episode.result = command_result(*step.observation, step.action);
    }

    /// Answers without a command are not steps, but part of the conversation, and so are the replies to them.
    EpisodicActionHistory<> finish() {
        HistoryRecord<ActionProposal<>> record;
        const auto add_message = [&record](ChatMessage message) {
            record.conversation.push_back({record.episodes.size(), std::move(message)});
        };
        auto next = said_.begin();
        for (std::size_t i = 0; i <= episodes_.size(); ++i) {
            for (; next != said_.end() && next->before <= i; ++next) add_message(std::move(next->message));
            if (i == episodes_.size()) break;
            Episode<>& episode = episodes_[i];
            if (has_tool_call(episode.action)) {
                record.episodes.push_back(std::move(episode));
                continue;
            }
            const std::optional<AssistantChatMessage>& raw = episode.action.raw_message;
            add_message(ChatMessage::assistant(raw ? raw->content : episode.action.thoughts));
            if (const std::string answer = episode.result ? to_string(*episode.result) : ""; !answer.empty())
                add_message(ChatMessage::user(answer));
        }
        const bool open = !record.episodes.empty() && !record.episodes.back().result;
        record.cursor = std::ssize(record.episodes) - (open ? 1 : 0);
        return EpisodicActionHistory<>(std::move(record));
    }

    const swe_agent::Document& document_;
    std::vector<Issue> issues_{};
    std::vector<Episode<>> episodes_{};
    std::vector<SweAgentKey> keys_{};                     // by episode
    std::vector<ConversationMessage> said_{};             // before which episode
    std::vector<std::optional<ActionResult>> answers_{};  // to the calls of the newest episode
    std::map<std::string, std::size_t> places_{};         // of its calls, by id
    bool by_id_ = false;
};

ACTA_INLINE EpisodicActionHistory<> read_swe_agent(const swe_agent::Document& document, TrajectoryReport& notes) {
    return recordable(SweAgentReader(document).read(), notes);
}

}  // namespace interop_detail

ACTA_INLINE EpisodicActionHistory<> swe_agent::to_history(const swe_agent::Document& document) {
    TrajectoryReport notes;
    return interop_detail::read_swe_agent(document, notes);
}

}  // namespace acta::inline ACTA_ABI
