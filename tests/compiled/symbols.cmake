# SPDX-License-Identifier: MIT
# cmake -D nm= -D objects=a|b -P symbols.cmake
# A source that links acta::compiled has none of the parts that the library is there for: reader, writer, compression,
# files, Unicode table, SIMD. Whatever appears here is instantiated or compiled in every source of a program.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "|" ";" objects "${objects}")
execute_process(COMMAND "${nm}" -C --defined-only ${objects} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n" lines "${symbols}")
list(LENGTH lines count)
if(NOT symbols MATCHES " main\n" OR count LESS 100)
  message(FATAL_ERROR "these are no objects of a program with a debug build: ${objects}")
endif()
set(found "")
foreach(name IN ITEMS JsonTextReader JsonTextWriter JsonValueReader JsonValueWriter Measure CompressionRun CompressedSteps
    RollingRun PendingFile unicode_runs Utf8Avx2 EscapeSsse3
    UnescapeAvx2 Sse2 "json_detail::Block" "EditorOf[^\n]*>::make" ~EpisodicActionHistory decode_record encode_record)
  string(REGEX MATCH "\n[^\n]* acta::v0[a-z_]*::[^\n]*${name}[^\n]*" line "${symbols}")
  if(line)
    list(APPEND found "${line}")
  endif()
endforeach()
if(found)
  message(FATAL_ERROR "compiled in the source instead of the library:${found}")
endif()
message(STATUS "${count} symbols")
