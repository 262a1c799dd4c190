// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/history/history_view.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "acta/view/detail/page.hpp"
#include "acta/view/detail/page_script.hpp"
#include "acta/view/html.hpp"

namespace acta::inline ACTA_ABI::view_detail {

/// Writes values as JSON that may be in a script element, in one line: `<` and all controls are escaped. Texts are
/// redacted, then cut, where they would take more than `max_bytes`.
class ShownJson {
public:
    ShownJson(std::string& out, const Redactor& redactor, std::size_t max_bytes)
        : out_(out), redactor_(redactor), max_bytes_(max_bytes) {}

    /// Appends a value. The members of its first `frame` levels are written whatever their number, and each value
    /// below them has the limit for itself.
    void write(const Json& value, int frame = 0);
    void write(std::string_view text);

    /// The number of values that were cut.
    [[nodiscard]] std::size_t cuts() const noexcept { return cuts_; }

private:
    static constexpr int deepest = 200;

    void write_value(const Json& value, int frame, int depth);
    void write_array(const Json& value, int frame, int depth);
    void write_object(const Json& value, int frame, int depth);
    void write_text(std::string_view text);
    void write_cut(const std::string& what);
    void write_escaped(std::string_view text);
    [[nodiscard]] bool is_full() const noexcept { return left_ == 0; }

