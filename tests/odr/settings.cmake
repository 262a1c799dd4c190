# SPDX-License-Identifier: MIT
# cmake -D compiler= -D includes=a|b -D source= -D work= -P settings.cmake
# Two sources with different settings do not become a program that reads garbage: they do not link, or they work. At -O0,
# where no function is inlined and the linker keeps one definition of each.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" folders "${includes}")
list(REMOVE_ITEM folders "")
list(TRANSFORM folders PREPEND "-I")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")

function(compile object)
  execute_process(COMMAND "${compiler}" -std=c++20 -O0 -fPIC ${folders} ${ARGN} -c "${source}" -o "${work}/${object}.o"
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(link name) # sets result and output
  list(TRANSFORM ARGN REPLACE "^[a-z_A-Z]+$" "${work}/\\0.o" OUTPUT_VARIABLE objects)
  execute_process(COMMAND "${compiler}" ${objects} -pthread -o "${work}/${name}"
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  set(output "${output}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()

function(works name)
  link(${name} ${ARGN})
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${name} does not link:\n${output}")
  endif()
  execute_process(COMMAND "${work}/${name}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(refused reason name)
  link(${name} ${ARGN})
  if(result EQUAL 0)
    message(FATAL_ERROR "${name} links, though its sources have different settings: ${ARGN}")
  elseif(NOT output MATCHES "${reason}")
    message(FATAL_ERROR "the linker does not say '${reason}' of ${ARGN}:\n${output}")
  endif()
endfunction()

set(linkers)
foreach(linker IN ITEMS bfd gold lld mold)
  find_program(found_${linker} ld.${linker})
  if(found_${linker})
    list(APPEND linkers ${linker})
  endif()
endforeach()
message(STATUS "linkers: ${linkers}")

compile(main -DACTA_MAIN)
compile(plain)
works(alike main plain)
works(alike_the_other_way plain main)

# Functions with types of acta in their signature have other names.
foreach(setting IN ITEMS JSON_DIAGNOSTICS=1 ACTA_NO_SIMD ACTA_NO_STD_STOP_TOKEN)
  string(REGEX REPLACE "=.*" "" object "${setting}")
  compile(${object} "-D${setting}")
  foreach(linker IN LISTS linkers)
    refused("all_sources_agree|undefined (reference|symbol)" ${object} main ${object} -fuse-ld=${linker})
    refused("all_sources_agree|undefined (reference|symbol)" ${object} ${object} main -fuse-ld=${linker})
    link(lib${object}.so ${object} -shared -fuse-ld=${linker})
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "a shared library does not link with ${linker}:\n${output}")
    endif()
    refused("undefined (reference|symbol)" ${object} main "${work}/lib${object}.so" -fuse-ld=${linker})
  endforeach()
endforeach()

# Those with types of the program do not: here GNU's linkers see that the sources disagree.
compile(own_main -DACTA_MAIN -DACTA_OWN_TYPE)
foreach(setting IN ITEMS JSON_DIAGNOSTICS ACTA_NO_STD_STOP_TOKEN:stop_token)
  string(REGEX MATCH "^([^:]*):?(.*)$" _ "${setting}")
  set(object "own_${CMAKE_MATCH_1}")
  set(word "${CMAKE_MATCH_2}")
  if(word STREQUAL "")
    set(word "${CMAKE_MATCH_1}")
  endif()
  compile(${object} "-D${CMAKE_MATCH_1}=1" -DACTA_OWN_TYPE)
  foreach(linker IN ITEMS bfd gold)
    if(linker IN_LIST linkers)
      refused("all_sources_agree_on_${word}" ${object} own_main ${object} -fuse-ld=${linker})
    endif()
  endforeach()
endforeach()

# Another way to the same texts and numbers.
compile(no_charconv -DACTA_NO_FLOAT_CHARCONV)
works(charconv main no_charconv)
works(charconv_the_other_way no_charconv main)
