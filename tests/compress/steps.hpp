// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "acta/compress/compress.hpp"
#include "acta/history/history.hpp"

/// Steps for tests of compression: step `i` calls `tool_<i>` and returns `output <i>`.
namespace steps {

inline acta::ActionProposal<> proposal(std::size_t i) {
    acta::ActionProposal<> out;
    out.thoughts = "thought " + std::to_string(i);
    out.use_tool.name = "tool_" + std::to_string(i);
    return out;
}

inline acta::ActionResult result(const std::string& outputs) {
    acta::ActionSuccessResult out;
    out.outputs = outputs;
    return out;
}

template <class History>
void add(History& history, std::size_t i) {
    history.register_action(proposal(i));
    history.register_result(result("output " + std::to_string(i)));
}

inline acta::EpisodicActionHistory<> finished(std::size_t count) {
    acta::EpisodicActionHistory<> history;
    for (std::size_t i = 0; i < count; ++i) add(history, i);
    return history;
}

/// The name of the tool in the text of a step.
inline std::string tool_in(std::string_view text) {
    const std::size_t begin = text.find("tool_");
    return std::string(text.substr(begin, text.find('(', begin) - begin));
}

/// A summarizer: `used tool_<i>`.
inline std::string short_form(std::string_view text, const acta::SummaryRequest&) { return "used " + tool_in(text); }

/// Options that leave no step as it is.
inline acta::CompressionOptions all_of_it() {
    acta::CompressionOptions options;
    options.keep_recent = 0;
    return options;
}

/// Which steps have a summary: `+`, or `-`.
template <class History>
std::string marks(const History& history) {
    std::string out;
    for (const auto& episode : history) out += episode.summary ? '+' : '-';
    return out;
}

}  // namespace steps
