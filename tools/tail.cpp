// SPDX-License-Identifier: MIT
#include <acta/base/json_value.hpp>
#include <acta/base/unicode.hpp>
#include <acta/json/json.hpp>
#include <acta/json/timestamp.hpp>
#include <acta/store/history_store.hpp>
#include <acta/view/terminal.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "commands.hpp"
#include "source.hpp"
#include "store_text.hpp"

namespace tools {
namespace {

struct TailOptions {
    std::string store{};
    std::string id{};
    std::uint64_t count = 10;
    bool follow = false;
    bool json = false;
};

std::string json_line(const acta::Record& record) {
    acta::JsonObject out;
    out["seq"] = record.seq;
    out["kind"] = acta::to_string(record.kind);
    out["at"] = acta::to_string(record.at);
    if (!record.call_id.empty()) out["call_id"] = record.call_id;
    out["body"] = record.body;
    return safe_json(acta::dump(out, {.invalid_utf8 = acta::InvalidUtf8::replace})) + "\n";
}

std::string text_line(const acta::Record& record) {
    constexpr std::size_t seq_width = 6;
    constexpr std::size_t kind_width = 14;
    constexpr std::size_t most_bytes = 72;
    std::string out = std::to_string(record.seq);
    out.insert(0, seq_width - std::min(seq_width, out.size()), ' ');
    std::string kind(acta::to_string(record.kind));
    kind.resize(std::max(kind.size(), kind_width), ' ');
    out += "  " + short_time(record.at) + "  " + kind;
    std::string body(acta::utf8::prefix(record.body, most_bytes));
    if (!record.call_id.empty()) body.insert(0, record.call_id + " ");
    std::ranges::replace(body, '\n', ' ');
    return out + "  " + acta::terminal_text(body) + (record.body.size() > most_bytes ? "\u2026" : "") + "\n";
}

/// Prints the records from `first` on, and returns the number of the next one.
std::uint64_t print_from(acta::HistoryStore& store, const std::string& id, bool json, std::uint64_t first,
                         Output& out) {
    store.read(id, {.first = first}, [&](const acta::Record& record) {
        out.write(json ? json_line(record) : text_line(record));
        first = record.seq + 1;
        return true;
    });
    out.flush();
    return first;
}

Exit tail(const TailOptions& options) {
    const Address source = address_of({options.store, options.id}, Place::store);
    require_id(source);
    const auto store = open_store(source.place, Access::read);
    Output out;
    try {
        const std::uint64_t version = find_history(*store, source).position.version;
        std::uint64_t next = version - std::min(version, options.count) + 1;
        if (next <= version) next = print_from(*store, source.id, options.json, next, out);
        while (options.follow) {
            std::this_thread::sleep_for(std::chrono::milliseconds(250));
            const auto info = store->find(source.id);
            if (info && info->position.version >= next) next = print_from(*store, source.id, options.json, next, out);
        }
    } catch (const acta::StoreError&) {
        fail_of_store();
    }
    out.finish();
    return Exit::fine;
}

}  // namespace

Command add_tail(CLI::App& app) {
    const auto options = std::make_shared<TailOptions>();
    CLI::App* const tail_app = app.add_subcommand("tail", "Print the newest records of a history; nothing is changed");
    tail_app->add_option("STORE", options->store, std::string(store_help))->required();
    tail_app->add_option("ID", options->id, std::string(id_help));
    tail_app->add_option("-n,--lines", options->count, "How many records (10)")->type_name("N");
    tail_app->add_flag("-f,--follow", options->follow, "Continue with records as they are appended, until Ctrl-C");
    tail_app->add_flag("--json", options->json, "A line of JSON for each record, with its whole body");
    tail_app->footer("Example:\n  acta tail sqlite:runs.db#task-42 -n 3 -f");
    return {tail_app, [options] { return tail(*options); }};
}

}  // namespace tools