    std::string& out_;
    const Redactor& redactor_;
    std::size_t max_bytes_;
    std::size_t left_ = 0;  // of the limit, for the value that is being written
    std::size_t cuts_ = 0;
};

ACTA_INLINE void ShownJson::write(const Json& value, int frame) {
    left_ = max_bytes_;
    write_value(value, frame, 0);
}

ACTA_INLINE void ShownJson::write(std::string_view text) {
    left_ = max_bytes_;
    write_text(text);
}

ACTA_INLINE void ShownJson::write_value(const Json& value, int frame, int depth) {
    switch (value.type()) {
        case Json::value_t::string: return write_text(value.get_ref<const std::string&>());
        case Json::value_t::array: return write_array(value, frame, depth);
        case Json::value_t::object: return write_object(value, frame, depth);
        case Json::value_t::number_float:
            // JSON has no such numbers, and a run that had one should not look as if it had none.
            if (const double number = value.get<double>(); !std::isfinite(number))
                return write_escaped(std::isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity");
            break;
        default: break;
    }
    const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    left_ -= std::min(left_, text.size());
    out_ += text;
}

ACTA_INLINE void ShownJson::write_array(const Json& value, int frame, int depth) {
    if (depth == deepest && !value.empty()) return write_cut("what is nested deeper");
    out_ += '[';
    std::size_t done = 0;
    for (const Json& item : value) {
        if (done != 0) out_ += ',';
        if (frame > 0) {
            left_ = max_bytes_;
        } else if (is_full()) {
            write_cut(std::to_string(value.size() - done) + " more items");
            break;
        }
        write_value(item, frame - 1, depth + 1);
        ++done;
    }
    out_ += ']';
}

ACTA_INLINE void ShownJson::write_object(const Json& value, int frame, int depth) {
    if (depth == deepest && !value.empty()) return write_cut("what is nested deeper");
    out_ += '{';
    std::size_t done = 0;
    for (const auto& [key, item] : value.get_ref<const Json::object_t&>()) {
        if (done != 0) out_ += ',';
        if (frame > 0) {
            write_escaped(key);
            left_ = max_bytes_;
        } else if (is_full()) {
            out_ += "\"\\u2026\":";
            write_cut(std::to_string(value.size() - done) + " more members");
            break;
        } else {
            write_text(key);
        }
        out_ += ':';
        write_value(item, frame - 1, depth + 1);
        ++done;
    }
    out_ += '}';
}

ACTA_INLINE void ShownJson::write_text(std::string_view text) {
    std::string redacted;
    if (redactor_) text = redacted = redactor_(text);
    const std::string_view kept = utf8::prefix(text, left_);
    left_ -= std::min(left_, std::max<std::size_t>(text.size(), 1));  // many empty texts also fill a page
    if (kept.size() == text.size()) return write_escaped(text);
    ++cuts_;
    left_ = 0;
    write_escaped(std::string(kept) + "\n[cut: " + std::to_string(text.size() - kept.size()) + " more bytes]");
}

ACTA_INLINE void ShownJson::write_cut(const std::string& what) {
    ++cuts_;
    write_escaped("[cut: " + what + "]");
}

ACTA_INLINE void ShownJson::write_escaped(std::string_view text) {
    const std::string json = dump(std::string(text), {.invalid_utf8 = InvalidUtf8::replace});
    for (const char c : json) {
        if (c == '<')
            out_ += "\\u003c";  // nothing in it ends the script element, or begins a comment
        else if (c == '\x7f')
            out_ += "\\u007f";
        else
            out_ += c;
    }
}

// The data of the page: lines of JSON, first what the page shows before any step, then a line for each row, a message
// or a step. The same follows for each run of an agent that was a tool, numbered in the order of the data, after all
// rows of the run that it is within, so that the page reads it when it is opened. The last line is what was cut,
// by which the page knows that it is complete. page.hpp has the other side.

[[nodiscard]] ACTA_INLINE char kind_of(const ChatMessage& message) noexcept {
    if (message.role == ChatRole::system) return 'S';
    return message.role == ChatRole::assistant ? 'A' : 'U';
}

[[nodiscard]] ACTA_INLINE char kind_of(ResultStatus status) noexcept {
    constexpr std::string_view kinds = "seio";
    return kinds[static_cast<std::size_t>(status)];
}

[[nodiscard]] ACTA_INLINE double milliseconds(std::chrono::microseconds time) noexcept {
    return static_cast<double>(time.count()) / 1000;
}

[[nodiscard]] ACTA_INLINE Json number_json(const std::optional<double>& number) {
    return number ? Json(*number) : Json();
}

[[nodiscard]] ACTA_INLINE std::optional<double> milliseconds_of(const StepMetrics& metrics) {
    const auto duration = metrics.duration();
    return duration ? std::optional(milliseconds(*duration)) : std::nullopt;
}

[[nodiscard]] ACTA_INLINE std::optional<double> tokens_of(const StepMetrics& metrics) {
    if (!metrics.prompt_tokens && !metrics.completion_tokens) return std::nullopt;
    return static_cast<double>(metrics.prompt_tokens.value_or(0)) +
           static_cast<double>(metrics.completion_tokens.value_or(0));
}

/// Appends `"name":[...]` with a number for each row, or nothing if no row has one.
ACTA_INLINE void write_column(std::string& out, const HistoryView& run, std::string_view name,
                              std::optional<double> (*number)(const StepMetrics&)) {
    std::string column;
    bool any = false;
    const auto add = [&](const Boxed<StepMetrics>& metrics) {
        const std::optional<double> one = metrics ? number(*metrics) : std::nullopt;
        any = any || one;
        column.append(column.empty() ? "" : ",").append(number_json(one).dump());
    };
    visit_in_order(
        run, [&](const ConversationMessage& message) { add(message.metrics); },
        [&](std::size_t i) { add(*run.step(i).metrics); });
    if (any) out.append(",\"").append(name).append("\":[").append(column).append("]");
}

ACTA_INLINE void write_kinds(std::string& out, const HistoryView& run) {
    out += ",\"kinds\":\"";
    visit_in_order(
        run, [&](const ConversationMessage& message) { out += kind_of(message.message); },
        [&](std::size_t i) { out += kind_of(status(*run.step(i).result)); });
    out += '"';
}

/// Appends the names of the tools, and for each step which of them it calls.
ACTA_INLINE void write_tools(std::string& out, ShownJson& json, const HistoryView& run) {
    std::map<std::string, std::size_t, std::less<>> numbers;
    std::vector<std::string_view> names;
    std::string calls;
    for (std::size_t i = 0; i < run.size(); ++i) {
        calls += i == 0 ? "[" : ",[";
        const char* separator = "";
        for (const AssistantFunctionCall& call : run.step(i).calls) {
            const auto [at, added] = numbers.try_emplace(call.name, names.size());
            if (added) names.push_back(at->first);
            calls.append(separator).append(std::to_string(at->second));
            separator = ",";
        }
        calls += ']';
    }
    out += ",\"tools\":[";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i != 0) out += ',';
        json.write(names[i]);
    }
    out.append("],\"calls\":[").append(calls).append("]");
}

