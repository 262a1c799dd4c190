// SPDX-License-Identifier: MIT
#include <acta/acta.hpp>

int main() {
    acta::EpisodicActionHistory<> history;
    history.register_action({.thoughts = "Look around.", .use_tool = {"list_files", {}}});
    history.register_result(acta::ActionSuccessResult{.outputs = "3 files"});
    return acta::parse<acta::EpisodicActionHistory<>>(acta::dump(history)) == history ? 0 : 1;
}
