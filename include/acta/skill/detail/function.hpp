// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
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

// A C++ function behind a type-erased interface: how its arguments are read, and how it is called.
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
    std::function<void(Json& schema)> annotate{};  // adds the constraints
};

/// A type-erased function. Immutable, so that threads may share it.
class AnyFunction {
public:
    AnyFunction() = default;
    AnyFunction(const AnyFunction&) = delete;
    AnyFunction& operator=(const AnyFunction&) = delete;
    virtual ~AnyFunction() = default;

    /// Returns storage for the arguments of one call, with the defaults in it.
    [[nodiscard]] virtual std::shared_ptr<void> new_arguments() const = 0;
    /// Returns the object in that storage that arguments are read into.
    [[nodiscard]] virtual void* record_of(void* arguments) const = 0;
    /// Calls the function, once for each storage. Exceptions of the function propagate.
    [[nodiscard]] virtual ActionResult call(void* arguments, SkillContext& context) const = 0;

    std::vector<FunctionParameter> parameters{};                  // empty if the arguments are a struct
    const schema_introspection::TypeInfo* record_type = nullptr;  // that struct
    std::vector<codec::FieldDecoder> decoders{};                  // of the parameters
    codec::RecordDecoder record{{}, {}, nullptr};
    bool takes_context = false;
    bool returns_future = false;
};

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

template <class Slots, std::size_t I>
void decode_slot(codec::Decoder& d, void* object, bool) {
    auto& slot = std::get<I>(*static_cast<Slots*>(object));
    slot.value =
        std::remove_cvref_t<decltype(slot.value)>{};  // it held the default, or the value of an earlier, equal key
    codec::decode_member(d, slot.value, slot.options);
}

