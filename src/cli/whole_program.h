// A program that is analysed as a whole: the commands that ask the flow analysis.
#pragma once

#include <string>
#include <vector>

#include "command.h"
#include "session/session.h"

namespace fathom {

// Libraries are read whole: the analysis looks at all of them.
session::SessionOptions whole_program(const CommonOptions& options,
                                      const std::vector<std::string>& paths);

struct OwnModules {
  std::vector<Atom> names;
  std::vector<std::string> missing;  // paths of those that cannot be read
};
OwnModules own_modules(session::Session& session);

}  // namespace fathom
