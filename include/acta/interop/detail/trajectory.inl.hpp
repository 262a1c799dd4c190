// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/atif/detail/atif.inl.hpp"
#include "acta/interop/atif/detail/repair.inl.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/claude_code/detail/session.inl.hpp"
#include "acta/interop/codex/detail/items.inl.hpp"
#include "acta/interop/detail/api_requests.inl.hpp"
#include "acta/interop/detail/chat_logs.inl.hpp"
#include "acta/interop/detail/half_pairs.hpp"
#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/detail/messages.inl.hpp"
#include "acta/interop/detail/recordable.hpp"
#include "acta/interop/detail/repair.inl.hpp"
#include "acta/interop/goose/detail/session.inl.hpp"
#include "acta/interop/openhands/detail/events.inl.hpp"
#include "acta/interop/swe_agent/swe_agent.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/interop/trajectory_report.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

ACTA_INLINE void repair_swe_agent(Json& document, Repairs& repairs) {
    const std::string steps_key = "trajectory";
    if (Json* const steps = base::find_key(document, "trajectory"); steps != nullptr && steps->is_array()) {
        Json repaired = Json::array();
        bool was_text = false;
        for (std::size_t i = 0; i < steps->size(); ++i) {
            Json& step = (*steps)[i];
            try {
                static_cast<void>(validate<swe_agent::Step>(step));
                was_text = false;
            } catch (const ValidationError&) {
                repairs.note(TrajectoryNoteKind::kept, {steps_key, i},
                             "The step cannot be read: kept as the response of a step without an action");
                std::string text = json_text(step);
                if (std::exchange(was_text, true)) {  // one step for all in a row, as a step takes hundreds of bytes
                    repaired.back()["response"].get_ref<std::string&>() += "\n" + text;
                    continue;
                }
                step = Json::object();
                step["action"] = "";
                step["response"] = std::move(text);
            }
            repaired.push_back(std::move(step));
        }
        *steps = std::move(repaired);
    }
    if (Json* const messages = base::find_key(document, "history"); messages != nullptr && messages->is_array())
        repair_openai_messages(*messages, {std::string("history")}, true, repairs);
}

// The document of a run: one JSON value, or one per line.

struct TrajectoryDocument {
    Json value{};
    bool is_lines = false;  ///< `value` is a list of the lines' values.
};

/// Reads the text of a document.
class DocumentReader {
public:
    /// `half_pairs` are those that were replaced in the text, by line.
    DocumentReader(const TrajectoryOptions& options, const WholeText& half_pairs, BoundedReport& report)
        : options_(options), half_pairs_(half_pairs), report_(report) {}

    TrajectoryDocument read(std::string_view text) {
        try {
            Json value = parse<Json>(text, options_.parse);
            if (half_pairs_.count() > 0)
                note_half_pairs(report_, {}, half_pairs_.count(), half_pairs_.lines.begin()->first);
            // A single line.
            if (!base::text_member(value, "role").empty() || is_claude_code_line(value))
                return {Json::array({std::move(value)}), true};
            return {std::move(value), false};
        } catch (const ValidationError& error) {
            if (error.issues().front().type == "json_invalid") {
                if (std::optional<Json> lines = read_lines(text)) return {*std::move(lines), true};
            }
            throw ValidationError("Trajectory", {error.issues().begin(), error.issues().end()}, error.truncated());
        }
    }

private:
    /// Returns the values of JSON lines; nothing if the first line that is not blank is not a JSON object. Lenient
    /// reading omits lines that are not JSON, such as the last one of a run that was cut off, unless most of them are
    /// not.
    std::optional<Json> read_lines(std::string_view text) {
        Json lines = Json::array();
        BoundedReport notes(report_.max());
        std::size_t torn = 0;
        for (std::size_t number = 1; !text.empty(); ++number) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
            try {
                Json value = parse<Json>(line, options_.parse);
                if (lines.empty() && !value.is_object()) return std::nullopt;
                if (const auto halves = half_pairs_.lines.find(number); halves != half_pairs_.lines.end())
                    note_half_pairs(notes, {lines.size()}, halves->second, number);
                lines.push_back(std::move(value));
            } catch (const ValidationError& error) {
                if (!options_.lenient) {
                    if (lines.empty()) return std::nullopt;
                    throw_in_line(error, lines.size(), number);
                }
                notes.push_back({TrajectoryNoteKind::dropped,
                                 {},
                                 {lines.size()},
                                 "Line " + std::to_string(number) + " is not JSON: " + error.issues().front().message});
                if (++torn > lines.size() + 1) return std::nullopt;
            }
        }
        if (lines.size() <= torn) return std::nullopt;
        report_.append(std::move(notes));
        return lines;
    }

    [[noreturn]] static void throw_in_line(const ValidationError& error, std::size_t index, std::size_t number) {
        std::vector<Issue> issues(error.issues().begin(), error.issues().end());
        for (Issue& issue : issues) {
            issue.loc.insert(issue.loc.begin(), index);
            issue.line = number;
        }
        throw ValidationError("Trajectory", std::move(issues), error.truncated());
    }

    const TrajectoryOptions& options_;
    const WholeText& half_pairs_;
    BoundedReport& report_;
};

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

