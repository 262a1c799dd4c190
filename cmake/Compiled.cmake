# SPDX-License-Identifier: MIT
# acta::compiled: the functions that the headers otherwise bring into every source, compiled once. It is a static
# library, or a shared one with BUILD_SHARED_LIBS. What links it sees declarations (ACTA_COMPILED). It has what most
# agents need; the rest are libraries beside it, each of which brings acta::compiled. All are built only where something
# links them, but for those that are installed (ACTA_COMPILED).
#
#   acta::compiled            base to agent, and the providers' wire formats
#   acta::compiled_store      store: interface, memory, StoredHistory
#   acta::compiled_view       view
#   acta::compiled_interop    interop, tool_response
#   acta::compiled_mcp        mcp
#   acta::compiled_trace      trace
#   acta::compiled_testing    testing
#   acta::compiled_client     the clients, with acta::client
#   acta::compiled_sqlite     store/sqlite, with acta::sqlite
#   acta::compiled_postgres   store/postgres, with acta::postgres
#
# src.hpp says what belongs to each: a section of it is one source. Few large sources compile in a third of the time of
# many small ones. What needs yaml-cpp or ICU stays header-only.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/acta/src.hpp")
file(STRINGS "${PROJECT_SOURCE_DIR}/include/acta/src.hpp" lines REGEX "^(#include|#define|#undef|// acta::)")
set(section "")
foreach(line IN LISTS lines)
  if(line MATCHES "^// acta::([a-z_]+)$")
    list(APPEND acta_sections_${CMAKE_MATCH_1} ${section}x)
    string(APPEND section x)
  else()
    string(APPEND acta_section_${section} "${line}\n")
  endif()
endforeach()

# acta_compiled_library(<name> <target to link> ...)
set(acta_compiled_targets "")
function(acta_compiled_library name)
  set(sources "")
  set(number 0)
  foreach(section IN LISTS acta_sections_${name})
    math(EXPR number "${number} + 1")
    set(source "${PROJECT_BINARY_DIR}/compiled/${name}_${number}.cpp")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT "// Made by cmake/Compiled.cmake.\n${acta_section_${section}}")
    list(APPEND sources "${source}")
  endforeach()
  add_library(acta_${name} EXCLUDE_FROM_ALL ${sources})
  add_library(acta::${name} ALIAS acta_${name})
  target_link_libraries(acta_${name} PUBLIC ${ARGN})
  target_compile_definitions(acta_${name} PUBLIC ACTA_COMPILED)
  target_compile_options(acta_${name} PRIVATE ${acta_big_objects})
  set_target_properties(acta_${name} PROPERTIES
    EXPORT_NAME ${name}
    POSITION_INDEPENDENT_CODE ON
    WINDOWS_EXPORT_ALL_SYMBOLS ON
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(ACTA_COMPILED) # to be installed
    set_target_properties(acta_${name} PROPERTIES EXCLUDE_FROM_ALL OFF)
  endif()
  set(acta_compiled_targets ${acta_compiled_targets} acta_${name} PARENT_SCOPE)
endfunction()

acta_compiled_library(compiled acta)
acta_compiled_library(compiled_store acta_compiled)
acta_compiled_library(compiled_view acta_compiled)
acta_compiled_library(compiled_interop acta_compiled)
acta_compiled_library(compiled_mcp acta_compiled)
acta_compiled_library(compiled_trace acta_compiled)
acta_compiled_library(compiled_testing acta_compiled_store)
if(TARGET acta::client)
  acta_compiled_library(compiled_client acta_compiled acta::client)
endif()
foreach(component IN ITEMS sqlite postgres)
  if(TARGET acta::${component})
    acta_compiled_library(compiled_${component} acta_compiled_store acta::${component})
  endif()
endforeach()

# acta_link(<target> [<component> ...]): what our own examples, tests and tools are built against. The components are
# client, sqlite, postgres, yaml and icu, each left out where it is not there, and store, view, interop, mcp,
# trace and testing.
function(acta_link target)
  target_link_libraries(${target} PRIVATE acta::acta)
  if(NOT ACTA_HEADER_ONLY)
    target_link_libraries(${target} PRIVATE acta::compiled)
  endif()
  foreach(component IN LISTS ARGN)
    if(TARGET acta::${component})
      target_link_libraries(${target} PRIVATE acta::${component})
    endif()
    if(TARGET acta::compiled_${component} AND NOT ACTA_HEADER_ONLY)
      target_link_libraries(${target} PRIVATE acta::compiled_${component})
    endif()
  endforeach()
endfunction()
