// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/text_places.hpp"
#include "acta/history/episode.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/detail/recordable.hpp"
#include "acta/json/json.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

namespace interop_detail {

class AtifChecker {
public:
    std::vector<Issue> issues{};

    void check(const atif::Document& document) {
        check_version(document);
        for (std::size_t i = 0; i < document.steps.size(); ++i) check_step(document.steps[i], i);
    }

private:
    void add(Loc loc, std::string type, std::string message) {
        issues.push_back({std::move(loc), std::move(type), std::move(message)});
    }

    void check_version(const atif::Document& document) {
        constexpr std::string_view prefix = "ATIF-v1.";
        const std::string_view text = document.schema_version;
        int minor = -1;
        if (text.starts_with(prefix)) {
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, minor);
            if (error != std::errc() || stop != end) minor = -1;
        }
        if (minor < 0)
            add({std::string("schema_version")}, "atif_version", "Input should be a version such as 'ATIF-v1.7'");
        else if (minor < 7 && !document.session_id)
            add({std::string("session_id")}, "missing", "Field required before ATIF-v1.7");
    }

    void check_step(const atif::Step& step, std::size_t i) {
        if (step.step_id != static_cast<std::int64_t>(i) + 1) {
            add(loc_of_step(i, {std::string("step_id")}), "atif_step_id",
                "Steps are numbered from 1 without gaps: this one should be " + std::to_string(i + 1) + ", not " +
                    std::to_string(step.step_id));
        }
        check_llm_fields(step, i);
        check_content(step.message, loc_of_step(i, {std::string("message")}));
        check_calls(step, i);
    }

    void check_llm_fields(const atif::Step& step, std::size_t i) {
        const auto only = [&](bool there, const char* field, bool good, const char* why) {
            if (there && !good) add(loc_of_step(i, {std::string(field)}), "atif_field", why);
        };
        constexpr const char* why = "Only a step of the agent has this field";
        const bool agent = step.source == atif::Source::agent;
        only(step.model_name.has_value(), "model_name", agent, why);
        only(step.reasoning_effort.has_value(), "reasoning_effort", agent, why);
        only(step.reasoning_content.has_value(), "reasoning_content", agent, why);
        only(step.tool_calls.has_value(), "tool_calls", agent, why);
        only(step.metrics.has_value(), "metrics", agent, why);
        if (!step.llm_call_count) return;
        only(*step.llm_call_count < 0, "llm_call_count", false, "Input should be greater than or equal to 0");
        constexpr const char* no_model = "A step without a model's call (llm_call_count 0) has no such field";
        const bool asked = *step.llm_call_count != 0;
        only(agent && step.metrics.has_value(), "metrics", asked, no_model);
        only(agent && step.reasoning_content.has_value(), "reasoning_content", asked, no_model);
    }

    void check_calls(const atif::Step& step, std::size_t i) {
        std::set<std::string_view> ids;
        if (step.tool_calls) {
            for (std::size_t c = 0; c < step.tool_calls->size(); ++c) {
                const std::string& id = (*step.tool_calls)[c].tool_call_id;
                if (!ids.insert(id).second) {
                    add(loc_of_step(i, {std::string("tool_calls"), c, std::string("tool_call_id")}), "atif_call_id",
                        "The id '" + id + "' names another call of this step too");
                }
            }
        }
        if (!step.observation) return;
        for (std::size_t r = 0; r < step.observation->results.size(); ++r) {
            const atif::ObservationResult& result = step.observation->results[r];
            Loc loc = loc_of_step(i, {std::string("observation"), std::string("results"), r});
            if (result.source_call_id && !ids.contains(*result.source_call_id)) {
                Loc at = loc;
                at.emplace_back(std::string("source_call_id"));
                add(std::move(at), "atif_call_id", "No call of this step has the id '" + *result.source_call_id + "'");
            }
            loc.emplace_back(std::string("content"));
            if (result.content) check_content(*result.content, loc);
        }
    }

