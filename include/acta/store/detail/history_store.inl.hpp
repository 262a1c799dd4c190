// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "acta/store/history_store.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::size_t prune(HistoryStore& store, HistoryQuery query) {
    std::size_t erased = 0;
    for (;;) {
        const std::vector<HistoryInfo> page = store.list(query);
        if (page.empty()) return erased;
        for (const HistoryInfo& one : page) {
            store.erase(one.id);
            ++erased;
        }
        query.after = page.back().id;
    }
}

}  // namespace acta::inline ACTA_ABI
