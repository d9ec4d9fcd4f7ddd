#include "syntax/dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/term_print.h"
#include "syntax/print.h"

namespace fathom {
namespace {

constexpr size_t kMaxIndent = 100;

// ---- What both dumps say of a node ------------------------------------------

std::string_view integer_digits(const Unit& unit, NodeId id, std::string& scratch) {
  const uint32_t value = unit.ast.slot(id, 0);
  if (unit.ast[id].flags & Node::kPooled) return unit.literals().integers[value];
  return scratch = std::to_string(value);
}

// A node's own atoms and numbers in one line: the names and values by which
// people know it.
class Summary {
 public:
  Summary(const Unit& unit, std::string& out) : unit_(unit), ast_(unit.ast), out_(out) {}

  void append(NodeId id) {
    const size_t before = out_.size();
    out_ += ' ';
    if (!append_literal(id) && !append_form(id)) append_atoms(id);
    if (out_.size() == before + 1) out_.pop_back();
  }

 private:
  bool append_literal(NodeId id) {
    std::string scratch;
    switch (ast_.kind(id)) {
      case NodeKind::Var:
        out_ += ast_.get<node::Var>(id).name.text();
        return true;
      case NodeKind::Integer:
        out_ += integer_digits(unit_, id, scratch);
        return true;
      case NodeKind::Char:
        append_character(out_, ast_.get<node::Char>(id).value);
        return true;
      case NodeKind::Float:
        append_float(out_, unit_.literals().floats[ast_.get<node::Float>(id).value]);
        return true;
      case NodeKind::String:
        append_quoted_string(out_, unit_.literals().strings[ast_.get<node::String>(id).value]);
        return true;
      case NodeKind::BinaryOp:
        out_ += ast_.get<node::BinaryOp>(id).op.text();
        return true;
      case NodeKind::UnaryOp:
        out_ += ast_.get<node::UnaryOp>(id).op.text();
        return true;
      case NodeKind::NamedFun:
        out_ += ast_.get<node::NamedFun>(id).name.text();
        return true;
      default:
        return false;
    }
  }

  bool append_form(NodeId id) {
    switch (ast_.kind(id)) {
      case NodeKind::Function: {
        const auto n = ast_.get<node::Function>(id);
        append_name_arity(n.name, n.arity);
        return true;
      }
      case NodeKind::TypeDecl: {
        const auto n = ast_.get<node::TypeDecl>(id);
        append_atom(out_, n.attribute);
        out_ += ' ';
        append_name_arity(n.name, ast_.list(n.parameters).size());
        return true;
      }
      case NodeKind::Spec: {
        const auto n = ast_.get<node::Spec>(id);
        if (n.attribute != atoms::spec) {
          append_atom(out_, n.attribute);
          out_ += ' ';
        }
        append_name_arity(n.name, n.arity);
        return true;
      }
      case NodeKind::ErrorForm:
        out_ += unit_.form_messages[ast_.get<node::ErrorForm>(id).message].text;
        return true;
      case NodeKind::WarningForm:
        out_ += unit_.form_messages[ast_.get<node::WarningForm>(id).message].text;
        return true;
      default:
        return false;
    }
  }

  void append_atoms(NodeId id) {
    const auto fields = schema_of(ast_.kind(id)).fields;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].kind == FieldKind::Atom) append_atom(out_, Atom(ast_.slot(id, i)));
    }
  }

  void append_name_arity(Atom name, size_t arity) {
    append_atom(out_, name);
    out_ += '/';
    out_ += std::to_string(arity);
  }

  const Unit& unit_;
  const Ast& ast_;
  std::string& out_;
};

// ---- Text -------------------------------------------------------------------

class TextDump {
 public:
  using Sink = std::function<void(std::string_view)>;

  // Without a sink, all stays in `out`.
  TextDump(const Unit& unit, std::string& out, Sink sink = {})
      : unit_(unit), ast_(unit.ast), out_(out), sink_(std::move(sink)) {}

  void run() {
    for (const NodeId form : ast_.forms()) {
      form_file_ = unit_.file;
      todo_.push_back({form, {}, 0});
      while (!todo_.empty()) {
        const Line line = todo_.back();
        todo_.pop_back();
        indent(line.depth);
        if (exists(line.node)) {
          write_node(line);
          const size_t mark = todo_.size();
          push_children(line.node, line.depth + 1);
          std::reverse(todo_.begin() + static_cast<std::ptrdiff_t>(mark), todo_.end());
        } else {
          out_ += line.label;
        }
        out_ += '\n';
        if (sink_ && out_.size() > kPiece) flush();
      }
    }
    if (sink_) flush();
  }

 private:
  static constexpr size_t kPiece = size_t{1} << 16;

  void flush() {
    sink_(out_);
    out_.clear();
  }

  struct Line {
    NodeId node;             // or none: a label
    std::string_view label;  // the name of a field
    size_t depth;
  };

  void indent(size_t depth) {
    out_.append(2 * std::min(depth, kMaxIndent), ' ');
    if (depth > kMaxIndent) fmt::format_to(std::back_inserter(out_), "[{}] ", depth);
  }

