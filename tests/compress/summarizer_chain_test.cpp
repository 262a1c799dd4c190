// SPDX-License-Identifier: MIT
#include "acta/base/stop_token.hpp"
#include "acta/compress/compress.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/extractive.hpp"
#include "support/catch.hpp"

namespace {

using acta::SummarizerChain;
using acta::SummaryError;
using acta::SummaryRequest;

std::string good(std::string_view text, const SummaryRequest&) { return "of " + std::string(text); }
std::string bad(std::string_view, const SummaryRequest&) { throw std::runtime_error("no network"); }

acta::ChatSummarizerOptions one_attempt() {
    acta::ChatSummarizerOptions options;
    options.retry.max_attempts = 1;
    return options;
}

/// The summary, and what the chain said gave it.
std::pair<std::string, std::string> asked(const SummarizerChain& chain, SummaryRequest request = {}) {
    std::string source;
    request.on_source = [&source](std::string_view name) { source += std::string(name) + ";"; };
    std::string summary = chain("text", request);
    return {std::move(summary), std::move(source)};
}

}  // namespace

TEST_CASE("the first summarizer that does it is enough") {
    int later = 0;
    const SummarizerChain chain{{"a", good}, {"b", [&later](std::string_view, const SummaryRequest&) {
                                                  ++later;
                                                  return std::string("x");
                                              }}};
    CHECK(asked(chain) == std::pair<std::string, std::string>("of text", "a;"));
    CHECK(later == 0);
    CHECK(chain.size() == 2);
}

TEST_CASE("where the model fails the extractive summarizer stands in, and it is said which it was") {
    acta::ScriptedChatModel model{"by the model"};
    model.fail(std::runtime_error("no network"));
    const SummarizerChain chain{{"model", acta::ChatSummarizer(model, one_attempt())},
                                {"extractive", acta::ExtractiveSummarizer{}}};
    CHECK(asked(chain) == std::pair<std::string, std::string>("by the model", "model;"));
    CHECK(asked(chain) == std::pair<std::string, std::string>("text", "extractive;"));
}

TEST_CASE("an empty summary and one of several lines are failures") {
    const auto empty = [](std::string_view, const SummaryRequest&) { return std::string(" \n"); };
    const auto lines = [](std::string_view, const SummaryRequest&) { return std::string("a\nb"); };
    const SummarizerChain chain{{"empty", empty}, {"lines", lines}, {"good", good}};
    CHECK(asked(chain) == std::pair<std::string, std::string>("a\nb", "lines;"));
    SummaryRequest request;
    request.one_line = true;
    CHECK(asked(chain, request) == std::pair<std::string, std::string>("of text", "good;"));
}

TEST_CASE("where all fail the error names each with its own") {
    SummarizerChain chain;
    chain.add("a", bad);
    chain.add("b", [](std::string_view, const SummaryRequest&) { return std::string(); });
    chain.add("c", [](std::string_view, const SummaryRequest&) -> std::string { throw 7; });
    CHECK_THROWS_WITH(
        chain("text"),
        "no summarizer of the chain made a summary; a: no network; b: returned an empty summary; c: an exception "
        "that is not a std::exception");
    CHECK_THROWS_AS(chain("text"), SummaryError);
}

TEST_CASE("a stop ends a chain before the next summarizer") {
    acta::stop_source source;
    int asked_second = 0;
    const SummarizerChain chain{{"first",
                                 [&source](std::string_view, const SummaryRequest&) -> std::string {
                                     source.request_stop();
                                     throw std::runtime_error("given up");
                                 }},
                                {"second", [&asked_second](std::string_view, const SummaryRequest&) {
                                     ++asked_second;
                                     return std::string("x");
                                 }}};
    SummaryRequest request;
    request.until.stop = source.get_token();
    CHECK_THROWS_WITH(chain("text", request), "stopped before there was a summary; first: given up");
    CHECK_THROWS_WITH(chain("text", request), "stopped before there was a summary");
    CHECK(asked_second == 0);
}

TEST_CASE("a deadline that has passed does not keep the chain from what needs no time") {
    const acta::ScriptedChatModel model{"never"};
    const SummarizerChain chain{{"model", acta::ChatSummarizer(model)}, {"extractive", acta::ExtractiveSummarizer{}}};
    SummaryRequest request;
    request.until.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    CHECK(asked(chain, request).second == "extractive;");
    CHECK(model.remaining() == 1);
}

TEST_CASE("a chain within a chain returns both names") {
    const SummarizerChain inner{{"x", bad}, {"y", good}};
    const SummarizerChain outer{{"first", bad}, {"inner", inner}};
    CHECK(asked(outer) == std::pair<std::string, std::string>("of text", "inner/y;"));
    CHECK(outer("text") == "of text");
}

TEST_CASE("chains without summarizers or with unclear names are errors") {
    CHECK_THROWS_WITH(SummarizerChain{}("text"), "the chain has no summarizers");
    SummarizerChain chain{{"a", good}};
    CHECK_THROWS_WITH(chain.add("a", good), "the chain already has a summarizer named `a`");
    CHECK_THROWS_WITH(chain.add("", good), "a summarizer of a chain needs a name");
    CHECK(chain.size() == 1);
}
