// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/action/result.hpp"
#include "acta/base/cancelled.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/parse.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/detail/closest_names.hpp"
#include "acta/skill/registered.hpp"

// Runs one call of a skill. Every failure is returned as a result.
namespace acta::inline ACTA_ABI::skill_detail {

[[nodiscard]] inline ActionResult failure(const std::string& type, std::string_view message,
                                          const ErrorOptions& options) {
    ActionResult result(std::in_place_type<ActionErrorResult>);
    auto& error = std::get<ActionErrorResult>(result);
    error.error = ErrorInfo::make(type, message, options);
    error.reason = error.error->message;
    return result;
}

/// Returns the exception that is being handled as a result. Exceptions of acta have their names even without RTTI.
[[nodiscard]] inline ActionResult describe_current_exception(const ErrorOptions& options) {
    try {
        throw;
    } catch (const Timeout& e) {
        return failure("Timeout", e.what(), options);
    } catch (const Cancelled& e) {
        return failure("Cancelled", e.what(), options);
    } catch (const InvalidArguments& e) {
        return failure("InvalidArguments", e.what(), options);
    } catch (const SkillNotFound& e) {
        return failure("SkillNotFound", e.what(), options);
    } catch (...) {
        return ActionResult(std::in_place_type<ActionErrorResult>,
                            ActionErrorResult::from_exception(std::current_exception(), options));
    }
}

/// Returns an error whose texts are short enough for the small buffer of a string: it needs no memory.
[[nodiscard]] inline ActionResult short_failure(const char* reason, const char* type, const char* repr) noexcept {
    ActionResult result(std::in_place_type<ActionErrorResult>);
    auto& error = std::get<ActionErrorResult>(result);
    error.reason = reason;
    error.error.emplace();
    error.error->message = reason;
    error.error->exception_type = type;
    error.error->repr = repr;
    return result;
}

/// As `describe_current_exception`, even if there is no memory for it or a redactor throws.
[[nodiscard]] inline ActionResult failure_of_current_exception(const ErrorOptions& options) noexcept {
    try {
        return describe_current_exception(options);
    } catch (const std::bad_alloc&) {
        return short_failure("out of memory", "bad_alloc", "bad_alloc()");
    } catch (...) {
        return short_failure("unknown error", "unknown", "unknown()");
    }
}

/// `limit: Input should be a valid integer (it is "many")`
[[nodiscard]] inline std::string argument_fault(const Issue& issue, const RegisteredSkill& skill) {
    std::string out = issue.loc.empty() ? "the arguments" : codec::loc_as_dots(issue.loc);
    out += ": ";
    if (issue.type == "extra_forbidden" && issue.loc.size() == 1) {
        out += "there is no such parameter";
        return out + did_you_mean(closest_names(std::get<std::string>(issue.loc.front()), skill.parameter_names(), 1));
    }
    if (issue.type == "missing") return out + issue.message;
    out += issue.message;
    if (!issue.input.empty()) out += " (it is " + issue.input + ")";
    return out;
}

[[nodiscard]] inline InvalidArguments invalid_arguments(const RegisteredSkill& skill, std::span<const Issue> issues,
                                                        bool truncated) {
    std::string message = "the arguments of " + skill.name() + " do not fit: ";
    for (std::size_t i = 0; i < issues.size(); ++i) {
        if (i != 0) message += "; ";
        message += argument_fault(issues[i], skill);
    }
    if (truncated) message += "; ...";
    return InvalidArguments(message, {issues.begin(), issues.end()});
}

/// The fault of arguments that are no JSON object, as a model wrote them.
[[nodiscard]] inline InvalidArguments unreadable_arguments(const RegisteredSkill& skill, const std::string& text) {
    std::string message = "the arguments of " + skill.name() + " are not a JSON object";
    try {
        static_cast<void>(parse<JsonObject>(text));
    } catch (const ValidationError& error) {
        message += ": " + error.issues().front().message;
    }
    return InvalidArguments(message);
}

/// Reads the arguments of a call. Throws `InvalidArguments`.
[[nodiscard]] inline std::shared_ptr<void> read_arguments(const RegisteredSkill& skill, JsonObject arguments,
                                                          UnknownKeys unknown) {
    struct Target {
        const codec::RecordDecoder* record;
        void* object;
    };
    const AnyFunction& function = skill.function();
    std::shared_ptr<void> place = function.arguments();
    Target target{&function.record, function.record_in == nullptr ? place.get() : function.record_in(place.get())};
    const codec::Reading reading{[](codec::Decoder& d, void* out) {
                                     const auto* const to = static_cast<Target*>(out);
                                     codec::decode_record(d, *to->record, to->object);
                                 },
                                 [] { return std::string("arguments"); }, &target};
    ParseOptions options;
    options.unknown_keys = unknown;
    const Json value(std::move(arguments));
    try {
        codec::read_json_document(value, options, reading);
    } catch (const ValidationError& error) {
        throw invalid_arguments(skill, error.issues(), error.truncated());
    }
    return place;
}

/// Appends to the arguments the extra ones that the function takes and the call does not have.
inline void merge_extra(const RegisteredSkill& skill, JsonObject& arguments, const JsonObject& extra) {
    for (const auto& [key, value] : extra) {
        if (skill.takes(key) && arguments.find(key) == arguments.end()) arguments.emplace(key, Json(value));
    }
}

[[nodiscard]] inline ActionResult call_now(const AnyFunction& function, void* arguments, SkillContext& context,
                                           const ErrorOptions& errors) {
    try {
        ActionResult result = function.call(arguments, context);
        clean_result(result);
        return result;
    } catch (...) {
        return failure_of_current_exception(errors);
    }
}

/// A call in a thread of its own, owned by that thread and the caller together, since either may end first.
struct DetachedCall {
    DetachedCall(std::shared_ptr<const RegisteredSkill> what, std::shared_ptr<void> with,
                 const SkillRunOptions& options)
        : skill(std::move(what)),
          arguments(std::move(with)),
          context(options.stop, options.deadline, {}, options.call),
          errors(options.errors) {}

