# SPDX-License-Identifier: MIT
# The package is headers and CMake files that name no folder outside it, so it may be moved and shared between
# architectures: hence share/, not lib/.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(acta_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/acta")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/acta" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inl")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/acta")
install(TARGETS acta EXPORT actaTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(ACTA_COMPILED) # for one architecture, so not in share/
  foreach(target IN LISTS acta_compiled_targets)
    # Those that need a further library are sets of their own, which are read where they are asked for.
    set(set CompiledTargets)
    if(target MATCHES "^acta_compiled_(client|sqlite|postgres)$")
      set(set Compiled_${CMAKE_MATCH_1}Targets)
    endif()
    install(TARGETS ${target} EXPORT acta${set})
    list(APPEND sets ${set})
  endforeach()
  list(REMOVE_DUPLICATES sets)
  foreach(set IN LISTS sets)
    install(EXPORT acta${set} NAMESPACE acta:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/acta")
  endforeach()
endif()
install(EXPORT actaTargets NAMESPACE acta:: DESTINATION "${acta_package_dir}")

# For pkg-config: acta, and acta-compiled beside the library.
function(acta_install_pc name folder)
  file(RELATIVE_PATH acta_pc_to_prefix "${CMAKE_INSTALL_PREFIX}/${folder}" "${CMAKE_INSTALL_PREFIX}")
  string(REGEX REPLACE "/$" "" acta_pc_to_prefix "${acta_pc_to_prefix}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/packaging/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${folder}")
endfunction()
acta_install_pc(acta "${CMAKE_INSTALL_DATADIR}/pkgconfig")
if(ACTA_COMPILED)
  acta_install_pc(acta-compiled "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()

configure_package_config_file(cmake/actaConfig.cmake.in "${PROJECT_BINARY_DIR}/actaConfig.cmake"
  INSTALL_DESTINATION "${acta_package_dir}"
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# While the major version is 0, a new minor version may break what was built on the one before.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/actaConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
    "${PROJECT_BINARY_DIR}/actaConfig.cmake"
    "${PROJECT_BINARY_DIR}/actaConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/actaOptional.cmake"
  DESTINATION "${acta_package_dir}")
