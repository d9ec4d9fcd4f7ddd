#include "core/dump.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/term_print.h"

namespace fathom::core {
namespace {

class Dump {
 public:
  Dump(const Module& module, std::string& out) : module_(module), out_(out) {}

  void run() {
    for (const Function& f : module_.functions) {
      function_ = &f;
      uses_of_name_.clear();
      for (const Atom name : f.variables) ++uses_of_name_[name];
      out_ += fmt::format("{}/{}{}\n", quoted(f.name), f.arity, f.exported ? " exported" : "");
      if (exists(f.body)) region(f.body, 1);
      out_ += '\n';
    }
  }

 private:
  static std::string quoted(Atom atom) {
    std::string text;
    append_atom(text, atom);
    return text;
  }

  void indent(size_t depth) { out_.append(2 * depth, ' '); }

  void variable(VarId v) {
    if (!exists(v)) {
      out_ += '_';
      return;
    }
    const Atom name = function_->variables[static_cast<size_t>(v)];
    if (name == Atom() || name.text().find(' ') != std::string_view::npos) {
      out_ += fmt::format("%{}", word(v));
      return;
    }
    out_ += name.text();
    if (uses_of_name_[name] > 1) out_ += fmt::format("%{}", word(v));
  }

  void variables(ListId list) {
    out_ += '{';
    bool first = true;
    for (const VarId v : module_.vars(list)) {
      if (!first) out_ += ' ';
      first = false;
      variable(v);
    }
    out_ += '}';
  }

  void region(RegionId id, size_t depth) {
    for (const NodeId n : module_.nodes(id)) line(n, depth);
    const Region& r = module_[id];
    if (!exists(r.value) || id == function_->body) return;
    indent(depth);
    variable(r.value);
    out_ += '\n';
  }

  // What fits the node's own line; regions and nodes come below.
  void line(NodeId id, size_t depth) {
    const Node& n = module_[id];
    indent(depth);
    if (exists(n.result)) {
      variable(n.result);
      out_ += " = ";
    }
    const KindSchema& schema = schema_of(n.kind);
    out_ += schema.tag;
    if (n.in_guard) out_ += '?';
    for (size_t i = 0; i < schema.fields.size(); ++i) field(n, schema.fields[i].kind, i, id);
    out_ += '\n';
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      below(schema.fields[i], module_.slot(id, i), depth + 1);
    }
  }

  void field(const Node& n, FieldKind kind, size_t i, NodeId id) {
    const uint32_t value = module_.slot(id, i);
    switch (kind) {
      case FieldKind::OptUse:
        if (!exists(VarId{value})) return;
        [[fallthrough]];
      case FieldKind::Use:
      case FieldKind::Def:
        out_ += ' ';
        variable(VarId{value});
        return;
      case FieldKind::Uses:
      case FieldKind::Defs:
        out_ += ' ';
        variables(ListId{value});
        return;
      case FieldKind::Literal:
        out_ += ' ';
        print_term(out_, module_[LiteralId{value}]);
        return;
      case FieldKind::Fun: {
        const Function& f = module_[FunctionId{value}];
        out_ += fmt::format(" {}/{}", quoted(f.name), f.arity);
        return;
      }
      case FieldKind::Atom:
        out_ += ' ';
        out_ += quoted(Atom(value));
        return;
      case FieldKind::Num:
        if (n.kind == Kind::Segment || n.kind == Kind::MatchSegment) spec(value);
        return;
      case FieldKind::Nodes:
      case FieldKind::Region:
      case FieldKind::Regions:
        return;
    }
  }

  void spec(uint32_t packed) {
    static constexpr std::string_view kTypes[] = {"integer", "float", "bits",
                                                  "utf8",    "utf16", "utf32"};
    const SegmentSpec s = SegmentSpec::unpack(packed);
    out_ +=
        fmt::format(" {}{}{}{}", kTypes[static_cast<size_t>(s.type)], s.is_signed ? "-signed" : "",
                    s.little ? "-little" : "", s.all ? "-all" : "");
    if (s.unit != 1) out_ += fmt::format("-unit:{}", s.unit);
  }

  void below(const FieldSchema& schema, uint32_t value, size_t depth) {
    switch (schema.kind) {
      case FieldKind::Nodes:
        for (const NodeId n : module_.nodes(ListId{value})) line(n, depth);
        return;
      case FieldKind::Region:
        if (!exists(RegionId{value})) return;
        if (schema.name != "patterns") label(schema.name, depth - 1);
        region(RegionId{value}, depth);
        return;
      case FieldKind::Regions:
        for (const RegionId r : module_.regions(ListId{value})) {
          label("when", depth - 1);
          region(r, depth);
        }
        return;
      default:
        return;
    }
  }

  void label(std::string_view text, size_t depth) {
    indent(depth);
    out_ += text == "body" ? "->" : text;
    out_ += '\n';
  }

  const Module& module_;
  std::string& out_;
  const Function* function_ = nullptr;
  std::unordered_map<Atom, uint32_t> uses_of_name_;
};

}  // namespace

void dump(const Module& module, std::string& out) { Dump(module, out).run(); }

}  // namespace fathom::core
