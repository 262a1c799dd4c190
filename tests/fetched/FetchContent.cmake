# SPDX-License-Identifier: MIT
# CMake's own module, but what is declared comes from STAND_IN_<NAME>, an archive, and not from the network. Everything
# else that is declared stays, so that CMake has its say about it.
include("${CMAKE_ROOT}/Modules/FetchContent.cmake")

function(FetchContent_Declare name)
  string(TOUPPER "STAND_IN_${name}" archive)
  if(NOT DEFINED "${archive}")
    _FetchContent_Declare("${name}" ${ARGN}) # acta itself, in a consumer
    return()
  endif()
  set(details ${ARGN})
  file(SHA256 "${${archive}}" hash)
  set(URL "${${archive}}")
  set(URL_HASH "SHA256=${hash}")
  foreach(option IN ITEMS URL URL_HASH)
    list(FIND details "${option}" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "${name} is declared without ${option}")
    endif()
    math(EXPR at "${at} + 1")
    list(REMOVE_AT details "${at}")
    list(INSERT details "${at}" "${${option}}")
  endforeach()
  _FetchContent_Declare("${name}" ${details})
endfunction()
