// Modules from .beam files. Debug info is in the chunk Dbgi,
//   {debug_info_v1, erl_abstract_code, {Forms, Options}},
// or, before OTP 20, in Abst: {raw_abstract_v1, Forms}.
//
// The first of these is read form by form (debug_forms.h). What cannot be read in that way is
// decoded as a whole, to say what is wrong with it.
#include "syntax/read_beam.h"

#include <fmt/format.h>

#include "base/etf.h"
#include "syntax/abstract.h"
#include "syntax/beam_file.h"
#include "syntax/paths.h"

namespace fathom {
namespace {

Error unreadable(std::string_view chunk, const Error& why) {
  constexpr char kTermVersion = '\x83';  // encrypted, it would begin otherwise
  const std::string_view hint = chunk.starts_with(kTermVersion) ? "" : " (is it encrypted?)";
  return Error{fmt::format("its debug info cannot be read{}: {}", hint, why.message)};
}

// The forms, or why there are none.
Result<Term> debug_forms(const BeamFile& beam, TermArena& arena) {
  static const Atom debug_info_v1 = Atom::intern("debug_info_v1");
  static const Atom erl_abstract_code = Atom::intern("erl_abstract_code");
  static const Atom raw_abstract_v1 = Atom::intern("raw_abstract_v1");
  static const Atom none = Atom::intern("none");
  if (const auto chunk = beam.find("Dbgi"); chunk && !chunk->empty()) {
    auto info = etf::decode(*chunk, arena);
    if (!info) return unreadable(*chunk, info.error());
    if (!info->is_tagged(debug_info_v1, 3)) return Error{"its debug info is of an unknown kind"};
    if (!(*info)[1].is_atom(erl_abstract_code)) {
      const std::string_view backend = (*info)[1].is_atom() ? (*info)[1].atom().text() : "?";
      return Error{fmt::format("its debug info is made by {}, not by Erlang's compiler", backend)};
    }
    const Term data = (*info)[2];
    if (!data.is_tuple(2)) return Error{"its debug info is of an unknown kind"};
    if (!data[0].is_atom(none)) return data[0];
  }
  if (const auto chunk = beam.find("Abst"); chunk && !chunk->empty()) {
    auto code = etf::decode(*chunk, arena);
    if (!code) return unreadable(*chunk, code.error());
    if (code->is_tagged(raw_abstract_v1, 2)) return (*code)[1];
    return Error{"its debug info is of an unknown kind"};
  }
  return Error{"it has no debug info (compile with +debug_info)"};
}

// foo/ebin/m.beam was compiled from foo/src/m.erl, or from where it says.
std::string source_beside(const std::string& path, const BeamFile& beam) {
  const size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (name.ends_with(".beam")) name.resize(name.size() - 5);
  const std::string directory = directory_of(path);
  for (const char* where : {"../src", "."}) {
    std::string source = join_paths(join_paths(directory, where), name + ".erl");
    if (is_regular_file(source)) return source;
  }
  const std::string named = beam.source_path().value_or("");
  return named.ends_with(".erl") && is_regular_file(named) ? named : "";
}

// The forms of the debug info into the unit.
bool add_forms(Term forms, Unit& unit, Literals& literals, Diagnostics& diagnostics) {
  if (!forms.is_list() || !forms.list().is_proper()) {
    diagnostics.file_error(unit.path, "its debug info holds no list of forms");
    return false;
  }
  for (const Term form : forms.list()) {
    const auto node = from_abstract(form, unit, literals);
    if (!node) {
      diagnostics.file_error(unit.path,
                             fmt::format("its debug info is damaged: {}", node.error().message));
      unit.has_errors = true;
      return false;
    }
    unit.ast.add_form(*node);
  }
  return true;
}

uint64_t debug_info_size(const BeamFile& beam) {
  return beam.find("Dbgi").value_or(beam.find("Abst").value_or("")).size();
}

// False: something is wrong, or is not as expected; the unit is as it was.
bool add_one_by_one(const BeamFile& beam, TypeForms types, Unit& unit, Literals& literals) {
  const auto forms = DebugForms::find(beam);
  if (!forms) return false;
  unit.bytes_read = debug_info_size(beam);
  if (forms->read(types, unit, literals)) return true;
  const std::string path = unit.path;
  unit.clear();
  unit.path = path;
  return false;
}

bool read_debug_info(Reader& reader, const std::string& path, const ReadOptions& options,
                     TypeForms types, Unit& unit, Diagnostics& diagnostics) {
  unit.clear();
  unit.path = path;
  const auto beam = BeamFile::read(path);
  if (!beam) {
    diagnostics.file_error(path, beam.error().message);
    return false;
  }
  if (add_one_by_one(*beam, types, unit, reader.literals())) return true;
  TermArena arena;
  const auto forms = debug_forms(*beam, arena);
  if (!forms) {
    const std::string source = source_beside(path, *beam);
    if (source.empty()) {
      diagnostics.file_error(
          path, fmt::format("cannot read this module: {}, and no source lies beside it",
                            forms.error().message));
      return false;
    }
    diagnostics.file_warning(path,
                             fmt::format("{}; reading {} instead", forms.error().message, source));
    return reader.read_source(source, options, unit, diagnostics);
  }
  unit.bytes_read = debug_info_size(*beam);
  return add_forms(*forms, unit, reader.literals(), diagnostics);
}

}  // namespace

bool Reader::read_beam(const std::string& path, const ReadOptions& options, Unit& unit,
                       Diagnostics& diagnostics) {
  return read_debug_info(*this, path, options, TypeForms::Read, unit, diagnostics);
}

bool Reader::read_beam_bytes(const std::string& name, std::string bytes, Unit& unit,
                             Diagnostics& diagnostics) {
  unit.clear();
  unit.path = name;
  const auto beam = BeamFile::parse(std::move(bytes));
  if (!beam) {
    diagnostics.file_error(name, beam.error().message);
    return false;
  }
  if (add_one_by_one(*beam, TypeForms::Read, unit, literals())) return true;
  TermArena arena;
  const auto forms = debug_forms(*beam, arena);
  if (!forms) {
    diagnostics.file_error(name, fmt::format("cannot read this module: {}", forms.error().message));
    return false;
  }
  unit.bytes_read = debug_info_size(*beam);
  return add_forms(*forms, unit, literals(), diagnostics);
}

bool Reader::read(const std::string& path, const ReadOptions& options, Unit& unit,
                  Diagnostics& diagnostics) {
  return read_module(*this, path, options, TypeForms::Read, unit, diagnostics);
}

bool read_module(Reader& reader, const std::string& path, const ReadOptions& options,
                 TypeForms types, Unit& unit, Diagnostics& diagnostics) {
  return path.ends_with(".beam") ? read_debug_info(reader, path, options, types, unit, diagnostics)
                                 : reader.read_source(path, options, unit, diagnostics);
}

}  // namespace fathom
