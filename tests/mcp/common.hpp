// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include "acta/mcp/result.hpp"

// What tests of clients and servers share.
namespace mcp_tests {

/// The words of an error of this type that a function throws.
template <class Error, class Function>
std::string thrown(const Function& function) {
    try {
        function();
    } catch (const Error& caught) {
        return caught.what();
    }
    return "nothing";
}

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether something comes true within five seconds.
template <class Condition>
bool eventually(const Condition& condition) {
    for (int i = 0; i < 1000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

inline std::string text_of(const acta::mcp::CallToolResult& result) {
    return std::get<acta::mcp::TextContent>(result.content.at(0)).text;
}

}  // namespace mcp_tests
