// SPDX-License-Identifier: MIT
// One family alone is enough to make, write and read its replies.
#include <chrono>
#include <fstream>
#include <string>

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "acta/tool_response/models.hpp"
#include "acta/tool_response/tool_response.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

namespace {

acta::Issue only_issue(const acta::ValidationError& error) {
    REQUIRE(error.issues().size() == 1);
    return error.issues().front();
}

template <class T>
acta::Issue refused(const std::string& text) {
    try {
        (void)acta::parse<T>(text);
    } catch (const acta::ValidationError& error) {
        return only_issue(error);
    }
    FAIL("accepted: " << text);
    return {};
}

}  // namespace

TEST_CASE("designated initialisers take the common fields too") {
    const acta::AgentsFoundResponse found{
        .message = "Found one.",
        .session_id = "s1",
        .agents = {{.id = "ann/tides", .name = "Tides", .description = "Tide tables", .source = "marketplace"}},
        .count = 1};
    CHECK(found.title == "Available Agents");
    CHECK(acta::dump(found).starts_with(
        R"({"type":"agents_found","message":"Found one.","session_id":"s1","title":"Available Agents","agents":[{"id":)"));
    CHECK(acta::parse<acta::AgentsFoundResponse>(acta::dump(found)) == found);

    const acta::ErrorResponse error{.message = "No."};
    CHECK(acta::dump(error) == R"({"type":"error","message":"No.","session_id":null,"error":null,"details":null})");
}

TEST_CASE("the type need not be there, but must be right where it is") {
    CHECK(acta::parse<acta::ErrorResponse>(R"({"message":"m"})").message == "m");

    const acta::Issue other = refused<acta::ErrorResponse>(R"({"type":"need_login","message":"m"})");
    CHECK(other.type == "literal_error");
    CHECK(other.message == "Input should be 'error'");
    CHECK(other.pointer() == "/type");

    const acta::Issue unknown = refused<acta::ErrorResponse>(R"({"type":"errors","message":"m"})");
    CHECK(unknown.type == "enum");
    CHECK(refused<acta::ErrorResponse>(R"({"type":null,"message":"m"})").type == "enum");

    CHECK(refused<acta::ErrorResponse>(R"({"type":"error"})").type == "missing");
    CHECK(refused<acta::ErrorResponse>(R"({"message":null})").type == "string_type");
    CHECK(acta::parse<acta::ErrorResponse>(R"({"type":"need_login","message":"m","type":"error"})").message == "m");
}

TEST_CASE("a fixed choice of texts says so whatever stands there") {
    const auto with = [](const std::string& type) {
        return refused<acta::CredentialsMetaInput>(R"({"id":"i","provider":"p","type":)" + type + "}");
    };
    for (const char* const wrong : {R"("password")", "null", "1", "[]", "{}"}) {
        INFO(wrong);
        CHECK(with(wrong).type == "literal_error");
        CHECK(with(wrong).message == "Input should be 'api_key', 'oauth2', 'user_password' or 'host_scoped'");
    }
    CHECK(acta::parse<acta::CredentialsMetaInput>(R"({"id":"i","provider":"p","type":"oauth2"})").type == "oauth2");
}

TEST_CASE("outputs keep the order of their names") {
    const std::string text =
        R"({"type":"block_output","message":"m","session_id":null,"block_id":"b","block_name":"B",)"
        R"("outputs":{"z":[1],"a":["x",null]},"success":true})";
    const auto reply = acta::parse<acta::BlockOutputResponse>(text);
    CHECK(reply.outputs.front().first == "z");
    CHECK(acta::dump(reply) == text);
    const acta::Issue issue =
        refused<acta::BlockOutputResponse>(R"({"message":"m","block_id":"b","block_name":"B","outputs":{"z":1}})");
    CHECK(issue.type == "list_type");
    CHECK(issue.pointer() == "/outputs/z");
}

TEST_CASE("times keep offset and microseconds, and can be reckoned with") {
    const auto run = acta::parse<acta::ExecutionOutputInfo>(
        R"({"execution_id":"e","status":"COMPLETED","started_at":"2024-05-01T10:00:00.25+02:00",)"
        R"("ended_at":"2024-05-01T08:01:30Z","outputs":{}})");
    REQUIRE((run.started_at && run.ended_at));
    CHECK(*run.ended_at->instant() - *run.started_at->instant() == std::chrono::milliseconds(89750));
    CHECK(acta::dump(run).find(R"("started_at":"2024-05-01T10:00:00.250000+02:00")") != std::string::npos);
}

TEST_CASE("every golden time is read as the start of a run, or refused") {
    std::ifstream file(paths::golden("datetimes.json"), std::ios::binary);
    REQUIRE(file);
    std::size_t count = 0;
    for (const acta::Json& row : acta::Json::parse(file)) {
        acta::Json run = acta::Json::parse(R"({"execution_id":"e","status":"s","outputs":{}})");
        run["started_at"] = row["input"];
        INFO(run.dump());
        acta::Json expected = acta::JsonArray();
        if (row.contains("issues")) {
            for (const acta::Json& issue : row["issues"]) expected.push_back(issue["type"]);
        } else {
            expected.push_back(row["printed"]);
        }
        acta::Json found = acta::JsonArray();
        try {
            found.push_back(acta::to_json_value(acta::parse<acta::ExecutionOutputInfo>(run.dump()))["started_at"]);
        } catch (const acta::ValidationError& error) {
            for (const acta::Issue& issue : error.issues()) found.push_back(issue.type);
        }
        CHECK(found.dump() == expected.dump());
        ++count;
    }
    CHECK(count == 35);
}

TEST_CASE("fixed texts are members that can be replaced, and constants") {
    CHECK(acta::BlockListResponse{}.usage_hint == acta::texts::block_usage_hint);
    const acta::BlockListResponse german{.message = "m", .usage_hint = "Mit run_block ausführen."};
    CHECK(acta::parse<acta::BlockListResponse>(acta::dump(german)).usage_hint == "Mit run_block ausführen.");
    const acta::Json schema = acta::schema<acta::BlockListResponse>();
    CHECK(schema["properties"]["usage_hint"]["default"].get<std::string>() == acta::texts::block_usage_hint);
}

TEST_CASE("response types and their names") {
    CHECK(acta::Describe<acta::ResponseType>::values.size() == 25);
    for (const auto& [name, type] : acta::Describe<acta::ResponseType>::values) {
        CHECK(acta::to_string(type) == name);
        CHECK(acta::find_response_type(name) == type);
    }
    CHECK_FALSE(acta::find_response_type("agents"));
    CHECK_FALSE(acta::find_response_type(""));
}
