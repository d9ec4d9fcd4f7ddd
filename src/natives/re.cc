// re: compile, run, inspect. What is global, and what goes through lists of
// characters, is done in Erlang (re:grun/3, urun/3, ucompile/2), as in OTP.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/budget.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "natives/re_pattern.h"
#include "values/arithmetic.h"
#include "values/lists.h"

namespace fathom::machine::re_natives {
namespace {

Atom re_module() {
  static const Atom re = Atom::intern("re");
  return re;
}

Atom pattern_tag() {
  static const Atom re_pattern = Atom::intern("re_pattern");
  return re_pattern;
}

// ---- Options ----------------------------------------------------------------

enum class Kind : uint8_t {
  Compile,  // only where a pattern is compiled
  Match,    // only where it is matched
  Both,
};

struct Flag {
  Atom name;
  Kind kind;
  uint32_t compile;
  uint32_t match;
};

const std::vector<Flag>& flags() {
  const auto a = [](std::string_view text) { return Atom::intern(text); };
  static const std::vector<Flag> all = {
      {a("unicode"), Kind::Compile, PCRE2_UTF, 0},
      {a("anchored"), Kind::Both, PCRE2_ANCHORED, PCRE2_ANCHORED},
      {a("caseless"), Kind::Compile, PCRE2_CASELESS, 0},
      {a("dollar_endonly"), Kind::Compile, PCRE2_DOLLAR_ENDONLY, 0},
      {a("dotall"), Kind::Compile, PCRE2_DOTALL, 0},
      {a("extended"), Kind::Compile, PCRE2_EXTENDED, 0},
      {a("firstline"), Kind::Compile, PCRE2_FIRSTLINE, 0},
      {a("multiline"), Kind::Compile, PCRE2_MULTILINE, 0},
      {a("no_auto_capture"), Kind::Compile, PCRE2_NO_AUTO_CAPTURE, 0},
      {a("dupnames"), Kind::Compile, PCRE2_DUPNAMES, 0},
      {a("ungreedy"), Kind::Compile, PCRE2_UNGREEDY, 0},
      {a("no_start_optimize"), Kind::Compile, PCRE2_NO_START_OPTIMIZE, 0},
      {a("never_utf"), Kind::Compile, PCRE2_NEVER_UTF, 0},
      {a("ucp"), Kind::Compile, PCRE2_UCP, 0},
      {a("notbol"), Kind::Match, 0, PCRE2_NOTBOL},
      {a("noteol"), Kind::Match, 0, PCRE2_NOTEOL},
      {a("notempty"), Kind::Match, 0, PCRE2_NOTEMPTY},
      {a("notempty_atstart"), Kind::Match, 0, PCRE2_NOTEMPTY_ATSTART},
  };
  return all;
}

enum class Capture : uint8_t { Index, List, Binary };

struct Options {
  uint32_t compile = 0;
  uint32_t match = 0;
  uint32_t newline = 0;
  uint32_t bsr = 0;
  bool has_compile = false;  // one that is for compiling only
  bool has_match = false;
  bool global = false;
  bool report_errors = false;
  uint64_t offset = 0;
  bool has_bad_capture = false;  // the last one, which OTP looks at after all else
  bool has_both_bsr = false;
  std::optional<uint32_t> match_limit;
  std::optional<uint32_t> depth_limit;
  Value captured = Value::none();  // which: an atom or a list
  Capture type = Capture::Index;

  bool unicode() const { return (compile & PCRE2_UTF) != 0; }

  bool parse(Value list) {
    for (; list.is_cons(); list = list.tail()) {
      const Value option = list.head();
      if (option.is_atom() ? !parse_atom(option.atom()) : !parse_tuple(option)) return false;
    }
    return list.is_nil();
  }

 private:
  bool parse_atom(Atom name) {
    static const Atom bsr_anycrlf = Atom::intern("bsr_anycrlf");
    static const Atom bsr_unicode = Atom::intern("bsr_unicode");
    static const Atom global_name = Atom::intern("global");
    static const Atom report_errors_name = Atom::intern("report_errors");
    for (const Flag& flag : flags()) {
      if (flag.name != name) continue;
      compile |= flag.compile;
      match |= flag.match;
      has_compile |= flag.kind == Kind::Compile;
      has_match |= flag.kind == Kind::Match;
      return true;
    }
    if (name == bsr_anycrlf || name == bsr_unicode) {
      const uint32_t wanted = name == bsr_anycrlf ? PCRE2_BSR_ANYCRLF : PCRE2_BSR_UNICODE;
      has_both_bsr |= bsr != 0 && bsr != wanted;
      bsr = wanted;
      return true;
    }
    if (name != global_name && name != report_errors_name) return false;
    (name == global_name ? global : report_errors) = true;
    has_match = true;
    return true;
  }