    void check_content(const atif::Content& content, const Loc& loc) {
        const auto* const parts = std::get_if<std::vector<atif::Part>>(&content);
        if (parts == nullptr) return;
        for (std::size_t i = 0; i < parts->size(); ++i) {
            const atif::Part& part = (*parts)[i];
            Loc at = loc;
            at.emplace_back(i);
            const bool is_text = part.type == atif::PartType::text;
            if (part.text.has_value() != is_text || part.source.has_value() == is_text) {
                add(std::move(at), "atif_content",
                    is_text                              ? "A part of type text has a text and no source"
                    : part.type == atif::PartType::image ? "A part of type image has a source and no text"
                                                         : "A part of type audio has a source and no text");
                continue;
            }
            if (part.source) check_media_type(part, std::move(at));
        }
    }

    void check_media_type(const atif::Part& part, Loc loc) {
        constexpr std::array<std::string_view, 4> images = {"image/jpeg", "image/png", "image/gif", "image/webp"};
        const std::string& type = part.source->media_type;
        const bool is_image = part.type == atif::PartType::image;
        if (is_image ? std::ranges::find(images, type) != images.end() : type.starts_with("audio/")) return;
        loc.emplace_back(std::string("source"));
        loc.emplace_back(std::string("media_type"));
        add(std::move(loc), "literal_error",
            is_image ? "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
                     : "Input should begin with 'audio/'");
    }
};

}  // namespace interop_detail

ACTA_INLINE std::vector<Issue> atif::check(const atif::Document& document) {
    interop_detail::AtifChecker checker;
    checker.check(document);
    return std::move(checker.issues);
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::interop_detail {

ACTA_INLINE std::string atif_text(const atif::Content& content) {
    if (const auto* const text = std::get_if<std::string>(&content)) return *text;
    std::string out;
    for (const atif::Part& part : std::get<std::vector<atif::Part>>(content)) {
        if (!out.empty()) out += '\n';
        if (part.source)
            out += (part.type == atif::PartType::audio ? "[audio: " : "[image: ") + part.source->path + "]";
        else
            out += part.text.value_or("");
    }
    return out;
}

/// Returns the parts of a content that is more than text; null if it is not.
ACTA_INLINE const std::vector<atif::Part>* atif_media(const atif::Content& content) {
    const auto* const parts = std::get_if<std::vector<atif::Part>>(&content);
    const bool media =
        parts != nullptr && std::ranges::any_of(*parts, [](const auto& part) { return part.source.has_value(); });
    return media ? parts : nullptr;
}

/// Returns the content of a result as outputs: text, or its parts if there are images or recordings.
ACTA_INLINE Json atif_outputs(const atif::ObservationResult& result) {
    if (result.content) {
        if (const auto* const parts = atif_media(*result.content)) return to_json_value(*parts);
        return atif_text(*result.content);
    }
    if (result.subagent_trajectory_ref) return to_json_value(*result.subagent_trajectory_ref);
    return nullptr;
}

ACTA_INLINE bool says_error(const std::optional<JsonObject>& extra) {
    if (!extra) return false;
    const auto found = extra->find("is_error");
    return found != extra->end() && found->second.is_boolean() && found->second.get<bool>();
}

/// One result, as read.
struct AtifAnswer {
    Json outputs{};
    bool is_error = false;
};
using AtifAnswers = std::vector<AtifAnswer>;

/// Returns the results of one call as a single one.
ACTA_INLINE ActionResult atif_result(AtifAnswers answers) {
    if (std::ranges::any_of(answers, [](const AtifAnswer& one) { return one.is_error; })) {
        ActionErrorResult error;
        for (const AtifAnswer& one : answers) {
            if (!error.reason.empty()) error.reason += '\n';
            error.reason += one.outputs.is_string() ? one.outputs.get_ref<const std::string&>() : dump(one.outputs);
        }
        return ActionResult(std::in_place_type<ActionErrorResult>, std::move(error));
    }
    ActionSuccessResult success;
    if (answers.size() == 1) {
        success.outputs = std::move(answers.front().outputs);
    } else {
        JsonArray all;
        for (AtifAnswer& one : answers) all.push_back(std::move(one.outputs));
        success.outputs = std::move(all);
    }
    return success;
}

/// The results by call. Those that name no call go to the first one without a result, usually in order.
struct AtifResults {
    std::vector<AtifAnswers> of_calls{};
    AtifAnswers of_all{};  // if the call is unknown
};

ACTA_INLINE AtifResults sort_results(const atif::Step& step, std::span<const AssistantToolCall> calls) {
    AtifResults out;
    out.of_calls.resize(calls.size());
    if (!step.observation) return out;
    std::map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < calls.size(); ++i) places.emplace(calls[i].id, i);
    const bool alone = step.observation->results.size() == 1 && says_error(step.extra);
    AtifAnswers unnamed;
    std::size_t named = 0;
    for (const atif::ObservationResult& result : step.observation->results) {
        const auto place = result.source_call_id ? places.find(*result.source_call_id) : places.end();
        AtifAnswer answer{atif_outputs(result), alone || says_error(result.extra)};
        if (place == places.end()) {
            unnamed.push_back(std::move(answer));
        } else {
            out.of_calls[place->second].push_back(std::move(answer));
            ++named;
        }
    }
    if (calls.empty() || (named == 0 && calls.size() > 1 && unnamed.size() != calls.size())) {
        out.of_all = std::move(unnamed);
        return out;
    }
    std::size_t free = 0;
    for (AtifAnswer& one : unnamed) {
        while (free + 1 < calls.size() && !out.of_calls[free].empty()) ++free;
        out.of_calls[free].push_back(std::move(one));
    }
    return out;
}

ACTA_INLINE void read_atif_results(Episode<>& episode, const atif::Step& step, std::span<const AssistantToolCall> calls,
                                   bool by_id) {
    AtifResults results = sort_results(step, calls);
    if (!results.of_all.empty()) {
        episode.result = atif_result(std::move(results.of_all));
    } else if (calls.size() == 1 && !by_id) {
        if (!results.of_calls.front().empty()) episode.result = atif_result(std::move(results.of_calls.front()));
    } else {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (!results.of_calls[i].empty())
                episode.tool_results.push_back({calls[i].id, atif_result(std::move(results.of_calls[i]))});
        }
        if (!calls.empty() && episode.tool_results.size() == calls.size())
            episode.result = joined_result(episode.tool_results);
    }
}

