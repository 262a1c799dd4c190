// SPDX-License-Identifier: MIT
#pragma once

// The file that keeps a run change by change, so that one that was killed resumes where it stopped: an SQLite file, or
// JSON where explore is built without SQLite.

#include <acta/acta.hpp>
#include <acta/describe/describe.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "plan.hpp"

#if defined(EXPLORE_HAS_SQLITE)
#include <acta/store/sqlite/store.hpp>
#include <acta/store/stored_history.hpp>
#endif

namespace explore {

/// What a run is about: two of them are the same if this is equal.
struct Subject {
    std::string folder{};
    std::vector<std::string> questions{};

    friend bool operator==(const Subject&, const Subject&) = default;
};

struct KeptRun {
    Subject subject{};
    History history{};
};

inline bool is_finished(const Subject& subject, const History& history) {
    const auto asked = std::ranges::count_if(history.messages(), [](const acta::ConversationMessage& said) {
        return said.message.role == acta::ChatRole::user;
    });
    return history.answer() != nullptr && static_cast<std::size_t>(asked) >= subject.questions.size();
}

}  // namespace explore

ACTA_DESCRIBE(explore::Subject, (folder, questions), ());
ACTA_DESCRIBE(explore::KeptRun, (subject, history), ());

namespace explore {

#if defined(EXPLORE_HAS_SQLITE)

/// Keeps any number of runs.
class RunFile {
public:
    RunFile(const std::filesystem::path& file, const Subject& subject)
        : store_(file),
          history_(acta::StoredHistory<>::open_or_create(store_, id_of(subject), {.labels = labels(subject)})) {}

    [[nodiscard]] acta::SharedHistory<>& history() noexcept { return history_; }
    void changed() {}  // it has every change already

private:
    static acta::JsonObject labels(const Subject& subject) {
        return acta::validate<acta::JsonObject>(acta::to_json_value(subject));
    }
    /// The run that was not finished, or a new one.
    std::string id_of(const Subject& subject) {
        for (const acta::HistoryInfo& info : store_.list({.labels = labels(subject), .limit = 10'000})) {
            if (!is_finished(subject, acta::read_history(store_, info.id))) return info.id;
        }
        return "explore " + acta::to_string(acta::Timestamp::now());
    }

    acta::sqlite::Store store_;
    acta::StoredHistory<> history_;
};

#else

/// Keeps one run.
class RunFile {
public:
    RunFile(const std::filesystem::path& file, const Subject& subject)
        : file_(file), subject_(subject), history_(history_of(file, subject)) {}

    [[nodiscard]] acta::SharedHistory<>& history() noexcept { return history_; }
    void changed() { acta::save(KeptRun{subject_, history_.snapshot()}, file_); }

private:
    static History history_of(const std::filesystem::path& file, const Subject& subject) {
        if (!std::filesystem::exists(file)) return {};
        KeptRun kept = acta::load<KeptRun>(file);
        const bool goes_on = kept.subject == subject && !is_finished(subject, kept.history);
        return goes_on ? kept.history : History();
    }

    std::filesystem::path file_;
    Subject subject_;
    acta::SharedHistory<> history_;
};

#endif

}  // namespace explore