  bool parse_tuple(Value option) {
    static const Atom newline_name = Atom::intern("newline");
    static const Atom capture = Atom::intern("capture");
    static const Atom offset_name = Atom::intern("offset");
    static const Atom match_limit_name = Atom::intern("match_limit");
    static const Atom match_limit_recursion = Atom::intern("match_limit_recursion");
    if (!option.is_tuple(2) && !option.is_tuple(3)) return false;
    const Value key = option.element(0);
    if (key.is_atom(newline_name) && option.is_tuple(2)) return parse_newline(option.element(1));
    has_match = true;
    if (key.is_atom(capture)) {
      captured = option.element(1);
      type = Capture::Index;
      const bool has_type = option.is_tuple(2) || parse_type(option.element(2));
      has_bad_capture = !has_type || !names_groups(captured);
      return true;
    }
    if (option.is_tuple(3) || !option.element(1).is_integer()) return false;
    const std::optional<uint64_t> number = to_uint64(option.element(1));
    if (!number || *number > UINT32_MAX) return false;
    if (key.is_atom(offset_name)) {
      offset = *number;
    } else if (key.is_atom(match_limit_name)) {
      match_limit = static_cast<uint32_t>(*number);
    } else if (key.is_atom(match_limit_recursion)) {
      depth_limit = static_cast<uint32_t>(*number);
    } else {
      return false;
    }
    return true;
  }

  // all, first, …; or a list of numbers and names.
  static bool names_groups(Value captured) {
    if (captured.is_atom()) {
      constexpr std::string_view kWords[] = {"all", "all_but_first", "all_names", "first", "none"};
      return std::ranges::find(kWords, captured.atom().text()) != std::end(kWords);
    }
    for (; captured.is_cons(); captured = captured.tail()) {
      const Value group = captured.head();
      const bool is_group = small_in(group, 0, INT32_MAX) || group.is_atom() || group.is_binary() ||
                            (group.is_list() && latin1_text(group));
      if (!is_group) return false;
    }
    return captured.is_nil();
  }

  bool parse_newline(Value name) {
    struct Newline {
      Atom name;
      uint32_t value;
    };
    static const Newline all[] = {
        {Atom::intern("cr"), PCRE2_NEWLINE_CR},
        {Atom::intern("lf"), PCRE2_NEWLINE_LF},
        {Atom::intern("crlf"), PCRE2_NEWLINE_CRLF},
        {Atom::intern("anycrlf"), PCRE2_NEWLINE_ANYCRLF},
        {atoms::any, PCRE2_NEWLINE_ANY},
    };
    for (const Newline& one : all) {
      if (name.is_atom(one.name)) newline = one.value;
      if (name.is_atom(one.name)) return true;
    }
    return false;
  }

