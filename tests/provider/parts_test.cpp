// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "support/catch.hpp"

// Each kind of part in the form of each API, or as text.
namespace {

using acta::ContentPart;

struct PartsRow {
    ContentPart part{};
    std::string chat{};
    std::string responses{};
    std::string anthropic{};
};

std::vector<PartsRow> parts_rows() {
    return {
        {{.text = "Hm."},
         R"({"type":"text","text":"Hm."})",
         R"({"type":"input_text","text":"Hm."})",
         R"({"type":"text","text":"Hm."})"},
        {{.text = "Hm.", .extra = {{"openai_responses", acta::JsonObject{{"x", 1}}}}},
         R"({"type":"text","text":"Hm."})",
         R"({"type":"input_text","text":"Hm.","x":1})",
         R"({"type":"text","text":"Hm."})"},
        {{.type = "image", .text = "Hm.", .extra = {{"openai_responses", acta::JsonObject{{"x", 1}}}}},
         R"({"type":"text","text":"Hm."})",
         R"({"type":"input_text","text":"Hm."})",
         R"({"type":"text","text":"Hm."})"},
        {{.type = "file", .text = "Hm.", .extra = {{"openai_responses", acta::JsonObject{{"x", 1}}}}},
         R"({"type":"text","text":"Hm."})",
         R"({"type":"input_text","text":"Hm."})",
         R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"Hm."}})"},
        {{.type = "refusal", .text = "No."},
         R"({"type":"text","text":"No."})",
         R"({"type":"input_text","text":"No."})",
         R"({"type":"text","text":"No."})"},
        {{.type = "image", .media_type = "image/png", .data = "AAAA"},
         R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}})",
         R"({"type":"input_image","image_url":"data:image/png;base64,AAAA"})",
         R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}})"},
        {{.type = "image", .media_type = "image/jpg", .data = "AAAA"},
         R"({"type":"image_url","image_url":{"url":"data:image/jpg;base64,AAAA"}})",
         R"({"type":"input_image","image_url":"data:image/jpg;base64,AAAA"})",
         R"({"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"AAAA"}})"},
        {{.type = "image", .media_type = "image/svg+xml", .data = "AAAA"},
         R"({"type":"image_url","image_url":{"url":"data:image/svg+xml;base64,AAAA"}})",
         R"({"type":"input_image","image_url":"data:image/svg+xml;base64,AAAA"})",
         R"({"type":"text","text":"<image/svg+xml, 3 bytes>: content of this type cannot be shown here"})"},
        {{.type = "image", .data = "AAAA"},
         R"({"type":"text","text":"<image, 3 bytes>"})",
         R"({"type":"input_text","text":"<image, 3 bytes>"})",
         R"({"type":"text","text":"<image, 3 bytes>"})"},
        {{.type = "image", .url = "https://h/a.png"},
         R"({"type":"image_url","image_url":{"url":"https://h/a.png"}})",
         R"({"type":"input_image","image_url":"https://h/a.png"})",
         R"({"type":"image","source":{"type":"url","url":"https://h/a.png"}})"},
        {{.type = "image", .url = "http://h/a.png"},
         R"({"type":"image_url","image_url":{"url":"http://h/a.png"}})",
         R"({"type":"input_image","image_url":"http://h/a.png"})",
         R"({"type":"image","source":{"type":"url","url":"http://h/a.png"}})"},
        {{.type = "image", .url = "data:,x"},
         R"({"type":"image_url","image_url":{"url":"data:,x"}})",
         R"({"type":"input_text","text":"<image, data:,x>"})",
         R"({"type":"text","text":"<image, data:,x>"})"},
        {{.type = "image", .url = "ftp://h/a.png"},
         R"({"type":"text","text":"<image, ftp://h/a.png>"})",
         R"({"type":"input_text","text":"<image, ftp://h/a.png>"})",
         R"({"type":"text","text":"<image, ftp://h/a.png>"})"},
        {{.type = "audio", .media_type = "audio/wav", .data = "AAAA"},
         R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})",
         R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})",
         R"({"type":"text","text":"<audio/wav, 3 bytes>"})"},
        {{.type = "audio", .media_type = "image/png", .data = "AAAA"},
         R"({"type":"text","text":"<image/png, 3 bytes>"})",
         R"({"type":"audio","media_type":"image/png","data":"AAAA"})",
         R"({"type":"text","text":"<image/png, 3 bytes>"})"},
        {{.type = "audio", .media_type = "audio/wav", .url = "https://h/a.wav"},
         R"({"type":"text","text":"<audio/wav, https://h/a.wav>"})",
         R"({"type":"input_text","text":"<audio/wav, https://h/a.wav>"})",
         R"({"type":"text","text":"<audio/wav, https://h/a.wav>"})"},
        {{.type = "file", .media_type = "application/pdf", .data = "AAAA", .name = "a.pdf"},
         R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}})",
         R"({"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"})",
         R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"},"title":"a.pdf"})"},
        {{.type = "file", .media_type = "application/pdf", .url = "https://h/a.pdf", .name = "a.pdf"},
         R"({"type":"text","text":"<application/pdf, https://h/a.pdf>"})",
         R"({"type":"input_file","filename":"a.pdf","file_url":"https://h/a.pdf"})",
         R"({"type":"document","source":{"type":"url","url":"https://h/a.pdf"},"title":"a.pdf"})"},
        {{.type = "file", .media_type = "text/csv", .data = "YSxi"},
         R"({"type":"file","file":{"file_data":"data:text/csv;base64,YSxi"}})",
         R"({"type":"input_file","file_data":"data:text/csv;base64,YSxi"})",
         R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"a,b"}})"},
        {{.type = "file", .media_type = "text/csv", .data = "ZDtjY0F+ZHo/WkA+QEBaOz9B"},
         R"({"type":"file","file":{"file_data":"data:text/csv;base64,ZDtjY0F+ZHo/WkA+QEBaOz9B"}})",
         R"({"type":"input_file","file_data":"data:text/csv;base64,ZDtjY0F+ZHo/WkA+QEBaOz9B"})",
         R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"d;ccA~dz?Z@>@@Z;?A"}})"},
        {{.type = "file", .media_type = "application/zip", .data = "AAAA", .name = "a.zip"},
         R"({"type":"file","file":{"filename":"a.zip","file_data":"data:application/zip;base64,AAAA"}})",
         R"({"type":"input_file","filename":"a.zip","file_data":"data:application/zip;base64,AAAA"})",
         R"({"type":"text","text":"<application/zip, 3 bytes> 'a.zip': content of this type cannot be shown here"})"},
        {{.type = "file", .text = "high", .media_type = "text/plain", .name = "a.txt"},
         R"({"type":"text","text":"high"})",
         R"({"type":"input_text","text":"high"})",
         R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"high"},"title":"a.txt"})"},
        {{.type = "file", .data = "AAAA"},
         R"({"type":"text","text":"<file, 3 bytes>"})",
         R"({"type":"input_text","text":"<file, 3 bytes>"})",
         R"({"type":"text","text":"<file, 3 bytes>"})"},
        {{.type = "search", .text = "x"},
         R"({"type":"text","text":"x"})",
         R"({"type":"input_text","text":"x"})",
         R"({"type":"text","text":"x"})"},
        {acta::read_content_part({{"type", "search"}, {"x", 1}}, "openai"), R"({"type":"search","x":1})",
         R"({"type":"input_text","text":"{\"type\":\"search\",\"x\":1}"})",
         R"({"type":"text","text":"{\"type\":\"search\",\"x\":1}"})"},
        {acta::read_content_part({{"type", "search"}, {"x", 1}}, "openai_responses"),
         R"({"type":"text","text":"{\"type\":\"search\",\"extra\":{\"openai_responses\":{\"x\":1}}}"})",
         R"({"type":"search","x":1})",
         R"({"type":"text","text":"{\"type\":\"search\",\"extra\":{\"openai_responses\":{\"x\":1}}}"})"},
        {acta::read_content_part({{"type", "search"}, {"x", 1}}, "anthropic"),
         R"({"type":"text","text":"{\"type\":\"search\",\"extra\":{\"anthropic\":{\"x\":1}}}"})",
         R"({"type":"input_text","text":"{\"type\":\"search\",\"extra\":{\"anthropic\":{\"x\":1}}}"})",
         R"({"type":"search","x":1})"},
    };
}

