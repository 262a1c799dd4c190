// SPDX-License-Identifier: MIT
#include "acta/tool_response/views.hpp"

#include <string>

#include "acta/tool_response/models.hpp"
#include "support/catch.hpp"

TEST_CASE("requirements have a typed view") {
    const auto info = acta::parse<acta::SetupInfo>(R"({"agent_id":"a","agent_name":"A","requirements":{
        "credentials":[{"id":"github_token","title":"Github Token","provider":"github","type":"oauth2","scopes":["repo"]}],
        "inputs":[{"name":"limit","title":"Limit","type":"integer","description":"How many.","required":true,
                   "default":10,"advanced":false},{"name":"query"}],
        "execution_modes":["manual","webhook"],
        "quota":[1]}})");
    const acta::RequirementsView needs = acta::requirements_view(info);
    REQUIRE(needs.credentials.size() == 1);
    CHECK(needs.credentials[0].provider == "github");
    CHECK(needs.credentials[0].scopes == std::vector<std::string>{"repo"});
    REQUIRE(needs.inputs.size() == 2);
    CHECK(needs.inputs[0].required);
    CHECK(needs.inputs[0].default_value->get<int>() == 10);
    CHECK(needs.inputs[0].other.front().first == "advanced");
    CHECK(needs.inputs[1].type == "string");
    CHECK(needs.execution_modes == std::vector<std::string>{"manual", "webhook"});
    CHECK(needs.other.front().first == "quota");
    // A view written back says the same as what it was made from, but for defaults that it fills in.
    CHECK(acta::parse<acta::RequirementsView>(acta::dump(needs)) == needs);

    CHECK(acta::requirements_view(acta::SetupInfo{}) == acta::RequirementsView{});
}

TEST_CASE("missing credentials have a typed view, by the name of the input") {
    const auto readiness = acta::parse<acta::UserReadiness>(R"({"missing_credentials":{
        "z_key":{"id":"z_key","title":"Z Key","provider":"zeta","provider_name":"Zeta","type":"api_key",
                 "types":["api_key","oauth2"],"scopes":[]},
        "a_key":{"id":"a_key","provider":"alpha","type":"user_password"}}})");
    const auto missing = acta::missing_credentials_view(readiness);
    REQUIRE(missing.size() == 2);
    CHECK(missing.front().first == "z_key");
    CHECK(missing.front().second.types == std::vector<std::string>{"api_key", "oauth2"});
    CHECK(missing.at("a_key").provider == "alpha");
    CHECK(acta::missing_credentials_view({}).empty());
}

TEST_CASE("inputs have a typed view") {
    const auto details = acta::parse<acta::AgentDetails>(R"({"id":"a","name":"A","description":"d","inputs":{
        "type":"object","required":["city"],"properties":{
            "city":{"title":"City","type":"string","description":"Where."},
            "unit":{"enum":["C","F"],"default":"C","type":["string","null"]},
            "when":{"format":"date"}}}})");
    const acta::InputsView inputs = acta::inputs_view(details.inputs);
    REQUIRE(inputs.properties.size() == 3);
    CHECK(inputs.properties.at("city").title == "City");
    CHECK(inputs.other.front().first == "type");

    const std::vector<acta::InputField> fields = acta::input_fields(inputs);
    REQUIRE(fields.size() == 3);
    CHECK(fields[0].name == "city");
    CHECK(fields[0].required);
    CHECK(fields[0].description == "Where.");
    CHECK_FALSE(fields[1].required);
    CHECK(fields[1].type == "string");
    CHECK(fields[1].options->size() == 2);
    CHECK(fields[1].default_value->get<std::string>() == "C");
    CHECK(fields[2].format == "date");
    CHECK(acta::input_fields(acta::inputs_view({})).empty());
}

TEST_CASE("details of errors have a typed view") {
    const auto reply = acta::parse<acta::ErrorResponse>(R"({"message":"m","error":"unachievable_goal","details":{
        "reason":"No block can fly.","suggested_goal":"Book a flight.","trace":5,
        "issues":[{"loc":["agents",0,"id"],"type":"missing","msg":"Field required"}]}})");
    REQUIRE(reply.details);
    const acta::ErrorDetailsView details = acta::error_details_view(*reply.details);
    CHECK(details.suggested_goal == "Book a flight.");
    CHECK_FALSE(details.exception);
    REQUIRE(details.issues);
    CHECK(std::get<std::int64_t>(details.issues->front().loc[1]) == 0);
    CHECK(details.other.front().first == "trace");
}

TEST_CASE("a dictionary of another shape is refused by the view alone") {
    // The reply itself is read: the server may say there what it likes.
    const auto info = acta::parse<acta::SetupInfo>(
        R"({"agent_id":"a","agent_name":"A","requirements":{"inputs":[{"title":"no name"},5]}})");
    try {
        (void)acta::requirements_view(info);
        FAIL("accepted");
    } catch (const acta::ValidationError& error) {
        CHECK(error.title() == "RequirementsView");
        REQUIRE(error.issues().size() == 2);
        CHECK(error.issues()[0].pointer() == "/inputs/0/name");
        CHECK(error.issues()[1].pointer() == "/inputs/1");
    }
    acta::JsonObject inputs;
    inputs["properties"] = acta::Json(5);
    CHECK_THROWS_AS(acta::inputs_view(inputs), acta::ValidationError);
    inputs.clear();
    inputs["suggested_goal"] = acta::Json(5);
    CHECK_THROWS_AS(acta::error_details_view(inputs), acta::ValidationError);
    acta::UserReadiness readiness;
    readiness.missing_credentials["key"] = acta::Json("none");
    CHECK_THROWS_AS(acta::missing_credentials_view(readiness), acta::ValidationError);
}
