// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "acta/base/real.hpp"

// Floating-point numbers to and from text, as CPython spells them.
namespace acta::inline ACTA_ABI::pysyntax_detail {

/// Appends `repr(value)` by the rule of CPython's `float_repr_style`: the shortest digits that are read as the same
/// number, with an exponent below -4 or from 16 on, and `.0` if nothing else shows that it is a float.
inline void append_float(std::string& out, double value) {
    constexpr base::RealStyle style{-4, true};
    if (std::isnan(value)) {
        out += "nan";
    } else if (std::isinf(value)) {
        out += value < 0 ? "-inf" : "inf";
    } else {
        char text[64];
        out.append(text, base::write_real(value, text, style));
    }
}

/// The parts of a decimal float as it is written, without underscores.
struct FloatText {
    std::string whole{};     ///< digits before the point, may be empty
    std::string fraction{};  ///< digits after it, may be empty
    std::string exponent{};  ///< digits of the exponent, may be empty
    bool negative_exponent = false;
};

/// Returns the double nearest to the text; an infinity or zero beyond its range, as in Python.
[[nodiscard]] inline double read_float(const FloatText& text) {
    std::string number = text.whole.empty() ? "0" : text.whole;
    number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
    number.append(".").append(text.fraction.empty() ? "0" : text.fraction);
    if (!text.exponent.empty()) number.append(text.negative_exponent ? "e-" : "e+").append(text.exponent);
    double value = 0;
    return base::text_to_double(number, value) ? value : std::numeric_limits<double>::infinity();
}

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
