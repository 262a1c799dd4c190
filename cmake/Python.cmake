# SPDX-License-Identifier: MIT
# ACTA_PYTHON: the python3 that tests may run, best one with pydantic 2, else with any pydantic; empty where there is
# none. Such tests say that they were skipped.
if(NOT DEFINED CACHE{ACTA_PYTHON})
  set(best -1)
  set(found "")
  set(seen "")
  foreach(folder IN ITEMS "" /usr/bin /usr/local/bin)
    if(folder STREQUAL "")
      find_program(candidate NAMES python3 python NO_CACHE)
    else()
      find_program(candidate NAMES python3 PATHS ${folder} NO_DEFAULT_PATH NO_CACHE)
    endif()
    if(candidate AND NOT candidate IN_LIST seen)
      list(APPEND seen "${candidate}")
      execute_process(
        COMMAND "${candidate}" -c "import sys
try:
    import pydantic
    major = int(pydantic.VERSION.split('.')[0])
except ImportError:
    major = 0
print(major if sys.version_info >= (3, 8) else -1)"
        OUTPUT_VARIABLE rank OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
      if(NOT failed AND rank GREATER best)
        set(best ${rank})
        set(found "${candidate}")
      endif()
    endif()
    unset(candidate)
  endforeach()
  set(ACTA_PYTHON "${found}" CACHE FILEPATH "python3 for the tests, with pydantic where there is one")
  if(best LESS 0)
    message(STATUS "acta: no python3, tests that need it will be skipped")
  elseif(best EQUAL 0)
    message(STATUS "acta: python3 has no pydantic, tests that need it will be skipped")
  else()
    message(STATUS "acta: python3 with pydantic ${best} at ${found}")
  endif()
endif()
