// SPDX-License-Identifier: MIT
// Titles of types. Those of parameters are what pydantic 2.13 writes for a generic model with the same parameter.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "acta/describe/introspection.hpp"
#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/catch.hpp"

namespace titles {

struct Plan {
    int steps = 0;
};
enum class Color { red };
template <class T, class U = int>
struct Page {
    T content{};
};
template <int N>
struct Fixed {
    int value = N;
};
template <class T>
struct Outer {
    struct Inner {
        int value = 0;
    };
    template <class U>
    struct Deep {
        int value = 0;
    };
};

}  // namespace titles

template <>
struct acta::Describe<titles::Plan> {
    static constexpr auto fields = acta::fields(acta::required("steps", &titles::Plan::steps));
};
template <>
struct acta::Describe<titles::Color> {
    static constexpr auto values = acta::values<titles::Color>({{"red", titles::Color::red}});
};
template <class T, class U>
struct acta::Describe<titles::Page<T, U>> {
    static constexpr auto fields = acta::fields(acta::required("content", &titles::Page<T, U>::content));
};

namespace {

using std::string;
using titles::Page;
using titles::Plan;

template <class T>
string parameter() {
    return acta::introspection::parameter_title<T>();
}
template <class T>
string root() {
    return acta::introspection::type_title<T>();
}

}  // namespace

TEST_CASE("a name of a compiler is shortened to that of Python") {
    using acta::introspection::short_type_name;
    using acta::introspection::template_name;
    CHECK(short_type_name("Plan") == "Plan");
    CHECK(short_type_name("a::b::Plan") == "Plan");
    CHECK(short_type_name("a::Page<b::Plan>") == "Page[Plan]");
    CHECK(short_type_name("a::Page<b::Plan, c::d::Color>") == "Page[Plan, Color]");
    CHECK(short_type_name("a::Page<b::Page<c::Plan> >") == "Page[Page[Plan] ]");
    CHECK(short_type_name("a::Page<b::Plan>::Inner") == "Inner");
    CHECK(short_type_name("a::Outer<int>::Deep<b::Plan>") == "Deep[Plan]");
    CHECK(short_type_name("(anonymous namespace)::{anonymous}::<unnamed>::Plan") == "Plan");
    CHECK(short_type_name("a::Page<a::(anonymous namespace)::Plan>") == "Page[Plan]");
    CHECK(short_type_name("unsigned  int") == "unsigned int");
    CHECK(template_name("Page<int>") == "Page");
    CHECK(template_name("a::Page<b::Page<int>, c::Plan>") == "Page");
    CHECK(template_name("a::Outer<int>::Deep<b::Plan>") == "Deep");
    CHECK(template_name("struct Page<int>") == "Page");
}

TEST_CASE("parameters have the titles that pydantic gives them") {
    CHECK(parameter<bool>() == "bool");
    CHECK(parameter<std::int64_t>() == "int");
    CHECK(parameter<unsigned char>() == "int");
    CHECK(parameter<float>() == "float");
    CHECK(parameter<acta::Json>() == "Any");
    CHECK(parameter<acta::JsonObject>() == "dict[str, Any]");
    CHECK(parameter<titles::Color>() == "Color");
    CHECK(parameter<std::variant<string, Plan>>() == "Union[str, Plan]");
    CHECK(parameter<std::tuple<int, string>>() == "tuple[int, str]");
    CHECK(parameter<std::pair<double, bool>>() == "tuple[float, bool]");
    CHECK(parameter<std::array<int, 3>>() == "tuple[int, int, int]");
    CHECK(parameter<std::tuple<>>() == "tuple[]");
    CHECK(parameter<std::optional<int>>() == "Union[int, NoneType]");
    CHECK(parameter<acta::Boxed<Plan>>() == "Union[Plan, NoneType]");
    CHECK(parameter<std::set<string>>() == "set[str]");
    CHECK(parameter<std::map<string, std::variant<int, string>>>() == "dict[str, Union[int, str]]");
    CHECK(parameter<std::vector<std::tuple<int, string>>>() == "list[tuple[int, str]]");
    CHECK(parameter<std::vector<std::optional<int>>>() == "list[Union[int, NoneType]]");
}

TEST_CASE("a union within a union is a part of it, and each member is there once") {
    CHECK(parameter<std::optional<std::variant<string, Plan>>>() == "Union[str, Plan, NoneType]");
    CHECK(parameter<std::variant<std::optional<int>, string>>() == "Union[int, NoneType, str]");
    CHECK(parameter<std::variant<std::variant<int, string>, Plan, std::int64_t>>() == "Union[int, str, Plan]");
    CHECK(parameter<std::variant<int, std::int64_t>>() == "int");
    CHECK(parameter<std::variant<std::vector<std::variant<string, Plan>>, bool>>() ==
          "Union[list[Union[str, Plan]], bool]");
}

TEST_CASE("a template has the titles of its parameters") {
    CHECK(parameter<Page<string>>() == "Page[str, int]");
    CHECK(parameter<Page<std::variant<string, Plan>, std::vector<bool>>>() == "Page[Union[str, Plan], list[bool]]");
    CHECK(parameter<Page<Page<string>, Plan>>() == "Page[Page[str, int], Plan]");
    CHECK(parameter<titles::Fixed<3>>() == "Fixed[3]");
    CHECK(parameter<titles::Outer<int>::Inner>() == "Inner");
    CHECK(parameter<titles::Outer<string>::Deep<Plan>>() == "Deep[Plan]");
    const acta::Json schema = acta::schema<std::vector<Page<std::variant<string, Plan>, std::pair<int, bool>>>>();
    CHECK(schema.at("$defs").contains("Page_Union_str__Plan___tuple_int__bool__"));
    CHECK(schema.at("$defs").at("Page_Union_str__Plan___tuple_int__bool__").at("title") ==
          "Page[Union[str, Plan], tuple[int, bool]]");
}

TEST_CASE("a document that is no model has the title of its type") {
    CHECK(root<std::optional<int>>() == "Optional[int]");
    CHECK(root<acta::Json>() == "Json");
    CHECK(root<acta::JsonObject>() == "JsonObject");
    CHECK(root<std::variant<string, Plan>>() == "Union[str, Plan]");
    CHECK(root<std::vector<std::optional<Plan>>>() == "list[Union[Plan, NoneType]]");
    try {
        static_cast<void>(acta::parse<std::tuple<int, string>>("1"));
        FAIL("was read");
    } catch (const acta::ValidationError& error) {
        CHECK(string(error.what()).starts_with("1 validation error for tuple[int, str]\n"));
    }
}
