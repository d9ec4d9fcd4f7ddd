// Macros: their definitions, and the expansion of them in the tokens of a form,
// as epp does it.
//
// A definition's body is a range of tokens of the file that defines it; nothing
// is copied. Expansion works on one stack of tokens still to be read. The body of
// a macro without arguments is expanded on its own: an End token below it on the
// stack keeps it from taking arguments that stand after the use. The body of one
// with arguments is read on together with what follows, so it may.
//
// A token of a body gets a place of its own (Unit::expanded): where it was
// written, in which expansion it stands, and the place that OTP gives it: that of
// the macro's name, or, after a parameter, that of the argument's last token.
//
// Cycles are found before expanding, from the uses in the bodies; what grows
// without a cycle is stopped by a budget for each form and one for the module.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/atom.h"
#include "base/diagnostic.h"
#include "syntax/token.h"
#include "syntax/unit.h"

namespace fathom {

struct MacroUse {
  Atom name;
  int arity = -1;
};

// What a -define says, whatever else is defined where it is obeyed.
struct Macro {
  static constexpr int kNoArguments = -1;  // ?M, as opposed to ?M()

  Atom name;
  int arity = kNoArguments;
  std::vector<Atom> parameters;
  std::span<const Token> body;
  Span definition;             // the name in the -define
  std::vector<MacroUse> uses;  // in the body
};

// The macros that a file's -define forms define. Kept with the tokens of a header:
// some headers define thousands of macros and are included by hundreds of modules.
class Definitions {
 public:
  // What the form of that index defines; null if it is no -define or has not been
  // read yet.
  const Macro* find(size_t form) const { return form < by_form_.size() ? by_form_[form] : nullptr; }
  const Macro& add(size_t form, Macro macro) {
    if (form >= by_form_.size()) by_form_.resize(form + 1);
    by_form_[form] = &add(std::move(macro));
    return *by_form_[form];
  }
  const Macro& add(Macro macro) {
    return *macros_.emplace_back(std::make_unique<Macro>(std::move(macro)));
  }

 private:
  // Their addresses are stable. No deque: that takes memory even for a file without
  // macros, and there is one for each path where a header was looked for.
  std::vector<std::unique_ptr<const Macro>> macros_;
  std::vector<const Macro*> by_form_;
};

// What is defined at some place of a module. Refers to macros that others own.
class MacroTable {
 public:
  // Forgets all; keeps the memory.
  void clear();

  // The last definition of a name; follow next().
  int find(Atom name) const;
  // The definition for a use with this many arguments.
  int find(Atom name, int arity) const;
  const Macro& operator[](int index) const { return *at(index).macro; }
  // The definition of the same name with another arity, or -1.
  int next(int index) const { return at(index).next; }

  // The macro must live as long as it is defined.
  void define(const Macro& macro);
  void define(Macro&&) = delete;
  void undefine(Atom name);

  // Whether expanding the definition could come back to a macro that is being
  // expanded. Costs once for each change of the table; adds to `steps` how much.
  std::optional<MacroUse> find_cycle(int index, size_t& steps);

 private:
  struct Entry {
    uint32_t epoch = 0;
    int first = -1;
  };
  struct Defined {
    const Macro* macro;
    int next;
    uint32_t checked = 0;  // the generation when last found free of cycles
    bool on_path = false;  // while looking for cycles
  };
  Defined& at(int index) { return macros_[static_cast<size_t>(index)]; }
  const Defined& at(int index) const { return macros_[static_cast<size_t>(index)]; }

  std::vector<Entry> by_name_;  // indexed by atom id
  std::vector<Defined> macros_;
  uint32_t epoch_ = 1;
  uint32_t generation_ = 1;
};

// What stands in parentheses after a macro's name, as indices of tokens after it.
struct MacroArguments {
  struct Range {
    size_t begin;
    size_t end;
  };
  std::vector<Range> ranges;
  size_t close = 0;  // the closing parenthesis
  bool parenthesized = false;
  bool has_empty = false;  // one between others; who binds them refuses it
  bool bad = false;        // unbalanced, or an argument is empty

  int arity() const {
    return parenthesized ? static_cast<int>(ranges.size()) : Macro::kNoArguments;
  }
};

// What the macros of a module may still cost.
struct MacroBudget {
  static constexpr size_t kTokens = 32'000'000;  // that they expand to
  static constexpr size_t kSteps = 400'000'000;  // of looking for arguments and cycles

  size_t tokens = kTokens;
  size_t steps = 0;  // done
  bool is_used_up() const { return tokens == 0 || steps > kSteps; }
};

// Whether the word `maybe` opens a block that a comma of an argument may stand in.
enum class MaybeBlocks : uint8_t { No, Yes };

// The number of arguments of a use whose name stands before `tokens`; empty if
// they are badly formed. Adds to `steps` how many tokens were looked at.
std::optional<int> count_macro_arguments(std::span<const Token> tokens, MaybeBlocks maybe_blocks,
                                         size_t& steps);

// An error in a macro use; the place is the macro's name.
struct MacroError {
  Token at;
  std::string message;
  bool undefined = false;  // there is no macro of that name
  bool repeated = false;   // the same has been said of another form
};

class MacroExpander {
 public:
  MacroExpander(MacroTable& macros, Unit& unit, Literals& literals, MacroBudget& budget)
      : macros_(macros), unit_(unit), literals_(literals), module_budget_(budget) {}

  // Expands the tokens of a form, full stop included, into `out`, which ends with
  // an End token.
  std::optional<MacroError> expand(std::span<const Token> form, std::vector<Token>& out);
  // From now on `maybe` and `else` are reserved words, or not.
  void enable_maybe(bool enabled, MaybeBlocks blocks) {
    maybe_enabled_ = enabled;
    maybe_blocks_ = blocks;
  }

 private:
  struct FunctionHead {
    Atom name;
    uint32_t arity = 0;
  };

  void run(std::vector<Token>& out);
  void macro_call(const Token& question, std::vector<Token>& out);
  bool special_macro(const Token& question, const Token& name, std::vector<Token>& out);
  void expand_use(const Token& question, const Token& name);
  void collect_arguments();
  void push_body(const Macro& macro, const Token& name, uint32_t expansion);
  Token in_expansion(const Token& t, uint32_t expansion, Loc anchor);
  uint32_t add_expansion(const Token& question, const Token& name, const Token& last,
                         Span definition);
  std::string stringify(MacroArguments::Range argument) const;
  // The i-th token still to be read.
  const Token& next_token(size_t i) const { return todo_[todo_.size() - 1 - i]; }
  const FunctionHead* function_head(const Token& macro_name);
  Loc anchor_of(const Token& t) const {
    return t.loc.is_text() ? t.loc : unit_.expanded[t.loc.index()].anchor;
  }
  void fail(const Token& at, std::string message);
  void fail_too_large(const Token& name);

  MacroTable& macros_;
  Unit& unit_;
  Literals& literals_;
  MacroBudget& module_budget_;
  bool told_ = false;  // that it is used up
  bool maybe_enabled_ = false;
  MaybeBlocks maybe_blocks_ = MaybeBlocks::No;
  std::span<const Token> form_;
  std::vector<Token> todo_;   // the next token is the last element
  MacroArguments arguments_;  // of the use being expanded
  std::vector<Token> body_;
  std::unordered_map<Atom, size_t> parameters_;  // of a macro that has many
  std::optional<FunctionHead> head_;
  bool finding_head_ = false;
  size_t budget_ = 0;  // of tokens for this form
  std::optional<MacroError> error_;
};

}  // namespace fathom
