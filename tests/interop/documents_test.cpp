// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "told.hpp"

// Documents, and all that a reader makes of each: tests/interop/documents/README.md explains the files.

namespace {

struct ToldDocument {
    std::string name{};
    bool lenient = false;
    std::string text{};
    std::string expected{};
};

/// Returns the documents of a file.
std::vector<ToldDocument> documents_in(const std::filesystem::path& file) {
    std::vector<ToldDocument> out;
    std::istringstream lines(acta::base::read_file(file));
    bool is_expected = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("### ")) {
            ToldDocument& one = out.emplace_back();
            one.name = line.substr(4);
            is_expected = false;
            if (one.name.starts_with("lenient: ")) {
                one.lenient = true;
                one.name.erase(0, 9);
            }
            if (!one.name.starts_with('@')) continue;
            const acta::Json test = acta::parse<acta::Json>(
                acta::base::read_file(paths::source("tests/data/cases/trajectory/" + one.name.substr(1) + ".json")));
            one.text = test["input"].get<std::string>();
            one.lenient = test["options"].value("lenient", false);
            is_expected = true;
        } else if (line == "---") {
            is_expected = true;
        } else if (!line.empty() && !out.empty()) {
            (is_expected ? out.back().expected : out.back().text) += line + "\n";
        }
    }
    return out;
}

void check_documents(const std::string& name) {
    std::ofstream actual;
    if (const char* const folder = std::getenv("ACTA_RECORD")) actual.open(std::string(folder) + "/" + name + ".txt");
    const std::vector<ToldDocument> all = documents_in(paths::source("tests/interop/documents/" + name + ".txt"));
    REQUIRE(!all.empty());
    for (const ToldDocument& one : all) {
        INFO(name << ": " << one.name);
        const std::string told = told::document(one.text, one.lenient);
        CHECK(told == one.expected);
        actual << "### " << (one.name[0] != '@' && one.lenient ? "lenient: " : "") << one.name << "\n";
        if (one.name[0] != '@') actual << one.text << "---\n";
        actual << told << "\n";
    }
}

}  // namespace

TEST_CASE("every case of a trajectory says exactly what it says") { check_documents("cases"); }
TEST_CASE("sessions that look alike are read as what they are") { check_documents("sessions"); }
TEST_CASE("messages and histories that look alike are read as what they are") { check_documents("messages"); }