/// Returns what a step of the agent took; nothing if it does not say.
ACTA_INLINE std::optional<StepMetrics> metrics_of_atif(const atif::Step& step) {
    if (!step.timestamp && !step.metrics) return std::nullopt;
    StepMetrics metrics;
    metrics.started_at = step.timestamp;
    metrics.model = step.model_name.value_or("");
    if (!step.metrics) return metrics;
    metrics.prompt_tokens = step.metrics->prompt_tokens;
    metrics.completion_tokens = step.metrics->completion_tokens;
    metrics.cached_tokens = step.metrics->cached_tokens;
    metrics.cost_usd = step.metrics->cost_usd;
    const auto more = [&step](const char* key) -> std::optional<std::int64_t> {
        const Json* const count = step.metrics->extra ? base::find_key(*step.metrics->extra, key) : nullptr;
        return count != nullptr && count->is_number_integer() ? std::optional(count->get<std::int64_t>())
                                                              : std::nullopt;
    };
    metrics.cache_write_tokens = more("cache_creation_input_tokens");
    metrics.reasoning_tokens = more("reasoning_tokens");
    return metrics;
}

/// Writes what a step of the agent took, as far as ATIF can say it.
ACTA_INLINE void write_atif_metrics(atif::Step& step, const StepMetrics& metrics) {
    step.timestamp = metrics.started_at;
    if (!metrics.model.empty()) step.model_name = metrics.model;
    atif::Metrics out;
    out.prompt_tokens = metrics.prompt_tokens;
    out.completion_tokens = metrics.completion_tokens;
    out.cached_tokens = metrics.cached_tokens;
    out.cost_usd = metrics.cost_usd;
    const auto add = [&out](const char* key, const std::optional<std::int64_t>& count) {
        if (!count) return;
        if (!out.extra) out.extra.emplace();
        out.extra->emplace(key, *count);
    };
    add("cache_creation_input_tokens", metrics.cache_write_tokens);
    add("reasoning_tokens", metrics.reasoning_tokens);
    if (out != atif::Metrics()) step.metrics = std::move(out);
}

