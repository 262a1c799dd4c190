# SPDX-License-Identifier: MIT
# Included by run.cmake. What a project that links targets of acta that do not exist hears from CMake.
set(arguments ${arguments} "-DACTA_FROM=${CMAKE_MATCH_1}")
set(advice
  "set(ACTA_CLIENT ON) before FetchContent_MakeAvailable(acta)"
  "set(ACTA_SQLITE ON) before"
  "set(ACTA_POSTGRES ON) before")
if(CMAKE_MATCH_1 STREQUAL "package")
  set(advice
    "find_package(acta REQUIRED COMPONENTS client)"
    "find_package(acta REQUIRED COMPONENTS compiled_sqlite)"
    "find_package(acta REQUIRED COMPONENTS postgres)")
endif()
list(APPEND advice "app_client links acta::client, which does not exist" "the targets are acta::acta;")

configure("${CMAKE_CURRENT_LIST_DIR}/missing_target" "${work}/build" ${arguments})
execute_process(COMMAND "${CMAKE_COMMAND}" "${work}/build" -DACTA_MISTAKES=ON
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
string(REGEX REPLACE "[ \n]+" " " words "${output}")
string(REGEX MATCHALL "which does not exist" errors "${words}")
list(LENGTH errors count)
if(result EQUAL 0 OR NOT count EQUAL 4)
  message(FATAL_ERROR "four targets are missing:\n${output}")
endif()
while(advice)
  list(POP_FRONT advice expected)
  string(REPLACE "\\;" ";" expected "${expected}")
  string(FIND "${words}" "${expected}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "CMake does not say \"${expected}\":\n${output}")
  endif()
endwhile()
