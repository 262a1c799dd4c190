// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/history/history.hpp"
#include "acta/provider/openai/codec.hpp"
#include "memory/failing_new.hpp"
#include "memory/histories.hpp"

// Work that cannot be seen in a result, but in what is allocated for it: twice the work takes twice the memory, not
// four times.
namespace {

using histories::History;

/// By how much more is allocated for twice as much: 2 where that grows in proportion.
template <class Work>
double growth(const Work& work, std::size_t size) {
    const auto taken_by = [&](std::size_t n) {
        const std::size_t before = memory::taken();
        work(n);
        return static_cast<double>(memory::taken() - before);
    };
    static_cast<void>(taken_by(1));
    const double once = taken_by(size);
    return taken_by(2 * size) / once;
}

constexpr double in_proportion = 2.3;  // what grows by doubling may do so once more

}  // namespace

TEST_CASE("adding steps to a history takes memory in proportion to them") {
    const auto add = [](std::size_t steps) {
        History history;
        for (std::size_t i = 0; i < steps; ++i) {
            history.register_action({.thoughts = "", .use_tool = {"f", {}}});
            history.register_result(acta::ActionSuccessResult{});
        }
    };
    CHECK(growth(add, 8000) < in_proportion);
}

TEST_CASE("results of a step's parallel calls take memory in proportion to them, whatever their order") {
    for (const bool forward : {true, false}) {
        const auto register_all = [&](std::size_t calls) {
            History history;
            acta::ActionProposal<> proposal;
            proposal.use_tools.assign(calls, {.name = "f"});
            history.register_action(std::move(proposal));
            for (std::size_t i = 0; i < calls; ++i) {
                const std::size_t call = forward ? i : calls - 1 - i;
                history.register_result("call_" + std::to_string(call), acta::ActionSuccessResult{});
            }
            CHECK(history[0].result);
        };
        CHECK(growth(register_all, 1000) < in_proportion);
    }
}

TEST_CASE("tools that a request has in common with the last one take memory for their text in the request alone") {
    acta::ChatOptions options;
    for (int i = 0; i < 500; ++i) {
        options.tools.push_back({"tool_" + std::to_string(i), histories::long_text,
                                 acta::Json::parse(R"({"type": "object", "properties": {"x": {"type": "integer"}}})")});
    }
    const acta::openai::ChatCodec codec({.base_url = "http://h", .model = "m", .api_key = ""});
    const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("?")};
    const auto taken_by_request = [&] {
        const std::size_t before = memory::taken();
        const acta::ChatOptions own = options;
        const std::size_t size = codec.request(messages, own).body.size();
        return std::pair(memory::taken() - before, size);
    };
    const auto [first, size] = taken_by_request();
    const auto [second, same_size] = taken_by_request();
    CHECK(size == same_size);
    CHECK(first > 4 * size);
    CHECK(second < 2 * size);
}
