// SPDX-License-Identifier: MIT
#include "support/bounds.hpp"
#include "support/catch.hpp"

#if defined(ACTA_HAS_YAML)
#include "acta/skill/yaml.hpp"

#include "acta/skill/arguments_action.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/skill/execute.hpp"
#include "acta/skill/registry.hpp"
#include "support/paths.hpp"
#include "support/sizes.hpp"

namespace {

std::string json_of(const std::string& yaml) { return acta::yaml_to_json(yaml).dump(); }

std::string text_to_speech(const std::string& text, const std::string& lang, const std::string& voice,
                           const std::string& style, const std::string& role) {
    return text + lang + voice + style + role;
}

std::string text_to_image(const std::string& text, const std::string& size_type) { return text + size_type; }

/// The functions that MetaGPT has of the declaration's three.
acta::SkillRegistry metagpt_functions() {
    acta::SkillRegistry registry;
    registry.add("text_to_speech", "", text_to_speech, "text", acta::param("lang", "", "Chinese"),
                 acta::param("voice", "", "zh-CN-XiaomoNeural"), acta::param("style", "", "affectionate"),
                 acta::param("role", "", "Girl"));
    registry.add("text_to_image", "", text_to_image, "text", acta::param("size_type", "", "512x512"));
    return registry;
}

}  // namespace

TEST_CASE("YAML scalars are what the reference's loader makes of them") {
    CHECK(json_of("[1, -2, 0x1F, 0o17, 017, 1_000, 9223372036854775808, -9223372036854775808]") ==
          "[1,-2,31,15,15,1000,9223372036854775808,-9223372036854775808]");
    CHECK(json_of("[1.5, -.5, 1., 1.5e+3, 1e3, 1.2.3, '1', \"2\", 1.0.]") ==
          "[1.5,-0.5,1.0,1500.0,\"1e3\",\"1.2.3\",\"1\",\"2\",\"1.0.\"]");
    CHECK(json_of("[true, no, On, ~, null, , 'yes', !!str 3]") == "[true,false,true,null,null,null,\"yes\",\"3\"]");
    // Below what JSON has here it stays a text.
    CHECK(json_of("[-9223372036854775809, 18446744073709551616]") ==
          R"(["-9223372036854775809","18446744073709551616"])");
    for (const char* const none : {".nan", ".NaN", ".NAN"}) CHECK(acta::yaml_to_json(none).is_number_float());
    for (const char* const infinite : {".inf", ".Inf", ".INF"}) {
        CHECK(acta::yaml_to_json(infinite) == acta::Json(std::numeric_limits<double>::infinity()));
        CHECK(acta::yaml_to_json(std::string("-") + infinite) == acta::Json(-std::numeric_limits<double>::infinity()));
    }
    CHECK(json_of("[0.1.0, 2024-01-01, 1:30, -, +, e, 0x, '', _1, 1_, 1.5_, .iNF, ., -., +._, 0b101, 0]") ==
          "[\"0.1.0\",\"2024-01-01\",\"1:30\",\"-\",\"+\",\"e\",\"0x\",\"\",\"_1\",1,1.5,\".iNF\",\".\",\"-.\",\"+._\","
          "5,0]");
}

TEST_CASE("YAML maps keep their order, and the last of equal keys counts") {
    CHECK(json_of("b: 1\na: {d: 2, c: [3]}\nb: 4") == R"({"b":4,"a":{"d":2,"c":[3]}})");
    CHECK(json_of("") == "null");
    CHECK(json_of("a: &x [1]\nb: *x") == R"({"a":[1],"b":[1]})");
}

TEST_CASE("what is no YAML is an error with its place") {
    try {
        (void)acta::yaml_to_json("a: 1\nb: [");
        FAIL("read");
    } catch (const acta::YamlError& error) {
        CHECK(error.line() >= 2);
        CHECK(error.column() >= 1);
        CHECK_THAT(error.what(), starts_with_text("this is not YAML: "));
    }
    CHECK_THROWS_AS(acta::yaml_to_json("[1, 2]: 3"), acta::YamlError);
    CHECK_THROWS_AS(acta::load_yaml<acta::SkillsDeclaration>("/nowhere/skills.yaml"), acta::FileError);
    CHECK_THROWS_AS(acta::parse_yaml<acta::SkillsDeclaration>("skillapi: [1]"), acta::ValidationError);
}

TEST_CASE("YAML text that is not UTF-8 is an error, in values, in keys and in what is said of it") {
    for (const std::string text : {"\x9E\xCD] ", "a: \"\xFF\"", "- [1, b\xED\xA0\x80]", "\xC3(: 1"}) {
        INFO(text.size());
        CHECK_THROWS_AS(acta::yaml_to_json(text), acta::YamlError);
    }
    try {
        (void)acta::yaml_to_json("\"\\\xFF\"");
        FAIL("read");
    } catch (const acta::YamlError& error) {
        CHECK(acta::utf8::is_valid(error.what()));
    }
}

