# SPDX-License-Identifier: MIT
# A toolchain file: the oldest clang that acta supports and this machine has, for the floor is what breaks first.
# ACTA_CLANG=clang++-19 in the environment, or CMAKE_CXX_COMPILER, asks for another.
if(NOT CMAKE_CXX_COMPILER)
  if(DEFINED ENV{ACTA_CLANG})
    set(names $ENV{ACTA_CLANG})
  else()
    set(names clang++-16 clang++-17 clang++-18 clang++-19 clang++-20 clang++-21 clang++-22 clang++)
  endif()
  find_program(acta_clang NAMES ${names} NO_CACHE)
  if(NOT acta_clang)
    message(FATAL_ERROR "no clang++ 16 or newer found: sh cmake/bootstrap.sh ci")
  endif()
  set(CMAKE_CXX_COMPILER "${acta_clang}" CACHE FILEPATH "the C++ compiler")
endif()
