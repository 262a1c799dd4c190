// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/detail/read/json_reader.hpp"
#include "acta/json/options.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// The path to the current value, a list whose nodes are on the stack of the functions that descend.
struct PathNode {
    const PathNode* up = nullptr;
    std::string_view key{};
    std::size_t index = 0;
    bool is_key = false;
};

// [[gnu::cold]] marks functions that seldom run, most of them for errors: the compiler optimises them for size and in
// less time (3.6 % of what a source that reads and writes costs at -O2).
[[nodiscard]] [[gnu::cold]] inline std::vector<LocElement> to_loc(const PathNode* path) {
    std::vector<const void*> nodes;
    for (; path != nullptr; path = path->up) nodes.push_back(path);
    std::vector<LocElement> loc;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const auto* const node = static_cast<const PathNode*>(nodes[i]);
        loc.push_back(node->is_key ? LocElement(std::string(node->key)) : LocElement(node->index));
    }
    return loc;
}

/// The limit of issues was reached.
struct TooManyIssues {};

/// The state of reading one document: the source, the options, and the issues so far.
class Decoder {
public:
    Decoder(JsonReader& source, const ParseOptions& parse_options) : in(source), options(parse_options) {}
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    JsonReader& in;
    const ParseOptions& options;
    const PathNode* path = nullptr;
    std::vector<Issue> issues{};
    std::vector<const void*> places{};  // of the issues, for line and column
    bool speculating = false;           // a union's member was guessed and is being read
    bool trying = false;                // a union's members are being tried in turn
    bool literal_mismatch = false;      // set by a fixed field with a different value

    [[nodiscard]] bool strict() const noexcept { return options.strictness == Strictness::strict; }

    /// Adds an issue at `where`. Throws `TooManyIssues` at the limit. Messages are views, so that the many callers need
    /// not construct strings.
    [[gnu::cold]] void issue(std::string_view type, std::string_view message, const void* where) {
        add(to_loc(path), type, message, where);
    }
    /// Adds an issue for the value that `peek` looked at last, and skips the value.
    [[gnu::cold]] void refuse(std::string_view type, std::string_view message) {
        issue(type, message, in.where());
        in.skip();
    }
    [[gnu::cold]] void add(std::vector<LocElement> loc, std::string_view type, std::string_view message,
                           const void* where) {
        issues.push_back({std::move(loc), std::string(type), std::string(message), in.excerpt(where)});
        places.push_back(where);
        if (issues.size() >= std::max<std::size_t>(options.max_issues, 1)) throw TooManyIssues{};
    }
    [[gnu::cold]] void drop_issues_from(std::size_t first) {
        truncate(issues, first);
        truncate(places, first);
    }
    /// Reports something that was repaired, if the caller wants to know.
    [[gnu::cold]] void warn(std::string_view type, std::string_view message, const void* where) const {
        if (options.warnings == nullptr || trying) return;
        std::vector<Issue> one(1);
        one.front() = {to_loc(path), std::string(type), std::string(message), in.excerpt(where)};
        in.locate(one, {where});
        options.warnings->push_back(std::move(one.front()));
    }

    void read_json(Json& out) {
        faults_.limit = std::max<std::size_t>(options.max_issues, 1);
        in.read_json(out, faults_);
        if (!faults_.issues.empty()) report_faults();
    }

private:
    [[gnu::cold]] void report_faults() {
        ValueFaults faults = std::move(faults_);  // which is empty then
        for (std::size_t i = 0; i < faults.issues.size(); ++i) {
            Issue& fault = faults.issues[i];
            std::vector<LocElement> loc = to_loc(path);
            for (LocElement& element : fault.loc) loc.push_back(std::move(element));
            add(std::move(loc), fault.type, fault.message, faults.places[i]);
        }
    }

    ValueFaults faults_{};
};

/// Extends the path by one step while it lives.
class PathScope {
public:
    PathScope(Decoder& d, std::string_view key) : path_(d.path), node_{d.path, key, 0, true} { d.path = &node_; }
    explicit PathScope(Decoder& d) : path_(d.path), node_{d.path, {}, 0, false} { d.path = &node_; }
    PathScope(const PathScope&) = delete;
    PathScope& operator=(const PathScope&) = delete;
    ~PathScope() { path_ = node_.up; }

    void set_index(std::size_t index) noexcept { node_.index = index; }
    void set_key(std::string_view key) noexcept {
        node_.key = key;
        node_.is_key = true;
    }

private:
    const PathNode*& path_;
    PathNode node_;
};

}  // namespace acta::inline ACTA_ABI::json_detail