ACTA_INLINE Episode<> atif_episode(const atif::Step& step, bool by_id) {
    Episode<> episode;
    AssistantChatMessage& raw = episode.action.raw_message.emplace();
    raw.content = atif_text(step.message);
    const bool reasons = step.reasoning_content && !step.reasoning_content->empty();
    if (reasons) raw.reasoning_content = step.reasoning_content;
    episode.action.thoughts = raw.content.empty() && reasons ? *step.reasoning_content : raw.content;
    std::vector<AssistantToolCall> calls;
    if (step.tool_calls) {
        for (const atif::ToolCall& call : *step.tool_calls)
            calls.push_back({call.tool_call_id, {call.function_name, call.arguments}});
    }
    if (!calls.empty()) episode.action.use_tool = calls.front().function;
    if (calls.size() > 1) {
        for (const AssistantToolCall& call : calls) episode.action.use_tools.push_back(call.function);
    }
    read_atif_results(episode, step, calls, by_id);
    if (!calls.empty()) raw.tool_calls = std::move(calls);
    if (std::optional<StepMetrics> metrics = metrics_of_atif(step)) episode.metrics.emplace(*std::move(metrics));
    return episode;
}

ACTA_INLINE Json corrected_episode(Json exported, const AtifActaStep& acta) {
    if (acta.episode) {
        for (const auto& [key, value] : *acta.episode) {
            if (key != "action" || !value.is_object()) {
                exported[key] = value;
                continue;
            }
            for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) exported["action"][name] = member;
        }
    }
    Json& action = exported["action"];
    if (acta.absent && action.is_object()) {
        for (const std::string& key : *acta.absent) action.erase(key);
    }
    return exported;
}

/// Returns a message with this content. ATIF's parts are text, or media in files.
ACTA_INLINE ChatMessage atif_message(ChatRole role, const atif::Content& content) {
    ChatMessage out;
    out.role = role;
    out.content = atif_text(content);
    const auto* const media = atif_media(content);
    if (media == nullptr) return out;
    for (const atif::Part& part : *media) {
        const Json json = to_json_value(part);
        out.parts.push_back(read_content_part(JsonObject(json.get_ref<const Json::object_t&>()), "atif"));
    }
    out.content = parts_text(out.parts);
    return out;
}

ACTA_INLINE std::vector<ConversationMessage> atif_messages(const atif::Step& step, const AtifActaStep& acta) {
    std::vector<ConversationMessage> out;
    const ChatRole role = step.source == atif::Source::user    ? ChatRole::user
                          : step.source == atif::Source::agent ? ChatRole::assistant
                                                               : ChatRole::system;
    const bool observed = step.observation && !step.observation->results.empty();
    ChatMessage said = acta.message ? *acta.message : atif_message(role, step.message);
    if (!acta.message) said.reasoning_content = step.reasoning_content;
    if (acta.message || !said.content.empty() || !observed) {
        out.push_back({0, std::move(said)});
        std::optional<StepMetrics> metrics = acta.metrics;
        if (!metrics && role == ChatRole::assistant) metrics = metrics_of_atif(step);
        if (metrics) out.back().metrics.emplace(*std::move(metrics));
    }
    if (acta.message) return out;
    for (std::size_t r = 0; observed && r < step.observation->results.size(); ++r) {
        const atif::ObservationResult& result = step.observation->results[r];
        out.push_back({0, result.content ? atif_message(ChatRole::system, *result.content)
                                         : ChatMessage::system(dump(atif_outputs(result)))});
    }
    return out;
}

ACTA_INLINE JsonObject acta_extra(Json value) {
    JsonObject extra;
    extra.emplace("acta", std::move(value));
    return extra;
}

/// Returns a result for any reader. If acta needs more to read it back, that is next to it.
ACTA_INLINE std::string atif_result_text(const ActionResult& result) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        if (const auto* const text = success->outputs.get_ptr<const std::string*>()) return *text;
        DumpOptions options;
        options.invalid_utf8 = InvalidUtf8::replace;
        return dump(success->outputs, options);
    }
    if (const auto* const error = std::get_if<ActionErrorResult>(&result))
        return error->error ? error->reason + "\n" + error->error->repr : error->reason;
    return std::get<ActionInterruptedByHuman>(result).feedback;
}