  void write_node(const Line& line) {
    out_ += schema_of(ast_.kind(line.node)).tag;
    if (const auto span = unit_.used_span(line.node)) {
      const FileId file = unit_.sources().file_of(span->begin);
      out_ += ' ';
      write_span(*span, file != form_file_);
      // The nodes below are told apart from this form, not from the main file.
      if (line.depth == 0) form_file_ = file;
    } else if (ast_[line.node].anchor) {
      write_position(unit_.otp_position(ast_[line.node].anchor));
    }
    Summary(unit_, out_).append(line.node);
    write_macro(line.node);
  }

  void write_span(Span span, bool with_file) {
    const SourceMap& sources = unit_.sources();
    const LineColumn begin = sources.line_column(span.begin);
    const LineColumn end = sources.line_column(span.end);
    if (with_file) {
      out_ += sources.name(sources.file_of(span.begin));
      out_ += ':';
    }
    fmt::format_to(std::back_inserter(out_), "{}:{}-{}:{}", begin.line, begin.column, end.line,
                   end.column);
  }

  void write_position(Position position) {
    fmt::format_to(std::back_inserter(out_), " @{}", position.line);
    if (position.column != 0) fmt::format_to(std::back_inserter(out_), ":{}", position.column);
  }

  void write_macro(NodeId id) {
    const auto expansion = unit_.expansion_of(id);
    if (!expansion) return;
    out_ += " in ?";
    out_ += unit_.expansions[*expansion].macro.text();
    if (const auto written = unit_.written_span(id)) {
      out_ += " (written ";
      write_span(*written, true);
      out_ += ')';
    }
  }

  // The fields that need their names for the children to be told apart: all lists
  // if there are several, and what may be missing beside another such field.
  static bool needs_label(std::span<const FieldSchema> fields, FieldKind kind) {
    auto is_list = [](FieldKind k) { return k == FieldKind::Many || k == FieldKind::Guard; };
    size_t lists = 0;
    size_t optional = 0;
    for (const FieldSchema& f : fields) {
      lists += is_list(f.kind) ? 1 : 0;
      optional += f.kind == FieldKind::Opt ? 1 : 0;
    }
    if (kind == FieldKind::Opt) return lists + optional > 1;
    return is_list(kind) && lists > 1;
  }

  void push_children(NodeId id, size_t depth) {
    const auto fields = schema_of(ast_.kind(id)).fields;
    for (size_t i = 0; i < fields.size(); ++i) {
      push_field(fields[i], ast_.slot(id, i), needs_label(fields, fields[i].kind), depth);
    }
  }

  void push_field(const FieldSchema& schema, uint32_t value, bool labelled, size_t depth) {
    const size_t label_at = todo_.size();
    if (labelled) todo_.push_back({kNoNode, schema.name, depth});
    const size_t below = labelled ? depth + 1 : depth;
    switch (schema.kind) {
      case FieldKind::One:
      case FieldKind::Opt:
        if (exists(NodeId{value})) todo_.push_back({NodeId{value}, {}, below});
        break;
      case FieldKind::Many:
        for (const NodeId child : ast_.list(ListId{value})) todo_.push_back({child, {}, below});
        break;
      case FieldKind::Guard:
        push_guard(ast_.guard(ListId{value}), below);
        break;
      case FieldKind::Atom:
      case FieldKind::Num:
        break;
    }
    if (labelled && todo_.size() == label_at + 1) todo_.pop_back();
  }

  void push_guard(std::span<const ListId> alternatives, size_t depth) {
    const bool several = alternatives.size() > 1;
    for (const ListId alternative : alternatives) {
      if (several) todo_.push_back({kNoNode, "alternative", depth});
      for (const NodeId test : ast_.list(alternative)) {
        todo_.push_back({test, {}, several ? depth + 1 : depth});
      }
    }
  }

  const Unit& unit_;
  const Ast& ast_;
  std::string& out_;
  Sink sink_;
  std::vector<Line> todo_;
  std::optional<FileId> form_file_;
};

// ---- JSON -------------------------------------------------------------------

class JsonDump {
 public:
  JsonDump(const Unit& unit, JsonWriter& json) : unit_(unit), ast_(unit.ast), json_(json) {}

  void run() {
    json_.begin_object();
    json_.field("file", unit_.path);
    json_.field("module", unit_.module.text());
    json_.key("forms");
    json_.begin_array();
    for (const NodeId form : ast_.forms()) {
      todo_.push_back({Step::Kind::Node, form});
      while (!todo_.empty()) {
        const Step step = todo_.back();
        todo_.pop_back();
        perform(step);
      }
    }
    json_.end_array();
    json_.end_object();
  }

 private:
  struct Step {
    enum class Kind : uint8_t { Node, EndObject, Key, BeginArray, EndArray };
    Kind kind;
    NodeId node = kNoNode;
    std::string_view key = {};
  };

