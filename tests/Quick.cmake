# SPDX-License-Identifier: MIT
# Sets `changed` to the components with uncommitted changes or, if there are none, to those that the last commit
# changed. Their tests have the label quick. A change outside the components, such as in tests/support, counts for all of
# them.
execute_process(COMMAND git status --porcelain=v1 -uall --no-renames
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE files COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "(^|\n).. " "\\1" files "${files}")
if(files STREQUAL "")
  execute_process(COMMAND git show --name-only --format= HEAD
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE files COMMAND_ERROR_IS_FATAL ANY)
endif()
string(REGEX MATCHALL "[^\n]+" files "${files}")
set(components ${acta_components} memory disk)
set(changed "")
foreach(file IN LISTS files)
  if(file MATCHES "^(include/acta|tests)/([^/]+)/" AND CMAKE_MATCH_2 IN_LIST components)
    list(APPEND changed ${CMAKE_MATCH_2})
  elseif(file MATCHES "^(examples|tools)/")
    list(APPEND changed ${CMAKE_MATCH_1})
  elseif(file MATCHES "^(include|tests/support)/|^tests/CMakeLists.txt$|^CMakeLists.txt$")
    list(APPEND changed ${components})
  endif()
endforeach()
list(REMOVE_DUPLICATES changed)
message(STATUS "acta: changed components: ${changed}")
