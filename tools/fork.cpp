// SPDX-License-Identifier: MIT
#include <acta/store/stored_history.hpp>
#include <acta/view/terminal.hpp>
#include <memory>
#include <string>

#include "commands.hpp"
#include "source.hpp"

namespace tools {
namespace {

struct ForkOptions {
    std::string store{};
    std::string id{};
    std::string new_id{};
    std::size_t step = 0;  // from 1; 0 for the end
};

/// Returns the version at which the history had its first `step` steps, finished, and no more. Repeats the records one
/// by one: rewinds drop steps, and snapshots bring many.
std::uint64_t version_of(acta::HistoryStore& store, const std::string& id, std::size_t step) {
    acta::EpisodicActionHistory<acta::ActionProposal<acta::Json>> history;  // thoughts of any type
    acta::store_detail::CallLog log;
    std::uint64_t found = 0;
    bool was_there = false;
    store.read(id, {}, [&](const acta::Record& record) {
        acta::store_detail::replay(history, log, id, record);
        const bool is_there = history.size() == step && (history.empty() || history[step - 1].result.has_value());
        if (is_there && !was_there) found = record.seq;
        was_there = is_there;
        return true;
    });
    if (found == 0 || history.size() < step)
        throw Failure(Exit::usage, "history '" + id + "' has " + std::to_string(history.size()) + " steps, and step " +
                                       std::to_string(step) + " is not one of the finished ones");
    return found;
}

Exit fork(const ForkOptions& options) {
    // Of STORE#ID NEWID the new id is the second word.
    const bool one_word = options.new_id.empty();
    const Address source = address_of({options.store, one_word ? std::string() : options.id}, Place::store);
    const std::string& new_id = one_word ? options.id : options.new_id;
    if (one_word && source.id.empty()) throw WrongArguments("NEWID is missing: the id of the copy");
    const auto store = open_store(source.place, Access::write);
    Output out;
    try {
        const std::uint64_t version = find_history(*store, source).position.version;
        const Progress progress("reading " + source.id);
        const std::uint64_t at = options.step == 0 ? version : version_of(*store, source.id, options.step);
        static_cast<void>(store->fork(source.id, at, new_id));
        out.write(acta::terminal_text(new_id + ": the first " + std::to_string(at) + " of " + std::to_string(version) +
                                      " records of " + source.id) +
                  "\n");
    } catch (const acta::StoreError&) {
        fail_of_store();
    }
    out.finish();
    return Exit::fine;
}

}  // namespace

Command add_fork(CLI::App& app) {
    const auto options = std::make_shared<ForkOptions>();
    CLI::App* const fork_app = app.add_subcommand("fork", "Copy a history, or its beginning, under a new id");
    fork_app->add_option("STORE", options->store, std::string(store_help))->required();
    fork_app->add_option("ID", options->id, std::string(id_help))->required()->option_text("[ID]");
    fork_app->add_option("NEWID", options->new_id, "The id of the copy, which must be new")->option_text("NEWID");
    fork_app->add_option("--at", options->step, "Copy only up to the end of step STEP, counted from 1")
        ->type_name("STEP")
        ->check(counted_from_one());
    fork_app->footer("Example:\n  acta fork sqlite:runs.db#task-42 task-42-again --at 3");
    return {fork_app, [options] { return fork(*options); }};
}

}  // namespace tools
