// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/describe/constraints.hpp"
#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/schema/schema.hpp"
#include "acta/schema/validator.hpp"
#include "acta/skill/context.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// Marks a parameter without a default: a call must have it, unless it is a `std::optional`.
struct NoDefault {};

/// The name, documentation, default and constraints of a parameter; made by `param`.
template <class Default, class... Options>
struct Param {
    /// The name, which is the key in the arguments.
    std::string name{};
    /// The documentation, for a model.
    std::string doc{};
    /// The default, or `NoDefault`.
    Default default_value{};
    /// The constraints.
    std::tuple<Options...> options{};
};

/// Makes a required parameter: `acta::param("query", "What to look for.")`.
[[nodiscard]] inline Param<NoDefault> param(std::string name, std::string doc = {}) {
    return {std::move(name), std::move(doc), {}, {}};
}

/// Makes a required parameter with constraints: `acta::param("limit", "How many.", acta::range(1, 50))`.
template <introspection::FieldOption Option, introspection::FieldOption... Options>
[[nodiscard]] Param<NoDefault, Option, Options...> param(std::string name, std::string doc, const Option& option,
                                                         const Options&... options) {
    return {std::move(name), std::move(doc), {}, std::tuple<Option, Options...>(option, options...)};
}

/// Makes a parameter with a default, and constraints if wanted:
/// `acta::param("limit", "How many.", 10, acta::range(1, 50))`.
template <class Default, introspection::FieldOption... Options>
    requires(!introspection::FieldOption<Default>)
[[nodiscard]] auto param(std::string name, std::string doc, Default default_value, const Options&... options) {
    if constexpr (std::convertible_to<Default, const char*>) {
        return Param<std::string, Options...>{std::move(name), std::move(doc), std::string(default_value),
                                              std::tuple<Options...>(options...)};
    } else {
        return Param<Default, Options...>{std::move(name), std::move(doc), std::move(default_value),
                                          std::tuple<Options...>(options...)};
    }
}

namespace skill_detail {

template <class T>
inline constexpr bool is_param = false;
template <class Default, class... Options>
inline constexpr bool is_param<Param<Default, Options...>> = true;

/// A text is the name of a parameter without documentation.
template <class P>
auto as_param(P&& spec) {
    using Plain = std::remove_cvref_t<P>;
    static_assert(is_param<Plain> || std::is_convertible_v<P, std::string>,
                  "acta: after the function come its parameters, each as acta::param(\"name\", \"What it is.\") or as "
                  "a name alone");
    if constexpr (is_param<Plain>)
        return Plain(std::forward<P>(spec));
    else
        return param(std::string(std::forward<P>(spec)));
}

}  // namespace skill_detail

}  // namespace acta::inline ACTA_ABI

// The signature of a function: its parameters, which of them a call has, and its result.
namespace acta::inline ACTA_ABI::skill_detail {

template <class... T>
struct TypeList {
    static constexpr std::size_t size = sizeof...(T);
};

/// `result` and `parameters` (a list of them) of a callable; neither if it has several or none.
template <class F>
struct Signature {};
template <class R, class... P>
struct Signature<R(P...)> {
    using result = R;
    using parameters = TypeList<P...>;
};
template <class R, class... P>
struct Signature<R(P...) noexcept> : Signature<R(P...)> {};
template <class F>
    requires std::is_function_v<F>
struct Signature<F*> : Signature<F> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...)> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...)&> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const&> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) noexcept> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const noexcept> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) & noexcept> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const & noexcept> : Signature<R(P...)> {};
template <class F>
    requires requires { &F::operator(); }
struct Signature<F> : Signature<decltype(&F::operator())> {};

template <class F>
concept HasSignature = requires { typename Signature<F>::result; };

template <class P>
inline constexpr bool is_context = std::same_as<std::remove_cvref_t<P>, SkillContext>;

/// The type that holds an argument between reading and call.
template <class P>
struct Stored {
    using type = P;
};
template <>
struct Stored<std::string_view> {
    using type = std::string;
};
template <class T>
struct Stored<std::span<const T>> {
    using type = std::vector<T>;
};
template <class P>
using stored_t = typename Stored<std::remove_cvref_t<P>>::type;

