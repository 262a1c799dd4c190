// SPDX-License-Identifier: MIT
// The loop: whole runs over a model that takes no time.
#include <memory>
#include <string>

#include "acta/agent/run.hpp"
#include "series.hpp"

namespace {

using acta::ChatMessage;

/// A model that reads `n` parts, and then answers.
class Reader {
public:
    explicit Reader(std::size_t n) : n_(n) {}

    acta::ChatCompletion operator()(std::span<const ChatMessage>, const acta::ChatOptions&) {
        acta::ChatCompletion out;
        if (asked_++ == n_) {
            out.message.content = "All read.";
            return out;
        }
        out.message.content = "I read on, since the pump is not named yet.";
        out.message.tool_calls = {{"call_" + std::to_string(asked_), {"read_log", {{"part", asked_}}}}};
        return out;
    }

private:
    std::size_t n_;
    std::size_t asked_ = 0;
};

bench::Series runs(const char* name, const acta::RunOptions& options) {
    const auto prepare = [options](std::size_t n) {
        auto skills = std::make_shared<acta::SkillRegistry>();
        skills->add(
            "read_log", "Reads a part.",
            [](std::size_t part) {
                return "Part " + std::to_string(part) + ": high water at noon.\n" + std::string(1500, 'x');
            },
            acta::param("part", "Which one."));
        const auto run = [n, skills, options] {
            acta::RunOptions own = options;
            own.limits.requests = n + 1;
            acta::EpisodicActionHistory<> history;
            history.register_message(ChatMessage::user("When did the pump run dry?"));
            return acta::run_agent(Reader(n), *skills, history, own).end == acta::RunEnd::answered &&
                   history.size() == n;
        };
        return bench::Job{static_cast<double>(n), run};
    };
    return {name, "steps", prepare};
}

acta::RunOptions wide() {
    acta::RunOptions options;
    options.budget.max_full_tokens = 100'000;
    options.budget.max_tokens = 100'000;
    return options;
}

[[maybe_unused]] const bool added =
    bench::add_section({13,
                        "The loop: a whole run over a model that takes no time",
                        "steps",
                        {10, 100, 1'000, 10'000},
                        {runs("`run_agent`", {}), runs("the same with a budget of 200 000 tokens", wide())}});

}  // namespace