ACTA_INLINE bool is_atif(const Json& document) {
    const Json* const agent = base::find_key(document, "agent");
    return base::text_member(document, "schema_version").starts_with("ATIF") ||
           (has_list(document, "steps") && agent != nullptr && agent->is_object());
}
ACTA_INLINE bool is_autogpt_run(const Json& document) {
    return autogpt::is_run(document) && find_messages(document) == nullptr && !is_openhands(document);
}
ACTA_INLINE bool is_acta(const Json& document) { return base::find_key(document, "episodes") != nullptr; }
/// A file of SWE-agent has steps, or messages, or neither, besides data about the run.
ACTA_INLINE bool is_swe_agent(const Json& document) {
    const bool has_steps = has_list(document, "trajectory");
    const Json* const messages = has_list(document, "history") ? base::find_key(document, "history") : nullptr;
    const auto has_role = [](const Json& message) { return !base::text_member(message, "role").empty(); };
    if (messages != nullptr && !messages->empty() && std::ranges::none_of(*messages, has_role)) return false;
    return has_steps || (messages != nullptr && (!messages->empty() || base::find_key(document, "info") != nullptr));
}

// Reading it -----------------------------------------------------------------------------------------------

/// The input of a reader: the document as text, so that issues have line numbers, unless it was repaired or is JSON
/// lines.
struct TrajectorySource {
    std::string_view text{};
    const TrajectoryOptions& options;
    TrajectoryDocument document{};
    Repairs repairs{BoundedReport(options.parse.max_issues), {}, {}};

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
/// Calls a reader that takes notes while it reads.
template <EpisodicActionHistory<> (*Read)(const Json& document, bool lenient, Repairs& repairs)>
EpisodicActionHistory<> read_noting(TrajectorySource& source) {
    return Read(source.document.value, source.options.lenient, source.repairs);
}
ACTA_INLINE EpisodicActionHistory<> read_autogpt(TrajectorySource& source) {
    autogpt::Run run = autogpt::read(std::move(source.document.value));
    source.repairs.report.append(std::move(run.report));
    return autogpt::plain_history(run.history);
}

/// Reads a document, and notes its subagents and totals that no step has.
ACTA_INLINE EpisodicActionHistory<> read_atif(TrajectorySource& source) {
    const auto document = source.typed<atif::Document>();
    AtifReader<ActionProposal<>> reader(document);
    EpisodicActionHistory<> history = reader.read();
    BoundedReport& report = source.repairs.report;
    report.append(reader.take_notes());
    const auto has_metrics = [](const atif::Step& step) { return step.metrics.has_value(); };
    if (document.final_metrics && std::ranges::none_of(document.steps, has_metrics)) {
        Json totals = to_json_value(*document.final_metrics);
        totals.erase("total_steps");
        note_totals(report, {std::string("final_metrics")}, "final_metrics", &totals);
    }
    return history;
}
/// Returns thoughts of a type of the program that saved them as text, a line for each member.
ACTA_INLINE std::string text_of_thoughts(const Json& thoughts) {
    if (!thoughts.is_object()) return json_text(thoughts);
    std::string out;
    for (const auto& [key, value] : thoughts.get_ref<const Json::object_t&>()) {
        if (!out.empty()) out += '\n';
        out += key + ": " + json_text(value);
    }
    return out;
}

/// A program may save thoughts of a struct of its own, which are read as text.
ACTA_INLINE EpisodicActionHistory<> read_acta(TrajectorySource& source) {
    Json* const episodes = base::find_key(source.document.value, "episodes");
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; episodes->is_array() && i < episodes->size(); ++i) {
        Json* const action = base::find_key((*episodes)[i], "action");
        Json* const thoughts = action == nullptr ? nullptr : base::find_key(*action, "thoughts");
        if (thoughts == nullptr || thoughts->is_string()) continue;
        *thoughts = text_of_thoughts(*thoughts);
        if (count++ == 0) first = i;
    }
    if (count == 0) return source.typed<EpisodicActionHistory<>>();
    source.repairs.report.push_back(
        {TrajectoryNoteKind::changed,
         first,
         {std::string("episodes"), first, std::string("action"), std::string("thoughts")},
         "Thoughts of another type are read as text, in " + std::to_string(count) + (count == 1 ? " step" : " steps")});
    return validate<EpisodicActionHistory<>>(source.document.value);
}
/// As `swe_agent::to_history`, with notes.
EpisodicActionHistory<> read_swe_agent(const swe_agent::Document& document, TrajectoryReport& notes);