ACTA_INLINE void write_atif_calls(atif::Step& step, const AtifEpisode& episode, atif::Version version) {
    const bool says_only =
        episode.calls.size() == 1 && episode.calls.front().name.empty() && episode.calls.front().arguments.empty();
    if (!says_only) {
        auto& calls = step.tool_calls.emplace();
        for (std::size_t i = 0; i < episode.calls.size(); ++i) {
            atif::ToolCall call;
            call.tool_call_id = episode.ids[i];
            call.function_name = episode.calls[i].name;
            call.arguments = episode.calls[i].arguments;
            calls.push_back(std::move(call));
        }
    }
    std::vector<atif::ObservationResult> results;
    const auto add = [&results, version](const std::string* id, const ActionResult& result) {
        atif::ObservationResult made;
        if (id != nullptr) made.source_call_id = *id;
        made.content.emplace(atif_result_text(result));
        if (is_error(result) && version >= atif::Version::v1_7) made.extra.emplace().emplace("is_error", true);
        results.push_back(std::move(made));
    };
    const std::set<std::string_view> ids(episode.ids.begin(), episode.ids.end());
    const bool known = std::ranges::all_of(episode.tool_results,
                                           [&ids](const ToolResult& one) { return ids.contains(one.tool_call_id); });
    if (!says_only && !episode.tool_results.empty() && known) {
        for (const ToolResult& one : episode.tool_results) add(&one.tool_call_id, one.result);
    } else if (*episode.result) {
        add(!says_only && episode.calls.size() == 1 ? &episode.ids.front() : nullptr, **episode.result);
    }
    if (!results.empty()) step.observation.emplace().results = std::move(results);
}

/// Returns the members of `actual` that differ from those of `exported`.
ACTA_INLINE AtifActaStep atif_difference(const Json& actual, const Json& exported) {
    AtifActaStep acta;
    JsonObject episode;
    for (const auto& [key, value] : actual.get_ref<const Json::object_t&>()) {
        const auto other = exported.find(key);
        if (other != exported.end() && *other == value) continue;
        if (key != "action") {
            episode.emplace(key, Json(value));
            continue;
        }
        JsonObject action;
        for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
            const auto found = other->find(name);
            if (found == other->end() || *found != member) action.emplace(name, Json(member));
        }
        std::vector<std::string> absent;
        for (const auto& [name, member] : other->get_ref<const Json::object_t&>()) {
            if (!value.contains(name)) absent.push_back(name);
        }
        if (!action.empty()) episode.emplace(key, std::move(action));
        if (!absent.empty()) acta.absent = std::move(absent);
    }
    // Members that are only written if set: an empty list, or nothing.
    if (exported.contains("tool_results") && !actual.contains("tool_results"))
        episode.emplace("tool_results", JsonArray());
    if (exported.contains("metrics") && !actual.contains("metrics")) episode.emplace("metrics", nullptr);
    if (!episode.empty()) acta.episode = std::move(episode);
    return acta;
}

ACTA_INLINE atif::Step atif_step(const AtifEpisode& episode, atif::Version version) {
    atif::Step step;
    step.message = episode.raw_message != nullptr ? episode.raw_message->content : episode.thoughts;
    if (episode.raw_message != nullptr && episode.raw_message->reasoning_content)
        step.reasoning_content = episode.raw_message->reasoning_content;
    else if (episode.raw_message != nullptr && episode.thoughts != episode.raw_message->content)
        step.reasoning_content = episode.thoughts;
    write_atif_calls(step, episode, version);
    if (*episode.metrics) write_atif_metrics(step, **episode.metrics);
    const bool by_id = episode.calls.size() == 1 && !episode.tool_results.empty();
    AtifActaStep acta = atif_difference(episode.json, to_json_value(atif_episode(step, by_id)));
    acta.status = std::string(to_string(status(*episode.result)));
    if (by_id) acta.by_id = true;
    step.extra = acta_extra(to_json_value(acta));
    return step;
}

/// Returns a part in the form of ATIF; nothing if the version has no such part.
ACTA_INLINE std::optional<atif::Part> atif_part(const ContentPart& part, atif::Version version) {
    atif::Part out;
    if (part.type == "text") {
        out.text = part.text;
        return out;
    }
    const bool is_audio = part.type == "audio";
    if ((!is_audio && part.type != "image") || part.url.empty() || part.media_type.empty()) return std::nullopt;
    if (version < (is_audio ? atif::Version::v1_8 : atif::Version::v1_6)) return std::nullopt;
    out.type = is_audio ? atif::PartType::audio : atif::PartType::image;
    out.source.emplace().media_type = part.media_type;
    out.source->path = part.url;
    const Json* const own = base::find_key(part.extra, "atif");
    const Json* const source = own == nullptr ? nullptr : base::find_key(*own, "source");
    const Json* const duration = source == nullptr ? nullptr : base::find_key(*source, "duration_sec");
    if (duration != nullptr && duration->is_number()) out.source->duration_sec = duration->get<double>();
    return out;
}

