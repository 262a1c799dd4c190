// SPDX-License-Identifier: MIT
#include "acta/tool_response/tool_response.hpp"

#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

namespace {

struct WeatherResponse {
    std::string message{};
    std::optional<std::string> session_id{};
    double celsius = 0;
    bool storm = false;
};

}  // namespace

template <>
struct acta::Describe<WeatherResponse> {
    static constexpr auto fields = acta::fields(acta::response_fields<WeatherResponse>("weather"),
                                                acta::required("celsius", &WeatherResponse::celsius),
                                                acta::defaulted("storm", &WeatherResponse::storm));
    static bool failed(const WeatherResponse& reply) { return reply.storm; }
};

namespace {

struct Refused {
    std::string title;
    std::string issues;  // "pointer type", a line each
};

template <class Read>
Refused refusal(const Read& read) {
    try {
        (void)read();
    } catch (const acta::ValidationError& error) {
        Refused out{error.title(), {}};
        for (const acta::Issue& issue : error.issues()) out.issues += issue.pointer() + " " + issue.type + "\n";
        return out;
    }
    FAIL("accepted");
    return {};
}

/// Both roads must say the same.
Refused refused(const std::string& text) {
    const Refused from_text = refusal([&] { return acta::parse_tool_response(text); });
    if (acta::Json::accept(text)) {
        const Refused from_json = refusal([&] { return acta::validate_tool_response(acta::Json::parse(text)); });
        CHECK(from_json.title == from_text.title);
        CHECK(from_json.issues == from_text.issues);
    }
    return from_text;
}

template <class T>
bool is(const std::string& text) {
    const acta::ToolResponse reply = acta::parse_tool_response(text);
    CHECK(acta::validate_tool_response(acta::Json::parse(text)) == reply);
    CHECK(acta::parse<acta::ToolResponse>(text) == reply);
    return std::holds_alternative<T>(reply);
}

acta::Json golden_rows(const std::string& name) {
    std::ifstream file(paths::golden(name), std::ios::binary);
    REQUIRE(file);
    return acta::Json::parse(file);
}

}  // namespace

TEST_CASE("every golden reply is read by its type and written the same") {
    std::size_t count = 0;
    for (const acta::Json& row : golden_rows("round_trips.json")) {
        const std::string model = row["model"].get<std::string>();
        if (!model.ends_with("Response")) continue;
        INFO(model << " " << row["dump"].dump());
        const acta::ToolResponse reply = acta::parse_tool_response(row["dump"].dump());
        CHECK_FALSE(std::holds_alternative<acta::UnknownResponse>(reply));
        CHECK(acta::Json::parse(acta::dump(reply)).dump() == row["dump"].dump());
        CHECK(acta::to_json_value(acta::validate_tool_response(row["dump"])) == row["dump"]);
        CHECK(acta::response_type_name(reply) == row["dump"]["type"].get<std::string>());
        CHECK(acta::response_type(reply).has_value());
        CHECK(acta::message(reply) == row["dump"]["message"].get<std::string>());
        const acta::Json& session = row["dump"]["session_id"];
        CHECK(acta::session_id(reply).has_value() == !session.is_null());
        if (!session.is_null()) CHECK(*acta::session_id(reply) == session.get<std::string>());
        const std::string name = std::visit(
            [](const auto& one) { return acta::introspection::type_title<std::remove_cvref_t<decltype(one)>>(); },
            reply);
        CHECK(name == model);
        ++count;
    }
    CHECK(count == 26 * 5 + 18);
}

TEST_CASE("golden replies are equal where what is written of them is") {
    std::vector<acta::ToolResponse> replies;
    std::vector<std::string> texts;
    for (const acta::Json& row : golden_rows("round_trips.json")) {
        if (!row["model"].get<std::string>().ends_with("Response")) continue;
        replies.push_back(acta::validate_tool_response(row["dump"]));
        texts.push_back(acta::dump(replies.back()));
    }
    for (std::size_t i = 0; i < replies.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            INFO(texts[i] << "\n" << texts[j]);
            CHECK((replies[i] == replies[j]) == (texts[i] == texts[j]));
        }
        CHECK(acta::parse_tool_response(texts[i]) == replies[i]);
    }
}