std::vector<acta::ChatMessage> message_with(const ContentPart& part, acta::ChatRole role) {
    acta::ChatMessage out = acta::ChatMessage::user(acta::parts_text(std::vector{part}));
    out.role = role;
    out.parts = {part};
    return {out};
}

}  // namespace

TEST_CASE("every kind of part has one form in each API") {
    for (const PartsRow& row : parts_rows()) {
        CAPTURE(acta::dump(row.part));
        const auto user = message_with(row.part, acta::ChatRole::user);
        CHECK(acta::openai::to_wire(user)[0]["content"][0].dump() == row.chat);
        CHECK(acta::openai::responses::to_wire(user)[0]["content"][0].dump() == row.responses);
        CHECK(acta::anthropic::to_wire(user)["messages"][0]["content"][0].dump() == row.anthropic);
        // The model's own words, and those of the system, have no media in chat completions.
        const bool is_media = row.part.type == "image" || row.part.type == "audio" || row.part.type == "file";
        for (const acta::ChatRole role : {acta::ChatRole::assistant, acta::ChatRole::system}) {
            if (is_media)
                CHECK(acta::openai::to_wire(message_with(row.part, role))[0]["content"][0] ==
                      acta::Json{{"type", "text"}, {"text", acta::to_string(row.part)}});
        }
        // In the result of a call they follow in a message of the user.
        const auto result = acta::openai::to_wire(message_with(row.part, acta::ChatRole::tool));
        CHECK(result[0]["content"][0]["type"] == "text");
        const bool follows = acta::Json::parse(row.chat)["type"] != "text";
        REQUIRE(result.size() == (follows ? 2 : 1));
        if (follows) CHECK(result[1]["content"][1].dump() == row.chat);
    }
    const auto refused =
        acta::openai::to_wire(message_with({.type = "refusal", .text = "No."}, acta::ChatRole::assistant));
    CHECK(refused[0]["content"][0].dump() == R"({"type":"refusal","refusal":"No."})");
}
