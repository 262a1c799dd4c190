// SPDX-License-Identifier: MIT
// Reads and writes acta's history: what a program pays that uses it. Beside history_nlohmann.cpp.
#include <string>
#include <string_view>

#include "acta/history/history.hpp"
#include "acta/json/json.hpp"

acta::EpisodicActionHistory<> read_history(std::string_view text) {
    return acta::parse<acta::EpisodicActionHistory<>>(text);
}

std::string write_history(const acta::EpisodicActionHistory<>& history) { return acta::dump(history); }
