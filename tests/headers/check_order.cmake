# SPDX-License-Identifier: MIT
# cmake -D compiler= -D flags=a|b -D headers=a|b -D includes=a|b -D order=shuffled_<n> -D work= -P check_order.cmake
# Compiles one source that includes all the headers in an order that is new in every run. The seed is printed, and
# ACTA_SHUFFLE_SEED in the environment sets it.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" headers "${headers}")
string(REPLACE "|" ";" flags "${flags}")
string(REPLACE "|" ";" folders "${includes}")
list(REMOVE_ITEM folders "")
list(REMOVE_DUPLICATES folders)
list(TRANSFORM folders PREPEND "-I")

list(SORT headers)
string(REGEX REPLACE "^shuffled_" "" number "${order}")
set(seed "$ENV{ACTA_SHUFFLE_SEED}")
if(seed STREQUAL "")
  string(RANDOM LENGTH 8 ALPHABET 123456789 seed)
endif()
set(what "shuffled; ACTA_SHUFFLE_SEED=${seed} repeats this order of ${order}")
math(EXPR state "(${seed} + 7919 * ${number}) % 2147483648")
list(LENGTH headers left)
set(shuffled "")
while(left GREATER 0)
  math(EXPR state "(1103515245 * ${state} + 12345) % 2147483648")
  math(EXPR at "(${state} >> 8) % ${left}") # the low bits of such a sequence repeat soon
  list(GET headers ${at} header)
  list(REMOVE_AT headers ${at})
  list(APPEND shuffled "${header}")
  math(EXPR left "${left} - 1")
endwhile()
message(STATUS "all headers ${what}")

set(text "")
foreach(header IN LISTS shuffled)
  string(APPEND text "#include \"${header}\"\n")
endforeach()
file(WRITE "${work}/order_${order}.cpp" "${text}")
execute_process(
  COMMAND "${compiler}" -std=c++20 ${flags} -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -O0 -fsyntax-only
    ${folders} "${work}/order_${order}.cpp"
  ERROR_VARIABLE errors RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the headers do not compile ${what}; see ${work}/order_${order}.cpp\n${errors}")
endif()
