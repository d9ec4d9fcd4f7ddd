#include "slice/forward.h"

#include <algorithm>

#include "base/budget.h"
#include "core/walk.h"

namespace fathom::slice {

using core::AstId;
using core::NodeId;

namespace {

class Forward {
 public:
  Forward(const Model& model, const Located& from, Precision precision)
      : model_(model), from_(from), precision_(precision) {
    const Scopes scopes(model, *from.module);
    variable_ = scopes.variable(from.node);
    scopes.for_each_node(model[from.procedure].function, from.node,
                         [&](NodeId n) { nodes_.push_back(n); });
  }

  // Whether it is in the slice of the node.
  bool influences(ProcedureId p, NodeId node) const {
    Slicer slicer(model_, precision_);
    slicer.execute(p, node);
    const core::VarId result = (*model_[p].module)[node].result;
    if (core::exists(result)) slicer.need(p, result, kWhole);
    slicer.call(p);
    slicer.run();
    if (!nodes_.empty()) {
      return std::any_of(nodes_.begin(), nodes_.end(),
                         [&](NodeId n) { return slicer.is_kept(from_.procedure, n); });
    }
    return core::exists(variable_) && is_some(slicer.need_of(from_.procedure, variable_));
  }

 private:
  const Model& model_;
  const Located& from_;
  Precision precision_;
  core::VarId variable_ = core::kNoVar;
  std::vector<NodeId> nodes_;
};

enum class Mark : uint8_t { None, In, Out };  // None: as what is around it

// Nodes of the AST as ranges of the text: each as marked, and its parts over it.
SlicedModule painted(const core::Module& module, const std::vector<Mark>& marks) {
  const Unit& unit = module.unit();
  const Ast& ast = unit.ast;
  SlicedModule result;
  result.module = &module;
  const std::string_view text = unit.sources().text(*unit.file);
  const uint32_t start = unit.sources().start(*unit.file).index();
  std::vector<bool> is_in(text.size());
  struct Item {
    AstId node;
    bool is_in;
  };
  std::vector<Item> todo;
  for (const AstId form : ast.forms()) {
    if (ast.is(form, NodeKind::Function)) todo.push_back({form, false});
  }
  while (!todo.empty()) {
    const Item item = todo.back();
    todo.pop_back();
    const Mark mark = marks[static_cast<size_t>(item.node)];
    const bool here = mark == Mark::None ? item.is_in : mark == Mark::In;
    ++result.nodes_total;
    if (mark == Mark::In) ++result.nodes_kept;
    const auto span = unit.used_span(item.node);
    if (span && unit.sources().file_of(span->begin) == *unit.file) {
      std::fill(is_in.begin() + (span->begin.index() - start),
                is_in.begin() + (span->end.index() - start), here);
    }
    ast.for_each_child(item.node, [&](AstId child) { todo.push_back({child, here}); });
  }
  for (uint32_t i = 0; i < is_in.size(); ++i) {
    if (!is_in[i]) continue;
    if (result.kept.empty() || result.kept.back().end != i) result.kept.push_back({i, i});
    result.kept.back().end = i + 1;
  }
  return result;
}

}  // namespace

std::vector<SlicedModule> influenced(const Model& model, const Located& from,
                                     const std::optional<Located>& to, Precision precision) {
  std::optional<Slicer> backward;
  if (to) {
    backward.emplace(model, precision);
    start_from(*backward, *to);
    backward->run();
  }
  const Forward forward(model, from, precision);
  std::vector<SlicedModule> result;
  for (const core::Module* module : model.modules()) {
    if (!module->unit().file) continue;
    std::vector<Mark> marks(module->unit().ast.size(), Mark::None);
    bool is_any = false;
    for (uint32_t i = 0; i < model.size(); ++i) {
      const ProcedureId p{i};
      if (model[p].module != module) continue;
      core::for_each_node(*module, model[p].code().body, [&](NodeId n) {
        spend(10);
        const AstId origin = (*module)[n].origin;
        const core::Kind kind = (*module)[n].kind;
        if (!fathom::exists(origin) || kind == core::Kind::Entry || kind == core::Kind::Return)
          return;
        Mark& mark = marks[static_cast<size_t>(origin)];
        if (mark == Mark::In || !exists(model[p].control->point(n))) return;
        const bool is_in = (!backward || backward->is_kept(p, n)) && forward.influences(p, n);
        mark = is_in ? Mark::In : Mark::Out;
        is_any = is_any || is_in;
      });
    }
    if (module == from.module) marks[static_cast<size_t>(from.node)] = Mark::In;
    if (to && module == to->module) marks[static_cast<size_t>(to->node)] = Mark::In;
    if (is_any) result.push_back(painted(*module, marks));
  }
  return result;
}

}  // namespace fathom::slice
