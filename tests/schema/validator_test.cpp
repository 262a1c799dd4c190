// SPDX-License-Identifier: MIT
#include "acta/schema/validator.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/json/json.hpp"
#include "acta/schema/detail/uri.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/deep.hpp"

namespace {

using acta::Json;

acta::SchemaValidator validator_of(const std::string& schema,
                                   acta::MalformedKeywords malformed = acta::MalformedKeywords::refuse) {
    return acta::SchemaValidator(acta::parse<Json>(schema), malformed);
}

/// Returns the issues of a value as `pointer type: message`, a line each.
std::string issues_of(const std::string& schema, const std::string& value) {
    const acta::SchemaValidator validator = validator_of(schema);
    const Json document = acta::parse<Json>(value);
    std::string out;
    for (const acta::Issue& one : validator.issues(document))
        out += (out.empty() ? "" : "\n") + one.pointer() + " " + one.type + ": " + one.message;
    CHECK(validator.accepts(document) == out.empty());
    return out;
}

/// Returns where a schema is malformed, and how.
std::pair<std::string, std::string> fault_of(const std::string& schema) {
    try {
        static_cast<void>(validator_of(schema));
    } catch (const acta::SchemaError& error) {
        return {error.path(), error.what()};
    }
    return {"none", ""};
}

}  // namespace

