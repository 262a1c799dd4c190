// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/observe/observer.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// Every secret of a request, and every way out of a client.
namespace {

using acta::ChatModelError;
using acta::Json;
namespace http = acta::http;

const std::string leaks_key = "sk-leaks-do-not-show-0123456789";

std::string json_text(const std::string& text) { return Json(text).dump(); }

// How a server can write a secret.

template <class Letter>
std::string each(const std::string& text, Letter letter) {
    std::string out;
    for (const char c : text) {
        char buffer[16] = {};
        std::snprintf(buffer, sizeof buffer, letter, static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += buffer;
    }
    return out;
}

std::string base64(const std::string& text) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < text.size() * 8; i += 6) {
        unsigned value = 0;
        for (std::size_t bit = i; bit < i + 6; ++bit) {
            const auto byte = bit / 8 < text.size() ? static_cast<unsigned char>(text[bit / 8]) : 0U;
            value = value * 2 + (byte >> (7 - bit % 8) & 1U);
        }
        out += letters[value];
    }
    return out;
}

struct Echo {
    std::string text{};    // what the server sends
    std::string secret{};  // what of it must not be seen
};

std::vector<Echo> echoes_of(const std::string& secret) {
    std::vector<Echo> out;
    for (const std::string& form :
         {secret, each(secret, "\\u%04x"), each(secret, "\\\\u%04X"), each(secret, "%%%02x"), each(secret, "%%25%02X"),
          each(secret, "&#x%x;"), each(secret, "&#%u;"), each(secret, "&#0%u"), base64(secret)})
        out.push_back({form, form});
    // Within a longer word, base64 begins at another bit.
    for (const char* const before : {"u:", "me:", "who:"}) {
        const std::string word = base64(before + secret);
        out.push_back({word, word.substr(5)});
    }
    return out;
}

/// Checks that no part of a secret is in a text; its first and last letters are chance.
void check_hidden(const std::string& all, const Echo& echo) {
    constexpr std::size_t part = 10;
    for (std::size_t i = 0; i + part <= echo.secret.size(); ++i) {
        if (all.find(echo.secret.substr(i, part)) == std::string::npos) continue;
        CAPTURE(echo.text, all);
        FAIL_CHECK("a secret is shown");
        return;
    }
}

// What comes out of a client.

std::string text_of(const acta::ChatDelta& delta) {
    if (const auto* const text = std::get_if<acta::TextDelta>(&delta)) return text->text;
    if (const auto* const thought = std::get_if<acta::ReasoningDelta>(&delta)) return thought->text;
    const auto& call = std::get<acta::CallDelta>(delta);
    return call.id + " " + call.name + " " + call.arguments;
}

std::string text_of(const acta::ChatReply& reply) {
    std::string out = reply.body.dump() + reply.request_id + reply.completion.finish_reason + reply.completion.model;
    const acta::AssistantChatMessage& message = reply.completion.message;
    out += message.content + message.reasoning_content.value_or("") + Json(message.extra).dump();
    for (const auto& call : message.tool_calls.value_or(std::vector<acta::AssistantToolCall>()))
        out += call.id + call.function.name + Json(call.function.arguments).dump();
    return out;
}

/// Everything that a response shows, of each kind of delta apart from the others.
std::string shown_by(const acta::HttpChatCodec& codec, const std::string& body, const std::string& echo) {
    std::string text;
    std::string kinds[4];
    acta::ChatOptions options;
    options.on_text = [&](std::string_view part) { text += part; };
    options.on_event = [&](const acta::ChatDelta& delta) {
        if (const auto* const call = std::get_if<acta::CallDelta>(&delta)) {
            kinds[2] += call->arguments;
            kinds[3] += call->id + " " + call->name + " ";
        } else {
            kinds[delta.index()] += text_of(delta);
        }
    };
    acta::ChatReplyReader reader = codec.reader(codecs::question(), options);
    reader.begin(200, std::vector<std::pair<std::string, std::string>>{{"x-request-id", echo}});
    static_cast<void>(reader.feed(body));
    const std::string reply = text_of(reader.finish());
    return text + "\n" + kinds[0] + "\n" + kinds[1] + "\n" + kinds[2] + "\n" + kinds[3] + "\n" + reply;
}

