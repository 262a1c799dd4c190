# SPDX-License-Identifier: MIT
# The target docs: the API reference in <build folder>/reference/html, and a test of it, since an undocumented public
# name fails the build, and so does one that modules/acta.cppm lacks.
find_package(Doxygen 1.9.4 REQUIRED)
find_package(Python3 3.8 REQUIRED COMPONENTS Interpreter)
set(ACTA_REFERENCE_DIR "${PROJECT_BINARY_DIR}/reference")
set(ACTA_REFERENCE_PYTHON "${Python3_EXECUTABLE}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/reference/Doxyfile.in" "${ACTA_REFERENCE_DIR}/Doxyfile" @ONLY)
add_custom_target(docs
  COMMAND Doxygen::doxygen "${ACTA_REFERENCE_DIR}/Doxyfile"
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/cmake/reference/module.py" "${ACTA_REFERENCE_DIR}/xml" --check
  COMMAND ${CMAKE_COMMAND} -E echo "The reference: ${ACTA_REFERENCE_DIR}/html/index.html"
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
  COMMENT "Making the API reference"
  VERBATIM)
