// What a command has found out about a program, in one word.
#pragma once

#include <cstdint>
#include <string_view>

namespace fathom {

enum class Verdict : uint8_t {
  Clean,    // everything was looked at, within the bounds that the report names
  Bug,      // there is a finding
  Unknown,  // there is none, but not everything was looked at: the report says why
};

// As reports write it.
constexpr std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::Clean:
      return "clean";
    case Verdict::Bug:
      return "bug";
    case Verdict::Unknown:
      return "unknown";
  }
  return "";
}

}  // namespace fathom
