#include "syntax/replace_forms.h"

#include <map>
#include <tuple>

#include "syntax/abstract.h"
#include "syntax/anchors.h"

namespace fathom {
namespace {

struct ByValue {
  bool operator()(Term a, Term b) const { return compare_exact(a, b) < 0; }
};

// The name in force after the form: a -file changes it.
void follow_file(Term form, std::string& file) {
  if (!form.is_tagged(atoms::attribute, 4) || !form[2].is_atom(atoms::file)) return;
  if (!form[3].is_tuple(2)) return;
  if (auto name = string_text(form[3][0])) file = std::move(*name);
}

class Places {
 public:
  explicit Places(Unit& unit) : unit_(unit) {}

  // Notes where the nodes of an old form stand.
  void learn(NodeId form, const std::string& file) {
    walk(form, [&](NodeId id) {
      const Node& n = unit_.ast[id];
      if (!n.anchor || n.begin.kind() == Loc::Kind::Position) return;
      const Position at = unit_.otp_position(n.anchor);
      const Key any{file, at.line, at.column, kAnyKind};
      Key exact = any;
      exact.kind = static_cast<uint32_t>(n.kind);
      Extent extent{n.begin, n.end, {}};
      if (n.kind == NodeKind::List) extent.nil = unit_.otp_position(nil_anchor(unit_, id));
      // Parents come first: of several nodes at a place the largest counts.
      by_place_.try_emplace(any, extent);
      by_place_.try_emplace(exact, extent);
    });
  }

  // Gives the nodes of a new form their extents.
  void restore(NodeId form, const std::string& file) {
    walk(form, [&](NodeId id) {
      Node& n = unit_.ast.mutable_node(id);
      if (n.anchor.kind() != Loc::Kind::Position) return;
      const Position at = unit_.positions[n.anchor.index()];
      const Extent extent = find(n.kind, file, at);
      if (!extent.begin || moves_nil(id, extent)) return;
      n.begin = extent.begin;
      n.end = extent.end;
    });
  }

 private:
  static constexpr uint32_t kAnyKind = UINT32_MAX;
  struct Key {
    std::string file;
    uint32_t line;
    uint32_t column;
    uint32_t kind;
    auto operator<=>(const Key&) const = default;
  };
  struct Extent {
    Loc begin;
    Loc end;
    Position nil;  // List: of the [] at its end
  };

  // The [] that ends a list stands where the node ends.
  bool moves_nil(NodeId id, const Extent& extent) const {
    if (unit_.ast.kind(id) != NodeKind::List) return false;
    const auto list = unit_.ast.get<node::List>(id);
    if (exists(list.tail) || unit_.ast.list(list.elements).empty()) return false;
    return unit_.otp_position(nil_anchor(unit_, id)) != extent.nil;
  }

  Extent find(NodeKind kind, const std::string& file, Position at) const {
    for (const uint32_t wanted : {static_cast<uint32_t>(kind), kAnyKind}) {
      const auto it = by_place_.find(Key{file, at.line, at.column, wanted});
      if (it != by_place_.end()) return it->second;
    }
    const Loc place = text_place(unit_, file, at);
    return {place, place, {}};
  }

  template <class F>
  void walk(NodeId root, F&& f) {
    std::vector<NodeId> todo = {root};
    while (!todo.empty()) {
      const NodeId id = todo.back();
      todo.pop_back();
      f(id);
      unit_.ast.for_each_child(id, [&](NodeId child) { todo.push_back(child); });
    }
  }

  Unit& unit_;
  std::map<Key, Extent> by_place_;
};

}  // namespace

Result<void> replace_forms(Unit& unit, Literals& literals, std::span<const Term> before,
                           std::span<const Term> after) {
  const std::vector<NodeId> old_forms = unit.ast.forms();
  std::map<Term, NodeId, ByValue> unchanged;
  for (size_t i = 0; i < old_forms.size(); ++i) unchanged.emplace(before[i], old_forms[i]);

  std::vector<NodeId> forms;
  forms.reserve(after.size());
  std::vector<size_t> changed;
  for (const Term form : after) {
    if (const auto it = unchanged.find(form); it != unchanged.end()) {
      forms.push_back(it->second);
      continue;
    }
    const auto node = from_abstract(form, unit, literals);
    if (!node) return node.error();
    changed.push_back(forms.size());
    forms.push_back(*node);
  }
  unit.ast.set_forms(forms);
  if (changed.empty()) return {};

  Places places(unit);
  std::string file = unit.path;
  for (size_t i = 0; i < old_forms.size(); ++i) {
    follow_file(before[i], file);
    places.learn(old_forms[i], file);
  }
  file = unit.path;
  size_t next = 0;
  for (size_t i = 0; i < after.size() && next < changed.size(); ++i) {
    follow_file(after[i], file);
    if (changed[next] != i) continue;
    places.restore(forms[i], file);
    ++next;
  }
  return {};
}

Loc text_place(const Unit& unit, std::string_view file, Position position) {
  if (!unit.file || !unit.line_shifts.empty()) return {};
  const SourceMap& sources = unit.sources();
  std::vector<FileId> files = {*unit.file};
  files.insert(files.end(), unit.included.begin(), unit.included.end());
  for (const FileId id : files) {
    if (sources.name(id) == file) return sources.place(id, {position.line, position.column});
  }
  return {};
}

}  // namespace fathom
