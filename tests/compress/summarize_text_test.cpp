// SPDX-License-Identifier: MIT
#include "acta/base/stop_token.hpp"
#include "acta/compress/chat_summarizer.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "support/catch.hpp"

namespace {

using acta::AnySummarizer;
using acta::ChatSummarizer;
using acta::ScriptedChatModel;
using acta::summarize_text;
using acta::SummarizeTextOptions;
using acta::SummaryError;
using acta::SummaryRequest;
using acta::TextSummary;

std::string sentences(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "The tide rose to mark " + std::to_string(i) + ". ";
    return text;
}

/// Keeps what it was asked, and answers with a number.
struct Recorder {
    std::vector<std::string> texts{};
    std::vector<SummaryRequest> requests{};

    AnySummarizer summarizer() {
        return [this](std::string_view text, const SummaryRequest& request) {
            texts.emplace_back(text);
            requests.push_back(request);
            return "summary " + std::to_string(texts.size());
        };
    }
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

}  // namespace

TEST_CASE("a text that fits is summarised at once") {
    Recorder recorder;
    const TextSummary summary = summarize_text("some text", recorder.summarizer());
    CHECK(summary == TextSummary{"summary 1", {{"summary 1", "some text"}}});
    REQUIRE(recorder.requests.size() == 1);
    CHECK(recorder.requests[0].instruction == acta::text_instruction);
    CHECK(recorder.requests[0].max_tokens == 500);
    CHECK_FALSE(recorder.requests[0].question);
}

TEST_CASE("a longer text is summarised in chunks, then together") {
    Recorder recorder;
    SummarizeTextOptions options;
    options.window_tokens = 1550;
    options.instruction = "Say how high the tide was.";
    const std::string text = sentences(700);
    const TextSummary summary = summarize_text(text, recorder.summarizer(), options);
    REQUIRE(summary.parts.size() > 3);
    std::string whole;
    std::string partial;
    for (std::size_t i = 0; i < summary.parts.size(); ++i) {
        whole += summary.parts[i].text;
        partial += (i == 0 ? "" : "\n\n") + summary.parts[i].summary;
        CHECK(recorder.texts[i] == summary.parts[i].text);
        CHECK(recorder.requests[i].instruction == "Say how high the tide was.");
        CHECK(acta::EstimateTokens{}(recorder.texts[i]) <= 1000);
    }
    CHECK(whole == text);
    REQUIRE(recorder.texts.size() == summary.parts.size() + 1);
    CHECK(recorder.texts.back() == partial);
    CHECK(recorder.requests.back().instruction ==
          "The text consists of multiple partial summaries. Combine these partial summaries into one.");
    CHECK(recorder.requests.back().max_tokens == 500);
    CHECK(summary.summary == "summary " + std::to_string(recorder.texts.size()));
}

TEST_CASE("a chunk has at most the window less 550") {
    SummarizeTextOptions options;
    options.window_tokens = 1550;
    options.count_tokens = [](std::string_view text) { return text.size() / 5; };
    Recorder one;
    CHECK(summarize_text(std::string(5000, 'x'), one.summarizer(), options).parts.size() == 1);
    Recorder two;
    CHECK(summarize_text(std::string(5005, 'x'), two.summarizer(), options).parts.size() == 2);
    Recorder three;  // a long instruction leaves fewer tokens for the text
    options.instruction = std::string(1000, 'i');
    CHECK(summarize_text(std::string(5000, 'x'), three.summarizer(), options).parts.size() == 2);
}

TEST_CASE("a window leaves 32 tokens for a text at least, beside its words, 50 at least, and the summary") {
    Recorder recorder;
    SummarizeTextOptions options;
    options.max_tokens = 20;
    const auto refused = [&](std::size_t window) -> std::string {
        options.window_tokens = window;
        try {
            static_cast<void>(summarize_text("text", recorder.summarizer(), options));
            return {};
        } catch (const SummaryError& error) {
            return error.what();
        }
    };
    const auto message = [](std::size_t window, std::size_t words) {
        return "a window of " + std::to_string(window) + " tokens is too small: the instruction takes " +
               std::to_string(words) + ", the summary 20, and the text needs 32";
    };
    for (const std::size_t words : {1U, 38U, 39U, 100U}) {  // of the instruction, with twelve around it
        options.count_tokens = [words](std::string_view text) -> std::size_t {
            return text.starts_with("The user is going") ? words : 1;
        };
        const std::size_t beside = std::max<std::size_t>(50, words + 12);
        CHECK(refused(beside + 32 + 20).empty());
        for (const std::size_t window : {beside + 32 + 19, beside + 31, beside - 1, std::size_t{1}})
            CHECK(refused(window) == message(window, beside));
    }
}

TEST_CASE("a text in which quotations would be broken up counts as it is sent") {
    SummarizeTextOptions options;
    options.window_tokens = 1550;
    options.count_tokens = [](std::string_view text) { return text.size(); };
    options.max_tokens = 200;
    std::vector<std::size_t> sizes;
    const auto model = [&sizes](std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
        sizes.push_back(messages[0].content.size() + messages[1].content.size() + 200);
        acta::ChatCompletion completion;
        completion.message.content = "x";
        return completion;
    };
    CHECK(summarize_text(std::string(5000, '"'), model, options).summary == "x");
    REQUIRE(sizes.size() > 4);
    for (const std::size_t size : sizes) CHECK(size <= 1550);
}

TEST_CASE("very many partial summaries are combined in rounds that fit") {
    SummarizeTextOptions options;
    options.window_tokens = 1000;
    std::size_t asked = 0;
    std::size_t combined = 0;
    const auto wordy = [&](std::string_view text, const SummaryRequest& request) {
        CHECK(acta::EstimateTokens{}(text) <= 450);
        ++asked;
        if (request.instruction == acta::combine_instruction) ++combined;
        return sentences(request.max_tokens / 9);  // about as long as it may be
    };
    const TextSummary summary = summarize_text(sentences(5000), AnySummarizer(wordy), options);
    CHECK(summary.parts.size() > 80);
    CHECK(combined >= summary.parts.size() / 2);
    CHECK(combined < summary.parts.size());
    CHECK(asked == summary.parts.size() + combined);
}

TEST_CASE("as many partial summaries are combined as fit, even if they count more together than by themselves") {
    SummarizeTextOptions options;
    options.window_tokens = 1000;
    options.count_tokens = [](std::string_view text) {
        std::size_t tokens = text.size() / 4;
        for (std::size_t at = text.find("\n\n"); at != std::string_view::npos; at = text.find("\n\n", at + 2))
            tokens += 100;
        return tokens;
    };
    Recorder recorder;
    const TextSummary summary = summarize_text(sentences(500), recorder.summarizer(), options);
    REQUIRE(summary.parts.size() == 14);
    REQUIRE(recorder.texts.size() == 18);
    CHECK(recorder.texts[14] == "summary 1\n\nsummary 2\n\nsummary 3\n\nsummary 4\n\nsummary 5");
    CHECK(recorder.texts[16] == "summary 11\n\nsummary 12\n\nsummary 13\n\nsummary 14");
    CHECK(recorder.texts[17] == "summary 15\n\nsummary 16\n\nsummary 17");
    CHECK(recorder.requests[16].max_tokens == 220);  // two of which fit with what is between them
    CHECK(recorder.requests[17].max_tokens == 500);
}

TEST_CASE("summaries that grow when they are quoted are an error where not two of them fit") {
    SummarizeTextOptions options;
    options.window_tokens = 1000;
    options.count_tokens = [](std::string_view text) {
        std::size_t tokens = text.size() / 40 + 1;
        for (std::size_t at = text.find("\" \""); at != std::string_view::npos; at = text.find("\" \"", at + 2))
            ++tokens;
        return tokens;
    };
    const auto quotes = [](std::string_view, const SummaryRequest&) { return std::string(2000, '"'); };
    CHECK_THROWS_WITH(summarize_text(sentences(2000), AnySummarizer(quotes), options),
                      "not two of the partial summaries fit together in 450 tokens");
}

TEST_CASE("blank text, and a question beside an instruction, are errors") {
    Recorder recorder;
    CHECK_THROWS_WITH(summarize_text(" \r\n\t", recorder.summarizer()), "No content");
    CHECK_THROWS_WITH(summarize_text("", recorder.summarizer()), "No content");
    SummarizeTextOptions options;
    options.question = "Why?";
    options.instruction = "Say why.";
    CHECK_THROWS_WITH(summarize_text("text", recorder.summarizer(), options),
                      "`question` and `instruction` exclude each other");
    options.instruction.reset();
    options.question = " ";
    CHECK_THROWS_WITH(summarize_text("text", recorder.summarizer(), options), "the question is blank");
    options.question.reset();
    options.max_tokens = 0;
    CHECK_THROWS_AS(summarize_text("text", recorder.summarizer(), options), SummaryError);
    options.max_tokens = 500;
    options.window_tokens = 560;
    CHECK_THROWS_WITH(summarize_text("text", recorder.summarizer(), options),
                      starts_with_text("a window of 560 tokens is too small"));
    CHECK(recorder.texts.empty());
}

TEST_CASE("a question is asked of each chunk, and not of the summaries") {
    Recorder recorder;
    SummarizeTextOptions options;
    options.window_tokens = 1000;
    options.question = "How high was the tide?";
    const TextSummary summary = summarize_text(sentences(100), recorder.summarizer(), options);
    REQUIRE(summary.parts.size() > 1);
    CHECK(recorder.requests[0].question == options.question);
    CHECK(recorder.requests[0].instruction.empty());
    CHECK_FALSE(recorder.requests.back().question);
    const ScriptedChatModel model{"high"};
    options.window_tokens = 0;
    CHECK(summarize_text("text", model, options).summary == "high");
    CHECK(model.requests()[0].messages[0].content.find("\"How high was the tide?\"") != std::string::npos);
}

TEST_CASE("at most 500 tokens are asked for") {
    Recorder recorder;
    SummarizeTextOptions options;
    options.max_tokens = 2000;
    CHECK(summarize_text("text", recorder.summarizer(), options).summary == "summary 1");
    CHECK(recorder.requests[0].max_tokens == 500);
    options.max_tokens = 3;
    CHECK_THROWS_WITH(summarize_text("text", AnySummarizer([](std::string_view, const SummaryRequest&) {
                                         return std::string("far more words than three");
                                     }),
                                     options),
                      "the summarizer returned a summary of 5 tokens, and at most 3 were asked for");
    CHECK_THROWS_WITH(
        summarize_text("text", AnySummarizer([](std::string_view, const SummaryRequest&) { return std::string(); })),
        "the summarizer returned an empty summary");
}

TEST_CASE("the redactor sees the text first and each summary before anyone else") {
    std::vector<std::string> seen;
    SummarizeTextOptions options;
    options.window_tokens = 1000;
    options.redactor = [](std::string_view text) { return replaced(std::string(text), "sk-123", "[key]"); };
    const auto leaky = [&seen](std::string_view text, const SummaryRequest&) {
        seen.emplace_back(text);
        return std::string("the key is sk-123");
    };
    const std::string text = sentences(60) + "The key is sk-123. " + sentences(60);
    const TextSummary summary = summarize_text(text, AnySummarizer(leaky), options);
    for (const std::string& one : seen) CHECK(one.find("sk-123") == std::string::npos);
    CHECK(summary.summary == "the key is [key]");
    for (const auto& part : summary.parts) {
        CHECK(part.summary == "the key is [key]");
        CHECK(part.text.find("sk-123") == std::string::npos);
    }
    options.redactor = [](std::string_view) { return std::string(); };
    CHECK_THROWS_WITH(summarize_text("text", AnySummarizer(leaky), options), "No content");
}

TEST_CASE("a stop ends it between two chunks") {
    acta::stop_source source;
    SummarizeTextOptions options;
    options.window_tokens = 1000;
    options.until.stop = source.get_token();
    int asked = 0;
    const auto stopping = [&](std::string_view, const SummaryRequest& request) {
        CHECK(request.until.stop.stop_possible());
        if (++asked == 2) source.request_stop();
        return std::string("part");
    };
    CHECK_THROWS_WITH(summarize_text(sentences(500), AnySummarizer(stopping), options),
                      "stopped before there was a summary");
    CHECK(asked == 2);
}

TEST_CASE(
    "a model is asked again by the counter of the options, and any other summarizer has a window of 8192 tokens") {
    SummarizeTextOptions options;
    options.max_tokens = 20;
    options.count_tokens = [](std::string_view text) { return text.size(); };
    const std::string too_long = "the answer is too long";  // of six words
    const ScriptedChatModel model{too_long, "short"};
    CHECK(summarize_text("text", model, options).summary == "short");
    CHECK(model.remaining() == 0);
    options.max_tokens = 500;
    options.count_tokens = [](std::string_view text) { return text.size() / 5; };
    for (const std::size_t tokens : {8192U - 550U, 8193U - 550U}) {
        Recorder recorder;
        const TextSummary summary = summarize_text(std::string(5 * tokens, 'x'), recorder.summarizer(), options);
        CHECK(summary.parts.size() == (tokens == 8192 - 550 ? 1U : 2U));
    }
}

TEST_CASE("a chat summarizer brings its own window") {
    const ScriptedChatModel model{"a", "b", "both"};
    acta::ChatSummarizerOptions chat;
    chat.window_tokens = 1550;
    const TextSummary summary = summarize_text(sentences(190), ChatSummarizer(model, chat));
    CHECK(summary.summary == "both");
    REQUIRE(summary.parts.size() == 2);
    CHECK(summary.parts[1].summary == "b");
    CHECK(model.requests()[2].messages[1].content == "\"\"\"a\n\nb\"\"\"");
}

TEST_CASE("summarizers without a model do it, too") {
    SummarizeTextOptions options;
    options.window_tokens = 1000;
    const TextSummary summary = summarize_text(sentences(500), acta::ExtractiveSummarizer{}, options);
    CHECK(summary.parts.size() > 5);
    CHECK(summary.summary.find("The tide rose to mark") != std::string::npos);
    const acta::SummarizerChain chain{{"extractive", acta::ExtractiveSummarizer{}}};
    CHECK(summarize_text(sentences(500), chain, options) == summary);
}

TEST_CASE("an error of the summarizer comes through") {
    const auto failing = [](std::string_view, const SummaryRequest&) -> std::string {
        throw std::runtime_error("no network");
    };
    CHECK_THROWS_WITH(summarize_text("text", AnySummarizer(failing)), "no network");
}