/// The parameters that are arguments of a call: all but the context.
template <class List, class... P>
struct GivenList {
    using type = List;
};
template <class... Given, class First, class... Rest>
struct GivenList<TypeList<Given...>, First, Rest...> {
    using type =
        typename GivenList<std::conditional_t<is_context<First>, TypeList<Given...>, TypeList<Given..., First>>,
                           Rest...>::type;
};

template <class Parameters>
struct Given;
template <class... P>
struct Given<TypeList<P...>> {
    using type = typename GivenList<TypeList<>, P...>::type;
};
template <class Parameters>
using given_t = typename Given<Parameters>::type;

/// The position of parameter `i` among the arguments of a call.
template <class... P>
constexpr std::size_t slot_of(TypeList<P...>, std::size_t i) {
    constexpr std::array<bool, sizeof...(P) + 1> contexts{is_context<P>..., false};
    std::size_t n = 0;
    for (std::size_t j = 0; j < i; ++j) n += contexts[j] ? 0U : 1U;
    return n;
}

template <class P>
inline constexpr bool is_read_only = !std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>;

template <class P>
consteval void require_parameter() {
    static_assert(
        is_read_only<P>,
        "acta: a skill takes its arguments by value or by const reference: what it writes to them would be lost");
}

template <class T>
inline constexpr bool is_future = false;
template <class T>
inline constexpr bool is_future<std::future<T>> = true;
template <class T>
inline constexpr bool is_future<std::shared_future<T>> = true;

template <class R>
inline constexpr bool returns_pointer =
    introspection::SmartPointer<R> && introspection::kind_of<R>() == introspection::Kind::unsupported;
template <class T>
inline constexpr bool returns_pointer<T*> = !std::same_as<T, const char>;
template <class T>
inline constexpr bool returns_pointer<std::future<T>> = returns_pointer<std::remove_cvref_t<T>>;

// Turns the return value of a function into a result that can be saved.

/// Makes a result one that a record can have: its texts are UTF-8, its numbers finite. Outputs that are nested too deep
/// or too long (`content_fault`) become an error of the type `InvalidOutput`.
void clean_result(ActionResult& result, const ErrorOptions& errors);

/// Returns what is wrong with the arguments of a tool that is only known at run time. A null for an argument that is
/// optional and may not be null, which models write for one that they leave out, is removed.
[[nodiscard]] std::vector<Issue> argument_issues(const SchemaValidator& schema, JsonObject& arguments);

template <class R>
concept OneOfTheResults = std::same_as<R, ActionSuccessResult> || std::same_as<R, ActionErrorResult> ||
                          std::same_as<R, ActionInterruptedByHuman>;

[[nodiscard]] ActionResult success_of(Json outputs);

/// Returns the result of a call: the function's return value as JSON, unless it already is a result.
template <class R>
[[nodiscard]] ActionResult to_result(R value) {
    if constexpr (std::same_as<R, ActionResult>) {
        return value;
    } else if constexpr (OneOfTheResults<R>) {
        return ActionResult(std::in_place_type<R>, std::move(value));
    } else if constexpr (std::same_as<R, Json>) {
        return success_of(std::move(value));
    } else if constexpr (std::same_as<R, std::string_view>) {
        return success_of(Json(std::string(value)));
    } else if constexpr (std::same_as<R, const char*>) {
        return success_of(Json(std::string(value == nullptr ? "" : value)));
    } else {
        introspection::require_supported<R>();
        return success_of(to_json_value(value));
    }
}

/// Calls `function` and turns its return value, or that of its future, into a result.
template <class Function>
[[nodiscard]] ActionResult result_of(Function&& function) {
    using R = std::remove_cvref_t<std::invoke_result_t<Function>>;
    if constexpr (std::is_void_v<R>) {
        function();
        return ActionResult(std::in_place_type<ActionSuccessResult>);
    } else if constexpr (is_future<R>) {
        auto future = function();
        return result_of([&future]() -> decltype(auto) { return future.get(); });
    } else {
        return to_result<R>(function());
    }
}

