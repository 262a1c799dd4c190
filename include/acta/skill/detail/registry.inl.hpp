// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/extension.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "acta/schema/schema.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/registry.hpp"

namespace acta::inline ACTA_ABI {

namespace skill_detail {

ACTA_INLINE std::shared_ptr<AnyFunction> new_function(std::shared_ptr<const void> state) {
    auto made = std::make_shared<AnyFunction>();
    made->state = std::move(state);
    return made;
}

ACTA_INLINE std::shared_ptr<void> AnyFunction::arguments() const {
    return {new_arguments(state.get()), delete_arguments};
}

ACTA_INLINE FunctionParameter& AnyFunction::add_parameter(std::string name, std::string doc,
                                                          schema_introspection::TypeRef type,
                                                          void (*decode)(codec::Decoder&, void*, bool)) {
    decoders.push_back({{}, decode, true, {}});
    FunctionParameter& parameter = parameters.emplace_back();
    parameter.name = std::move(name);
    parameter.doc = std::move(doc);
    parameter.type = type;
    return parameter;
}

ACTA_INLINE void AnyFunction::complete_record() {
    for (std::size_t i = 0; i < decoders.size(); ++i) {
        decoders[i].key = parameters[i].name;
        decoders[i].required = parameters[i].required;
        if (decoders[i].required) codec::insert(record.required, i);
    }
    record.fields = decoders;
}

/// The parameters of a function as a struct, whose schema is made like that of any other struct.
class ParametersType {
public:
    explicit ParametersType(const std::vector<FunctionParameter>& parameters) {
        fields_.reserve(parameters.size());
        for (const FunctionParameter& one : parameters) {
            schema_introspection::FieldInfo field{one.name, one.name, one.doc};
            field.presence = one.required ? Presence::required : Presence::optional;
            field.hidden = one.hidden;
            field.deprecated = one.deprecated;
            field.type = one.type;
            fields_.push_back(field);
        }
        info_.fields = fields_;
    }
    ParametersType(const ParametersType&) = delete;
    ParametersType& operator=(const ParametersType&) = delete;