ACTA_INLINE EpisodicActionHistory<> read_swe_agent(TrajectorySource& source) {
    const Json* const info = base::find_key(source.document.value, "info");
    if (info != nullptr)
        note_totals(source.repairs.report, {std::string("info"), std::string("model_stats")}, "info.model_stats",
                    base::find_key(*info, "model_stats"));
    TrajectoryReport notes;
    EpisodicActionHistory<> history = read_swe_agent(source.typed<swe_agent::Document>(), notes);
    source.repairs.report.append(std::move(notes));
    return history;
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
    {TrajectoryFormat::atif, "ATIF trajectory", is_atif, repair_atif, read_atif},
    {TrajectoryFormat::claude_code, "Claude Code session", is_claude_code, nullptr, read_noting<read_claude_code>},
    {TrajectoryFormat::codex, "Codex session", is_codex, nullptr, read_noting<read_codex>},
    {TrajectoryFormat::openhands, "OpenHands events", is_openhands, nullptr, read_noting<read_openhands_events>},
    {TrajectoryFormat::mini_swe_agent, "mini-swe-agent trajectory", is_mini_swe_agent, nullptr,
     read_noting<read_mini_swe_agent>},
    {TrajectoryFormat::goose, "goose session", is_goose, nullptr, read_noting<read_goose>},
    {TrajectoryFormat::llama_index, "LlamaIndex messages", is_llama_index, nullptr, read_noting<read_llama_index>},
    {TrajectoryFormat::langchain, "LangChain messages", is_langchain, nullptr, read_noting<read_langchain>},
    {TrajectoryFormat::openai_responses, "OpenAI response items", has_response_items, nullptr,
     read_noting<read_response_items>},
    {TrajectoryFormat::autogpt, "AutoGPT history", is_autogpt_run, nullptr, read_autogpt},
    {TrajectoryFormat::acta, "acta history", is_acta, nullptr, read_acta},
    {TrajectoryFormat::swe_agent, "SWE-agent trajectory", is_swe_agent, repair_swe_agent, read_swe_agent},
    {TrajectoryFormat::anthropic, "Anthropic messages", is_anthropic, repair_anthropic,
     [](TrajectorySource& source) { return history_from_messages(anthropic::from_wire(source.document.value)); }},
    {TrajectoryFormat::openai, "OpenAI messages", is_openai, repair_openai, read_openai},
};

