# SPDX-License-Identifier: MIT
# acta::module, for `import acta;`. CMake looks for modules since 3.28, with Ninja or Visual Studio.
if(CMAKE_VERSION VERSION_LESS 3.28)
  message(FATAL_ERROR "ACTA_MODULE needs CMake 3.28 or newer, and this is ${CMAKE_VERSION}")
endif()
add_library(acta_module)
add_library(acta::module ALIAS acta_module)
target_sources(acta_module PUBLIC
  FILE_SET CXX_MODULES BASE_DIRS "${PROJECT_SOURCE_DIR}/modules" FILES "${PROJECT_SOURCE_DIR}/modules/acta.cppm")
target_link_libraries(acta_module PUBLIC acta)
