// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"
#include "support/catch.hpp"

/// All that a store has, but the times.
[[nodiscard]] inline std::string content(acta::HistoryStore& store) {
    std::string out;
    for (const acta::HistoryInfo& info : store.list()) {
        out += info.id + " " + std::to_string(info.position.version) + " " + std::to_string(info.position.epoch) + " " +
               std::to_string(info.snapshot) + " " + info.type + " " + acta::dump(info.labels) + " " +
               info.forked_from + (info.lease ? " " + info.lease->holder : "") + "\n";
        store.read(info.id, {}, [&out](const acta::Record& record) {
            out += std::string(acta::to_string(record.kind)) + " " + record.call_id + " " + record.body + "\n";
            return true;
        });
    }
    return out;
}

/// Each member says the same of an id that is none, and shows 100 bytes of a long one.
inline void check_messages_of_ids(acta::HistoryStore& store) {
    store.create("of messages");
    const auto pass = [](const acta::Record&) { return true; };
    const std::vector<std::function<void(const std::string&)>> members = {
        [&](const std::string& id) { store.create(id); },
        [&](const std::string& id) { static_cast<void>(store.find(id)); },
        [&](const std::string& id) { store.append(id, {}, {}); },
        [&](const std::string& id) { store.read(id, {}, pass); },
        [&](const std::string& id) { store.fork(id, 0, "a fork"); },
        [&](const std::string& id) { store.fork("of messages", 0, id); },
        [&](const std::string& id) { static_cast<void>(store.acquire(id, "a", std::chrono::minutes(1))); },
        [&](const std::string& id) { static_cast<void>(store.renew(id, {}, std::chrono::minutes(1))); },
        [&](const std::string& id) { store.release(id, {}); },
        [&](const std::string& id) { store.erase(id); }};
    const auto fault = [](const auto& member, const std::string& id) -> std::string {
        try {
            member(id);
            return "nothing was thrown";
        } catch (const acta::StoreError& error) {
            return error.what();
        }
    };
    const std::string shown(100, 'i');
    for (const auto& member : members) {
        CHECK_THAT(fault(member, ""), ends_with_text("history '': an id is not empty"));
        CHECK_THAT(fault(member, shown + std::string(156, 'j')),
                   ends_with_text("history '" + shown + "...': an id has at most 255 bytes, and this one has 256"));
    }
    CHECK_THAT(fault(members[3], shown), contains_text("history '" + shown + "'"));
    CHECK_THAT(fault(members[3], shown + "j"), contains_text("history '" + shown + "...'"));
}
