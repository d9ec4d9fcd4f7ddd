# A layer is a folder of src/, a static library fathom_<name>, and the list of
# layers it may use. Headers are found through a private directory for each
# layer that holds nothing but a link to that layer's folder, so
# `#include "syntax/ast.h"` compiles only in a layer that names `syntax` here
# (or gets it through one that does): the layer table is enforced by the compiler.

# HOT: its loops run for as long as a program does, so its speed counts for more than how soon it
# is compiled. COLD: no loop of it runs for long, so it is the other way round.
function(fathom_layer name)
  cmake_parse_arguments(ARG "HOT;COLD" "" "USES;LIBRARIES" ${ARGN})
  set(include_root ${PROJECT_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${include_root})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${name} ${include_root}/${name} SYMBOLIC)

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  add_library(fathom_${name} STATIC ${sources})
  target_include_directories(fathom_${name} PUBLIC ${include_root})
  foreach(used ${ARG_USES})
    target_link_libraries(fathom_${name} PUBLIC fathom_${used})
  endforeach()
  target_link_libraries(fathom_${name} PUBLIC ${ARG_LIBRARIES})
  fathom_precompile(fathom_${name})
  fathom_batches(fathom_${name})
  if(ARG_HOT)
    fathom_hot(fathom_${name})
  elseif(ARG_COLD)
    fathom_cold(fathom_${name})
  endif()
endfunction()

# Most of the time that a source takes goes into the headers of this folder; so several are compiled
# as one (CMake's "unity build"). Names in anonymous namespaces must therefore differ within a layer.
# Each source still compiles by itself: clang-tidy reads them so.
function(fathom_batches target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${FATHOM_BATCHES} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

function(fathom_hot target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3>)
endfunction()

function(fathom_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# What most files include of the standard library and of fmt, compiled once for all layers. A
# file includes what it needs all the same: it must compile without this. No path of this
# folder is among them, so that ccache knows the result in every clone.
set(precompiled_headers
    <fmt/format.h> <algorithm> <array> <atomic> <bit> <cassert> <chrono> <concepts> <cstdint> <cstdio>
    <cstring> <deque> <filesystem> <functional> <iterator> <map> <memory> <mutex> <optional> <set>
    <span> <string> <string_view> <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector>)

function(fathom_precompile target)
  if(NOT TARGET fathom_precompiled)
    add_library(fathom_precompiled OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cc)
    target_link_libraries(fathom_precompiled PRIVATE fmt::fmt)
    target_precompile_headers(fathom_precompiled PRIVATE ${precompiled_headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM fathom_precompiled)
endfunction()