/// Returns the type of the value that a function with this return type has as its outputs; null if it makes a result.
template <class R>
[[nodiscard]] consteval schema_introspection::TypeRef result_type() {
    if constexpr (is_future<R>)
        return result_type<std::remove_cvref_t<decltype(std::declval<R&>().get())>>();
    else if constexpr (std::is_void_v<R> || std::same_as<R, ActionResult> || OneOfTheResults<R> ||
                       introspection::kind_of<R>() == introspection::Kind::unsupported)
        return nullptr;
    else
        return &schema_introspection::type_info<R>;
}

// A C++ function behind a type-erased interface: how its arguments are read, and how it is called. Every registration
// instantiates the templates here, so they do only what depends on types.

/// One parameter, as data.
struct FunctionParameter {
    std::string name{};
    std::string doc{};
    bool required = true;
    bool hidden = false;
    bool deprecated = false;
    schema_introspection::TypeRef type = nullptr;
    std::optional<Json> default_value{};
    void (*annotate)(const void* options, Json& schema) = nullptr;  // adds the constraints; null without any
    const void* options = nullptr;                                  // for `annotate`; in the function's state
};

/// A type-erased function. Immutable once it is made, so that threads may share it.
struct AnyFunction {
    std::shared_ptr<const void> state{};                        // the function, and its arguments with their defaults
    void* (*new_arguments)(const void* state) = nullptr;        // a copy of those
    void (*delete_arguments)(const void* arguments) = nullptr;  // ends it
    void* (*record_in)(void* arguments) = nullptr;              // the object in it that arguments are read into
    ActionResult (*call_function)(const void* state, void* arguments, SkillContext& context) = nullptr;

    std::vector<FunctionParameter> parameters{};                  // empty if the arguments are a struct
    const schema_introspection::TypeInfo* record_type = nullptr;  // that struct
    std::vector<codec::FieldDecoder> decoders{};                  // of the parameters
    codec::RecordDecoder record{{}, {}, nullptr};
    std::shared_ptr<const SchemaValidator>
        given_schema{};                                   // of a tool only known at run time, called with a JsonObject
    schema_introspection::TypeRef result_type = nullptr;  // of the value that it returns; null for a result or nothing
    bool takes_context = false;
    bool returns_future = false;

    /// Returns storage for the arguments of one call, with the defaults in it.
    [[nodiscard]] std::shared_ptr<void> arguments() const;
    /// Calls the function, once for each storage. Exceptions of the function propagate.
    [[nodiscard]] ActionResult call(void* arguments, SkillContext& context) const {
        return call_function(state.get(), arguments, context);
    }
    /// Adds the next parameter, which is valid until the next one.
    FunctionParameter& add_parameter(std::string name, std::string doc, schema_introspection::TypeRef type,
                                     void (*decode)(codec::Decoder&, void*, bool));
    /// To be called when all parameters are there.
    void complete_record();
};

[[nodiscard]] std::shared_ptr<AnyFunction> new_function(std::shared_ptr<const void> state);

/// Returns a value that is deleted by a function known without its type, of which all shared pointers are.
template <class T>
[[nodiscard]] std::shared_ptr<const void> owned(T* value) {
    return {static_cast<const void*>(value), +[](const void* p) { delete static_cast<const T*>(p); }};
}

/// One argument of a call, and how it is read.
template <class T, class... Options>
struct Slot {
    T value{};
    std::tuple<Options...> options{};
};

template <class P, class Spec>
struct SlotOf;
template <class P, class Default, class... Options>
struct SlotOf<P, Param<Default, Options...>> {
    using type = Slot<stored_t<P>, Options...>;
};

/// All arguments of a call. A `std::tuple` costs several times as much to compile.
template <std::size_t I, class S>
struct HeldSlot {
    S held{};
};
template <class Indices, class... S>
struct HeldSlots;
template <std::size_t... I, class... S>
struct HeldSlots<std::index_sequence<I...>, S...> : HeldSlot<I, S>... {};
template <std::size_t I, class S>
S& slot_at(HeldSlot<I, S>& slots) noexcept {
    return slots.held;
}

