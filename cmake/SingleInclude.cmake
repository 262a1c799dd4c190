# SPDX-License-Identifier: MIT
# Puts acta.hpp and acta_all.hpp in the place of the headers they are made of: each of those becomes a line that includes
# one of the two. The preset single-include tests the examples so.
find_package(Python3 3.8 REQUIRED COMPONENTS Interpreter)
set(acta_single_include "${PROJECT_BINARY_DIR}/single_include")
execute_process(
  COMMAND "${Python3_EXECUTABLE}" "${PROJECT_SOURCE_DIR}/cmake/single_include.py" "${acta_single_include}" --list
  OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "acta_all[.]hpp [^\n]+" headers "${headers}")
list(TRANSFORM headers REPLACE "^acta_all[.]hpp " "")
foreach(header IN LISTS headers)
  set(single acta_all.hpp)
  if(header STREQUAL "acta/acta.hpp")
    set(single acta.hpp)
  endif()
  file(CONFIGURE OUTPUT "${acta_single_include}/tree/${header}" CONTENT "#include <${single}>\n" @ONLY)
endforeach()
