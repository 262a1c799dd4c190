// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "acta/compress/rolling_summary.hpp"
#include "acta/history/history.hpp"
#include "acta/prompt/prompt.hpp"

// A long run of an agent, and what of it a prompt still shows.
namespace acta_measure {

/// A run in which every step reads a file of its own and sees numbers of its own. In each 100 steps
/// - 2 steps mark something (`IMPORTANT: ...` in a thought or an output), and
/// - 3 files are used in 3 steps each; in the first 100, so are 3 names of ports.
class LongRun {
public:
    std::vector<std::string> marked{};    ///< Of the first 100 steps: what the marked sentences say.
    std::vector<std::string> repeated{};  ///< Of the first 100 steps: facts that came up three times.
    std::vector<std::string> single{};    ///< Of the first 100 steps: facts that came up once.
    std::vector<std::string> all_marked{};
    std::vector<std::string> all_repeated{};

    /// Takes the next step of the run.
    void step(acta::EpisodicActionHistory<>& history) {
        const std::size_t i = history.size();
        const std::size_t century = i / 100;
        const std::size_t in_century = i % 100;
        acta::ActionProposal<> proposal;
        proposal.thoughts = "Now the next part of the survey is due.";
        std::string file = "logs/day_" + number(7 * i) + ".txt";
        std::string output;
        for (std::size_t line = 0; line < 12; ++line) {
            output += "gauge_" + number(13 * i + line) + " read " + number(31 * i + 17 * line) +
                      " at the quay of mark " + std::to_string(line) + "\n";
        }
        if (i < 100) single.push_back(file);
        if (in_century % 30 == 10 || in_century % 30 == 15 || in_century % 30 == 22) {
            file = "src/century_" + std::to_string(century) + "/module_" + std::to_string(in_century / 30) + ".cpp";
            if (in_century % 30 == 22) all_repeated.push_back(file);
            if (i < 100 && in_century % 30 == 22) repeated.push_back(file);
            if (century == 0) {
                const std::string port = "port" + std::to_string(4810 + in_century / 30);
                output += "the pump listens at " + port + "\n";
                if (in_century % 30 == 22) repeated.push_back(port);
            }
        }
        if (in_century == 5) {
            const std::string fact = "the lock gate of basin " + std::to_string(century) + " opens on request only";
            proposal.thoughts += "\nIMPORTANT: " + fact + ".";
            all_marked.push_back(fact);
            if (i < 100) marked.push_back(fact);
        }
        if (in_century == 55) {
            const std::string fact = "survey " + std::to_string(century) + " uses the datum NHN";
            output += "NOTE: " + fact + "\n";
            all_marked.push_back(fact);
            if (i < 100) marked.push_back(fact);
        }
        proposal.use_tool = {"read_file", {{"path", file}}};
        history.register_action(std::move(proposal));
        history.register_result(acta::ActionSuccessResult{.outputs = output});
    }

    /// How many of these facts a text has, in percent.
    [[nodiscard]] static double percent(const std::vector<std::string>& facts, const std::string& text) {
        std::size_t found = 0;
        for (const std::string& fact : facts) found += text.find(fact) == std::string::npos ? 0U : 1U;
        return facts.empty() ? 100.0 : 100.0 * static_cast<double>(found) / static_cast<double>(facts.size());
    }

private:
    /// A number that looks like any other, each of its own.
    [[nodiscard]] static std::string number(std::size_t n) {
        return std::to_string(100000 + (n * 7919 + 104729) % 899981);
    }
};

}  // namespace acta_measure
