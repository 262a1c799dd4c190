// SPDX-License-Identifier: MIT
// expect: // acta: keep the store
#include <acta/store/memory_store.hpp>
#include <acta/store/stored_history.hpp>

namespace app {
inline std::size_t steps() {
#if defined(ACTA_COMPILES)
    acta::MemoryStore store;
    return acta::StoredHistory<>::open(store, "task").size();
#else
    return acta::StoredHistory<>::open(acta::MemoryStore(), "task").size();
#endif
}
}  // namespace app
