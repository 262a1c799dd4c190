// SPDX-License-Identifier: MIT
// One of two sources of a program, which may have been compiled with different settings.
#include <string>
#include <vector>

#include "acta/base/retry.hpp"
#include "acta/json/json.hpp"

using Objects = std::vector<acta::JsonObject>;
#if defined(ACTA_OWN_TYPE)
struct Values {  // its name shows nothing of what it contains
    Objects objects{};
};
#else
using Values = Objects;
#endif
Values other(Values values);

namespace {

const char* const text =
    R"([{"name":"a text of more than one block: \"\u00e4\u20ac\ud83d\ude00\"","real":0.1},{"real":-1e-300}])";

bool round_trip() {
    const auto values = acta::parse<Objects>(text);
    const std::string dumped = acta::dump(values);
    return values.size() == 2 && values[0].size() == 2 && acta::parse<Objects>(dumped) == values &&
           dumped.find("0.1") != std::string::npos && dumped.find("-1e-300") != std::string::npos &&
           acta::base::max_attempts({}) == 3;
}

}  // namespace

#if defined(ACTA_MAIN)
int main() {
    const Values values{acta::parse<Objects>(text)};
#if defined(ACTA_OWN_TYPE)
    return round_trip() && other(values).objects == values.objects ? 0 : 1;
#else
    return round_trip() && other(values) == values ? 0 : 1;
#endif
}
#else
Values other(Values values) { return round_trip() ? values : Values(); }
#endif
