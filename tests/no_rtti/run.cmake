# SPDX-License-Identifier: MIT
# cmake -D compiler= -D includes=a|b -D source= -D program= -P run.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/run.cmake")

string(REPLACE "|" ";" folders "${includes}")
list(REMOVE_ITEM folders "")
list(TRANSFORM folders PREPEND "-I")
run("compiling without RTTI" "${compiler}" -std=c++20 -fno-rtti -pthread -Wall -Wextra -Werror ${folders} "${source}"
  -o "${program}")
run("running without RTTI" "${program}")