[[nodiscard]] ACTA_INLINE std::string totals_text(const MetricsTotals& totals) {
    return Json{{"steps", totals.steps},
                {"steps_with_tokens", totals.steps_with_tokens},
                {"steps_with_cost", totals.steps_with_cost},
                {"prompt", totals.prompt_tokens},
                {"cached", totals.cached_tokens},
                {"completion", totals.completion_tokens},
                {"reasoning", totals.reasoning_tokens},
                {"cost", totals.cost_usd},
                {"ms", milliseconds(totals.time)}}
        .dump();
}

/// A run of a call that is still to be written.
struct PendingRun {
    std::string call{};
    const Json* history = nullptr;
};

/// Appends the members of a run's first line. `numbers` says which numbers its inner runs begin with.
ACTA_INLINE void write_head(std::string& out, ShownJson& json, const HistoryView& run, std::size_t numbers) {
    out.append("\"totals\":").append(totals_text(acta::totals(run))).append(",\"pending\":[");
    for (std::size_t i = 0; i < run.pending_feedback().size(); ++i) {
        if (i != 0) out += ',';
        json.write(std::string_view(run.pending_feedback()[i]));
    }
    out += ']';
    if (const RunRecord* const ended = unanswered_run(run)) {
        out += ",\"end\":";
        json.write(std::string_view(to_string(*ended)));
    }
    out += ",\"rolling\":";
    json.write(run.rolling_summary() == nullptr ? Json() : to_json_value(*run.rolling_summary()), 1);
    write_tools(out, json, run);
    write_column(out, run, "tokens", tokens_of);
    write_column(out, run, "ms", milliseconds_of);
    write_column(out, run, "cost", [](const StepMetrics& metrics) { return metrics.cost_usd; });
    const char* separator = ",\"runs\":[";
    for (const SubRun& one : run.sub_runs()) {
        out.append(separator).append("[").append(std::to_string(one.step)).append(",");
        out.append(std::to_string(numbers++)).append("]");
        separator = ",";
    }
    if (!run.sub_runs().empty()) out += ']';
    write_kinds(out, run);
    out += "}\n";
}

/// Appends a value with placeholders for its binary content.
ACTA_INLINE void write_shown(ShownJson& json, const Json& value, int frame) {
    const std::optional<Json> shown = without_binary(value);
    json.write(shown ? *shown : value, frame);
}

/// Appends a step's record. What is long in one member must not push out another, such as the status of a result.
ACTA_INLINE void write_episode(std::string& out, ShownJson& json, const Json& episode) {
    char separator = '{';
    for (const auto& [key, value] : episode.get_ref<const Json::object_t&>()) {
        out.append(1, separator).append(1, '"').append(key).append("\":");
        write_shown(json, value, key == "tool_results" ? 3 : 1);
        separator = ',';
    }
    out += '}';
}

/// Returns whether the calls are in the JSON of the proposal where the page looks for them: a proposal may be any
/// type, and have them elsewhere.
[[nodiscard]] ACTA_INLINE bool has_calls(const Json& action, std::span<const AssistantFunctionCall> calls) {
    const auto is_call = [](const Json& json, const AssistantFunctionCall& call) {
        return json.is_object() && json.contains("name") && json["name"] == call.name && json.contains("arguments") &&
               json["arguments"].is_object() && json["arguments"].size() == call.arguments.size();
    };
    if (!action.is_object()) return false;
    const auto many = action.find("use_tools");
    if (many == action.end() || !many->is_array() || many->empty())
        return calls.size() == 1 && action.contains("use_tool") && is_call(action["use_tool"], calls.front());
    if (many->size() != calls.size()) return false;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!is_call((*many)[i], calls[i])) return false;
    }
    return true;
}

