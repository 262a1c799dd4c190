# SPDX-License-Identifier: MIT
# cmake -D compiler= -D id=GNU|Clang -D version= -D work= -D includes=a|b -D source= -P run.cmake
# The source is a test, or the header that is precompiled into the folder work for all of them. A test's line
# "// flags: FLAGS" has options by which it must not compile.
cmake_minimum_required(VERSION 3.25)

string(REPLACE "|" ";" folders "${includes}")
list(REMOVE_ITEM folders "")
list(TRANSFORM folders PREPEND "-I")
set(command "${compiler}" -std=c++20 -DACTA_COMPILED ${folders})

if(source MATCHES "\\.hpp$")
  file(REMOVE_RECURSE "${work}")
  file(MAKE_DIRECTORY "${work}")
  file(COPY_FILE "${source}" "${work}/headers.hpp")
  set(precompiled headers.hpp.pch)
  if(id STREQUAL "GNU")
    set(precompiled headers.hpp.gch)
  endif()
  execute_process(COMMAND ${command} -x c++-header headers.hpp -o ${precompiled} WORKING_DIRECTORY "${work}"
    RESULT_VARIABLE result)
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
if(NOT flags) # with other options it is of no use
  if(id STREQUAL "GNU") # takes headers.hpp.gch
    list(APPEND command -include headers.hpp)
  else()
    list(APPEND command -include-pch headers.hpp.pch)
  endif()
endif()

execute_process(COMMAND ${command} -fsyntax-only ${flags} "${source}" WORKING_DIRECTORY "${work}"
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
if(result EQUAL 0)
  message(FATAL_ERROR "must not compile, but does")
endif()
string(REGEX REPLACE "[^\n]*// expect: [^\n]*" "" output "${output}")
string(FIND "${output}" "${expect}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the compiler does not say \"${expect}\":\n${output}")
endif()
# Nobody reads more. clang repeats the line of each template on the way. With flags of its own it is no mistake in one
# place: clang goes on and names each function that throws. g++ 14 also quotes those lines, two or more for each template;
# they do not count.
if(flags)
  return()
endif()
set(limit 40)
if(id STREQUAL "Clang")
  set(limit 60)
endif()
file(STRINGS "${source}" own_limit REGEX "^// lines: ")
if(own_limit)
  string(REGEX REPLACE "^// lines: " "" limit "${own_limit}")
  cmake_path(GET source FILENAME name)
  if(NOT output MATCHES "${name}:[0-9]+:[0-9]+: ")
    message(FATAL_ERROR "the compiler does not name a line of ${name}:\n${output}")
  endif()
endif()
set(said "${output}")
if(id STREQUAL "GNU" AND version VERSION_GREATER_EQUAL 14)
  string(REGEX REPLACE "\n +[0-9]* \\|[^\n]*" "" said "${output}")
endif()
string(REGEX MATCHALL "\n" lines "${said}")
list(LENGTH lines count)
if(count GREATER limit)
  message(FATAL_ERROR "the compiler says it in ${count} lines, and ${limit} are allowed:\n${output}")
endif()
