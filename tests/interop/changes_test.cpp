// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "told.hpp"
#include "wire_cases.hpp"

// Each good document of tests/data/cases/trajectory/ and wire/, with one change after another: some must change what is
// read, the others must not.

namespace {

using acta::Json;

struct GoodDocument {
    std::string name{};
    Json value{};
    bool is_lines = false;
    bool lenient = false;
    Json wire{};  ///< `input` of a case of a request for another API.
    std::string told{};

    [[nodiscard]] std::string text_of(const Json& changed) const {
        if (!is_lines) return changed.dump();
        std::string out;
        for (const Json& line : changed) out += line.dump() + "\n";
        return out;
    }
    [[nodiscard]] std::string told_of(const Json& changed) const {
        if (wire.is_null()) return told::document(text_of(changed), lenient);
        Json input = wire;
        input["messages"] = changed;
        try {
            return "From " + wire["from"].get<std::string>() + " to " + wire["to"].get<std::string>() + "\n" +
                   wire_cases::document_of(input).dump();
        } catch (const acta::ValidationError& error) {
            return told::refusal(error);
        }
    }
    [[nodiscard]] std::string format() const { return told.substr(0, told.find('\n')); }
};

std::vector<GoodDocument> good_documents() {
    std::vector<GoodDocument> out;
    std::vector<std::filesystem::path> files;
    for (const char* const kind : {"trajectory", "wire"}) {
        for (const auto& file : std::filesystem::directory_iterator(paths::source("tests/data/cases") + "/" + kind))
            files.push_back(file.path());
    }
    std::ranges::sort(files);
    for (const auto& file : files) {
        const Json test = acta::parse<Json>(acta::base::read_file(file));
        GoodDocument one;
        one.name = file.stem().string();
        one.lenient = test["options"].value("lenient", false);
        const bool is_wire = test["kind"] == "wire";
        const auto text = is_wire ? test["input"]["messages"].dump() : test["input"].get<std::string>();
        if (is_wire) one.wire = test["input"];
        one.value = Json::parse(text, nullptr, false);
        if (one.value.is_discarded()) {
            one.is_lines = true;
            one.value = Json::array();
            std::istringstream lines(text);
            for (std::string line; std::getline(lines, line);) {
                const Json value = Json::parse(line, nullptr, false);
                if (!value.is_discarded()) one.value.push_back(value);
            }
        }
        one.told = one.told_of(one.value);
        if (!one.told.starts_with("refused")) out.push_back(std::move(one));
    }
    return out;
}

/// Calls `function` with each value and its place: the pointer, and one with a word for what an element is instead of
/// its index.
void walk(const Json& value, const std::string& at, const std::string& kind,
          const std::function<void(const Json&, const std::string&, const std::string&)>& function) {
    function(value, at, kind);
    if (value.is_object()) {
        for (const auto& [key, member] : value.items()) {
            std::string escaped;
            for (const char c : key) escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
            walk(member, at + "/" + escaped, kind + "/" + escaped, function);
        }
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i) {
            std::string tag;
            for (const char* const key : {"role", "kind", "type", "observation", "action"}) {
                if (!tag.empty() || !value[i].is_object() || !value[i].contains(key) || !value[i][key].is_string())
                    continue;
                tag = value[i][key].get<std::string>();
                if (*key == 'o' || *key == 'a') tag = value[i].contains("source") ? key + (" " + tag) : "";
                const Json payload = value[i].value("payload", Json());
                if (payload.is_object() && payload.contains("type")) tag += " " + payload["type"].get<std::string>();
            }
            walk(value[i], at + "/" + std::to_string(i), kind + "/[" + tag + "]", function);
        }
    }
}

/// Reverses the members of all objects.
Json reversed(const Json& value) {
    if (value.is_array()) {
        Json out = Json::array();
        for (const Json& one : value) out.push_back(reversed(one));
        return out;
    }
    if (!value.is_object()) return value;
    std::vector<std::pair<std::string, Json>> members;
    for (const auto& [key, member] : value.items()) members.emplace_back(key, reversed(member));
    Json out = Json::object();
    for (auto one = members.rbegin(); one != members.rend(); ++one) out[one->first] = one->second;
    return out;
}

/// The characters of each line in their order, in which members have none.
std::string without_order(const std::string& told) {
    std::string out;
    std::istringstream lines(told);
    for (std::string line; std::getline(lines, line);) {
        std::ranges::sort(line);
        out += line + "\n";
    }
    return out;
}