/// Returns parts in the form of ATIF, or the text of a message.
ACTA_INLINE atif::Content atif_content(const ChatMessage& message, atif::Version version) {
    std::vector<atif::Part> parts;
    for (const ContentPart& one : message.parts) {
        std::optional<atif::Part> part = atif_part(one, version);
        if (!part) return message.content;
        parts.push_back(*std::move(part));
    }
    if (std::ranges::none_of(parts, [](const atif::Part& part) { return part.source.has_value(); }))
        return message.content;
    return parts;
}

ACTA_INLINE atif::Step atif_said_step(const ConversationMessage& said, atif::Version version) {
    const ChatMessage& message = said.message;
    atif::Step step;
    step.source = message.role == ChatRole::user        ? atif::Source::user
                  : message.role == ChatRole::assistant ? atif::Source::agent
                                                        : atif::Source::system;
    step.message = atif_content(message, version);
    if (step.source == atif::Source::agent) step.reasoning_content = message.reasoning_content;
    if (step.source == atif::Source::agent && said.metrics) write_atif_metrics(step, *said.metrics);
    const std::vector<ConversationMessage> read = atif_messages(step, {});
    AtifActaStep acta;
    if (read.size() != 1 || read.front().message != message) acta.message = message;
    if (said.metrics && (read.empty() || read.front().metrics != said.metrics)) acta.metrics = *said.metrics;
    if (acta != AtifActaStep()) step.extra = acta_extra(to_json_value(acta));
    return step;
}

ACTA_INLINE atif::Step atif_pending_step(const std::string& feedback) {
    atif::Step step = atif_said_step({0, ChatMessage::user(feedback)}, atif::Version::v1_4);
    AtifActaStep acta;
    acta.pending_feedback = true;
    step.extra = acta_extra(to_json_value(acta));
    return step;
}

/// Returns a tool in the form of OpenAI's chat completions, as in ATIF.
ACTA_INLINE JsonObject atif_tool(const ToolDefinition& tool) {
    JsonObject function;
    function.emplace("name", tool.name);
    function.emplace("description", tool.description);
    function.emplace("parameters", Json(tool.parameters));
    JsonObject out;
    out.emplace("type", "function");
    out.emplace("function", std::move(function));
    return out;
}

/// A sum of counts. Beyond 64 bits there is none, rather than a wrong one.
class AtifTotal {
public:
    void add(const std::optional<std::int64_t>& count) {
        if (!count || beyond_) return;
        using Limits = std::numeric_limits<std::int64_t>;
        const std::int64_t sum = sum_.value_or(0);
        beyond_ = *count < 0 ? sum < Limits::min() - *count : sum > Limits::max() - *count;
        sum_ = beyond_ ? std::nullopt : std::optional(sum + *count);
    }
    [[nodiscard]] const std::optional<std::int64_t>& sum() const noexcept { return sum_; }

private:
    std::optional<std::int64_t> sum_{};
    bool beyond_ = false;
};

ACTA_INLINE atif::FinalMetrics atif_totals(const std::vector<atif::Step>& steps) {
    atif::FinalMetrics totals;
    AtifTotal prompt;
    AtifTotal completion;
    AtifTotal cached;
    for (const atif::Step& step : steps) {
        if (!step.metrics) continue;
        prompt.add(step.metrics->prompt_tokens);
        completion.add(step.metrics->completion_tokens);
        cached.add(step.metrics->cached_tokens);
        if (step.metrics->cost_usd) totals.total_cost_usd = totals.total_cost_usd.value_or(0) + *step.metrics->cost_usd;
    }
    totals.total_prompt_tokens = prompt.sum();
    totals.total_completion_tokens = completion.sum();
    totals.total_cached_tokens = cached.sum();
    totals.total_steps = static_cast<std::int64_t>(steps.size());
    return totals;
}

