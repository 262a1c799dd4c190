// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <string>

#include "acta/provider/openai/chat_model.hpp"
#include "faulty_model.hpp"

namespace {

/// Answers each request with the question that was in it.
void answer_with_question(faulty::Connection& connection) {
    for (faulty::Request one = connection.read(); !one.head.empty(); one = connection.read()) {
        const std::size_t begin = one.body.find("ask-");
        connection.answer(faulty::answer(one.body.substr(begin, one.body.find('"', begin) - begin)));
    }
}

/// Asks that often; returns how many answers were those to another question.
int wrong_answers(const acta::openai::ChatModel& model, const std::string& name, int count) {
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        const std::string question = "ask-" + name + std::to_string(i);
        if (model.complete(question).completion.message.content != question) ++wrong;
    }
    return wrong;
}

}  // namespace

TEST_CASE("after a fork parent and child have connections of their own") {
#if defined(__SANITIZE_THREAD__)
    ACTA_SKIP("ThreadSanitizer does not follow a fork of a program with threads");
#endif
    const faulty::Server server(answer_with_question);
    acta::openai::Options options = faulty::options_for(server);
    options.timeout = std::chrono::seconds(30);
    const acta::openai::ChatModel model(options);
    REQUIRE(wrong_answers(model, "warm", 2) == 0);
    REQUIRE(server.connections() == 1);
    const ::pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        int status = 100;
        try {
            status = wrong_answers(model, "child", 50);
        } catch (const std::exception&) {
        }
        ::_exit(status);
    }
    CHECK(wrong_answers(model, "parent", 50) == 0);
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    // The child has said nothing on the parent's connection, not even goodbye.
    CHECK(wrong_answers(model, "after", 1) == 0);
    CHECK(server.connections() == 2);
}

TEST_CASE("programs that are started inherit no connection of a model") {
    const faulty::Server server(answer_with_question);
    REQUIRE(wrong_answers(acta::openai::ChatModel(faulty::options_for(server)), "warm", 1) == 0);
    int found = 0;
    for (int fd = 0; fd < 1024; ++fd) {
        ::sockaddr_in peer{};
        ::socklen_t size = sizeof peer;
        if (::getpeername(fd, reinterpret_cast<::sockaddr*>(&peer), &size) != 0) continue;
        if (peer.sin_family != AF_INET || ntohs(peer.sin_port) != server.port()) continue;
        ++found;
        CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
    }
    CHECK(found == 1);
}

#else

TEST_CASE("connections of processes are tested with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
