// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <thread>

#include "acta/testing/detail/check_tools.hpp"
#include "acta/testing/detail/store_checks.hpp"

// What is refused, and what is listed.
namespace acta::inline ACTA_ABI::testing_detail {

ACTA_INLINE void what_never_was_is_not_found(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    const Lease lease{"a", 0, Timestamp::now()};
    const auto missing = [](const auto& act, std::string_view what) { expect_throw<StoreNotFound>(act, what); };
    expect(!store.find(id), "a history is found that nobody made");
    missing([&] { store.append(id, {}, Records{record_of("1")}); }, "appending to no history");
    missing([&] { store.append(id, {}, Records{}); }, "appending nothing to no history");
    missing([&] { static_cast<void>(all(store, id)); }, "reading no history");
    missing([&] { store.fork(id, 0, fresh_id()); }, "a fork of no history");
    missing([&] { static_cast<void>(store.acquire(id, "a", std::chrono::minutes(1))); }, "a lease of no history");
    missing([&] { static_cast<void>(store.renew(id, lease, std::chrono::minutes(1))); }, "renewing none");
    missing([&] { store.release(id, lease); }, "releasing a lease of no history");
    missing([&] { store.erase(id); }, "erasing no history");
    expect(!store.find(id), "a history came of what was refused");
}

ACTA_INLINE void a_history_is_made_once(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2, {{"team", "a"}});
    const HistoryInfo before = info_of(store, id);
    expect_throw<StoreExists>([&] { store.create(id, "Other", {{"team", "b"}}); }, "creating it twice");
    expect_equal(info_of(store, id), before, "what is known of a history that was to be made twice");
}

ACTA_INLINE void bad_ids_are_refused(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const std::array<std::string, 10> bad_ids = {
        "",     std::string(256, 'i'), "a/b",      "line\nbreak", std::string("nul\0", 4),
        "\x1f", "delete\x7f",          "\xFF\xFE", "caf\xC3",     "\xED\xA0\x80 surrogate"};
    for (const std::string& bad : bad_ids) {
        const auto refused = [](const auto& act, std::string_view what) { expect_throw<StoreError>(act, what); };
        refused([&] { store.create(bad); }, "making a bad id");
        refused([&] { static_cast<void>(store.find(bad)); }, "finding a bad id");
        refused([&] { store.append(bad, {}, Records{}); }, "appending to a bad id");
        refused([&] { static_cast<void>(all(store, bad)); }, "reading a bad id");
        refused([&] { store.fork(bad, 0, fresh_id()); }, "a fork of a bad id");
        refused([&] { store.fork(id, 0, bad); }, "a fork to a bad id");
        refused([&] { static_cast<void>(store.acquire(bad, "a", std::chrono::minutes(1))); }, "a lease of a bad id");
        refused([&] { static_cast<void>(store.renew(bad, {}, std::chrono::minutes(1))); }, "renewing a bad id");
        refused([&] { store.release(bad, {}); }, "releasing a bad id");
        refused([&] { store.erase(bad); }, "erasing a bad id");
    }
}

ACTA_INLINE void unusual_ids_are_ids(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string unique = fresh_id();
    const std::string longest = (unique + std::string(255, 'i')).substr(0, 255);
    const std::array<std::string, 5> ids = {longest, unique + " 'quoted\" %_ \xE6\xBD\xAE;--", unique + " ",
                                            unique + "\\x00$1{}", unique + "\xF0\x9F\x8C\x8A"};
    for (const std::string& id : ids) {
        store.create(id);
        store.append(id, {}, Records{record_of("1")});
        expect_equal(info_of(store, id).id, id, "an unusual id");
        expect_records(store, id, numbered(1), "a history with an unusual id");
    }
    expect(!store.find(unique), "an id is found that only begins as another");
}

/// Makes histories whose ids begin with a prefix that none other has, and lists them.
struct Listed {
    explicit Listed(HistoryStore& to_use) : store(to_use) {}

    void make(std::initializer_list<const char*> names, const JsonObject& labels = {}) const {
        for (const char* const name : names) store.create(prefix + name, {}, labels);
    }
    [[nodiscard]] std::string names(HistoryQuery query = {}) const {
        std::string out;
        query.id_prefix = prefix + query.id_prefix;
        for (const HistoryInfo& info : store.list(query)) out += info.id.substr(prefix.size()) + " ";
        return out;
    }

    HistoryStore& store;
    std::string prefix = fresh_id() + "-";
};

