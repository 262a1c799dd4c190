// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

// The same work in two sources, one with acta::compiled and one without.

/// Reads a history, continues it, and returns it as JSON and as text.
std::string work_with_headers(std::string_view json);
std::string work_with_library(std::string_view json);