// Responses that echo a text everywhere, as one body and as a stream that is cut within the text.

struct LeakApi {
    const char* name;
    std::function<acta::HttpChatCodec(const acta::openai::Options&)> codec;
    std::function<std::string(const std::string& echo)> whole;
    std::function<std::vector<std::string>(const std::vector<std::string>& pieces)> stream;
};

std::string joined(const std::vector<std::string>& pieces) {
    std::string out;
    for (const std::string& one : pieces) out += one;
    return out;
}

std::string arguments_with(const std::string& text) { return "{\"k\":" + json_text(text) + "}"; }

std::vector<LeakApi> leak_apis() {
    std::vector<LeakApi> out;
    out.push_back({"chat completions",
                   [](const acta::openai::Options& options) { return acta::openai::ChatCodec(options); },
                   [](const std::string& echo) {
                       const std::string e = json_text(echo);
                       return R"({"id":)" + e + R"(,"model":)" + e + R"(,"choices":[{"finish_reason":)" + e +
                              R"(,"message":{"content":)" + e + R"(,"reasoning_content":)" + e + ",\"x\":" + e +
                              R"(,"tool_calls":[{"id":)" + e + R"(,"y":)" + e + R"(,"function":{"name":)" + e +
                              ",\"arguments\":" + json_text(arguments_with(echo)) + "}}]}}]}";
                   },
                   [](const std::vector<std::string>& pieces) {
                       std::vector<std::string> events;
                       const auto delta = [&](const std::string& members) {
                           events.push_back(R"({"choices":[{"index":0,"delta":{)" + members + "}}]}");
                       };
                       const std::string e = json_text(joined(pieces));
                       for (const std::string& one : pieces) delta(R"("reasoning_content":)" + json_text(one));
                       for (const std::string& one : pieces) delta(R"("content":)" + json_text(one));
                       const std::string call = R"("tool_calls":[{"index":0,"id":)" + e + R"(,"function":{"name":)" + e;
                       delta(call + R"(,"arguments":"{\"k\":\""}}])");
                       for (const std::string& one : pieces) {
                           const std::string text = json_text(one);
                           delta(R"("tool_calls":[{"index":0,"function":{"arguments":)" +
                                 json_text(text.substr(1, text.size() - 2)) + "}}]");
                       }
                       delta(R"("tool_calls":[{"index":0,"function":{"arguments":"\"}"}}])");
                       events.push_back(R"({"model":)" + e + R"(,"choices":[{"delta":{"x":)" + e +
                                        R"(},"finish_reason":)" + e + "}]}");
                       events.emplace_back("[DONE]");
                       return events;
                   }});
    out.push_back(
        {"responses", [](const acta::openai::Options& options) { return acta::openai::ResponsesCodec(options); },
         [](const std::string& echo) {
             const std::string e = json_text(echo);
             return R"({"status":"completed","model":)" + e + R"(,"output":[{"type":"reasoning","id":)" + e +
                    R"(,"summary":[{"type":"summary_text","text":)" + e +
                    R"(}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":)" + e +
                    R"(}]},{"type":"function_call","call_id":)" + e + R"(,"name":)" + e +
                    ",\"arguments\":" + json_text(arguments_with(echo)) + "}]}";
         },
         [](const std::vector<std::string>& pieces) {
             std::vector<std::string> events;
             const std::string e = json_text(joined(pieces));
             for (const std::string& one : pieces)
                 events.push_back(R"({"type":"response.reasoning_summary_text.delta","delta":)" + json_text(one) + "}");
             for (const std::string& one : pieces)
                 events.push_back(R"({"type":"response.output_text.delta","output_index":0,"delta":)" + json_text(one) +
                                  "}");
             events.push_back(
                 R"({"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"f","call_id":)" +
                 e + R"(,"name":)" + e + R"(,"arguments":""}})");
             const auto arguments = [&](const std::string& text) {
                 events.push_back(R"({"type":"response.function_call_arguments.delta","item_id":"f","delta":)" +
                                  json_text(text) + "}");
             };
             arguments("{\"k\":\"");
             for (const std::string& one : pieces) {
                 const std::string text = json_text(one);
                 arguments(text.substr(1, text.size() - 2));
             }
             arguments("\"}");
             events.push_back(R"({"type":"response.completed","response":{"status":"completed","model":)" + e + "}}");
             return events;
         }});
    out.push_back(
        {"anthropic",
         [](const acta::openai::Options& options) {
             acta::anthropic::Options own;
             own.base_url = options.base_url;
             own.api_key = options.api_key;
             own.headers = options.headers;
             own.proxy = options.proxy;
             own.retry = options.retry;
             own.transport = options.transport;
             return acta::anthropic::ChatCodec(own);
         },
         [](const std::string& echo) {
             const std::string e = json_text(echo);
             return R"({"id":)" + e + R"(,"model":)" + e + R"(,"stop_reason":)" + e +
                    R"(,"content":[{"type":"thinking","thinking":)" + e + R"(,"signature":)" + e +
                    R"(},{"type":"text","text":)" + e + R"(,"citations":[{"cited_text":)" + e +
                    R"(}]},{"type":"tool_use","id":)" + e + R"(,"name":)" + e + R"(,"x":)" + e + R"(,"input":{"k":)" +
                    e + "}}]}";
         },
         [](const std::vector<std::string>& pieces) {
             std::vector<std::string> events;
             const std::string e = json_text(joined(pieces));
             const auto delta = [&](int index, const char* type, const char* key, const std::string& text) {
                 events.push_back(R"({"type":"content_block_delta","index":)" + std::to_string(index) +
                                  R"(,"delta":{"type":")" + type + "\",\"" + key + "\":" + json_text(text) + "}}");
             };
             for (const std::string& one : pieces) delta(0, "thinking_delta", "thinking", one);
             for (const std::string& one : pieces) delta(1, "text_delta", "text", one);
             events.push_back(R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":)" +
                              e + R"(,"name":)" + e + R"(,"input":{}}})");
             delta(2, "input_json_delta", "partial_json", "{\"k\":\"");
             for (const std::string& one : pieces) {
                 const std::string text = json_text(one);
                 delta(2, "input_json_delta", "partial_json", text.substr(1, text.size() - 2));
             }
             delta(2, "input_json_delta", "partial_json", "\"}");
             events.push_back(R"({"type":"message_delta","delta":{"stop_reason":)" + e + "}}");
             events.emplace_back(R"({"type":"message_stop"})");
             return events;
         }});
    return out;
}

