// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/store/detail/rules.hpp"
#include "acta/store/postgres/detail/pool.hpp"
#include "acta/store/record.hpp"

// Records as the server has them.
namespace acta::inline ACTA_ABI::postgres_detail {

/// The columns of records, as arrays.
struct Columns {
    explicit Columns(std::span<const NewRecord> records) {
        for (const NewRecord& one : records) {
            kinds.push_back(to_string(one.kind));
            calls.push_back(one.call_id);
            bodies.push_back(one.body);
        }
    }
    std::vector<std::string_view> kinds{};
    std::vector<std::string_view> calls{};
    std::vector<std::string_view> bodies{};
};

/// Returns whether the records stand at a place already.
[[nodiscard]] inline bool are_there(Pool& pool, std::string_view id, std::uint64_t version, const Columns& columns) {
    const std::size_t count = columns.kinds.size();
    if (count == 0) return false;
    const Rows same =
        run(pool, Repeat::yes,
            "SELECT count(*) FROM acta.history h JOIN acta.record r ON r.history = h.key, "
            "unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS n(kind, call_id, body, number) "
            "WHERE h.id = $1 AND r.seq > $2 AND r.seq <= $2 + $6 AND r.seq = $2 + n.number AND r.kind = n.kind AND "
            "r.call_id = n.call_id AND r.body = n.body",
            Parameters()
                .add(id)
                .add(version)
                .add(columns.kinds)
                .add(columns.calls)
                .add(columns.bodies)
                .add(std::uint64_t{count}));
    return same.number(0, 0) == count;
}

[[nodiscard]] inline Record record_of(const Rows& rows, int row, std::string_view id) {
    Record out;
    out.seq = rows.number(row, 2);
    out.kind = store_detail::kind_of_name(rows.text(row, 3), id, out.seq);
    out.format = static_cast<int>(rows.integer(row, 4));
    out.at = store_detail::timestamp_of(rows.integer(row, 5));
    out.call_id = rows.text(row, 6);
    out.body = rows.text(row, 7);
    return out;
}

/// Records of a history, and its version.
struct Page {
    std::uint64_t version = 0;
    std::vector<Record> records{};
};
/// Returns records from `first` to `last`, as many as make a page: 1000, or 4 MB and one more. The lengths of bodies are
/// known without reading them.
[[nodiscard]] inline Page page(Pool& pool, std::string_view id, std::uint64_t first, std::uint64_t last) {
    constexpr std::uint64_t more = 999;
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    last = std::min(last, std::min(first, largest - more) + more);
    const Rows rows =
        run(pool, Repeat::yes,
            "SELECT h.head, h.erased IS NOT NULL, p.seq, p.kind, p.format, "
            "(extract(epoch FROM p.at) * 1000000)::bigint, p.call_id, p.body FROM acta.history h LEFT JOIN LATERAL "
            "(SELECT * FROM ("
            "SELECT r.*, sum(octet_length(body)) OVER (ORDER BY seq) - octet_length(body) AS before FROM acta.record r "
            "WHERE r.history = h.key AND r.seq BETWEEN $2 AND $3) s WHERE before < 4000000) p "
            "ON true WHERE h.id = $1 ORDER BY p.seq",
            Parameters().add(id).add(first).add(last));
    if (rows.empty()) store_detail::throw_not_found(id);
    if (rows.boolean(0, 1)) store_detail::throw_gone(id);
    Page out;
    out.version = rows.number(0, 0);
    if (rows.is_null(0, 2)) return out;
    for (int row = 0; row < rows.size(); ++row) out.records.push_back(record_of(rows, row, id));
    return out;
}

}  // namespace acta::inline ACTA_ABI::postgres_detail