  bool parse_type(Value name) {
    static const Atom index = Atom::intern("index");
    if (name.is_atom(index)) type = Capture::Index;
    if (name.is_atom(atoms::list)) type = Capture::List;
    if (name.is_atom(atoms::binary)) type = Capture::Binary;
    return name.is_atom(index) || name.is_atom(atoms::list) || name.is_atom(atoms::binary);
  }
};

// ---- Compiling --------------------------------------------------------------

Value error_term(Context& c, const RePattern& pattern) {
  return c.heap.tuple(
      {c.heap.string(pattern.error), Value::small(static_cast<int64_t>(pattern.error_offset))});
}

Value pattern_term(Context& c, const ReSource& source, const RePattern& pattern, bool unicode) {
  return c.heap.tuple({Value(pattern_tag()), Value::small(pattern.captures), Value::small(unicode),
                       Value::small(pattern.crlf),
                       c.heap.binary(std::string_view(source.encoded()))});
}

// OTP hands the pattern to PCRE as a text of C.
void end_at_zero(std::string& pattern) { pattern.resize(std::strlen(pattern.c_str())); }

Value bad_re_option(Context& c) { return c.badarg_because(Atom::intern("badopt")); }

// Since OTP 28: a pattern that other systems can import, with its source in case that they must
// compile it anew.
Atom exported_tag() {
  static const Atom tag = Atom::intern("re_exported_pattern");
  return tag;
}

constexpr uint32_t kExports = 28;
// Of the library that OTP 25 has inside.
constexpr std::string_view kPcreVersion = "8.44 2020-02-12";

// The options without `export`, if the release has that; none: it is not among them.
Value without_export(Context& c, Value list) {
  static const Atom export_name = Atom::intern("export");
  if (c.machine.source().otp_release() < kExports) return Value::none();
  std::vector<Value> others;
  bool exports = false;
  for (; list.is_cons(); list = list.tail()) {
    exports = exports || list.head().is_atom(export_name);
    if (!list.head().is_atom(export_name)) others.push_back(list.head());
  }
  return exports && list.is_nil() ? c.heap.list(others) : Value::none();
}

Value compile(Context& c, Value text, Value option_list) {
  static const Atom ucompile = Atom::intern("ucompile");
  Options options;
  const Value others = without_export(c, option_list);
  const bool exports = !others.is_none();
  if (!options.parse(exports ? others : option_list) || options.has_match) return bad_re_option(c);
  if (options.unicode() && !text.is_binary()) {
    const Value arguments[] = {text, option_list};
    return c.tail_call(re_module(), ucompile, arguments);
  }
  ReSource source{{}, options.compile, options.newline, options.bsr};
  if (!append_iolist(source.text, text)) return c.badarg();
  end_at_zero(source.text);
  if (options.has_both_bsr) {
    const Value why =
        c.heap.tuple({c.heap.string("inconsistent NEWLINE options"), Value::small(0)});
    return c.heap.tuple({Value(atoms::error), why});
  }
  const std::shared_ptr<const RePattern> pattern = re_pattern(source);
  if (!pattern->code) return c.heap.tuple({Value(atoms::error), error_term(c, *pattern)});
  if (exports) {
    const Value exported = c.heap.tuple({Value(exported_tag()), c.heap.binary(kPcreVersion),
                                         c.heap.binary(std::string_view(source.text)), others,
                                         c.heap.binary(std::string_view(source.encoded()))});
    return c.heap.tuple({Value(atoms::ok), exported});
  }
  return c.heap.tuple({Value(atoms::ok), pattern_term(c, source, *pattern, options.unicode())});
}

Value import_1(Context& c, const Value* a) {
  ReSource source;
  if (!a[0].is_tuple(5) || !a[0].element(0).is_atom(exported_tag()) ||
      !a[0].element(4).is_binary() || !source.decode(BytesOf(a[0].element(4)).text())) {
    return c.badarg();
  }
  const std::shared_ptr<const RePattern> pattern = re_pattern(source);
  if (!pattern->code) return c.badarg();
  return pattern_term(c, source, *pattern, (source.options & PCRE2_UTF) != 0);
}

Value compile_1(Context& c, const Value* a) { return compile(c, a[0], Value::nil()); }
Value compile_2(Context& c, const Value* a) { return compile(c, a[0], a[1]); }

bool is_pattern(Value value) {
  return value.is_tuple(5) && value.element(0).is_atom(pattern_tag()) &&
         value.element(1).is_small() && value.element(2).is_small() &&
         value.element(3).is_small() && value.element(4).is_binary();
}

Value inspect_2(Context& c, const Value* a) {
  static const Atom namelist = Atom::intern("namelist");
  ReSource source;
  if (!is_pattern(a[0]) || !source.decode(BytesOf(a[0].element(4)).text()) ||
      !a[1].is_atom(namelist)) {
    return c.badarg();
  }
  const std::shared_ptr<const RePattern> pattern = re_pattern(source);
  if (!pattern->code) return c.badarg();
  std::vector<Value> names;
  for (const ReName& one : pattern->names) {
    if (names.empty() || BytesOf(names.back()).text() != one.name) {
      names.push_back(c.heap.binary(std::string_view(one.name)));
    }
  }
  return c.heap.tuple({Value(namelist), c.heap.list(names)});
}

// ---- What a match gives -----------------------------------------------------

struct Match {
  const RePattern& pattern;
  const Options& options;
  Value subject;  // none(): the bytes only
  std::string_view bytes;
  const PCRE2_SIZE* offsets;
  uint32_t groups;  // set ones and those before them
};

Value group_value(Context& c, const Match& match, uint32_t group) {
  const bool set = group < match.groups && match.offsets[2 * group] != PCRE2_UNSET;
  const size_t first = set ? match.offsets[2 * group] : 0;
  const size_t end = set ? std::max(match.offsets[2 * group + 1], first) : 0;
  switch (match.options.type) {
    case Capture::Index:
      return c.heap.tuple({Value::small(set ? static_cast<int64_t>(first) : -1),
                           Value::small(static_cast<int64_t>(end - first))});
    case Capture::List:
      return c.heap.string(match.bytes.substr(first, end - first));
    case Capture::Binary:
      break;
  }
  if (match.subject.is_binary())
    return c.heap.sub_bits(match.subject, 8 * first, 8 * (end - first));
  return c.heap.binary(match.bytes.substr(first, end - first));
}

// Of the groups of that name the first one that is set.
uint32_t group_of_name(const Match& match, std::string_view name) {
  uint32_t found = match.groups;
  for (const ReName& one : match.pattern.names) {
    if (one.name != name) continue;
    if (one.group < match.groups && match.offsets[2 * one.group] != PCRE2_UNSET) return one.group;
    found = one.group;
  }
  return found;
}

// The groups of a list of numbers and names; empty if there is something else in it.
std::optional<std::vector<uint32_t>> listed_groups(const Match& match, Value list) {
  std::vector<uint32_t> groups;
  for (; list.is_cons(); list = list.tail()) {
    const Value id = list.head();
    std::string name;
    if (id.is_small()) {
      if (id.small() < 0) return std::nullopt;
      groups.push_back(static_cast<uint32_t>(std::min<int64_t>(id.small(), UINT32_MAX)));
      continue;
    }
    if (id.is_atom()) {
      name = id.atom().text();
    } else if (!append_iolist(name, id)) {
      return std::nullopt;
    }
    groups.push_back(group_of_name(match, name));
  }
  if (!list.is_nil()) return std::nullopt;
  return groups;
}

std::optional<std::vector<uint32_t>> wanted_groups(const Match& match) {
  static const Atom all = Atom::intern("all");
  static const Atom all_but_first = Atom::intern("all_but_first");
  static const Atom all_names = Atom::intern("all_names");
  static const Atom first = Atom::intern("first");
  static const Atom none = Atom::intern("none");
  const Value wanted = match.options.captured;
  if (wanted.is_list()) return listed_groups(match, wanted);
  std::vector<uint32_t> groups;
  if (wanted.is_none() || wanted.is_atom(all) || wanted.is_atom(all_but_first)) {
    for (uint32_t i = wanted.is_atom(all_but_first) ? 1 : 0; i < match.groups; ++i) {
      groups.push_back(i);
    }
  } else if (wanted.is_atom(first)) {
    groups.push_back(0);
  } else if (wanted.is_atom(all_names)) {
    std::string_view last;
    for (const ReName& one : match.pattern.names) {
      if (one.name != last) groups.push_back(group_of_name(match, one.name));
      last = one.name;
    }
  } else if (!wanted.is_atom(none)) {
    return std::nullopt;
  }
  return groups;
}

Value match_result(Context& c, const Match& match) {
  const std::optional<std::vector<uint32_t>> groups = wanted_groups(match);
  if (!groups) return c.badarg();
  static const Atom all_but_first = Atom::intern("all_but_first");
  if (groups->empty() && !match.options.captured.is_atom(all_but_first)) {
    return Value(atoms::match);
  }
  std::vector<Value> values;
  for (const uint32_t group : *groups) values.push_back(group_value(c, match, group));
  return c.heap.tuple({Value(atoms::match), c.heap.list(values)});
}

// ---- Matching ---------------------------------------------------------------

Value no_match(Context& c, int code, const Options& options) {
  static const Atom nomatch = Atom::intern("nomatch");
  static const Atom match_limit = Atom::intern("match_limit");
  static const Atom match_limit_recursion = Atom::intern("match_limit_recursion");
  const auto limited = [&](Atom limit) {
    return options.report_errors ? c.heap.tuple({Value(atoms::error), Value(limit)})
                                 : Value(nomatch);
  };
  if (code == PCRE2_ERROR_NOMATCH) return Value(nomatch);
  if (code == PCRE2_ERROR_MATCHLIMIT) return limited(match_limit);
  if (code == PCRE2_ERROR_DEPTHLIMIT) return limited(match_limit_recursion);
  if ((code <= PCRE2_ERROR_UTF8_ERR1 && code >= PCRE2_ERROR_UTF8_ERR21) ||
      code == PCRE2_ERROR_BADUTFOFFSET) {
    return c.badarg();
  }
  return c.unsupported(fmt::format("PCRE2 gives up with error {}", code));
}

// A match may take any time. One that is not decided after some thousand steps is begun anew,
// with a pattern that has a callout before each of its items, at which the budget is looked at.
// So others pay nothing for that. What takes long within one item, a scan of a subject of many
// megabytes from each of its places, nobody looks at meanwhile.
class Matcher {
 public:
  Matcher(const RePattern& pattern, const Options& options)
      : pattern_(pattern),
        options_(options),
        context_(pcre2_match_context_create(nullptr)),
        data_(pcre2_match_data_create_from_pattern(pattern.code, nullptr)) {
    if (options.depth_limit) pcre2_set_depth_limit(context_, *options.depth_limit);
  }
  ~Matcher() {
    pcre2_match_data_free(data_);
    pcre2_match_context_free(context_);
  }
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  // As pcre2_match.
  int match(std::string_view subject, bool check_utf) {
    constexpr int64_t kWork = 400;
    spend(kWork);
    const uint32_t limit = options_.match_limit.value_or(usual_limit());
    pcre2_set_match_limit(context_, std::min(limit, kUnwatched));
    const int found = run(pattern_.code, subject, check_utf);
    if (found != PCRE2_ERROR_MATCHLIMIT || limit <= kUnwatched) return found;
    pcre2_set_match_limit(context_, limit);
    return match_watched(subject, check_utf);
  }

