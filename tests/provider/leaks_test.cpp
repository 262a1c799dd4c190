// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/observe/observer.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/base64.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// Every secret of a request, whatever a server or a transport does with it, and every way out of a client.
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

struct Echo {
    std::string text{};    // what the server sends
    std::string secret{};  // what of it must not be seen
};

std::vector<Echo> echoes_of(const std::string& secret) {
    std::vector<Echo> out;
    for (const std::string& form :
         {secret, each(secret, "\\u%04x"), each(secret, "\\\\u%04X"), each(secret, "%%%02x"), each(secret, "%%25%02X"),
          each(secret, "&#x%x;"), each(secret, "&#%u;"), each(secret, "&#0%u"), in_base64(secret)})
        out.push_back({form, form});
    // Within a longer word, base64 begins at another bit.
    for (const char* const before : {"u:", "me:", "who:"}) {
        const std::string word = in_base64(before + secret);
        out.push_back({word, word.substr(5)});
    }
    return out;
}

/// Returns whether a part of a secret is in a text; its first and last letters are chance.
bool has_part_of(const std::string& secret, const std::string& text) {
    constexpr std::size_t part = 10;
    for (std::size_t i = 0; i + part <= secret.size(); ++i) {
        if (text.find(secret.substr(i, part)) != std::string::npos) return true;
    }
    return false;
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
             own.is_context_too_long = options.is_context_too_long;
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
    header(secret, "Authorization", "Basic " + in_base64(secret + ":") + "=");
    header(secret, "Authorization", "Basic " + in_base64("me:" + secret));
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

// What servers and transports do with a secret, and by what ways a text leaves a client.

struct LeakSource {
    const char* name;
    std::function<http::Reply(const LeakApi& api, const std::string& echo)> reply;  // or throws
};

std::vector<std::string> leak_letters(const std::string& text) {
    const std::size_t size = 1 + text.size() / 50;  // a few letters of a long one
    std::vector<std::string> out;
    for (std::size_t i = 0; i < text.size(); i += size) out.push_back(text.substr(i, size));
    return out;
}

std::vector<LeakSource> leak_replies() {
    std::vector<LeakSource> out;
    const auto add = [&out](const char* name, auto body, int status = 200) {
        out.push_back({name, [body, status](const LeakApi& api, const std::string& echo) {
                           return http::Reply{
                               status, {{"x-request-id", echo}, {"location", "https://h/?" + echo}}, body(api, echo)};
                       }});
    };
    add("an answer", [](const LeakApi& api, const std::string& echo) { return api.whole(echo); });
    for (const std::size_t part : {4U, 2U}) {
        add("a stream that is cut within it", [part](const LeakApi& api, const std::string& echo) {
            const std::size_t cut = echo.size() / part + 1;
            return codecs::events(api.stream({"so: " + echo.substr(0, cut), echo.substr(cut) + " !"}));
        });
    }
    add("a stream that breaks off", [](const LeakApi& api, const std::string& echo) {
        std::vector<std::string> events = api.stream({echo});
        events.resize(2);
        return codecs::events(events);
    });
    const auto report = [](const LeakApi&, const std::string& echo) {
        const std::string e = json_text(echo);
        return R"({"error":{"message":)" + e + ",\"code\":" + e + ",\"type\":" + e + "}}";
    };
    for (const int status : {200, 307, 401, 407, 500}) add("a report of an error", report, status);
    add("a report in a stream", [report](const LeakApi& api, const std::string& echo) {
        return codecs::events({api.stream({"so"}).front(), report(api, echo)});
    });
    add("a report of nothing but a text",
        [](const LeakApi&, const std::string& echo) { return "event: error\ndata: " + echo + "\n\n"; });
    add("an unknown report", [](const LeakApi&, const std::string& echo) {
        return "event: error\ndata: {\"x\":" + json_text(echo) + "}\n\n";
    });
    add("no JSON", [](const LeakApi&, const std::string& echo) { return "<" + echo + ">"; });
    add(
        "no JSON, as an error", [](const LeakApi&, const std::string& echo) { return "<" + echo + ">"; }, 503);
    add("another JSON", [](const LeakApi&, const std::string& echo) { return "{\"x\":" + json_text(echo) + "}"; });
    add("no answer", [](const LeakApi&, const std::string& echo) {
        return R"({"choices":[{"message":{"content":3,"x":)" + json_text(echo) + R"(}}],"output":[3],"content":[3]})";
    });

    return out;
}

std::vector<LeakSource> leak_exceptions() {
    std::vector<LeakSource> out;
    const auto fail = [&out](const char* name, auto throwing) {
        out.push_back({name, [throwing](const LeakApi&, const std::string& echo) -> http::Reply {
                           throwing("POST with " + echo + "\n to it");
                           return {};
                       }});
    };
    fail("std::runtime_error", [](const std::string& said) { throw std::runtime_error(said); });
    fail("http::Error", [](const std::string& said) { throw http::Error(http::Fault::connection, said); });
    fail("Timeout", [](const std::string& said) { throw acta::Timeout(said); });
    fail("Cancelled", [](const std::string& said) { throw acta::Cancelled(said); });
    fail("acta::Error", [](const std::string& said) { throw acta::Error(said); });
    fail("a text", [](const std::string& said) { throw said; });
    fail("a pointer to a text", [](const std::string& said) {
        static std::string kept;
        kept = said;
        throw kept.c_str();
    });
    fail("ChatModelError", [](const std::string& said) {
        acta::ChatModelFailure failure;
        failure.is_transient = true;
        failure.code = failure.type = failure.request_id = said;
        throw ChatModelError(said, failure);
    });
    fail("an exception with another one inside", [](const std::string& said) {
        try {
            throw std::runtime_error(said);
        } catch (...) {
            std::throw_with_nested(std::logic_error(said));
        }
    });
    return out;
}

/// Those in which each form of a secret is looked for: an answer, a stream that is cut in many places, an error.
std::vector<LeakSource> leak_few() {
    const std::vector<LeakSource> all = leak_replies();
    const auto letters = [](const LeakApi& api, const std::string& echo) {
        return http::Reply{200, {}, codecs::events(api.stream(leak_letters(echo)))};
    };
    return {all[0], all[1], {"a stream in letters", letters}, all[5]};
}

/// The observer of a client that keeps all texts.
class LeakEvents : public acta::Observer {
public:
    std::string all{};

private:
    void on_event(const acta::Event& event) override {
        for (const acta::EventField& field : event.fields) {
            if (const auto* const text = std::get_if<std::string>(&field.value)) all += *text + "\n";
        }
    }
};

std::string text_of(const ChatModelError& error) {
    return std::string(error.what()) + "\n" + error.code() + "\n" + error.type() + "\n" + error.request_id();
}
std::string text_of(const std::exception& error) {
    const auto* const own = dynamic_cast<const ChatModelError*>(&error);
    return own == nullptr ? error.what() : text_of(*own);
}

/// Asks a client twice, and returns what leaves it by each way.
std::map<std::string, std::string> exits_of(acta::openai::Options options, const LeakApi& api, const LeakSource& source,
                                            const std::string& echo) {
    std::map<std::string, std::string> out;
    options.transport = [&](const http::Request&, const http::Sink& sink) {
        http::Reply reply = source.reply(api, echo);
        sink(reply);
        return reply;
    };
    options.retry.max_attempts = 2;
    options.retry.first_delay = std::chrono::milliseconds(0);
    options.retry.retry_if = [&](const std::exception& error) {
        out["retry_if"] += text_of(error);
        return true;
    };
    options.retry.on_retry = [&](const acta::RetryEvent& event) { out["on_retry"] += text_of(event.error); };
    options.is_context_too_long = [&](const ChatModelError& error) {
        out["is_context_too_long"] += text_of(error);
        return false;
    };
    acta::ChatOptions chat;
    chat.on_text = [&](std::string_view part) { out["on_text"] += part; };
    chat.on_event = [&](const acta::ChatDelta& delta) {
        if (const auto* const text = std::get_if<acta::TextDelta>(&delta)) out["text"] += text->text;
        if (const auto* const thought = std::get_if<acta::ReasoningDelta>(&delta)) out["reasoning"] += thought->text;
        if (const auto* const call = std::get_if<acta::CallDelta>(&delta)) {
            out["id of a call"] += call->id + " ";
            out["name of a call"] += call->name + " ";
            out["arguments of a call"] += call->arguments;
        }
    };
    LeakEvents events;
    const acta::HttpChatModel model(api.codec(options));
    const auto observed = acta::observed(
        [&](std::span<const acta::ChatMessage> messages, const acta::ChatOptions& own) {
            const acta::ChatReply reply = model.complete(messages, own);
            out["body"] += reply.body.dump();
            out["request id"] += reply.request_id;
            out["finish reason"] += reply.completion.finish_reason;
            out["model"] += reply.completion.model;
            out["message"] += acta::dump(reply.completion.message);
            return reply.completion;
        },
        events);
    try {
        static_cast<void>(observed(codecs::question(), chat));
    } catch (const ChatModelError& error) {
        out["error"] = error.what();
        out["code, type and request id of an error"] = error.code() + error.type() + error.request_id();
        CHECK(error.attempts() >= 1);
        CHECK(dynamic_cast<const std::nested_exception*>(&error) == nullptr);
    } catch (const std::exception& error) {
        out["another exception"] = error.what();
        CHECK(dynamic_cast<const std::nested_exception*>(&error) == nullptr);
    }
    out["events of an observer"] = events.all;
    out["address"] = model.url();
    return out;
}

void check_leaks(const LeakCase& one, const LeakApi& api, const LeakSource& source, const Echo& echo) {
    for (const auto& [exit, text] : exits_of(one.options, api, source, echo.text)) {
        if (!has_part_of(echo.secret, text)) continue;
        CAPTURE(one.secret, one.options.base_url, one.options.proxy.value_or(""), api.name, source.name, echo.text);
        CAPTURE(exit, text);
        FAIL_CHECK("a secret is shown");
    }
}

}  // namespace

