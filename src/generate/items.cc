#include "generate/items.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/compile.h"
#include "code/instruction_layout.h"
#include "core/places.h"

namespace fathom::generate {

using machine::Export;
using machine::Function;
using machine::Instruction;
using machine::Op;

namespace {

// The functions that the code of a function mentions.
void add_mentioned(machine::Machine& m, const Function& f, const std::set<Atom>& own,
                   std::vector<Function*>& to) {
  for (size_t at = 0; at < f.code.size(); at += machine::instruction_words(&f.code[at])) {
    const Op op = Instruction(f.code[at]).op();
    if (op == Op::Call || op == Op::TailCall || op == Op::Fun) {
      to.push_back(reinterpret_cast<Function*>(f.code[at + 1]));
    } else if (op == Op::CallExport || op == Op::TailCallExport) {
      auto* target = reinterpret_cast<Export*>(f.code[at + 1]);
      if (own.contains(target->module) && !target->native && m.resolve(target) &&
          target->function) {
        to.push_back(target->function);
      }
    }
  }
}

}  // namespace

Items::Items(machine::Machine& m, session::Session&, Function& function,
             const std::set<Atom>& own) {
  std::vector<Function*> open = {&function};
  std::set<Function*> seen = {&function};
  while (!open.empty()) {
    Function* f = open.back();
    open.pop_back();
    if (!own.contains(f->module)) continue;
    if (!f->entry && !machine::compile(*f, m.code())) continue;
    uint32_t number = 0;
    const core::Module& module = *f->owner->core;
    for (size_t at = 0; at < f->code.size(); at += machine::instruction_words(&f->code[at])) {
      if (Instruction(f->code[at]).op() != Op::Reach) continue;
      const auto node = static_cast<uint32_t>(f->code[at + 1]);
      if (!by_node_.emplace(node, 0).second) continue;
      items_.push_back(
          {Item::Kind::Clause, node, core::place_of(module, core::NodeId{node - module.base()}),
           fmt::format("{}:{}/{}", f->module.text(), f->name.text(), f->arity - f->captures),
           ++number});
    }
    std::vector<Function*> mentioned;
    add_mentioned(m, *f, own, mentioned);
    for (Function* next : mentioned) {
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  std::ranges::sort(items_, {}, &Item::node);
  for (uint32_t i = 0; i < items_.size(); ++i) by_node_[items_[i].node] = i;
}

std::vector<uint32_t> Items::covered(std::span<const uint32_t> clauses) const {
  std::vector<uint32_t> result = path(clauses);
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::vector<uint32_t> Items::path(std::span<const uint32_t> clauses) const {
  std::vector<uint32_t> result;
  for (const uint32_t node : clauses) {
    const auto it = by_node_.find(node);
    if (it != by_node_.end()) result.push_back(it->second);
  }
  return result;
}

}  // namespace fathom::generate