ACTA_INLINE atif::Document atif_document(std::vector<atif::Step> steps, const AtifActaRoot& root,
                                         const atif::Options& options) {
    atif::Document out;
    out.schema_version = "ATIF-v1." + std::to_string(static_cast<int>(options.version));
    out.session_id = options.session_id;
    out.agent.name = options.agent_name;
    out.agent.version = options.agent_version;
    out.agent.model_name = options.model_name;
    if (!options.tools.empty() && options.version != atif::Version::v1_4) {
        auto& tools = out.agent.tool_definitions.emplace();
        for (const ToolDefinition& tool : options.tools) tools.push_back(atif_tool(tool));
    }
    out.notes = options.notes;
    if (steps.empty()) {  // the validator of the format requires at least one
        AtifActaStep acta;
        acta.placeholder = true;
        atif::Step step = atif_said_step({0, ChatMessage::system("No step was taken.")}, atif::Version::v1_4);
        step.extra = acta_extra(to_json_value(acta));
        steps.push_back(std::move(step));
    }
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i].step_id = static_cast<std::int64_t>(i) + 1;
    out.final_metrics = atif_totals(steps);
    out.steps = std::move(steps);
    out.extra = acta_extra(to_json_value(root));
    return out;
}

// Subagents ------------------------------------------------------------------------------------------------

ACTA_INLINE JsonObject object_of(Json value) { return std::move(value.get_ref<Json::object_t&>()); }

/// The places of the results and the calls of a step, by the ids of the calls.
struct AtifCallPlaces {
    explicit AtifCallPlaces(const atif::Step& step) {
        if (step.observation)
            results = base::TextPlaces(step.observation->results, &atif::ObservationResult::source_call_id);
        if (step.tool_calls) calls = base::TextPlaces(*step.tool_calls, &atif::ToolCall::tool_call_id);
    }

    base::TextPlaces results{};
    base::TextPlaces calls{};
};

/// Returns the history of a run of a call as the same JSON would be read; nothing if that is another one.
ACTA_INLINE std::optional<EpisodicActionHistory<>> history_of_sub_run(const SubRun& run) {
    try {
        auto history = validate<EpisodicActionHistory<>>(run.history);
        if (to_json_value(history) == run.history) return history;
    } catch (const ValidationError&) {
    }
    return std::nullopt;
}

ACTA_INLINE std::vector<JsonObject> write_atif_sub_runs(std::vector<atif::Step>& steps,
                                                        std::span<const std::size_t> places,
                                                        std::span<const SubRun> runs, const atif::Options& options,
                                                        const std::string& prefix, AtifActaRoot& root) {
    std::vector<JsonObject> out;
    std::map<std::size_t, AtifCallPlaces> steps_with_runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const SubRun& run = runs[i];
        const bool is_written = options.version >= atif::Version::v1_7 && run.step < places.size();
        atif::Step* const step = is_written ? &steps[places[run.step]] : nullptr;
        const AtifCallPlaces* const calls =
            step == nullptr ? nullptr : &steps_with_runs.try_emplace(run.step, *step).first->second;
        const auto result = calls == nullptr ? std::nullopt : calls->results.find(run.tool_call_id);
        const auto history = result ? history_of_sub_run(run) : std::nullopt;
        if (!history) {
            root.sub_runs.push_back({i, run});
            continue;
        }
        atif::Options inner{options.version, options.session_id, options.agent_name, options.agent_version};
        if (const auto call = calls->calls.find(run.tool_call_id))
            inner.agent_name = (*step->tool_calls)[*call].function_name;
        const std::string id = prefix + std::to_string(out.size() + 1);
        atif::Document document = write_atif(*history, inner, id + ".");
        document.trajectory_id = id;
        out.push_back(object_of(to_json_value(document)));
        auto& references = step->observation->results[*result].subagent_trajectory_ref;
        if (!references) references.emplace();
        references->push_back({{"trajectory_id", id}});
    }
    return out;
}

