// SPDX-License-Identifier: MIT
#include "acta/chat/binary_placeholder.hpp"

#include <string>

#include "acta/action/result.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"

namespace {

acta::Json json(std::string_view text) { return acta::parse<acta::Json>(text); }

/// Base64 of so many bytes.
std::string base64(std::size_t bytes) { return std::string(bytes / 3 * 4, 'A'); }

}  // namespace

TEST_CASE("a placeholder has the type and the size of the decoded bytes") {
    CHECK(acta::binary_placeholder("image/png", "iVBORw0KGgo=") == "<image/png, 8 bytes>");
    CHECK(acta::binary_placeholder("audio/wav", "AAAA") == "<audio/wav, 3 bytes>");
    CHECK(acta::binary_placeholder("audio/wav", "AA==") == "<audio/wav, 1 bytes>");
    CHECK(acta::binary_placeholder("x", "") == "<x, 0 bytes>");
}

TEST_CASE("content blocks show their type and size, and keep everything else") {
    const acta::Json mcp = json(R"({"content": [{"type": "text", "text": "a chart"},
        {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png", "annotations": {"priority": 1}},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a.csv", "mimeType": "text/csv", "blob": "YQ=="}},
        {"type": "resource", "resource": {"uri": "file:///a", "blob": "YQ=="}}]})");
    const auto shown = acta::without_binary(mcp);
    REQUIRE(shown.has_value());
    CHECK(*shown == json(R"({"content": [{"type": "text", "text": "a chart"},
        {"type": "image", "data": "<image/png, 8 bytes>", "mimeType": "image/png", "annotations": {"priority": 1}},
        {"type": "audio", "data": "<audio/wav, 3 bytes>", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "file:///a.csv", "mimeType": "text/csv", "blob": "<text/csv, 1 bytes>"}},
        {"type": "resource", "resource": {"uri": "file:///a", "blob": "<blob, 1 bytes>"}}]})"));
    CHECK(acta::shown_text(json(R"([{"type": "image", "source":
        {"type": "base64", "media_type": "image/jpeg", "data": "/9j/"}}])")) ==
          "[{'type': 'image', 'source': {'type': 'base64', 'media_type': 'image/jpeg', 'data': '<image/jpeg, 3 "
          "bytes>'}}]");
    CHECK(acta::shown_text(json(R"({"input_audio": {"data": "AAAA\nAAAA", "format": "wav"}})")) ==
          "{'input_audio': {'data': '<wav, 6 bytes>', 'format': 'wav'}}");
    CHECK(acta::shown_text(json(R"({"b64_json": "AAAA"})")) == "{'b64_json': '<image, 3 bytes>'}");
}

TEST_CASE("data URLs are replaced wherever they stand in a text") {
    const std::string url = "data:image/png;base64," + base64(24);
    CHECK(acta::shown_text(url) == "<image/png, 24 bytes>");
    CHECK(acta::shown_text("![a](" + url + ") and " + url + ".") ==
          "![a](<image/png, 24 bytes>) and <image/png, 24 bytes>.");
    CHECK(acta::shown_text(acta::JsonArray{acta::JsonObject{{"image_url", acta::JsonObject{{"url", url}}}}}) ==
          "[{'image_url': {'url': '<image/png, 24 bytes>'}}]");
    CHECK(acta::shown_text("data:text/plain;charset=utf-8;base64," + base64(24)) == "<text/plain, 24 bytes>");
}

TEST_CASE("what is not binary stays as it is") {
    for (const char* const text :
         {R"("data:image/png;base64,AAAA is an example")", R"({"data": "hello world", "mimeType": "image/png"})",
          R"({"data": "aGVsbG8=", "mimeType": "text/plain"})", R"({"data": "AAAA"})", R"({"blob": "AAAA"})",
          R"({"data": "", "type": "image"})", R"({"data": [1], "type": "image"})", R"([null, 1.5, "x;base64,"])",
          R"("\";base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")"}) {
        CAPTURE(text);
        const acta::Json value = json(text);
        CHECK_FALSE(acta::without_binary(value).has_value());
        CHECK(acta::shown_text(value) == acta::python_str(value));
    }
}

TEST_CASE("an image of 200 KB is a line in a printed result, and stays whole in the result") {
    acta::ActionSuccessResult result;
    result.outputs = acta::JsonObject{
        {"content",
         acta::JsonArray{acta::JsonObject{{"type", "image"}, {"data", base64(199998)}, {"mimeType", "image/png"}}}}};
    CHECK(to_string(result) ==
          "{'content': [{'type': 'image', 'data': '<image/png, 199998 bytes>', 'mimeType': 'image/png'}]}");
    CHECK(acta::dump(result).size() > 260000);
}
