// SPDX-License-Identifier: MIT
// expect: acta: a store, then the id
// lines: 20
#include <acta/acta.hpp>
#include <acta/store/stored_history.hpp>

namespace app {
acta::StoredHistory<> open(acta::HistoryStore& store) {
#if defined(ACTA_COMPILES)
    return acta::StoredHistory<>::open(store, "task-42");
#else
    return acta::StoredHistory<>::open("task-42", store);
#endif
}
}  // namespace app
