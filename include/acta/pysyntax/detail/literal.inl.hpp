// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <utility>

#include "acta/pysyntax/detail/literal_reader.hpp"
#include "acta/pysyntax/detail/scanner.hpp"
#include "acta/pysyntax/literal.hpp"

namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {

ACTA_INLINE bool read_whole_literal(Scanner& in, const CallOptions& options, Json& out) {
    LiteralReader reader(in, options, 0);
    bool ignored = false;
    if (!in.skip_blanks(true) || !reader.value(out, ignored) || !reader.skip_blanks()) return false;
    if (in.peek() == ',') {  // a tuple needs no parentheses here
        JsonArray items;
        items.push_back(std::move(out));
        while (in.peek() == ',') {
            in.advance(1);
            if (!reader.skip_blanks()) return false;
            if (in.at_end() || in.peek() == '\n' || in.peek() == '\r' || in.peek() == '#') break;
            if (!reader.value(items.emplace_back(), ignored) || !reader.skip_blanks()) return false;
        }
        out = std::move(items);
    }
    if (!in.skip_blanks(true)) return false;
    return in.at_end() || reader.fail_after_literal();
}

}  // namespace pysyntax_detail

ACTA_INLINE Json parse_literal(std::string_view text, const CallOptions& options) {
    pysyntax_detail::Scanner in(text, options.stats);
    Json out;
    if (!pysyntax_detail::read_whole_literal(in, options, out)) {
        throw CallSyntaxError(in.failure().reason, text, in.failure().offset);
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI
