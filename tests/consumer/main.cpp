// SPDX-License-Identifier: MIT
// What a user's first file looks like: the three projects beside it build and run it.
#include <acta/version.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#if __has_include(<acta/acta.hpp>)
#include <acta/acta.hpp>

struct WebSearch {
    std::string query{};
    int limit = 10;
};

template <>
struct acta::Describe<WebSearch> {
    static constexpr auto fields = acta::fields(acta::required("query", &WebSearch::query, "What to look for."),
                                                acta::defaulted("limit", &WebSearch::limit, "How many results."));
};

int main() {
    const auto search = acta::parse<WebSearch>(R"({"query": "tides"})");
    const std::string text = acta::dump(search);
    std::cout << "acta " << acta::version << ": " << text << '\n';
    if (search.limit != 10 || nlohmann::json::parse(text) != nlohmann::json{{"query", "tides"}, {"limit", 10}})
        return 1;
    try {
        static_cast<void>(acta::parse<WebSearch>(R"({"limit": "many"})"));
    } catch (const acta::ValidationError& error) {
        return error.issues().size() == 2 ? 0 : 1;
    }
    return 1;
}
#else
int main() { std::cout << "acta " << acta::version << '\n'; }
#endif
