// SPDX-License-Identifier: MIT
// Reading what a model writes, and text that is split, counted, shortened and printed.
#include <benchmark/benchmark.h>

#include <memory>

#include "acta/compress/extractive.hpp"
#include "acta/observe/observer.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/pysyntax/repr.hpp"
#include "acta/text/chunks.hpp"
#include "generate.hpp"
#include "series.hpp"

namespace {

using bench::Job;
using bench::Series;

/// A row that does something with a text, and tells whether it went as it should.
template <class Make, class Run>
Series over(const char* name, const Make& make, const Run& run) {
    const auto prepare = [make, run](std::size_t n) {
        const auto text = std::make_shared<const std::string>(make(n));
        return Job{static_cast<double>(text->size()), [text, run] { return run(std::string_view(*text)); }};
    };
    return {name, "bytes", prepare};
}

/// The same a call rather than a byte.
template <class Make, class Run>
Series over_calls(const char* name, const Make& make, const Run& run) {
    const auto prepare = [make, run](std::size_t n) {
        const auto text = std::make_shared<const std::string>(make(n));
        return Job{static_cast<double>(n), [text, run, n] { return run(std::string_view(*text), n); }};
    };
    return {name, "calls", prepare};
}

/// With sentences and parentheses.
std::string prose(std::size_t size) {
    bench::Random random(11);
    const std::string words = bench::text(random, size);
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        out += words[i];
        if (words[i] == ' ' && random.below(12) == 0) out += random.below(3) == 0 ? "(see above) " : "there. ";
    }
    return out;
}

/// `f(text='...')`, the argument so long.
std::string long_argument(std::size_t size) { return "write(text=" + acta::python_repr(prose(size)) + ")"; }
std::string long_list(std::size_t size) {
    std::string out = "plot(points=[";
    for (std::size_t i = 0; out.size() < size; ++i)
        out += "{'x': " + std::to_string(i) + ", 'y': -0.25, 'name': 'tide'}, ";
    return out + "])";
}
std::string behind_prose(std::size_t size) { return prose(size) + "\nsearch(query='tides', limit=3)\n"; }

constexpr auto reads_call = [](std::string_view text) {
    const acta::ParsedCall found = acta::parse_call(text);
    return found.call.arguments.size() > 0 && found.end <= text.size();
};

template <class Thrown, class Read>
bool throws(const Read& read) {
    try {
        read();
    } catch (const Thrown&) {
        return true;
    }
    return false;
}
constexpr auto refuses_call = [](std::string_view text) {
    return throws<acta::CallSyntaxError>([text] { benchmark::DoNotOptimize(acta::parse_call(text)); });
};
constexpr auto finds_no_arguments = [](std::string_view text) { return !acta::parse_arguments("search", text); };

std::string repeated(std::string_view piece, std::size_t n) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) out += piece;
    return out;
}
auto times(std::string_view piece) {
    return [piece](std::size_t n) { return repeated(piece, n); };
}
/// So many bytes of it.
auto filling(std::string_view piece) {
    return [piece](std::size_t size) { return repeated(piece, size / piece.size() + 1); };
}

constexpr auto finds_all = [](std::string_view text, std::size_t n) { return acta::parse_calls(text).size() == n; };
constexpr auto finds_none = [](std::string_view text, std::size_t) {
    return throws<acta::CallSyntaxError>([text] { benchmark::DoNotOptimize(acta::parse_calls(text)); });
};

std::string list_of_calls(std::size_t n) { return "[" + repeated("f(a=1, b='two'), ", n) + "]"; }

/// Python's literals and JSON are the same here, so that nlohmann's parser can stand beside.
Job literal(std::size_t size) {
    std::string text = "[";
    for (std::size_t i = 0; text.size() < size; ++i) {
        if (i != 0) text += ", ";
        text += R"({"x": )" + std::to_string(i) + R"(, "name": "tide table"})";
    }
    const auto shared = std::make_shared<const std::string>(text + "]");
    const auto run = [shared] { return acta::parse_literal(*shared).is_array(); };
    const auto other = [shared] { benchmark::DoNotOptimize(nlohmann::json::parse(*shared)); };
    return {static_cast<double>(shared->size()), run, other};
}

Job printed(std::size_t size) {
    acta::Json value = acta::JsonArray();
    for (std::size_t i = 0; i * 32 < size; ++i) value.push_back({{"x", i}, {"name", "tide's table\n"}});
    const auto shared = std::make_shared<const acta::Json>(std::move(value));
    const double bytes = static_cast<double>(acta::python_repr(*shared).size());
    const auto run = [shared] { return acta::python_repr(*shared).size() > 1; };
    const auto other = [shared] { benchmark::DoNotOptimize(shared->dump()); };
    return {bytes, run, other};
}

constexpr auto splits = [](std::string_view text) { return !acta::RuleSentenceSplitter{}(text).empty(); };
constexpr auto counts = [](std::string_view text) { return acta::EstimateTokens{}(text) > 0; };
constexpr auto chunks = [](std::string_view text) {
    acta::ChunkOptions options;
    options.max_tokens = 2000;
    options.overlap_tokens = 100;
    return !acta::split_into_chunks(text, options).empty();
};
constexpr auto extracts = [](std::string_view text) { return !acta::ExtractiveSummarizer{}(text).empty(); };
constexpr auto masks = [](std::string_view text) { return !acta::mask_secrets(text).empty(); };
constexpr auto quotes = [](std::string_view text) { return acta::python_repr(text).size() > text.size(); };
std::string one_word(std::size_t size) { return std::string(size, 'x'); }

const std::vector<std::size_t> sizes{10'000, 100'000, 1'000'000, 10'000'000};

const bool added =
    bench::add_section({20,
                        "Calls: one in a text",
                        "bytes",
                        sizes,
                        {
                            over("`parse_call`, a long text as argument", long_argument, reads_call),
                            over("`parse_call`, a long list as argument", long_list, reads_call),
                            over("`parse_call`, after prose", behind_prose, reads_call),
                            over("`parse_call`, prose without a call", prose, refuses_call),
                            over("`parse_call`, `f(` again and again", filling("f("), refuses_call),
                            over("`parse_call`, `f(a=[` again and again", filling("f(a=["), refuses_call),
                            over("`parse_call`, strings that never end", filling("f(a='"), refuses_call),
                            over("`parse_arguments`, another skill's calls", filling("find(a=1) "), finds_no_arguments),
                            {"`parse_literal`", "bytes", literal, "nlohmann_json parse"},
                            {"`python_repr` of a value", "bytes", printed, "nlohmann_json dump"},
                        }}) &&
    bench::add_section(
        {21,
         "Calls: many in a text",
         "calls",
         {1'000, 10'000, 100'000, 1'000'000},
         {
             over_calls("`parse_calls`, one a line", times("search(query='tides', limit=3)\n"), finds_all),
             over_calls("`parse_calls`, in prose", times("Then f(a=1) (see above).\n"), finds_all),
             over_calls("`parse_calls`, in a list", list_of_calls, finds_all),
             over_calls("`parse_calls`, none can be read", times("f(a=b)\n"), finds_none),
         }}) &&
    bench::add_section({30,
                        "Text",
                        "bytes",
                        sizes,
                        {
                            over("split into sentences", prose, splits),
                            over("tokens estimated", prose, counts),
                            over("split into chunks", prose, chunks),
                            over("one word split into chunks", one_word, chunks),
                            over("`ExtractiveSummarizer`", prose, extracts),
                            over("`mask_secrets`", prose, masks),
                            over("`python_repr` of a text", prose, quotes),
                        }});

}  // namespace
