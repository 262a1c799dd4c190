# SPDX-License-Identifier: MIT
# Each dependency comes from the system where it is there, else from a pinned release.
include_guard(DIRECTORY)
include(FetchContent)

# acta_no_warnings_of(<target> ...): their headers are system headers to who uses them. The option SYSTEM of
# FetchContent_Declare would say it, too, but CMake 3.25.1 (Debian 12) takes it for a part of the option before it and
# fetches nothing (CMake's merge request 7977).
function(acta_no_warnings_of)
  foreach(target IN LISTS ARGV)
    if(TARGET "${target}")
      set_target_properties("${target}" PROPERTIES SYSTEM ON)
    endif()
  endforeach()
endfunction()

# acta_headers_for_windows(<target> <folder>): Debian's packages of headers alone do for Windows too, but not the folder
# that they are in, which has those of its own C library.
function(acta_headers_for_windows target folder)
  if(NOT MINGW OR NOT CMAKE_HOST_UNIX)
    return()
  endif()
  get_target_property(all ${target} INTERFACE_INCLUDE_DIRECTORIES)
  list(GET all 0 all)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/host_include")
  file(CREATE_LINK "${all}/${folder}" "${PROJECT_BINARY_DIR}/host_include/${folder}" SYMBOLIC)
  set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_BINARY_DIR}/host_include")
endfunction()

# nlohmann_json, the one dependency of acta::acta. A fetched one is installed with acta: the exported
# target refers to it.
function(acta_require_nlohmann_json)
  if(TARGET nlohmann_json::nlohmann_json)
    return()
  endif()
  find_package(nlohmann_json 3.11 CONFIG QUIET)
  if(nlohmann_json_FOUND)
    message(STATUS "acta: nlohmann_json ${nlohmann_json_VERSION} of the system")
    acta_headers_for_windows(nlohmann_json::nlohmann_json nlohmann)
    return()
  endif()
  message(STATUS "acta: nlohmann_json 3.11 or newer is not installed, fetching 3.11.3")
  set(JSON_BuildTests OFF)
  set(JSON_Install ${ACTA_INSTALL})
  FetchContent_Declare(nlohmann_json
    URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
    URL_HASH SHA256=d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
  FetchContent_MakeAvailable(nlohmann_json)
  acta_no_warnings_of(nlohmann_json)
endfunction()

# Catch2, for the tests alone: version 2.13 (Debian 12) or 3 (Debian 13). Sets in the caller's scope
#   ACTA_CATCH2_V3      whether it is version 3
#   ACTA_CATCH2_MAIN    TRUE where a target with a ready-made main exists
#
# The system's library was compiled for the system's processor and C++ library. Where the tests are not, only the headers
# of version 2 are of use.
function(acta_require_catch2)
  set(foreign FALSE)
  if(CMAKE_CROSSCOMPILING OR CMAKE_CXX_FLAGS MATCHES "-stdlib=libc[+][+]")
    set(foreign TRUE)
  endif()
  if(NOT TARGET Catch2::Catch2)
    find_package(Catch2 CONFIG QUIET)
    if(Catch2_FOUND AND Catch2_VERSION VERSION_GREATER_EQUAL 2.13 AND
       NOT (foreign AND Catch2_VERSION VERSION_GREATER_EQUAL 3))
      message(STATUS "acta: Catch2 ${Catch2_VERSION} of the system")
      acta_headers_for_windows(Catch2::Catch2 catch2)
    else()
      message(STATUS "acta: Catch2 2.13 or newer is not installed, fetching 3.7.1")
      set(Catch2_VERSION 3.7.1)
      set(CATCH_INSTALL_DOCS OFF)
      set(CATCH_INSTALL_EXTRAS OFF)
      set(where)
      if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.28)
        set(where EXCLUDE_FROM_ALL)
      endif()
      FetchContent_Declare(Catch2
        URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
        URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
        ${where})
      FetchContent_MakeAvailable(Catch2)
      acta_no_warnings_of(Catch2 Catch2WithMain)
      list(APPEND CMAKE_MODULE_PATH "${catch2_SOURCE_DIR}/extras")
    endif()
  endif()
  if(Catch2_VERSION VERSION_GREATER_EQUAL 3)
    set(ACTA_CATCH2_V3 TRUE PARENT_SCOPE)
  else()
    set(ACTA_CATCH2_V3 FALSE PARENT_SCOPE)
  endif()
  if(TARGET Catch2::Catch2WithMain AND NOT (foreign AND Catch2_VERSION VERSION_LESS 3))
    set(ACTA_CATCH2_MAIN TRUE PARENT_SCOPE)
  else()
    set(ACTA_CATCH2_MAIN FALSE PARENT_SCOPE)
  endif()
  set(CMAKE_MODULE_PATH "${CMAKE_MODULE_PATH}" PARENT_SCOPE)
endfunction()
