// SPDX-License-Identifier: MIT
// Integers beyond 64 bits in the arguments of a call, by every way in which they arrive.
#include <cstdint>
#include <string>
#include <vector>

#include "acta/chat/message.hpp"
#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/arguments_action.hpp"
#include "acta/skill/execute.hpp"
#include "acta/skill/registry.hpp"
#if defined(ACTA_HAS_YAML)
#include "acta/skill/yaml.hpp"
#endif
#include "support/catch.hpp"

namespace {

using acta::AssistantFunctionCall;
using acta::JsonObject;
using acta::SkillRegistry;

constexpr const char* wei = "1000000000000000000000";             // 10^21
constexpr const char* digits = "123456789012345678901234567890";  // 30 of them

SkillRegistry bank() {
    SkillRegistry skills;
    skills.add(
        "pay", "Pays.",
        [](double amount, float fee) {
            return std::vector<double>{amount, fee};
        },
        "amount", acta::param("fee", "", 0.0F));
    skills.add(
        "count", "Counts.", [](std::int64_t n) { return n; }, "n");
    skills.add(
        "tag", "Tags.", [](std::uint64_t n) { return n; },
        acta::param("n", "", acta::range(9007199254740993, 18446744073709551614U)));
    return skills;
}

acta::Json paid(const JsonObject& arguments) {
    const acta::ActionResult result = bank().call("pay", arguments, {.unknown_arguments = acta::UnknownKeys::ignore});
    INFO(acta::to_string(result));
    const auto* const success = std::get_if<acta::ActionSuccessResult>(&result);
    return success == nullptr ? acta::Json() : success->outputs;
}

JsonObject of_text(const std::string& arguments) {
    const acta::Json message{
        {"role", "assistant"},
        {"content", ""},
        {"tool_calls",
         {{{"id", "c"}, {"type", "function"}, {"function", {{"name", "pay"}, {"arguments", arguments}}}}}}};
    return acta::validate<acta::ChatMessage>(message).tool_calls.front().function.arguments;
}

}  // namespace

TEST_CASE("a double parameter takes integers of any length, from JSON") {
    const std::string text = std::string(R"({"amount": )") + wei + R"(, "fee": -10000000000000000000, "unread": [)" +
                             digits + R"(, 1e999, {"x": -)" + std::string(400, '9') + "}]}";
    CHECK(paid(of_text(text)) == acta::Json({1e21, static_cast<double>(-1e19F)}));
    const std::string call = R"({"name": "pay", "arguments": )" + text + "}";
    CHECK(paid(acta::parse<AssistantFunctionCall>(call).arguments) == acta::Json({1e21, static_cast<double>(-1e19F)}));
    const auto message = acta::parse<acta::ChatMessage>(
        R"({"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function", "function": )" + call +
        "}]}");
    const JsonObject& arguments = message.tool_calls.front().function.arguments;
    CHECK(paid(arguments)[0] == 1e21);
    // What is kept is the nearest double, and the text of what no double is near to.
    CHECK(arguments.at("amount").is_number_float());
    CHECK(acta::dump(arguments.at("unread")) ==
          R"([1.2345678901234568e+29,"1e999",{"x":"-)" + std::string(400, '9') + R"("}])");
    // It is written and read unchanged.
    acta::EpisodicActionHistory<> history;
    history.register_action({.thoughts = "", .use_tool = {"pay", arguments}});
    CHECK(acta::parse<acta::EpisodicActionHistory<>>(acta::dump(history)) == history);
    CHECK(acta::to_string(bank().call("count", {{"n", arguments.at("amount")}})).find("exceeded maximum size") !=
          std::string::npos);
    CHECK(acta::to_string(bank().call("pay", {{"amount", "1e999"}})).find("finite number") != std::string::npos);
    // A document as such still refuses what its values cannot hold.
    CHECK_THROWS_AS(acta::parse<acta::Json>(wei), acta::ValidationError);
    CHECK(acta::parse<acta::Json>(wei, {.keep_large_numbers = true}) == 1e21);
}