ACTA_INLINE const TrajectoryReader* reader_of(TrajectoryFormat format) {
    return std::ranges::find(trajectory_readers, format, &TrajectoryReader::format);
}

/// Returns the reader of a document, null if there is none. If it is a request in a log, that is put into `logged`.
ACTA_INLINE const TrajectoryReader* find_reader(const Json& document, std::optional<LoggedRequest>* logged = nullptr) {
    const auto* const found = std::ranges::find_if(
        trajectory_readers, [&document](const TrajectoryReader& one) { return one.detect(document); });
    const bool is_known = found != std::end(trajectory_readers);
    if (is_known && found->format != TrajectoryFormat::openai && found->format != TrajectoryFormat::anthropic)
        return found;
    std::optional<LoggedRequest> request = find_logged_request(document);
    if (!request) return is_known ? found : nullptr;
    const TrajectoryReader* const reader = reader_of(request->format);
    if (logged != nullptr) *logged = std::move(request);
    return reader;
}

}  // namespace interop_detail

ACTA_INLINE std::string_view to_string(TrajectoryFormat format) { return interop_detail::reader_of(format)->name; }

ACTA_INLINE std::optional<TrajectoryFormat> detect_trajectory(const Json& document) {
    const auto* const reader = interop_detail::find_reader(document);
    return reader == nullptr ? std::nullopt : std::optional(reader->format);
}

namespace interop_detail {

[[noreturn]] ACTA_INLINE void refuse_unknown(const Json& document) {
    std::string known;
    for (const TrajectoryReader& reader : trajectory_readers) {
        known += known.empty() ? "" : ", ";
        known += reader.name;
    }
    std::string message = "Document is in none of the known formats: " + known;
    if (const std::optional<Issue> foreign = find_foreign_call(document))
        message += ". At " + foreign->pointer() + " is " + foreign->message;
    throw ValidationError("Trajectory", {{{}, "trajectory_unknown", std::move(message)}});
}

/// Returns whether a document is a history that acta wrote, or a list with one.
ACTA_INLINE bool has_own_history(const TrajectoryDocument& document) {
    const auto is_own = [](const Json& value) {
        const TrajectoryReader* const reader = find_reader(value);
        return reader != nullptr && reader->format == TrajectoryFormat::acta;
    };
    return is_own(document.value) || (document.value.is_array() && std::ranges::any_of(document.value, is_own));
}

/// Returns whether a document is a list of runs: rows of an evaluation, or files as lines.
ACTA_INLINE bool has_runs(const TrajectoryDocument& document) {
    const auto is_run = [](const Json& row) { return row.is_object() && find_reader(row) != nullptr; };
    return document.value.is_array() && !document.value.empty() && std::ranges::all_of(document.value, is_run);
}

ACTA_INLINE Trajectory read_trajectory(TrajectorySource& source) {
    std::optional<LoggedRequest> logged;
    const TrajectoryReader* const reader = find_reader(source.document.value, &logged);
    if (reader == nullptr) refuse_unknown(source.document.value);
    if (source.options.lenient && reader->repair != nullptr && !logged)
        reader->repair(source.document.value, source.repairs);
    Trajectory out;
    out.format = reader->format;
    out.history = with_failed_calls(
        logged ? LoggedRequestReader(*logged, source.options.lenient, source.repairs).read() : reader->read(source),
        source.repairs);
    constexpr TrajectoryFormat own[] = {TrajectoryFormat::acta, TrajectoryFormat::atif, TrajectoryFormat::autogpt,
                                        TrajectoryFormat::swe_agent};
    if (std::ranges::find(own, out.format) == std::end(own)) {  // the readers of the others leave it to this one
        TrajectoryReport notes;
        out.history = recordable(std::move(out.history), notes);
        source.repairs.report.append(std::move(notes));
    }
    out.report = source.repairs.report.take();
    if (out.format != TrajectoryFormat::acta && !out.history.sub_runs().empty()) {
        HistoryRecord<ActionProposal<>> record = out.history.record();
        out.sub_runs = std::exchange(record.sub_runs, {});
        out.history = EpisodicActionHistory<>(std::move(record));
    }
    return out;
}

/// Reads one of several runs. Issues and notes have its location; `notes` is how many the rows before it have.
ACTA_INLINE Trajectory read_row(Json row, std::size_t i, const TrajectoryOptions& options, std::size_t notes) {
    TrajectorySource source{{}, options, {std::move(row), true}};
    source.repairs.report = BoundedReport(options.parse.max_issues - std::min(notes, options.parse.max_issues));
    const auto within = [i](std::vector<LocElement>& loc) { loc.insert(loc.begin(), i); };
    try {
        Trajectory out = read_trajectory(source);
        for (TrajectoryNote& note : out.report) within(note.loc);
        return out;
    } catch (const ValidationError& error) {
        std::vector<Issue> issues(error.issues().begin(), error.issues().end());
        for (Issue& issue : issues) within(issue.loc);
        throw ValidationError("Trajectory", std::move(issues), error.truncated());
    }
}

/// Reads the runs in a text, at most `limit` of them; `count` is the number of all.
ACTA_INLINE std::vector<Trajectory> read_trajectories(std::string_view text, TrajectoryOptions options,
                                                      std::size_t limit, std::size_t& count) {
    options.parse.keep_large_numbers = true;  // a number in one place does not lose the run
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    std::optional<WholeText> whole = replace_half_pairs(text);
    const WholeText none;
    TrajectorySource source{whole ? std::string_view(whole->text) : text, options};
    const auto read_document = [&] {
        source.document =
            DocumentReader(options, whole ? std::as_const(*whole) : none, source.repairs.report).read(source.text);
    };
    read_document();
    if (whole && !options.lenient && has_own_history(source.document)) {
        whole.reset();
        source.text = text;
        source.repairs.report = BoundedReport(options.parse.max_issues);
        read_document();
    }
    std::vector<Trajectory> out;
    if (!has_runs(source.document)) {
        count = 1;
        out.push_back(read_trajectory(source));
        return out;
    }
    count = source.document.value.size();
    std::size_t notes = 0;
    for (std::size_t i = 0; i < std::min(count, limit); ++i) {
        out.push_back(read_row(std::move(source.document.value[i]), i, options, notes));
        notes += out.back().report.size();
    }
    source.repairs.report.append(std::move(out.front().report));
    out.front().report = source.repairs.report.take();
    return out;
}

}  // namespace interop_detail

