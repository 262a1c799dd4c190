// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "acta/interop/atif/check.hpp"
#include "acta/interop/atif/detail/location.hpp"

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