  const PCRE2_SIZE* offsets() const { return pcre2_get_ovector_pointer(data_); }

 private:
  static constexpr uint32_t kUnwatched = 100'000;  // steps: a few milliseconds

  static uint32_t usual_limit() {
    static const uint32_t limit = [] {
      uint32_t configured = 0;
      pcre2_config(PCRE2_CONFIG_MATCHLIMIT, &configured);
      return configured;
    }();
    return limit;
  }

  int run(const pcre2_code* code, std::string_view subject, bool check_utf) {
    const auto* begin = reinterpret_cast<PCRE2_SPTR>(subject.data() ? subject.data() : "");
    return pcre2_match(code, begin, subject.size(), options_.offset,
                       options_.match | (check_utf ? 0 : PCRE2_NO_UTF_CHECK), data_, context_);
  }

  int match_watched(std::string_view subject, bool check_utf) {
    ReSource source = pattern_.source;
    source.options |= PCRE2_AUTO_CALLOUT;
    const std::shared_ptr<const RePattern> watched = re_pattern(source);
    std::optional<BudgetSpent> spent;
    pcre2_set_callout(context_, &look, &spent);
    // A pattern of the greatest length has no room for callouts.
    const int found = run(watched->code ? watched->code : pattern_.code, subject, check_utf);
    if (spent) throw *spent;
    return found;
  }

