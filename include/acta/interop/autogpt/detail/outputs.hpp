// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "acta/base/json_value.hpp"

namespace acta::inline ACTA_ABI::interop_detail {

/// Returns the outputs of parallel calls by tool name, as AutoGPT stores them; null if the names are not unique, not
/// every call has a result, or all have failed.
inline Json autogpt_outputs(const Json& calls, const Json& results) {
    std::set<std::string> names{"_errors"};
    for (const Json& call : calls) {
        if (!names.insert(call["name"].get<std::string>()).second) return nullptr;
    }
    if (calls.size() != results.size()) return nullptr;
    Json outputs = Json::object();
    Json errors = Json::array();
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::string name = calls[i]["name"].get<std::string>();
        const Json& result = results[i]["result"];
        const std::string status = result["status"].get<std::string>();
        if (status == "success")
            outputs[name] = result["outputs"];
        else if (status == "error")
            errors.push_back(name + ": " + result["reason"].get<std::string>());
        else
            return nullptr;
    }
    if (outputs.empty()) return nullptr;
    if (!errors.empty()) outputs["_errors"] = std::move(errors);
    return outputs;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
