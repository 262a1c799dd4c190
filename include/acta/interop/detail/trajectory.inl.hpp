// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/atif/detail/atif.inl.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/openhands/detail/events.inl.hpp"
#include "acta/interop/swe_agent/swe_agent.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"

// Sessions of Claude Code: JSON lines, each of which wraps a message of Anthropic's API.
namespace acta::inline ACTA_ABI::interop_detail {

[[nodiscard]] inline bool is_claude_code_line(const Json& line) {
    const Json* const message = json_member(line, "message");
    return message != nullptr && !string_member(*message, "role").empty();
}
/// Returns whether a list has lines of a session.
[[nodiscard]] inline bool is_claude_code(const Json& lines) { return std::ranges::any_of(lines, is_claude_code_line); }

/// Returns the messages of a session. Lines of one message, which share its id, are joined.
[[nodiscard]] inline Json claude_code_messages(const Json& lines, TrajectoryReport& report) {
    Json messages = Json::array();
    std::string last;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Json* const message = json_member(lines[i], "message");
        if (!is_claude_code_line(lines[i])) {
            report.push_back({TrajectoryNoteKind::dropped, {}, {i}, "The line has no message"});
            continue;
        }
        const std::string id = string_member(*message, "id");
        const Json* const more = json_member(*message, "content");
        if (!id.empty() && id == last && more != nullptr && more->is_array() && messages.back()["content"].is_array()) {
            for (const Json& block : *more) messages.back()["content"].push_back(block);
            continue;
        }
        last = id;
        messages.push_back(*message);
        messages.back().erase("id");
    }
    return messages;
}

}  // namespace acta::inline ACTA_ABI::interop_detail

namespace acta::inline ACTA_ABI::interop_detail {

ACTA_INLINE void repair_swe_agent(Json& document, Repairs& repairs) {
    const std::string steps_key = "trajectory";
    if (Json* const steps = json_member(document, "trajectory"); steps != nullptr && steps->is_array()) {
        for (std::size_t i = 0; i < steps->size(); ++i) {
            Json& step = (*steps)[i];
            try {
                static_cast<void>(validate<swe_agent::Step>(step));
            } catch (const ValidationError&) {
                repairs.note(TrajectoryNoteKind::kept, {steps_key, i},
                             "The step cannot be read: kept as the response of a step without an action");
                std::string text = json_text(step);
                step = Json::object();
                step["action"] = "";
                step["response"] = std::move(text);
            }
        }
    }
    if (Json* const messages = json_member(document, "history"); messages != nullptr && messages->is_array())
        repair_openai_messages(*messages, {std::string("history")}, true, repairs);
}

}  // namespace acta::inline ACTA_ABI::interop_detail

// The document of a run: one JSON value, or one per line.
namespace acta::inline ACTA_ABI::interop_detail {

struct TrajectoryDocument {
    Json value{};
    bool is_lines = false;  ///< `value` is a list of the lines' values.
};

/// Returns the values of JSON lines; nothing if the first line that is not blank is not a JSON object. Lenient reading
/// omits other lines that are not JSON, such as the last one of a run that was cut off.
inline std::optional<Json> read_json_lines(std::string_view text, bool lenient, const ParseOptions& options,
                                           TrajectoryReport& report) {
    Json lines = Json::array();
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        try {
            Json value = parse<Json>(line, options);
            if (lines.empty() && !value.is_object()) return std::nullopt;
            lines.push_back(std::move(value));
        } catch (const ValidationError& error) {
            if (lines.empty()) return std::nullopt;
            if (lenient) {
                report.push_back(
                    {TrajectoryNoteKind::dropped,
                     {},
                     {lines.size()},
                     "Line " + std::to_string(number) + " is not JSON: " + error.issues().front().message});
                continue;
            }
            std::vector<Issue> issues(error.issues().begin(), error.issues().end());
            for (Issue& issue : issues) {
                issue.loc.insert(issue.loc.begin(), lines.size());
                issue.line = number;
            }
            throw ValidationError("Trajectory", std::move(issues), error.truncated());
        }
    }
    if (lines.empty()) return std::nullopt;
    return lines;
}

/// Returns the value of a document's lines: a list, or a document in one line.
inline Json lines_value(Json lines, TrajectoryReport& report) {
    if (is_claude_code(lines) && !is_openhands(lines)) return claude_code_messages(lines, report);
    const bool is_message = !string_member(lines.front(), "role").empty();
    if (lines.size() == 1 && !is_message) return std::move(lines.front());
    return lines;
}

