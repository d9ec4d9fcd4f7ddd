// Reading modules: the one door to the front end. A Reader holds what the
// modules of a run share (texts, literals, tokens of headers) and turns files
// into units.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "syntax/token.h"
#include "syntax/unit.h"

namespace fathom {

struct MacroDefinition {
  std::string name;
  std::string value;  // Erlang term; empty means true
};

// How -include_lib finds an application: the directory of "kernel", or "" if
// there is none. Also used for -include through ERL_LIBS and -pa.
class LibraryPath {
 public:
  virtual ~LibraryPath() = default;
  virtual std::string library_dir(const std::string& application) = 0;
};

// The text of the header of that path, or none if there is no such file.
using HeaderSource = std::function<std::optional<std::string>(const std::string& path)>;

struct ReadOptions {
  std::vector<std::string> include_dirs;
  std::vector<MacroDefinition> macros;
  // OTP's major release: the value of ?OTP_RELEASE, and whether `maybe` is
  // reserved without a -feature (from 27 on).
  uint32_t otp_release = 28;
  LibraryPath* libraries = nullptr;  // not owned; none: -include_lib finds nothing
};

class Reader {
 public:
  Reader();
  ~Reader();

  const SourceMap& sources() const;
  SourceMap& sources();
  Literals& literals();
  const Literals& literals() const;

  Unit make_unit() const;

  // From now on headers come from there and not from the file system.
  void read_headers_from(HeaderSource source);

  // Reads an .erl file into `unit` (cleared first). Errors go to `diagnostics`
  // and leave ErrorForms in the tree; false if the file could not be read at all.
  bool read_source(const std::string& path, const ReadOptions& options, Unit& unit,
                   Diagnostics& diagnostics);
  // The same for text that is not a file; `name` is what messages call it.
  bool read_text(const std::string& name, std::string text, const ReadOptions& options, Unit& unit,
                 Diagnostics& diagnostics);
  // Reads a .beam file's debug info; without any, the source that lies beside it
  // (../src) or that the file names.
  bool read_beam(const std::string& path, const ReadOptions& options, Unit& unit,
                 Diagnostics& diagnostics);
  // The same for the bytes of such a file; no source is looked for.
  bool read_beam_bytes(const std::string& name, std::string bytes, Unit& unit,
                       Diagnostics& diagnostics);
  // Either, by what the file holds.
  bool read(const std::string& path, const ReadOptions& options, Unit& unit,
            Diagnostics& diagnostics);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fathom