template <class Slots, std::size_t I>
void decode_slot(codec::Decoder& d, void* object, bool) {
    auto& slot = slot_at<I>(*static_cast<Slots*>(object));
    slot.value =
        std::remove_cvref_t<decltype(slot.value)>{};  // it held the default, or the value of an earlier, equal key
    codec::decode_member(d, slot.value, slot.options);
}

template <class T, class Default>
void set_default(T& value, Default& given, FunctionParameter& parameter) {
    if constexpr (std::same_as<Default, NoDefault>) {
        parameter.required = !introspection::is_optional<T>;
        if constexpr (introspection::is_optional<T>) parameter.default_value.emplace();
    } else {
        if constexpr (std::same_as<T, Default>) {
            value = std::move(given);
        } else {
            constexpr bool converts = std::is_constructible_v<T, Default>;
            static_assert(converts, "acta: the default of a parameter must convert to the parameter's type");
            if constexpr (converts) value = static_cast<T>(std::move(given));
        }
        parameter.required = false;
        parameter.default_value = to_json_value(value);
    }
}

/// Fills slot and parameter from the registration.
template <class T, class... Options, class Default>
void fill_slot(AnyFunction& function, Slot<T, Options...>& slot, Param<Default, Options...>& spec,
               void (*decode)(codec::Decoder&, void*, bool)) {
    introspection::require_supported<T>();
    static_assert(std::is_default_constructible_v<T>, "acta: a parameter's type needs a default constructor");
    FunctionParameter& parameter =
        function.add_parameter(std::move(spec.name), std::move(spec.doc), &schema_introspection::type_info<T>, decode);
    set_default(slot.value, spec.default_value, parameter);
    if constexpr (sizeof...(Options) != 0) {
        using All = std::tuple<Options...>;
        slot.options = spec.options;
        parameter.hidden = schema_introspection::has_option<Hidden, All>;
        parameter.deprecated = schema_introspection::has_option<Deprecated, All>;
        parameter.options = &slot.options;
        parameter.annotate = [](const void* options, Json& schema) {
            schema_introspection::annotate_all(*static_cast<const All*>(options), schema);
        };
    }
}

/// What an `AnyFunction` owns.
template <class F, class Slots>
struct FunctionState {
    F function;
    Slots slots{};
};

/// Returns an argument as the function takes it.
template <class P, std::size_t I, class Slots>
decltype(auto) argument([[maybe_unused]] Slots& slots, [[maybe_unused]] SkillContext& context) {
    if constexpr (is_context<P>) {
        return (context);  // a reference
    } else {
        auto& value = slot_at<I>(slots).value;
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (!std::same_as<std::remove_cvref_t<P>, T>)
            return std::remove_cvref_t<P>(value);  // a view
        else if constexpr (std::is_lvalue_reference_v<P>)
            return static_cast<const T&>(value);
        else
            return static_cast<T&&>(value);
    }
}

template <class F, class Slots, class... P, std::size_t... I>
ActionResult call_with(const F& function, Slots& slots, SkillContext& context, TypeList<P...> all,
                       std::index_sequence<I...>) {
    return result_of([&]() -> decltype(auto) { return function(argument<P, slot_of(all, I)>(slots, context)...); });
}

/// Makes everything but the parameters.
template <class F, class Slots>
[[nodiscard]] std::shared_ptr<AnyFunction> make_any(FunctionState<F, Slots>* state) {
    using State = FunctionState<F, Slots>;
    using Parameters = typename Signature<F>::parameters;
    std::shared_ptr<AnyFunction> made = new_function(owned(state));
    made->new_arguments = [](const void* of) -> void* { return new Slots(static_cast<const State*>(of)->slots); };
    made->delete_arguments = [](const void* arguments) { delete static_cast<const Slots*>(arguments); };
    made->call_function = [](const void* of, void* arguments, SkillContext& context) {
        return call_with(static_cast<const State*>(of)->function, *static_cast<Slots*>(arguments), context,
                         Parameters{}, std::make_index_sequence<Parameters::size>{});
    };
    using R = std::remove_cvref_t<typename Signature<F>::result>;
    made->returns_future = is_future<R>;
    made->result_type = result_type<R>();
    return made;
}