TEST_CASE("a validator says what is wrong with a value in the words of parse, with its path") {
    struct Row {
        const char* schema;
        const char* value;
        const char* issues;
    };
    const Row rows[] = {
        {R"({"type":"string"})", "1", " type: Input should be of the type \"string\""},
        {R"({"type":["integer","null"]})", "1.5", " type: Input should be of the type [\"integer\",\"null\"]"},
        {R"({"type":"integer"})", "3.0", ""},
        {R"({"enum":["a","b",1]})", "\"c\"", " enum: Input should be 'a', 'b' or 1"},
        {R"({"enum":[]})", "1", " enum: Input has no value that is allowed"},
        {R"({"const":{"a":1}})", "{\"a\":2}", " literal_error: Input should be {\"a\":1}"},
        {R"({"const":{"a":1,"b":2.0}})", "{\"b\":2,\"a\":1.0}", ""},
        {R"({"minimum":3})", "2.5", " greater_than_equal: Input should be greater than or equal to 3"},
        {R"({"exclusiveMinimum":3})", "3", " greater_than: Input should be greater than 3"},
        {R"({"maximum":3})", "4", " less_than_equal: Input should be less than or equal to 3"},
        {R"({"exclusiveMaximum":3.5})", "3.5", " less_than: Input should be less than 3.5"},
        {R"({"multipleOf":0.01})", "4.015", " multiple_of: Input should be a multiple of 0.01"},
        {R"({"minLength":2})", "\"ä\"", " string_too_short: String should have at least 2 characters"},
        {R"({"maxLength":1})", "\"äö\"", " string_too_long: String should have at most 1 character"},
        {R"({"pattern":"^a+$"})", "\"ab\"", " string_pattern_mismatch: String should match pattern '^a+$'"},
        {R"({"minItems":2})", "[1]", " too_short: List should have at least 2 items after validation, not 1"},
        {R"({"maxItems":1})", "[1,2]", " too_long: List should have at most 1 item after validation, not 2"},
        {R"({"uniqueItems":true})", "[1,2,1.0]",
         " unique_items: List should have no item twice, but items 0 and 2 are equal"},
        {R"({"uniqueItems":true})", "[2,1,2,1]",
         " unique_items: List should have no item twice, but items 1 and 3 are equal"},
        {R"({"contains":{"type":"null"},"minContains":2})", "[null]",
         " contains: List should contain at least 2 of the items that \"contains\" accepts, not 1"},
        {R"({"contains":true,"maxContains":1})", "[1,2]",
         " contains: List should contain at most 1 of the items that \"contains\" accepts, not 2"},
        {R"({"contains":{"type":"null"}})", "[1]",
         " contains: List should contain at least 1 of the items that \"contains\" accepts, not 0"},
        {R"({"contains":{"type":"null"},"minContains":0})", "[]", ""},
        {R"({"contains":{"type":"null"},"unevaluatedItems":{"type":"string"}})", R"([null,"a",1])",
         "/2 type: Input should be of the type \"string\""},
        {R"({"prefixItems":[true],"unevaluatedItems":false})", "[1,2]",
         "/1 extra_forbidden: Extra inputs are not permitted"},
        {R"({"minProperties":1})", "{}", " too_short: Dictionary should have at least 1 item after validation, not 0"},
        {R"({"maxProperties":0})", "{\"a\":1}",
         " too_long: Dictionary should have at most 0 items after validation, not 1"},
        {R"({"required":["a","b"]})", "{}", "/a missing: Field required\n/b missing: Field required"},
        {R"({"dependentRequired":{"a":["b"]}})", "{\"a\":1}", "/b missing: Field required"},
        {R"({"dependentSchemas":{"a":{"required":["b"]},"c":false}})", "{\"a\":1}", "/b missing: Field required"},
        {R"({"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"],"c":{"required":["d"]}}})",
         R"({"a":1,"c":1})", "/b missing: Field required\n/d missing: Field required"},
        {R"({"properties":{"ab":{"type":"null"}},"patternProperties":{"^a":{"minimum":2}}})", R"({"ab":1})",
         "/ab type: Input should be of the type \"null\"\n/ab greater_than_equal: Input should be greater than or "
         "equal "
         "to 2"},
        {R"({"anyOf":[{"properties":{"a":true}},{"properties":{"b":true}}],"unevaluatedProperties":false})",
         R"({"a":1,"b":2,"c":3})", "/c extra_forbidden: Extra inputs are not permitted"},
        {R"({"oneOf":[{"properties":{"a":true},"required":["a"]},{"properties":{"b":true},"required":["b"]}],
            "unevaluatedProperties":false})",
         R"({"a":1,"c":3})", "/c extra_forbidden: Extra inputs are not permitted"},
        {R"({"if":{"properties":{"a":true},"required":["a"]},"then":{"properties":{"b":true}},
            "unevaluatedProperties":false})",
         R"({"a":1,"b":2,"c":3})", "/c extra_forbidden: Extra inputs are not permitted"},
        {R"({"properties":{"a":{"items":{"type":"string"}}}})", R"({"a":["x",1,"y",null]})",
         "/a/1 type: Input should be of the type \"string\"\n/a/3 type: Input should be of the type \"string\""},
        {R"({"properties":{"a":true},"additionalProperties":false})", R"({"a":1,"b~/":2})",
         "/b~0~1 extra_forbidden: Extra inputs are not permitted"},
        {R"({"patternProperties":{"^x":{"type":"null"}},"unevaluatedProperties":false})", R"({"x1":null,"y":0,"xx":1})",
         "/xx type: Input should be of the type \"null\"\n/y extra_forbidden: Extra inputs are not permitted"},
        {R"({"prefixItems":[true],"items":false})", "[1,2]", "/1 extra_forbidden: Extra inputs are not permitted"},
        {R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})",
         "/ab string_too_long: String should have at most 1 character"},
        {R"({"not":{"type":"null"}})", "null", " not: Input should not be what \"not\" accepts"},
        {R"({"if":{"type":"null"},"then":false,"else":{"type":"string"}})", "1",
         " type: Input should be of the type \"string\""},
        {R"({"anyOf":[{"type":"string"},{"type":"object","required":["a"]}]})", "{}", "/a missing: Field required"},
        {R"({"anyOf":[{"type":"string"},{"type":"null"}]})", "1",
         " union_error: Input should be what one of 2 schemas accepts: Input should be of the type \"string\"; Input "
         "should be of the type \"null\""},
        {R"({"oneOf":[{"required":["a"]},{"required":["b"]}]})", "{}",
         " union_error: Input should be what one of 2 schemas accepts: Field required; Field required"},
        {R"({"oneOf":[{"type":"null"},{"minimum":1},{"maximum":9}]})", "5",
         " one_of: Input should be what exactly one of 3 schemas accepts, but those at 1 and 2 both do"},
        {R"({"allOf":[{"minimum":3},{"multipleOf":2}]})", "1",
         " greater_than_equal: Input should be greater than or equal to 3\n multiple_of: Input should be a multiple of "
         "2"},
        {"false", "1", " extra_forbidden: Extra inputs are not permitted"},
        {"true", "1", ""},
        {R"({"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"null"}}})", "1",
         " type: Input should be of the type \"null\""},
    };
    for (const Row& row : rows) {
        INFO(row.schema << " " << row.value);
        CHECK(issues_of(row.schema, row.value) == row.issues);
    }
}

