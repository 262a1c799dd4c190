# SPDX-License-Identifier: MIT
# cmake -D compiler= -D id=GNU|Clang -D work= -D includes=a|b -D source= -P run.cmake
# The source is a test, or the header that all tests include: that one is precompiled into the folder work. A test's line
# "// flags: FLAGS" has options by which it must not compile.
cmake_minimum_required(VERSION 3.25)

string(REPLACE "|" ";" folders "${includes}")
list(REMOVE_ITEM folders "")
list(TRANSFORM folders PREPEND "-I")
set(command "${compiler}" -std=c++20)
if(id STREQUAL "GNU") # takes <folder>/acta/acta.hpp.gch for <acta/acta.hpp>
  set(precompiled "${work}/acta/acta.hpp.gch")
  list(APPEND command "-I${work}")
else()
  set(precompiled "${work}/acta.pch")
endif()

if(source MATCHES "\\.hpp$")
  cmake_path(GET precompiled PARENT_PATH folder)
  file(REMOVE_RECURSE "${work}")
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND ${command} ${folders} -x c++-header "${source}" -o "${precompiled}" RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${source} cannot be precompiled")
  endif()
  return()
endif()

file(STRINGS "${source}" expect REGEX "^// expect: ")
string(REGEX REPLACE "^// expect: " "" expect "${expect}")
string(REPLACE "\\;" ";" expect "${expect}") # file(STRINGS) gives a list
if(expect STREQUAL "")
  message(FATAL_ERROR "${source}: no line \"// expect: TEXT\"")
endif()

file(STRINGS "${source}" flags REGEX "^// flags: ")
string(REGEX REPLACE "^// flags: " "" flags "${flags}")
separate_arguments(flags)
if(NOT id STREQUAL "GNU" AND NOT flags) # g++ leaves one alone that was made with other options
  list(APPEND command -include-pch "${precompiled}")
endif()

function(compile)
  execute_process(COMMAND ${command} -fsyntax-only ${folders} ${ARGN} "${source}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

compile(-DACTA_COMPILES)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "must compile with ACTA_COMPILES, but does not:\n${output}")
endif()
compile(${flags})
if(result EQUAL 0)
  message(FATAL_ERROR "must not compile, but does")
endif()
string(REGEX REPLACE "[^\n]*// expect: [^\n]*" "" output "${output}")
string(FIND "${output}" "${expect}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the compiler does not say \"${expect}\":\n${output}")
endif()
