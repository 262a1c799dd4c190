# SPDX-License-Identifier: MIT
# acta_warnings: for acta's own tests, examples and benchmarks; never exported, never a consumer's business.
add_library(acta_warnings INTERFACE)
target_compile_options(acta_warnings INTERFACE ${acta_big_objects})
if(MSVC)
  target_compile_options(acta_warnings INTERFACE /W4 /permissive- /utf-8 $<$<BOOL:${ACTA_WERROR}>:/WX>)
else()
  target_compile_options(acta_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${ACTA_WERROR}>:-Werror>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # Optimising, g++ 12 sees overlaps and overruns in std::string's own operator+ (GCC bug 105651).
    target_compile_options(acta_warnings INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