// The secrets of a request.

class LeakEnvironment {
public:
    LeakEnvironment() {
#if !defined(_WIN32)
        ::setenv("HTTPS_PROXY", "http://me:env-proxy-pass-0123456789@proxy.invalid:1", 1);
#endif
    }
    LeakEnvironment(const LeakEnvironment&) = delete;
    LeakEnvironment& operator=(const LeakEnvironment&) = delete;
    ~LeakEnvironment() {
#if !defined(_WIN32)
        ::unsetenv("HTTPS_PROXY");
#endif
    }
};

struct LeakCase {
    acta::openai::Options options{};
    std::string secret{};
};

std::vector<LeakCase> leak_cases() {
    std::vector<LeakCase> out;
    const auto add = [&](const std::string& secret, const std::function<void(acta::openai::Options&)>& set) {
        LeakCase one{{.base_url = "https://h/v1", .api_key = ""}, secret};
        one.options.retry.max_attempts = 1;
        set(one.options);
        out.push_back(std::move(one));
    };
    const auto header = [&](const std::string& secret, const char* name, const std::string& value) {
        add(secret, [&](acta::openai::Options& options) { options.headers = {{name, value}}; });
    };
    const std::string secret = "xy-secret-0123456789-abcdefgh";
    add(leaks_key, [](acta::openai::Options& options) { options.api_key = leaks_key; });
    header(secret, "Authorization", "Bearer " + secret);
    header(secret, "Authorization", "Basic " + base64(secret + ":") + "=");
    header(secret, "Authorization", "Basic " + base64("me:" + secret));
    header(secret, "Authorization", "Token token=\"" + secret + "\", nonce=1");
    header(secret, "Authorization",
           R"(Digest username="me", realm="r", uri="/v1", response=")" + secret + R"(", qop=auth)");
    header(secret, "Authorization",
           "AWS4-HMAC-SHA256 Credential=AK/20250101/us/s3/aws4_request, SignedHeaders=host;date, Signature=" + secret);
    header(secret, "Cookie", "theme=dark; sid=" + secret + "; last=1");
    header("a b/" + secret, "Cookie", "sid=a%20b%2F" + secret);
    for (const char* const name :
         {"X-Api-Key", "X-Auth-Token", "X-Goog-Api-Key", "X-Amz-Security-Token", "Api-Key", "X-Amz-Credential",
          "X-User-Password", "X-Session", "X-User-Pass", "Proxy-Authorization"})
        header(secret, name, secret);
    header(secret, "X-Forwarded-Access", "Bearer " + secret);
    add(secret, [&](acta::openai::Options& options) { options.base_url = "https://h/v1?a=1&code=" + secret; });
    add(secret, [&](acta::openai::Options& options) { options.base_url = "https://h/v1#" + secret; });
    add(secret, [&](acta::openai::Options& options) { options.base_url = "https://h/v1?a=1#t=" + secret; });
    for (const char* const proxy :
         {"http://me:@@proxy:1", "http://@@proxy:1", "http://@:@proxy:1", "me:@@proxy:1", "socks5h://@:x@proxy:1"}) {
        std::string url = proxy;
        url.replace(url.find('@'), 1, secret);
        add(secret, [&](acta::openai::Options& options) { options.proxy = url; });
    }
#if !defined(_WIN32)
    add("env-proxy-pass-0123456789", [](acta::openai::Options&) {});
#endif
    return out;
}

}  // namespace