template <class Given>
struct OneType;
template <class P>
struct OneType<TypeList<P>> {
    using type = stored_t<P>;
};

template <class F, class Given>
struct FunctionMaker;
template <class F, class... P>
struct FunctionMaker<F, TypeList<P...>> {
    /// A function whose arguments are the fields of the one struct that it takes.
    static std::shared_ptr<AnyFunction> of_record(F function) {
        using T = typename OneType<TypeList<P...>>::type;
        using Slots = HeldSlots<std::index_sequence<0>, Slot<T>>;
        auto made = make_any(new FunctionState<F, Slots>{std::move(function)});
        made->record_in = [](void* arguments) -> void* { return &slot_at<0>(*static_cast<Slots*>(arguments)).value; };
        made->record = codec::record_decoder<T>;
        made->record_type = &schema_introspection::type_info<T>();
        return made;
    }
    template <class... Specs>
    static std::shared_ptr<AnyFunction> of_parameters(F function, Specs... specs) {
        (require_parameter<P>(), ...);
        if constexpr ((is_read_only<P> && ...)) {
            using Slots = HeldSlots<std::index_sequence_for<P...>, typename SlotOf<P, Specs>::type...>;
            return of_slots<Slots>(std::move(function), std::index_sequence_for<P...>{}, specs...);
        } else {
            return nullptr;
        }
    }

private:
    template <class Slots, std::size_t... I, class... Specs>
    static std::shared_ptr<AnyFunction> of_slots(F function, std::index_sequence<I...>, Specs&... specs) {
        auto* const state = new FunctionState<F, Slots>{std::move(function)};
        auto made = make_any(state);
        (fill_slot(*made, slot_at<I>(state->slots), specs, &decode_slot<Slots, I>), ...);
        made->complete_record();
        return made;
    }
};

/// The kind of the only argument; `any` where there is none, or several.
template <class Given>
inline constexpr introspection::Kind kind_of_one = introspection::Kind::any;
template <class P>
inline constexpr introspection::Kind kind_of_one<TypeList<P>> = introspection::kind_of<stored_t<P>>();

template <class F, class Parameters>
inline constexpr bool callable_as_const = false;
template <class F, class... P>
inline constexpr bool callable_as_const<F, TypeList<P...>> = std::is_invocable_v<const F&, P...>;

template <class F>
consteval void require_function() {
    static_assert(!std::is_member_pointer_v<std::remove_cvref_t<F>>,
                  "acta: a member function needs its object: register a lambda that calls it, such as "
                  "[&object](int n) { return object.member(n); }");
}

template <class F, class... Specs>
std::shared_ptr<const AnyFunction> make_function(F function, Specs... specs) {
    static_assert(HasSignature<F>,
                  "acta: the function's parameters cannot be seen: a generic lambda (auto) or an overloaded operator() "
                  "needs its types written out, as in [](const std::string& query, int limit) { ... }");
    if constexpr (HasSignature<F>) {
        using Parameters = typename Signature<F>::parameters;
        using All = given_t<Parameters>;
        constexpr std::size_t count = All::size;
        constexpr bool is_unnamed = sizeof...(Specs) == 0;
        constexpr bool whole_record = is_unnamed && kind_of_one<All> == introspection::Kind::record;
        // If a struct is not described, that is the error to report, not the missing name.
        constexpr bool not_described = is_unnamed && kind_of_one<All> == introspection::Kind::unsupported;
        if constexpr (not_described) introspection::require_supported<typename OneType<All>::type>();
        static_assert(
            callable_as_const<F, Parameters>,
            "acta: skills are called as const, from several threads perhaps: leave out `mutable`, and keep what "
            "changes behind a reference, with a lock");
        static_assert(whole_record || not_described || sizeof...(Specs) >= count,
                      "acta: every parameter needs a name: after the function give acta::param(\"name\", \"What it "
                      "is.\") for each, but for acta::SkillContext&");
        constexpr bool returns_value = !returns_pointer<std::remove_cvref_t<typename Signature<F>::result>>;
        static_assert(returns_value,
                      "acta: a skill returns a value: the object itself, or std::optional, instead of a pointer to it");
        static_assert(sizeof...(Specs) <= count, "acta: more parameters are named than the function has");
        static_assert(count <= codec::max_fields, "acta: a skill may have at most 256 parameters");
        if constexpr ((whole_record || sizeof...(Specs) == count) && callable_as_const<F, Parameters> &&
                      returns_value) {
            std::shared_ptr<AnyFunction> made;
            if constexpr (whole_record)
                made = FunctionMaker<F, All>::of_record(std::move(function));
            else
                made =
                    FunctionMaker<F, All>::template of_parameters<Specs...>(std::move(function), std::move(specs)...);
            if constexpr (count != Parameters::size)
                if (made) made->takes_context = true;
            return made;
        }
    }
    return nullptr;
}

}  // namespace acta::inline ACTA_ABI::skill_detail