    std::shared_ptr<const RegisteredSkill> skill;
    std::shared_ptr<void> arguments;
    SkillContext context;
    ErrorOptions errors;
    std::mutex mutex{};
    condition_variable_any finished{};
    std::optional<ActionResult> result{};
};

/// Runs the call in a thread that can be detached, and waits for it until deadline or stop.
[[nodiscard]] inline ActionResult call_in_thread(std::shared_ptr<const RegisteredSkill> skill,
                                                 std::shared_ptr<void> arguments, const SkillRunOptions& options) {
    const auto call = std::make_shared<DetachedCall>(std::move(skill), std::move(arguments), options);
    std::thread([call] {
        ActionResult result = call_now(call->skill->function(), call->arguments.get(), call->context, call->errors);
        call->arguments.reset();
        const std::lock_guard lock(call->mutex);
        call->result.emplace(std::move(result));
        call->finished.notify_all();
    }).detach();
    std::unique_lock lock(call->mutex);
    const auto done = [&call] { return call->result.has_value(); };
    if (options.deadline)
        call->finished.wait_until(lock, options.stop, *options.deadline, done);
    else
        call->finished.wait(lock, options.stop, done);
    if (call->result) return std::move(*call->result);
    if (options.stop.stop_requested()) return failure("Cancelled", "the call was cancelled", options.errors);
    return failure("Timeout", "the deadline has passed", options.errors);
}

/// Reads the arguments and calls the function. Every failure is returned as a result.
[[nodiscard]] inline ActionResult run_skill(const std::shared_ptr<const RegisteredSkill>& skill, JsonObject arguments,
                                            const SkillRunOptions& options) {
    try {
        if (const std::string* const text = chat_extension::unreadable_arguments(arguments))
            throw unreadable_arguments(*skill, *text);
        merge_extra(*skill, arguments, options.extra);
        std::shared_ptr<void> place = read_arguments(*skill, std::move(arguments), options.unknown_arguments);
        SkillContext context(options.stop, options.deadline, options.on_progress, options.call);
        context.check();
        const AnyFunction& function = skill->function();
        const bool limited = options.deadline || options.stop.stop_possible();
        if (limited && options.detach_on_timeout && (!function.takes_context || function.returns_future))
            return call_in_thread(skill, std::move(place), options);
        return call_now(function, place.get(), context, options.errors);
    } catch (...) {
        return failure_of_current_exception(options.errors);
    }
}

}  // namespace acta::inline ACTA_ABI::skill_detail
