# SPDX-License-Identifier: MIT
# Tools that make acta's own builds faster, where they are installed: ccache, and lld or mold as the linker. Our presets
# ask for them with ACTA_FAST_BUILD; CCACHE_DISABLE=1 in the environment switches ccache off for one build.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ACTA_CCACHE ccache DOC "ccache, for acta's own builds")
  if(ACTA_CCACHE)
    # What one checkout compiled serves the others: paths count as they are seen from the build folder, and neither that
    # folder nor the time of a file makes a difference. The precompiled header needs the last two settings.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=include_file_mtime,include_file_ctime,pch_defines,time_macros "${ACTA_CCACHE}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      add_compile_options(-fpch-preprocess) # ccache needs it for a source with a precompiled header
    endif()
  endif()
endif()

if(NOT CMAKE_CROSSCOMPILING AND NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld")
  include(CheckLinkerFlag)
  foreach(linker IN ITEMS lld mold)
    check_linker_flag(CXX -fuse-ld=${linker} ACTA_LINKS_WITH_${linker})
    if(ACTA_LINKS_WITH_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()
