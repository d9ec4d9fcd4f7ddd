// The group leader that every process has unless somebody gives it another one; also
// known as `user` and `standard_error`. See bifs/group_leader.cc.
#pragma once

#include <string_view>

#include "machine/value.h"

namespace fathom::machine {

class Machine;

inline constexpr Value kGroupLeader = Value::pid(0);
inline constexpr std::string_view kGroupLeaderModule = "fathom_io";

// The names that it has unless somebody else is registered by them.
inline bool is_group_leader_name(Value name) {
  if (!name.is_atom()) return false;
  const std::string_view text = name.atom().text();
  return text == "user" || text == "standard_error";
}

// Whether a message to there is one to it.
bool is_group_leader(Machine& m, Value destination);

}  // namespace fathom::machine
