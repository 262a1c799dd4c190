// SPDX-License-Identifier: MIT
// The bodies of requests, as the clients write them before they send anything.
#include <benchmark/benchmark.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "generate.hpp"
#include "series.hpp"

namespace {

/// A row that writes the messages of a history into the body of a request, beside nlohmann's writing of the same tree.
bench::Series requests(const char* name, const acta::HttpChatCodec& codec) {
    const auto prepare = [codec](std::size_t n) {
        const auto messages =
            std::make_shared<const std::vector<acta::ChatMessage>>(acta::to_messages(bench::short_history(n)));
        const std::size_t size = codec.request(*messages).body.size();
        const auto tree = std::make_shared<const acta::Json>(acta::Json::parse(codec.request(*messages).body));
        const auto run = [codec, messages, size] { return codec.request(*messages).body.size() == size; };
        const auto other = [tree] { benchmark::DoNotOptimize(tree->dump()); };
        return bench::Job{static_cast<double>(size), run, other};
    };
    return {name, "bytes", prepare, "nlohmann_json dump of the tree alone"};
}

[[maybe_unused]] const bool added = bench::add_section(
    {41,
     "Requests",
     "steps in the history",
     {10, 1'000, 10'000},
     {requests("OpenAI's chat completions", acta::openai::ChatCodec({.base_url = "http://h", .api_key = ""})),
      requests("OpenAI's Responses API", acta::openai::ResponsesCodec({.base_url = "http://h", .api_key = ""})),
      requests("Anthropic's Messages API", acta::anthropic::ChatCodec({.base_url = "http://h", .api_key = ""}))}});

}  // namespace
