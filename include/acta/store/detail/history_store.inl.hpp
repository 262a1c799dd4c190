// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "acta/store/history_store.hpp"
#if defined(ACTA_COMPILED)
#include "acta/json/json.hpp"
#include "acta/store/stored_history.hpp"
#endif

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

#if defined(ACTA_COMPILED)
template class store_detail::StoreJournal<ActionProposal<>>;
template class StoredHistory<ActionProposal<>>;
#endif

}  // namespace acta::inline ACTA_ABI