TEST_CASE("a double parameter takes integers of any length, from calls in Python's syntax") {
    for (const std::string& argument :
         {std::string(wei), std::string("1_000_000_000_000_000_000_000"), std::string("0x3635C9ADC5DEA00000"),
          std::string("0o154327115334273650000000")}) {
        CAPTURE(argument);
        const std::string text = "pay(amount=" + argument + ", fee=-" + wei + ")";
        const acta::Json expected{1e21, static_cast<double>(-1e21F)};
        CHECK(paid(acta::parse_call(text).call.arguments) == expected);
        CHECK(paid(acta::parse_calls(text).front().call.arguments) == expected);
        CHECK(paid(acta::parse_calls("So: " + text, bank()).front().call.arguments) == expected);
        CHECK(paid(acta::parse_arguments("pay", text).value()) == expected);
    }
    const auto value = [](const std::string& number) { return acta::parse_call("f(" + number + ")").positional[0]; };
    CHECK(value("18446744073709551615").is_number_unsigned());
    CHECK(value("18446744073709551616") == 0x1p64);
    CHECK(value("-9223372036854775808").is_number_integer());
    CHECK(value("-9223372036854775809") == -0x1p63);
    CHECK(value("-18446744073709551616") == -0x1p64);
    CHECK(value("[1, {'a': 36893488147419103232}]")[1]["a"] == 0x1p65);
    // Rounded once, to the nearest, ties to even.
    CHECK(value("0x10000000000000800") == 0x1p64);
    CHECK(value("0x10000000000000801") == 0x1.0000000000001p64);
    CHECK(value("0x1000000000000080000000000") == 0x1p96);
    CHECK(value("0x1000000000000080000000001") == 0x1.0000000000001p96);
    CHECK(value("18446744073709553664") == 0x1p64);
    CHECK(value("18446744073709553665") == 0x1.0000000000001p64);
    CHECK_THROWS_AS(acta::parse_call("f(" + std::string(400, '9') + ")"), acta::CallSyntaxError);
    CHECK_THROWS_AS(acta::parse_call("f(0x" + std::string(400, 'f') + ")"), acta::CallSyntaxError);
    CHECK_THROWS_AS(acta::parse_literal(wei), acta::CallSyntaxError);
}

TEST_CASE("a double parameter takes integers of any length, from a reply in JSON or YAML") {
    const SkillRegistry skills = bank();
    const acta::Skill skill = skills.find("pay")->declaration();
    CHECK(paid(of_text(std::string(R"({"amount": ")") + wei + "\"}"))[0] == 1e21);
    for (const std::string& reply :
         {std::string("Here: {\"amount\": ") + wei + "}", std::string("pay(amount=") + wei + ")",
          std::string(R"({"name": "pay", "arguments": "{\"amount\": )") + wei + "}\"}",
          std::string(R"({"name": "pay", "arguments": {"amount": )") + wei + "}}"}) {
        CAPTURE(reply);
        acta::AssistantChatMessage message;
        message.content = reply;
        CHECK(paid(acta::read_reply(skill, message, acta::ArgumentsMode::any))[0] == 1e21);
    }
#if defined(ACTA_HAS_YAML)
    acta::Json yaml = acta::yaml_to_json(std::string("amount: ") + wei);
    CHECK(paid(JsonObject(std::move(yaml.get_ref<acta::Json::object_t&>())))[0] == 1e21);
#endif
}

TEST_CASE("bounds of a parameter are exact beyond 2^53") {
    const SkillRegistry skills = bank();
    CHECK(acta::is_success(skills.call("tag", of_text(R"({"n": 9007199254740993})"))));
    CHECK(acta::to_string(skills.call("tag", of_text(R"({"n": 9007199254740992})")))
              .find("greater than or equal to 9007199254740993") != std::string::npos);
    CHECK(acta::to_string(skills.call("tag", of_text(R"({"n": 18446744073709551615})")))
              .find("less than or equal to 18446744073709551614") != std::string::npos);
    const acta::Json parameter =
        acta::tools(skills, acta::ToolDialect::openai_chat).tools[2]["function"]["parameters"]["properties"]["n"];
    CHECK(parameter["minimum"].dump() == "9007199254740993");
    CHECK(parameter["maximum"].dump() == "18446744073709551614");
}