TEST_CASE("YAML that grows or nests without bound is refused") {
    std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int j = 0; j < 10; ++j) laughs += (j == 0 ? "" : ", ") + before;
        laughs += "]\n";
    }
    // The usual limit takes seconds to reach.
    const std::size_t limit = acta::YamlOptions{}.max_values;
    CHECK(limit == 1'000'000);
    CHECK_THROWS_AS(acta::yaml_to_json(laughs, {.max_values = test_size(100'000, limit)}), acta::YamlError);
    std::string deep;
    for (int i = 0; i < 200; ++i) deep += "- ";
    CHECK_THROWS_AS(acta::yaml_to_json(deep + "x"), acta::YamlError);
    for (const char* const unit : {"- ", "[", "{a: "}) {  // also beyond yaml-cpp's own limit
        deep.clear();
        for (int i = 0; i < 5000; ++i) deep += unit;
        CHECK_THROWS_WITH(acta::yaml_to_json(deep + "x"),
                          starts_with_text("the YAML is nested too deeply at line 1, column "));
    }
    CHECK_THROWS_AS(acta::yaml_to_json("a: &x [*x]"), acta::YamlError);
    const auto is_read = [](const std::string& text, const acta::YamlOptions& options) {
        try {
            return !acta::yaml_to_json(text, options).is_null();
        } catch (const acta::YamlError&) {
            return false;
        }
    };
    below_at_above("size of a YAML text", 40,
                   [&](std::size_t bytes) { return is_read(std::string(bytes, 'x'), {.max_bytes = 40}); });
    below_at_above("nesting of a YAML text", 64, [&](std::size_t depth) {
        std::string maps;
        for (std::size_t i = 0; i < depth; ++i) maps += "{a: ";
        const bool are_maps_read = is_read(maps + "x" + std::string(depth, '}'), {});
        CHECK(is_read(std::string(depth, '[') + "x" + std::string(depth, ']'), {}) == are_maps_read);
        return are_maps_read;
    });
    below_at_above("values of a YAML text", 40, [&](std::size_t values) {
        std::string list = "[x";  // the list is one of them
        for (std::size_t i = 2; i < values; ++i) list += ",x";
        return is_read(list + "]", {.max_values = 40});
    });
    below_at_above("keys and scalars of a YAML text, after aliases", 40, [&](std::size_t bytes) {
        return is_read("{&a 0123456789: *a, b: *a, c: " + std::string(bytes - 32, 'x') + "}", {.max_bytes = 40});
    });
}

TEST_CASE("aliases cannot make a YAML text stand for more bytes than its limit") {
    // 100 KB of text, 1 GB of values
    const std::string scalar(100'000, 'x');
    for (const char* const anchor : {"a: &a ", "? &a "}) {
        std::string text = anchor + scalar + "\nb:\n";
        for (int i = 0; i < 10'000; ++i) text += anchor[0] == 'a' ? "- *a\n" : "- {*a : 1}\n";
        CHECK_THROWS_WITH(acta::yaml_to_json(text), contains_text("more bytes than the limit allows at line"));
    }
    std::string many = "[";
    for (int i = 0; i < 10'000; ++i) many += "a,";
    CHECK_THROWS_WITH(acta::yaml_to_json(many + "]", {.max_values = 1000}),
                      starts_with_text("the YAML has more values than the limit allows at line 1, column 4"));
    acta::YamlOptions options;
    options.max_bytes = 40;
    CHECK(acta::yaml_to_json("a: &a 0123456789\nb: [*a, *a]", options)["b"].size() == 2);
    CHECK_THROWS_AS(acta::yaml_to_json("a: &a 0123456789\nb: [*a, *a, *a]", options), acta::YamlError);
}

TEST_CASE("MetaGPT's skills.yaml loads, and what it says of parameters is in the schema of the call") {
    const std::string path = paths::shared_data("metagpt/skills.yaml");
    if (!std::filesystem::exists(path)) ACTA_SKIP("metagpt/skills.yaml is not there");
    const auto declaration = acta::load_yaml<acta::SkillsDeclaration>(path);
    CHECK(declaration.skillapi == "0.1.0");
    CHECK(declaration.get_skill_list().size() == 3);
    const acta::Skill* const speech = declaration.get_skill("text_to_speech");
    REQUIRE(speech != nullptr);
    CHECK(acta::parameter_names(*speech) == std::vector<std::string>{"text", "lang", "voice", "style", "role"});
    const acta::Json schema = acta::call_schema(*speech);
    CHECK(schema["required"] == acta::Json::parse(R"(["text"])"));
    CHECK(schema["properties"]["text"].dump() ==
          R"({"type":"string","description":"The text used for voice conversion."})");
    CHECK(schema["properties"]["lang"]["enum"] == acta::Json::parse(R"(["English", "Chinese"])"));
    CHECK(schema["properties"]["lang"]["default"] == acta::Json("Chinese"));
    CHECK(schema["properties"]["style"]["enum"].size() == 12);
    const acta::Json search = acta::call_schema(*declaration.get_skill("web_search"));
    CHECK(search["properties"]["max_results"]["default"] == acta::Json(6));
    CHECK(speech->x_prerequisite->at("required").contains("oneOf"));
    // As JSON and back nothing is lost.
    CHECK(acta::parse<acta::SkillsDeclaration>(acta::dump(declaration)) == declaration);
}

TEST_CASE("MetaGPT's declaration is checked against functions of its project") {
    const std::string path = paths::shared_data("metagpt/skills.yaml");
    if (!std::filesystem::exists(path)) ACTA_SKIP("metagpt/skills.yaml is not there");
    const auto declaration = acta::load_yaml<acta::SkillsDeclaration>(path);
    const std::vector<acta::SkillFinding> findings = acta::check(declaration, metagpt_functions());
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == acta::SkillFinding::Kind::no_function);
    CHECK(to_string(findings[0]) == "Assistant.web_search: there is no function of this name");
}

#else

TEST_CASE("YAML is read with yaml-cpp") { ACTA_SKIP("yaml-cpp is not there"); }

#endif
