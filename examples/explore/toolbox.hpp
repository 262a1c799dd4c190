// SPDX-License-Identifier: MIT
#pragma once

// Tools by name: the call of a model comes in, checked arguments reach a function, a result comes out in any case.
// Names, schemas and checks all follow from what is registered here.

#include <acta/acta.hpp>

#include "tools.hpp"

namespace explore {

/// The tools of this agent, for a folder that outlives them.
inline acta::SkillRegistry folder_tools(const Folder& folder) {
    const auto of_folder =
        [&folder]<class Result, class Arguments>(Result (*function)(const Folder&, const Arguments&)) {
            return [&folder, function](const Arguments& arguments) { return function(folder, arguments); };
        };
    acta::SkillRegistry tools;
    tools.add("list_files", "The names in a folder.", {.read_only = true}, of_folder(list_files));
    tools.add("read_file", "Some lines of a text file.", {.read_only = true}, of_folder(read_file));
    tools.add("search_text", "Lines of text files with a text in them.", {.read_only = true}, of_folder(search_text));
    tools.add("count_lines", "The lines of a text file, or of all in a folder.", {.read_only = true},
              of_folder(count_lines));
    tools.add("file_sizes", "The largest files of a folder and its kinds of file.", {.read_only = true},
              of_folder(file_sizes));
    return tools;
}

}  // namespace explore