TEST_CASE("the two operation_started replies are distinguished") {
    using Own = acta::OperationStartedResponse;
    using Handed = acta::AsyncProcessingResponse;
    const auto with = [](const std::string& rest) {
        return R"({"type":"operation_started","message":"m")" + rest + "}";
    };
    CHECK(is<Own>(with(R"(,"operation_id":"o","tool_name":"t")")));
    CHECK(is<Own>(with(R"(,"operation_id":"o","tool_name":"t","status":"running")")));
    CHECK(is<Own>(with(R"(,"operation_id":"o","tool_name":"t","status":null)")));
    CHECK(is<Own>(R"({"tool_name":"t","operation_id":"o","message":"m","task_id":"x","type":"operation_started"})"));
    CHECK(is<Handed>(with(R"(,"operation_id":"o","tool_name":"t","status":"accepted")")));
    CHECK(is<Handed>(with(R"(,"operation_id":"o")")));
    CHECK(is<Handed>(with(R"(,"tool_name":"t")")));
    CHECK(is<Handed>(with(R"(,"tool_name":"t","operation_id":null)")));
    CHECK(is<Handed>(with("")));
    // Only the status says so.
    CHECK(is<Own>(with(R"(,"operation_id":"o","tool_name":"t","title":"accepted")")));
    CHECK(is<Handed>(with(R"(,"operation_id":"o","tool_name":"t","status":"accepted","title":"x")")));
    // What stands last counts.
    CHECK(is<Own>(with(R"(,"status":"accepted","operation_id":"o","tool_name":"t","status":"on")")));
    CHECK(is<Handed>(with(R"(,"operation_id":"o","tool_name":"t","tool_name":null)")));

    CHECK(refused(with(R"(,"operation_id":5,"tool_name":"t")")).title == "OperationStartedResponse");
    CHECK(refused(with(R"(,"operation_id":5)")).title == "AsyncProcessingResponse");
}

TEST_CASE("a repeated type counts as it stands last") {
    CHECK(is<acta::NeedLoginResponse>(R"({"type":"error","message":"m","type":"need_login"})"));
    CHECK(is<acta::UnknownResponse>(R"({"type":"error","message":"m","type":"new"})"));
    CHECK(is<acta::ErrorResponse>(R"({"type":"new","message":"m","type":"error"})"));
}

TEST_CASE("an unknown reply is kept whole") {
    const std::string text =
        R"({"z":1,"type":"agent_cloned","message":"Cloned.","session_id":"s","deep":{"b":[1,{"a":null}],"a":2}})";
    const acta::ToolResponse reply = acta::parse_tool_response(text);
    REQUIRE(std::holds_alternative<acta::UnknownResponse>(reply));
    CHECK(acta::dump(reply) == text);
    CHECK(acta::response_type_name(reply) == "agent_cloned");
    CHECK_FALSE(acta::response_type(reply));
    CHECK(acta::message(reply) == "Cloned.");
    CHECK(acta::session_id(reply) == "s");
    CHECK_FALSE(acta::is_error(reply));

    const acta::ToolResponse bare = acta::parse_tool_response(R"({"type":""})");
    CHECK(acta::response_type_name(bare).empty());
    CHECK(acta::message(bare).empty());
    CHECK_FALSE(acta::session_id(bare));
    const acta::ToolResponse odd = acta::parse_tool_response(R"({"type":"new","message":5,"session_id":null})");
    CHECK(acta::message(odd).empty());
    CHECK_FALSE(acta::session_id(odd));
    CHECK(acta::response_type_name(acta::UnknownResponse{}).empty());
}