TEST_CASE("an issue of a validator has the start of its value") {
    const acta::SchemaValidator validator = validator_of(R"({"items":{"type":"null"}})");
    const std::vector<acta::Issue> issues = validator.issues(
        acta::parse<Json>(R"([1, "text", [1], {}, true, [], {"a": 1}, ")" + std::string(300, 'x') + "\"]"));
    REQUIRE(issues.size() == 8);
    const std::vector<std::string> inputs = {"1",    "\"text\"", "[…]", "{}",
                                             "true", "[]",       "{…}", "\"" + std::string(99, 'x')};
    for (std::size_t i = 0; i < inputs.size(); ++i) CHECK(issues[i].input == inputs[i]);
}

TEST_CASE("a validator stops at its limit of issues, at each place of a schema") {
    const acta::SchemaValidator validator = validator_of(
        R"({"items":{"allOf":[{"type":"null"},{"anyOf":[{"type":"null"},{"type":"number","minimum":9}]}]}})");
    const Json value(acta::JsonArray(10, Json(1)));
    CHECK(validator.issues(value).size() == 20);
    for (const std::size_t most : {1U, 2U, 7U}) CHECK(validator.issues(value, most).size() == most);
    CHECK(validator.issues(value, 0).size() == 1);
}

TEST_CASE("numbers are compared exactly, and multiples are those of decimals") {
    const auto accepts = [](const std::string& schema, const std::string& value) {
        return validator_of(schema).accepts(acta::parse<Json>(value));
    };
    CHECK(accepts(R"({"maximum":9007199254740993})", "9007199254740993"));
    CHECK_FALSE(accepts(R"({"maximum":9007199254740992})", "9007199254740993"));
    CHECK_FALSE(accepts(R"({"maximum":9007199254740992.0})", "9007199254740993"));
    CHECK(accepts(R"({"minimum":-9223372036854775808})", "-9223372036854775808"));
    CHECK(accepts(R"({"exclusiveMaximum":18446744073709551615})", "1.8446744073709550e19"));
    CHECK_FALSE(accepts(R"({"exclusiveMaximum":18446744073709551615})", "1.8446744073709552e19"));
    CHECK(accepts(R"({"exclusiveMinimum":-1})", "-0.5"));
    CHECK(accepts(R"({"exclusiveMaximum":-0.5})", "-1"));
    CHECK_FALSE(accepts(R"({"minimum":0})", "-1e300"));
    CHECK(accepts(R"({"minimum":-1})", "18446744073709551615"));
    CHECK_FALSE(accepts(R"({"enum":[18446744073709551615]})", "-1"));
    CHECK(accepts(R"({"multipleOf":0.1})", "0.3"));
    CHECK(accepts(R"({"multipleOf":1e-8})", "12391239123"));
    CHECK(accepts(R"({"multipleOf":7})", "-9223372036854775807"));
    CHECK_FALSE(accepts(R"({"multipleOf":7})", "-9223372036854775808"));
    CHECK_FALSE(accepts(R"({"multipleOf":18446744073709551615})", "1e300"));
    CHECK(accepts(R"({"multipleOf":18446744073709551615})", "18446744073709551615"));
    CHECK(accepts(R"({"multipleOf":5})", "1e300"));
    CHECK_FALSE(accepts(R"({"multipleOf":1e300})", "5"));
    CHECK(accepts(R"({"multipleOf":7})", "0.0"));
    CHECK_FALSE(validator_of(R"({"multipleOf":1})").accepts(std::numeric_limits<double>::infinity()));
}

TEST_CASE("numbers of every kind are in one order") {
    const std::vector<std::string> ordered = {"-1e300",
                                              "-9223372036854777856.0",
                                              "-9223372036854775808",
                                              "-9007199254740993",
                                              "-9007199254740992.0",
                                              "-4",
                                              "-3.5",
                                              "-3",
                                              "-2",
                                              "-1",
                                              "-0.5",
                                              "0",
                                              "0.5",
                                              "1",
                                              "1.5",
                                              "2",
                                              "9007199254740992.0",
                                              "9007199254740993",
                                              "9223372036854775807",
                                              "9223372036854775808",
                                              "18446744073709549568.0",
                                              "18446744073709551615",
                                              "18446744073709551616.0",
                                              "1e300"};
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        const Json value = acta::parse<Json>(ordered[i]);
        for (std::size_t j = 0; j < ordered.size(); ++j) {
            const auto accepts = [&](const char* keyword, const std::string& bound) {
                return validator_of("{\"" + std::string(keyword) + "\":" + bound + "}").accepts(value);
            };
            CAPTURE(ordered[i], ordered[j]);
            CHECK(accepts("minimum", ordered[j]) == (i >= j));
            CHECK(accepts("maximum", ordered[j]) == (i <= j));
            CHECK(accepts("exclusiveMinimum", ordered[j]) == (i > j));
            CHECK(accepts("exclusiveMaximum", ordered[j]) == (i < j));
            CHECK(accepts("const", ordered[j]) == (i == j));
            const Json pair = acta::parse<Json>("[" + ordered[i] + "," + ordered[j] + "]");
            CHECK(validator_of(R"({"uniqueItems":true})").accepts(pair) == (i != j));
        }
    }
    for (const char* const same : {"[3,3.0]", "[-3,-3.0]", "[0,-0.0]", "[9223372036854775808,9223372036854775808.0]"})
        CHECK_FALSE(validator_of(R"({"uniqueItems":true})").accepts(acta::parse<Json>(same)));
}

