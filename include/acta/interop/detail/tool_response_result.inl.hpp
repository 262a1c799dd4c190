// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/interop/tool_response_result.hpp"
#include "acta/interop/validation_reply.hpp"
#include "acta/json/codec.hpp"

namespace acta::inline ACTA_ABI {

namespace interop_detail {

/// The maximum length of one part of a reason in bytes, so that a model's prompt stays bounded.
inline constexpr std::size_t max_reason_part = 2000;

[[nodiscard]] ACTA_INLINE std::string short_text(std::string_view text) {
    const std::string_view start = utf8::prefix(text, max_reason_part);
    return std::string(start) + (start.size() == text.size() ? "" : "...");
}

/// Collects the parts of a reason: `message (this; that)`.
class ReasonParts {
public:
    explicit ReasonParts(const JsonObject& reply) : reply_(reply) {}

    [[nodiscard]] const Json* find(const char* key) const {
        const auto found = reply_.find(key);
        return found == reply_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::string text(const char* key) const {
        const Json* const value = find(key);
        return value != nullptr && value->is_string() ? value->get_ref<const std::string&>() : std::string();
    }
    void add(const std::string& part) {
        if (!parts_.empty()) parts_ += "; ";
        parts_ += short_text(part);
    }
    /// Adds `name: {...}` if the reply has something at the key.
    void add_json(const char* key, std::string_view name) {
        const Json* const value = find(key);
        if (value != nullptr && value->is_structured() && !value->empty())
            add(std::string(name) + ": " + dump(*value, {.invalid_utf8 = InvalidUtf8::replace}));
    }
    [[nodiscard]] std::string take() {
        const std::string message = text("message");
        if (parts_.empty()) return message.empty() ? "The tool failed and did not say why." : message;
        return message.empty() ? std::move(parts_) : message + " (" + parts_ + ")";
    }

private:
    const JsonObject& reply_;
    std::string parts_{};
};

/// Returns a JSON Schema in words: `city (string, required), days (integer)`.
[[nodiscard]] ACTA_INLINE std::string schema_words(const Json& schema) {
    const auto properties = schema.find("properties");
    if (properties == schema.end() || !properties->is_object()) return {};
    const auto required = schema.find("required");
    std::string out;
    for (const auto& [name, property] : properties->get_ref<const Json::object_t&>()) {
        std::string about;
        if (property.is_object()) {
            const auto type = property.find("type");
            if (type != property.end() && type->is_string()) about = type->get_ref<const std::string&>();
        }
        const bool needed = required != schema.end() && required->is_array() &&
                            std::find(required->begin(), required->end(), Json(name)) != required->end();
        if (needed) about += about.empty() ? "required" : ", required";
        if (!out.empty()) out += ", ";
        out += name + (about.empty() ? "" : " (" + about + ")");
        if (out.size() > max_reason_part) break;
    }
    return out;
}

[[nodiscard]] ACTA_INLINE std::string joined_names(const Json& names) {
    std::string out;
    for (const Json& name : names) {
        if (!name.is_string()) continue;
        if (!out.empty()) out += ", ";
        out += name.get_ref<const std::string&>();
    }
    return out;
}

/// Returns why a tool failed, in words that help a model to do better: the reply's message and its other members.
[[nodiscard]] ACTA_INLINE std::string reply_reason(const JsonObject& reply) {
    ReasonParts parts(reply);
    const std::string error = parts.text("error");
    if (!error.empty() && parts.text("message").find(error) == std::string::npos) parts.add("error: " + error);
    if (parts.text("type") == "need_login") parts.add("the user must log in first");
    const Json* const unknown = parts.find("unrecognized_fields");
    if (unknown != nullptr && !unknown->empty()) parts.add("there are no inputs named " + joined_names(*unknown));
    const Json* const inputs = parts.find("inputs");
    if (inputs != nullptr && inputs->is_object()) {
        const std::string words = schema_words(*inputs);
        if (!words.empty()) parts.add("the inputs are " + words);
    }
    const std::string status = parts.text("status");
    if (!status.empty()) parts.add("status: " + status);
    if (const Json* const run = parts.find("execution"); run != nullptr && run->is_object()) {
        const auto run_status = run->find("status");
        if (run_status != run->end() && run_status->is_string())
            parts.add("status: " + run_status->get_ref<const std::string&>());
        const auto outputs = run->find("outputs");
        if (outputs != run->end() && outputs->is_object() && !outputs->empty())
            parts.add("outputs: " + dump(*outputs, {.invalid_utf8 = InvalidUtf8::replace}));
    }
    parts.add_json("outputs", "outputs");
    parts.add_json("details", "details");
    return parts.take();
}

ACTA_INLINE ActionResult reply_result(Json reply, bool failed, const std::string& title) {
    if (!failed) {
        ActionSuccessResult success;
        success.outputs = std::move(reply);
        return success;
    }
    ActionResult out(std::in_place_type<ActionErrorResult>);
    auto& result = std::get<ActionErrorResult>(out);
    result.reason = reply_reason(JsonObject(reply.get_ref<const Json::object_t&>()));
    ErrorInfo& error = result.error.emplace();
    error.message = base::text_member(reply, "message");
    error.exception_type = title;
    error.repr = title + "(" + python_repr(error.message) + ")";
    error.args.push_back(std::move(reply));
    return out;
}

}  // namespace interop_detail

ACTA_INLINE ActionResult result_from_tool_response(const UnknownResponse& reply) {
    return interop_detail::reply_result(Json(reply.content), false, {});
}

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