/// Another value of the same type.
Json another(const Json& value) {
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        // A time stays one, and JSON within a text stays JSON.
        if (text.size() > 18 && text[4] == '-' && text[10] == 'T') return "2031" + text.substr(4);
        if (text.starts_with('{') && text.ends_with('}')) return R"({"another":1})";
        return text + "~";
    }
    if (value.is_boolean()) return !value.get<bool>();
    if (value.is_number_integer()) return value.get<std::int64_t>() + 1;
    if (value.is_number()) return value.get<double>() + 1;
    return "another";
}

Json without(const Json& document, const std::string& at) {
    Json out = document;
    const Json::json_pointer place(at);
    Json& parent = out.at(place.parent_pointer());
    if (parent.is_object())
        parent.erase(place.back());
    else
        parent.erase(parent.begin() + std::stol(place.back()));
    return out;
}

/// Whether each issue of a refusal has a place in the document, or the whole is no trajectory any more.
bool has_places(const std::string& told, const Json& document) {
    std::istringstream lines(told);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("refused at '': trajectory_unknown")) continue;
        const std::size_t begin = line.find('\'') + 1;
        const Json::json_pointer at(line.substr(begin, line.find('\'', begin) - begin));
        if (at.empty() || !document.contains(at.parent_pointer())) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("the order of members, blanks and unknown members do not change what is read") {
    for (const GoodDocument& one : good_documents()) {
        INFO(one.name);
        CHECK(without_order(one.told_of(reversed(one.value))) == without_order(one.told));
        if (!one.wire.is_null()) continue;
        if (!one.is_lines) CHECK(told::document("\n " + one.value.dump(3) + "\n", one.lenient) == one.told);
        if (one.is_lines) CHECK(told::document("\n\r\n" + one.text_of(one.value) + " \n", one.lenient) == one.told);
        Json more = one.value;
        walk(one.value, "", "", [&](const Json& value, const std::string& at, const std::string& kind) {
            constexpr const char* own[] = {"arguments", "input",       "args",
                                           "output",    "outputs",     "thoughts",
                                           "metrics",   "model_stats", "content/[tool_result]/content"};
            const bool is_own = std::ranges::any_of(
                own, [&](const char* key) { return kind.find("/" + std::string(key)) != std::string::npos; });
            if (value.is_object() && !is_own) more[Json::json_pointer(at)]["unknown to all"] = {{"list", {1, "x"}}};
        });
        CHECK(one.told_of(more) == one.told);
    }
}

namespace {

/// Changes each value of the documents of Claude Code, or of all others.
void check_changes(bool claude_code) {
    std::map<std::string, std::string> unread;  // - if it is removed, ~ if it has another value
    std::set<std::string> seen;
    for (const GoodDocument& one : good_documents()) {
        if (one.name == "openhands-evaluation-of-two-runs" || one.name.starts_with("claude-code") != claude_code)
            continue;
        std::string left_out = "none";  // the values within it have no effect either
        walk(one.value, "", "", [&](const Json& value, const std::string& at, const std::string& kind) {
            const std::string place = one.format() + ": " + kind;
            if (at.empty() || at.starts_with(left_out + "/") || !seen.insert(place).second) return;
            for (const bool removed : {true, false}) {
                if (!removed && (value.is_structured() || value.is_null())) continue;
                Json changed = one.value;
                if (removed)
                    changed = without(one.value, at);
                else
                    changed[Json::json_pointer(at)] = another(value);
                const std::string told = one.told_of(changed);
                INFO(one.name << " " << place);
                const bool is_request = !one.wire.is_null() && one.wire["from"] == "anthropic";
                if (told.starts_with("refused"))
                    CHECK(has_places(told, is_request ? Json{{"messages", one.value}} : one.value));
                if (told != one.told) continue;
                unread[place] += removed ? '-' : '~';
                if (removed) left_out = at;
            }
        });
    }
    std::string told;
    for (const auto& [place, how] : unread) told += how + " " + place + "\n";
    const std::string name = claude_code ? "unread_claude_code" : "unread";
    if (const char* const folder = std::getenv("ACTA_RECORD"))
        std::ofstream(std::string(folder) + "/" + name + ".txt") << told;
    CHECK(told == acta::base::read_file(paths::source("tests/interop/documents/" + name + ".txt")));
}

}  // namespace

TEST_CASE("a change of any value that is read is seen, or refused with its place, and of no other") {
    check_changes(false);
}
TEST_CASE("a change of any value that is read of Claude Code is seen, and of no other") { check_changes(true); }
