// SPDX-License-Identifier: MIT
#include "acta/interop/validation_reply.hpp"

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/catch.hpp"

namespace {

struct Trip {
    std::string city{};
    std::vector<int> days{};
};

acta::ValidationError error_of(const std::string& text, const acta::ParseOptions& options = {}) {
    try {
        static_cast<void>(acta::parse<Trip>(text, options));
    } catch (const acta::ValidationError& error) {
        return error;
    }
    FAIL("read without an issue");
    return acta::ValidationError("", {});
}

}  // namespace

template <>
struct acta::Describe<Trip> {
    static constexpr auto fields =
        acta::fields(acta::required("city", &Trip::city), acta::defaulted("days", &Trip::days));
};

TEST_CASE("a validation error becomes an error response") {
    const acta::ErrorResponse reply = acta::to_error_response(error_of(R"({"days":[1,"x"]})"), "s1");
    CHECK(reply.message ==
          "Invalid input: city: Field required; days.1: Input should be a valid integer, unable to parse string as an "
          "integer (it is \"x\")");
    CHECK(reply.session_id == "s1");
    CHECK(reply.error == "validation_error");
    CHECK(acta::Json(*reply.details).dump() ==
          R"({"title":"Trip","issues":[{"loc":["city"],"type":"missing","msg":"Field required",)"
          R"("input":"{\"days\":[1,\"x\"]}"},{"loc":["days",1],"type":"int_parsing","msg":"Input should be a valid )"
          R"(integer, unable to parse string as an integer","input":"\"x\""}],"truncated":false})");
    CHECK(acta::parse<acta::ErrorResponse>(acta::dump(reply)) == reply);
}

TEST_CASE("text that is not JSON, and too many issues, are said") {
    CHECK_THAT(acta::to_error_response(error_of("{")).message, starts_with_text("Invalid input: Invalid JSON: "));
    const auto many = error_of(R"({"city":"x","days":["a","b","c"]})", {.max_issues = 2});
    CHECK_THAT(acta::to_error_response(many).message, ends_with_text("; and more"));
}

TEST_CASE("inputs that an agent does not have are named") {
    const auto error = error_of(R"({"town":"x","days":["z"]})", {.unknown_keys = acta::UnknownKeys::forbid});
    const acta::Json schema = acta::schema<Trip>();
    const auto reply = acta::to_input_validation_error_response(
        error, acta::JsonObject(schema.get_ref<const acta::Json::object_t&>()));
    CHECK(reply.unrecognized_fields == std::vector<std::string>{"town"});
    CHECK_THAT(reply.message, contains_text("city: Field required"));
    CHECK_THAT(reply.message, contains_text("town: Extra inputs are not permitted"));
    CHECK(acta::Json(reply.inputs) == schema);
    CHECK(acta::parse<acta::InputValidationErrorResponse>(acta::dump(reply)) == reply);
}
