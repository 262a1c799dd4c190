// SPDX-License-Identifier: MIT
// When a compression is due.
#include <stdexcept>
#include <string>
#include <utility>

#include "acta/compress/compress.hpp"
#include "compress/steps.hpp"
#include "support/catch.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using acta::SummaryRequest;

using steps::all_of_it;
using steps::short_form;

}  // namespace

TEST_CASE("nothing is done before the trigger is reached") {
    History history = steps::finished(3);
    acta::CompressionOptions options = all_of_it();
    options.trigger.episodes = 4;
    auto report = acta::handle_compression(history, short_form, options);
    CHECK(report.summarised.empty());
    CHECK(report.not_due == 3);
    steps::add(history, 3);
    options.keep_recent = 1;
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    options.keep_recent = 0;
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 4);
}

TEST_CASE("the trigger may be tokens, by any counter") {
    History history = steps::finished(3);
    acta::CompressionOptions options = all_of_it();
    options.trigger.tokens = 40;
    int counted = 0;
    options.count_tokens = acta::AnyTokenCounter([&counted](std::string_view) -> std::size_t {
        ++counted;
        return 10;
    });
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    CHECK(counted == 3);
    steps::add(history, 3);
    history.rewind(1);
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    steps::add(history, 4);
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 4);
    CHECK(counted == 4);
    // Either of the two is enough.
    for (std::size_t i = 0; i < 3; ++i) steps::add(history, i);
    options.trigger.episodes = 3;
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 3);
}

TEST_CASE("steps that waited and are recent by a later bound do not count") {
    History history = steps::finished(4);
    acta::CompressionOptions options = all_of_it();
    options.count_tokens = acta::AnyTokenCounter([](std::string_view) -> std::size_t { return 10; });
    options.trigger.tokens = 50;
    CHECK(acta::handle_compression(history, short_form, options).not_due == 4);
    options.keep_recent = 2;
    options.trigger.tokens = 30;  // of the two that are left 20
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    options.trigger.tokens = 0;
    options.trigger.episodes = 3;
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    options.trigger.episodes = 2;
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 2);
}

TEST_CASE("a trigger by tokens that comes later counts the steps that wait already") {
    History history = steps::finished(4);
    acta::CompressionOptions options = all_of_it();
    options.trigger.episodes = 9;
    options.count_tokens = acta::AnyTokenCounter([](std::string_view) -> std::size_t { return 10; });
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    options.trigger.tokens = 41;
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    options.trigger.tokens = 40;
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 4);
}

TEST_CASE("steps that failed or were rewound away are counted rightly by a token trigger") {
    History history = steps::finished(4);
    acta::CompressionOptions options = all_of_it();
    options.trigger.tokens = 40;
    options.count_tokens = acta::AnyTokenCounter([](std::string_view) -> std::size_t { return 10; });
    const auto failing = [](std::string_view, const SummaryRequest&) -> std::string { throw 1; };
    CHECK(acta::handle_compression(history, failing, options).failed.size() == 4);
    CHECK(acta::handle_compression(history, failing, options).failed.size() == 4);
    history.rewind(1);
    CHECK(acta::handle_compression(history, failing, options).failed.empty());
    CHECK(history.set_summary(history.id(0), "by hand"));
    steps::add(history, 9);
    CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
    steps::add(history, 9);
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 4);
}

TEST_CASE("a counter that fails once does not leave its step uncounted") {
    History history = steps::finished(3);
    acta::CompressionOptions options = all_of_it();
    options.trigger.tokens = 30;
    bool fails = true;
    options.count_tokens = acta::AnyTokenCounter([&fails](std::string_view) -> std::size_t {
        if (std::exchange(fails, false)) throw std::runtime_error("the tokenizer is being loaded");
        return 10;
    });
    CHECK_THROWS_WITH(acta::handle_compression(history, short_form, options), "the tokenizer is being loaded");
    CHECK(steps::marks(history) == "---");
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 3);
    CHECK_FALSE(fails);
}