namespace acta::inline ACTA_ABI {

/// What a skill does to the world, as its author says; what is not said is unknown. The first four are the annotations
/// of the Model Context Protocol ("Schema Reference", `ToolAnnotations`).
///
/// A call that a crash left open is run again only if that is harmless (`StoredHistory::resume`, `run_agent`): if the
/// skill is read-only, idempotent, or uses the idempotency key.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("now", "The time in Brest.", {.read_only = true}, [] { return "12:15"; });
/// assert(skills.at("now").hints().read_only == true);
/// @endcode
struct SkillHints {
    std::optional<bool> read_only{};    ///< It changes nothing.
    std::optional<bool> idempotent{};   ///< Another call with the same arguments changes nothing more.
    std::optional<bool> destructive{};  ///< It may delete or overwrite something.
    std::optional<bool> open_world{};   ///< It reaches beyond what the program knows, such as the web.
    /// It passes `SkillContext::idempotency_key` to the service that performs the effect, once for each key.
    bool uses_idempotency_key = false;

    friend bool operator==(const SkillHints&, const SkillHints&) = default;
};

/// The function of a tool whose parameters are only known at run time. Called as const, from several threads perhaps.
using ToolFunction = std::function<ActionResult(const JsonObject& arguments, SkillContext& context)>;

/// A tool whose parameters are only known at run time.
struct RunTimeTool {
    ToolDefinition definition{};  ///< The tool, for a model.
    ToolFunction function{};      ///< Called with the arguments.
    SkillHints hints{};           ///< What it does to the world.
};

/// A function in a registry, with its description for a model. Immutable.
class RegisteredSkill {
public:
    /// Made by `SkillRegistry::add`.
    RegisteredSkill(std::string name, std::string description, const SkillHints& hints,
                    std::shared_ptr<const skill_detail::AnyFunction> function)
        : name_(std::move(name)), description_(std::move(description)), hints_(hints), function_(std::move(function)) {}

    /// Returns the name by which a model calls it.
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Returns the description, for the model.
    [[nodiscard]] const std::string& description() const noexcept { return description_; }
    /// Returns what the skill does to the world.
    [[nodiscard]] const SkillHints& hints() const noexcept { return hints_; }
    /// Returns the function behind the skill; for internal use.
    [[nodiscard]] const skill_detail::AnyFunction& function() const noexcept { return *function_; }

    /// Returns the names of the parameters in order, to which positional arguments are bound.
    [[nodiscard]] std::vector<std::string> parameter_names() const;
    /// Returns whether the function has a parameter of this name, or takes any.
    [[nodiscard]] bool takes(std::string_view parameter) const noexcept;

