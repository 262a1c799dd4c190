// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "acta/describe/pattern.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "support/bounds.hpp"
#include "support/issues.hpp"

// Every option of reading and writing, with a value that is not the default: a new one does not compile here until it
// is covered.
namespace options_walk {

struct Named {
    std::string name{};
    std::optional<int> size{};
    friend bool operator==(const Named&, const Named&) = default;
};
struct Kept {
    std::string name{};
    acta::JsonObject more{};
};
struct KeptAlways {
    std::string name{};
    acta::JsonObject more{};
};
struct Wrapped {
    acta::JsonObject any{};
    acta::JsonObject large{};
};
struct Matched {
    std::string text{};
};

/// Text of any size that costs nothing to make.
struct Pieces {
    std::size_t bytes = 0;
};

}  // namespace options_walk

template <>
struct acta::Describe<options_walk::Named> {
    using T = options_walk::Named;
    static constexpr auto fields =
        acta::fields(acta::required("name", &T::name, "", acta::alias("Name")), acta::defaulted("size", &T::size));
};
template <>
struct acta::Describe<options_walk::Kept> {
    using T = options_walk::Kept;
    static constexpr auto fields = acta::fields(acta::defaulted("name", &T::name), acta::kept_keys(&T::more));
};
template <>
struct acta::Describe<options_walk::KeptAlways> {
    using T = options_walk::KeptAlways;
    static constexpr auto fields = acta::fields(acta::defaulted("name", &T::name), acta::unknown_keys(&T::more));
};
template <>
struct acta::Describe<options_walk::Wrapped> {
    using T = options_walk::Wrapped;
    static constexpr auto fields = acta::fields(acta::defaulted("any", &T::any, "", acta::wrap_other_values("value")),
                                                acta::defaulted("large", &T::large, "", acta::keep_large_numbers));
};
template <>
struct acta::Describe<options_walk::Matched> {
    static constexpr auto fields =
        acta::fields(acta::required("text", &options_walk::Matched::text, "", acta::pattern("^(a+)+$")));
};
template <>
struct acta::Describe<options_walk::Pieces> {
    static constexpr bool custom_codec = true;
    static void decode(codec::Decoder&, options_walk::Pieces&) {}
    static void encode(codec::Encoder& e, const options_walk::Pieces& value) {
        static const std::string piece(std::size_t{1} << 20U, '1');
        e.out.begin_array();
        for (std::size_t left = value.bytes - 2; left != 0;) {  // each but the first has a comma before it
            const std::size_t comma = left == value.bytes - 2 ? 0 : 1;
            const std::size_t now = std::min(left - comma, piece.size());
            e.out.raw(std::string_view(piece).substr(0, now));
            left -= now + comma;
        }
        e.out.end_array();
    }
};

