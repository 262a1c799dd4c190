// SPDX-License-Identifier: MIT
#include <acta/base/json_value.hpp>
#include <acta/json/json.hpp>
#include <acta/json/timestamp.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "source.hpp"
#include "store_text.hpp"

namespace tools {
namespace {

struct ListOptions {
    std::string store{};
    std::string id{};
    std::string prefix{};
    std::vector<std::string> labels{};
    bool json = false;
};

std::string json_line(const acta::HistoryInfo& info) {
    acta::JsonObject out;
    out["id"] = info.id;
    out["version"] = info.position.version;
    out["epoch"] = info.position.epoch;
    out["type"] = info.type;
    out["labels"] = acta::Json(info.labels);
    if (!info.forked_from.empty()) out["forked_from"] = info.forked_from;
    out["created"] = acta::to_string(info.created);
    out["updated"] = acta::to_string(info.updated);
    if (info.lease)
        out["lease"] = acta::Json{{"holder", info.lease->holder}, {"until", acta::to_string(info.lease->until)}};
    if (!info.unreadable.empty()) out["unreadable"] = info.unreadable;
    return safe_json(acta::dump(out, {.invalid_utf8 = acta::InvalidUtf8::replace})) + "\n";
}

Exit list(const ListOptions& options) {
    acta::HistoryQuery query;
    query.id_prefix = options.prefix;
    query.labels = labels_of(options.labels);
    const Address source = address_of({options.store, options.id}, Place::store);
    const auto store = open_store(source.place, Access::read);
    const std::vector<acta::HistoryInfo> histories = list_all(*store, query, source);
    Output out;
    if (!options.json) out.write(table_of(histories));
    for (const acta::HistoryInfo& info : histories) {
        if (options.json) out.write(json_line(info));
    }
    out.finish();
    return Exit::fine;
}

}  // namespace

Command add_list(CLI::App& app) {
    const auto options = std::make_shared<ListOptions>();
    CLI::App* const list_app = app.add_subcommand("list", "List the histories in a store");
    list_app->add_option("STORE", options->store, std::string(store_help))->required();
    list_app->add_option("ID", options->id, "Only this history, if it is not part of the word before as in STORE#ID");
    list_app->add_option("--prefix", options->prefix, "Only ids that begin with TEXT")->type_name("TEXT");
    list_app
        ->add_option("--label", options->labels,
                     "Only histories with this label; several must all hold. VALUE is JSON, or else a text")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    list_app->add_flag("--json", options->json, "A line of JSON for each history");
    list_app->footer("Example:\n  acta list sqlite:runs.db --label team=tides");
    return {list_app, [options] { return list(*options); }};
}

}  // namespace tools
