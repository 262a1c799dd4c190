// SPDX-License-Identifier: MIT
// The test suite of JSON Schema (https://github.com/json-schema-org/JSON-Schema-Test-Suite) as Debian packages it.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/schema/validator.hpp"
#include "support/catch.hpp"

namespace {

using acta::Json;

/// What needs documents that are not in the schema, or `$dynamicRef` as more than another `$ref`.
bool is_left_out(const std::string& file, const std::string& schema) {
    for (const char* const name : {"refRemote.json", "dynamicRef.json", "vocabulary.json"})
        if (file == name) return true;
    for (const char* const text : {"\"$dynamicRef\"", "localhost:1234", "\"$ref\":\"http://json-schema.org/",
                                   "\"$ref\":\"https://json-schema.org/"})
        if (schema.find(text) != std::string::npos) return true;
    return false;
}

struct Counts {
    std::size_t tests = 0;
    std::size_t left_out = 0;
};

void run_group(const std::string& file, Json group, const std::string& draft, Counts& counts) {
    Json& schema = group["schema"];
    if (is_left_out(file, acta::dump(schema))) {
        counts.left_out += group["tests"].size();
        return;
    }
    if (draft == "draft7" && schema.is_object() && !schema.contains("$schema"))
        schema["$schema"] = "http://json-schema.org/draft-07/schema#";
    const acta::SchemaValidator validator(schema);
    for (const Json& test : group["tests"]) {
        INFO(file << ": " << group["description"] << ": " << test["description"]);
        ++counts.tests;
        CHECK(validator.accepts(test["data"]) == test["valid"].get<bool>());
        CHECK(validator.issues(test["data"]).empty() == test["valid"].get<bool>());
    }
}

Counts run_suite(const std::string& draft) {
    Counts counts;
    for (const char* const root : {"/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests/",
                                   "/usr/share/json-schema-test-suite/tests/"}) {
        const std::filesystem::path folder = root + draft;
        if (!std::filesystem::is_directory(folder)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() != ".json") continue;
            const Json groups = acta::load<Json>(entry.path(), {.keep_large_numbers = true});
            for (const Json& group : groups) run_group(entry.path().filename().string(), group, draft, counts);
        }
    }
    return counts;
}

}  // namespace

TEST_CASE("a validator agrees with the required tests of draft 2020-12 that need no other document") {
    const Counts counts = run_suite("draft2020-12");
    if (counts.tests == 0) ACTA_SKIP("no libtest-json-schema-acceptance-perl, which has the test suite of JSON Schema");
    CHECK(counts.tests > 1000);
    CHECK(counts.left_out < 120);
}

TEST_CASE("a validator agrees with the required tests of draft-07 that need no other document") {
    const Counts counts = run_suite("draft7");
    if (counts.tests == 0) ACTA_SKIP("no json-schema-test-suite, which has the test suite of JSON Schema");
    CHECK(counts.tests > 400);
    CHECK(counts.left_out < 80);
}