    /// Returns the JSON Schema of the arguments: an object with a property for each parameter.
    [[nodiscard]] Json schema(const SchemaOptions& options = {}) const;
    /// Returns the JSON Schema of the outputs of a call that succeeds; nothing if they may be a text, null or anything,
    /// or the type is only known at run time.
    [[nodiscard]] std::optional<Json> result_schema(const SchemaOptions& options = {}) const;
    /// Returns the skill as a declaration, so that a model can be asked for its arguments in plain words. A parameter
    /// whose type is defined elsewhere in the schema has the type and the values (`enum`) of the definition.
    [[nodiscard]] Skill declaration(std::vector<Skill::Example> examples = {}) const;

private:
    std::string name_;
    std::string description_;
    SkillHints hints_;
    std::shared_ptr<const skill_detail::AnyFunction> function_;
};

/// Functions that an agent can call by name. One `add` per function is enough: the schema of its parameters, the
/// validation and conversion of arguments, the defaults and the call follow from it.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("repeat", "Repeats a text.",
///            [](const std::string& text, int times) {
///                std::string out;
///                for (int i = 0; i < times; ++i) out += text;
///                return out;
///            },
///            acta::param("text", "The text."), acta::param("times", "How often.", 2));
/// acta::ActionResult result = skills.call("repeat", {{"text", "tick"}});   // ticktick
/// @endcode
///
/// A regular value whose copies share the functions. Several threads may use a registry while none adds to it.
class SkillRegistry {
public:
    /// Makes an empty registry.
    SkillRegistry();
    /// Copies the registry, which shares its functions with the copy.
    SkillRegistry(const SkillRegistry& other);
    /// Takes the functions of `other`.
    SkillRegistry(SkillRegistry&& other) noexcept;
    /// Copies the registry, which shares its functions with the copy.
    SkillRegistry& operator=(const SkillRegistry& other);
    /// Takes the functions of `other`.
    SkillRegistry& operator=(SkillRegistry&& other) noexcept;
    ~SkillRegistry();

    /// Registers a function, a lambda, or any object with one `operator()`. It takes
    ///   - one described struct, whose fields are the parameters, and no names are given here;
    ///   - or values of any type that acta can read, with a name for each (`acta::param`, or a text), in order;
    ///   - and, anywhere, a `SkillContext&`, which is not a parameter.
    ///
    /// It returns a value that acta can write, nothing, an `ActionResult` or one of its members, or a `std::future` of
    /// these. It is called as const. Throws `SkillError` if the name is empty or taken, or if two parameters have the
    /// same name.
    ///
    /// @code{.cpp}
    /// acta::SkillRegistry skills;
    /// skills.add("square", "Squares a number.", [](int n) { return n * n; },
    ///            acta::param("n", "A small number.", acta::range(0, 100)));
    /// acta::Json schema = skills.at("square").schema();
    /// @endcode
    template <class F, class... Params>
    SkillRegistry& add(std::string name, std::string description, F&& function, Params&&... parameters) {
        skill_detail::require_function<F>();
        return insert(std::move(name), std::move(description), {},
                      skill_detail::make_function(std::decay_t<F>(std::forward<F>(function)),
                                                  skill_detail::as_param(std::forward<Params>(parameters))...));
    }
    /// The same for a skill with known effects on the world.
    ///
    /// @code{.cpp}
    /// acta::SkillRegistry skills;
    /// skills.add("letters", "How long a name is.", {.read_only = true}, [](const std::string& port) { return
    /// port.size(); },
    ///            acta::param("port", "The name of the port."));
    /// @endcode
    template <class F, class... Params>
    SkillRegistry& add(std::string name, std::string description, SkillHints hints, F&& function,
                       Params&&... parameters) {
        skill_detail::require_function<F>();
        return insert(std::move(name), std::move(description), hints,
                      skill_detail::make_function(std::decay_t<F>(std::forward<F>(function)),
                                                  skill_detail::as_param(std::forward<Params>(parameters))...));
    }

