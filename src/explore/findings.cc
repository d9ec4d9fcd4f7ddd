#include "explore/findings.h"

namespace fathom::explore {

std::string_view error_kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Exit:
      return "exit";
    case ErrorKind::Assertion:
      return "assertion";
    case ErrorKind::Deadlock:
      return "deadlock";
    case ErrorKind::Stuck:
      return "stuck";
    case ErrorKind::Halt:
      return "halt";
    case ErrorKind::Endless:
      return "endless";
  }
  return "";
}

}  // namespace fathom::explore