TEST_CASE("no echo of a key is in an answer, nor in a stream that cuts it anywhere") {
    acta::openai::Options options{.base_url = "https://h/v1", .api_key = leaks_key};
    for (const LeakApi& api : leak_apis()) {
        INFO(api.name);
        const acta::HttpChatCodec codec = api.codec(options);
        for (const Echo& echo : echoes_of(leaks_key)) {
            check_hidden(shown_by(codec, api.whole(echo.text), echo.text), echo);
            std::vector<std::string> letters;
            for (const char c : echo.text) letters.emplace_back(1, c);
            check_hidden(shown_by(codec, codecs::events(api.stream(letters)), echo.text), echo);
            for (std::size_t cut = 1; cut < echo.text.size(); cut += 1 + echo.text.size() / 12) {
                const std::vector<std::string> pieces{"so: " + echo.text.substr(0, cut), echo.text.substr(cut) + " !"};
                check_hidden(shown_by(codec, codecs::events(api.stream(pieces)), echo.text), echo);
            }
        }
    }
}

TEST_CASE("every secret of a request is hidden in every answer and error") {
    const LeakEnvironment environment;
    const std::vector<LeakApi> apis = leak_apis();
    for (const LeakCase& one : leak_cases()) {
        CAPTURE(one.secret, one.options.base_url, one.options.proxy.value_or(""));
        const std::string header = one.options.headers.empty() ? std::string() : one.options.headers.front().second;
        CAPTURE(header);
        for (const LeakApi& api : apis) {
            const acta::HttpChatCodec codec = api.codec(one.options);
            for (const Echo& echo : {Echo{one.secret, one.secret}, Echo{base64(one.secret), base64(one.secret)}}) {
                check_hidden(shown_by(codec, api.whole(echo.text), echo.text), echo);
                const std::vector<std::string> halves{echo.text.substr(0, 9), echo.text.substr(9)};
                check_hidden(shown_by(codec, codecs::events(api.stream(halves)), echo.text), echo);
            }
        }
        const acta::HttpChatCodec codec = apis.front().codec(one.options);
        const std::string e = json_text(one.secret);
        for (const int status : {200, 307, 401, 407, 500}) {
            acta::ChatReplyReader reader = codec.reader(codecs::question());
            reader.begin(status, std::vector<std::pair<std::string, std::string>>{
                                     {"x-request-id", one.secret}, {"location", "https://h/?" + one.secret}});
            try {
                reader.feed(R"({"error":{"message":)" + e + ",\"code\":" + e + ",\"type\":" + e + "}}");
                static_cast<void>(reader.finish());
                FAIL_CHECK("answered");
            } catch (const ChatModelError& error) {
                check_hidden(error.what() + error.code() + error.type() + error.request_id(), {one.secret, one.secret});
            }
        }
    }
}