TEST_CASE("errors name the reply that was read") {
    const Refused two = refused(R"({"type":"agents_found","count":"x","session_id":null,"agents":[{"id":1}]})");
    CHECK(two.title == "AgentsFoundResponse");
    CHECK(two.issues ==
          "/message missing\n/agents/0/id string_type\n/agents/0/name missing\n/agents/0/description missing\n"
          "/agents/0/source missing\n/count int_parsing\n");
    // The same whatever the order of the keys.
    CHECK(refused(R"({"agents":[{"id":1}],"count":"x","type":"agents_found"})").issues == two.issues);
    CHECK(refused(R"({"type":"error","message":1})").title == "ErrorResponse");
    CHECK(refused(R"({"message":1,"type":"error"})").title == "ErrorResponse");
    CHECK(refused(R"({"type":"error",)").title == "ErrorResponse");

    const Refused none = refused(R"({"message":"m"})");
    CHECK(none.title == "ToolResponse");
    CHECK(none.issues == " union_tag_not_found\n");
    for (const char* const wrong : {"5", "null", "true", "[]", R"({"a":1})"}) {
        INFO(wrong);
        CHECK(refused(std::string(R"({"message":"m","type":)") + wrong + "}").issues == " union_tag_invalid\n");
    }
    try {
        static_cast<void>(
            acta::parse_tool_response<std::variant<WeatherResponse, acta::ErrorResponse, acta::UnknownResponse>>(
                R"({"type":[null,1.5]})"));
        FAIL("accepted");
    } catch (const acta::ValidationError& error) {
        CHECK(error.issues()[0].message ==
              "Input tag '[None, 1.5]' found using 'type' does not match any of the expected tags: 'weather', 'error'");
    }
    try {
        static_cast<void>(acta::parse_tool_response(R"({"type":5})"));
        FAIL("accepted");
    } catch (const acta::ValidationError& error) {  // which names each type once
        const std::string message = error.issues()[0].message;
        const std::size_t first = message.find("'operation_started'");
        CHECK(first != std::string::npos);
        CHECK(message.find("'operation_started'", first + 1) == std::string::npos);
    }
    CHECK(refused("[]").issues == " dict_type\n");
    CHECK(refused("null").issues == " dict_type\n");
    CHECK(refused("").issues == " json_invalid\n");
    CHECK(refused(R"({"type":"error","message":"m"} x)").issues == " json_invalid\n");
}

TEST_CASE("options hold for replies too") {
    const std::string more = R"({"type":"error","message":"m","more":1})";
    CHECK(refusal([&] {
              return acta::parse_tool_response(more, {.unknown_keys = acta::UnknownKeys::forbid});
          }).issues == "/more extra_forbidden\n");
    CHECK(refusal([&] {
              return acta::parse_tool_response(R"({"type":"agents_found","message":1,"agents":1,"count":1})",
                                               {.max_issues = 1});
          }).title == "AgentsFoundResponse");
    const std::string deep = R"({"type":"new","a":)" + std::string(1000000, '[') + std::string(1000000, ']') + "}";
    CHECK(refused(deep.substr(0, 400)).issues == " json_invalid\n");
    CHECK(refusal([&] { return acta::parse_tool_response(deep); }).issues == " json_invalid\n");
    CHECK(refusal([&] { return acta::parse_tool_response(more, {.max_bytes = 10}); }).issues ==
          " document_too_large\n");
}

TEST_CASE("replies of one's own join without touching acta") {
    const auto reply = acta::parse_tool_response<WeatherResponse>(
        R"({"type":"weather","message":"Mild.","session_id":"s","celsius":"12.5"})");
    REQUIRE(std::holds_alternative<WeatherResponse>(reply));
    CHECK(std::get<WeatherResponse>(reply).celsius == 12.5);
    CHECK(acta::message(reply) == "Mild.");
    CHECK(acta::response_type_name(reply) == "weather");
    CHECK_FALSE(acta::response_type(reply));
    CHECK_FALSE(acta::is_error(reply));
    CHECK(acta::dump(reply) == R"({"type":"weather","message":"Mild.","session_id":"s","celsius":12.5,"storm":false})");
    CHECK(acta::is_error(
        acta::parse_tool_response<WeatherResponse>(R"({"type":"weather","message":"","celsius":1,"storm":true})")));
    const auto other = acta::parse_tool_response<WeatherResponse>(R"({"type":"error","message":"m"})");
    CHECK(std::holds_alternative<acta::ErrorResponse>(other));
    CHECK(refusal([] { return acta::parse_tool_response<WeatherResponse>(R"({"type":"weather"})"); }).title ==
          "WeatherResponse");
    // To who does not know it, it is unknown.
    CHECK(is<acta::UnknownResponse>(R"({"type":"weather","message":"Mild.","celsius":1})"));
}

