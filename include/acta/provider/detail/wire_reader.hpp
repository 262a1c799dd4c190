// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/utf8.hpp"
#include "acta/chat/tool_call.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/parse.hpp"

namespace acta::inline ACTA_ABI::provider_detail {

/// A place in the document being read. Children point to their parents, which live in the functions that descend.
struct Place {
    const Place* up = nullptr;
    LocElement element{std::size_t{0}};

    [[nodiscard]] std::vector<LocElement> loc() const {
        std::vector<LocElement> out;
        if (up == nullptr) return out;
        out = up->loc();
        out.push_back(element);
        return out;
    }
};

/// The common base of readers of wire formats, which collect issues with their places.
class WireReader {
protected:
    void throw_if_any(const char* title) {
        if (!issues_.empty()) throw ValidationError(title, std::move(issues_));
    }

    void refuse(const Place& place, std::string_view type, std::string_view message, const Json& input) {
        DumpOptions options;
        options.invalid_utf8 = InvalidUtf8::replace;
        refuse(place.loc(), type, std::string(message), dump(input, options));
    }
    void refuse(std::vector<LocElement> loc, std::string_view type, std::string message, std::string_view input) {
        Issue issue;
        issue.loc = std::move(loc);
        issue.type = type;
        issue.message = std::move(message);
        issue.input = utf8::prefix(input, 100);
        issues_.push_back(std::move(issue));
    }

    /// Returns a member that must be a text, moved out of a block.
    std::string take_text(JsonObject& block, const std::string& key, const Place& place) {
        const auto found = block.find(key);
        if (found == block.end()) {
            refuse({&place, key}, "missing", "Field required", Json(block));
            return {};
        }
        if (!found->second.is_string()) {
            refuse({&place, key}, "string_type", "Input should be a valid string", found->second);
            return {};
        }
        std::string out = std::move(found->second.get_ref<std::string&>());
        block.erase(found);
        return out;
    }

    /// Returns the type of a block; empty, with an issue, if it has none.
    std::string_view type_of(const Json& block, const Place& place) {
        if (!block.is_object()) {
            refuse(place, "dict_type", "Input should be an object", block);
            return {};
        }
        const Json* const type = base::find_key(base::object_of(block), "type");
        if (type == nullptr || !type->is_string() || base::text_of(*type).empty()) {
            refuse(place, "union_tag_not_found", "Unable to extract tag using discriminator 'type'", block);
            return {};
        }
        return base::text_of(*type);
    }

    void read_arguments(const Json& input, const Place& place, AssistantToolCall& call) {
        if (input.is_object()) {
            call.function.arguments = JsonObject(base::object_of(input));
            return;
        }
        if (!input.is_string()) return refuse(place, "dict_type", "Input should be an object", input);
        // Text, if a client concatenated the parts of a stream; blank text is a call without arguments.
        const std::string& text = base::text_of(input);
        if (ascii::is_blank(text)) return;
        try {
            call.function.arguments = parse<JsonObject>(text);
        } catch (const ValidationError& error) {
            const std::string of = " (the arguments of '" + call.function.name + "', call '" + call.id + "')";
            for (const Issue& issue : error.issues()) {
                std::vector<LocElement> loc = place.loc();
                loc.insert(loc.end(), issue.loc.begin(), issue.loc.end());
                refuse(std::move(loc), issue.type, issue.message + of, issue.input.empty() ? text : issue.input);
            }
        }
    }

private:
    std::vector<Issue> issues_{};
};

}  // namespace acta::inline ACTA_ABI::provider_detail