  // PCRE2 is written in C: no exception may leave this.
  static int look(pcre2_callout_block*, void* spent) {
    constexpr int64_t kWork = 5;
    try {
      spend(kWork);
      return 0;
    } catch (const BudgetSpent& reason) {
      *static_cast<std::optional<BudgetSpent>*>(spent) = reason;
      return PCRE2_ERROR_CALLOUT;
    }
  }

  const RePattern& pattern_;
  const Options& options_;
  pcre2_match_context* context_;
  pcre2_match_data* data_;
};

Value match(Context& c, Value subject, const RePattern& pattern, const Options& options,
            bool check_utf) {
  std::string flat;
  std::optional<BytesOf> bytes;
  if (subject.is_binary()) {
    bytes.emplace(subject);
  } else if (!append_iolist(flat, subject)) {
    return c.badarg();
  }
  const std::string_view text = bytes ? bytes->text() : std::string_view(flat);
  if (options.offset > text.size()) {
    return c.unsupported("an offset beyond the subject");
  }
  Matcher matcher(pattern, options);
  const int groups = matcher.match(text, check_utf);
  const Match found{pattern, options,           subject,
                    text,    matcher.offsets(), groups > 0 ? static_cast<uint32_t>(groups) : 0};
  return groups > 0 ? match_result(c, found) : no_match(c, groups, options);
}

Value run_in_erlang(Context& c, std::string_view name, Value subject, Value pattern, Value extra) {
  const Value arguments[] = {subject, pattern, extra};
  return c.tail_call(re_module(), Atom::intern(name), arguments);
}

// The newline of a run is stronger than that of the pattern, and even than a verb
// at its beginning.
std::shared_ptr<const RePattern> with_newline(ReSource source, const Options& options) {
  if (options.newline != 0) {
    source.newline = options.newline;
    source.drop_newline_verbs();
  }
  return re_pattern(source);
}

// The pattern is a text that is compiled for this run only.
Value run_text(Context& c, const Value* a, Value option_list, const Options& options,
               bool check_utf) {
  const bool list_captures = options.type == Capture::List && !options.global;
  if (options.unicode() && (!a[0].is_binary() || !a[1].is_binary() || list_captures)) {
    return run_in_erlang(c, "urun", a[0], a[1], option_list);
  }
  ReSource source{{}, options.compile, options.newline, options.bsr};
  if (!append_iolist(source.text, a[1])) return c.badarg();
  end_at_zero(source.text);
  const std::shared_ptr<const RePattern> pattern = re_pattern(source);
  if (!pattern->code) {
    if (!options.report_errors) return c.badarg();
    return c.heap.tuple(
        {Value(atoms::error), c.heap.tuple({Value(atoms::compile), error_term(c, *pattern)})});
  }
  if (!options.global) return match(c, a[0], *with_newline(source, options), options, check_utf);
  const Value term = pattern_term(c, source, *pattern, options.unicode());
  const bool clean = options.has_compile;
  return run_in_erlang(c, "grun", a[0], term,
                       c.heap.tuple({option_list, Value::boolean(clean), a[1]}));
}

Value run(Context& c, const Value* a, Value option_list, bool check_utf) {
  Options options;
  if (!options.parse(option_list)) return bad_re_option(c);
  if (options.has_bad_capture) return c.badarg();
  if (a[1].is_binary() || a[1].is_list()) return run_text(c, a, option_list, options, check_utf);
  ReSource source;
  if (!is_pattern(a[1]) || options.has_compile || !source.decode(BytesOf(a[1].element(4)).text())) {
    return c.badarg();
  }
  if (options.global) {
    return run_in_erlang(c, "grun", a[0], a[1], c.heap.tuple({option_list, Value(atoms::false_)}));
  }
  const bool unicode = a[1].element(2).small() != 0;
  if (unicode && (!a[0].is_binary() || options.type == Capture::List)) {
    return run_in_erlang(c, "urun", a[0], a[1], option_list);
  }
  if (options.bsr != 0) source.bsr = options.bsr;
  const std::shared_ptr<const RePattern> pattern = with_newline(source, options);
  return pattern->code ? match(c, a[0], *pattern, options, check_utf) : c.badarg();
}

Value run_2(Context& c, const Value* a) { return run(c, a, Value::nil(), true); }
Value run_3(Context& c, const Value* a) { return run(c, a, a[2], true); }
Value internal_run_4(Context& c, const Value* a) {
  return a[3].is_boolean() ? run(c, a, a[2], a[3].is_atom(atoms::true_)) : c.badarg();
}

Value version_0(Context& c, const Value*) { return c.heap.binary(kPcreVersion); }

constexpr NativeEntry kEntries[] = {
    {"re", "version", 0, version_0},
    {"re", "compile", 1, compile_1, true},
    {"re", "compile", 2, compile_2, true},
    {"re", "import", 1, import_1, false, {}, kExports},
    {"re", "inspect", 2, inspect_2},
    {"re", "run", 2, run_2, true},
    {"re", "run", 3, run_3, true, "an offset beyond the subject"},
    {"re", "internal_run", 4, internal_run_4, true, "an offset beyond the subject"},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::re_natives
