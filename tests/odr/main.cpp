// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <string>

#if defined(ACTA_HAS_CLIENT)
#include "provider/http/socket_server.hpp"
#endif

std::string use_in_sorted_order(const std::string& url);
std::string use_in_reverse_order(const std::string& url);
const void* version_in_sorted_order();
const void* version_in_reverse_order();

int main() {
    try {
#if defined(ACTA_HAS_CLIENT)
        const faulty::Server server([](faulty::Connection& connection) {
            while (!connection.read().head.empty() && connection.answer(R"({"choices": [{"finish_reason": "tool_calls",
                "message": {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function",
                    "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}}]}}]})")) {
            }
        });
        const std::string url = server.url();
#else
        const std::string url;
#endif
        if (version_in_sorted_order() != version_in_reverse_order()) {
            std::puts("acta::version is not one object");
            return 1;
        }
        if (use_in_sorted_order(url) != use_in_reverse_order(url)) {
            std::puts("the two sources do different things");
            return 1;
        }
        std::puts("two sources, one acta");
        return 0;
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