TEST_CASE("integers of C++ are what those of a document are") {
    const acta::SchemaValidator validator(Json{{"minLength", 2}, {"minimum", 2}, {"maximum", 7.5}, {"multipleOf", 1}});
    CHECK(validator.accepts(2));
    CHECK(validator.accepts(7U));
    CHECK(validator.accepts(std::int64_t{3}));
    CHECK_FALSE(validator.accepts(1));
    CHECK_FALSE(validator.accepts(-3));
    CHECK_FALSE(validator.accepts(8U));
    CHECK_FALSE(validator.accepts("a"));
    CHECK(acta::SchemaValidator(Json{{"enum", {1, -1}}}).accepts(1U));
    CHECK(acta::SchemaValidator(Json{{"enum", {1U, -1}}}).accepts(-1.0));
}

TEST_CASE("a malformed keyword is refused with its place, or does not count") {
    const std::vector<std::pair<const char*, const char*>> rows = {
        {"5", ""},
        {R"({"$schema":1})", "/$schema"},
        {R"({"type":"text"})", "/type"},
        {R"({"type":[]})", "/type"},
        {R"({"type":["string",1]})", "/type"},
        {R"({"enum":1})", "/enum"},
        {R"({"minimum":"1"})", "/minimum"},
        {R"({"multipleOf":0})", "/multipleOf"},
        {R"({"minLength":-1})", "/minLength"},
        {R"({"maxLength":1.5})", "/maxLength"},
        {R"({"maxItems":null})", "/maxItems"},
        {R"({"pattern":1})", "/pattern"},
        {R"({"uniqueItems":1})", "/uniqueItems"},
        {R"({"required":true})", "/required"},
        {R"({"required":[1]})", "/required"},
        {R"({"properties":[]})", "/properties"},
        {R"({"properties":{"a":{"items":{"anyOf":{}}}}})", "/properties/a/items/anyOf"},
        {R"({"properties":{"a/b":null}})", "/properties/a~1b"},
        {R"({"allOf":[true,1]})", "/allOf/1"},
        {R"({"patternProperties":1})", "/patternProperties"},
        {R"({"dependentRequired":{"a":"b"}})", "/dependentRequired/a"},
        {R"({"dependentSchemas":{"a":[]}})", "/dependentSchemas/a"},
        {R"({"$ref":1})", "/$ref"},
        {R"({"items":[]})", "/items"},
    };
    const Json value = acta::parse<Json>(R"({"a":[{"b":1}],"a/b":2})");
    for (const auto& [schema, place] : rows) {
        INFO(schema);
        CHECK(fault_of(schema).first == place);
        CHECK_THAT(fault_of(schema).second, contains_text("should be"));
        CHECK(validator_of(schema, acta::MalformedKeywords::ignore).accepts(value));
    }
    CHECK(fault_of(R"({"minLength":2.0,"maxLength":1e300,"items":{}})").first == "none");
}

