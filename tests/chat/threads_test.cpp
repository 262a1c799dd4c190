// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "support/at_once.hpp"
#include "support/catch.hpp"

TEST_CASE("threads may script, ask and look at one model") {
    const acta::ScriptedChatModel asked;
    std::atomic<int> answered{0};
    at_once(4, [&](std::size_t thread) {
        acta::ScriptedChatModel model = asked;  // the same script
        const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user(std::to_string(thread))};
        for (int i = 0; i < 200; ++i) {
            model.reply("so");
            if (model({messages}, {}).message.content == "so") ++answered;
            if (i % 20 == 0 && model.requests().empty()) answered = -1000;
            if (model.remaining() > 4) answered = -1000;
        }
    });
    CHECK(answered == 800);
    CHECK(asked.requests().size() == 800);
    CHECK(asked.remaining() == 0);
}

TEST_CASE("what is kept of a request is used by one thread at a time, while another sets the next one") {
    acta::chat_detail::KeptRequest kept;
    const std::vector<acta::ChatMessage> messages(8);
    std::atomic<int> inside{0};
    std::atomic<int> wrong{0};
    at_once(4, [&](std::size_t thread) {
        for (std::size_t i = 0; i < 500; ++i) {
            const std::size_t count = 1 + i % messages.size();
            if (thread == 0) kept.set(messages.data(), count, count - 1);
            static_cast<void>(kept.use(messages.data(), count, [&](auto& written) {
                if (++inside != 1 || written.count > count) ++wrong;
                written.count = count;
                --inside;
            }));
        }
    });
    CHECK(wrong == 0);
}
