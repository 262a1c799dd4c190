# SPDX-License-Identifier: MIT
find_program(meson NAMES meson REQUIRED)
set(ENV{PKG_CONFIG_PATH} "${installed}/share/pkgconfig:$ENV{PKG_CONFIG_PATH}")
set(ENV{CXX} "${compiler}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/meson/meson.build" "${CMAKE_CURRENT_LIST_DIR}/main.cpp" DESTINATION "${work}/source")
run("setting up" "${meson}" setup "${work}/build" "${work}/source")
run("testing" "${meson}" test -C "${work}/build" --print-errorlogs)
