// SPDX-License-Identifier: MIT
#include <acta/store/history_store.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "source.hpp"
#include "store_text.hpp"

namespace tools {
namespace {

struct PruneOptions {
    std::string store{};
    std::string id{};
    std::string before{};
    std::string prefix{};
    std::vector<std::string> labels{};
    bool yes = false;
};

std::string count_of(std::size_t count) { return std::to_string(count) + (count == 1 ? " history" : " histories"); }

/// Erases what `list_all` returns, and returns how many there were.
std::size_t erase(acta::HistoryStore& store, const acta::HistoryQuery& query, const Address& source) {
    if (source.id.empty()) return acta::prune(store, query);
    const std::size_t count = list_all(store, query, source).size();
    if (count != 0) store.erase(source.id);
    return count;
}

Exit prune(const PruneOptions& options) {
    acta::HistoryQuery query;
    query.id_prefix = options.prefix;
    query.labels = labels_of(options.labels);
    if (!options.before.empty()) query.updated_before = moment_of(options.before);
    const Address source = address_of({options.store, options.id}, Place::store);
    if (source.id.empty() && !query.updated_before && query.id_prefix.empty() && query.labels.empty())
        throw Failure(Exit::usage, "prune needs a condition: an ID, --before, --prefix or --label");
    const auto store = open_store(source.place, Access::write);
    Output out;
    if (options.yes) {
        const Progress progress("erasing");
        try {
            out.write(count_of(erase(*store, query, source)) + " erased\n");
        } catch (const acta::StoreError&) {
            fail_of_store();
        }
    } else {
        const std::vector<acta::HistoryInfo> histories = list_all(*store, query, source);
        if (!histories.empty()) out.write(table_of(histories) + "\n");
        out.write(count_of(histories.size()) + " would be erased" + (histories.empty() ? "" : "; --yes erases") + "\n");
    }
    out.finish();
    return Exit::fine;
}

}  // namespace

Command add_prune(CLI::App& app) {
    const auto options = std::make_shared<PruneOptions>();
    CLI::App* const prune_app =
        app.add_subcommand("prune", "Erase histories from a store; without --yes it only says which");
    prune_app->add_option("STORE", options->store, std::string(store_help))->required();
    prune_app->add_option("ID", options->id, "Only this history, if it is not part of the word before as in STORE#ID");
    prune_app
        ->add_option("--before", options->before,
                     "Those last updated before a time (UTC unless it says otherwise), or longer ago than an age: 12h, "
                     "30d, 8w")
        ->type_name("TIME");
    prune_app->add_option("--prefix", options->prefix, "Those whose ids begin with TEXT")->type_name("TEXT");
    prune_app
        ->add_option("--label", options->labels,
                     "Those with this label; several must all hold. VALUE is JSON, or else a text")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    prune_app->add_flag("--yes", options->yes, "Erase them. Their records are gone, and their ids stay taken");
    prune_app->footer(
        "Example:\n  acta prune sqlite:runs.db --before 30d\n  acta prune sqlite:runs.db --before 30d --yes");
    return {prune_app, [options] { return prune(*options); }};
}

}  // namespace tools