ACTA_INLINE EpisodicActionHistory<> Trajectory::with_sub_runs() const {
    if (sub_runs.empty()) return history;
    HistoryRecord<ActionProposal<>> record = history.record();
    record.sub_runs.insert(record.sub_runs.end(), sub_runs.begin(), sub_runs.end());
    return EpisodicActionHistory<>(std::move(record));
}

ACTA_INLINE Trajectory parse_trajectory(std::string_view text, const TrajectoryOptions& options) {
    std::size_t count = 0;
    Trajectory out = std::move(interop_detail::read_trajectories(text, options, 1, count).front());
    if (count > 1) {
        out.report.push_back({TrajectoryNoteKind::dropped,
                              {},
                              {std::size_t{1}},
                              "The document has " + std::to_string(count) + " runs: only the first one is read"});
    }
    return out;
}

ACTA_INLINE std::vector<Trajectory> parse_trajectories(std::string_view text, const TrajectoryOptions& options) {
    std::size_t count = 0;
    return interop_detail::read_trajectories(text, options, static_cast<std::size_t>(-1), count);
}

ACTA_INLINE Trajectory load_trajectory(const std::filesystem::path& path, const TrajectoryOptions& options) {
    const std::string text = codec::read_file_text(path, options.parse.max_bytes, true);
    try {
        return parse_trajectory(text, options);
    } catch (const ValidationError& error) {
        codec::throw_in_file(error, path);
    }
}

}  // namespace acta::inline ACTA_ABI
