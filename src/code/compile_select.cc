// Which clause of a case: found by a table, where one look at one variable tells most
// of them apart.
//
// A pattern is a sequence of tests that have no effects, so any of them may come first.
// The key of a clause is such a test on a variable from outside: it is a certain
// immediate, a tuple of a certain size with a certain atom in front (a record), a list
// with a certain head. From the first clause on that has a key, the variable is chosen
// for which most clauses have one, and a Select jumps to the first clause that the
// value can match: one with its key, or one without any. A clause whose other tests fail
// goes on to the next one that the same value can match. A clause without a key that
// fails goes on to the next one, which makes its test then.
//
// Each clause is compiled once. Tests that are known to hold are left out (`holds_`).
// O(number of pattern nodes) for a case.
#include <algorithm>
#include <bit>
#include <unordered_map>
#include <unordered_set>

#include "code/function_compiler.h"
#include "core/walk.h"

namespace fathom::machine {

using core::exists;

namespace {

// How many instructions it takes to make the test.
uint32_t cost_of(Op op) {
  if (op == Op::SelectTag) return 3;
  return op == Op::SelectHead ? 2 : 1;
}
// A table is worth it from here on.
constexpr uint32_t kLeastCost = 4;

constexpr uint64_t kTagMask = (uint64_t{1} << 40) - 1;

}  // namespace

std::vector<FunctionCompiler::Key> FunctionCompiler::keys_of(NodeId clause) {
  std::vector<Key> keys;
  std::unordered_set<VarId> inside;            // defined by the pattern itself
  std::unordered_map<VarId, NodeId> first_of;  // first elements and heads, of which node
  for (const NodeId id : module_.nodes(module_.get<core::node::Clause>(clause).patterns)) {
    for_each_definition(module_, id, [&](VarId v) { inside.insert(v); });
    if (module_[id].kind == Kind::MatchCons) {
      first_of.emplace(module_.get<core::node::MatchCons>(id).head, id);
    } else if (module_[id].kind == Kind::MatchTuple) {
      const auto elements = module_.vars(module_.get<core::node::MatchTuple>(id).elements);
      if (!elements.empty()) first_of.emplace(elements[0], id);
    }
    if (module_[id].kind != Kind::MatchLiteral) continue;
    const auto m = module_.get<core::node::MatchLiteral>(id);
    const VarId subject = liveness_.same_as[static_cast<size_t>(m.subject)];
    const Value value = table_.literal(owner_, m.value);
    if (!value.is_immediate()) continue;
    if (!inside.contains(subject)) {
      keys.push_back({Op::Select, subject, value.raw(), {id}, 1});
      continue;
    }
    const auto part = first_of.find(subject);
    if (part == first_of.end()) continue;
    const NodeId whole = part->second;
    const VarId from = liveness_.same_as[module_.slot(whole, 0)];  // its subject
    if (inside.contains(from)) continue;
    if (module_[whole].kind == Kind::MatchCons) {
      keys.push_back({Op::SelectHead, from, value.raw(), {id}, 1});
    } else if (value.is_atom()) {
      const size_t arity = module_.vars(module_.get<core::node::MatchTuple>(whole).elements).size();
      keys.push_back({Op::SelectTag, from, tag_word(arity, value), {whole, id}, 2});
    }
  }
  return keys;
}

// The variable for which most clauses have keys, if the first one has and it is worth it.
FunctionCompiler::VarId FunctionCompiler::best_subject(std::span<const std::vector<Key>> clauses) {
  VarId best = core::kNoVar;
  size_t most = 0;
  for (const Key& first : clauses[0]) {
    size_t count = 0;
    uint32_t cost = 0;
    std::vector<uint64_t> words;
    for (const std::vector<Key>& keys : clauses) {
      const auto key = std::find_if(keys.begin(), keys.end(),
                                    [&](const Key& k) { return k.subject == first.subject; });
      if (key == keys.end()) continue;
      ++count;
      // Neighbours with the same key share what it costs.
      if (words.empty() || words.back() != key->word) cost += cost_of(key->op);
      words.push_back(key->word);
    }
    const bool differ =
        std::any_of(words.begin(), words.end(), [&](uint64_t word) { return word != words[0]; });
    if (count > most && differ && cost >= kLeastCost) {
      most = count;
      best = first.subject;
    }
  }
  return best;
}

void FunctionCompiler::case_node(NodeId id, Destination to) {
  const auto c = module_.get<core::node::Case>(id);
  std::span<const NodeId> clauses = module_.nodes(c.clauses);
  std::vector<std::vector<Key>> keys;
  keys.reserve(clauses.size());
  // In labelled code each match is made: it may be seen.
  const bool selects = clauses.size() > 1 && !table_.mode().labels;
  if (selects) {
    for (const NodeId clause_id : clauses) keys.push_back(keys_of(clause_id));
  }
  Label end;
  for (size_t i = 0; i < clauses.size(); ++i) {
    Label next;
    const size_t left = clauses.size() - i;
    const VarId subject =
        selects && left > 1 ? best_subject(std::span(keys).subspan(i)) : core::kNoVar;
    if (exists(subject)) {
      std::vector<std::optional<Key>> chosen(left);
      for (size_t j = 0; j < left; ++j) {
        const std::vector<Key>& all = keys[i + j];
        const auto key = std::find_if(all.begin(), all.end(),
                                      [&](const Key& k) { return k.subject == subject; });
        if (key != all.end()) chosen[j] = *key;
      }
      select_clauses(clauses.subspan(i), chosen, to, next, end);
      place(next);
      break;
    }
    clause(clauses[i], to, next, end);
    place(next);
  }
  if (exists(c.otherwise)) region(c.otherwise, to);
  place(end);
}

void FunctionCompiler::select_clauses(std::span<const NodeId> clauses,
                                      std::span<const std::optional<Key>> keys, Destination to,
                                      Label& none, Label& end) {
  const size_t count = clauses.size();
  std::vector<Label> tested(count);    // with its key still to be tested, or without one
  std::vector<Label> selected(count);  // the key is known to match
  // For each clause where its value may match next: `count` is nowhere.
  std::vector<Label*> next(count, &none);
  struct Entry {
    const Key* key;
    size_t clause;
  };
  std::unordered_map<uint64_t, Entry> found[3];  // by kind of key and word
  const auto table_of = [&](const Key& key) -> auto& {
    return found[static_cast<size_t>(key.op) - static_cast<size_t>(Op::Select)];
  };
  size_t without = count;  // the next clause without a key
  const auto first_of = [&](size_t clause) {
    if (clause < without) return &selected[clause];
    return without < count ? &tested[without] : &none;
  };
  for (size_t i = count; i-- > 0;) {
    if (!keys[i]) {
      without = i;
      continue;
    }
    auto& table = table_of(*keys[i]);
    const auto it = table.find(keys[i]->word);
    next[i] = first_of(it == table.end() ? count : it->second.clause);
    table[keys[i]->word] = {&*keys[i], i};
  }
  for (const auto& table : found) {
    if (table.empty()) continue;
    std::vector<std::pair<uint64_t, Label*>> entries;
    entries.reserve(table.size());
    for (const auto& [word, entry] : table) entries.emplace_back(word, first_of(entry.clause));
    std::sort(entries.begin(), entries.end());
    const Key& key = *table.begin()->second.key;
    emit_select(key.op, key.subject, entries, *first_of(count));
  }
  emit_jump(*first_of(count));

  for (size_t i = 0; i < count; ++i) {
    Label& following = i + 1 < count ? tested[i + 1] : none;
    if (!keys[i]) {
      if (tested[i].jumps.empty()) continue;
      place(tested[i]);
      clause(clauses[i], to, following, end);
      continue;
    }
    if (tested[i].jumps.empty() && selected[i].jumps.empty()) continue;
    if (!tested[i].jumps.empty()) {
      place(tested[i]);
      emit_key_test(*keys[i], following);
    }
    place(selected[i]);
    holds_ = std::span(keys[i]->tests, keys[i]->test_count);
    clause(clauses[i], to, *next[i], end);
  }
}

void FunctionCompiler::emit_select(Op op, VarId subject,
                                   std::span<const std::pair<uint64_t, Label*>> entries,
                                   Label& none) {
  const auto bits = static_cast<uint32_t>(std::bit_width(2 * entries.size() - 1));
  const size_t size = size_t{1} << bits;
  std::vector<const std::pair<uint64_t, Label*>*> table(size);
  for (const auto& entry : entries) {
    size_t slot = select_slot(entry.first, bits);
    while (table[slot % size]) ++slot;
    table[slot % size] = &entry;
  }
  const uint16_t r = reg(subject);
  const uint32_t at = emit(op, 0, r, bits);
  emit_fail(at, NodeId{0}, &none);
  for (const auto* entry : table) {
    emit_word(entry ? entry->first : Value::none().raw());
    emit_fail(at, NodeId{0}, entry ? entry->second : nullptr);
  }
  release_scratch();
}

void FunctionCompiler::emit_key_test(const Key& key, Label& fail) {
  const NodeId node = key.tests[0];
  const Source source(*this, node);
  uint16_t r = reg(key.subject);
  uint64_t word = key.word;
  if (key.op == Op::SelectTag) {
    const uint16_t first = scratch();
    emit_fail(emit(Op::UnlessTuple, 0, r, static_cast<uint32_t>(word >> 40)), node, &fail);
    emit(Op::Element, first, r, 0);
    r = first;
    word &= kTagMask;
  } else if (key.op == Op::SelectHead) {
    const uint16_t head = scratch();
    emit_fail(emit(Op::Uncons, head, r, scratch()), node, &fail);
    r = head;
  }
  const uint32_t at = emit(Op::UnlessIs, 0, r);
  emit_word(word);
  emit_fail(at, node, &fail);
  release_scratch();
}

}  // namespace fathom::machine
