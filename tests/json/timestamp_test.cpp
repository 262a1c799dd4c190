// SPDX-License-Identifier: MIT
#include "acta/json/timestamp.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

namespace {

using namespace std::chrono_literals;
using Micros = std::chrono::microseconds;

struct RunInfo {
    std::optional<acta::Timestamp> started_at;
};

}  // namespace

template <>
struct acta::Describe<RunInfo> {
    static constexpr auto fields = acta::fields(acta::defaulted("started_at", &RunInfo::started_at));
};

namespace {

const acta::ParseOptions strict{.strictness = acta::Strictness::strict};

std::string issue_text(const acta::ValidationError& error) {
    REQUIRE(error.issues().size() == 1);
    const acta::Issue& issue = error.issues().front();
    CHECK(issue.pointer() == "/started_at");
    return issue.type + " | " + issue.message;
}

/// Reads `value`, JSON text, as `started_at`, as text and as a `Json`; both must say the same.
std::string outcome(const std::string& value, const acta::ParseOptions& options = {}) {
    const std::string document = "{\"started_at\":" + value + "}";
    std::string from_text;
    std::string from_json;
    try {
        from_text = acta::dump(acta::parse<RunInfo>(document, options));
    } catch (const acta::ValidationError& error) {
        from_text = issue_text(error);
    }
    if (value.find("e400") != std::string::npos && value.front() != '"') return from_text;  // nlohmann cannot read it
    try {
        from_json = acta::to_json_value(acta::validate<RunInfo>(acta::Json::parse(document), options)).dump();
    } catch (const acta::ValidationError& error) {
        from_json = issue_text(error);
    }
    CHECK(from_text == from_json);
    return from_text;
}
std::string printed(std::string_view text) { return "{\"started_at\":\"" + std::string(text) + "\"}"; }
std::string json_text(std::string_view text) { return acta::Json(std::string(text)).dump(); }

const std::string parsing = "datetime_parsing | Input should be a valid datetime, ";
const std::string from_date = "datetime_from_date_parsing | Input should be a valid datetime or date, ";
const std::string no_datetime = "datetime_type | Input should be a valid datetime";
const std::string too_late = "dates after 9999 are not supported as unix timestamps";
const std::string too_early = "dates before 0000 are not supported as unix timestamps";

acta::Timestamp at(std::string_view text) {
    const std::optional<acta::Timestamp> out = acta::parse_timestamp(text);
    REQUIRE(out);
    return *out;
}

}  // namespace

TEST_CASE("every timestamp pydantic was asked about is read and printed as it does") {
    std::ifstream file(paths::golden("datetimes.json"));
    const acta::Json rows = acta::Json::parse(file);
    REQUIRE(rows.size() > 30);
    for (const acta::Json& row : rows) {
        const std::string input = row.at("input").dump();
        CAPTURE(input);
        if (row.contains("printed")) {
            CHECK(outcome(input) == "{\"started_at\":" + row.at("printed").dump() + "}");
        } else {
            const acta::Json& issue = row.at("issues").at(0);
            CHECK(outcome(input) == issue.at("type").get<std::string>() + " | " + issue.at("msg").get<std::string>());
        }
    }
}

