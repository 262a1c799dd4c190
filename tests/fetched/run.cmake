# SPDX-License-Identifier: MIT
# cmake -D checkout= -D work= -D compiler= -D generator= -D make= -D json_include= -D catch_include= -D catch_library=
#       -D catch_module= -D catch_v3= -P run.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/run.cmake")
file(REMOVE_RECURSE "${work}")

# A tree like nlohmann_json's own as far as a build that fetches it sees: the same project, targets, options and
# installed package, around the headers of this system.
string(REPLACE "|" ";" json_include "${json_include}")
foreach(folder IN LISTS json_include)
  if(EXISTS "${folder}/nlohmann/json.hpp")
    file(COPY "${folder}/nlohmann" DESTINATION "${work}/json/include")
    break()
  endif()
endforeach()
# Our build would warn of it, were the headers that are fetched not system headers there.
file(APPEND "${work}/json/include/nlohmann/json.hpp"
  "#ifndef STAND_IN_WARNING\n#define STAND_IN_WARNING\ninline int stand_in_warning(int unused) { return 0; }\n#endif\n")
file(COPY_FILE "${CMAKE_CURRENT_LIST_DIR}/nlohmann_json.cmake" "${work}/json/CMakeLists.txt")

# And one like Catch2's. Where the system has version 2, its header stands behind the names of version 3.
string(REPLACE "|" ";" catch_include "${catch_include}")
string(REPLACE "|" ";" catch_library "${catch_library}")
list(REMOVE_ITEM catch_library "")
file(CONFIGURE OUTPUT "${work}/catch/CMakeLists.txt" @ONLY CONTENT [[
cmake_minimum_required(VERSION 3.10)
project(Catch2 VERSION 3.7.1 LANGUAGES CXX)
add_library(Catch2 INTERFACE)
add_library(Catch2::Catch2 ALIAS Catch2)
target_include_directories(Catch2 INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/include" "@catch_include@")
add_library(Catch2WithMain INTERFACE)
add_library(Catch2::Catch2WithMain ALIAS Catch2WithMain)
target_link_libraries(Catch2WithMain INTERFACE Catch2 "@catch_library@")
]])
file(MAKE_DIRECTORY "${work}/catch/include")
if(NOT catch_v3)
  foreach(header IN ITEMS catch_approx catch_template_test_macros catch_test_macros generators/catch_generators_all
          matchers/catch_matchers matchers/catch_matchers_exception matchers/catch_matchers_predicate
          matchers/catch_matchers_string)
    file(WRITE "${work}/catch/include/catch2/${header}.hpp" "#include <catch2/stand_in.hpp>\n")
  endforeach()
  file(WRITE "${work}/catch/include/catch2/stand_in.hpp" [[
#pragma once
#include <catch2/catch.hpp>
namespace Catch {
using Detail::Approx;
namespace Matchers {
inline auto ContainsSubstring(const std::string& text) { return Contains(text); }
}
}
#define SKIP(reason) return
inline int stand_in_warning_too(int unused) { return 0; }
]])
endif()
cmake_path(GET catch_module PARENT_PATH modules)
file(COPY "${modules}/Catch.cmake" "${modules}/CatchAddTests.cmake" DESTINATION "${work}/catch/extras")

# They are fetched in earnest, as archives; FetchContent.cmake beside this script says from where.
foreach(content IN ITEMS json catch)
  run("packing ${content}" "${CMAKE_COMMAND}" -E chdir "${work}" "${CMAKE_COMMAND}" -E tar czf "${content}.tar.gz"
    "${content}")
endforeach()
set(fetched
  -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON -DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON
  "-DCMAKE_MODULE_PATH=${CMAKE_CURRENT_LIST_DIR}" "-DSTAND_IN_NLOHMANN_JSON=${work}/json.tar.gz"
  "-DSTAND_IN_CATCH2=${work}/catch.tar.gz")

# acta itself, its tests with the fetched Catch2, and what it installs.
configure("${checkout}" "${work}/build" ${fetched} -DACTA_BUILD_EXAMPLES=OFF -DACTA_TEST_PCH=OFF -DACTA_WERROR=ON
  "-DCMAKE_INSTALL_PREFIX=${work}/installed")
run("building acta's tests" "${CMAKE_COMMAND}" --build "${work}/build" --target acta_project_tests --parallel 2)
run("running acta's tests" "${CMAKE_CTEST_COMMAND}" --test-dir "${work}/build" -R "^project/" --output-on-failure
  --no-tests=error)
run("installing" "${CMAKE_COMMAND}" --install "${work}/build")
if(EXISTS "${work}/installed/include/catch2")
  message(FATAL_ERROR "Catch2 was installed with acta")
endif()
check_relocatable("${work}/installed" "${checkout}" "${work}")
file(RENAME "${work}/installed" "${work}/moved")

# A consumer of that package, who has no other nlohmann_json.
configure("${CMAKE_CURRENT_LIST_DIR}/../consumer/find_package" "${work}/consumer" "-DCMAKE_PREFIX_PATH=${work}/moved")
file(STRINGS "${work}/consumer/CMakeCache.txt" found REGEX "^nlohmann_json_DIR:")
if(NOT found MATCHES "/moved/")
  message(FATAL_ERROR "the package brings its own nlohmann_json, but the consumer found another: ${found}")
endif()
build_and_test("${work}/consumer")

# A consumer that has acta as a subfolder, where acta fetches.
configure("${CMAKE_CURRENT_LIST_DIR}/../consumer/add_subdirectory" "${work}/subdirectory" ${fetched}
  "-DACTA_CHECKOUT=${checkout}")
build_and_test("${work}/subdirectory")
