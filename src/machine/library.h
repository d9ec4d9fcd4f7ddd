// The modules that a machine runs: those of the command line first, then whatever
// the code path has. Each is read and lowered when the machine first asks for it.
#pragma once

#include <string>
#include <unordered_map>

#include "base/diagnostic.h"
#include "machine/machine.h"
#include "syntax/project.h"
#include "syntax/reader.h"

namespace fathom::machine {

class Library : public ModuleSource {
 public:
  // Both must outlive it.
  Library(Reader& reader, Project& project);

  Result<std::optional<Found>> find(Atom module) override;

  // A module from text that is in no file, under the name that it gives itself.
  Result<Found> from_text(const std::string& name, std::string text, Diagnostics& diagnostics);

  // What was found wrong in the modules read so far.
  Diagnostics diagnostics;

 private:
  Result<std::optional<Found>> read(const std::string& path, const ReadOptions& options);
  Result<Found> lower_unit(std::unique_ptr<Unit> unit);

  Reader& reader_;
  Project& project_;
  std::unordered_map<std::string, const SourceModule*> own_;
};

}  // namespace fathom::machine
