// SPDX-License-Identifier: MIT
#include "acta/chat/binary_placeholder.hpp"
#include "acta/pysyntax/repr.hpp"

#include <string>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/json/json.hpp"
#include "support/bounds.hpp"
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

TEST_CASE("the lengths from which on a text is binary content are exact") {
    using acta::hide_binary;
    const auto type_of = [](std::size_t size) { return "data:" + std::string(size, 'a') + ";base64," + base64(24); };
    const std::string before(200, ' ');
    for (const std::string& prefix : {std::string(), before, type_of(7) + before})
        below_at_above(123, [&](std::size_t size) {
            return hide_binary(prefix + type_of(size) + " data: x")
                .ends_with("<" + std::string(size, 'a') + ", 24 bytes> data: x");
        });
    const std::string dots(100, '.');
    CHECK(hide_binary(dots + type_of(1) + " end") == dots + "<a, 24 bytes> end");
    const auto shown = [](const std::string& text) { return hide_binary(text) != text; };
    CHECK(shown("data:;base64," + base64(24)));
    CHECK(hide_binary("data:;base64," + base64(24)) == "<data, 24 bytes>");
    below_at_above(31, [&](std::size_t size) { return !shown("data:a;base64," + std::string(size, 'A')); });
    below_at_above(255, [&](std::size_t size) { return !shown("/9j/" + std::string(size - 4, 'A')); });
    below_at_above(31, [](std::size_t size) {
        return !acta::without_binary(acta::JsonObject{{"a_b64", std::string(size, 'A')}});
    });
    CHECK_FALSE(shown("data:a;base64,\"" + base64(24)));
    CHECK(hide_binary("data:a\"b;base64," + base64(24) + " data:a;base64," + base64(24)).ends_with(" <a, 24 bytes>"));
    for (const char* const magic : {"R0lGOD", "JVBERi0"})
        CHECK(hide_binary(magic + std::string(300 - std::string_view(magic).size(), 'A')) ==
              std::string(magic[0] == 'R' ? "<image/gif" : "<application/pdf") + ", 225 bytes>");
    std::string out = "a ";
    acta::append_shown_text(out, "b");
    acta::append_shown_text(out, "data:a;base64," + base64(24));
    CHECK(out == "a b<a, 24 bytes>");
}

TEST_CASE("a member named so and the beginning of a file say that a text is base64") {
    const std::string data = base64(24);
    CHECK(acta::shown_text(acta::JsonObject{{"image_base64", data}, {"n", 1}}) ==
          "{'image_base64': '<base64, 24 bytes>', 'n': 1}");
    CHECK(acta::shown_text(acta::JsonObject{{"screenshotBase64", data}, {"mime_type", "image/webp"}}) ==
          "{'screenshotBase64': '<image/webp, 24 bytes>', 'mime_type': 'image/webp'}");
    const std::string png = "iVBORw0KGgo" + std::string(301, 'A');
    CHECK(acta::shown_text(png) == "<image/png, 234 bytes>");
    CHECK(acta::shown_text(acta::JsonObject{{"screenshot", png}, {"more", acta::JsonArray{"/9j/" + png}}}) ==
          "{'screenshot': '<image/png, 234 bytes>', 'more': ['<image/jpeg, 237 bytes>']}");
    // Too short, or no base64.
    for (const acta::JsonObject& object :
         {acta::JsonObject{{"image_base64", "AAAA"}}, acta::JsonObject{{"text_b64", "not base64: " + data}},
          acta::JsonObject{{"path", "/9j/" + std::string(300, 'a') + ".jpg"}}, acta::JsonObject{{"a", "iVBORw0KGgo"}}})
        CHECK_FALSE(acta::without_binary(object).has_value());
}

TEST_CASE("a call is shown with placeholders in its arguments") {
    const std::string url = "data:image/png;base64," + base64(24);
    const auto shown = [](const acta::JsonObject& arguments) {
        std::string out;
        acta::append_shown_call(out, "f", arguments);
        return out;
    };
    CHECK(shown({{"a", "see " + url}, {"b", acta::JsonArray{url}}, {"c", 1}}) ==
          "f(a='see <image/png, 24 bytes>', b=['<image/png, 24 bytes>'], c=1)");
    CHECK(shown({{"image_b64", base64(24)}, {"c", "x"}}) == "f(image_b64='<base64, 24 bytes>', c='x')");
    CHECK(shown({{"c", "x"}}) == acta::print_call("f", {{"c", "x"}}));
    CHECK(shown({}) == "f()");
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

TEST_CASE("a text that cannot be base64 is not binary content, whatever its block says") {
    const std::vector<std::string> blocks = {
        R"({"type": "image", "data": "$"})",
        R"({"data": "$", "mimeType": "audio/wav"})",
        R"({"input_audio": {"data": "$", "format": "wav"}})",
        R"({"uri": "file:///a", "blob": "$"})",
        R"({"b64_json": "$"})",
        R"({"source": {"type": "base64", "media_type": "image/png", "data": "$"}})"};
    for (const char* const data : {"hello", "sunset", "AAAA=", "AAA==", "A===", "AA=A", "=AAA", "AA+_", "====", "AA{A",
                                   "AA@A", "AA[A", "AA`A", "AA:A"}) {
        for (std::string block : blocks) {
            block.replace(block.find('$'), 1, data);
            CAPTURE(block);
            CHECK_FALSE(acta::without_binary(json(block)).has_value());
        }
    }
    const std::string letters(33, 'a');
    CHECK_FALSE(acta::without_binary(acta::JsonObject{{"image_base64", letters}}).has_value());
    CHECK(acta::without_binary(acta::JsonObject{{"image_base64", letters + "-"}}).has_value());
    CHECK(acta::without_binary(json(R"({"type": "image", "data": "AAAA\nAA==\n"})")).has_value());
    CHECK(to_string(acta::ContentPart{.type = "image", .media_type = "image/png", .data = "hello"}).find("hello") !=
          std::string::npos);
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
