#include "whole_program.h"

#include <filesystem>

namespace fathom {

session::SessionOptions whole_program(const CommonOptions& options,
                                      const std::vector<std::string>& paths) {
  session::SessionOptions result = options.session_options();
  result.paths = paths;
  result.libraries = session::Reading::Whole;
  return result;
}

OwnModules own_modules(session::Session& session) {
  OwnModules result;
  for (const SourceModule& module : session.project().modules()) {
    const Atom name = Atom::intern(std::filesystem::path(module.path).stem().string());
    const auto found = session.library().find(name);
    if (found && *found) {
      result.names.push_back(name);
    } else {
      result.missing.push_back(module.path);
    }
  }
  return result;
}

}  // namespace fathom