TEST_CASE("whatever a transport throws, no secret leaves the client with it") {
    class Events : public acta::Observer {
    public:
        std::string all{};

    private:
        void on_event(const acta::Event& event) override {
            for (const acta::EventField& field : event.fields) {
                if (const auto* const text = std::get_if<std::string>(&field.value)) all += *text;
            }
        }
    };
    const LeakEnvironment environment;
    for (LeakCase& one : leak_cases()) {
        const std::string said = "POST with " + one.secret + "\n or " + base64("me:" + one.secret);
        acta::ChatModelFailure failure;
        failure.code = failure.type = failure.request_id = one.secret;
        const std::vector<std::function<void()>> throws{[&] { throw std::runtime_error(said); },
                                                        [&] { throw http::Error(http::Fault::connection, said); },
                                                        [&] { throw acta::Timeout(said); },
                                                        [&] { throw acta::Cancelled(said); },
                                                        [&] { throw ChatModelError(said, failure); },
                                                        [&] { throw acta::Error(said); },
                                                        [&] { throw said; },
                                                        [&] { throw said.c_str(); },
                                                        [&] {
                                                            try {
                                                                throw std::runtime_error(said);
                                                            } catch (...) {
                                                                std::throw_with_nested(std::logic_error(said));
                                                            }
                                                        }};
        for (std::size_t i = 0; i < throws.size(); ++i) {
            CAPTURE(i, one.secret);
            std::string all;
            one.options.transport = [&](const http::Request&, const http::Sink&) -> http::Reply {
                throws[i]();
                return {};
            };
            one.options.retry.max_attempts = 2;
            one.options.retry.first_delay = std::chrono::milliseconds(1);
            one.options.retry.on_retry = [&](const auto& retry) { all += retry.error.what(); };
            Events events;
            const auto model = acta::observed(acta::HttpChatModel(acta::openai::ChatCodec(one.options)), events);
            try {
                static_cast<void>(model(codecs::question(), {}));
                FAIL_CHECK("answered");
            } catch (const std::exception& error) {
                all += error.what();
                CHECK(dynamic_cast<const std::nested_exception*>(&error) == nullptr);
                if (const auto* const own = dynamic_cast<const ChatModelError*>(&error)) {
                    all += own->code() + own->type() + own->request_id();
                    CHECK(own->attempts() >= 1);
                } else {
                    CHECK((i == 2 || i == 3));
                }
            }
            check_hidden(all + events.all, {one.secret, one.secret});
            check_hidden(all + events.all, {said, base64("me:" + one.secret).substr(5)});
        }
    }
}

TEST_CASE("what a callback throws comes back as it is, whatever the transport makes of it") {
    acta::openai::Options options{.base_url = "https://h/v1", .api_key = leaks_key};
    const std::string stream = codecs::events({R"({"choices":[{"delta":{"content":"a"}}]})", "[DONE]"});
    for (const bool swallows : {true, false}) {
        options.transport = [&](const http::Request&, const http::Sink& sink) {
            http::Reply reply{200, {}, stream};
            try {
                sink(reply);
            } catch (const std::exception& error) {
                if (!swallows) throw std::runtime_error(leaks_key + error.what());
            }
            return reply;
        };
        acta::ChatOptions asked;
        asked.on_text = [](std::string_view) { throw std::out_of_range("mine"); };
        const acta::HttpChatModel model{acta::openai::ChatCodec(options)};
        CHECK_THROWS_AS(model.complete("?", asked), std::out_of_range);
    }
}

TEST_CASE("a text that is cut between two parts of a message shows no key when they are joined") {
    const acta::openai::ChatCodec chat({.base_url = "https://h/v1", .api_key = leaks_key});
    const acta::anthropic::ChatCodec anthropic({.base_url = "https://h/v1", .api_key = leaks_key});
    const std::string parts = R"([{"type":"text","text":")" + leaks_key.substr(0, 9) + R"("},{"type":"text","text":")" +
                              leaks_key.substr(9) + "\"}]";
    CHECK(codecs::read(chat, R"({"choices":[{"message":{"content":)" + parts + "}}]}").completion.message.content ==
          "***");
    CHECK(codecs::read(anthropic, R"({"content":)" + parts + "}").completion.message.content == "***");
}
