// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/compress/compress.hpp"
#include "acta/json/json.hpp"
#include "acta/store/stored_history.hpp"
#include "history/random_changes.hpp"
#include "store/broken_stores.hpp"
#include "support/catch.hpp"

/// Stored histories under random operations, with plain ones beside them that have been through the same.
namespace store_model {

using Stored = acta::StoredHistory<>;
using History = acta::EpisodicActionHistory<>;

/// What is equal in both: all but the times, which are those of the moment.
inline acta::HistoryRecord<acta::ActionProposal<>> timeless(const History& history) {
    auto record = history.record();
    for (auto& episode : record.episodes) {
        if (episode.metrics) episode.metrics->started_at = episode.metrics->finished_at = std::nullopt;
    }
    for (auto& said : record.conversation) said.metrics.reset();
    return record;
}

/// How often each operation was done.
struct Done {
    std::size_t changes = 0;
    std::size_t refused = 0;
    std::size_t compressions = 0;
    std::size_t openings = 0;
    std::size_t refreshes = 0;
    std::size_t conflicts = 0;
    std::size_t forks = 0;
    std::size_t failures = 0;
    std::size_t lost_answers = 0;
};

/// A store whose appends fail at times: before they are stored, or after that, so that the answer is lost.
class Failing : public broken_stores::Door {
public:
    using Door::Door;
    acta::Appended append(std::string_view id, acta::Position at, std::span<const acta::NewRecord> records) override {
        if (fails_before) throw acta::StoreError("failed");
        const acta::Appended done = store.append(id, at, records);
        if (fails_after) throw acta::StoreError("the answer was lost");
        return done;
    }
    bool fails_before = false;
    bool fails_after = false;
};

class Model {
public:
    /// `open_store` returns the store, which may be another object each time.
    Model(std::function<acta::HistoryStore&()> open_store, unsigned seed)
        : open_store_(std::move(open_store)), random_(seed) {
        begin();
    }

    /// Does one operation with both.
    void operate() {
        if (++age_ > 120) begin();  // long enough for rewinds, and short enough to be compared each time
        switch (random_() % 20) {
            case 0: compress(); break;
            case 1: open(); break;
            case 2: another_writes(); break;
            case 3:
                if (random_() % 8 == 0) fork();
                break;
            case 4: fail(); break;
            default: change(run()); break;
        }
        REQUIRE(run().with_lock([](const History& h) { return timeless(h); }) == timeless(oracle_));
    }
    /// What the store has is what the history is: all of its JSON, times included, and its open calls.
    void compare_with_store() {
        const Stored again = Stored::open_or_create(*store_, id_);
        REQUIRE(acta::dump(again.snapshot()) == acta::dump(run().snapshot()));
        REQUIRE(again.open_calls() == run().open_calls());
        REQUIRE(again.position() == run().position());
    }
    [[nodiscard]] const Done& done() const noexcept { return done_; }

private:
    /// `Stored::open` returns what cannot be moved.
    struct Open {
        Open(acta::HistoryStore& store, const std::string& id) : history(Stored::open_or_create(store, id)) {}
        Stored history;
    };

    [[nodiscard]] Stored& run() { return run_->history; }
    void begin() {
        id_ = "history " + std::to_string(++count_);
        oracle_ = History();
        age_ = 0;
        open();
    }
    void open() {
        run_.reset();
        store_.emplace(open_store_());
        run_ = std::make_unique<Open>(*store_, id_);
        ++done_.openings;
    }
    void change(Stored& run) {
        std::mt19937 same = random_;
        const bool legal = run.with_lock([&](History& h) { return random_changes::try_change(h, random_); });
        REQUIRE(random_changes::try_change(oracle_, same) == legal);
        ++(legal ? done_.changes : done_.refused);
    }
    /// A change fails, and nothing has changed here; made once more, it is there once.
    void fail() {
        const std::string before = acta::dump(run().snapshot());
        std::mt19937 same;
        const auto again = [&](History& h) {
            random_ = same;
            return random_changes::try_change(h, random_);
        };
        (random_() % 2 == 0 ? store_->fails_before : store_->fails_after) = true;
        for (bool failed = false; !failed;) {  // until there is a change to store
            same = random_;
            try {
                run().with_lock(again);
            } catch (const acta::StoreError&) {
                failed = true;
            }
        }
        ++(store_->fails_after ? done_.lost_answers : done_.failures);
        store_->fails_before = store_->fails_after = false;
        REQUIRE(acta::dump(run().snapshot()) == before);
        try {
            const bool legal = run().with_lock(again);
            REQUIRE(legal);
        } catch (const acta::StoreConflict&) {  // the step has ended at another time
            REQUIRE(run().refresh() >= 1);      // results of several calls are as many records
        }
        again(oracle_);
    }
    void compress() {
        acta::CompressionOptions options;
        options.keep_recent = random_() % 3;
        options.max_parallel = 1;
        const auto summarize = [](std::string_view text, const acta::SummaryRequest&) {
            return std::to_string(text.size()) + " characters";
        };
        const auto report = acta::handle_compression(run(), summarize, options);
        REQUIRE(acta::handle_compression(oracle_, summarize, options).summarised.size() == report.summarised.size());
        done_.compressions += report.summarised.empty() ? 0 : 1;
    }
    /// Another object writes; this one is behind until it has read that.
    void another_writes() {
        Stored other = Stored::open_or_create(*store_, id_);
        const std::uint64_t before = other.position().version;
        for (int i = 0; i < 3; ++i) change(other);
        const std::uint64_t written = other.position().version - before;
        if (written != 0) {
            REQUIRE_THROWS_AS(run().append_user_feedback("late"), acta::StoreConflict);
            ++done_.conflicts;
        }
        REQUIRE(run().refresh() == written);
        ++done_.refreshes;
    }
    /// Goes on in a fork, or goes on while there is one.
    void fork() {
        const std::string fork = id_ + " f" + std::to_string(++count_);
        run().fork(fork);
        ++done_.forks;
        if (random_() % 2 == 0) {
            const std::string before = acta::dump(run().snapshot());
            id_ = fork;
            open();
            REQUIRE(acta::dump(run().snapshot()) == before);
        } else {
            Stored other = Stored::open_or_create(*store_, fork);
            REQUIRE(acta::dump(other.snapshot()) == acta::dump(run().snapshot()));
            other.append_user_feedback("in the fork alone");
        }
    }

    std::function<acta::HistoryStore&()> open_store_;
    std::mt19937 random_;
    std::optional<Failing> store_{};
    std::string id_{};
    std::unique_ptr<Open> run_{};
    History oracle_{};
    std::size_t age_ = 0;
    std::size_t count_ = 0;
    Done done_{};
};

/// Does so many operations, and compares with the store after every `often`th.
inline void run(std::function<acta::HistoryStore&()> open_store, unsigned seed, std::size_t operations,
                std::size_t often) {
    Model model(std::move(open_store), seed);
    for (std::size_t i = 1; i <= operations; ++i) {
        model.operate();
        if (i % often == 0) model.compare_with_store();
    }
    const Done& done = model.done();
    CHECK(done.changes > operations / 4);
    CHECK(done.refused > 0);
    CHECK(done.compressions > operations / 200);
    CHECK(done.openings > operations / 100);
    CHECK(done.conflicts > operations / 100);
    CHECK(done.refreshes >= done.conflicts);
    CHECK(done.forks > operations / 500);
    CHECK(done.lost_answers > operations / 200);
    CHECK(done.failures > operations / 200);
}

}  // namespace store_model
