# SPDX-License-Identifier: MIT
# acta::compiled: the definitions that the headers otherwise bring into every source, compiled once. It is a static
# library, or a shared one with BUILD_SHARED_LIBS. What links it sees declarations (ACTA_COMPILED).
#
# One source a room: the room's public headers, then what stands in its *.inl.hpp. The clients and their HTTP, which
# need libcurl, are acta::compiled_client, if acta::client is there. What needs yaml-cpp or ICU stays header-only.
file(GLOB_RECURSE acta_inline_files RELATIVE "${PROJECT_SOURCE_DIR}/include" CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/include/acta/*.inl.hpp")
list(FILTER acta_inline_files EXCLUDE REGEX "/yaml[.]inl[.]hpp$")
foreach(file IN LISTS acta_inline_files)
  string(REGEX REPLACE "^acta/([^/]*)/.*" "\\1" room "${file}")
  if(file MATCHES "/provider/(http/|.*_model[.]inl)")
    set(room client)
  endif()
  list(APPEND rooms ${room})
  string(APPEND includes_${room} "#include \"${file}\"\n")
endforeach()
list(REMOVE_DUPLICATES rooms)

# acta_compiled_library(<name> <room> ...)
function(acta_compiled_library name)
  set(sources "")
  foreach(room IN LISTS ARGN)
    set(source "${PROJECT_BINARY_DIR}/compiled/${room}.cpp")
    set(instances "")
    if(EXISTS "${PROJECT_SOURCE_DIR}/include/acta/${room}/detail/instances.inl")
      string(CONCAT instances "#include \"acta/json/json.hpp\"\n#define ACTA_DETAIL_INSTANCES\n"
        "#include \"acta/${room}/detail/instances.inl\"\n")
    endif()
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
      "// Made by cmake/Compiled.cmake.\n${includes_${room}}${instances}")
    list(APPEND sources "${source}")
  endforeach()
  add_library(acta_${name} ${sources})
  add_library(acta::${name} ALIAS acta_${name})
  target_compile_definitions(acta_${name} PUBLIC ACTA_COMPILED)
  set_target_properties(acta_${name} PROPERTIES
    EXPORT_NAME ${name}
    POSITION_INDEPENDENT_CODE ON
    WINDOWS_EXPORT_ALL_SYMBOLS ON
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

list(REMOVE_ITEM rooms client)
acta_compiled_library(compiled ${rooms})
target_link_libraries(acta_compiled PUBLIC acta)
if(TARGET acta::client)
  acta_compiled_library(compiled_client client)
  target_link_libraries(acta_compiled_client PUBLIC acta_compiled acta::client)
endif()
