// SPDX-License-Identifier: MIT
#pragma once

// Tools by name: the call of a model comes in, checked arguments reach a function, a result comes out in any case.

#include <acta/acta.hpp>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tools.hpp"

namespace explore {

struct UnknownTool : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Tool {
    std::string name{};
    std::string doc{};
    acta::Json parameters{};                                        // the schema of its arguments
    std::function<acta::Json(const acta::JsonObject&)> function{};  // may throw whatever it likes
};

class Toolbox {
public:
    /// A function that takes a described struct; its schema and the check of arguments follow from the struct.
    template <class Arguments, class Function>
    void add(std::string name, std::string doc, Function function) {
        const auto call = [function = std::move(function)](const acta::JsonObject& arguments) {
            return acta::to_json_value(function(acta::validate<Arguments>(arguments, {.unknown_keys = forbid})));
        };
        tools_.push_back({std::move(name), std::move(doc), acta::schema<Arguments>(), call});
    }

    [[nodiscard]] const std::vector<Tool>& tools() const noexcept { return tools_; }

    /// Whatever goes wrong is a result too, for an agent has to go on from there.
    [[nodiscard]] acta::ActionResult run(const acta::AssistantFunctionCall& call) const {
        try {
            for (const Tool& tool : tools_) {
                if (tool.name == call.name) return acta::ActionSuccessResult{.outputs = tool.function(call.arguments)};
            }
            throw UnknownTool("There is no tool '" + call.name + "'");
        } catch (...) {
            return acta::ActionErrorResult::from_exception(std::current_exception());
        }
    }

private:
    // A model that invents an argument should hear of it.
    static constexpr acta::UnknownKeys forbid = acta::UnknownKeys::forbid;

    std::vector<Tool> tools_{};
};

/// The tools of this agent, for a folder that outlives them.
inline Toolbox folder_tools(const Folder& folder) {
    const auto of_folder = [&folder](auto function) {
        return [&folder, function](const auto& arguments) { return function(folder, arguments); };
    };
    Toolbox tools;
    tools.add<ListFiles>("list_files", "The names in a folder.", of_folder(list_files));
    tools.add<ReadFile>("read_file", "Some lines of a text file.", of_folder(read_file));
    tools.add<SearchText>("search_text", "Lines of text files with a text in them.", of_folder(search_text));
    tools.add<CountLines>("count_lines", "The lines of a text file, or of all in a folder.", of_folder(count_lines));
    tools.add<FileSizes>("file_sizes", "The largest files of a folder and its kinds of file.", of_folder(file_sizes));
    return tools;
}

}  // namespace explore
