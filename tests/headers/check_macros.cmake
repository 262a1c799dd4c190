# SPDX-License-Identifier: MIT
# cmake -D compiler= -D headers=a|b -D includes=a|b -D allowed=REGEX -D work= -P check_macros.cmake
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" headers "${headers}")
set(text "")
foreach(header IN LISTS headers)
  string(APPEND text "#include \"${header}\"\n")
endforeach()
file(WRITE "${work}/all_macros.cpp" "${text}")

string(REPLACE "|" ";" folders "${includes}")
list(REMOVE_ITEM folders "")
list(REMOVE_DUPLICATES folders)
list(TRANSFORM folders PREPEND "-I")
execute_process(
  COMMAND "${compiler}" -std=c++20 -E -dM ${folders} "${work}/all_macros.cpp"
  OUTPUT_VARIABLE macros ERROR_VARIABLE errors RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the preprocessor failed:\n${errors}")
endif()
string(REGEX MATCHALL "#define ACTA_[A-Za-z0-9_]+" found "${macros}")
list(TRANSFORM found REPLACE "#define " "")
list(FILTER found EXCLUDE REGEX "^ACTA_(${allowed})$")
if(found)
  list(JOIN found "\n  " found)
  message(FATAL_ERROR "macros left behind by the headers:\n  ${found}")
endif()
