// SPDX-License-Identifier: MIT
#include "acta/action/action.hpp"

#include <sstream>
#include <string>

#include "acta/json/json.hpp"
#include "support/issues.hpp"

namespace {

acta::ActionResult success(const acta::Json& outputs) {
    acta::ActionSuccessResult result;
    result.outputs = outputs;
    return result;
}
acta::ActionResult error(const std::string& reason) {
    acta::ActionErrorResult result;
    result.reason = reason;
    return result;
}
acta::ActionResult interrupted(const std::string& feedback) {
    acta::ActionInterruptedByHuman result;
    result.feedback = feedback;
    return result;
}

template <class R>
std::string streamed(const R& result) {
    std::ostringstream out;
    out << result;
    return out.str();
}

}  // namespace

TEST_CASE("results print as the reference says") {
    CHECK(acta::to_string(success("plain 'text'")) == "plain 'text'");
    CHECK(acta::to_string(success(nullptr)) == "None");
    CHECK(acta::to_string(success(acta::Json::parse(R"({"b":[1.0,true],"a":"x"})"))) == "{'b': [1.0, True], 'a': 'x'}");
    CHECK(acta::to_string(success("")) == "");
    CHECK(acta::to_string(error("no such file")) == "Action failed: 'no such file'");
    CHECK(acta::to_string(error("it's \"so\"")) == "Action failed: 'it's \"so\"'");
    CHECK(acta::to_string(interrupted("do \"that\"")) ==
          "The user interrupted the action with the following feedback: \"do \"that\"\"");
    for (const acta::ActionResult& one : {success(1), error("x"), interrupted("y")})
        CHECK(streamed(one) == acta::to_string(one));
    // Each also by itself.
    CHECK(streamed(acta::ActionSuccessResult{.outputs = 1}) == "1");
    CHECK(streamed(acta::ActionErrorResult{.reason = "x"}) == "Action failed: 'x'");
    CHECK(streamed(acta::ActionInterruptedByHuman{.feedback = "y"}) == acta::to_string(interrupted("y")));
}

TEST_CASE("outputs of several lines are fenced, and a fence inside ends nothing") {
    CHECK(acta::to_string(success("a\nb")) == "```\na\nb\n```");
    CHECK(acta::to_string(success("\n")) == "```\n\n\n```");
    CHECK(acta::to_string(success("x\n```\ny\n```")) == "```\nx\n\\```\ny\n\\```\n```");
    CHECK(acta::to_string(success("````\n")) == "```\n\\````\n\n```");
    CHECK(acta::to_string(success("``````\n")) == "```\n\\```\\```\n\n```");
    CHECK(acta::to_string(success("one ``` line")) == "one ``` line");
    // A newline inside a value that Python escapes is no line break.
    CHECK(acta::to_string(success(acta::Json::parse(R"(["a\nb"])"))) == R"(['a\nb'])");
}

TEST_CASE("results are distinguished") {
    CHECK(acta::status(success(1)) == acta::ResultStatus::success);
    CHECK(acta::status(error("")) == acta::ResultStatus::error);
    CHECK(acta::status(interrupted("")) == acta::ResultStatus::interrupted_by_human);
    CHECK(acta::is_success(success(1)));
    CHECK_FALSE(acta::is_success(error("")));
    CHECK(acta::is_error(error("")));
    CHECK_FALSE(acta::is_error(interrupted("")));
    const auto word = [](const acta::ActionResult& result) {
        return acta::match(
            result, [](const acta::ActionSuccessResult& one) { return one.outputs.dump(); },
            [](const acta::ActionErrorResult& one) { return one.reason; },
            [](const acta::ActionInterruptedByHuman& one) { return one.feedback; });
    };
    CHECK(word(success(1)) == "1");
    CHECK(word(error("e")) == "e");
    CHECK(word(interrupted("f")) == "f");
    CHECK(acta::match(error("e"), [](const auto&) { return 7; }) == 7);
}

TEST_CASE("a result is read by its status, else by its required key") {
    using Result = acta::ActionResult;
    CHECK(acta::parse<Result>(R"({"outputs":1,"status":"success"})") == success(1));
    CHECK(acta::parse<Result>(R"({"status":"error","reason":"x"})") == error("x"));
    CHECK(acta::parse<Result>(R"({"feedback":"x"})") == interrupted("x"));
    CHECK(acta::parse<Result>(R"({"feedback":"f","reason":"r"})") == error("r"));
    CHECK(acta::parse<Result>(R"({"feedback":"f","reason":"r","outputs":null})") == success(nullptr));
    CHECK(faults<Result>(R"({"status":"timeout","reason":"x"})") == Faults{" union_tag_invalid"});
    CHECK(faults<Result>(R"({"error":null})") == Faults{" union_tag_not_found"});
    CHECK(faults<Result>(R"({"status":"error"})") == Faults{"/reason missing"});
    CHECK(faults<Result>(R"({"status":"error","reason":1,"error":{"args":1}})") ==
          Faults{"/reason string_type", "/error/args tuple_type", "/error/message missing",
                 "/error/exception_type missing", "/error/repr missing"});
}

TEST_CASE("a result converts to and from both kinds of JSON value") {
    const acta::ActionResult result = error("x");
    const nlohmann::json sorted = result;
    const acta::Json ordered = result;
    CHECK(sorted["status"] == "error");
    CHECK(ordered.dump() == R"({"reason":"x","error":null,"status":"error"})");
    CHECK(sorted.get<acta::ActionResult>() == result);
    CHECK(ordered.get<acta::ActionResult>() == result);
    CHECK_THROWS_AS(acta::Json(1).get<acta::ActionResult>(), acta::ValidationError);
}