TEST_CASE("what a schema needs but does not have is an issue of the values that need it") {
    const std::string other = R"({"properties":{"a":{"$ref":"https://example.com/a.json"}}})";
    CHECK(issues_of(other, "{}").empty());
    CHECK(issues_of(other, R"({"a":1})") ==
          "/a schema_unusable: Input cannot be checked, since its \"$ref\" 'https://example.com/a.json' is another "
          "document, which is not fetched");
    CHECK_THAT(issues_of(R"({"$ref":"#/$defs/a"})", "1"), contains_text("'#/$defs/a' is not in the schema"));
    CHECK_THAT(issues_of(R"({"$ref":"#a"})", "1"), contains_text("'#a' is not in the schema"));
    CHECK_THAT(issues_of(R"({"$ref":"#/allOf/01x","allOf":[true]})", "1"), contains_text("is not in the schema"));
    CHECK_THAT(issues_of(R"({"$schema":"http://json-schema.org/draft-04/schema#"})", "1"),
               contains_text("not of draft 2020-12 or draft-07"));
    const std::string look_ahead = R"~({"pattern":"(?=a)"})~";
    CHECK_THAT(issues_of(look_ahead, "\"a\""), contains_text("cannot be used as a pattern"));
    CHECK(issues_of(look_ahead, "1").empty());
    CHECK_THAT(issues_of(R"({"patternProperties":{"\\p{L}":true}})", R"({"a":1})"), contains_text("schema_unusable"));

    // One that cannot be checked is neither accepted nor not accepted.
    const std::string unknown = R"({"$ref":"https://example.com/a.json"})";
    CHECK(issues_of(R"({"anyOf":[)" + unknown + R"(,{"type":"string"}]})", "\"a\"").empty());
    for (const std::string around :
         {R"({"not":%})", R"({"if":%,"else":true})", R"({"oneOf":[%,{"type":"string"}]})",
          R"({"not":{"anyOf":[%,{"type":"null"}]}})", R"({"not":{"not":%}})", R"({"anyOf":[%,{"type":"null"}]})"}) {
        const std::size_t hole = around.find('%');
        const std::string schema = around.substr(0, hole) + unknown + around.substr(hole + 1);
        INFO(schema);
        CHECK_THAT(issues_of(schema, "\"a\""), contains_text("schema"));
    }
    CHECK_THAT(issues_of(R"({"contains":)" + unknown + "}", "[1]"), contains_text("an item of it cannot be"));
}

TEST_CASE("names within a schema are resolved as URIs are") {
    const std::string schema = R"({
        "$id": "https://example.com/root.json", "$ref": "sub/a.json",
        "$defs": {"a": {"$id": "sub/a.json", "$ref": "../b.json#here"},
                  "b": {"$id": "/b.json", "$defs": {"c": {"$anchor": "here", "type": "null"}}}}})";
    CHECK(issues_of(schema, "null").empty());
    CHECK_THAT(issues_of(schema, "1"), contains_text("type"));
    CHECK_THAT(issues_of(R"({"$ref":"#/$defs/a%25b%","$defs":{"a%b%":{"type":"null"}}})", "1"),
               contains_text("\"null\""));
    // A place in a list is a number of any digits, within the list.
    const auto place = [&](const std::string& text) {
        std::string items;
        for (int i = 0; i < 11; ++i) items += "true,";
        return issues_of(R"({"prefixItems":[)" + items + R"({"type":"null"}],"$ref":"#/prefixItems/)" + text + "\"}",
                         "1");
    };
    CHECK_THAT(place("11"), contains_text("\"null\""));
    CHECK(place("10").empty());
    CHECK(place("0").empty());
    for (const char* const none : {"12", "110", "a", "1a", ":", "/", ""})
        CHECK_THAT(place(none), contains_text("schema"));
    // What has a base of its own may be in any schema, and what is within it has that base too.
    struct Row {
        std::string around;
        std::string place;
    };
    for (const Row& row :
         {Row{R"("allOf":[true,%])", "allOf/1"}, Row{R"("not":{"not":%})", "not/not"},
          Row{R"("dependentSchemas":{"a/b":%})", "dependentSchemas/a~1b"}, Row{R"("items":%)", "items"}}) {
        std::string whole = R"({"$id":"https://example.com/a/b.json","$defs":{"x":{%}},"properties":{
            "p":{"$ref":"d/c.json"},"q":{"$ref":"#/$defs/x/@"},"r":{"$ref":"https://example.com/a/d/e.json"},
            "s":{"$ref":"#/$defs/x/@/$defs/f"}}})";
        whole.replace(whole.find('%'), 1, row.around);
        whole.replace(
            whole.find('%'), 1,
            R"({"$id":"d/c.json","$ref":"e.json","$defs":{"e":{"$id":"e.json","enum":[1]},"f":{"$ref":"e.json"}}})");
        for (std::size_t at = whole.find('@'); at != std::string::npos; at = whole.find('@'))
            whole.replace(at, 1, row.place);
        CAPTURE(whole);
        for (const std::string name : {"p", "q", "r", "s"}) {
            CHECK(issues_of(whole, R"({")" + name + R"(":1})").empty());
            CHECK(issues_of(whole, R"({")" + name + R"(":2})") == "/" + name + " literal_error: Input should be 1");
        }
    }
    CHECK_THAT(issues_of(R"({"$id":1,"$anchor":[],"$dynamicAnchor":null,"type":"null"})", "1"), contains_text("type"));
    // Of draft-07, `$id` names a place, and nothing counts beside a `$ref`.
    const std::string old = R"({"$schema":"http://json-schema.org/draft-07/schema#","properties":
        {"a":{"$ref":"#here","type":"string"}},"definitions":{"b":{"$id":"#here","items":[{"type":"null"}],
        "additionalItems":false}}})";
    CHECK(issues_of(old, R"({"a":[null]})").empty());
    CHECK(issues_of(old, R"({"a":[1,2]})") ==
          "/a/0 type: Input should be of the type \"null\"\n/a/1 extra_forbidden: Extra inputs are not permitted");
}

TEST_CASE("a schema is of the draft that it names, whatever the scheme of the name") {
    const auto is_accepted = [](const std::string& draft) {  // what stands beside a `$ref` does not count in draft-07
        return issues_of(
            R"({"$schema":")" + draft + R"(","$ref":"#/definitions/a","type":"null","definitions":{"a":true}})", "1");
    };
    for (const std::string scheme : {"http://", "https://", ""}) {
        for (const std::string end : {"", "#"}) {
            CAPTURE(scheme, end);
            CHECK(is_accepted(scheme + "json-schema.org/draft-07/schema" + end).empty());
            CHECK_THAT(is_accepted(scheme + "json-schema.org/draft/2020-12/schema" + end), starts_with_text(" type: "));
        }
    }
    CHECK_THAT(is_accepted("ftp://json-schema.org/draft-07/schema"), starts_with_text(" schema_unusable: "));
    CHECK_THAT(is_accepted("http://json-schema.org/draft-07/schema##"), starts_with_text(" schema_unusable: "));
}

TEST_CASE("the references of RFC 3986 are resolved as it says") {
    const std::pair<const char*, const char*> rows[] = {
        {"g:h", "g:h"},
        {"g", "http://a/b/c/g"},
        {"./g", "http://a/b/c/g"},
        {"g/", "http://a/b/c/g/"},
        {"/g", "http://a/g"},
        {"//g", "http://g"},
        {"?y", "http://a/b/c/d;p?y"},
        {"g?y", "http://a/b/c/g?y"},
        {"#s", "http://a/b/c/d;p?q#s"},
        {"g#s", "http://a/b/c/g#s"},
        {";x", "http://a/b/c/;x"},
        {"", "http://a/b/c/d;p?q"},
        {".", "http://a/b/c/"},
        {"./", "http://a/b/c/"},
        {"..", "http://a/b/"},
        {"../g", "http://a/b/g"},
        {"../..", "http://a/"},
        {"../../g", "http://a/g"},
        {"../../../g", "http://a/g"},
        {"/./g", "http://a/g"},
        {"/../g", "http://a/g"},
        {"g.", "http://a/b/c/g."},
        {"..g", "http://a/b/c/..g"},
        {"./../g", "http://a/b/g"},
        {"./g/.", "http://a/b/c/g/"},
        {"g/./h", "http://a/b/c/g/h"},
        {"g/../h", "http://a/b/c/h"},
        {"g;x=1/../y", "http://a/b/c/y"},
        {"g?y/./x", "http://a/b/c/g?y/./x"},
        {"http:g", "http:g"},
    };
    for (const auto& [reference, expected] : rows) {
        INFO(reference);
        CHECK(acta::schema_detail::resolved_uri("http://a/b/c/d;p?q", reference) == expected);
    }
    CHECK(acta::schema_detail::resolved_uri("http://a", "g") == "http://a/g");
    CHECK(acta::schema_detail::resolved_uri("a", "g") == "g");
    CHECK(acta::schema_detail::resolved_uri("urn:x:y", "#z") == "urn:x:y#z");
}

TEST_CASE("no schema takes a validator long, or out of its stack") {
    CHECK_THAT(issues_of(R"({"$ref":"#"})", "1"), contains_text("nested too deep"));
    CHECK_THAT(issues_of(R"({"not":{"$ref":"#"}})", "1"), contains_text("nested too deep"));
    // Each step checks the next one twice.
    std::string steps = R"({"s30":{"type":"null"})";
    for (int i = 0; i < 30; ++i) {
        const std::string next = R"({"$ref":"#/$defs/s)" + std::to_string(i + 1) + "\"}";
        steps += ",\"s" + std::to_string(i) + R"(":{"anyOf":[)" + next + "," + next + "]}";
    }
    const auto from = [](int step) { return R"("$ref":"#/$defs/s)" + std::to_string(step) + '"'; };
    const std::string many = "{" + from(0) + R"(,"$defs":)" + steps + "}}";
    const std::vector<acta::Issue> too_many = validator_of(many).issues(1);
    REQUIRE(too_many.size() == 1);
    CHECK(too_many[0].type == "schema_unusable");
    CHECK(too_many[0].message == "Input cannot be checked: it takes too long to be checked");
    CHECK(issues_of(many, "null").empty());
    // The time that patterns take counts too.
    const std::string some = R"~({"not":{"anyOf":[{)~" + from(13) + "},{" + from(14) + "},{" + from(15) +
                             R"~(}]},"pattern":"^(a|a|a|a)*(a|a|a|a)*$","$defs":)~" + steps + "}}";
    const acta::SchemaValidator with_pattern = validator_of(some);
    CHECK(with_pattern.accepts(std::string(100, 'a')));
    CHECK_FALSE(with_pattern.accepts(std::string(100'000, 'a')));
    CHECK_THAT(issues_of(R"({"pattern":"a"})", '"' + std::string((1 << 20) + 1, 'b') + '"'),
               contains_text("at most 1048576 bytes"));
}

TEST_CASE("what a validator compares counts as work, whatever the keyword is") {
    const auto names = [](std::size_t count) {
        Json out = Json::array();
        for (std::size_t i = 0; i < count; ++i) out.push_back("key" + std::to_string(i));
        return out;
    };
    const auto object = [&](std::size_t count, const Json& value) {
        acta::JsonObject out;
        for (const Json& name : names(count)) out.emplace_back(name.get<std::string>(), value);
        return Json(std::move(out));
    };
    Json lists = Json::array();  // that differ at their ends
    for (int i = 0; i < 300; ++i) {
        lists.push_back(acta::JsonArray(2000, Json(1)));
        lists.back().push_back(i * 7919 % 300);
    }
    const Json large = acta::JsonArray(3000, Json(1));
    const auto many = [](std::size_t count, Json schema) {
        return Json{{"allOf", acta::JsonArray(count, Json{{"$ref", "#/$defs/one"}})},
                    {"$defs", {{"one", std::move(schema)}}}};
    };
    const std::vector<std::pair<Json, Json>> rows = {
        {Json{{"required", names(5000)}}, object(5000, 1)},
        {Json{{"dependentSchemas", object(5000, true)}}, object(5000, 1)},
        {Json{{"patternProperties", object(400, true)}}, object(400, 1)},
        {Json{{"uniqueItems", true}}, lists},
        {Json{{"allOf", acta::JsonArray(6000, Json{{"items", true}})}, {"unevaluatedItems", false}}, large},
        {many(1000, Json{{"required", acta::JsonArray(1000, Json("key0"))}}), object(15, 1)},
        {many(400, Json{{"properties", {{"a", true}}}}), object(10'000, 1)},
        {many(300, Json{{"minLength", 1}}), std::string(1'000'000, 'a')},
        {many(1100, Json{{"const", std::string(1'000'000, 'a')}}), std::string(1'000'000, 'a')},
    };
    CHECK(acta::SchemaValidator(many(20, Json{{"maxLength", 1'000'000}})).accepts(std::string(500'000, 'a')));
    for (const auto& [schema, value] : rows) {
        INFO(schema.begin().key());
        const std::vector<acta::Issue> issues = acta::SchemaValidator(schema).issues(value);
        REQUIRE(issues.size() == 1);
        CHECK(issues[0].message == "Input cannot be checked: it takes too long to be checked");
    }
}

TEST_CASE("a validator stops when its work is at the limit") {
    // The root, 999 references to a schema that takes 999 steps besides its own, and further schemas of one step each.
    const auto is_checked = [](const Json& schema, const Json& value, std::size_t further) {
        acta::JsonArray all(999, Json{{"$ref", "#/$defs/one"}});
        all.insert(all.end(), further, Json(true));
        return acta::SchemaValidator(Json{{"allOf", all}, {"$defs", {{"one", schema}}}}).accepts(value);
    };
    Json values = Json::array();  // of which four are looked at in a step
    for (int i = 0; i < 4 * 999; ++i) values.push_back(i);
    CHECK(is_checked(Json{{"enum", values}}, 0, 0));
    CHECK_FALSE(is_checked(Json{{"enum", values}}, 0, 1));
    acta::JsonObject wide;  // of which sixteen keys, or places of keys, are looked at in a step
    for (int i = 1; i < 16 * 999; ++i) wide.emplace_back("key" + std::to_string(i), i);
    const Json required{{"required", acta::JsonArray{Json("key1")}}};
    CHECK(is_checked(required, Json(wide), 0));
    CHECK_FALSE(is_checked(required, Json(wide), 1));
    // A pattern is like eight schemas.
    const Json patterns{{"allOf", acta::JsonArray(111, Json{{"pattern", "a"}})}};
    CHECK(is_checked(patterns, "a", 0));
    CHECK_FALSE(is_checked(patterns, "a", 1));
}

TEST_CASE("a union that refuses a value says why for the first of its members") {
    std::string schemas;
    std::string reasons;
    for (int i = 1; i <= 6; ++i) {
        const std::string least = std::to_string(i);
        schemas += (i == 1 ? "" : ",") + std::string(R"({"minimum":)") + least + "}";
        if (i <= 4) reasons += (i == 1 ? "" : "; ") + ("Input should be greater than or equal to " + least);
    }
    CHECK(issues_of(R"({"anyOf":[)" + schemas + "]}", "0") ==
          " union_error: Input should be what one of 6 schemas accepts: " + reasons);
}

TEST_CASE("the values that are allowed are named in short, and numbers without an exponent") {
    Json all = Json::array();
    for (int i = 0; i < 30; ++i) all.push_back(i);
    const auto message = [](const Json& schema, const Json& value) {
        const std::vector<acta::Issue> issues = acta::SchemaValidator(schema).issues(value);
        REQUIRE(issues.size() == 1);
        return issues[0].message;
    };
    CHECK(message({{"enum", all}}, "a") ==
          "Input should be 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 or one of 10 others");
    all.erase(all.begin() + 21, all.end());
    CHECK_THAT(message({{"enum", all}}, "a"), ends_with_text(", 18, 19 or one of 1 others"));
    all.erase(20);
    CHECK_THAT(message({{"enum", all}}, "a"), ends_with_text(", 17, 18 or 19"));
    CHECK(message({{"const", std::string(300, 'x')}}, "a") == "Input should be '" + std::string(199, 'x') + "…");
    CHECK(message({{"const", std::string(199, 'x')}}, "a") == "Input should be '" + std::string(199, 'x') + "…");
    CHECK(message({{"const", std::string(198, 'x')}}, "a") == "Input should be '" + std::string(198, 'x') + "'");
    CHECK_THAT(message({{"const", {"\xFF"}}}, "a"), contains_text("[\"\xEF\xBF\xBD\"]"));
    CHECK(message({{"minimum", 1e21}}, 1) == "Input should be greater than or equal to 1000000000000000000000");
    CHECK(message({{"multipleOf", 1e-7}}, 1e-8) == "Input should be a multiple of 0.0000001");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(acta::SchemaValidator(Json{{"uniqueItems", true}}).accepts({nan, 1, 2, 0.5}));
    CHECK_FALSE(acta::SchemaValidator(Json{{"uniqueItems", true}}).accepts({2, nan, 1, nan}));
}

TEST_CASE("schemas and values may be nested up to their limits") {
    const auto nested = [](std::size_t levels) {
        std::string out = "true";
        for (std::size_t i = 0; i < levels; ++i) out = R"({"items":)" + out + "}";
        return acta::parse<Json>(out, {.max_depth = 1000});
    };
    below_at_above("nesting of a JSON Schema that values are checked with", 400, [&](std::size_t levels) {
        try {
            static_cast<void>(acta::SchemaValidator(nested(levels)));
            return true;
        } catch (const acta::SchemaError& error) {
            CHECK_THAT(error.what(), contains_text("nested too deep"));
            return false;
        }
    });
    const acta::SchemaValidator recursive = validator_of(R"({"items":{"$ref":"#"}})");
    below_at_above(acta::SchemaValidator::max_depth / 2 - 1, [&](std::size_t levels) {
        Json value = Json::array();
        for (std::size_t i = 0; i < levels; ++i) value = Json::array({std::move(value)});
        return recursive.accepts(value);
    });
}

TEST_CASE("a validator is a value, and keeps its schema") {
    const Json schema = acta::parse<Json>(R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"null"}}})");
    acta::SchemaValidator copy = validator_of("true");
    {
        const acta::SchemaValidator first{schema};
        CHECK(first.schema() == schema);
        copy = first;
    }
    CHECK(copy.accepts(nullptr));
    CHECK_FALSE(copy.accepts(1));
    CHECK(copy.schema() == schema);
}