template <class T, class Default>
void set_default(T& value, Default& given, FunctionParameter& parameter) {
    if constexpr (std::same_as<Default, NoDefault>) {
        parameter.required = !introspection::is_optional<T>;
        if constexpr (introspection::is_optional<T>) parameter.default_value = Json(nullptr);
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
FunctionParameter fill_slot(Slot<T, Options...>& slot, Param<Default, Options...>& spec) {
    introspection::require_supported<T>();
    static_assert(std::is_default_constructible_v<T>, "acta: a parameter's type needs a default constructor");
    FunctionParameter parameter;
    set_default(slot.value, spec.default_value, parameter);
    slot.options = spec.options;
    parameter.name = std::move(spec.name);
    parameter.doc = std::move(spec.doc);
    parameter.hidden = schema_introspection::has_option<Hidden, std::tuple<Options...>>;
    parameter.deprecated = schema_introspection::has_option<Deprecated, std::tuple<Options...>>;
    parameter.type = &schema_introspection::type_info<T>;
    if constexpr (sizeof...(Options) != 0)
        parameter.annotate = [options = slot.options](Json& schema) {
            schema_introspection::annotate_all(options, schema);
        };
    return parameter;
}

template <class F, class Parameters, class Slots>
class TypedFunction final : public AnyFunction {
public:
    TypedFunction(F function, Slots slots) : function_(std::move(function)), slots_(std::move(slots)) {
        takes_context = Given<Parameters>::has_context;
    }

    [[nodiscard]] std::shared_ptr<void> new_arguments() const override { return std::make_shared<Slots>(slots_); }
    [[nodiscard]] void* record_of(void* arguments) const override {
        if constexpr (std::tuple_size_v<Slots> == 1) {
            if (record_type != nullptr) return &std::get<0>(*static_cast<Slots*>(arguments)).value;
        }
        return arguments;
    }
    [[nodiscard]] ActionResult call(void* arguments, SkillContext& context) const override {
        return call_with(*static_cast<Slots*>(arguments), context,
                         std::make_index_sequence<std::tuple_size_v<Parameters>>{});
    }

private:
    template <std::size_t... I>
    ActionResult call_with([[maybe_unused]] Slots& slots, [[maybe_unused]] SkillContext& context,
                           std::index_sequence<I...>) const {
        return result_of([&]() -> decltype(auto) { return std::invoke(function_, argument<I>(slots, context)...); });
    }
    template <std::size_t I>
    static decltype(auto) argument([[maybe_unused]] Slots& slots, [[maybe_unused]] SkillContext& context) {
        using P = std::tuple_element_t<I, Parameters>;
        if constexpr (is_context<P>) {
            return (context);  // a reference
        } else {
            auto& value = std::get<Given<Parameters>::slot(I)>(slots).value;
            using T = std::remove_cvref_t<decltype(value)>;
            if constexpr (!std::same_as<std::remove_cvref_t<P>, T>)
                return std::remove_cvref_t<P>(value);  // a view
            else if constexpr (std::is_lvalue_reference_v<P>)
                return static_cast<const T&>(value);
            else
                return static_cast<T&&>(value);
        }
    }

    F function_;
    Slots slots_;
};

template <class Given>
struct OneType;
template <class P>
struct OneType<std::tuple<std::type_identity<P>>> {
    using type = stored_t<P>;
};

template <class F, class Given>
struct FunctionMaker;
template <class F, class... P>
struct FunctionMaker<F, std::tuple<std::type_identity<P>...>> {
    using Parameters = typename Signature<F>::parameters;

    /// A function whose arguments are the fields of the one struct that it takes.
    static std::shared_ptr<AnyFunction> of_record(F function) {
        using T = typename OneType<std::tuple<std::type_identity<P>...>>::type;
        using Slots = std::tuple<Slot<T>>;
        auto made = std::make_shared<TypedFunction<F, Parameters, Slots>>(std::move(function), Slots());
        made->record = codec::record_decoder<T>;
        made->record_type = &schema_introspection::type_info<T>();
        return made;
    }
    template <class... Specs>
    static std::shared_ptr<AnyFunction> of_parameters(F function, Specs... specs) {
        (require_parameter<P>(), ...);
        if constexpr ((is_read_only<P> && ...)) {
            using Slots = std::tuple<typename SlotOf<P, Specs>::type...>;
            return of_slots<Slots>(std::move(function), std::index_sequence_for<P...>{}, specs...);
        } else {
            return nullptr;
        }
    }

private:
    template <class Slots, std::size_t... I, class... Specs>
    static std::shared_ptr<AnyFunction> of_slots(F function, std::index_sequence<I...>, Specs&... specs) {
        Slots slots;
        std::vector<FunctionParameter> parameters;
        (parameters.push_back(fill_slot(std::get<I>(slots), specs)), ...);
        auto made = std::make_shared<TypedFunction<F, Parameters, Slots>>(std::move(function), std::move(slots));
        made->parameters = std::move(parameters);
        (made->decoders.push_back({made->parameters[I].name, &decode_slot<Slots, I>, made->parameters[I].required, {}}),
         ...);
        made->record.fields = made->decoders;
        for (std::size_t i = 0; i < made->decoders.size(); ++i) {
            if (made->decoders[i].required) codec::insert(made->record.required, i);
        }
        return made;
    }
};

/// The kind of the only argument; `any` where there is none, or several.
template <class Given>
inline constexpr introspection::Kind kind_of_one = introspection::Kind::any;
template <class P>
inline constexpr introspection::Kind kind_of_one<std::tuple<std::type_identity<P>>> =
    introspection::kind_of<stored_t<P>>();

template <class F, class Parameters>
inline constexpr bool callable_as_const = false;
template <class F, class... P>
inline constexpr bool callable_as_const<F, std::tuple<P...>> = std::is_invocable_v<const F&, P...>;

template <class F, class... Specs>
std::shared_ptr<const AnyFunction> make_function(F function, Specs... specs) {
    static_assert(HasSignature<F>,
                  "acta: the function's parameters cannot be seen: a generic lambda (auto) or an overloaded operator() "
                  "needs its types written out, as in [](const std::string& query, int limit) { ... }");
    if constexpr (HasSignature<F>) {
        using Parameters = typename Signature<F>::parameters;
        using All = typename Given<Parameters>::type;
        constexpr std::size_t count = std::tuple_size_v<All>;
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
            made->returns_future = is_future<std::remove_cvref_t<typename Signature<F>::result>>;
            return made;
        }
    }
    return nullptr;
}

}  // namespace acta::inline ACTA_ABI::skill_detail
