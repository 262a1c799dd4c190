// SPDX-License-Identifier: MIT
// acta_bench_view STEPS BYTES FILE: writes the page of a run of so many steps, with so many bytes in each output, for
// measure.mjs.
#include <acta/acta.hpp>
#include <acta/view/html.hpp>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

namespace {

acta::EpisodicActionHistory<> run_of(std::size_t steps, std::size_t bytes) {
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("Find out why the tide gauge reports nothing."));
    for (std::size_t i = 0; i < steps; ++i) {
        history.register_action({.thoughts = "The log of day " + std::to_string(i) + " may say when it went silent.",
                                 .use_tool = {"read_file", {{"path", "logs/" + std::to_string(i) + ".log"}}}});
        if (i % 20 == 19) {
            history.register_result(acta::ActionErrorResult{.reason = "no such file: " + std::to_string(i) + ".log"});
            continue;
        }
        std::string output;
        for (std::size_t line = 0; output.size() < bytes; ++line)
            output +=
                "12:" + std::to_string(line % 60) + " gauge=\"north\" level=" + std::to_string(i + line) + " <ok>\n";
        history.register_result(acta::ActionSuccessResult{.outputs = std::move(output)});
    }
    return history;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 4) throw std::runtime_error("use: acta_bench_view STEPS BYTES FILE");
        std::ofstream file(argv[3], std::ios::binary);
        acta::to_html(run_of(std::stoul(argv[1]), std::stoul(argv[2])),
                      [&file](std::string_view piece) { file << piece; });
        if (!file.flush()) throw std::runtime_error(std::string("cannot write ") + argv[3]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
