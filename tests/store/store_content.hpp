// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"

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
