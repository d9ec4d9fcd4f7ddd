#include "flow/effects.h"

#include <fmt/format.h>

#include <charconv>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace fathom::flow {
namespace {

struct OpSchema {
  std::string_view word;
  size_t least;
  size_t most;
};
constexpr OpSchema kOps[] = {
#define OP(Id, Word, Least, Most) {Word, Least, Most},
#include "flow/effect_ops.def"
#undef OP
};

constexpr EffectRow kRows[] = {
#define EFFECT(Module, Name, Arity, Text) {Module, Name, Arity, Text},
#include "flow/effects.def"
#undef EFFECT
};

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

class EffectParser {
 public:
  explicit EffectParser(std::string_view text) : text_(text) {}

  Result<Effect> parse() {
    Effect effect;
    while (!failed_ && !at_end()) {
      if (accept('=')) {
        effect.result.push_back(union_of());
      } else {
        effect.actions.push_back(primary());
      }
      if (!at_end() && !accept(';')) fail();
    }
    if (failed_) {
      return Error{fmt::format("cannot be read from here on: {}", text_.substr(failed_at_))};
    }
    return effect;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void fail() {
    if (!failed_) failed_at_ = at_;
    failed_ = true;
    at_ = text_.size();
  }

  EffectTerm union_of() {
    EffectTerm first = primary();
    if (!accept('|')) return first;
    EffectTerm both{.op = EffectOp::Union};
    both.operands.push_back(std::move(first));
    do {
      both.operands.push_back(primary());
    } while (accept('|'));
    return both;
  }

  std::vector<EffectTerm> operands(char close) {
    std::vector<EffectTerm> all;
    if (accept(close)) return all;
    do {
      all.push_back(union_of());
    } while (accept(','));
    if (!accept(close)) fail();
    return all;
  }

  int64_t number() {
    int64_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail();
    if (!failed_) at_ = static_cast<size_t>(end - text_.data());
    return value;
  }

  EffectTerm primary() {
    if (accept('$')) return {.op = EffectOp::Argument, .number = number()};
    if (accept('{')) return {.op = EffectOp::Tuple, .operands = operands('}')};
    if (accept('\'')) {
      const size_t end = text_.find('\'', at_);
      if (end == std::string_view::npos) return fail(), EffectTerm{};
      const Atom atom = Atom::intern(text_.substr(at_, end - at_));
      at_ = end + 1;
      return {.op = EffectOp::Literal, .atom = atom};
    }
    skip_blanks();
    if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      return {.op = EffectOp::Number, .number = number()};
    }
    return word();
  }

  EffectTerm word() {
    size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    for (size_t i = 0; i < std::size(kOps); ++i) {
      if (name.empty() || kOps[i].word != name) continue;
      at_ = end;
      EffectTerm term{.op = static_cast<EffectOp>(i)};
      if (accept('(')) term.operands = operands(')');
      if (term.operands.size() < kOps[i].least || term.operands.size() > kOps[i].most) fail();
      return term;
    }
    fail();
    return {};
  }

  std::string_view text_;
  size_t at_ = 0;
  bool failed_ = false;
  size_t failed_at_ = 0;
};

struct Key {
  uint64_t names;
  uint32_t arity;
  bool operator==(const Key&) const = default;
};
struct KeyHash {
  size_t operator()(const Key& key) const { return key.names * 0x9E3779B97F4A7C15u + key.arity; }
};

// Rows by name, and what was parsed of them so far.
class EffectTable {
 public:
  EffectTable() {
    for (const EffectRow& row : kRows) {
      rows_.emplace(key(Atom::intern(row.module), Atom::intern(row.name), row.arity),
                    Entry{&row, {}});
    }
  }
  const Effect* find(Atom module, Atom name, uint32_t arity) {
    const auto at = rows_.find(key(module, name, arity));
    if (at == rows_.end()) return nullptr;
    const std::lock_guard lock(mutex_);
    if (!at->second.effect) {
      auto effect = parse_effect(at->second.row->text);
      // A row that cannot be read is found by the test of the table; here it would be as if the
      // function were not there.
      at->second.effect = effect ? std::make_unique<Effect>(std::move(*effect)) : nullptr;
    }
    return at->second.effect.get();
  }

 private:
  struct Entry {
    const EffectRow* row;
    std::unique_ptr<Effect> effect;
  };
  static Key key(Atom module, Atom name, uint32_t arity) {
    return {uint64_t{module.id()} << 32 | name.id(), arity};
  }
  std::unordered_map<Key, Entry, KeyHash> rows_;
  std::mutex mutex_;
};

}  // namespace

Result<Effect> parse_effect(std::string_view text) { return EffectParser(text).parse(); }

std::vector<EffectRow> effect_rows() { return {std::begin(kRows), std::end(kRows)}; }

const Effect* effect_of(Atom module, Atom name, uint32_t arity) {
  static EffectTable table;
  return table.find(module, name, arity);
}

bool is_native(Atom module) {
  static const std::unordered_set<Atom> modules = {
      Atom::intern("atomics"), Atom::intern("binary"),         Atom::intern("erlang"),
      Atom::intern("ets"),     Atom::intern("math"),           Atom::intern("os"),
      Atom::intern("maps"),    Atom::intern("persistent_term")};
  return modules.contains(module);
}

}  // namespace fathom::flow
