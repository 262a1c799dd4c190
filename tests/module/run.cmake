# SPDX-License-Identifier: MIT
# cmake -D compiler= -D includes= -D module= -D sources= -D work= -P run.cmake
# Builds the module and a program that imports it in one source and includes the headers in another, and runs it. The
# steps are those of clang's manual, since CMake knows modules from 3.28 on.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/run.cmake")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")
string(REPLACE "|" ";" includes "${includes}")
string(REPLACE "|" ";" sources "${sources}")
list(REMOVE_ITEM includes /usr/include) # where compilers look by themselves, after their own headers
list(TRANSFORM includes PREPEND "-isystem")
set(flags -std=c++20 -Wall -Wextra -Werror ${includes})

run("compiling the module" "${compiler}" ${flags} --precompile "${module}" -o "${work}/acta.pcm")
run("making its object file" "${compiler}" "${work}/acta.pcm" -c -o "${work}/acta.o")
set(objects "${work}/acta.o")
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  run("compiling ${name}" "${compiler}" ${flags} "-fmodule-file=acta=${work}/acta.pcm" -c "${source}" -o "${work}/${name}.o")
  list(APPEND objects "${work}/${name}.o")
endforeach()
run("linking" "${compiler}" ${objects} -o "${work}/program")
run("running" "${work}/program")
