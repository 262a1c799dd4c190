// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <string_view>

#include "acta/chat/message.hpp"
#include "acta/json/json.hpp"
#include "support/issues.hpp"

// Messages and their parts in the forms in which programs write them: what is read, and what is written again.
namespace {

/// A part or a message in JSON.
struct Form {
    const char* text;
    const char* read;          // in brief; the issues, after a `!`, of what is refused
    const char* written = "";  // if it is not the same text
};

std::string brief(const acta::ContentPart& part) {
    std::string out;
    for (const std::string* const one : {&part.type, &part.text, &part.media_type, &part.data, &part.url, &part.name})
        out += *one + '|';
    return out + (part.extra.empty() ? "" : acta::dump(part.extra));
}
std::string brief(const acta::ChatMessage& message) {
    std::string out = to_string(message);
    if (message.reasoning_content) out += " [thought: " + *message.reasoning_content + "]";
    if (!message.parts.empty()) out += " [parts: " + std::to_string(message.parts.size()) + "]";
    for (const acta::AssistantToolCall& call : message.tool_calls) out += " [" + call.id + "]";
    return message.extra.empty() ? out : out + " " + acta::dump(message.extra);
}

/// Also reads what is written, which has to be the same value, and the value in memory.
template <class T>
void check_form(const Form& form) {
    INFO(form.text);
    try {
        const T value = acta::parse<T>(form.text);
        CHECK(brief(value) == form.read);
        const std::string written = acta::dump(value);
        CHECK(written == (*form.written == '\0' ? form.text : form.written));
        CHECK(acta::parse<T>(written) == value);
        CHECK(acta::validate<T>(acta::to_json_value(value)) == value);
    } catch (const acta::ValidationError& error) {
        std::string issues;
        for (const acta::Issue& issue : error.issues()) {
            if (!issues.empty()) issues += '\n';
            issues.append("! ").append(issue.pointer()).append(" ").append(issue.type).append(": ");
            issues.append(issue.message).append(" <").append(issue.input).append(">");
        }
        CHECK(issues == form.read);
    }
}

constexpr Form part_forms[] = {
    {R"({"type":"text","text":"a"})", "text|a|||||"},
    {R"({"type":"text","text":"a","cache_control":{"type":"ephemeral"}})",
     R"(text|a|||||{"openai":{"cache_control":{"type":"ephemeral"}}})"},
    {R"({"type":"refusal","refusal":"no"})", "refusal|no|||||"},
    {R"({"type":"refusal","text":"no"})", "refusal|no|||||", R"({"type":"refusal","refusal":"no"})"},
    {R"({"type":"image_url","image_url":{"url":"https://x/a.png","detail":"low"}})",
     R"(image||||https://x/a.png||{"openai":{"image_url":{"detail":"low"}}})"},
    {R"({"type":"image_url","image_url":"https://x/a.png"})", "image||||https://x/a.png||",
     R"({"type":"image_url","image_url":{"url":"https://x/a.png"}})"},
    {R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}})", "image||image/png|AAAA|||"},
    {R"({"type":"image_url","image_url":{"url":"data:image/png;x=1;base64,AAAA"}})",
     "image||||data:image/png;x=1;base64,AAAA||"},
    {R"({"type":"image_url","image_url":{"url":"data:;base64,AAAA"}})", "image||||data:;base64,AAAA||"},
    {R"({"type":"image_url","image_url":{"url":"data:image/png,AAAA"}})", "image||||data:image/png,AAAA||"},
    {R"({"type":"image_url","image_url":{"url":"xdata:image/png;base64,AAAA"}})",
     "image||||xdata:image/png;base64,AAAA||"},
    {R"({"type":"image_url","image_url":{"url":"data:a,b;base64,AAAA"}})", "image||||data:a,b;base64,AAAA||"},
    {R"({"type":"image_url","image_url":{"detail":"low"}})", R"(image||||||{"openai":{"image_url":{"detail":"low"}}})"},
    {R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})", "audio||audio/wav|AAAA|||"},
    {R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}})", "audio||audio/mpeg|AAAA|||"},
    {R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"mpeg"}})", "audio||audio/mpeg|AAAA|||",
     R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}})"},
    {R"({"type":"input_audio","input_audio":{"data":"AAAA"}})",
     R"(audio||||||{"openai":{"input_audio":{"data":"AAAA"}}})", R"({"type":"audio","input_audio":{"data":"AAAA"}})"},
    {R"({"type":"input_audio","input_audio":{"format":"wav"}})",
     R"(audio||||||{"openai":{"input_audio":{"format":"wav"}}})", R"({"type":"audio","input_audio":{"format":"wav"}})"},
    {R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav","rate":8}})",
     R"(audio||audio/wav|AAAA|||{"openai":{"input_audio":{"rate":8}}})"},
    {R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}})",
     "file||application/pdf|AAAA||a.pdf|"},
    {R"({"type":"file","file":{"file_id":"f-1"}})", R"(file||||||{"openai":{"file":{"file_id":"f-1"}}})"},
    {R"({"type":"file","file":{"filename":"a.pdf","file_data":"AAAA"}})",
     R"(file|||||a.pdf|{"openai":{"file":{"file_data":"AAAA"}}})"},
    {R"({"type":"file","file":{"file_id":"f-1","filename":"a.pdf"}})",
     R"(file|||||a.pdf|{"openai":{"file":{"file_id":"f-1"}}})",
     R"({"type":"file","file":{"filename":"a.pdf","file_id":"f-1"}})"},
    {R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}})",
     "image||image/png|AAAA|||", R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}})"},
    {R"({"type":"image","source":{"type":"url","url":"https://x/a.png"}})", "image||||https://x/a.png||",
     R"({"type":"image_url","image_url":{"url":"https://x/a.png"}})"},
    {R"({"type":"image","source":{"type":"file","file_id":"f"}})",
     R"(image||||||{"openai":{"source":{"type":"file","file_id":"f"}}})"},
    {R"({"type":"image","source":{"path":"images/a.png","media_type":"image/png"}})",
     "image||image/png||images/a.png||", R"({"type":"image","media_type":"image/png","url":"images/a.png"})"},
    {R"({"type":"image","source":{"type":"url","media_type":"image/png"}})",
     R"(image||||||{"openai":{"source":{"type":"url","media_type":"image/png"}}})"},
    {R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"hello"},"title":"notes"})",
     "file|hello|text/plain|||notes|", R"({"type":"file","text":"hello","media_type":"text/plain","name":"notes"})"},
    {R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA","x":1},"title":"a.pdf","citations":{"enabled":true}})",
     R"(file||application/pdf|AAAA||a.pdf|{"openai":{"source":{"x":1},"citations":{"enabled":true}}})",
     R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"},"source":{"x":1},"citations":{"enabled":true}})"},
    {R"({"type":"document","source":{"type":"content","content":[]}})",
     R"(file||||||{"openai":{"source":{"type":"content","content":[]}}})",
     R"({"type":"file","source":{"type":"content","content":[]}})"},
    {R"({"type":"document","title":"t"})", R"(document||||||{"openai":{"title":"t"}})"},
    {R"({"type":"audio","source":{"type":"base64","media_type":"audio/wav","data":"AAAA"}})",
     "audio||audio/wav|AAAA|||", R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})"},
    {R"({"type":"file","source":{"type":"base64","media_type":"audio/wav","data":"AAAA"}})",
     R"(file||||||{"openai":{"source":{"type":"base64","media_type":"audio/wav","data":"AAAA"}}})"},
    {R"({"type":"image","data":"AAAA","mimeType":"image/png","annotations":{"priority":1}})",
     R"(image||image/png|AAAA|||{"openai":{"annotations":{"priority":1}}})",
     R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"},"annotations":{"priority":1}})"},
    {R"({"type":"image","data":"AAAA","media_type":"image/png","mimeType":"image/gif"})",
     R"(image||image/png|AAAA|||{"openai":{"mimeType":"image/gif"}})",
     R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"},"mimeType":"image/gif"})"},
    {R"({"type":"image","mimeType":"image/png"})", R"(image||||||{"openai":{"mimeType":"image/png"}})"},
    {R"({"type":"audio","data":"AAAA","mimeType":"audio/wav"})", "audio||audio/wav|AAAA|||",
     R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})"},
    {R"({"type":"audio","data":"AAAA","media_type":"audio/mp3"})", "audio||audio/mp3|AAAA|||",
     R"({"type":"audio","media_type":"audio/mp3","data":"AAAA"})"},
    {R"({"type":"audio","data":"AAAA","media_type":"video/wav"})", "audio||video/wav|AAAA|||",
     R"({"type":"audio","media_type":"video/wav","data":"AAAA"})"},
    {R"({"type":"audio","data":"AAAA","media_type":"audio/"})", "audio||audio/|AAAA|||",
     R"({"type":"audio","media_type":"audio/","data":"AAAA"})"},
    {R"({"type":"audio","data":"AAAA","media_type":"audio/wav","name":"n"})", "audio||audio/wav|AAAA||n|",
     R"({"type":"audio","media_type":"audio/wav","data":"AAAA","name":"n"})"},
    {R"({"type":"audio","data":"AAAA","media_type":"audio/wav","url":"u"})", "audio||audio/wav|AAAA|u||",
     R"({"type":"audio","media_type":"audio/wav","data":"AAAA","url":"u"})"},
    {R"({"type":"image","url":"https://x/a.png","media_type":"image/png"})", "image||image/png||https://x/a.png||",
     R"({"type":"image","media_type":"image/png","url":"https://x/a.png"})"},
    {R"({"type":"image","url":"https://x/a.png","name":"n"})", "image||||https://x/a.png|n|"},
    {R"({"type":"image","url":"https://x/a.png","text":"t"})", "image|t|||https://x/a.png||",
     R"({"type":"image","text":"t","url":"https://x/a.png"})"},
    {R"({"type":"image","url":"https://x/a.png","data":"AAAA","media_type":"image/png"})",
     "image||image/png|AAAA|https://x/a.png||",
     R"({"type":"image","media_type":"image/png","data":"AAAA","url":"https://x/a.png"})"},
    {R"({"type":"image","url":"data:image/png;base64,AAAA"})", "image||||data:image/png;base64,AAAA||"},
    {R"({"type":"image","data":"AAAA"})", "image|||AAAA|||"},
    {R"({"type":"image"})", "image||||||"},
    {R"({"type":"image","media_type":"image/png"})", "image||image/png||||"},
    {R"({"type":"audio","media_type":"audio/wav"})", "audio||audio/wav||||"},
    {R"({"type":"file","media_type":"text/x"})", "file||text/x||||"},
    {R"({"type":"text","text":"a","name":"n"})", "text|a||||n|"},
    {R"({"type":"text","text":"a","url":"u"})", "text|a|||u||"},
    {R"({"type":"text","text":"a","data":"AAAA"})", "text|a||AAAA|||"},
    {R"({"type":"file","data":"AAAA","media_type":"text/x;y","name":"n"})", "file||text/x;y|AAAA||n|",
     R"({"type":"file","media_type":"text/x;y","data":"AAAA","name":"n"})"},
    {R"({"type":"file","data":"AAAA","media_type":"text/x","name":"n"})", "file||text/x|AAAA||n|",
     R"({"type":"file","file":{"filename":"n","file_data":"data:text/x;base64,AAAA"}})"},
    {R"({"type":"file","text":"hello","media_type":"text/plain","name":"n"})", "file|hello|text/plain|||n|"},
    {R"({"type":"file","url":"u","name":"n"})", "file||||u|n|"},
    {R"({"type":"file","name":"n"})", "file|||||n|"},
    {R"({"type":"chart","text":"a","data":"AAAA"})", R"(chart||||||{"openai":{"text":"a","data":"AAAA"}})"},
    {R"({"type":"text","text":"a","extra":{"anthropic":{"cache_control":1}}})",
     R"(text|a|||||{"anthropic":{"cache_control":1}})"},
    {R"({"type":"text","text":"a","x":1,"extra":{"anthropic":{"k":1},"openai":{"y":2}}})",
     R"(text|a|||||{"openai":{"x":1,"y":2},"anthropic":{"k":1}})",
     R"({"type":"text","text":"a","x":1,"y":2,"extra":{"anthropic":{"k":1}}})"},
    {R"({"type":"text","text":"a","extra":5})", R"(text|a|||||{"openai":{"extra":5}})"},
    {R"({"type":""})",
     R"(!  value_error: Value error, a part of a message's content needs a `type`, which is a text <{"type":""}>)"},
    {R"({"text":"a"})",
     R"(!  value_error: Value error, a part of a message's content needs a `type`, which is a text <{"text":"a"}>)"},
    {R"({"type":5})",
     R"(!  value_error: Value error, a part of a message's content needs a `type`, which is a text <{"type":5}>)"},
    {"[]", "!  dict_type: Input should be an object <[]>"},
    {R"("a")", R"(!  dict_type: Input should be an object <"a">)"},
    {R"({"type":"text","text":[]})", R"(text||||||{"openai":{"text":[]}})"},
    {R"({"type":"text","text":null})", R"(text||||||{"openai":{"text":null}})"},
    {R"({"type":"text","text":{"a":1}})", R"(text||||||{"openai":{"text":{"a":1}}})"},
    {R"({"type":"refusal","refusal":5})", R"(refusal||||||{"openai":{"refusal":5}})"},
    {R"({"type":"image_url","image_url":5})", R"(image||||||{"openai":{"image_url":5}})"},
    {R"({"type":"image_url","image_url":[]})", R"(image||||||{"openai":{"image_url":[]}})"},
    {R"({"type":"file","file":"x"})", R"(file||||||{"openai":{"file":"x"}})"},
    {R"({"type":"file","file":{}})", "file||||||", R"({"type":"file"})"},
    {R"({"type":"input_audio","input_audio":7})", R"(audio||||||{"openai":{"input_audio":7}})",
     R"({"type":"audio","input_audio":7})"},
    {R"({"type":"image","source":3})", R"(image||||||{"openai":{"source":3}})"},
    {R"({"type":"input_audio","input_audio":{"format":"wav","data":"AAAA"},"x":1})",
     R"(audio||audio/wav|AAAA|||{"openai":{"x":1}})",
     R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"},"x":1})"},
    {R"({"type":"file","file":{"file_data":"data:text/x;base64,AAAA"}})", "file||text/x|AAAA|||"},
    {R"({"type":"file","data":"AAAA","media_type":"text/x","url":"u"})", "file||text/x|AAAA|u||",
     R"({"type":"file","media_type":"text/x","data":"AAAA","url":"u"})"},
    {R"({"type":"refusal","refusal":"no","text":"yes"})", R"(refusal|no|||||{"openai":{"text":"yes"}})"},
    {R"({"type":"text","text":"a","extra":{"openai":5}})", R"(text|a|||||{"openai":5})"},
    {R"({"type":"text","text":"","extra":{"a":1}})", R"(text||||||{"a":1})"},
};

constexpr Form message_forms[] = {
    {R"({"role":"user","content":"a"})", "user: a"},
    {R"({"role":"user","content":null})", R"(! /content missing: Field required <{"role":"user","content":null}>)"},
    {R"({"role":"user","content":[]})", "user: ", R"({"role":"user","content":""})"},
    {R"({"role":"user"})", R"(! /content missing: Field required <{"role":"user"}>)"},
    {R"({"role":"system"})", R"(! /content missing: Field required <{"role":"system"}>)"},
    {R"({"role":"tool"})", "tool: ", R"({"role":"tool","content":""})"},
    {R"({"role":"assistant"})", "assistant: ", R"({"role":"assistant","content":""})"},
    {R"({"role":"developer","content":"a"})", R"(system: a {"openai":{"role":"developer"}})"},
    {R"({"role":"function","name":"f","content":"a"})", R"(tool: a {"openai":{"name":"f","role":"function"}})",
     R"({"role":"function","content":"a","name":"f"})"},
    {R"({"role":"user","content":"a","name":"Ann","x":null})", R"(user: a {"openai":{"name":"Ann"}})",
     R"({"role":"user","content":"a","name":"Ann"})"},
    {R"({"role":"tool","content":"a","tool_call_id":"c","is_error":true})", "tool (c), error: a"},
    {R"({"role":"tool","content":"a","tool_call_id":"c","is_error":false})", "tool (c): a",
     R"({"role":"tool","content":"a","tool_call_id":"c"})"},
    {R"({"role":"assistant","content":null,"refusal":"no"})", R"(assistant: no {"openai":{"refusal":"no"}})"},
    {R"({"role":"assistant","content":"a","refusal":"no"})", R"(assistant: a {"openai":{"refusal":"no"}})"},
    {R"({"role":"assistant","content":"","refusal":null})", "assistant: ", R"({"role":"assistant","content":""})"},
    {R"({"role":"assistant","content":"a","reasoning":"hm"})",
     R"(assistant: a [thought: hm] {"openai":{"reasoning":"hm"}})"},
    {R"({"role":"assistant","content":"a","reasoning_content":"hm"})", "assistant: a [thought: hm]"},
    {R"({"role":"assistant","content":"a","reasoning_content":"hm","reasoning":"ha"})",
     R"(assistant: a [thought: hm] {"openai":{"reasoning":"ha"}})"},
    {R"({"role":"assistant","content":"a","reasoning":{"x":1}})", R"(assistant: a {"openai":{"reasoning":{"x":1}}})"},
    {R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]})",
     "assistant: `f(a=1)` [c]"},
    {R"({"role":"assistant","content":"a","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}},{"id":"d","function":{"name":"g"}},{"id":"e","function":{"name":"h","arguments":" "}}]})",
     "assistant: a `f(a=1)`, `g()`, `h()` [] [d] [e]",
     R"({"role":"assistant","content":"a","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"d","type":"function","function":{"name":"g","arguments":"{}"}},{"id":"e","type":"function","function":{"name":"h","arguments":"{}"}}]})"},
    {R"({"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"s":"x"}}},{"id":"d","type":"function","function":{"name":"f","arguments":"{}"}}]})",
     R"(assistant: `f()`, `f()` [c] [d] {"openai":{"tool_calls":[{"extra_content":{"google":{"s":"x"}}},{}]}})",
     R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"s":"x"}}},{"id":"d","type":"function","function":{"name":"f","arguments":"{}"}}]})"},
    {R"({"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{\"a\":1}"}})",
     R"(assistant: `f(a=1)` [] {"openai":{"function_call":true}})"},
    {R"({"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"},"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]})",
     "assistant: `f()` [c]",
     R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]})"},
    {R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"custom","function":{"name":"f","arguments":"{}"}}]})",
     R"(! /tool_calls/0/type literal_error: Input should be 'function' <"custom">)"},
    {R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"","arguments":"{}"}}]})",
     R"(! /tool_calls/0/function/name string_too_short: String should have at least 1 character <"">)"},
    {R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"a\":"}},{"function":{"name":"f","arguments":"[1]"}}]})",
     R"(! /tool_calls/0/function/arguments json_invalid: Invalid JSON: EOF while parsing a value at line 1 column 6 (the arguments of 'f', call 'c') <{"a":>)"
     "\n"
     R"(! /tool_calls/1/function/arguments dict_type: Input should be an object (the arguments of 'f') <[1]>)"},
    {R"({"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{\"a\":"}})",
     R"(! /function_call/arguments json_invalid: Invalid JSON: EOF while parsing a value at line 1 column 6 (the arguments of 'f') <{"a":>)"},
    {R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":5}}]})",
     R"(! /tool_calls/0/function/arguments arguments_type: Input should be a string or an object <{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":5}}]}>)"},
    {R"({"role":"assistant","content":null,"tool_calls":null})", "assistant: ", R"({"role":"assistant","content":""})"},
    {R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"n\":100000000000000000000}"}}]})",
     "assistant: `f(n=1e+20)` [c]",
     R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"n\":1e+20}"}}]})"},
    {R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"https://x/a.png"}},{"type":"text","text":"b"}]})",
     "user: a\n<image, https://x/a.png>\nb [parts: 3]"},
    {R"({"role":"user","content":5})",
     "! /content content_type: Input should be a string or a list of content parts <5>"},
    {R"({"role":"user","content":[{"text":"a"}]})",
     R"(! /content/0 value_error: Value error, a part of a message's content needs a `type`, which is a text <{"text":"a"}>)"},
    {R"({"role":"assistant","content":"a","extra":{"anthropic":{"k":1}}})", R"(assistant: a {"anthropic":{"k":1}})"},
    {R"({"role":"assistant","content":"a","x":1,"extra":{"anthropic":{"k":1},"openai":{"y":1}}})",
     R"(assistant: a {"anthropic":{"k":1},"openai":{"y":1,"x":1}})",
     R"({"role":"assistant","content":"a","y":1,"x":1,"extra":{"anthropic":{"k":1}}})"},
    {R"({"role":"assistant","content":"a","x":{"p":1},"extra":{"openai":{"x":{"q":2}}}})",
     R"(assistant: a {"openai":{"x":{"q":2,"p":1}}})", R"({"role":"assistant","content":"a","x":{"q":2,"p":1}})"},
    {R"({"role":"assistant","content":"a","extra":5})", R"(assistant: a {"extra":5})",
     R"({"role":"assistant","content":"a","extra":{"extra":5}})"},
    {R"({"role":"assistant","content":"a","extra":{"openai":5}})", R"(assistant: a {"openai":5})"},
    {R"({"role":"assistant","content":[{"type":"tool_use","id":"u","name":"f","input":{"a":1}},{"type":"text","text":"t"},{"type":"tool_use","id":"u","name":"f","input":{}}]})",
     "assistant: t `f(a=1)` [parts: 1] [u]",
     R"({"role":"assistant","content":[{"type":"text","text":"t"}],"tool_calls":[{"id":"u","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]})"},
    {R"({"role":"assistant","content":[{"type":"tool_use","id":"u","name":"","input":{}}]})",
     R"(assistant: {"type":"tool_use","id":"u","name":"","input":{}} [parts: 1])"},
    {R"({"role":"assistant","content":[{"type":"tool_use","id":"u","name":"f","input":5}]})",
     R"(assistant: {"type":"tool_use","id":"u","name":"f","input":5} [parts: 1])"},
    {R"({"role":"assistant","content":[{"type":"tool_use","name":"f","input":{}}]})",
     R"(assistant: {"type":"tool_use","name":"f","input":{}} [parts: 1])"},
    {R"({"role":"user","content":[{"type":"text","text":"a"},3]})",
     "! /content/1 dict_type: Input should be an object <3>"},
    {R"({"role":"user","content":[{"type":"tool_use","id":"u","name":"f","input":{}}]})",
     R"(user: {"type":"tool_use","id":"u","name":"f","input":{}} [parts: 1])"},
    {R"({"role":"assistant","content":[{"type":"tool_use","id":"u","name":"f","input":{}}],"tool_calls":[{"id":"v","function":{"name":"g"}}]})",
     "assistant: `g()`, `f()` [v] [u]",
     R"({"role":"assistant","content":null,"tool_calls":[{"id":"v","type":"function","function":{"name":"g","arguments":"{}"}},{"id":"u","type":"function","function":{"name":"f","arguments":"{}"}}]})"},
    {R"({"role":"assistant","content":[{"type":"tool_use","id":"u","name":"f","input":{"a":1}}],"tool_calls":[{"id":"u","function":{"name":"f","arguments":{"b":2}}}]})",
     "assistant: `f(b=2)` [u]",
     R"({"role":"assistant","content":null,"tool_calls":[{"id":"u","type":"function","function":{"name":"f","arguments":"{\"b\":2}"}}]})"},
    {R"({"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a"}]})",
     "assistant: {\"type\":\"thinking\",\"thinking\":\"hm\"}\na [parts: 2]"},
    {R"({"role":"assistant","content":[{"type":"refusal","refusal":"no"},{"type":"text","text":"a"},{"type":"image"},{"type":"image"},{"type":"text","text":""},{"type":"text","text":"b"}]})",
     "assistant: noa\n{\"type\":\"image\"}\n{\"type\":\"image\"}\nb [parts: 6]"},
    {R"({"role":"assistant","content":"","tool_calls":[],"function_call":null,"audio":null,"x":1,"y":null,"z":2})",
     R"(assistant:  {"openai":{"x":1,"z":2}})", R"({"role":"assistant","content":"","x":1,"z":2})"},
    {R"({"role":"human","content":"a"})",
     R"(! /role enum: Input should be 'system', 'user', 'assistant', 'tool', 'developer' or 'function' <"human">)"},
};

}  // namespace

TEST_CASE("parts are read in all forms, and written in OpenAI's where it can say everything") {
    for (const Form& form : part_forms) check_form<acta::ContentPart>(form);
}

TEST_CASE("of arguments that break off the issue shows the beginning") {
    for (const std::size_t size : {99U, 100U, 101U}) {
        const std::string arguments = "{\"" + std::string(size - 2, 'x');
        const acta::Json call{{"function", {{"name", "f"}, {"arguments", arguments}}}};
        const acta::Json message{{"role", "assistant"}, {"tool_calls", acta::Json::array({call})}};
        CHECK(issues_of<acta::ChatMessage>(message.dump()).at(0).input == arguments.substr(0, 100));
    }
}

TEST_CASE("messages are read as programs write them, and written in OpenAI's form") {
    for (const Form& form : message_forms) check_form<acta::ChatMessage>(form);
}