ACTA_INLINE void histories_are_listed_by_their_bytes(const CheckedStore& checked) {
    const Listed listed(checked.store);
    listed.make({"b", "a", "\xC3\xA9", "B", "a b", "ab", "~", "_"});
    expect_equal(listed.names(), "B _ a a b ab b ~ \xC3\xA9 ", "all, by the bytes of their ids");
    const std::vector<HistoryInfo> found = checked.store.list({.id_prefix = listed.prefix});
    expect(!found.empty() && found[0] == info_of(checked.store, listed.prefix + "B"), "what a list says of a history");
}

ACTA_INLINE void a_prefix_is_no_pattern(const CheckedStore& checked) {
    const Listed listed(checked.store);
    listed.make({"x%_1", "x%_2", "xab1", "X%_1", "x\\%", "x'\""});
    expect_equal(listed.names({.id_prefix = "x%_"}), "x%_1 x%_2 ", "a prefix with the signs of a pattern");
    expect_equal(listed.names({.id_prefix = "x\\"}), "x\\% ", "a prefix with a backslash");
    expect_equal(listed.names({.id_prefix = "x'\""}), "x'\" ", "a prefix with quotes");
    expect_equal(listed.names({.id_prefix = "x%_1"}), "x%_1 ", "a prefix that is all of an id");
    expect_equal(listed.names({.id_prefix = "nothing"}), "", "a prefix that no id has");
}

ACTA_INLINE void lists_come_in_pages(const CheckedStore& checked) {
    const Listed listed(checked.store);
    listed.make({"a", "b", "c", "d", "e"});
    checked.store.erase(listed.prefix + "c");
    const auto after = [&](const char* name) { return listed.prefix + name; };
    expect_equal(listed.names({.limit = 2}), "a b ", "the first page");
    expect_equal(listed.names({.limit = 2, .after = after("b")}), "d e ", "the second page");
    expect_equal(listed.names({.limit = 2, .after = after("e")}), "", "the page after the last");
    expect_equal(listed.names({.limit = 2, .after = after("c")}), "d e ", "the page after one that was erased");
    expect_equal(listed.names({.limit = 100, .after = after("aa")}), "b d e ",
                 "the page after an id that is not there");
    expect_equal(listed.names({.limit = 0}), "", "a page of none");
}

ACTA_INLINE void histories_are_listed_by_labels(const CheckedStore& checked) {
    const Listed listed(checked.store);
    const Json deep{{"k", Json::array({1, Json{{"x", nullptr}}})}};
    listed.make({"a"}, {{"team", "y"}, {"n", 1}});
    listed.make({"b"}, {{"team", "y"}, {"n", "1"}});
    listed.make({"c"}, {{"team", "x"}, {"n", deep}});
    listed.make({"d"});
    expect_equal(listed.names({.labels = {{"team", "y"}}}), "a b ", "those with a label");
    expect_equal(listed.names({.labels = {{"team", "y"}, {"n", 1}}}), "a ", "those with two labels");
    expect_equal(listed.names({.labels = {{"n", "1"}}}), "b ", "those with a text, and not a number");
    expect_equal(listed.names({.labels = {{"n", deep}}}), "c ", "those with an object as a label");
    expect_equal(listed.names({.labels = {{"n", Json{{"k", Json::array({1})}}}}}), "", "those with a part of a label");
    expect_equal(listed.names({.labels = {{"team's \"", nullptr}}}), "", "those with a label that none has");
    expect_equal(listed.names({.labels = {{"n", "1"}}, .limit = 1}), "b ", "a page, to which others do not count");
    expect_equal(listed.names({.labels = {{"team", "y"}}, .limit = 1, .after = listed.prefix + "a"}), "b ",
                 "a page of those with a label");
}

ACTA_INLINE void old_histories_are_listed_and_pruned(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const Listed listed(store);
    listed.make({"a", "b", "c"}, {{"keep", false}});
    listed.make({"d"}, {{"keep", true}});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    store.append(listed.prefix + "b", {}, numbered(1));
    const Timestamp used = info_of(store, listed.prefix + "b").updated;  // by the store's clock
    HistoryQuery old{.id_prefix = {}, .labels = {{"keep", false}}, .updated_before = used, .limit = 1, .after = {}};
    expect_equal(listed.names({.updated_before = used}), "a c d ", "those not used since");
    expect_equal(listed.names(old), "a ", "the first of those to prune");
    old.id_prefix = listed.prefix;
    expect_equal(prune(store, old), std::size_t{2}, "how many were pruned");
    expect_equal(prune(store, old), std::size_t{0}, "how many were pruned again");
    expect_equal(listed.names(), "b d ", "those left");
    expect_throw<StoreGone>([&] { static_cast<void>(store.find(listed.prefix + "a")); }, "finding what was pruned");
}

}  // namespace acta::inline ACTA_ABI::testing_detail
