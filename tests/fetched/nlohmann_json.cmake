# SPDX-License-Identifier: MIT
# The CMakeLists.txt of the stand-in for nlohmann_json's source tree; see run.cmake.
cmake_minimum_required(VERSION 3.10)
project(nlohmann_json VERSION 3.11.3 LANGUAGES CXX)
cmake_policy(SET CMP0077 NEW)
option(JSON_Install "Install CMake targets during install step." OFF)

add_library(nlohmann_json INTERFACE)
add_library(nlohmann_json::nlohmann_json ALIAS nlohmann_json)
target_compile_features(nlohmann_json INTERFACE cxx_std_11)
target_include_directories(nlohmann_json INTERFACE
  "$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:include>")

if(JSON_Install)
  include(CMakePackageConfigHelpers)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/nlohmann_jsonConfig.cmake"
    "include(\"\${CMAKE_CURRENT_LIST_DIR}/nlohmann_jsonTargets.cmake\")\n")
  write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/nlohmann_jsonConfigVersion.cmake"
    COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
  install(DIRECTORY include/ DESTINATION include)
  install(TARGETS nlohmann_json EXPORT nlohmann_jsonTargets INCLUDES DESTINATION include)
  install(EXPORT nlohmann_jsonTargets NAMESPACE nlohmann_json:: DESTINATION share/cmake/nlohmann_json)
  install(FILES
      "${CMAKE_CURRENT_BINARY_DIR}/nlohmann_jsonConfig.cmake"
      "${CMAKE_CURRENT_BINARY_DIR}/nlohmann_jsonConfigVersion.cmake"
    DESTINATION share/cmake/nlohmann_json)
endif()
