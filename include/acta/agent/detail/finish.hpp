// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "acta/agent/agent_run.hpp"
#include "acta/base/unicode.hpp"

// Finish reasons, for the run.
namespace acta::inline ACTA_ABI::agent_detail {

/// How complete an answer is, by its finish reason.
enum class Finish { complete, truncated, refused, paused, failed };

/// Reads the words of the APIs; `ChatCompletion::finish_reason` of acta's clients is one of the first of each kind.
[[nodiscard]] inline Finish finish_of(std::string_view reason) noexcept {
    constexpr std::array<std::pair<std::string_view, Finish>, 21> words{{
        {"length", Finish::truncated},
        {"max_tokens", Finish::truncated},
        {"max_output_tokens", Finish::truncated},
        {"incomplete", Finish::truncated},
        {"model_length", Finish::truncated},
        {"model_context_window_exceeded", Finish::truncated},
        {"content_filter", Finish::refused},
        {"refusal", Finish::refused},
        {"refused", Finish::refused},
        {"safety", Finish::refused},
        {"image_safety", Finish::refused},
        {"recitation", Finish::refused},
        {"blocklist", Finish::refused},
        {"prohibited_content", Finish::refused},
        {"spii", Finish::refused},
        {"pause_turn", Finish::paused},
        {"error", Finish::failed},
        {"failed", Finish::failed},
        {"cancelled", Finish::failed},
        {"malformed_function_call", Finish::failed},
        {"unexpected_tool_call", Finish::failed},
    }};
    for (const auto& [word, finish] : words) {
        if (ascii::equals_ignoring_case(word, reason)) return finish;
    }
    return Finish::complete;
}

/// Returns how an answer ends the run.
[[nodiscard]] inline RunEnd end_of(Finish finish) noexcept {
    if (finish == Finish::truncated) return RunEnd::truncated;
    return finish == Finish::refused ? RunEnd::refused : RunEnd::answered;
}

}  // namespace acta::inline ACTA_ABI::agent_detail
