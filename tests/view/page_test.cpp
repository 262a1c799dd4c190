// SPDX-License-Identifier: MIT
// The page in a browser: what stands where, what keys and links do, and that nothing of a run gets out of its place.
#include <string>
#include <utility>

#include "support/catch.hpp"
#include "support/sizes.hpp"
#include "view/browser.hpp"
#include "view/runs.hpp"

TEST_CASE("A page opens from a file and says how the run ended and what went wrong") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::tides(), {.title = "Tides at Brest"}), "opens") == "");
}

TEST_CASE("A page shows a step with its calls, results and summary") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::tides()), "details") == "");
}

TEST_CASE("A page has the runs of agents that were tools in their calls, folded, and those within them") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::crew()), "within") == "");
}

TEST_CASE("A page with runs within runs is usable on a narrow screen") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::crew()), "within_narrow") == "");
}

TEST_CASE("A page with thousands of runs within a step makes few of them at once") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::many_runs(test_size(210, 10'000), 110)), "swarm") == "");
}

TEST_CASE("A page shows what the model saw before a step") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    runs::History history = runs::counting(30, 20);
    history.set_summary(history.id(5), "the sixth");
    auto record = history.record();
    record.rolling_summary = acta::RollingSummary{.text = "One to five were counted.", .first = 0, .last = 4};
    CHECK(browser::failures(runs::page_of(runs::History(std::move(record))), "saw") == "");
}

TEST_CASE("A page searches, filters and jumps by its strip") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::counting(1200, 200)), "search") == "");
}

TEST_CASE("A page is used by the keyboard") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::counting(60, 20)), "keyboard") == "");
}

TEST_CASE("A page links to steps and messages") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::counting(2000, 20)), "links") == "");
}

TEST_CASE("A page is usable on a narrow screen") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::tides()), "narrow") == "");
}

TEST_CASE("A page of 90 long errors is usable on a narrow screen") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::failing()), "crowded") == "");
}

TEST_CASE("A page says how the last run ended, as it is recorded") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::lost()), "lost") == "");
}

TEST_CASE("A page renders the Markdown of an answer, and no link or markup of it") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::markdown()), "markdown") == "");
}

TEST_CASE("A page in light colours has no serious finding of axe-core") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::tides()), "light") == "");
}

TEST_CASE("A page in dark colours has no serious finding of axe-core") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::tides()), "dark") == "");
}

TEST_CASE("A page prints all rows in full") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::tides()), "print") == "");
}

TEST_CASE("A page runs, loads and hides nothing of a hostile run") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of(runs::hostile(), {.title = runs::hostile_texts().front()}), "hostile") == "");
}

TEST_CASE("A page of a long run, with 10 MB in one output, has few nodes") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    runs::History history = runs::counting(test_size(3000, 100'000), 20);
    history.register_action({.thoughts = "A large one.", .use_tool = {"read_file", {{"path", "large"}}}});
    history.register_result(acta::ActionSuccessResult{.outputs = std::string(10'000'000, 'x')});
    CHECK(browser::failures(runs::page_of(history), "long") == "");
}

TEST_CASE("A page of an empty history says that nothing is recorded") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    CHECK(browser::failures(runs::page_of({}), "empty") == "");
}

TEST_CASE("A page whose end is missing says so") {
    if (browser::problem()) ACTA_SKIP(*browser::problem());
    std::string page = runs::page_of(runs::counting(20, 20));
    const std::size_t end = page.find("needle15");
    page.erase(end, page.find("</script>", end) - end);
    CHECK(browser::failures(page, "torn") == "");
}