TEST_CASE("no secret of a request leaves a client with what a server sends") {
    const LeakEnvironment environment;
    const std::vector<LeakApi> apis = leak_apis();
    const std::vector<LeakCase> cases = leak_cases();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (const LeakSource& source : leak_replies())
            check_leaks(cases[i], apis[i % apis.size()], source, {cases[i].secret, cases[i].secret});
        const std::string coded = in_base64(cases[i].secret);
        check_leaks(cases[i], apis[i % apis.size()], leak_few().front(), {coded, coded});
    }
}

TEST_CASE("no secret of a request leaves a client with what a transport throws") {
    const LeakEnvironment environment;
    const std::vector<LeakApi> apis = leak_apis();
    for (const LeakCase& one : leak_cases()) {
        for (const LeakSource& source : leak_exceptions())
            check_leaks(one, apis.front(), source, {one.secret, one.secret});
    }
}

TEST_CASE("no secret of a request leaves a client in another form, or in parts of it") {
    const LeakCase one = leak_cases().front();
    for (const LeakApi& api : leak_apis()) {
        for (const Echo& echo : echoes_of(leaks_key)) {
            for (const LeakSource& source : leak_few()) check_leaks(one, api, source, echo);
        }
    }
}

TEST_CASE("the texts of servers and transports that could have a secret come out by every way") {
    // Otherwise the test above would find nothing there.
    std::set<std::string> reached;
    std::set<std::string> all;
    for (const LeakApi& api : leak_apis()) {
        std::vector<LeakSource> sources = leak_replies();
        for (const LeakSource& source : leak_exceptions()) sources.push_back(source);
        for (const LeakSource& source : sources) {
            for (const auto& [exit, text] :
                 exits_of({.base_url = "https://h/v1", .api_key = ""}, api, source, "lantern")) {
                all.insert(exit);
                if (text.find("lantern") != std::string::npos) reached.insert(exit);
            }
        }
    }
    all.erase("address");  // which has no query
    CHECK(all.size() == 18);
    CHECK(reached == all);
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
