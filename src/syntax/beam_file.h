// The container that a .beam file is: an IFF form "FOR1" of type "BEAM" with
// named chunks of bytes, each padded to a multiple of four; the whole may be
// compressed with gzip (the compiler's option `compressed`).
//
// Only the table of chunks is read here, in one pass; what a chunk holds is its
// reader's affair, except for the few things that name the file: its module and
// where it was compiled from. A damaged file is an Error that says in words what
// is wrong, without the file's name, which the caller knows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/atom.h"
#include "base/result.h"
#include "base/term.h"

namespace fathom {

class BeamFile {
 public:
  // Views into this BeamFile.
  struct Chunk {
    std::string_view id;  // four bytes
    std::string_view data;
  };

  static Result<BeamFile> parse(std::string bytes);
  static Result<BeamFile> read(const std::string& path);

  // Whether the bytes look like a .beam file, so that parse() is worth a try.
  static bool looks_like_one(std::string_view bytes);

  // In the order of the file.
  std::vector<Chunk> chunks() const;
  // The data of the first chunk of that name: find("Dbgi").
  std::optional<std::string_view> find(std::string_view id) const;

  // The first of the atoms, which is the module's name.
  Result<Atom> module_name() const;
  // What m:module_info(compile) returns: a list of pairs, in chunk CInf.
  Result<Term> compile_info(TermArena& arena) const;
  // `source` of the compile info. Empty where there is none, as in files compiled
  // with `deterministic`.
  std::optional<std::string> source_path() const;

 private:
  struct Place {  // of a chunk's header; the data is 8 bytes further on
    size_t offset;
    size_t size;  // of the data
  };

  explicit BeamFile(std::string bytes) : bytes_(std::move(bytes)) {}
  Chunk chunk(Place place) const;

  std::string bytes_;
  std::vector<Place> places_;
};

}  // namespace fathom
