# An overlay port: it builds the checkout that it stands in. A registry's port begins with vcpkg_from_git or the like
# instead of this line.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features FEATURES
  compiled ACTA_COMPILED
  icu ACTA_ICU
  sqlite ACTA_SQLITE
  postgres ACTA_POSTGRES
  client ACTA_CLIENT
  yaml ACTA_YAML)
if(NOT "compiled" IN_LIST FEATURES)
  set(VCPKG_BUILD_TYPE release) # headers alone
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DACTA_BUILD_TESTS=OFF -DACTA_BUILD_EXAMPLES=OFF -DACTA_INSTALL=ON ${features})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/acta)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
  "${CURRENT_PACKAGES_DIR}/share/licenses")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
