// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"

/// Histories made at random, the same on every machine: all kinds of steps, and texts that could be taken for others.
class RandomHistories {
public:
    explicit RandomHistories(std::uint32_t seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return random_() % n; }
    bool chance(std::size_t percent) { return below(100) < percent; }

    std::string text() {
        static const std::vector<std::string> texts{
            "",
            " ",
            "\n\t",
            "plain words",
            "two\nlines",
            "```fence```",
            "42",
            "-0",
            "1.50",
            "true",
            "null",
            "[1,2]",
            "[1, 2]",
            "{\"a\":1}",
            "{\"a\": 1}",
            "\"quoted\"",
            "\"42\"",
            "\"\\\"42\\\"\"",
            "Action failed: 'x'",
            "Action failed: 'x",
            "Action failed: '",
            "Action failed: 'x'\nError: {}",
            "Action failed: 'x'\nError: {\"args\":[],\"message\":\"m\",\"exception_type\":\"T\",\"repr\":\"T()\"}",
            "\"Action failed: 'x'\"",
            "The user interrupted the action with the following feedback: \"stop\"",
            "The user interrupted the action with the following feedback: \"",
            "The user interrupted the action; their feedback follows.",
            "The action did not finish; it has no result.",
            "See the result of the step as a whole.",
            "Result of the step as a whole: x",
            "Result of the step as a whole: Result of the step as a whole: 1",
            "Result of the step as a whole: The action did not finish; it has no result.",
            "Summary of the step: x",
            "Summary of the step, which failed: x",
            "(no text)",
            "h\xC3\xA4 \xE6\x97\xA5 \xF0\x9F\x99\x82",
            "it's \"both\"",
            "\\",
        };
        return texts[below(texts.size())];
    }

    acta::Json json(int depth = 3) {
        switch (below(depth > 0 ? 9 : 7)) {
            case 0: return acta::Json(nullptr);
            case 1: return acta::Json(chance(50));
            case 2: return acta::Json(static_cast<std::int64_t>(random_()) - 2147483648);
            case 3: return acta::Json(static_cast<double>(random_()) / 7);
            case 4:
            case 5:
            case 6: return acta::Json(text());
            case 7: {
                acta::JsonArray array;
                for (std::size_t i = below(4); i > 0; --i) array.push_back(json(depth - 1));
                return array;
            }
            default: return object(depth - 1);
        }
    }
    acta::JsonObject object(int depth) {
        acta::JsonObject out;
        for (std::size_t i = below(4); i > 0; --i) {
            std::string key = "k";
            key += std::to_string(i);
            out.emplace_back(key, json(depth));
        }
        return out;
    }

    acta::ActionResult result() {
        if (chance(60)) {
            acta::ActionSuccessResult success;
            success.outputs = json();
            return success;
        }
        if (chance(40)) return acta::ActionInterruptedByHuman{text()};
        acta::ActionErrorResult error{text(), {}};
        if (chance(50)) {
            error.error.emplace();
            error.error->message = text();
            error.error->exception_type = "runtime_error";
            error.error->repr = text();
            error.error->args.push_back(json());
        }
        return error;
    }

    std::string id() {
        static const std::vector<std::string> ids{"call_0",
                                                  "call_0_0",
                                                  "call_1_0",
                                                  "a",
                                                  "a_2",
                                                  "",
                                                  "with space/ü",
                                                  "toolu_01AaHKJphyeTw3GFp4Xgiekv",
                                                  "fc_0f0e50a1476a6c35006912c58dc9f8819192c25864eb16f07f"};
        return ids[below(ids.size())];
    }

    acta::Episode<> episode() {
        acta::Episode<> out;
        out.action.thoughts = text();
        const std::size_t calls = chance(15) ? 0 : chance(60) ? 1 : 2 + below(3);
        std::vector<acta::AssistantFunctionCall> functions;
        for (std::size_t i = 0; i < calls; ++i) {
            acta::AssistantFunctionCall call;
            call.name = "tool" + std::to_string(below(5));
            call.arguments = object(2);
            functions.push_back(std::move(call));
        }
        if (calls > 0 && chance(70)) {
            auto& raw = out.action.raw_message.emplace();
            raw.content = out.action.thoughts;
            raw.tool_calls.emplace();
            for (const auto& call : functions) raw.tool_calls->push_back({id(), call});
        }
        acta::set_calls(out.action, functions);
        if (chance(40)) out.summary = "Found " + std::to_string(below(100)) + " of them.";
        return out;
    }

    /// Gives the step at `i` results, in one of the ways it can have them.
    void finish(acta::Episode<>& episode, const std::vector<std::string>& ids) {
        const std::size_t way = below(100);
        if (way < 15) return;  // open
        if (ids.size() > 1 && way < 75) {
            for (const std::string& one : ids) {
                if (way < 45 || chance(50)) episode.tool_results.push_back({one, result()});
            }
            if (episode.tool_results.size() == ids.size()) {
                episode.result = acta::joined_result(episode.tool_results);
                return;
            }
            if (way < 60) return;  // partly answered, and open
        }
        episode.result = result();
    }

    acta::EpisodicActionHistory<> history() {
        acta::HistoryRecord<acta::ActionProposal<>> record;
        for (std::size_t i = below(7); i > 0; --i) record.episodes.push_back(episode());
        const acta::EpisodicActionHistory<> named(record);
        for (std::size_t i = 0; i < record.episodes.size(); ++i) finish(record.episodes[i], named.tool_call_ids(i));
        const bool open = !record.episodes.empty() && !record.episodes.back().result;
        record.cursor = static_cast<std::int64_t>(record.episodes.size()) - (open ? 1 : 0);
        if (chance(30) && !record.episodes.empty()) record.pending_user_feedback.push_back("And then, 'please'?");
        if (chance(10) && !record.episodes.empty()) record.pending_user_feedback.push_back("42");
        return acta::EpisodicActionHistory<>(std::move(record));
    }

    /// The history with what was said before its steps and between them.
    acta::EpisodicActionHistory<> with_conversation(const acta::EpisodicActionHistory<>& history) {
        acta::HistoryRecord<acta::ActionProposal<>> record = history.record();
        using acta::ChatMessage;
        if (chance(50)) record.conversation.push_back({0, ChatMessage::system("You are an agent.")});
        if (chance(80)) record.conversation.push_back({0, ChatMessage::user("Find the tides.")});
        for (std::size_t i = 1; i <= history.size(); ++i) {
            if (chance(20)) record.conversation.push_back({i, ChatMessage::assistant("They are high.")});
            if (chance(20)) record.conversation.push_back({i, ChatMessage::user("By the way: hurry.")});
        }
        return acta::EpisodicActionHistory<>(std::move(record));
    }

private:
    std::mt19937 random_;
};
