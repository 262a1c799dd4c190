// SPDX-License-Identifier: MIT
// The structs of history_nlohmann.cpp, described for acta.
#include <string>
#include <string_view>

#include "described_model.hpp"

described::History read_history(std::string_view text) { return acta::parse<described::History>(text); }

std::string write_history(const described::History& history) { return acta::dump(history); }