    /// Registers a tool whose parameters are only known at run time, such as one of an MCP server. Arguments are
    /// checked with a `SchemaValidator`. Throws `SkillError` if the name is empty or taken, or the parameters are not
    /// an object that is a schema.
    ///
    /// @code{.cpp}
    /// acta::SkillRegistry skills;
    /// const acta::Json schema = acta::parse<acta::Json>(
    ///     R"({"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]})");
    /// skills.add({"tides", "The tides of a port.", schema},
    ///            [](const acta::JsonObject& arguments, acta::SkillContext&) -> acta::ActionResult {
    ///                return acta::ActionSuccessResult{.outputs = arguments.at("port")};
    ///            });
    /// @endcode
    SkillRegistry& add(ToolDefinition tool, ToolFunction function, const SkillHints& hints = {});
    /// The same for a tool that was made elsewhere, as by `agent_tool`.
    SkillRegistry& add(RunTimeTool tool);
    /// The same for several, such as those of an MCP server. If one cannot be added, none is.
    SkillRegistry& add(std::vector<RunTimeTool> tools);

    /// Returns the number of skills.
    [[nodiscard]] std::size_t size() const noexcept { return skills_.size(); }
    /// Returns whether there are no skills.
    [[nodiscard]] bool empty() const noexcept { return skills_.empty(); }
    /// Returns whether there is a skill of this name. Constant time.
    [[nodiscard]] bool contains(std::string_view name) const { return index_.contains(name); }
    /// Returns the skill of this name, or null. Constant time.
    [[nodiscard]] const RegisteredSkill* find(std::string_view name) const;
    /// Returns the skill of this name. Throws `SkillNotFound`, with the closest names.
    [[nodiscard]] const RegisteredSkill& at(std::string_view name) const;
    /// Returns all names, in the order of registration.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Returns the names that may be meant by a misspelt `name`, closest first, at most three.
    [[nodiscard]] std::vector<std::string> closest_names(std::string_view name) const;

    /// Throws `SkillNotFound` or `InvalidArguments` if a call with these arguments would be refused.
    void check_arguments(std::string_view name, const JsonObject& arguments,
                         UnknownKeys unknown = UnknownKeys::forbid) const;

    /// Returns the result of a call that cannot run, as `call` has it: of an unknown skill, with arguments that cannot
    /// be read or do not fit. Nothing if it can; it does not run.
    [[nodiscard]] std::optional<ActionResult> fault(const AssistantFunctionCall& call,
                                                    const SkillRunOptions& options = {}) const noexcept;

    /// Calls a skill. Every failure is returned as a result: an error of type `SkillNotFound`, `InvalidArguments`,
    /// `Timeout`, `Cancelled`, or of the exception that the function threw. This includes `out of memory`, whose result
    /// needs none.
    [[nodiscard]] ActionResult call(std::string_view name, JsonObject arguments,
                                    const SkillRunOptions& options = {}) const noexcept;
    /// Calls the skill that a model asks for.
    [[nodiscard]] ActionResult call(const AssistantFunctionCall& call,
                                    const SkillRunOptions& options = {}) const noexcept;
    /// As `call`, but also returns whether the function threw `RetrySkill`, for callers that repeat calls.
    [[nodiscard]] SkillOutcome attempt(const AssistantFunctionCall& call,
                                       const SkillRunOptions& options = {}) const noexcept;

private:
    [[nodiscard]] SkillOutcome observed_run(std::string_view name, JsonObject arguments,
                                            const SkillRunOptions& options) const noexcept;
    [[nodiscard]] SkillOutcome run(std::string_view name, JsonObject arguments, const SkillRunOptions& options) const;
    [[nodiscard]] SkillNotFound not_found(std::string_view name) const;
    SkillRegistry& insert(std::string name, std::string description, const SkillHints& hints,
                          std::shared_ptr<const skill_detail::AnyFunction> made);

    std::vector<std::shared_ptr<const RegisteredSkill>> skills_{};
    std::unordered_map<std::string_view, std::size_t> index_{};  // the names are the skills', which copies share
};

/// Returns the arguments of the first call of a registered skill in `text`, with positional ones bound by the order of
/// its parameters; empty if the text does not call it. Throws `CallSyntaxError`.
[[nodiscard]] std::optional<JsonObject> parse_arguments(const RegisteredSkill& skill, std::string_view text,
                                                        const CallOptions& options = {});

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/registry.inl.hpp"
#endif
