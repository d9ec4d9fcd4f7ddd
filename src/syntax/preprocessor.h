// The preprocessor: files to forms. It walks the forms of a file, obeys the
// directives among them, expands macros in the others and hands those to the
// parser; included files are walked in place. The forms come out as epp gives
// them, with a -file attribute wherever the file changes.
//
// The tokens of a header are lexed once in a run and shared (TokenCache), and so
// are the macros that its -define forms amount to; which of its forms count is
// decided anew at each inclusion.
#pragma once

#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/macros.h"
#include "syntax/parser.h"
#include "syntax/reader.h"
#include "syntax/token.h"
#include "syntax/unit.h"

namespace fathom {

// Files by path: their tokens, or why they cannot be read.
class TokenCache {
 public:
  TokenCache(SourceMap& sources, Literals& literals) : sources_(sources), literals_(literals) {}

  struct Entry {
    bool exists = false;
    std::string error;  // exists, but cannot be read
    std::unique_ptr<TokenBuffer> tokens;
    Definitions definitions = {};
  };
  // Opens a header; looks for each path once.
  Entry& open(const std::string& path);
  // The path of a header in the first of the directories that has it, "" if none
  // has. Remembers the answers for as long as the directories stay the same.
  const std::string& find(const std::string& name, const std::vector<std::string>& directories);
  void set_source(HeaderSource source) { source_ = std::move(source); }

 private:
  std::optional<FileId> load(const std::string& path, Entry& entry);

  SourceMap& sources_;
  Literals& literals_;
  HeaderSource source_;  // none: the file system
  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::string> directories_;
  std::unordered_map<std::string, std::string> found_;  // in directories_
};

// The definitions that every module starts with.
struct Prelude {
  TokenBuffer common;
  TokenBuffer maybe_enabled;
  TokenBuffer maybe_disabled;
};

class Preprocessor {
 public:
  Preprocessor(TokenCache& cache, MacroTable& macros, Literals& literals, Unit& unit,
               const ReadOptions& options, const Prelude& prelude, Diagnostics& diagnostics);

  // Reads the main file into the unit's tree.
  void run(const TokenBuffer& main, const std::string& name);
  // Defines the macros of a buffer that holds nothing but -define forms. Those that
  // no -define of a module may define can be `predefined` only.
  void define_all(const TokenBuffer& definitions, bool predefined);

 private:
  // What the present branch of a conditional starts with; Elif is one that is
  // skipped because a branch before it was taken.
  enum class Branch : uint8_t { If, Elif, Else };
  // An -ifdef or the like that has not seen its -endif.
  struct Conditional {
    const Token* opener;
    Branch branch = Branch::If;
    bool skipping = false;  // the forms of the present branch do not count
    bool taken = false;     // some branch was not skipped
  };
  struct File {
    const TokenBuffer* buffer;
    Definitions* definitions;
    std::string name;        // as opened
    std::string shown_name;  // as changed by -file
    std::string directory;
    Span included_at;  // the name in the -include; none for the main file
    Diagnostics::Mark errors_before;
    std::vector<Conditional> conditionals = {};
    int64_t line_shift = 0;
    bool skipping() const { return !conditionals.empty() && conditionals.back().skipping; }
  };
  using Form = std::span<const Token>;  // with the full stop

  void read(File& file);
  void form(const TokenForm& form, size_t index);
  bool directive(Form tokens, const TokenForm& form, size_t index);
  void ordinary_form(const TokenForm& form, Form tokens);
  void note_module(const Token* tokens);

  // --- conditionals (conditionals.cc)
  bool conditional(Form tokens);
  bool is_outermost_skipped() const;
  void take_branch(const Token& word);
  void report_unclosed(const File& file);
  void bad_directive(Form tokens, std::initializer_list<TokenKind> pattern, std::string_view form);
  void open_conditional(Form tokens, Atom word);
  void elif_branch(Form tokens);
  void else_branch(Form tokens);
  void end_conditional(Form tokens);
  bool macro_condition(Form tokens, Atom word);
  bool expression_condition(Form tokens);

  // --- directives (directives.cc)
  void define_directive(Form tokens, size_t index);
  bool read_definition(Form tokens, Macro& macro);
  bool may_define(const Macro& macro);
  void undef_directive(Form tokens);
  void include_directive(Form tokens, const TokenForm& form, bool library);
  void message_directive(Form tokens, bool error);
  bool is_constant(Form tokens);
  void file_directive(Form tokens, const TokenForm& form);
  void feature_directive(Form tokens);
  bool parameters(Form tokens, size_t* at, Macro& macro);
  bool note_uses(Macro& macro);
  std::string find_include(const std::string& name, bool library);
  void enter(const std::string& path, TokenCache::Entry& header, const TokenForm& form, Span at);
  bool may_include(Span at);
  std::optional<size_t> included_again() const;
  void set_macro(Atom name, Token value);
  void define_features();
  MaybeBlocks maybe_blocks() const;

  bool is_defined(Atom name) const;
  // The form's tokens with macros expanded; null after an error.
  const Token* expanded(Form tokens);
  void add_file_attribute(Loc anchor, const std::string& name, uint32_t line, bool generated);
  void error(const Token& at, std::string message);
  // `anchor` is the place that OTP gives the error, if it is not the span's begin.
  void error(Span span, std::string message, Loc anchor = {});
  Span span_of(const Token& at) const;
  Loc anchor_of(const Token& at) const;
  void add_error_form(Span span, std::string message, Loc anchor = {});
  File& file() { return *files_.back(); }

  TokenCache& cache_;
  MacroTable& macros_;
  Literals& literals_;
  Unit& unit_;
  const ReadOptions& options_;
  const Prelude& prelude_;
  Diagnostics& diagnostics_;
  Parser parser_;
  MacroBudget macro_budget_;
  MacroExpander expander_;
  std::vector<File*> files_;
  std::vector<Token> expanded_;
  Definitions definitions_;   // of the main file, and of what is defined without a file
  std::deque<Token> values_;  // bodies of the macros whose value changes while reading
  bool maybe_enabled_ = false;
  bool in_prefix_ = true;
  std::optional<size_t> leave_to_;  // the files above this many are left at once
  bool may_include_ = true;         // no budget is used up
  size_t included_bytes_ = 0;
  Span missing_include_;         // the first header that could not be found
  size_t hidden_undefined_ = 0;  // undefined macros since then, which are its fault
};

}  // namespace fathom
