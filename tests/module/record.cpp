// SPDX-License-Identifier: MIT
// A source of the same program that includes what the other one imports.
#include <acta/history/history.hpp>
#include <acta/json/json.hpp>
#include <string>

std::string record_of(const acta::EpisodicActionHistory<>& history) { return acta::dump(history); }