  void perform(const Step& step) {
    switch (step.kind) {
      case Step::Kind::Node:
        begin_node(step.node);
        break;
      case Step::Kind::EndObject:
        json_.end_object();
        break;
      case Step::Kind::Key:
        json_.key(step.key);
        break;
      case Step::Kind::BeginArray:
        json_.begin_array();
        break;
      case Step::Kind::EndArray:
        json_.end_array();
        break;
    }
  }

  void begin_node(NodeId id) {
    json_.begin_object();
    json_.field("kind", schema_of(ast_.kind(id)).tag);
    write_place(id);
    write_macro(id);
    const auto fields = schema_of(ast_.kind(id)).fields;
    for (size_t i = 0; i < fields.size(); ++i) write_value(id, fields[i], ast_.slot(id, i));
    const size_t mark = todo_.size();
    for (size_t i = 0; i < fields.size(); ++i) push_field(fields[i], ast_.slot(id, i));
    todo_.push_back({Step::Kind::EndObject});
    std::reverse(todo_.begin() + static_cast<std::ptrdiff_t>(mark), todo_.end());
  }

  void write_place(NodeId id) {
    if (const auto span = unit_.used_span(id)) {
      write_location("location", *span);
      json_.key("bytes");
      json_.begin_array(JsonWriter::Shape::Inline);
      json_.value(unit_.sources().byte_offset(span->begin));
      json_.value(unit_.sources().byte_offset(span->end));
      json_.end_array();
      return;
    }
    if (!ast_[id].anchor) return;
    const Position position = unit_.otp_position(ast_[id].anchor);
    json_.key("location");
    json_.begin_object(JsonWriter::Shape::Inline);
    json_.field("line", position.line);
    if (position.column != 0) json_.field("column", position.column);
    json_.end_object();
  }

  void write_location(std::string_view key, Span span) {
    const SourceMap& sources = unit_.sources();
    const LineColumn begin = sources.line_column(span.begin);
    const LineColumn end = sources.line_column(span.end);
    json_.key(key);
    json_.begin_object(JsonWriter::Shape::Inline);
    json_.field("file", sources.name(sources.file_of(span.begin)));
    json_.field("line", begin.line);
    json_.field("column", begin.column);
    json_.field("end_line", end.line);
    json_.field("end_column", end.column);
    json_.end_object();
  }

  void write_macro(NodeId id) {
    const auto index = unit_.expansion_of(id);
    if (!index) return;
    json_.key("macro");
    json_.begin_object();
    json_.field("name", unit_.expansions[*index].macro.text());
    write_location("use", unit_.expansions[*index].use);
    if (const auto written = unit_.written_span(id)) write_location("written", *written);
    json_.end_object();
  }

  void write_value(NodeId id, const FieldSchema& schema, uint32_t value) {
    if (schema.kind == FieldKind::Atom) return json_.field(schema.name, Atom(value).text());
    if (schema.kind != FieldKind::Num) return;
    std::string scratch;
    switch (ast_.kind(id)) {
      case NodeKind::Integer:
        return json_.field(schema.name, integer_digits(unit_, id, scratch));
      case NodeKind::Float:
        append_float(scratch, unit_.literals().floats[value]);
        return json_.field(schema.name, scratch);
      case NodeKind::String:
        return json_.field(schema.name, unit_.literals().strings[value]);
      case NodeKind::ErrorForm:
      case NodeKind::WarningForm:
        return json_.field(schema.name, unit_.form_messages[value].text);
      default:
        return json_.field(schema.name, value);
    }
  }

  void push_nodes(std::span<const NodeId> nodes) {
    todo_.push_back({Step::Kind::BeginArray});
    for (const NodeId node : nodes) todo_.push_back({Step::Kind::Node, node});
    todo_.push_back({Step::Kind::EndArray});
  }

  void push_field(const FieldSchema& schema, uint32_t value) {
    const Step key{Step::Kind::Key, kNoNode, schema.name};
    switch (schema.kind) {
      case FieldKind::One:
      case FieldKind::Opt:
        if (!exists(NodeId{value})) return;
        todo_.push_back(key);
        todo_.push_back({Step::Kind::Node, NodeId{value}});
        return;
      case FieldKind::Many:
        todo_.push_back(key);
        return push_nodes(ast_.list(ListId{value}));
      case FieldKind::Guard:
        todo_.push_back(key);
        todo_.push_back({Step::Kind::BeginArray});
        for (const ListId alternative : ast_.guard(ListId{value})) {
          push_nodes(ast_.list(alternative));
        }
        todo_.push_back({Step::Kind::EndArray});
        return;
      case FieldKind::Atom:
      case FieldKind::Num:
        return;
    }
  }

  const Unit& unit_;
  const Ast& ast_;
  JsonWriter& json_;
  std::vector<Step> todo_;
};

}  // namespace

void dump_text(const Unit& unit, std::string& out) { TextDump(unit, out).run(); }

void dump_text(const Unit& unit, const std::function<void(std::string_view)>& sink) {
  std::string piece;
  TextDump(unit, piece, sink).run();
}

void dump_json(const Unit& unit, JsonWriter& json) { JsonDump(unit, json).run(); }

}  // namespace fathom