inline TrajectoryDocument read_trajectory_document(std::string_view text, bool lenient, const ParseOptions& options,
                                                   TrajectoryReport& report) {
    try {
        Json value = parse<Json>(text, options);
        // A single line.
        if (!string_member(value, "role").empty() || is_claude_code_line(value))
            return {lines_value(Json::array({std::move(value)}), report), true};
        return {std::move(value), false};
    } catch (const ValidationError& error) {
        if (error.issues().front().type == "json_invalid") {
            if (std::optional<Json> lines = read_json_lines(text, lenient, options, report))
                return {lines_value(*std::move(lines), report), true};
        }
        throw ValidationError("Trajectory", {error.issues().begin(), error.issues().end()}, error.truncated());
    }
}

}  // namespace acta::inline ACTA_ABI::interop_detail

namespace acta::inline ACTA_ABI {

namespace interop_detail {

/// A request, or a log of one, that has a list of messages.
struct MessageDocument {
    std::vector<ChatMessage> messages{};
};

}  // namespace interop_detail

template <>
struct Describe<interop_detail::MessageDocument> {
    static constexpr std::string_view name = "Messages";
    static constexpr auto fields = acta::fields(required("messages", &interop_detail::MessageDocument::messages));
};

namespace interop_detail {

// Recognising a document ------------------------------------------------------------------------------------

ACTA_INLINE bool has_list(const Json& document, const char* key) {
    const Json* const found = json_member(document, key);
    return found != nullptr && found->is_array();
}

/// Returns the messages of a list or a request; null if the document is neither.
ACTA_INLINE const Json* find_messages(const Json& document) {
    const Json* const list = document.is_array() ? &document : json_member(document, "messages");
    if (list == nullptr || !list->is_array()) return nullptr;
    const auto has_role = [](const Json& message) { return !string_member(message, "role").empty(); };
    return std::ranges::any_of(*list, has_role) ? list : nullptr;
}

/// Anthropic's calls and results are blocks of the content; OpenAI's are beside it.
ACTA_INLINE bool has_anthropic_blocks(const Json& messages) {
    constexpr std::string_view types[] = {"tool_use", "tool_result", "thinking", "redacted_thinking"};
    return std::ranges::any_of(messages, [&types](const Json& message) {
        const Json* const content = json_member(message, "content");
        return content != nullptr && content->is_array() && std::ranges::any_of(*content, [&types](const Json& block) {
                   return std::ranges::find(types, string_member(block, "type")) != std::end(types);
               });
    });
}

ACTA_INLINE bool is_atif(const Json& document) {
    return string_member(document, "schema_version").starts_with("ATIF") ||
           (json_member(document, "steps") != nullptr && json_member(document, "agent") != nullptr);
}
ACTA_INLINE bool is_autogpt_run(const Json& document) {
    return autogpt::is_run(document) && find_messages(document) == nullptr && !is_openhands(document);
}
ACTA_INLINE bool is_acta(const Json& document) {
    return json_member(document, "episodes") != nullptr || json_member(document, "cursor") != nullptr;
}
ACTA_INLINE bool is_swe_agent(const Json& document) {
    return has_list(document, "trajectory") || has_list(document, "history");
}
ACTA_INLINE bool is_openai(const Json& document) { return find_messages(document) != nullptr; }
ACTA_INLINE bool is_anthropic(const Json& document) {
    const Json* const messages = find_messages(document);
    return messages != nullptr && (json_member(document, "system") != nullptr || has_anthropic_blocks(*messages));
}

// Reading it -----------------------------------------------------------------------------------------------

/// The input of a reader: the document as text, so that issues have line numbers, unless it was repaired or is JSON
/// lines.
struct TrajectorySource {
    std::string_view text{};
    const TrajectoryOptions& options;
    TrajectoryDocument document{};
    Repairs repairs{};