TEST_CASE("each option of reading arrives") {
    using namespace options_walk;
    acta::ParseOptions options;
    auto& [strictness, unknown_keys, allow_inf_nan, keep_large_numbers, max_depth, max_bytes, max_issues, warnings,
           observer, check] = options;
    CHECK(acta::parse<int>("\"7\"", options) == 7);
    strictness = acta::Strictness::strict;
    CHECK(faults<int>("\"7\"", options) == Faults{" int_type"});
    options = {};

    const std::string unknown = R"({"Name":"a","x":1})";
    CHECK(acta::parse<Named>(unknown, options) == Named{"a", {}});
    CHECK(acta::parse<Kept>(unknown, options).more.empty());
    CHECK(acta::parse<KeptAlways>(unknown, options).more.size() == 2);
    unknown_keys = acta::UnknownKeys::keep;
    CHECK(acta::parse<Named>(unknown, options) == Named{"a", {}});
    CHECK(acta::dump(acta::parse<Kept>(unknown, options)) == R"({"name":"","Name":"a","x":1})");
    unknown_keys = acta::UnknownKeys::forbid;
    CHECK(faults<Named>(unknown, options) == Faults{"/x extra_forbidden"});
    CHECK(faults<Kept>(R"({"x":1,"y":[1],"x":2})", options) == Faults{"/x extra_forbidden", "/y extra_forbidden"});
    CHECK(issues_of<Kept>(R"({"x":1,"y":[1],"x":2})", options)[0].input == "2");
    CHECK(acta::parse<KeptAlways>(unknown, options).more.size() == 2);
    options = {};

    CHECK(acta::parse<double>("\"inf\"", options) == std::numeric_limits<double>::infinity());
    allow_inf_nan = false;
    CHECK(faults<double>("\"inf\"", options) == Faults{" finite_number"});
    options = {};

    CHECK(faults<acta::Json>("[1e999]", options) == Faults{"/0 finite_number"});
    keep_large_numbers = true;
    CHECK(acta::parse<acta::Json>("[1e999,100000000000000000000,7]", options).dump() == R"(["1e999",1e+20,7])");
    CHECK(acta::parse<acta::Json>("-1" + std::string(400, '0'), options) == "-1" + std::string(400, '0'));
    options = {};

    CHECK(acta::dump(acta::parse<Wrapped>(R"({"any":{"a":1},"large":{"n":1e999}})")) ==
          R"({"any":{"a":1},"large":{"n":"1e999"}})");
    CHECK(acta::dump(acta::parse<Wrapped>(R"({"any":[1]})")) == R"({"any":{"value":[1]},"large":{}})");
    CHECK(faults<Wrapped>(R"({"any":[1e999]})", options) == Faults{"/any/0 finite_number"});

    max_depth = 2;
    CHECK(issues_of<acta::Json>("[[1]]", options).empty());
    CHECK(issues_of<acta::Json>("[[[1]]]", options).size() == 1);
    options = {};
    max_bytes = 5;
    CHECK(issues_of<acta::Json>("\"abc\"", options).empty());
    CHECK(issues_of<acta::Json>("\"abcd\"", options)[0].message == "Document has 6 bytes, more than the limit of 5");
    options = {};
    max_issues = 2;
    CHECK(issues_of<std::vector<int>>("[{},{},{}]", options).size() == 2);
    options = {};

    std::vector<acta::Issue> found;
    warnings = &found;
    static_cast<void>(acta::parse<Named>(R"({"Name":"a","other":1})", options));
    CHECK(found.empty());
    static_cast<void>(acta::parse<Kept>(R"({"nam":"a"})", options));
    CHECK(found.empty());  // it may have others
    using Optional = std::map<std::string, int>;
    static_cast<void>(acta::parse<Optional>(R"({"nam":1})", options));
    CHECK(found.empty());
    options = {};

    struct Seen : acta::Observer {
        void on_event(const acta::Event& event) override {
            for (const acta::EventField& field : event.fields) {
                const auto* const text = std::get_if<std::string>(&field.value);
                fields.append(field.name).append("=");
                fields += text == nullptr ? std::to_string(std::get<std::int64_t>(field.value)) : *text;
                fields += ' ';
            }
        }
        std::string fields{};
    };
    Seen seen;
    observer = &seen;
    static_cast<void>(acta::parse<Named>(R"({"Name":"a"})", options));
    CHECK_THROWS_AS(acta::parse<Named>(R"({"size":"x"})", options), acta::ValidationError);
    CHECK_THROWS_AS(acta::validate<Named>(acta::Json(5), options), acta::ValidationError);
    CHECK(seen.fields ==
          "type=Named bytes=12 type=Named bytes=12 issues=2 error=missing at '/Name' "
          "type=Named issues=1 error=model_type at '' ");
    options = {};

    std::size_t calls = 0;
    const std::function<void()> count = [&calls] { ++calls; };
    check = &count;
    static_cast<void>(acta::parse<Matched>(R"({"text":")" + std::string(20'000, 'a') + "\"}", options));
    CHECK(calls != 0);
}

TEST_CASE("each option of writing arrives") {
    using namespace options_walk;
    acta::DumpOptions options;
    auto& [indent, exclude_none, by_alias, invalid_utf8, round_trip] = options;
    const Named value{"a", {}};
    CHECK(acta::dump(value, options) == R"({"Name":"a","size":null})");
    indent = 1;
    CHECK(acta::dump(value, options) == "{\n \"Name\": \"a\",\n \"size\": null\n}");
    options = {};
    exclude_none = true;
    CHECK(acta::dump(value, options) == R"({"Name":"a"})");
    CHECK(acta::dump(Named{"a", 3}, options) == R"({"Name":"a","size":3})");
    CHECK(acta::to_json_value(value, options).dump() == R"({"Name":"a"})");
    options = {};
    by_alias = false;
    CHECK(acta::dump(value, options) == R"({"name":"a","size":null})");
    CHECK(acta::to_json_value(value, options).dump() == R"({"name":"a","size":null})");
    options = {};
    const std::string bad = "a\xff";
    CHECK_THROWS_AS(acta::dump(bad, options), acta::EncodeError);
    invalid_utf8 = acta::InvalidUtf8::replace;
    CHECK(acta::dump(bad, options) == "\"a\uFFFD\"");
    options = {};
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK(acta::dump(infinite, options) == "null");
    round_trip = true;
    CHECK_THROWS_WITH(acta::dump(std::vector<double>{1, infinite}, options),
                      "Number at '/1' is not finite and cannot be written as JSON");
    below_at_above("size of a JSON document", acta::ParseOptions().max_bytes, [&options](std::size_t bytes) {
        std::size_t written = 0;
        try {
            acta::dump_to(
                Pieces{bytes}, [&written](std::string_view piece) { written += piece.size(); }, options);
        } catch (const acta::EncodeError& error) {
            CHECK(std::string(error.what()) == "the text is longer than the 512 MiB that are read back");
            return false;
        }
        return written == bytes;
    });
}
