// SPDX-License-Identifier: MIT
// The same model with nlohmann_json's hooks, written by hand.
#include "../bench/nlohmann_model.hpp"

#include <string>
#include <string_view>

plain::History read_history(std::string_view text) { return nlohmann::json::parse(text).get<plain::History>(); }

std::string write_history(const plain::History& history) { return nlohmann::json(history).dump(); }
