#include "generate/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

// Whether it calls a native function that others, or a later call, can see the effect of.
bool calls_event(const uint64_t* pc) {
  switch (Instruction(*pc).op()) {
    case Op::CallExport:
    case Op::TailCallExport:
    case Op::Native1:
    case Op::Native2:
    case Op::NativeN:
      return reinterpret_cast<const Export*>(pc[1])->event != machine::EventKind::None;
    default:
      return false;
  }
}

// "m:f/1"; of what the compiler has made of a part of it: "a list comprehension of m:f/1". Such a
// part is named -f/1-lc$^0/1-0-.
std::string readable_name(const Function& f) {
  const std::string_view name = f.name.text();
  std::string own = fmt::format("{}:{}/{}", f.module.text(), name, f.arity - f.captures);
  const size_t slash = name.find('/');
  const size_t dash = slash == name.npos ? name.npos : name.find('-', slash);
  if (!name.starts_with('-') || dash == name.npos) return own;
  const std::string_view what = name.substr(dash + 1);
  const char* kind = what.starts_with("lc$")      ? "a list comprehension"
                     : what.starts_with("blc$")   ? "a list comprehension"
                     : what.starts_with("lbc$")   ? "a binary comprehension"
                     : what.starts_with("fun-")   ? "a fun"
                     : what.starts_with("after$") ? "the after part"
                                                  : "a part";
  return fmt::format("{} of {}:{}", kind, f.module.text(), name.substr(1, dash - 1));
}

// Whether a clause takes every cell of the variable: its pattern is [X | T]. None: it does not.
std::optional<core::VarId> taken_cells(const core::Module& module, core::NodeId clause) {
  const auto view = module.get<core::node::Clause>(clause);
  const auto nodes = module.nodes(view.patterns);
  if (nodes.empty() || module[nodes[0]].kind != core::Kind::MatchCons) return std::nullopt;
  const bool is_free = std::ranges::all_of(
      nodes.subspan(1), [&](core::NodeId node) { return module[node].kind == core::Kind::Bind; });
  if (!is_free || !module.regions(view.guards).empty()) return std::nullopt;
  return module.get<core::node::MatchCons>(nodes[0]).subject;
}

bool wants_cell(const core::Module& module, core::NodeId clause, core::VarId subject) {
  const auto nodes = module.nodes(module.get<core::node::Clause>(clause).patterns);
  return !nodes.empty() && module[nodes[0]].kind == core::Kind::MatchCons &&
         module.get<core::node::MatchCons>(nodes[0]).subject == subject;
}

// Clauses that can never be chosen, since one before them takes all: that of a comprehension which
// skips what does not match, if the pattern is a variable.
std::set<core::NodeId> dead_clauses(const core::Module& module) {
  std::set<core::NodeId> result;
  for (uint32_t i = 0; i < module.size(); ++i) {
    const core::NodeId node{i};
    if (module[node].kind != core::Kind::Case) continue;
    std::optional<core::VarId> taken;
    for (const core::NodeId clause : module.nodes(module.get<core::node::Case>(node).clauses)) {
      if (taken && wants_cell(module, clause, *taken)) {
        result.insert(clause);
      } else if (!taken) {
        taken = taken_cells(module, clause);
      }
    }
  }
  return result;
}

}  // namespace

Items::Items(machine::Machine& m, session::Session&, Function& function,
             const std::set<Atom>& own) {
  std::vector<Function*> open = {&function};
  std::map<uint32_t, Name> owners;
  std::map<const core::Module*, std::set<core::NodeId>> dead;
  std::set<Function*> seen = {&function};
  while (!open.empty()) {
    Function* f = open.back();
    open.pop_back();
    if (!own.contains(f->module)) continue;
    if (!f->entry && !machine::compile(*f, m.code())) continue;
    uint32_t number = 0;
    const core::Module& module = *f->owner->core;
    if (!dead.contains(&module)) dead[&module] = dead_clauses(module);
    const std::set<core::NodeId>& dead_here = dead[&module];
    for (size_t at = 0; at < f->code.size(); at += machine::instruction_words(&f->code[at])) {
      const Op op = Instruction(f->code[at]).op();
      if (op == Op::ReceiveStart) has_receive_ = true;
      if (op == Op::ReceiveStart || calls_event(&f->code[at])) has_effects_ = true;
      if (op != Op::Reach) continue;
      const auto node = static_cast<uint32_t>(f->code[at + 1]);
      if (dead_here.contains(core::NodeId{node - module.base()})) continue;
      if (!by_node_.emplace(node, 0).second) continue;
      owners.emplace(node, name_of(*f));
      items_.push_back({Item::Kind::Clause, node,
                        core::place_of(module, core::NodeId{node - module.base()}),
                        readable_name(*f), ++number});
    }
    std::vector<Function*> mentioned;
    add_mentioned(m, *f, own, mentioned);
    for (Function* next : mentioned) {
      neighbours_[name_of(*f)].push_back(name_of(*next));
      neighbours_[name_of(*next)].push_back(name_of(*f));
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  std::ranges::sort(items_, {}, &Item::node);
  for (uint32_t i = 0; i < items_.size(); ++i) {
    by_node_[items_[i].node] = i;
    owners_.push_back(owners.at(items_[i].node));
  }
}

void Items::find_distances(const std::set<uint32_t>& covered) {
  distances_.clear();
  std::vector<Name> open;
  for (uint32_t i = 0; i < owners_.size(); ++i) {
    if (!covered.contains(i) && distances_.emplace(owners_[i], 0).second)
      open.push_back(owners_[i]);
  }
  for (size_t i = 0; i < open.size(); ++i) {
    const int next = distances_[open[i]] + 1;
    for (const Name& name : neighbours_[open[i]]) {
      if (distances_.emplace(name, next).second) open.push_back(name);
    }
  }
  covered_then_ = covered.size();
}

int Items::distance(const Function& function, const std::set<uint32_t>& covered) {
  if (covered_then_ != covered.size()) find_distances(covered);
  const auto at = distances_.find(name_of(function));
  return at == distances_.end() ? 0 : at->second;
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
