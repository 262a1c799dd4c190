// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "acta/interop/validation_reply.hpp"
#include "acta/json/codec.hpp"

namespace acta::inline ACTA_ABI {

namespace interop_detail {

[[nodiscard]] ACTA_INLINE Json loc_json(const Issue& issue) {
    JsonArray loc;
    for (const LocElement& step : issue.loc) {
        if (const auto* const key = std::get_if<std::string>(&step))
            loc.emplace_back(*key);
        else
            loc.emplace_back(std::get<std::size_t>(step));
    }
    return loc;
}

/// Returns `query: Field required; limit: Input should be a valid integer (it is "many")`, as long as there are issues.
[[nodiscard]] ACTA_INLINE std::string issues_in_words(const ValidationError& error) {
    std::string out;
    for (const Issue& issue : error.issues()) {
        if (!out.empty()) out += "; ";
        if (!issue.loc.empty()) out += codec::loc_as_dots(issue.loc) + ": ";
        out += issue.message;
        if (!issue.input.empty() && issue.type != "missing") out += " (it is " + issue.input + ")";
    }
    if (error.truncated()) out += "; and more";
    return out;
}

[[nodiscard]] ACTA_INLINE JsonObject issue_details(const ValidationError& error) {
    JsonArray issues;
    for (const Issue& issue : error.issues()) {
        JsonObject one;
        one.emplace_back("loc", loc_json(issue));
        one.emplace_back("type", Json(issue.type));
        one.emplace_back("msg", Json(issue.message));
        one.emplace_back("input", Json(issue.input));
        issues.emplace_back(std::move(one));
    }
    JsonObject details;
    details.emplace_back("title", Json(error.title()));
    details.emplace_back("issues", Json(std::move(issues)));
    details.emplace_back("truncated", Json(error.truncated()));
    return details;
}

}  // namespace interop_detail

ACTA_INLINE ErrorResponse to_error_response(const ValidationError& error, std::optional<std::string> session_id) {
    ErrorResponse reply;
    reply.message = "Invalid input: " + interop_detail::issues_in_words(error);
    reply.session_id = std::move(session_id);
    reply.error = "validation_error";
    reply.details = interop_detail::issue_details(error);
    return reply;
}

ACTA_INLINE InputValidationErrorResponse to_input_validation_error_response(const ValidationError& error,
                                                                            JsonObject inputs,
                                                                            std::optional<std::string> session_id) {
    InputValidationErrorResponse reply;
    reply.message = "Invalid input: " + interop_detail::issues_in_words(error);
    reply.session_id = std::move(session_id);
    for (const Issue& issue : error.issues()) {
        if (issue.type == "extra_forbidden") reply.unrecognized_fields.push_back(codec::loc_as_dots(issue.loc));
    }
    reply.inputs = std::move(inputs);
    return reply;
}

}  // namespace acta::inline ACTA_ABI