    [[nodiscard]] const schema_introspection::TypeInfo& info() const noexcept { return info_; }

private:
    std::vector<schema_introspection::FieldInfo> fields_{};
    schema_introspection::TypeInfo info_{introspection::Kind::record, [] { return std::string(); }};
};

/// Adds the parts known only to the registration to a property: constraints, and the default as pydantic shows it.
ACTA_INLINE void complete_property(const FunctionParameter& parameter, Json& property) {
    if (parameter.annotate) {
        const auto choices = property.find("anyOf");
        parameter.annotate(parameter.options, choices != property.end() ? (*choices)[0] : property);
    }
    if (parameter.default_value) property["default"] = *parameter.default_value;
}

}  // namespace skill_detail

ACTA_INLINE std::vector<std::string> RegisteredSkill::parameter_names() const {
    std::vector<std::string> names;
    if (const SchemaValidator* const given = function_->given_schema.get()) {
        const Json& properties = given->schema().at("properties");
        if (!properties.is_object()) return names;
        for (const auto& [name, property] : base::object_of(properties)) names.push_back(name);
    }
    for (const codec::FieldDecoder& field : function_->record.fields) names.emplace_back(field.key);
    return names;
}

ACTA_INLINE bool RegisteredSkill::takes(std::string_view parameter) const noexcept {
    if (const SchemaValidator* const given = function_->given_schema.get())
        return base::find_key(*base::find_key(given->schema(), "properties"), parameter) != nullptr;
    const auto fields = function_->record.fields;
    return function_->record.extra != nullptr || codec::find_field(fields, parameter, fields.size()) != fields.size();
}

ACTA_INLINE Json RegisteredSkill::schema(const SchemaOptions& options) const {
    if (function_->given_schema) {
        const bool is_strict = options.dialect == SchemaDialect::openai_strict;
        const Json& given = function_->given_schema->schema();
        return is_strict ? convert_schema(given, options) : given;
    }
    if (function_->record_type != nullptr) return schema_introspection::make_schema(*function_->record_type, options);
    const skill_detail::ParametersType type(function_->parameters);
    SchemaOptions plain = options;  // other dialects are converted from pydantic's, with all constraints in it
    plain.dialect = SchemaDialect::pydantic;
    Json out = schema_introspection::make_schema(type.info(), plain);
    for (const skill_detail::FunctionParameter& one : function_->parameters) {
        const auto property = out["properties"].find(one.name);
        if (property != out["properties"].end()) skill_detail::complete_property(one, *property);
    }
    out["title"] = name_;
    SchemaOptions own = options;
    own.null_for_missing = false;
    return convert_schema(out, own);
}

ACTA_INLINE std::optional<Json> RegisteredSkill::result_schema(const SchemaOptions& options) const {
    using introspection::Kind;
    if (function_->result_type == nullptr) return std::nullopt;
    const schema_introspection::TypeInfo& type = function_->result_type();
    switch (type.kind) {
        case Kind::text:
        case Kind::any:
        case Kind::optional:
        case Kind::variant:
        case Kind::enumeration:
        case Kind::represented:
        case Kind::custom_codec: return std::nullopt;
        default: return schema_introspection::make_schema(type, options);
    }
}

namespace skill_detail {

/// Returns the names of the properties that a schema, which may be any JSON, requires.
ACTA_INLINE std::vector<std::string> required_names(const Json& schema) {
    std::vector<std::string> names;
    const Json* const required = base::find_key(schema, "required");
    if (required == nullptr || !required->is_array()) return names;
    for (const Json& one : base::array_of(*required)) {
        if (one.is_string()) names.push_back(base::text_of(one));
    }
    return names;
}

/// Returns a property of a schema, which may be any JSON, as a declared parameter. A reference becomes the type and the
/// values of its definition, and several types become `anyOf`; whether the parameter is needed takes the place of which
/// of its own members are.
ACTA_INLINE Skill::Parameter declared_parameter(const Json& schema, const Json& property, bool is_needed) {
    Skill::Parameter out;
    const Json* const found = schema_introspection::find_target(schema, property);
    const Json& definition = found == nullptr ? property : *found;
    out.type = base::text_member(definition, "type");
    if (out.type.empty()) out.type = "any";
    if (const std::string description = base::text_member(property, "description"); !description.empty())
        out.description = description;
    if (is_needed) out.extra.emplace("required", true);
    const Json* const values = base::find_key(definition, "enum");
    if (values != nullptr && &definition != &property) out.extra.emplace("enum", Json(*values));
    if (!property.is_object()) return out;
    for (const auto& [key, value] : base::object_of(property)) {
        if (key == "type" && value.is_array()) {
            JsonArray types;
            for (const Json& type : value) types.push_back(JsonObject{{"type", type}});
            out.extra.emplace("anyOf", std::move(types));
        } else if (key != "type" && key != "description" && key != "title" && key != "$ref" &&
                   dump(value).find("\"$ref\"") == std::string::npos) {
            out.extra.emplace(key, Json(value));
        }
    }
    return out;
}

}  // namespace skill_detail

ACTA_INLINE Skill RegisteredSkill::declaration(std::vector<Skill::Example> examples) const {
    Skill skill;
    skill.name = name_;
    if (!description_.empty()) skill.description = description_;
    skill.examples = std::move(examples);
    skill.returns.type = "any";
    const Json made = schema();
    const std::vector<std::string> required = skill_detail::required_names(made);
    auto& parameters = skill.parameters.emplace();
    const Json* const properties = base::find_key(made, "properties");
    if (properties == nullptr || !properties->is_object()) return skill;
    for (const auto& [name, property] : base::object_of(*properties)) {
        const bool is_needed = std::ranges::find(required, name) != required.end();
        parameters.emplace(name, skill_detail::declared_parameter(made, property, is_needed));
    }
    return skill;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::skill_detail {

/// Makes `null` of numbers that are not finite, as pydantic writes them: JSON has none.
ACTA_INLINE void clean_numbers(Json& root) {
    std::vector<Json*> open{&root};
    while (!open.empty()) {
        Json& value = *open.back();
        open.pop_back();
        if (value.is_number_float() && !std::isfinite(base::real_of(value))) value = nullptr;
        if (!value.is_structured()) continue;
        for (Json& child : value) open.push_back(&child);
    }
}

[[nodiscard]] inline ActionResult failure(const std::string& type, std::string_view message,
                                          const ErrorOptions& options) {
    ActionResult result(std::in_place_type<ActionErrorResult>);
    auto& error = std::get<ActionErrorResult>(result);
    error.error = ErrorInfo::make(type, message, options);
    error.reason = error.error->message;
    return result;
}

/// Makes a text UTF-8, and not longer than a record can have.
ACTA_INLINE void bound(std::string& text) {
    constexpr std::size_t longest = max_content_bytes / 8;  // each byte may become six
    if (text.size() > longest) text = std::string(utf8::prefix(text, longest)) + "...";
    base::clean(text);
}

ACTA_INLINE void clean_error(ErrorInfo& error) {
    bound(error.message);
    bound(error.exception_type);
    bound(error.repr);
    for (Json& one : error.args) {
        base::clean(one);
        clean_numbers(one);
        if (const std::optional<Issue> fault = content_fault(one)) one = "not recorded: " + fault->message;
    }
}

ACTA_INLINE void clean_result(ActionResult& result, const ErrorOptions& errors) {
    if (auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        base::clean(success->outputs);
        clean_numbers(success->outputs);
        if (const std::optional<Issue> fault = content_fault(success->outputs))
            result = failure("InvalidOutput",
                             "the output cannot be recorded: at '" + fault->pointer() + "': " + fault->message, errors);
    } else if (auto* const error = std::get_if<ActionErrorResult>(&result)) {
        bound(error->reason);
        if (error->error) clean_error(*error->error);
    } else {
        bound(std::get<ActionInterruptedByHuman>(result).feedback);
    }
}

ACTA_INLINE ActionResult success_of(Json outputs) {
    ActionResult result(std::in_place_type<ActionSuccessResult>);
    std::get<ActionSuccessResult>(result).outputs = std::move(outputs);
    return result;
}

// Runs one call of a skill. Every failure is returned as a result.

/// Returns the exception that is being handled as an outcome. Exceptions of acta have their names even without RTTI.
[[nodiscard]] inline SkillOutcome describe_current_exception(const ErrorOptions& options) {
    try {
        throw;
    } catch (const Timeout& e) {
        return {failure("Timeout", e.what(), options)};
    } catch (const Cancelled& e) {
        return {failure("Cancelled", e.what(), options)};
    } catch (const InvalidArguments& e) {
        return {failure("InvalidArguments", e.what(), options)};
    } catch (const SkillNotFound& e) {
        return {failure("SkillNotFound", e.what(), options)};
    } catch (const RetrySkill& e) {
        return {failure("RetrySkill", e.what(), options), SkillRetry{e.retry_after()}};
    } catch (...) {
        return {ActionResult(std::in_place_type<ActionErrorResult>,
                             ActionErrorResult::from_exception(std::current_exception(), options))};
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
[[nodiscard]] inline SkillOutcome outcome_of_current_exception(const ErrorOptions& options) noexcept {
    try {
        return describe_current_exception(options);
    } catch (const std::bad_alloc&) {
        return {short_failure("out of memory", "bad_alloc", "bad_alloc()")};
    } catch (...) {
        return {short_failure("unknown error", "unknown", "unknown()")};
    }
}

/// `limit: Input should be a valid integer (it is "many")`
[[nodiscard]] inline std::string argument_fault(const Issue& issue, const RegisteredSkill& skill) {
    std::string out = issue.loc.empty() ? "the arguments" : codec::loc_as_dots(issue.loc);
    out += ": ";
    if (issue.type == "extra_forbidden" && issue.loc.size() == 1) {
        out += "there is no such parameter";
        return out + base::did_you_mean(
                         base::closest_names(std::get<std::string>(issue.loc.front()), skill.parameter_names(), 1));
    }
    if (issue.type == "missing") return out + issue.message;
    out += issue.message;
    if (const std::string_view form = json_extension::expected_form(issue); !form.empty())
        out.append(", as in ").append(form);
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

/// The fault of arguments that are not a JSON object, as a model wrote them.
[[nodiscard]] inline InvalidArguments unreadable_arguments(const RegisteredSkill& skill, const JsonObject& arguments,
                                                           const std::string& text) {
    if (const std::string* const reason = chat_extension::unreadable_reason(arguments))
        return InvalidArguments("the arguments of " + skill.name() + " do not fit: " + *reason);
    std::string message = "the arguments of " + skill.name() + " are not a JSON object";
    try {
        static_cast<void>(parse<JsonObject>(text, {.keep_large_numbers = true}));
    } catch (const ValidationError& error) {
        message += ": " + error.issues().front().message;
    }
    return InvalidArguments(message);
}

ACTA_INLINE std::vector<Issue> argument_issues(const SchemaValidator& schema, JsonObject& arguments) {
    const auto check = [&] {
        Json value(std::move(arguments));  // and back, both in constant time
        std::vector<Issue> found = schema.issues(value, ParseOptions().max_issues);
        arguments = JsonObject(std::move(value.get_ref<Json::object_t&>()));
        return found;
    };
    std::vector<Issue> issues = check();
    const std::vector<std::string> required = required_names(schema.schema());
    const auto is_needed = [&](const std::string& name) { return std::ranges::find(required, name) != required.end(); };
    const auto is_refused = [&](const std::string& name) {
        return std::ranges::any_of(
            issues, [&](const Issue& issue) { return !issue.loc.empty() && issue.loc.front() == LocElement(name); });
    };
    const std::size_t before = arguments.size();
    for (auto one = arguments.begin(); one != arguments.end();) {
        const bool is_left_out = one->second.is_null() && !is_needed(one->first) && is_refused(one->first);
        one = is_left_out ? arguments.erase(one) : std::next(one);
    }
    return arguments.size() == before ? issues : check();
}

/// Reads the arguments of a call. Throws `InvalidArguments`.
[[nodiscard]] inline std::shared_ptr<void> read_arguments(const RegisteredSkill& skill, JsonObject arguments,
                                                          UnknownKeys unknown, const SkillContext& context = {}) {
    struct Target {
        const codec::RecordDecoder* record;
        void* object;
    };
    const AnyFunction& function = skill.function();
    if (function.given_schema) {
        const Json value(arguments);
        if (const std::optional<Issue> fault = content_fault(value))
            throw invalid_arguments(skill, {&*fault, 1}, false);
        const std::vector<Issue> issues = argument_issues(*function.given_schema, arguments);
        if (!issues.empty()) throw invalid_arguments(skill, issues, issues.size() == ParseOptions().max_issues);
        return std::make_shared<JsonObject>(std::move(arguments));
    }
    std::shared_ptr<void> place = function.arguments();
    Target target{&function.record, function.record_in == nullptr ? place.get() : function.record_in(place.get())};
    const codec::Reading reading{[](codec::Decoder& d, void* out) {
                                     const auto* const to = static_cast<Target*>(out);
                                     codec::decode_record(d, *to->record, to->object);
                                 },
                                 [] { return std::string("arguments"); }, &target};
    ParseOptions options;
    options.unknown_keys = unknown;
    options.allow_inf_nan = false;
    const std::function<void()> check = [&context] { context.check(); };
    options.check = &check;
    const Json value(std::move(arguments));
    if (const std::optional<Issue> fault = content_fault(value)) throw invalid_arguments(skill, {&*fault, 1}, false);
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
        if (skill.takes(key)) arguments.emplace(key, Json(value));  // unless it is there
    }
}

[[nodiscard]] inline SkillOutcome call_now(const AnyFunction& function, void* arguments, SkillContext& context,
                                           const ErrorOptions& errors) {
    try {
        ActionResult result = function.call(arguments, context);
        clean_result(result, errors);
        return {std::move(result)};
    } catch (...) {
        return outcome_of_current_exception(errors);
    }
}

/// A call in a thread of its own, owned by that thread and the caller together, since either may end first.
struct DetachedCall {
    DetachedCall(std::shared_ptr<const RegisteredSkill> what, std::shared_ptr<void> with,
                 const SkillRunOptions& options)
        : skill(std::move(what)),
          arguments(std::move(with)),
          context(options.until, {}, options.call),
          errors(options.errors) {}

    std::shared_ptr<const RegisteredSkill> skill;
    std::shared_ptr<void> arguments;
    SkillContext context;
    ErrorOptions errors;
    std::mutex mutex{};
    condition_variable_any finished{};
    std::optional<SkillOutcome> outcome{};
};

/// Runs the call in a thread that can be detached, and waits for it until deadline or stop.
[[nodiscard]] inline SkillOutcome call_in_thread(std::shared_ptr<const RegisteredSkill> skill,
                                                 std::shared_ptr<void> arguments, const SkillRunOptions& options) {
    const auto call = std::make_shared<DetachedCall>(std::move(skill), std::move(arguments), options);
    std::thread([call] {
        SkillOutcome outcome = call_now(call->skill->function(), call->arguments.get(), call->context, call->errors);
        call->arguments.reset();
        const std::lock_guard lock(call->mutex);
        call->outcome.emplace(std::move(outcome));
        call->finished.notify_all();
    }).detach();
    std::unique_lock lock(call->mutex);
    const auto done = [&call] { return call->outcome.has_value(); };
    if (options.until.deadline)
        base::wait_until(call->finished, lock, options.until.stop, *options.until.deadline, done);
    else
        call->finished.wait(lock, options.until.stop, done);
    if (call->outcome) return std::move(*call->outcome);
    if (options.until.is_cancelled()) return {failure("Cancelled", "the call was cancelled", options.errors)};
    return {failure("Timeout", "the deadline has passed", options.errors)};
}

/// Returns the arguments of a call as its function takes them. Throws `InvalidArguments`.
[[nodiscard]] inline std::shared_ptr<void> arguments_of_call(const RegisteredSkill& skill, JsonObject arguments,
                                                             const SkillRunOptions& options,
                                                             const SkillContext& context) {
    if (const std::string* const text = chat_extension::unreadable_arguments(arguments))
        throw unreadable_arguments(skill, arguments, *text);
    merge_extra(skill, arguments, options.extra);
    return read_arguments(skill, std::move(arguments), options.unknown_arguments, context);
}

/// Reads the arguments and calls the function. Every failure is returned as a result.
[[nodiscard]] inline SkillOutcome run_skill(const std::shared_ptr<const RegisteredSkill>& skill, JsonObject arguments,
                                            const SkillRunOptions& options) {
    try {
        SkillContext context(options.until, options.on_progress, options.call, options.outer);
        std::shared_ptr<void> place = arguments_of_call(*skill, std::move(arguments), options, context);
        context.check();
        const AnyFunction& function = skill->function();
        const bool limited = options.until.deadline || options.until.stop.stop_possible();
        if (limited && options.detach_on_timeout && (!function.takes_context || function.returns_future))
            return call_in_thread(skill, std::move(place), options);
        return call_now(function, place.get(), context, options.errors);
    } catch (...) {
        return outcome_of_current_exception(options.errors);
    }
}

}  // namespace acta::inline ACTA_ABI::skill_detail

namespace acta::inline ACTA_ABI {

namespace skill_detail {

/// Adds the outcome to the event of a call. The call is done: a failure here must not cost its result.
ACTA_INLINE void add_outcome(ScopedEvent& watch, const ActionResult& result, const Redactor& redactor) noexcept {
    const auto* const error = std::get_if<ActionErrorResult>(&result);
    if (error != nullptr) watch.fail();
    try {
        watch.add({{"status", to_string(status(result))}});
        if (error != nullptr) watch.fail(redactor ? redactor(error->reason) : error->reason);
    } catch (...) {  // no memory: the event is sent without it
    }
}

/// Throws `SkillError` if a parameter has no name, or two have the same one.
ACTA_INLINE void check_parameter_names(const std::string& skill, const std::vector<FunctionParameter>& parameters) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string& one = parameters[i].name;
        if (one.empty()) throw SkillError("a parameter of '" + skill + "' has no name");
        for (std::size_t j = 0; j < i; ++j) {
            if (parameters[j].name == one)
                throw SkillError("two parameters of '" + skill + "' have the name '" + one + "'");
        }
    }
}

}  // namespace skill_detail

ACTA_INLINE SkillRegistry::SkillRegistry() = default;
ACTA_INLINE SkillRegistry::SkillRegistry(const SkillRegistry& other) = default;
ACTA_INLINE SkillRegistry::SkillRegistry(SkillRegistry&& other) noexcept = default;
ACTA_INLINE SkillRegistry& SkillRegistry::operator=(const SkillRegistry& other) = default;
ACTA_INLINE SkillRegistry& SkillRegistry::operator=(SkillRegistry&& other) noexcept = default;
ACTA_INLINE SkillRegistry::~SkillRegistry() = default;

ACTA_INLINE const RegisteredSkill* SkillRegistry::find(std::string_view name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : skills_[found->second].get();
}

ACTA_INLINE const RegisteredSkill& SkillRegistry::at(std::string_view name) const {
    const RegisteredSkill* const found = find(name);
    if (found == nullptr) throw not_found(name);
    return *found;
}

ACTA_INLINE std::vector<std::string> SkillRegistry::names() const {
    std::vector<std::string> out;
    out.reserve(skills_.size());
    for (const auto& skill : skills_) out.push_back(skill->name());
    return out;
}

ACTA_INLINE std::vector<std::string> SkillRegistry::closest_names(std::string_view name) const {
    return base::closest_names(name, names());
}

ACTA_INLINE void SkillRegistry::check_arguments(std::string_view name, const JsonObject& arguments,
                                                UnknownKeys unknown) const {
    static_cast<void>(skill_detail::read_arguments(at(name), arguments, unknown));
}

ACTA_INLINE std::optional<ActionResult> SkillRegistry::fault(const AssistantFunctionCall& call,
                                                             const SkillRunOptions& options) const noexcept {
    try {
        static_cast<void>(skill_detail::arguments_of_call(at(call.name), call.arguments, options, {}));
        return std::nullopt;
    } catch (...) {
        return skill_detail::outcome_of_current_exception(options.errors).result;
    }
}

ACTA_INLINE ActionResult SkillRegistry::call(std::string_view name, JsonObject arguments,
                                             const SkillRunOptions& options) const noexcept {
    return observed_run(name, std::move(arguments), options).result;
}

ACTA_INLINE ActionResult SkillRegistry::call(const AssistantFunctionCall& call,
                                             const SkillRunOptions& options) const noexcept {
    return attempt(call, options).result;
}

ACTA_INLINE SkillOutcome SkillRegistry::attempt(const AssistantFunctionCall& call,
                                                const SkillRunOptions& options) const noexcept {
    try {
        return observed_run(call.name, call.arguments, options);
    } catch (...) {  // no memory for a copy of the arguments
        return skill_detail::outcome_of_current_exception(options.errors);
    }
}

ACTA_INLINE SkillOutcome SkillRegistry::observed_run(std::string_view name, JsonObject arguments,
                                                     const SkillRunOptions& options) const noexcept {
    try {
        if (options.observer == nullptr) return run(name, std::move(arguments), options);
        ScopedEvent watch(options.observer, event_names::skill_call);
        watch.add({{"skill", name}});
        SkillOutcome outcome = run(name, std::move(arguments), options);
        skill_detail::add_outcome(watch, outcome.result, options.errors.redactor);
        return outcome;
    } catch (...) {
        return skill_detail::outcome_of_current_exception(options.errors);
    }
}

ACTA_INLINE SkillOutcome SkillRegistry::run(std::string_view name, JsonObject arguments,
                                            const SkillRunOptions& options) const {
    const auto found = index_.find(name);
    if (found == index_.end()) return {skill_detail::failure("SkillNotFound", not_found(name).what(), options.errors)};
    return skill_detail::run_skill(skills_[found->second], std::move(arguments), options);
}

ACTA_INLINE SkillNotFound SkillRegistry::not_found(std::string_view name) const {
    constexpr std::size_t max_bytes = 200;  // of a name that a model made up
    std::string message(utf8::prefix(name, max_bytes));
    if (message.size() != name.size()) message += "...";
    message += " not found";
    return SkillNotFound(message + base::did_you_mean(closest_names(name)));
}

ACTA_INLINE SkillRegistry& SkillRegistry::add(RunTimeTool tool) {
    return add(std::move(tool.definition), std::move(tool.function), tool.hints);
}

ACTA_INLINE SkillRegistry& SkillRegistry::add(std::vector<RunTimeTool> tools) {
    SkillRegistry all = *this;
    for (RunTimeTool& tool : tools) all.add(std::move(tool));
    return *this = std::move(all);
}

ACTA_INLINE SkillRegistry& SkillRegistry::add(ToolDefinition tool, ToolFunction function, const SkillHints& hints) {
    if (!function) throw SkillError("the tool '" + tool.name + "' has no function");
    if (tool.parameters.is_null()) tool.parameters = Json::object();
    if (!tool.parameters.is_object())
        throw SkillError("the parameters of the tool '" + tool.name + "' are not a JSON Schema");
    if (!tool.parameters.contains("type")) tool.parameters["type"] = "object";
    if (!tool.parameters.contains("properties")) tool.parameters["properties"] = Json::object();
    auto made = skill_detail::new_function(skill_detail::owned(new ToolFunction(std::move(function))));
    try {
        made->given_schema = std::make_shared<SchemaValidator>(std::move(tool.parameters), MalformedKeywords::ignore);
    } catch (const SchemaError& error) {
        throw SkillError("the parameters of the tool '" + tool.name + "': " + error.what());
    }
    made->takes_context = true;
    made->call_function = [](const void* state, void* arguments, SkillContext& context) {
        return (*static_cast<const ToolFunction*>(state))(*static_cast<const JsonObject*>(arguments), context);
    };
    return insert(std::move(tool.name), std::move(tool.description), hints, std::move(made));
}

ACTA_INLINE SkillRegistry& SkillRegistry::insert(std::string name, std::string description, const SkillHints& hints,
                                                 std::shared_ptr<const skill_detail::AnyFunction> made) {
    if (name.empty()) throw SkillError("a skill needs a name");
    if (contains(name)) throw SkillError("there are two skills of the name '" + name + "'");
    skill_detail::check_parameter_names(name, made->parameters);
    skills_.push_back(
        std::make_shared<const RegisteredSkill>(std::move(name), std::move(description), hints, std::move(made)));
    try {
        index_.emplace(skills_.back()->name(), skills_.size() - 1);
    } catch (...) {
        skills_.pop_back();
        throw;
    }
    return *this;
}

ACTA_INLINE std::optional<JsonObject> parse_arguments(const RegisteredSkill& skill, std::string_view text,
                                                      const CallOptions& options) {
    const std::vector<std::string> names = skill.parameter_names();
    return parse_arguments(skill.name(), names, text, options);
}

}  // namespace acta::inline ACTA_ABI
