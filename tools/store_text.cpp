// SPDX-License-Identifier: MIT
#include "store_text.hpp"

#include <acta/base/unicode.hpp>
#include <acta/json/json.hpp>
#include <acta/json/timestamp.hpp>
#include <acta/view/terminal.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "output.hpp"
#include "source.hpp"

namespace tools {
namespace {

std::optional<std::chrono::seconds> age_of(std::string_view text) {
    if (text.size() < 2) return std::nullopt;
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size() - 1, count);
    constexpr std::int64_t most = 1'000'000'000;
    if (error != std::errc() || end != text.data() + text.size() - 1 || count < 0 || count > most) return std::nullopt;
    switch (text.back()) {
        case 's': return std::chrono::seconds(count);
        case 'm': return std::chrono::minutes(count);
        case 'h': return std::chrono::hours(count);
        case 'd': return std::chrono::days(count);
        case 'w': return std::chrono::weeks(count);
        default: return std::nullopt;
    }
}

std::string notes_of(const acta::HistoryInfo& info) {
    std::string out;
    const auto add = [&](const std::string& text) { out.append(out.empty() ? "" : "  ").append(text); };
    if (!info.labels.empty()) add(acta::dump(info.labels, {.invalid_utf8 = acta::InvalidUtf8::replace}));
    if (!info.forked_from.empty()) add("fork of " + info.forked_from);
    if (info.lease) add("leased by " + info.lease->holder + " until " + short_time(info.lease->until));
    if (!info.unreadable.empty()) add("cannot be read: " + info.unreadable);
    std::ranges::replace(out, '\n', ' ');  // which a holder of a lease may have in its name
    return acta::terminal_text(out);
}

std::string padded(std::string text, std::size_t width, bool right = false) {
    const std::size_t length = acta::utf8::count_code_points(text);
    if (length >= width) return text;
    return right ? text.insert(0, width - length, ' ') : text.append(width - length, ' ');
}

}  // namespace

acta::JsonObject labels_of(const std::vector<std::string>& words) {
    acta::JsonObject out;
    for (const std::string& word : words) {
        const std::size_t sign = word.find('=');
        if (sign == std::string::npos || sign == 0)
            throw Failure(Exit::usage, "'" + word + "' is not a label: write KEY=VALUE");
        const std::string value = word.substr(sign + 1);
        acta::Json& label = out[word.substr(0, sign)];
        try {
            label = acta::parse<acta::Json>(value);
        } catch (const acta::ValidationError&) {
            label = value;
        }
    }
    return out;
}

acta::Timestamp moment_of(const std::string& text) {
    if (const auto age = age_of(text)) return acta::Timestamp::now() - *age;
    auto moment = acta::parse_timestamp(text, acta::Strictness::strict);
    if (!moment)
        throw Failure(Exit::usage,
                      "'" + text + "' is not a time: write 2026-01-31, 2026-01-31T12:00:00Z, or an age: 30d");
    if (!moment->offset) moment->offset = std::chrono::minutes(0);
    return *moment;
}

std::vector<acta::HistoryInfo> list_all(acta::HistoryStore& store, acta::HistoryQuery query, const Address& source) {
    query.limit = 1000;
    std::vector<acta::HistoryInfo> out;
    if (!source.id.empty()) {
        static_cast<void>(find_history(store, source));
        if (!source.id.starts_with(query.id_prefix)) return out;
        query.id_prefix = source.id;
    }
    try {
        for (;;) {
            std::vector<acta::HistoryInfo> page = store.list(query);
            if (!source.id.empty())  // sorted by their ids, so that this one is the first
                std::erase_if(page, [&](const acta::HistoryInfo& info) { return info.id != source.id; });
            if (page.empty()) return out;
            query.after = page.back().id;
            std::ranges::move(page, std::back_inserter(out));
        }
    } catch (const acta::StoreError&) {
        fail_of_store();
    }
}

std::string short_time(acta::Timestamp at) {
    at.local = std::chrono::floor<std::chrono::seconds>(at.local);
    return acta::to_string(at);
}

std::string table_of(const std::vector<acta::HistoryInfo>& histories) {
    constexpr std::size_t records_width = 8;
    constexpr std::size_t time_width = 20;
    constexpr std::size_t widest = 60;
    std::size_t id_width = 2;
    for (const acta::HistoryInfo& info : histories)
        id_width = std::max(id_width, acta::utf8::count_code_points(acta::terminal_text(info.id)));
    id_width = std::min(id_width, widest);
    std::string out = padded("ID", id_width) + "  " + padded("RECORDS", records_width, true) + "  " +
                      padded("UPDATED", time_width) + "  LABELS\n";
    for (const acta::HistoryInfo& info : histories) {
        out += padded(acta::terminal_text(info.id), id_width) + "  " +
               padded(std::to_string(info.position.version), records_width, true) + "  " +
               padded(short_time(info.updated), time_width);
        const std::string notes = notes_of(info);
        out.append(notes.empty() ? "" : "  ").append(notes).append("\n");
    }
    return out;
}

}  // namespace tools