TEST_CASE("a smaller variant takes what it names") {
    using Small = std::variant<acta::AgentsFoundResponse, acta::AsyncProcessingResponse, acta::UnknownResponse>;
    const auto read = [](const char* text) { return acta::parse_tool_response<Small>(text); };
    CHECK(read(R"({"type":"agents_found","message":"m","agents":[],"count":0})").index() == 0);
    CHECK(read(R"({"type":"operation_started","message":"m","operation_id":"o","tool_name":"t"})").index() == 1);
    const Small error = read(R"({"type":"error","message":"m"})");
    CHECK(error.index() == 2);
    CHECK(acta::response_type(error) == acta::ResponseType::error);
}

TEST_CASE("replies stand inside other values") {
    const std::string text = R"([{"type":"error","message":"a"},{"type":"new"},{"message":"b","type":"need_login"}])";
    const auto replies = acta::parse<std::vector<acta::ToolResponse>>(text);
    CHECK(replies.size() == 3);
    CHECK(acta::message(replies[2]) == "b");
    CHECK(acta::parse<std::vector<acta::ToolResponse>>(acta::dump(replies)) == replies);
    CHECK(refusal([] {
              return acta::parse<std::vector<acta::ToolResponse>>(R"([{"type":"new"},{"type":"error"},{}])");
          }).issues == "/1/message missing\n/2 union_tag_not_found\n");
}

TEST_CASE("match calls the function for the reply at hand") {
    const auto said = [](const acta::ToolResponse& reply) {
        return acta::match(
            reply, [](const acta::AgentsFoundResponse& found) { return "found " + std::to_string(found.count); },
            [](const acta::UnknownResponse& unknown) {
                return "unknown " + std::string(acta::response_type_name(unknown));
            },
            [](const auto& other) { return "other " + std::string(acta::response_type_name(other)); });
    };
    CHECK(said(acta::AgentsFoundResponse{.message = "m", .count = 2}) == "found 2");
    CHECK(said(acta::ErrorResponse{.message = "m"}) == "other error");
    CHECK(said(acta::parse_tool_response(R"({"type":"new"})")) == "unknown new");

    acta::ToolResponse reply = acta::ErrorResponse{.message = "m"};
    acta::match(reply, [](auto& one) {
        if constexpr (requires { one.message = "changed"; }) one.message = "changed";
    });
    CHECK(acta::message(reply) == "changed");
}

TEST_CASE("what counts as an error") {
    const std::pair<const char*, bool> replies[] = {
        {R"("error")", true},
        {R"("input_validation_error","unrecognized_fields":[],"inputs":{})", true},
        {R"("need_login")", true},
        {R"("no_results")", false},
        {R"("block_output","block_id":"b","block_name":"B","outputs":{})", false},
        {R"("block_output","block_id":"b","block_name":"B","outputs":{},"success":false)", true},
        {R"("workspace_file_deleted","file_id":"f","success":true)", false},
        {R"("workspace_file_deleted","file_id":"f","success":false)", true},
        {R"("agent_builder_validation_result","valid":true)", false},
        {R"("agent_builder_validation_result","valid":false)", true},
        {R"("agent_builder_fix_result","valid_after_fix":true)", false},
        {R"("agent_builder_fix_result","valid_after_fix":false)", true},
        {R"("bash_exec","stdout":"","stderr":"Error","exit_code":0)", false},
        {R"("bash_exec","stdout":"","stderr":"","exit_code":0,"timed_out":true)", true},
        {R"("bash_exec","stdout":"","stderr":"","exit_code":-1)", true},
        {R"("web_fetch","url":"u","status_code":399,"content_type":"t","content":"")", false},
        {R"("web_fetch","url":"u","status_code":400,"content_type":"t","content":"")", true},
        {R"("of tomorrow","success":false)", false},
    };
    for (const auto& [members, fails] : replies) {
        const std::string text = R"({"message":"m","type":)" + std::string(members) + "}";
        INFO(text);
        CHECK(acta::is_error(acta::parse_tool_response(text)) == fails);
    }
    for (const char* const status : {"FAILED", "failed", "TERMINATED", "COMPLETED", "RUNNING", "QUEUED", ""}) {
        const std::string name = status;
        const bool fails = name == "FAILED" || name == "failed" || name == "TERMINATED";
        CHECK(acta::is_error(acta::AgentOutputResponse{
                  .message = "m", .execution = acta::ExecutionOutputInfo{.status = name}}) == fails);
        CHECK(acta::is_error(acta::ExecutionStartedResponse{.message = "m", .status = name}) == fails);
    }
    CHECK_FALSE(acta::is_error(acta::AgentOutputResponse{.message = "m"}));
    CHECK(acta::response_type(acta::ErrorResponse{}) == acta::ResponseType::error);
}

