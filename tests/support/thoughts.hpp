// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "acta/action/action.hpp"

/// Structured thoughts as in golden/formats_with_summary.json.
struct Plan {
    std::string text{};
    std::vector<std::string> steps{};

    [[nodiscard]] std::string summary() const { return text; }
    friend bool operator==(const Plan&, const Plan&) = default;
};

template <>
struct acta::Describe<Plan> {
    static constexpr auto fields =
        acta::fields(acta::required("text", &Plan::text), acta::required("steps", &Plan::steps));
};
