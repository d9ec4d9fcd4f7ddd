// Where lines break. The printer describes a form as a row of operations: texts,
// places where a line may or must end, groups of these, and indentation. The
// layout then decides for each group, outermost first, whether it fits on the
// rest of the line; a group that does is written flat, one that does not breaks
// at all its lines.
//
//   Line    a space, or a new line where its group is broken
//   Soft    the same, but nothing instead of a space
//   Fill    in a broken group, a new line only if what comes up to the group's
//           next break does not fit
//   Hug     what stands after `X =`: a new line (indented) only if that makes the
//           rest of the group fit, or if not even its first piece has room here;
//           for else its own brackets break better. Ended by HugEnd.
//   Hard    always a new line; the groups around it are broken
//
// Everything is measured once, from prefix sums of the flat widths, so a form
// costs time linear in its operations however deep it nests. Nothing recurses.
// The limit of the width is soft: a text is never split. Indentation stops
// growing at kMaxIndent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

struct LayoutOp {
  enum class Kind : uint8_t {
    Text,
    Line,
    Soft,
    Fill,
    Hug,
    HugEnd,
    Hard,
    Open,
    Close,
    Indent,
    Dedent,
  };
  Kind kind;
  uint32_t offset = 0;  // Text: in the texts
  uint32_t length = 0;  // Text: bytes; Indent: columns
  uint32_t width = 0;   // Text: columns
};

class Layout {
 public:
  static constexpr uint32_t kWidth = 90;
  static constexpr uint32_t kIndent = 4;
  static constexpr uint32_t kMaxIndent = 60;

  // The text is kept; the operation may be added later, or never.
  LayoutOp text(std::string_view utf8);
  void add(LayoutOp op) { ops_.push_back(op); }

  // Writes the form and forgets it.
  void render(std::string& out);

 private:
  using Kind = LayoutOp::Kind;

  // What render knows of the operation with the same index.
  struct Measure {
    uint64_t flat = 0;         // width of all before it, were it on one line
    uint64_t next_break = 0;   // `flat` of the nearest break at or after it
    uint32_t hard_breaks = 0;  // before it
    uint32_t end = 0;          // Open: its Close; Fill, Hug: where what must fit ends
  };

  static bool is_break(Kind kind) { return kind >= Kind::Line && kind <= Kind::Hard; }

  void measure();
  void match_groups();
  bool fits(size_t from, uint64_t column) const;
  void start_line(std::string& out);
  void place(const LayoutOp& op, size_t at, std::string& out);
  void place_break(const LayoutOp& op, size_t at, std::string& out);
  void place_flat(std::string& out, size_t from, size_t to);
  void put(std::string_view utf8, uint32_t width, std::string& out);

  std::string texts_;
  std::vector<LayoutOp> ops_;
  std::vector<Measure> measures_;
  std::vector<uint32_t> indents_;
  uint64_t column_ = 0;
  bool line_is_empty_ = true;
};

}  // namespace fathom