ACTA_INLINE std::string text_at(const JsonObject& object, const char* key) {
    const Json* const value = base::find_key(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

ACTA_INLINE void AtifSubagents::add(const atif::Step& step, std::optional<std::size_t> index,
                                    const std::vector<std::string>& calls) {
    if (!step.observation) return;
    const std::set<std::string_view> known(calls.begin(), calls.end());
    for (const atif::ObservationResult& result : step.observation->results) {
        if (!result.subagent_trajectory_ref) continue;
        std::optional<std::string> call = result.source_call_id;
        if (!call && calls.size() == 1) call = calls.front();
        if (call && !known.contains(*call)) call.reset();
        for (const JsonObject& reference : *result.subagent_trajectory_ref) add(reference, index, call);
    }
}

ACTA_INLINE void AtifSubagents::add(JsonObject reference, std::optional<std::size_t> step,
                                    std::optional<std::string> call) {
    const std::string trajectory = text_at(reference, "trajectory_id");
    const std::string session = text_at(reference, "session_id");
    const std::size_t place = references_.size();
    references_.push_back({step, std::move(call), trajectory.empty() ? session : trajectory});
    if (const Json* const steps = base::find_key(reference, "steps"); steps != nullptr && steps->is_array())
        whole_.emplace_back(std::move(reference), place);
    else if (!trajectory.empty())
        by_trajectory_[trajectory].push_back(place);
    else if (!session.empty())
        by_session_[session].push_back(place);
}

/// Returns the first free reference to a trajectory.
ACTA_INLINE AtifSubagents::Reference* AtifSubagents::find(const JsonObject& trajectory) {
    const std::pair<const char*, std::map<std::string, std::deque<std::size_t>>*> ways[] = {
        {"trajectory_id", &by_trajectory_}, {"session_id", &by_session_}};
    for (const auto& [key, references] : ways) {
        const auto found = references->find(text_at(trajectory, key));
        if (found == references->end() || found->second.empty()) continue;
        const std::size_t place = found->second.front();
        found->second.pop_front();
        return &references_[place];
    }
    return nullptr;
}

ACTA_INLINE std::vector<SubRun> AtifSubagents::read(const atif::Document& document) {
    std::vector<SubRun> out;
    for (const auto& [trajectory, place] : whole_)
        read_one(trajectory, &references_[place], {std::string("steps")}, out);
    const auto embedded = document.subagent_trajectories ? std::span<const JsonObject>(*document.subagent_trajectories)
                                                         : std::span<const JsonObject>();
    for (std::size_t i = 0; i < embedded.size(); ++i)
        read_one(embedded[i], find(embedded[i]), {std::string("subagent_trajectories"), i}, out);
    for (const Reference& one : references_) {
        if (one.is_found) continue;
        TrajectoryNote note{TrajectoryNoteKind::dropped, one.step, {std::string("steps")}, {}};
        note.message = "A subagent's run '" + one.id + "' in another document";
        if (one.call) note.message += ", which call '" + *one.call + "' began";
        notes.push_back(std::move(note));
    }
    return out;
}

ACTA_INLINE void AtifSubagents::read_one(const JsonObject& trajectory, Reference* reference,
                                         std::vector<LocElement> loc, std::vector<SubRun>& out) {
    std::string id = text_at(trajectory, "trajectory_id");
    if (id.empty()) id = text_at(trajectory, "session_id");
    const Json* const steps = base::find_key(trajectory, "steps");
    TrajectoryNote note{TrajectoryNoteKind::dropped, {}, loc, {}};
    note.message =
        "A subagent's run '" + id + "' of " + std::to_string(steps == nullptr ? 0 : steps->size()) + " steps";
    if (reference != nullptr) reference->is_found = true;
    if (reference == nullptr || !reference->call) {
        note.message += ", of no known call";
        return notes.push_back(std::move(note));
    }
    note.step = reference->step;
    note.message += ", which call '" + *reference->call + "' began";
    TrajectoryReport inner;
    try {
        const auto document = validate<atif::Document>(Json(trajectory));
        AtifReader<ActionProposal<>> reader(document);
        Json history = to_json_value(reader.read());
        if (base::is_deeper(history, max_run_depth)) {
            note.message += ", is nested too deeply";
        } else {
            note.kind = TrajectoryNoteKind::kept;
            out.push_back({*reference->step, *reference->call, std::move(history)});
            inner = reader.take_notes();
        }
    } catch (const ValidationError& error) {
        note.message += ", cannot be read: " + error.issues().front().pointer() + ": " + error.issues().front().message;
    }
    notes.push_back(std::move(note));
    for (TrajectoryNote& one : inner) {
        one.step = reference->step;
        one.loc.insert(one.loc.begin(), loc.begin(), loc.end());
        notes.push_back(std::move(one));
    }
}

}  // namespace acta::inline ACTA_ABI::interop_detail
