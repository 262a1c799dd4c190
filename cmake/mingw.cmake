# SPDX-License-Identifier: MIT
# A toolchain file: Debian's MinGW-w64 for 64-bit Windows, programs that need no DLL besides those of Windows, and wine to
# run them.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
find_program(acta_wine wine NO_CACHE REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR
  "${CMAKE_COMMAND};-E;env;WINEDEBUG=-all;WINEPREFIX=${CMAKE_BINARY_DIR}/wine;${acta_wine}")