    template <class T>
    [[nodiscard]] T typed() const {
        return options.lenient || document.is_lines ? validate<T>(document.value) : parse<T>(text, options.parse);
    }
};

/// Calls `repair` for the list of messages, which is the document or its member `messages`.
ACTA_INLINE void repair_messages(Json& document, Repairs& repairs,
                                 void (*repair)(Json& messages, const std::vector<LocElement>& loc, Repairs& repairs)) {
    if (document.is_array())
        repair(document, {}, repairs);
    else
        repair(document["messages"], {std::string("messages")}, repairs);
}
ACTA_INLINE void repair_openai(Json& document, Repairs& repairs) {
    repair_messages(document, repairs, [](Json& messages, const std::vector<LocElement>& loc, Repairs& out) {
        repair_openai_messages(messages, loc, false, out);
    });
}
ACTA_INLINE void repair_anthropic(Json& document, Repairs& repairs) {
    repair_messages(document, repairs, repair_anthropic_messages);
}

ACTA_INLINE EpisodicActionHistory<> read_openai(TrajectorySource& source) {
    return history_from_messages(source.document.value.is_array() ? source.typed<std::vector<ChatMessage>>()
                                                                  : source.typed<MessageDocument>().messages);
}
ACTA_INLINE EpisodicActionHistory<> read_openhands(TrajectorySource& source) {
    Json messages = openhands_messages(source.document.value, source.repairs.report);
    if (source.options.lenient) repair_openai(messages, source.repairs);
    return history_from_messages(openai::from_wire(messages));
}
ACTA_INLINE EpisodicActionHistory<> read_autogpt(TrajectorySource& source) {
    autogpt::Run run = autogpt::read(std::move(source.document.value));
    source.repairs.report.insert(source.repairs.report.end(), run.report.begin(), run.report.end());
    return autogpt::plain_history(run.history);
}

/// A format: how a document is recognised, repaired if reading is lenient, and read.
struct TrajectoryReader {
    TrajectoryFormat format{};
    std::string_view name{};
    bool (*detect)(const Json& document) = nullptr;
    void (*repair)(Json& document, Repairs& repairs) = nullptr;  ///< Null if the reader accepts everything it can.
    EpisodicActionHistory<> (*read)(TrajectorySource& source) = nullptr;
};

/// In the order in which they are tried.
inline constexpr TrajectoryReader trajectory_readers[] = {
    {TrajectoryFormat::atif, "ATIF trajectory", is_atif, repair_atif,
     [](TrajectorySource& source) { return atif::to_history(source.typed<atif::Document>()); }},
    {TrajectoryFormat::autogpt, "AutoGPT history", is_autogpt_run, nullptr, read_autogpt},
    {TrajectoryFormat::acta, "acta history", is_acta, nullptr,
     [](TrajectorySource& source) { return source.typed<EpisodicActionHistory<>>(); }},
    {TrajectoryFormat::swe_agent, "SWE-agent trajectory", is_swe_agent, repair_swe_agent,
     [](TrajectorySource& source) { return swe_agent::to_history(source.typed<swe_agent::Document>()); }},
    {TrajectoryFormat::anthropic, "Anthropic messages", is_anthropic, repair_anthropic,
     [](TrajectorySource& source) { return history_from_messages(anthropic::from_wire(source.document.value)); }},
    {TrajectoryFormat::openai, "OpenAI messages", is_openai, repair_openai, read_openai},
    {TrajectoryFormat::openhands, "OpenHands events", is_openhands, nullptr, read_openhands},
};

ACTA_INLINE const TrajectoryReader* find_reader(const Json& document) {
    const auto* const found = std::ranges::find_if(
        trajectory_readers, [&document](const TrajectoryReader& one) { return one.detect(document); });
    return found == std::end(trajectory_readers) ? nullptr : found;
}

}  // namespace interop_detail

ACTA_INLINE std::string_view to_string(TrajectoryFormat format) {
    return std::ranges::find(interop_detail::trajectory_readers, format, &interop_detail::TrajectoryReader::format)
        ->name;
}

ACTA_INLINE std::optional<TrajectoryFormat> detect_trajectory(const Json& document) {
    const auto* const reader = interop_detail::find_reader(document);
    return reader == nullptr ? std::nullopt : std::optional(reader->format);
}

ACTA_INLINE Trajectory parse_trajectory(std::string_view text, const TrajectoryOptions& options) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    interop_detail::TrajectorySource source{text, options};
    source.document =
        interop_detail::read_trajectory_document(text, options.lenient, options.parse, source.repairs.report);
    const auto* const reader = interop_detail::find_reader(source.document.value);
    if (reader == nullptr) {
        throw ValidationError("Trajectory", {{{},
                                              "trajectory_unknown",
                                              "Document is neither a history of acta or AutoGPT (episodes), nor "
                                              "ATIF (schema_version, agent, steps), nor SWE-agent's (trajectory, "
                                              "history), nor events of OpenHands, nor a list of OpenAI's or "
                                              "Anthropic's messages"}});
    }
    if (options.lenient && reader->repair != nullptr) reader->repair(source.document.value, source.repairs);
    Trajectory out;
    out.format = reader->format;
    out.history = interop_detail::with_failed_calls(reader->read(source), source.repairs);
    out.report = std::move(source.repairs.report);
    return out;
}

ACTA_INLINE Trajectory load_trajectory(const std::filesystem::path& path, const TrajectoryOptions& options) {
    return parse_trajectory(base::read_file(path, options.parse.max_bytes), options);
}

}  // namespace acta::inline ACTA_ABI
