// The kinds of events, and the native functions that are events (events.def). What an event
// is, and what is told of it, is the machine's: machine/event.h.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace fathom::machine {

enum class EventKind : uint8_t {
  None,
#define EVENT(Kind, word) Kind,
#include "code/events.def"
};
std::string_view event_word(EventKind kind);

// What the arguments of a native function say of the shared state that it touches.
enum class NativeAccess : uint8_t {
  Signals,
  ReadKey,
  WriteKey,
  TryKey,
  ClearKey,
  PutObject,
  TryObject,
  ReadTable,
  WriteTable,
  SeekObjects,
  TryObjects,
  ReadTableName,
  ReadTableFact,
  ReadTerm,
  PutTerm,
  TryTerm,
  ReadTerms,
  WriteTerms,
  ReadAtomic,
  WriteAtomic,
  PutAtomic,
  AddAtomic,
  TryAtomic,
  ReadTimer,
  WriteTimer,
  ReadEnvironment,
  WriteEnvironment,
  CountProcesses,
};
struct VisibleNative {
  std::string_view module;
  std::string_view name;
  uint32_t arity;
  EventKind kind;
  NativeAccess access;
};
std::span<const VisibleNative> visible_natives();

}  // namespace fathom::machine
