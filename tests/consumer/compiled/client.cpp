// SPDX-License-Identifier: MIT
// A client that was compiled once, asked for an answer that no server gives.
#include <acta/provider/openai/chat_model.hpp>
#include <iostream>

#if !defined(ACTA_COMPILED)
#error "acta::compiled_client says that the library is there"
#endif

int main() {
    const acta::openai::ChatModel model(
        {.base_url = "http://127.0.0.1:1/v1", .model = "none", .retry = {.max_attempts = 1}});
    try {
        static_cast<void>(model.complete("Is anybody there?"));
    } catch (const acta::ChatModelError& error) {
        std::cout << error.what() << "\n";
        return 0;
    }
    return 1;
}
