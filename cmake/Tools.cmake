# SPDX-License-Identifier: MIT
# The command acta, for those who ask for it (ACTA_TOOLS); our own tests take it where CLI11 is there, and where they can
# run what was built.
if(ACTA_TOOLS OR (ACTA_BUILD_TESTS AND PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CROSSCOMPILING))
  find_package(CLI11 2.1 CONFIG QUIET)
  if(CLI11_FOUND AND UNIX)
    add_subdirectory(tools)
  elseif(ACTA_TOOLS)
    message(FATAL_ERROR "ACTA_TOOLS is on, but the command acta needs CLI11 2.1 or newer, and a POSIX system")
  else()
    message(STATUS "acta: the command acta needs CLI11 2.1 or newer, which was not found; what needs it is left out")
  endif()
endif()
