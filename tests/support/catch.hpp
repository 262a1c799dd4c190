// SPDX-License-Identifier: MIT
// It is precompiled. A guard instead of #pragma once, which compares the file with the one that was precompiled: ccache
// may restore one that differs in a comment.
#ifndef ACTA_TESTS_SUPPORT_CATCH_HPP
#define ACTA_TESTS_SUPPORT_CATCH_HPP

// Catch2 2 (Debian 12) or 3 (Debian 13): what tests use beyond the common macros has the same name with both.
//
//   ACTA_SKIP("reason");   ends the test case as skipped; in the body of a TEST_CASE only
//   Approx                 as in version 2
//   contains_text("x")     a matcher: the string has "x" in it; also starts_with_text, ends_with_text

#if ACTA_CATCH2_V3
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_predicate.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <iostream>
#include <string>

#if ACTA_CATCH2_V3
using Catch::Approx;
#define ACTA_SKIP(reason) SKIP(reason)
#else
#define ACTA_SKIP(reason)                                            \
    do {                                                             \
        std::cout << "acta test skipped: " << (reason) << std::endl; \
        return;                                                      \
    } while (false)
#endif

#if ACTA_CATCH2_V3
inline auto contains_text(const std::string& text) { return Catch::Matchers::ContainsSubstring(text); }
#else
inline auto contains_text(const std::string& text) { return Catch::Matchers::Contains(text); }
#endif
inline auto starts_with_text(const std::string& text) { return Catch::Matchers::StartsWith(text); }
inline auto ends_with_text(const std::string& text) { return Catch::Matchers::EndsWith(text); }

#endif
