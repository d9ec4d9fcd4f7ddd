// A unit is one module as read: its tree, and the tables by which the places of
// its nodes are resolved.
//
// Three kinds of places occur in a tree (base/source.h). A text place needs no
// table. A token that came out of a macro is an index into `expanded`, which
// says where it was written (in the macro's definition) and, through
// `expansions`, where the macro was used. A position is an index into
// `positions`: all that debug info tells.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/atom.h"
#include "base/source.h"
#include "syntax/ast.h"
#include "syntax/token.h"

namespace fathom {

// One use of a macro.
struct Expansion {
  Atom macro;
  Span use;                        // ?NAME or ?NAME(ARGS)
  Span definition;                 // the name in its -define; empty for predefined macros
  std::optional<uint32_t> parent;  // the expansion in whose text this use stands
  Span outermost;                  // the use, in the author's text, that this one came from
};

// A token of a macro's body, as it stands in one expansion of the macro.
struct ExpandedToken {
  Loc anchor;    // the text place that OTP gives the token
  Span written;  // in the definition; empty for predefined macros
  uint32_t expansion = 0;
};

// A line and perhaps a column (0 if unknown), as debug info has them. OTP keeps
// the text of some tokens too ('maybe' in quotes).
struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
  Atom text;
  constexpr auto operator<=>(const Position&) const = default;
};

// What an ErrorForm or WarningForm says.
struct FormMessage {
  Span span;
  std::string text;
};

class Unit {
 public:
  explicit Unit(const SourceMap& sources, const Literals& literals)
      : sources_(&sources), literals_(&literals) {}

  Ast ast;
  std::string path;              // as given by the user
  std::optional<FileId> file;    // of the source; empty for debug info
  Atom module;                   // from -module, '' if there is none
  std::vector<FileId> included;  // headers, in order of inclusion, with repetitions
  std::vector<Expansion> expansions;
  std::vector<ExpandedToken> expanded;
  std::vector<Position> positions;
  // By where it begins: so much higher than the text's are OTP's lines up to the
  // next one or the end of the file, because of a -file attribute.
  std::map<Loc, int64_t> line_shifts;
  std::vector<FormMessage> form_messages;
  std::vector<Span> comments;  // of the main file
  bool has_errors = false;
  uint64_t bytes_read = 0;   // of all files, headers each time they are included
  uint64_t tokens_read = 0;  // likewise

  const SourceMap& sources() const { return *sources_; }
  const Literals& literals() const { return *literals_; }

  // Keeps the memory for the next module.
  void clear();

  // Where the node stands in the text that the author sees: macro uses count as
  // a whole. Empty for debug info. To be asked only when all of the unit is read.
  std::optional<Span> used_span(NodeId id) const;
  // The same by the node's first and last token alone, which is less than all of it
  // where macros change the order; empty if it has no place in a text.
  Span token_span(NodeId id) const;
  // For a node that came out of a macro: where it stands in the macro's definition.
  std::optional<Span> written_span(NodeId id) const;
  // The innermost macro expansion that the node came out of.
  std::optional<uint32_t> expansion_of(NodeId id) const;

  // The place that OTP gives to an anchor: line and column, by the -file in force.
  Position otp_position(Loc anchor) const;

  Loc add_position(Position position);

 private:
  Span token_use(Loc token) const;
  const std::vector<Span>& used_spans() const;

  const SourceMap* sources_;
  const Literals* literals_;
  mutable std::vector<Span> used_spans_;  // by node, made on first use
};

}  // namespace fathom
