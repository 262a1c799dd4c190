// SPDX-License-Identifier: MIT
#include "acta/schema/schema.hpp"

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "acta/tool_response/tool_response.hpp"
#include "pysyntax/python3.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/sizes.hpp"

namespace {

/// A reply of one's own that holds replies.
struct BatchResponse;
using BatchReply = acta::BasicToolResponse<BatchResponse>;
struct BatchResponse {
    std::string message{};
    std::optional<std::string> session_id{};
    std::vector<BatchReply> replies{};
};

struct Turn {
    acta::ToolResponse reply{};
    std::optional<acta::ErrorResponse> error{};
};

}  // namespace

template <>
struct acta::Describe<BatchResponse> {
    static constexpr auto fields =
        acta::fields(acta::response_fields<BatchResponse>("batch"), acta::required("replies", &BatchResponse::replies));
};
template <>
struct acta::Describe<Turn> {
    static constexpr auto fields =
        acta::fields(acta::required("reply", &Turn::reply), acta::defaulted("error", &Turn::error));
};

namespace {

acta::Json rows_of_schemas(const std::string& name) {
    std::ifstream file(paths::golden(name), std::ios::binary);
    REQUIRE(file);
    return acta::Json::parse(file);
}

/// Prints how many of the documents the schema takes and refuses, and the first that is on the wrong side.
constexpr const char* check_script = R"python(
import json, sys
try:
    import jsonschema
except ImportError:
    print("no jsonschema")
    sys.exit(0)
given = json.load(open(sys.argv[1], encoding="utf-8"))
Validator = getattr(jsonschema, "Draft202012Validator", None) or jsonschema.Draft7Validator
Validator.check_schema(given["schema"])
validator = Validator(given["schema"])
count = 0
for want, documents in ((True, given["good"]), (False, given["bad"])):
    for document in documents:
        if validator.is_valid(document) != want:
            print("wrong:", "refused" if want else "taken", json.dumps(document))
            sys.exit(0)
        count += 1
print("ok", count)
)python";

}  // namespace

TEST_CASE("the schema of a tool response is an anyOf that narrows each type") {
    const acta::Json schema = acta::schema<acta::ToolResponse>();
    REQUIRE(schema["anyOf"].size() == 41);
    std::multiset<std::string> types;
    for (const acta::Json& one : schema["anyOf"]) {
        const std::string name = one["$ref"].get<std::string>().substr(std::string("#/$defs/").size());
        const acta::Json& member = schema["$defs"][name];
        INFO(member.dump());
        CHECK(member["title"].get<std::string>() == name);
        CHECK(member["required"][0] == "type");
        CHECK(member["required"][1] == "message");
        CHECK_FALSE(member["properties"]["type"].contains("default"));
        types.insert(member["properties"]["type"]["const"].get<std::string>());
    }
    CHECK(types.size() == 41);
    CHECK(types.count("operation_started") == 2);
    CHECK_FALSE(schema["$defs"].contains("ResponseType"));
    CHECK(schema["$defs"].contains("AgentInfo"));
    // In its own schema the type may be missing.
    CHECK(acta::schema<acta::ErrorResponse>()["required"].dump() == R"(["message"])");
}

TEST_CASE("narrowed and plain definitions of one struct stand beside one another") {
    const acta::Json schema = acta::schema<Turn>();
    CHECK(schema["$defs"]["ErrorResponse"]["properties"]["type"]["const"] == "error");
    CHECK(schema["$defs"]["ErrorResponse_2"]["properties"]["type"]["default"] == "error");
    CHECK(schema["properties"]["error"]["anyOf"][0]["$ref"] == "#/$defs/ErrorResponse_2");
}

TEST_CASE("a reply that holds replies has a schema, and is read and written") {
    const acta::Json schema = acta::schema<BatchReply>();
    CHECK(schema["anyOf"].size() == 42);
    CHECK(schema["$defs"]["BatchResponse"]["properties"]["replies"]["items"]["anyOf"].size() == 42);
    const std::string text =
        R"({"type":"batch","message":"m","session_id":null,"replies":[{"type":"batch","message":"n","session_id":null,)"
        R"("replies":[]},{"type":"new"}]})";
    CHECK(acta::dump(acta::parse_tool_response<BatchResponse>(text)) == text);
}

TEST_CASE("a validator takes every golden reply and refuses what lacks a required field") {
    acta::Json good = acta::JsonArray();
    acta::Json bad = acta::JsonArray();
    const acta::Json schemas = rows_of_schemas("schemas.json");
    const std::size_t most_of_model = test_size(2, 1000);  // of which fields are taken away
    std::map<std::string, std::size_t> of_model;
    for (const acta::Json& row : rows_of_schemas("round_trips.json")) {
        const std::string model = row["model"].get<std::string>();
        if (!model.ends_with("Response")) continue;
        good.push_back(row["dump"]);
        if (++of_model[model] > most_of_model) continue;
        std::vector<std::string> required{"type"};
        for (const acta::Json& key : schemas[model]["required"]) required.push_back(key.get<std::string>());
        for (const std::string& key : required) {
            // Without its own id or tool a started operation is one that was handed over.
            if (model == "OperationStartedResponse" && (key == "operation_id" || key == "tool_name")) continue;
            acta::Json less = row["dump"];
            less.erase(key);
            bad.push_back(std::move(less));
        }
    }
    bad.push_back(acta::Json::parse(R"({"type":"new","message":"m"})"));
    acta::Json given = acta::JsonObject();
    given["schema"] = acta::schema<acta::ToolResponse>();
    given["good"] = good;
    given["bad"] = bad;
    const auto answer = python3::run(check_script, given.dump());
    if (!answer) ACTA_SKIP("no python3 here");
    if (answer->starts_with("no jsonschema")) ACTA_SKIP("python3 has no jsonschema here");
    CHECK(*answer == "ok " + std::to_string(good.size() + bad.size()) + "\n");
    CHECK(good.size() == 148);
    CHECK(bad.size() > 2 * of_model.size());
}