ACTA_INLINE void write_step(std::string& out, ShownJson& json, const HistoryView& run, std::size_t i) {
    const Json episode = run.json(i);
    const auto calls = run.step(i).calls;
    const auto action = episode.find("action");
    const bool has_action = action != episode.end() && action->is_object();
    out += "{\"ids\":[";
    const char* separator = "";
    for (const std::string& id : run.call_ids(i)) {
        out += separator;
        json.write(std::string_view(id));
        separator = ",";
    }
    out += "]";
    if (!has_action || !action->contains("thoughts") || !(*action)["thoughts"].is_string()) {
        out += ",\"thoughts\":";
        json.write(std::string_view(hide_binary(run.thoughts(i))));
    }
    if (!has_action || !has_calls(*action, calls)) {
        Json list = Json::array();
        for (const AssistantFunctionCall& call : calls) list.push_back(to_json_value(call));
        out += ",\"calls\":";
        write_shown(json, list, 0);
    }
    out += ",\"episode\":";
    write_episode(out, json, episode);
    out += "}\n";
}

ACTA_INLINE void write_message(std::string& out, ShownJson& json, const ConversationMessage& message) {
    out += "{\"message\":";
    write_shown(json, to_json_value(message.message), 1);
    out += ",\"metrics\":";
    json.write(to_json_value(message.metrics), 1);
    out += "}\n";
}

/// Writes the page's data, piece by piece.
class PageData {
public:
    PageData(const HtmlOptions& options, const std::function<void(std::string_view)>& sink)
        : json_(out_, options.redactor, options.max_output_bytes), sink_(sink) {}

    void write(const HistoryView& run, std::string_view title) {
        out_ += "{\"title\":";
        json_.write(title);
        out_ += ',';
        for (const SubRun& one : run.sub_runs()) runs_.push_back({one.tool_call_id, &one.history});
        write_run(run, 0);
        for (std::size_t i = 0; i < runs_.size(); ++i) write_inner(i);
        out_.append("{\"cuts\":").append(std::to_string(json_.cuts())).append("}");
        flush(0);
    }

private:
    /// `numbers` says which numbers its inner runs begin with.
    void write_run(const HistoryView& run, std::size_t numbers) {
        write_head(out_, json_, run, numbers);
        visit_in_order(
            run,
            [&](const ConversationMessage& message) {
                write_message(out_, json_, message);
                flush(piece);
            },
            [&](std::size_t i) {
                write_step(out_, json_, run, i);
                flush(piece);
            });
    }

    /// Writes a run of a call. One that cannot be read is shown as JSON.
    void write_inner(std::size_t number) {
        const Json& json = *runs_[number].history;
        out_.append("{\"run\":").append(std::to_string(number)).append(",\"call\":");
        json_.write(std::string_view(runs_[number].call));
        out_ += ',';
        std::optional<EpisodicActionHistory<>> history;
        try {
            if (json.is_object() && json.contains("episodes")) history = validate<EpisodicActionHistory<>>(json);
        } catch (const ValidationError&) {
        }
        if (!history) {
            out_ += "\"raw\":";
            write_shown(json_, json, 0);
            out_ += "}\n";
            return;
        }
        const std::size_t numbers = runs_.size();
        for (std::size_t i = 0; i < history->sub_runs().size(); ++i)  // within the whole JSON, which stays where it is
            runs_.push_back({history->sub_runs()[i].tool_call_id, &json["sub_runs"][i]["history"]});
        write_run(*history, numbers);
    }

    void flush(std::size_t least) {
        if (out_.size() < least) return;
        sink_(out_);
        out_.clear();
    }

    static constexpr std::size_t piece = std::size_t{64} * 1024;

    std::string out_{};
    ShownJson json_;
    const std::function<void(std::string_view)>& sink_;
    std::vector<PendingRun> runs_{};  // by number
};

ACTA_INLINE void write_page(const HistoryView& run, const HtmlOptions& options,
                            const std::function<void(std::string_view)>& sink) {
    sink(page_before);
    PageData(options, sink).write(run, options.title);
    sink(page_after);
}

}  // namespace acta::inline ACTA_ABI::view_detail

#ifndef ACTA_COMPILED
#include "acta/view/detail/html.inl.hpp"
#endif
