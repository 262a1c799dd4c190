// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "acta/history/conversation.hpp"
#include "acta/prompt/options.hpp"

// Where messages of the conversation stand between the steps.
namespace acta::inline ACTA_ABI::prompt_detail {

/// In their order before and after the same step.
enum class PieceKind { instruction, hidden, message, step, rolling_summary };

/// The place of a piece in a prompt.
struct PiecePlace {
    std::size_t step = 0;  ///< Of a message the one that it stands before.
    PieceKind kind = PieceKind::step;
    std::size_t message = 0;  ///< Its index in the conversation.

    friend auto operator<=>(const PiecePlace&, const PiecePlace&) = default;
};

/// A step, a message or a note as it will be shown: a line, or messages.
struct PromptPiece {
    PiecePlace place{};
    std::string text{};
    std::vector<ChatMessage> messages{};
    PromptCount count{};

    [[nodiscard]] PieceKind kind() const noexcept { return place.kind; }
    [[nodiscard]] bool is_said() const noexcept {
        return place.kind == PieceKind::instruction || place.kind == PieceKind::message;
    }
    [[nodiscard]] bool is_empty() const noexcept {
        if (messages.empty()) return text.empty();
        const ChatMessage& first = messages.front();
        return first.content.empty() && first.parts.empty() && first.tool_calls.empty();
    }
};

/// A number of steps and messages from the beginning.
struct ItemsBefore {
    std::size_t steps = 0;
    std::size_t said = 0;

    [[nodiscard]] std::size_t position() const noexcept { return steps + said; }
};

/// Steps and messages as one sequence.
class SaidOrder {
public:
    explicit SaidOrder(std::span<const ConversationMessage> said) : said_(said) {
        const auto role = [&](std::size_t m) { return said_[m].message.role; };
        while (instructions_ < said_.size() && role(instructions_) == ChatRole::system) ++instructions_;
        // The newest turn begins with the user's first message since an answer that something followed.
        std::size_t m = said_.size();
        while (m > instructions_ && role(m - 1) == ChatRole::assistant) --m;
        for (; m > instructions_ && role(m - 1) != ChatRole::assistant; --m) {
            if (role(m - 1) == ChatRole::user) turn_ = m - 1;
        }
        end_turn_ = turn_;
        while (end_turn_ < said_.size() && role(end_turn_) == ChatRole::user &&
               said_[end_turn_].before == said_[turn_].before)
            ++end_turn_;
    }

    /// Returns the messages that are always shown: instructions at the beginning, and those that began the newest turn.
    [[nodiscard]] std::vector<std::size_t> pinned() const {
        std::vector<std::size_t> out;
        for (std::size_t m = 0; m < instructions_; ++m) out.push_back(m);
        for (std::size_t m = turn_; m < end_turn_; ++m) out.push_back(m);
        return out;
    }
    [[nodiscard]] PiecePlace place(std::size_t m) const {
        return {said_[m].before, m < instructions_ ? PieceKind::instruction : PieceKind::message, m};
    }
    [[nodiscard]] bool is_pinned(std::size_t m) const noexcept {
        return m < instructions_ || (m >= turn_ && m < end_turn_);
    }
    /// Drops messages that are always shown from the end of the items.
    void skip_pinned(ItemsBefore& items) const noexcept {
        while (is_next(items) && is_pinned(items.said - 1)) --items.said;
    }
    /// Returns whether the last of the items is a message.
    [[nodiscard]] bool is_next(const ItemsBefore& items) const noexcept {
        return items.said > 0 && said_[items.said - 1].before >= items.steps;
    }
    /// Skips the steps after the last of the messages.
    void skip_steps(ItemsBefore& items) const noexcept {
        items.steps = std::min(items.steps, said_[items.said - 1].before);
    }
    [[nodiscard]] std::size_t position(const PiecePlace& place) const noexcept {
        if (place.kind == PieceKind::message) return place.step + place.message;
        const auto behind = std::ranges::upper_bound(said_, place.step, {}, &ConversationMessage::before);
        return place.step + static_cast<std::size_t>(behind - said_.begin());
    }
    /// Returns how many steps are among the first `position` items. Logarithmic.
    [[nodiscard]] std::size_t steps_before(std::size_t position) const noexcept {
        std::size_t low = 0;
        std::size_t high = said_.size();
        while (low < high) {  // the first message that is not among them
            const std::size_t middle = low + (high - low) / 2;
            if (said_[middle].before + middle < position)
                low = middle + 1;
            else
                high = middle;
        }
        return position - low;
    }

private:
    std::span<const ConversationMessage> said_;
    std::size_t instructions_ = 0;
    std::size_t turn_ = no_limit;
    std::size_t end_turn_ = no_limit;
};

}  // namespace acta::inline ACTA_ABI::prompt_detail
