#include "lint/lint_scope.h"

#include <algorithm>

namespace fathom::lint {
namespace {

bool by_name(const Change& a, const Change& b) { return a.name < b.name; }

// Of two parts that change a variable, which one counts.
bool overrides(const Variable& a, const Variable& b) {
  return !b.is_unsafe() && (a.is_unsafe() || a.state == State::Exported);
}

}  // namespace

void Scope::set(Atom name, Variable variable) {
  if (name.id() >= table_.size()) table_.resize(std::max<size_t>(name.id() + 1, atom_count()));
  Variable& entry = table_[name.id()];
  trail_.push_back({name, entry});
  entry = variable;
}

void Scope::undo(Mark mark) {
  while (trail_.size() > static_cast<size_t>(mark)) {
    table_[trail_.back().name.id()] = trail_.back().before;
    trail_.pop_back();
  }
}

Changes Scope::since(Mark mark) const {
  Changes changes;
  for (auto entry = trail_.begin() + static_cast<ptrdiff_t>(mark); entry != trail_.end(); ++entry) {
    changes.push_back({entry->name, entry->before, (*this)[entry->name]});
  }
  if (changes.size() > 1) {
    std::ranges::stable_sort(changes, by_name);  // the oldest entry of a name stays first
    const auto same = [](const Change& a, const Change& b) { return a.name == b.name; };
    changes.erase(std::unique(changes.begin(), changes.end(), same), changes.end());
  }
  return changes;
}

void Scope::apply(const Changes& changes) {
  for (const Change& change : changes) set(change.name, change.now);
}

void Scope::add_part(const Changes& part) {
  for (const Change& change : part) {
    const Variable& known = (*this)[change.name];
    const bool is_changed = known.state != change.before.state;
    if (!is_changed || overrides(change.now, known)) set(change.name, change.now);
  }
}

void Scope::make_unsafe(Mark since_mark, NodeId construct) {
  for (const Change& change : since(since_mark)) {
    if (change.before.is_known()) continue;
    set(change.name, {State::Unsafe, construct, change.now.bound_at});
  }
}

void Scope::keep_unsafe(const Changes& changes) {
  for (const Change& change : changes) {
    if (change.now.is_unsafe() && !(*this)[change.name].is_unsafe()) set(change.name, change.now);
  }
}

std::vector<Atom> Scope::names() const {
  std::vector<Atom> names;
  for (const Entry& entry : trail_) {
    if ((*this)[entry.name].is_known()) names.push_back(entry.name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Changes merge_parts(Changes parts) {
  if (parts.size() < 2) return parts;
  std::ranges::stable_sort(parts, by_name);
  size_t last = 0;
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].name != parts[last].name) {
      parts[++last] = parts[i];
    } else if (overrides(parts[i].now, parts[last].now)) {
      parts[last].now = parts[i].now;
    }
  }
  parts.resize(last + 1);
  return parts;
}

Changes merge_branches(std::span<const Changes> branches, NodeId construct) {
  Changes all;
  for (const Changes& branch : branches) all.insert(all.end(), branch.begin(), branch.end());
  std::ranges::stable_sort(all, by_name);
  Changes merged;
  for (size_t i = 0; i < all.size();) {
    const Change& first = all[i];
    size_t end = i;
    std::optional<Variable> unsafe;
    for (; end < all.size() && all[end].name == first.name; ++end) {
      if (!all[end].now.is_unsafe()) continue;
      unsafe = unsafe ? Variable{State::Unsafe, construct, unsafe->bound_at} : all[end].now;
    }
    const NodeId bound_at = first.now.bound_at;
    Variable now{State::Exported, kNoNode, bound_at};
    if (first.before.is_known()) {
      now.state = State::Bound;
    } else if (end - i < branches.size()) {
      now = {State::Unsafe, construct, bound_at};
    } else if (unsafe) {
      now = *unsafe;
    }
    merged.push_back({first.name, first.before, now});
    i = end;
  }
  return merged;
}

}  // namespace fathom::lint
