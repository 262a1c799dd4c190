// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "support/npm.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// The page in a real browser: Debian's chromium, driven by the npm package playwright-core, and looked at by axe-core.
namespace browser {

/// Returns why there is no browser to test with.
inline std::optional<std::string> problem() {
    if (std::system("command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1") != 0)
        return "there is no chromium";
    return npm::problem("browser", "playwright-core@1.55.1 axe-core@4.10.3", "18.0");
}

/// Opens the page in the browser and goes through a scenario of scenarios.mjs. Returns what does not hold, a line for
/// each; empty if everything does.
inline std::string failures(std::string_view page, const std::string& scenario) {
    const TempFolder folder;
    write_file(folder / "page.html", page);
    const std::filesystem::path log = folder / "log";
    const std::string command = "node '" + paths::source("tests/view/browser.mjs") + "' '" +
                                npm::folder("browser").string() + "' '" + (folder / "page.html").string() + "' " +
                                scenario + " >'" + log.string() + "' 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    std::string said = read_file(log);
    if (status != 0 && said.empty()) said = "the browser ended with status " + std::to_string(status);
    return said;
}

}  // namespace browser
