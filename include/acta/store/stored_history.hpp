// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/history/shared_history.hpp"
#include "acta/skill/execute.hpp"
#include "acta/store/detail/lease_keeper.hpp"
#include "acta/store/detail/open_calls.hpp"
#include "acta/store/detail/store_journal.hpp"
#include "acta/store/history_store.hpp"

namespace acta::inline ACTA_ABI {

/// A lease that a `StoredHistory` holds as long as it lives.
struct LeaseOptions {
    /// Who holds it, for people and logs, such as host and process. Whoever has the same name takes it over at once.
    std::string holder{};
    /// How long it lasts if the program dies or hangs; at least 3 ms. A thread prolongs it three times as often.
    std::chrono::milliseconds time{30'000};
};

/// Options of `StoredHistory::open`.
struct OpenOptions {
    JsonObject labels{};                  ///< Labels of a history that is made.
    std::optional<LeaseOptions> lease{};  ///< Makes this object the only one that writes the history.
};

/// A history in a store: a `SharedHistory` whose changes last. When a member has returned, the store has the change;
/// when it throws, store and memory are as they were. `run_agent`, `handle_compression` and everything else that takes
/// a `SharedHistory` takes it.
///
/// One program writes a history at a time. A member throws `StoreConflict` if another one has: `refresh` reads what is
/// new. With a lease (`OpenOptions`) others may only read it until it is released, and a program that lost it is refused
/// (`LeaseLost`). If the store's answer is lost, the change may be there or not: the same call of a member, repeated,
/// has it there once, or throws `StoreConflict` if its record would now be another, such as one with the time at which
/// a step ended.
///
/// @code{.cpp}
/// #include <acta/store/memory_store.hpp>
/// acta::MemoryStore store;   // or acta::sqlite::Store store("runs.db");
/// {
///     auto run = acta::StoredHistory<>::open(store, "task-42");
///     run.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// }
/// auto run = acta::StoredHistory<>::open(store, "task-42");   // goes on where it was
/// assert(run.messages().size() == 1);
/// @endcode
template <class P>
class StoredHistory : public SharedHistory<P> {
public:
    using typename SharedHistory<P>::History;

    /// Returns the history of an id, which is created if the store has none. The store must outlive it. Throws
    /// `StoreError`; in particular `StoreGone`, `StoreTooNew`, `StoreCorrupt` for a record that cannot be read, and
    /// `LeaseLost` if another holder has the lease that was wanted.
    [[nodiscard]] static StoredHistory open(HistoryStore& store, std::string_view id, const OpenOptions& options = {}) {
        return StoredHistory(store, id, options);
    }

    /// Returns the id.
    [[nodiscard]] const std::string& id() const noexcept { return journal_.id(); }
    using SharedHistory<P>::id;
    /// Returns where the history is: the newest record that it has.
    [[nodiscard]] Position position() const {
        return this->with_lock([this](const History&) { return journal_.position(); });
    }
    /// Reads what others have appended, and returns how many records.
    std::size_t refresh() {
        return this->with_lock([this](History& history) { return journal_.catch_up(history); });
    }
    /// Runs the calls of the open step that have no result, several of them in parallel, and returns their results in
    /// the order of the calls; none if no step is open. That a call begins lasts before it has any effect, and each
    /// result as soon as it is there. A call that was refused (`decide`) does not run and has that as its result. The
    /// options' `call_ids` are ignored. Throws `HistoryError` (`call_begun`), before any call runs, if one has begun
    /// already, since `resume` decides about that; and what the store throws, when the calls that had begun are over.
    ///
    /// @code{.cpp}
    /// #include <acta/store/memory_store.hpp>
    /// acta::SkillRegistry skills;
    /// skills.add("add", "Adds two numbers.", [](int a, int b) { return a + b; }, "a", "b");
    /// acta::MemoryStore store;
    /// auto run = acta::StoredHistory<>::open(store, "task-42");
    /// run.resume(skills);   // if a crash left anything open
    /// run.register_action({.thoughts = "Add them.", .use_tool = {"add", {{"a", 1}, {"b", 2}}}});
    /// run.execute(skills);
    /// assert(acta::to_string(*run.at(0).result) == "3");
    /// @endcode
    std::vector<ToolResult> execute(const SkillRegistry& skills, const ExecuteOptions& options = {}) {
        const std::vector<OpenCall> open = this->open_calls();
        store_detail::require_not_begun(open);
        return store_detail::run_open_calls(
            open, skills, options, [](const OpenCall&) { return true; }, call_site());
    }
    /// Closes what a program that died left open. As `execute`, but a call that has begun runs again, with the
    /// idempotency key that it had, only if its skill is read-only, idempotent, or uses that key (`SkillHints`), or if
    /// `rerun` says so. Otherwise its result is an error of type `OutcomeUnknown`. `run_agent` does the same by itself.
    std::vector<ToolResult> resume(const SkillRegistry& skills,
                                   const std::function<bool(const AssistantToolCall&)>& rerun = {},
                                   const ExecuteOptions& options = {}) {
        const auto may_run = [&](const OpenCall& one) { return skill_extension::may_run(one, skills, rerun); };
        return store_detail::run_open_calls(this->open_calls(), skills, options, may_run, call_site());
    }
    /// Copies the history as it is now to a new id. Throws `StoreExists`.
    HistoryInfo fork(std::string_view new_id) const { return journal_.store().fork(id(), position().version, new_id); }

private:
    [[nodiscard]] store_detail::CallSite call_site() {
        return {[this](const std::string& id) { return this->begin_call(id); },
                [this](const std::string& id, const ActionResult& result) { this->register_result(id, result); }};
    }
    StoredHistory(HistoryStore& store, std::string_view id, const OpenOptions& options)
        : journal_(store, id, options.labels) {
        if (options.lease) {
            lease_.emplace(store, id, options.lease->holder, options.lease->time);
            journal_.set_epoch(lease_->epoch());
        }
        refresh();
    }

    store_detail::StoreJournal<P> journal_;
    std::optional<store_detail::LeaseKeeper> lease_{};
};

}  // namespace acta::inline ACTA_ABI

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template class store_detail::StoreJournal<ActionProposal<>>;
extern template class StoredHistory<ActionProposal<>>;
}  // namespace acta::inline ACTA_ABI
#endif