TEST_CASE("a reply converts to and from nlohmann's values") {
    const acta::ToolResponse reply = acta::ErrorResponse{.message = "m"};
    const nlohmann::json json = reply;
    CHECK(json["type"] == "error");
    CHECK(json.get<acta::ToolResponse>() == reply);
}

TEST_CASE("unknown fields of known replies are kept when that is asked for, in their structs and lists") {
    const std::string text =
        R"({"type":"agents_found","message":"m","session_id":null,"title":"t","agents":[{"id":"a","name":"n",)"
        R"("description":"d","source":"library","in_library":false,"stars":5}],"count":1,"name":"agents_found",)"
        R"("trace":{"id":"x"}})";
    const auto kept = acta::parse_tool_response(text, {.unknown_keys = acta::UnknownKeys::keep});
    const auto& found = std::get<acta::AgentsFoundResponse>(kept);
    CHECK(found.extra == acta::JsonObject{{"trace", {{"id", "x"}}}});
    CHECK(found.agents.at(0).extra == acta::JsonObject{{"stars", 5}});
    const std::string written = acta::dump(kept);
    CHECK(acta::parse_tool_response(written, {.unknown_keys = acta::UnknownKeys::keep}) == kept);
    CHECK(written.find(R"("stars":5)") != std::string::npos);
    CHECK(written.find(R"("trace":{"id":"x"})") != std::string::npos);
    // By default they are ignored, and an issue if that is asked for.
    CHECK(acta::dump(acta::parse_tool_response(text)).find("stars") == std::string::npos);
    CHECK_THROWS_AS(acta::parse_tool_response(text, {.unknown_keys = acta::UnknownKeys::forbid}),
                    acta::ValidationError);
    CHECK(acta::schema<acta::AgentInfo>().dump().find("extra") == std::string::npos);
}

TEST_CASE("replies that the platform has today are types, and the others are kept whole") {
    const acta::ToolResponse ran =
        acta::parse_tool_response(R"({"type":"bash_exec","message":"Ran.","stdout":"a","stderr":"","exit_code":1})");
    CHECK(std::get<acta::BashExecResponse>(ran).output == "a");
    CHECK(acta::is_error(ran));
    CHECK_FALSE(acta::response_type(ran));
    CHECK(acta::response_type_name(ran) == "bash_exec");
    CHECK(acta::dump(ran) == R"({"type":"bash_exec","message":"Ran.","session_id":null,"stdout":"a","stderr":"",)"
                             R"("exit_code":1,"timed_out":false})");
    const auto asked = acta::parse_tool_response(
        R"({"type":"agent_builder_clarification_needed","message":"?","questions":[{"question":"When?","keyword":"time"}]})");
    CHECK(std::get<acta::BuilderClarificationResponse>(asked).questions.at(0).keyword == "time");
    CHECK_FALSE(acta::is_error(asked));
    for (const char* const text :
         {R"({"type":"mcp_tool_output","message":"m","status":"running","sub_session_id":"s"})",
          R"({"type":"folder_list","message":"m","tree":[{"id":"f","children":[]}]})"}) {
        const acta::ToolResponse unknown = acta::parse_tool_response(text);
        CHECK(std::holds_alternative<acta::UnknownResponse>(unknown));
        CHECK(acta::dump(unknown) == text);
    }
}
