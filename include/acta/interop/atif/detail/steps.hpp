// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "acta/base/boxed.hpp"
#include "acta/history/history.hpp"
#include "acta/interop/atif/detail/location.hpp"
#include "acta/interop/atif/records.hpp"

// A step of ATIF as an episode, and back. Everything without a place in ATIF is in the step's `extra.acta`: it is found
// by reading the exported step as any reader would, and keeping the differences.
namespace acta::inline ACTA_ABI {

namespace atif {
enum class Version;
struct Options;
}  // namespace atif

namespace interop_detail {

/// `extra.acta` of a step.
struct AtifActaStep {
    std::optional<std::string> status{};               ///< Of the episode, for other readers.
    std::optional<bool> by_id{};                       ///< The result was registered by the call's id.
    std::optional<JsonObject> episode{};               ///< Members of the episode that ATIF does not carry.
    std::optional<std::vector<std::string>> absent{};  ///< Keys that the action does not have.
    std::optional<bool> pending_feedback{};            ///< The agent has not seen the user's message.
    std::optional<bool> placeholder{};                 ///< The step exists only because a document needs one.
    std::optional<ChatMessage> message{};              ///< The message, if ATIF does not carry all of it.

    friend bool operator==(const AtifActaStep&, const AtifActaStep&) = default;
};

/// `extra.acta` of a document.
struct AtifActaRoot {
    std::string version{};  ///< Of acta.
    std::int64_t cursor = 0;

    friend bool operator==(const AtifActaRoot&, const AtifActaRoot&) = default;
};

/// An episode of any type, as far as ATIF carries it.
struct AtifEpisode {
    std::span<const AssistantFunctionCall> calls{};
    std::vector<std::string> ids{};
    std::string thoughts{};
    const AssistantChatMessage* raw_message = nullptr;
    const std::optional<ActionResult>* result = nullptr;
    std::span<const ToolResult> tool_results{};
    const Boxed<StepMetrics>* metrics = nullptr;
    Json json{};  ///< The whole episode.
};

[[nodiscard]] JsonObject acta_extra(Json value);
[[nodiscard]] atif::Step atif_said_step(const ChatMessage& message, atif::Version version);
[[nodiscard]] atif::Step atif_pending_step(const std::string& feedback);
[[nodiscard]] atif::Step atif_step(const AtifEpisode& episode, atif::Version version);
[[nodiscard]] atif::Document atif_document(std::vector<atif::Step> steps, std::size_t cursor,
                                           const atif::Options& options);

/// Returns content as text, with a placeholder for an image or a recording.
[[nodiscard]] std::string atif_text(const atif::Content& content);
/// Returns the messages of a step that is not an episode: its message, and its observations.
[[nodiscard]] std::vector<ChatMessage> atif_messages(const atif::Step& step, const AtifActaStep& acta);
/// Returns the episode that a step of the agent contains by itself.
[[nodiscard]] Episode<> atif_episode(const atif::Step& step, bool by_id);
/// Returns `exported` with the corrections in `extra.acta`.
[[nodiscard]] Json corrected_episode(Json exported, const AtifActaStep& acta);

}  // namespace interop_detail

template <>
struct Describe<interop_detail::AtifActaStep> {
    using Self = interop_detail::AtifActaStep;
    static constexpr auto fields =
        acta::fields(omit_if_empty("status", &Self::status), omit_if_empty("by_id", &Self::by_id),
                     omit_if_empty("episode", &Self::episode), omit_if_empty("absent", &Self::absent),
                     omit_if_empty("pending_feedback", &Self::pending_feedback),
                     omit_if_empty("placeholder", &Self::placeholder), omit_if_empty("message", &Self::message));
};

template <>
struct Describe<interop_detail::AtifActaRoot> {
    using Self = interop_detail::AtifActaRoot;
    static constexpr auto fields = acta::fields(required("version", &Self::version), required("cursor", &Self::cursor));
};

}  // namespace acta::inline ACTA_ABI
