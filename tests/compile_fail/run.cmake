# SPDX-License-Identifier: MIT
# cmake -D compiler= -D source= -D includes=a|b -P run.cmake
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${source}" expect REGEX "^// expect: ")
string(REGEX REPLACE "^// expect: " "" expect "${expect}")
if(expect STREQUAL "")
  message(FATAL_ERROR "${source}: no line \"// expect: TEXT\"")
endif()

string(REPLACE "|" ";" folders "${includes}")
list(REMOVE_ITEM folders "")
list(TRANSFORM folders PREPEND "-I")

function(compile)
  execute_process(COMMAND "${compiler}" -std=c++20 -fsyntax-only ${folders} ${ARGN} "${source}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

compile(-DACTA_COMPILES)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "must compile with ACTA_COMPILES, but does not:\n${output}")
endif()
compile()
if(result EQUAL 0)
  message(FATAL_ERROR "must not compile, but does")
endif()
string(REGEX REPLACE "[^\n]*// expect: [^\n]*" "" output "${output}")
string(FIND "${output}" "${expect}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the compiler does not say \"${expect}\":\n${output}")
endif()
