// SPDX-License-Identifier: MIT
// The works of main.cpp, built twice: with the headers alone and with acta::compiled.
#include "compiled/codec.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "acta/acta.hpp"

namespace {

struct Reading {
    std::string station{};
    std::int64_t at = 0;
    double height = 0;
    std::optional<std::string> note{};
    std::vector<double> wind{};
};

}  // namespace

template <>
struct acta::Describe<Reading> {
    static constexpr auto fields =
        acta::fields(acta::required("station", &Reading::station), acta::required("at", &Reading::at),
                     acta::defaulted("height", &Reading::height), acta::defaulted("note", &Reading::note),
                     acta::defaulted("wind", &Reading::wind));
};

namespace {

struct State {
    std::string history_text{};
    acta::EpisodicActionHistory<> history{};
    std::string readings_text{};
    std::vector<Reading> readings{};
};

State& state() {
    static State one;
    return one;
}

}  // namespace

extern "C" void acta_bench_prepare(const char* history, std::size_t size) {
    State& now = state();
    now.history_text.assign(history, size);
    now.history = acta::parse<acta::EpisodicActionHistory<>>(now.history_text);
    for (int i = 0; i < 60'000; ++i) {
        Reading one{"Brest, tide gauge no. " + std::to_string(i % 97), 1'700'000'000 + i * 60, i % 701 / 100.0, {}, {}};
        if (i % 3 == 0) one.note = "calm, \"glassy\"; swell from 2\u00b0 west";
        one.wind.assign(static_cast<std::size_t>(i % 5), i / 8.0);
        now.readings.push_back(std::move(one));
    }
    now.readings_text = acta::dump(now.readings);
}

extern "C" std::size_t acta_bench_run(int work) {
    State& now = state();
    switch (work) {
        case 0:
            return acta::parse<acta::EpisodicActionHistory<>>(now.history_text).size() == 0 ? 0
                                                                                            : now.history_text.size();
        case 1: return acta::dump(now.history).size();
        case 2: return acta::parse<std::vector<Reading>>(now.readings_text).size() == 0 ? 0 : now.readings_text.size();
        default: return acta::dump(now.readings).size();
    }
}
