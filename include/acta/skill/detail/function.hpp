// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/describe/introspection.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/parse.hpp"
#include "acta/schema/introspection.hpp"
#include "acta/skill/detail/signature.hpp"
#include "acta/skill/detail/skill_result.hpp"
#include "acta/skill/param.hpp"

// A C++ function behind a type-erased interface: how its arguments are read, and how it is called. Every registration
// instantiates the templates here, so they do only what depends on types.
namespace acta::inline ACTA_ABI::skill_detail {

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
    made->returns_future = is_future<std::remove_cvref_t<typename Signature<F>::result>>;
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
        static_assert(sizeof...(Specs) <= count, "acta: more parameters are named than the function has");
        static_assert(count <= codec::max_fields, "acta: a skill may have at most 256 parameters");
        if constexpr ((whole_record || sizeof...(Specs) == count) && callable_as_const<F, Parameters>) {
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
