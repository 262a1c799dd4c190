// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acta/action/proposal.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/interop/atif/atif.hpp"
#include "acta/interop/atif/detail/steps.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"

// The templates of acta/interop/atif/atif.hpp.
namespace acta::inline ACTA_ABI {

namespace interop_detail {

/// Adds the issues of an inner value, with the location that it has in the document.
inline void add_issues(std::vector<Issue>& issues, const Loc& loc, const ValidationError& error) {
    for (Issue issue : error.issues()) {
        issue.loc.insert(issue.loc.begin(), loc.begin(), loc.end());
        issues.push_back(std::move(issue));
    }
}

/// Reads `extra.acta`, if there is one.
template <class T>
std::optional<T> read_acta_extra(const std::optional<JsonObject>& extra, Loc loc, std::vector<Issue>& issues) {
    if (!extra) return std::nullopt;
    const auto found = extra->find("acta");
    if (found == extra->end()) return std::nullopt;
    loc.emplace_back(std::string("extra"));
    loc.emplace_back(std::string("acta"));
    try {
        return validate<T>(found->second);
    } catch (const ValidationError& error) {
        add_issues(issues, loc, error);
    }
    return std::nullopt;
}

/// Builds a history from a document.
template <Proposal P>
class AtifReader {
public:
    explicit AtifReader(const atif::Document& document) : document_(document), issues_(atif::check(document)) {}

    EpisodicActionHistory<P> read() {
        root_ = read_acta_extra<AtifActaRoot>(document_.extra, {}, issues_);
        for (std::size_t i = 0; i < document_.steps.size(); ++i) read_step(document_.steps[i], i);
        if (!issues_.empty()) throw ValidationError(introspection::type_title<atif::Document>(), std::move(issues_));
        const bool open = !record_.episodes.empty() && !record_.episodes.back().result;
        record_.cursor = root_ ? root_->cursor : std::ssize(record_.episodes) - (open ? 1 : 0);
        return EpisodicActionHistory<P>(std::move(record_));
    }

private:
    void read_step(const atif::Step& step, std::size_t i) {
        const AtifActaStep acta =
            read_acta_extra<AtifActaStep>(step.extra, loc_of_step(i, {}), issues_).value_or(AtifActaStep{});
        const bool calls = step.tool_calls && !step.tool_calls->empty();
        if (step.source == atif::Source::agent && (calls || acta.status || acta.episode || acta.absent)) {
            read_episode(step, acta, i);
        } else if (acta.pending_feedback.value_or(false)) {
            record_.pending_user_feedback.push_back(atif_text(step.message));
        } else if (!acta.placeholder.value_or(false)) {
            for (ChatMessage& said : atif_messages(step, acta))
                record_.conversation.push_back({record_.episodes.size(), std::move(said)});
        }
    }

    void read_episode(const atif::Step& step, const AtifActaStep& acta, std::size_t i) {
        Episode<> exported = atif_episode(step, acta.by_id.value_or(false));
        if constexpr (std::same_as<P, ActionProposal<>>) {
            if (!acta.episode && !acta.absent) {
                record_.episodes.push_back(std::move(exported));
                return;
            }
        }
        try {
            record_.episodes.push_back(validate<Episode<P>>(corrected_episode(to_json_value(exported), acta)));
        } catch (const ValidationError& error) {
            add_issues(issues_, loc_of_step(i, {}), error);
            record_.episodes.emplace_back();  // so that later steps keep their places
        }
    }

    const atif::Document& document_;
    std::vector<Issue> issues_;
    std::optional<AtifActaRoot> root_{};
    HistoryRecord<P> record_{};
};

}  // namespace interop_detail

template <Proposal P>
atif::Document atif::to_document(const EpisodicActionHistory<P>& history, const atif::Options& options) {
    std::vector<atif::Step> steps;
    const std::span<const ConversationMessage> said = history.messages();
    auto next = said.begin();
    for (std::size_t i = 0; i < history.size(); ++i) {
        for (; next != said.end() && next->before <= i; ++next)
            steps.push_back(interop_detail::atif_said_step(next->message, options.version));
        const Episode<P>& episode = history[i];
        interop_detail::AtifEpisode parts;
        parts.calls = get_tools(episode.action);
        parts.ids = history.tool_call_ids(i);
        parts.thoughts = thoughts_text(episode.action.thoughts);
        parts.raw_message = find_raw_message(episode.action);
        parts.result = &episode.result;
        parts.tool_results = episode.tool_results;
        parts.metrics = &episode.metrics;
        parts.json = to_json_value(episode);
        steps.push_back(interop_detail::atif_step(parts, options.version));
    }
    for (; next != said.end(); ++next) steps.push_back(interop_detail::atif_said_step(next->message, options.version));
    for (const std::string& feedback : history.pending_feedback())
        steps.push_back(interop_detail::atif_pending_step(feedback));
    return interop_detail::atif_document(std::move(steps), history.cursor(), options);
}

template <Proposal P>
EpisodicActionHistory<P> atif::to_history(const atif::Document& document) {
    return interop_detail::AtifReader<P>(document).read();
}

}  // namespace acta::inline ACTA_ABI
