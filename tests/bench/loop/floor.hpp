// SPDX-License-Identifier: MIT
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <deque>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace bench {

/// The same loop with libcurl and nlohmann/json and nothing else: it keeps the text of its messages, and neither
/// checks, records nor repeats anything. What it takes is what a step cannot do without.
class FloorLoop {
public:
    /// Sends the last `shown` steps; 0 for all.
    FloorLoop(std::string url, std::string tools, std::size_t shown)
        : url_(std::move(url)), tools_(std::move(tools)), shown_(shown), handle_(curl_easy_init()) {
        if (handle_ == nullptr) throw std::runtime_error("no libcurl");
        headers_ = curl_slist_append(nullptr, "Content-Type: application/json");
        curl_easy_setopt(handle_, CURLOPT_URL, url_.c_str());
        curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, headers_);
        curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &receive);
        curl_easy_setopt(handle_, CURLOPT_WRITEDATA, &reply_);
    }
    FloorLoop(const FloorLoop&) = delete;
    FloorLoop& operator=(const FloorLoop&) = delete;
    ~FloorLoop() {
        curl_slist_free_all(headers_);
        curl_easy_cleanup(handle_);
    }

    /// Runs until the model answers; `tool(part)` returns the output of a call. Returns the number of steps.
    template <class Tool>
    std::size_t run(const Tool& tool) {
        const std::string begin = R"({"model":"m","messages":[{"role":"user","content":"When did the pump run dry?"})";
        std::string whole = begin;  // where all steps are sent
        std::deque<std::string> steps;
        for (std::size_t n = 0;; ++n) {
            std::string body = whole;
            for (const std::string& step : steps) body += step;
            ask(body + "]" + tools_ + "}");
            const nlohmann::json reply = nlohmann::json::parse(reply_);
            const nlohmann::json& message = reply["choices"][0]["message"];
            if (!message.contains("tool_calls")) return n;
            std::string step = "," + message.dump();
            for (const nlohmann::json& call : message["tool_calls"]) {
                const nlohmann::json& function = call["function"];
                const auto arguments = nlohmann::json::parse(function["arguments"].get_ref<const std::string&>());
                const nlohmann::json result{{"role", "tool"},
                                            {"tool_call_id", call["id"]},
                                            {"content", tool(arguments["part"].get<std::size_t>())}};
                step += "," + result.dump();
            }
            if (shown_ == 0) {
                whole += step;
            } else {
                steps.push_back(std::move(step));
                if (steps.size() > shown_) steps.pop_front();
            }
        }
    }

private:
    static std::size_t receive(const char* data, std::size_t size, std::size_t count, void* reply) {
        static_cast<std::string*>(reply)->append(data, size * count);
        return size * count;
    }
    void ask(const std::string& body) {
        reply_.clear();
        curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, body.data());
        curl_easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        if (curl_easy_perform(handle_) != CURLE_OK) throw std::runtime_error("the server does not answer");
    }

    std::string url_;
    std::string tools_;
    std::size_t shown_;
    std::string reply_{};
    CURL* handle_;
    curl_slist* headers_ = nullptr;
};

}  // namespace bench
