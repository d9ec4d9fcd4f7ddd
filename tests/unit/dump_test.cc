#include "syntax/dump.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "parsed.h"

namespace fathom::dump_test {
namespace {

// Without the -file before the text's own forms and the end of the file.
std::string dumped(std::string_view source) {
  const Parsed parsed = parse_text(std::string(source));
  EXPECT_EQ(parsed.errors, "");
  std::string out;
  dump_text(parsed.unit, out);
  const size_t second_form = out.find('\n', out.find("  integer")) + 1;
  const size_t eof = out.rfind("eof ");
  return out.substr(second_form, eof - second_form);
}

TEST(DumpText, Function) {
  EXPECT_EQ(dumped("add(X, 1) when X > 0; X ->\n"
                   "    [a, $b | X#r.c].\n"),
            R"(function 1:1-2:20 add/2
  clause 1:1-2:20
    patterns
      var 1:5-1:6 X
      integer 1:8-1:9 1
    guard
      alternative
        op 1:16-1:21 >
          var 1:16-1:17 X
          integer 1:20-1:21 0
      alternative
        var 1:23-1:24 X
    body
      list 2:5-2:20
        atom 2:6-2:7 a
        char 2:9-2:11 $b
        tail
          record_access 2:14-2:19
            var 2:14-2:15 X
            atom 2:16-2:17 r
            atom 2:18-2:19 c
)");
}

TEST(DumpText, Forms) {
  EXPECT_EQ(dumped("-module('M 1').\n"
                   "-record(r, {a = \"s\\n\" :: t(), b}).\n"
                   "-opaque t(X) :: X | 12345678901234567890.\n"
                   "-spec m:f(a) -> 1.\n"
                   "-callback f(a) -> fun((...) -> b).\n"),
            R"(attribute 1:1-1:15 module
  atom 1:9-1:14 'M 1'
record_decl 2:1-2:34 r
  record_field_decl 2:13-2:29
    atom 2:13-2:14 a
    value
      string 2:17-2:22 "s\n"
    type
      user_type 2:26-2:29 t
  record_field_decl 2:31-2:32
    atom 2:31-2:32 b
type_decl 3:1-3:41 opaque t/1
  var 3:11-3:12 X
  type 3:17-3:41 union
    var 3:17-3:18 X
    integer 3:21-3:41 12345678901234567890
spec 4:1-4:18 f/1
  module
    atom 4:7-4:8 m
  type 4:10-4:18 'fun'
    type 4:10-4:13 product
      atom 4:11-4:12 a
    integer 4:17-4:18 1
spec 5:1-5:34 callback f/1
  type 5:12-5:34 'fun'
    type 5:12-5:15 product
      atom 5:13-5:14 a
    type 5:23-5:33 'fun'
      any_arguments 5:23-5:28
      atom 5:32-5:33 b
)");
}

TEST(DumpText, Macros) {
  EXPECT_EQ(dumped("-define(DOUBLE(X), {X, 2}).\n"
                   "f() -> ?DOUBLE(a + 1).\n"),
            R"(function 2:1-2:22 f/0
  clause 2:1-2:22
    body
      tuple 2:8-2:22 in ?DOUBLE (written test.erl:1:20-1:26)
        op 2:16-2:21 +
          atom 2:16-2:17 a
          integer 2:20-2:21 1
        integer 2:8-2:22 2 in ?DOUBLE (written test.erl:1:24-1:25)
)");
}

TEST(DumpText, DebugInfoHasPositionsOnly) {
  const SourceMap sources;
  const Literals literals;
  Unit unit(sources, literals);
  Position position;
  position.line = 7;
  position.column = 3;
  const Loc with_column = unit.add_position(position);
  position.line = 8;
  position.column = 0;
  const Loc line_only = unit.add_position(position);
  const NodeId value = unit.ast.add(NodeKind::Integer, line_only, line_only, line_only, {42});
  const ListId values = unit.ast.add_list({&value, 1});
  unit.ast.add_form(unit.ast.add(NodeKind::Attribute, with_column, with_column, with_column,
                                 {field(atoms::module), field(values)}));
  std::string text;
  dump_text(unit, text);
  EXPECT_EQ(text, "attribute @7:3 module\n  integer @8 42\n");
  std::string json_text;
  JsonWriter json(json_text, JsonWriter::Style::Compact);
  dump_json(unit, json);
  json.finish();
  EXPECT_EQ(json_text,
            R"({"file":"","module":"","forms":[{"kind":"attribute","location":{"line":7,)"
            R"("column":3},"name":"module","values":[{"kind":"integer","location":{"line":8},)"
            R"("value":"42"}]}]})"
            "\n");
}

TEST(DumpText, DeepTreesStayLinear) {
  constexpr size_t kDeep = 100000;
  std::string source = "f() -> a";
  for (size_t i = 0; i < kDeep; ++i) source += " ++ a";
  const std::string text = dumped(source + ".\n");
  EXPECT_LT(text.size(), 600 * kDeep);
  EXPECT_NE(text.find("[100002] atom"), std::string::npos);
}

std::string json_of(const Parsed& parsed) {
  std::string out;
  JsonWriter json(out);
  dump_json(parsed.unit, json);
  json.finish();
  return out;
}

// The text from the second form's opening brace on.
std::string json_of_second_form(std::string_view source) {
  const Parsed parsed = parse_text(std::string(source), "t.erl");
  EXPECT_EQ(parsed.errors, "");
  const std::string text = json_of(parsed);
  const size_t begin = text.find("\n    {", text.find("\n    }"));
  const size_t end = text.find("\n    }", begin);
  return text.substr(begin, end - begin);
}

TEST(DumpJson, Fields) {
  EXPECT_EQ(json_of_second_form("f(é) when a; c -> \"q\\\"\".\n"), R"(
    {
      "kind": "function",
      "location": {"file": "t.erl", "line": 1, "column": 1, "end_line": 1, "end_column": 24},
      "bytes": [0, 24],
      "name": "f",
      "arity": 1,
      "clauses": [
        {
          "kind": "clause",
          "location": {"file": "t.erl", "line": 1, "column": 1, "end_line": 1, "end_column": 24},
          "bytes": [0, 24],
          "patterns": [
            {
              "kind": "atom",
              "location": {"file": "t.erl", "line": 1, "column": 3, "end_line": 1, "end_column": 4},
              "bytes": [2, 4],
              "value": "é"
            }
          ],
          "guard": [
            [
              {
                "kind": "atom",
                "location": {"file": "t.erl", "line": 1, "column": 11, "end_line": 1, "end_column": 12},
                "bytes": [11, 12],
                "value": "a"
              }
            ],
            [
              {
                "kind": "atom",
                "location": {"file": "t.erl", "line": 1, "column": 14, "end_line": 1, "end_column": 15},
                "bytes": [14, 15],
                "value": "c"
              }
            ]
          ],
          "body": [
            {
              "kind": "string",
              "location": {"file": "t.erl", "line": 1, "column": 19, "end_line": 1, "end_column": 24},
              "bytes": [19, 24],
              "value": "q\""
            }
          ]
        }
      ])");
}

TEST(DumpJson, Macros) {
  const std::string text = json_of_second_form("-define(ONE, 1).\nf() -> ?ONE.\n");
  EXPECT_NE(text.find(R"("kind": "integer",
              "location": {"file": "t.erl", "line": 2, "column": 8, "end_line": 2, "end_column": 12},
              "bytes": [24, 28],
              "macro": {
                "name": "ONE",
                "use": {"file": "t.erl", "line": 2, "column": 8, "end_line": 2, "end_column": 12},
                "written": {"file": "t.erl", "line": 1, "column": 14, "end_line": 1, "end_column": 15}
              },
              "value": "1")"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace fathom::dump_test