TEST_CASE("the grammar of timestamps has the corners of pydantic's") {
    const auto [text, expected] = GENERATE(table<std::string, std::string>({
        {"2024-02-29_23:59:58", printed("2024-02-29T23:59:58")},
        {"2024-02-29T23:59Z", printed("2024-02-29T23:59:00Z")},
        {"2024-02-29T23:59:58\xE2\x88\x92"
         "0800",
         printed("2024-02-29T23:59:58-08:00")},
        {"2024-02-29T23:59:58-00:00", printed("2024-02-29T23:59:58Z")},
        {"2024-02-29T23:59:58+23:59", printed("2024-02-29T23:59:58+23:59")},
        {"2024-02-29T23:59:58-23:59", printed("2024-02-29T23:59:58-23:59")},
        {"2024-02-29T23:59:58-00:30", printed("2024-02-29T23:59:58-00:30")},
        {"0001-01-01T00:00:00+23:59", printed("0001-01-01T00:00:00+23:59")},
        {"9999-12-31T23:59:59-23:59", printed("9999-12-31T23:59:59-23:59")},
        {"2024-02-29T23:59:58." + std::string(100'000, '9'), printed("2024-02-29T23:59:58.999999")},
        {"2000-02-29", printed("2000-02-29T00:00:00")},
        {"1900-02-29", from_date + "day value is outside expected range"},
        {"2024-04-31", from_date + "day value is outside expected range"},
        {"2024-01-00", from_date + "day value is outside expected range"},
        {"2024-00-10", from_date + "month value is outside expected range of 1-12"},
        {"0000-01-01", parsing + "year 0 is out of range"},
        {"0000-02-29T00:00:00Z", parsing + "year 0 is out of range"},
        {"0000-02-30", from_date + "day value is outside expected range"},
        {"10000-01-01T00:00:00Z", from_date + "invalid date separator, expected `-`"},
        {"2024-02/29", from_date + "invalid date separator, expected `-`"},
        {"202x-02-29", from_date + "invalid character in year"},
        {"2024-x2-29", from_date + "invalid character in month"},
        {"2024-02-2x", from_date + "invalid character in day"},
        {"2024-02-2", from_date + "input is too short"},
        {"2024-02-29T", from_date + "unexpected extra characters at the end of the input"},
        {"2024-02-29T23:59:58.Z", from_date + "unexpected extra characters at the end of the input"},
        {std::string("2024-02-29\0", 11), from_date + "unexpected extra characters at the end of the input"},
        {" 2024-02-29", from_date + "invalid character in year"},
    }));
    CAPTURE(text.substr(0, 60));
    CHECK(outcome(json_text(text)) == expected);
}

TEST_CASE("numbers and text that is one are seconds or, beyond 2e10, milliseconds") {
    const auto [value, expected] = GENERATE(table<std::string, std::string>({
        {"0.0000005", printed("1970-01-01T00:00:00.000001Z")},
        {"0.9999999", printed("1970-01-01T00:00:01Z")},
        {"-0.5", printed("1969-12-31T23:59:59.500000Z")},
        {"-20000000000", printed("1336-03-23T12:26:40Z")},
        {"-20000000001", printed("1969-05-14T12:26:39.999000Z")},
        {"20000000001.5", printed("1970-08-20T11:33:20.001500Z")},
        {"-20000000001.5", printed("1969-05-14T12:26:39.998500Z")},
        {"1709251198123.456", printed("2024-02-29T23:59:58.123456Z")},
        {"253402300799999", printed("9999-12-31T23:59:59.999000Z")},
        {"-62135596800000", printed("0001-01-01T00:00:00Z")},
        {"-62135596800001", parsing + "year 0 is out of range"},
        {"-62167219200000", parsing + "year 0 is out of range"},
        {"1.5e3", printed("1970-01-01T00:25:00Z")},
    }));
    CAPTURE(value);
    CHECK(outcome(value) == expected);
    CHECK(outcome(json_text(value)) == expected);
}

TEST_CASE("fractions below zero count forward, in numbers as in text, unlike in pydantic's numbers") {
    CHECK(outcome("-0.25") == printed("1969-12-31T23:59:59.750000Z"));
    CHECK(outcome("\"-0.25\"") == printed("1969-12-31T23:59:59.750000Z"));
    CHECK(outcome("-1e-7") == printed("1970-01-01T00:00:00Z"));
    CHECK(outcome("20000000000.5") == printed("1970-08-20T11:33:20.000500Z"));
    // Milliseconds with a point stay milliseconds, also where their seconds are beyond 2e10 (not so in pydantic's
    // text).
    CHECK(outcome("\"30000000000000.5\"") == printed("2920-08-30T05:20:00.000500Z"));
}

TEST_CASE("numbers far out of range are refused") {
    CHECK(outcome("253402300800000") == parsing + too_late);
    CHECK(outcome("-62167219200001") == parsing + too_early);
    CHECK(outcome("999999999999999999") == parsing + too_late);
    CHECK(outcome("-999999999999999999") == parsing + too_early);
    CHECK(outcome("1e18") == parsing + too_late);
    CHECK(outcome("-1e300") == parsing + too_early);
    CHECK(outcome("1e400") == parsing + too_late);
    CHECK(outcome("-1e400") == parsing + too_early);
    CHECK(outcome("1000000000000000000") == no_datetime);
    CHECK(outcome("9223372036854775807") == no_datetime);
    CHECK(outcome("-9223372036854775808") == no_datetime);
    CHECK(outcome("18446744073709551615") == no_datetime);

    const auto invalid = [](double value) {
        acta::Json json = acta::Json::object();
        json["started_at"] = value;
        try {
            (void)acta::validate<RunInfo>(json);
            return std::string("read");
        } catch (const acta::ValidationError& error) {
            return issue_text(error);
        }
    };
    CHECK(invalid(std::numeric_limits<double>::infinity()) == parsing + too_late);
    CHECK(invalid(-std::numeric_limits<double>::infinity()) == parsing + too_early);
    CHECK(invalid(std::numeric_limits<double>::quiet_NaN()) == parsing + "NaN values not permitted");
    CHECK(invalid(std::numeric_limits<double>::max()) == parsing + too_late);
    CHECK(invalid(std::numeric_limits<double>::denorm_min()) == "read");
}

TEST_CASE("numeric text is read by a grammar of its own") {
    CHECK(outcome("\"+5\"") == printed("1970-01-01T00:00:05Z"));
    CHECK(outcome("\"-0\"") == printed("1970-01-01T00:00:00Z"));
    CHECK(outcome(json_text(std::string(100'000, '0') + "5")) == printed("1970-01-01T00:00:05Z"));
    CHECK(outcome("\".5\"") == printed("1970-01-01T00:00:00.500000Z"));
    CHECK(outcome("\"5.\"") == printed("1970-01-01T00:00:05Z"));
    CHECK(outcome("\"1.5E-3\"") == printed("1970-01-01T00:00:00.001500Z"));
    for (const char* text : {"+", "-", ".", "-.", "--5", "+-5", " 5", "5 ", "1_0", "1e5", "1.5e", "1.5e+", ".e5",
                             "1.5f", "1.2.3", "nan", "inf", "0x1.8p3", "1.5e400"}) {
        CAPTURE(text);
        CHECK(outcome(json_text(text)) == from_date + "input is too short");
    }
    CHECK(outcome("\"253402300800000\"") == from_date + too_late);
    CHECK(outcome("\"-99999999999999\"") == from_date + too_early);
    CHECK(outcome("\"9223372036854775807\"") == from_date + too_late);
    CHECK(outcome("\"9223372036854775808\"") == from_date + "invalid date separator, expected `-`");
    CHECK(outcome("\"-9223372036854775808\"") == from_date + "invalid character in year");
    CHECK(outcome(json_text(std::string(100'000, '9'))) == from_date + "invalid date separator, expected `-`");
    CHECK(outcome(json_text(std::string(100'000, '9') + ".5")) == from_date + "invalid date separator, expected `-`");
}

TEST_CASE("strict mode takes text with a date and a time, or with a number") {
    CHECK(outcome("\"2024-02-29 23:59:58.5-0830\"", strict) == printed("2024-02-29T23:59:58.500000-08:30"));
    CHECK(outcome("\"2024\"", strict) == printed("1970-01-01T00:33:44Z"));
    CHECK(outcome("\"1709251198.25\"", strict) == printed("2024-02-29T23:59:58.250000Z"));
    CHECK(outcome("null", strict) == "{\"started_at\":null}");
    for (const char* value : {"0", "1709251198.25", "1e400", "true", "[1]", "{\"a\":1}"}) {
        CAPTURE(value);
        CHECK(outcome(value, strict) == no_datetime);
    }
    const auto [text, reason] = GENERATE(table<std::string, std::string>({
        {"now", "input is too short"},
        {"1e3", "input is too short"},
        {"99999999999999999", "dates after 9999 are not supported as unix timestamps"},
        {"999999999999999999999.5", "invalid date separator, expected `-`"},
        {"2024-02-29", "invalid datetime separator, expected `T`, `t`, `_` or space"},
        {"2024-02-29X23:59:58", "invalid datetime separator, expected `T`, `t`, `_` or space"},
        {"2024-02-29T23:5", "input is too short"},
        {"2024-02-29Tx3:59", "invalid character in hour"},
        {"2024-02-29T23.59", "invalid time separator, expected `:`"},
        {"2024-02-29T23:x9", "invalid character in minute"},
        {"2024-02-29T24:00", "hour value is outside expected range of 0-23"},
        {"2024-02-29T23:60", "minute value is outside expected range of 0-59"},
        {"2024-02-29T23:59:", "invalid character in second"},
        {"2024-02-29T23:59:60", "second value is outside expected range of 0-59"},
        {"2024-02-29T23:59:58.Z", "second fraction digits missing after `.`"},
        {"2024-02-29T23:59:58 Z", "invalid timezone sign"},
        {"2024-02-29T23:59:58\xE2\x88\x93"
         "0800",
         "invalid timezone sign"},
        {"2024-02-29T23:59:58+8:00", "invalid timezone hour"},
        {"2024-02-29T23:59:58+08", "invalid timezone minute"},
        {"2024-02-29T23:59:58+08:60", "timezone minute value is outside expected range of 0-59"},
        {"2024-02-29T23:59:58+24:00", "timezone offset must be less than 24 hours"},
        {"2024-02-29T23:59:58Z ", "unexpected extra characters at the end of the input"},
        {"0000-01-01T00:00:00Z", "year 0 is out of range"},
    }));
    CAPTURE(text);
    CHECK(outcome(json_text(text), strict) == parsing + reason);
}

TEST_CASE("parse_timestamp reads what a document's text may be") {
    CHECK(acta::parse_timestamp("2024-02-29T12:00:00Z") == acta::parse_timestamp("2024-02-29 12:00z"));
    CHECK(acta::parse_timestamp("1709251198") == acta::parse_timestamp("2024-02-29T23:59:58Z"));
    CHECK_FALSE(acta::parse_timestamp("2024-02-29", acta::Strictness::strict));
    CHECK_FALSE(acta::parse_timestamp("yesterday"));
    CHECK_FALSE(acta::parse_timestamp(""));
}

TEST_CASE("an offset says which moment is meant and none says nothing") {
    const acta::Timestamp noon = at("2024-02-29T12:00:00Z");
    const acta::Timestamp berlin = at("2024-02-29T13:00:00+01:00");
    const acta::Timestamp naive = at("2024-02-29T12:00:00");
    CHECK(noon != berlin);
    CHECK(noon != naive);
    CHECK(noon.instant() == berlin.instant());
    CHECK(noon.instant() == std::chrono::sys_days(std::chrono::February / 29 / 2024) + 12h);
    CHECK_FALSE(naive.instant());
    CHECK(at("0001-01-01T00:00:00+23:59").instant() < at("0001-01-01T00:00:00Z").instant());
    CHECK(acta::Timestamp{}.local.time_since_epoch() == 0us);
    CHECK_FALSE(acta::Timestamp{}.offset);
    CHECK(acta::Timestamp::utc(*berlin.instant()) == noon);
}

TEST_CASE("timestamps are reckoned with as std::chrono does") {
    constexpr acta::Timestamp epoch = acta::Timestamp::utc({});
    static_assert((epoch + 90min).local.time_since_epoch() == 90min);
    const acta::Timestamp start = at("2024-02-28T23:30:00+01:00");
    CHECK(to_string(start + 1h) == "2024-02-29T00:30:00+01:00");
    CHECK(to_string(1us + start) == "2024-02-28T23:30:00.000001+01:00");
    CHECK(to_string(start - std::chrono::days(59)) == "2023-12-31T23:30:00+01:00");
    acta::Timestamp moved = start;
    moved += 5s;
    moved -= 5s;
    CHECK(moved == start);
    CHECK(*at("2024-02-29T00:00:00Z").instant() - *start.instant() == 90min);
}

TEST_CASE("now is in UTC and this century") {
    const acta::Timestamp now = acta::Timestamp::now();
    CHECK(now.offset == std::chrono::minutes(0));
    CHECK(now.local > at("2020-01-01").local);
    CHECK(std::chrono::abs(*now.instant() - std::chrono::system_clock::now()) < 1min);
}

TEST_CASE("timestamps print to streams, and also those that no JSON holds") {
    std::ostringstream out;
    out << at("2024-02-29T12:00:00.000001+05:30");
    CHECK(out.str() == "2024-02-29T12:00:00.000001+05:30");
    CHECK(to_string(at("9999-12-31T23:59:59.999999") + 1us) == "10000-01-01T00:00:00");
    CHECK(to_string(at("0001-01-01T00:00:00") - 1us) == "0000-12-31T23:59:59.999999");
    CHECK(to_string(at("0001-01-01T00:00:00") - std::chrono::days(732)) == "-0002-12-31T00:00:00");
    CHECK(to_string(acta::Timestamp{std::chrono::local_time<Micros>::max(), {}}) == "294247-01-10T04:00:54.775807");
    CHECK(to_string(acta::Timestamp{std::chrono::local_time<Micros>::min(), {}}) == "-290308-12-21T19:59:05.224192");
    CHECK(to_string(acta::Timestamp{{}, -100h}) == "1970-01-01T00:00:00-100:00");
}

TEST_CASE("a timestamp that could not be read again is not written") {
    CHECK_THROWS_AS(acta::dump(RunInfo{at("9999-12-31T23:59:59.999999") + 1us}), acta::EncodeError);
    CHECK_THROWS_AS(acta::dump(RunInfo{acta::Timestamp{{}, 24h}}), acta::EncodeError);
    CHECK_THROWS_AS(acta::to_json_value(RunInfo{acta::Timestamp{{}, -24h}}), acta::EncodeError);
    try {
        (void)acta::dump(RunInfo{at("0001-01-01") - 1us});
        FAIL("written");
    } catch (const acta::EncodeError& error) {
        CHECK(error.pointer() == "/started_at");
        CHECK_THAT(error.what(), contains_text("year"));
    }
}

TEST_CASE("the schema of a timestamp is pydantic's") {
    CHECK(acta::schema<acta::Timestamp>() == acta::Json::parse(R"({"format": "date-time", "type": "string"})"));
}

TEST_CASE("what is printed reads as the same timestamp") {
    std::mt19937_64 random(20240229);
    const auto start_of = [](int year) {
        const std::chrono::local_time<std::chrono::microseconds> start{
            std::chrono::local_days(std::chrono::year(year) / std::chrono::January / 1)};
        return start.time_since_epoch().count();
    };
    std::uniform_int_distribution<std::int64_t> local(start_of(1), start_of(10000) - 1);
    std::uniform_int_distribution<int> offset(-1439, 1439);
    std::uniform_int_distribution<int> kind(0, 3);
    for (int i = 0; i < 20'000; ++i) {
        acta::Timestamp value{std::chrono::local_time<Micros>(Micros(local(random))), {}};
        if (kind(random) == 0) value.local = std::chrono::floor<std::chrono::seconds>(value.local);
        if (kind(random) != 0) value.offset = std::chrono::minutes(kind(random) == 0 ? 0 : offset(random));
        const std::string text = to_string(value);
        CAPTURE(text);
        REQUIRE(acta::parse_timestamp(text, acta::Strictness::strict) == value);
        REQUIRE(acta::parse<acta::Timestamp>(acta::dump(value)) == value);
    }
}

TEST_CASE("no text makes the reader stumble") {
    std::mt19937 random(7);
    constexpr std::string_view alphabet = "0123456789-+:.,TtZz _eE\xE2\x88\x92";
    std::uniform_int_distribution<std::size_t> pick(0, alphabet.size() - 1);
    for (int i = 0; i < 50'000; ++i) {
        std::string text = "2024-02-29T23:59:58.25+05:30";
        for (int edits = i % 4; edits >= 0; --edits) text[random() % text.size()] = alphabet[pick(random)];
        text.resize(random() % (text.size() + 1));
        const std::optional<acta::Timestamp> value = acta::parse_timestamp(text);
        if (value) REQUIRE(acta::parse_timestamp(to_string(*value)) == value);
    }
}
