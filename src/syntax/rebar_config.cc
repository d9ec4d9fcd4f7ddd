#include "syntax/rebar_config.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/atom.h"
#include "base/regex.h"
#include "base/result.h"
#include "base/term.h"
#include "base/term_print.h"
#include "base/utf8.h"
#include "syntax/app_dir.h"
#include "syntax/consult.h"

namespace fathom {

namespace {

// Regular expressions longer than this are refused: the library's compiler
// recurses on their nesting.
constexpr size_t kMaxRegex = 1000;

using Section = std::map<std::string_view, Term>;

// A name: 'foo', "foo" or <<"foo">>.
std::optional<std::string> name_text(Term term) {
  if (term.is_atom()) return std::string(term.atom().text());
  if (term.is_binary()) return std::string(term.bits().text());
  if (term.is_cons()) return string_text(term);
  return std::nullopt;
}

// The elements of a list; none for anything else, for what is written in a wrong
// shape must not stop us.
std::vector<Term> elements(Term term) {
  std::vector<Term> items;
  if (term.is_list()) {
    for (const Term item : term.list()) items.push_back(item);
  }
  return items;
}

// {Key, Value} pairs by key, the last one counts, as in dict:from_list/1.
Section make_section(const std::vector<Term>& terms) {
  Section section;
  for (const Term term : terms) {
    if (term.is_tuple(2) && term[0].is_atom()) section[term[0].atom().text()] = term[1];
  }
  return section;
}

// The text of a value such that it reads as the form epp gets from
// erl_parse:abstract/1: a list of characters, printable or not, is a string, and
// a binary is its bytes.
std::string macro_value(Term value) {
  if (value.is_bitstring()) return written(value);
  std::optional<std::string> text;
  if (value.is_cons()) text = string_text(value);
  if (!text || find_invalid_utf8(*text)) return printed(value);
  std::string out;
  append_quoted_string(out, *text);
  return out;
}

template <class T>
void add_new(std::vector<T>& to, const std::vector<T>& from) {
  for (const T& item : from) {
    if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
  }
}

void add_dir(std::vector<SourceDir>& dirs, const SourceDir& dir) {
  for (SourceDir& known : dirs) {
    if (known.path == dir.path) {
      known = dir;
      return;
    }
  }
  dirs.push_back(dir);
}

// Collects into a RebarConfig what one level (the file, a profile) says.
class LevelReader {
 public:
  LevelReader(const std::string& file, const RebarProfile& profile, RebarConfig& config)
      : file_(file), profile_(profile), config_(config) {}

  void read(const Section& section) {
    if (const Term* options = get(section, "erlc_compiler")) {
      for (const Term option : elements(*options)) {
        if (is_pair(option, "recursive")) recursive_ = option[1].is_atom(atoms::true_);
      }
    }
    read_dirs(section, "src_dirs", config_.src_dirs);
    read_dirs(section, "extra_src_dirs", config_.extra_src_dirs);
    if (const Term* options = get(section, "erl_opts")) read_erl_opts(*options);
    if (const Term* options = get(section, "eunit_compile_opts"); options && profile_.tests) {
      read_erl_opts(*options);
    }
    read_names(section, "project_app_dirs", config_.project_app_dirs);
    read_names(section, "excluded_apps", config_.excluded_apps);
    read_names(section, "deps", config_.deps);
    read_name(section, "base_dir", config_.base_dir);
    read_name(section, "checkouts_dir", config_.checkouts_dir);
    if (const Term* tests = get(section, "eunit_tests")) read_eunit_tests(*tests);
    if (const Term* overrides = get(section, "overrides")) read_overrides(*overrides);
    config_.has_hooks =
        config_.has_hooks || get(section, "pre_hooks") || get(section, "provider_hooks");
  }

  void read_erl_opts(Term options) {
    for (const Term option : elements(options)) read_erl_opt(option);
  }

 private:
  static const Term* get(const Section& section, std::string_view key) {
    const auto found = section.find(key);
    return found == section.end() ? nullptr : &found->second;
  }
  static bool is_pair(Term term, std::string_view key) { return is_tagged(term, key, 2); }
  static bool is_tagged(Term term, std::string_view key, size_t arity) {
    return term.is_tuple(arity) && term[0].is_atom() && term[0].atom().text() == key;
  }

  void read_name(const Section& section, std::string_view key, std::string& out) {
    if (const Term* value = get(section, key)) out = name_text(*value).value_or(out);
  }

  // A list of names, or of tuples that begin with one (dependencies).
  void read_names(const Section& section, std::string_view key, std::vector<std::string>& out) {
    const Term* value = get(section, key);
    if (!value) return;
    for (Term item : elements(*value)) {
      if (item.is_tuple() && !item.tuple().empty()) item = item[0];
      if (auto name = name_text(item)) add_new(out, {std::move(*name)});
    }
  }

  void read_dirs(const Section& section, std::string_view key, std::vector<SourceDir>& out) {
    if (const Term* value = get(section, key)) add_dirs(*value, out);
  }

  // "src", {"src", [{recursive, false}]}, {"src", [recursive]}
  void add_dirs(Term dirs, std::vector<SourceDir>& out) {
    for (const Term item : elements(dirs)) {
      const bool has_options = item.is_tuple(2);
      auto path = name_text(has_options ? item[0] : item);
      if (!path) continue;
      SourceDir dir{std::move(*path), recursive_};
      while (dir.path.size() > 1 && dir.path.back() == '/') dir.path.pop_back();
      if (dir.path.starts_with("./") && dir.path.size() > 2) dir.path.erase(0, 2);
      for (const Term option : has_options ? elements(item[1]) : std::vector<Term>{}) {
        if (is_pair(option, "recursive")) dir.recursive = option[1].is_atom(atoms::true_);
        if (option.is_atom() && option.atom().text() == "recursive") dir.recursive = true;
      }
      add_dir(out, dir);
    }
  }

  void read_erl_opt(Term option) {
    if (is_pair(option, "i")) {
      if (auto dir = name_text(option[1])) add_new(config_.include_dirs, {std::move(*dir)});
    } else if (is_pair(option, "d")) {
      define(option[1], {});
    } else if (is_tagged(option, "d", 3)) {
      define(option[1], macro_value(option[2]));
    } else if (is_tagged(option, "platform_define", 3)) {
      if (is_platform(option[1])) define(option[2], {});
    } else if (is_tagged(option, "platform_define", 4)) {
      if (is_platform(option[1])) define(option[2], macro_value(option[3]));
    } else if (is_pair(option, "parse_transform")) {
      if (auto name = name_text(option[1])) {
        add_new(config_.parse_transforms, {std::move(*name)});
      }
    } else if (is_pair(option, "src_dirs")) {
      add_dirs(option[1], config_.src_dirs);
    } else if (is_pair(option, "extra_src_dirs")) {
      add_dirs(option[1], config_.extra_src_dirs);
    }
  }

  void read_eunit_tests(Term tests) {
    for (const Term item : elements(tests)) {
      const bool is_tagged = item.is_tuple() && item.tuple().size() >= 2;
      const std::string tag = is_tagged ? name_text(item[0]).value_or("") : "module";
      const std::string name = name_text(is_tagged ? item[1] : item).value_or("");
      EunitTarget target;
      if (tag == "application") {
        target.application = name;
      } else if (tag == "dir") {
        target.dir = name;
      } else if (tag == "file") {
        target.module = std::filesystem::path(name).stem().string();
      } else if (tag == "generator" || tag == "test" || tag == "module" || tag == "suite") {
        target.module = name;
        if (item.is_tuple(3)) target.function = name_text(item[2]).value_or("");
      } else {
        warn("eunit_tests: cannot understand " + printed(item));
        continue;
      }
      add_new(config_.eunit_tests, {target});
    }
  }

  // {add, App, Config} or {add, Config}.
  void read_overrides(Term overrides) {
    for (const Term item : elements(overrides)) {
      RebarOverride change;
      const bool has_name = item.is_tuple(3);
      const std::string kind =
          has_name || item.is_tuple(2) ? name_text(item[0]).value_or("") : std::string();
      if (kind == "add") {
        change.kind = RebarOverride::Kind::Add;
      } else if (kind == "del") {
        change.kind = RebarOverride::Kind::Delete;
      } else if (kind == "override") {
        change.kind = RebarOverride::Kind::Override;
      } else {
        warn("overrides: cannot understand " + printed(item));
        continue;
      }
      if (has_name) change.application = name_text(item[1]).value_or("");
      LevelReader reader(file_, profile_, change.config);
      reader.read(make_section(elements(item[has_name ? 2 : 1])));
      config_.overrides.push_back(std::move(change));
    }
  }

  void warn(std::string message) {
    config_.problems.push_back({Severity::Warning, {}, file_, std::move(message), {}});
  }

  void define(Term name, std::string value) {
    if (auto text = name_text(name)) {
      add_macro(config_.macros, {std::move(*text), std::move(value)});
    }
  }

  // Whether the expression matches somewhere in the platform's name.
  bool is_platform(Term regex) {
    const auto text = name_text(regex);
    if (text && text->size() <= kMaxRegex) {
      const Result<bool> found = regex_search(*text, profile_.platform);
      if (found.ok()) return *found;
    }
    warn("platform_define is ignored: cannot understand its regular expression " + printed(regex));
    return false;
  }

  const std::string& file_;
  const RebarProfile& profile_;
  RebarConfig& config_;
  bool recursive_ = true;
};

// "DIR/rebar.config:3:7: words" is a place and words.
Diagnostic consult_problem(const std::string& file, const std::string& message) {
  Diagnostic problem{Severity::Error, {}, file, message, {}};
  if (message.starts_with(file + ":")) {
    const size_t end = message.find(": ", file.size());
    if (end != std::string::npos) {
      problem.file = message.substr(0, end);
      problem.message = message.substr(end + 2);
    }
  }
  return problem;
}

void read_terms_and_profiles(const std::string& file, const std::vector<Term>& terms,
                             const RebarProfile& profile, RebarConfig& config) {
  const Section section = make_section(terms);
  LevelReader reader(file, profile, config);
  reader.read(section);
  const auto profiles = section.find("profiles");
  if (!profile.tests || profiles == section.end()) return;
  for (const Term level : elements(profiles->second)) {
    if (!level.is_tuple(2) || !level[0].is_atom() || level[0].atom().text() != "test") continue;
    reader.read(make_section(elements(level[1])));
  }
}

// False: the file itself counts.
bool read_script(const std::string& script, const RebarProfile& profile, RebarConfig& config) {
  const auto warn = [&](const std::string& why) {
    config.problems.push_back(
        {Severity::Warning, {}, script, "what this script computes is not honoured: " + why, {}});
    return false;
  };
  if (!profile.run_script) return warn("it is not run here");
  const Result<std::string> text = profile.run_script(script);
  if (!text) return warn(text.error().message);
  TermArena arena;
  const Result<std::vector<Term>> terms = consult(script, *text, arena);
  if (!terms) return warn("its value cannot be understood");
  read_terms_and_profiles(script, *terms, profile, config);
  return true;
}

void read_file_and_profiles(const std::string& file, const RebarProfile& profile,
                            RebarConfig& config) {
  TermArena arena;
  const Result<std::vector<Term>> terms = consult_file(file, arena);
  if (!terms) {
    config.problems.push_back(consult_problem(file, terms.error().message));
    return;
  }
  read_terms_and_profiles(file, *terms, profile, config);
}

template <class T>
void remove(std::vector<T>& from, const std::vector<T>& items) {
  std::erase_if(from, [&](const T& item) {
    return std::find(items.begin(), items.end(), item) != items.end();
  });
}

template <class T>
void replace(std::vector<T>& old, const std::vector<T>& items) {
  if (!items.empty()) old = items;
}

// The directories of an Emakefile's modules: 'src/*', ["src/*", "test/a"].
std::vector<std::string> module_dirs(Term modules) {
  std::vector<std::string> dirs;
  std::vector<Term> patterns = name_text(modules) ? std::vector<Term>{modules} : elements(modules);
  for (const Term pattern : patterns) {
    const std::string text = name_text(pattern).value_or("");
    std::string dir = std::filesystem::path(text).parent_path().string();
    add_new(dirs, {dir.empty() ? std::string(".") : std::move(dir)});
  }
  return dirs;
}

void read_emakefile(const std::string& file, const RebarProfile& profile, RebarConfig& config) {
  TermArena arena;
  const Result<std::vector<Term>> terms = consult_file(file, arena);
  if (!terms) {
    config.problems.push_back(consult_problem(file, terms.error().message));
    return;
  }
  LevelReader reader(file, profile, config);
  for (const Term entry : *terms) {
    const bool has_options = entry.is_tuple(2);
    if (has_options) reader.read_erl_opts(entry[1]);
    for (const std::string& dir : module_dirs(has_options ? entry[0] : entry)) {
      const bool is_test = dir == "test" || dir.starts_with("test/");
      add_dir(is_test ? config.extra_src_dirs : config.src_dirs, {dir, false});
    }
  }
}

// -DNAME, -DNAME=VALUE and -I DIR of ERLC_OPTS, and of TEST_ERLC_OPTS where tests are wanted.
void read_makefile(const std::string& file, const RebarProfile& profile, RebarConfig& config) {
  const auto text = read_file(file);
  if (!text) return;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    std::string sign;
    words >> name >> sign;
    if (name == "PROJECT" && sign.ends_with('=')) words >> config.application;
    const bool is_wanted = name == "ERLC_OPTS" || (name == "TEST_ERLC_OPTS" && profile.tests);
    if (!is_wanted || !sign.ends_with('=')) continue;
    for (std::string word; words >> word;) {
      if (word == "-I" || word == "-D") {
        std::string next;
        words >> next;
        word += next;
      }
      if (word.starts_with("-I")) add_new(config.include_dirs, {word.substr(2)});
      if (!word.starts_with("-D")) continue;
      const size_t equals = word.find('=');
      const bool has_value = equals != std::string::npos;
      add_macro(config.macros, {word.substr(2, has_value ? equals - 2 : equals),
                                has_value ? word.substr(equals + 1) : std::string()});
    }
  }
}

}  // namespace

void add_macro(std::vector<MacroDefinition>& macros, MacroDefinition macro) {
  for (MacroDefinition& known : macros) {
    if (known.name == macro.name) {
      known.value = std::move(macro.value);
      return;
    }
  }
  macros.push_back(std::move(macro));
}

void RebarConfig::overlay(const RebarConfig& upper) {
  add_new(include_dirs, upper.include_dirs);
  for (const MacroDefinition& macro : upper.macros) add_macro(macros, macro);
  add_new(parse_transforms, upper.parse_transforms);
  for (const SourceDir& dir : upper.src_dirs) add_dir(src_dirs, dir);
  for (const SourceDir& dir : upper.extra_src_dirs) add_dir(extra_src_dirs, dir);
  add_new(project_app_dirs, upper.project_app_dirs);
  add_new(excluded_apps, upper.excluded_apps);
  add_new(deps, upper.deps);
  add_new(eunit_tests, upper.eunit_tests);
  has_hooks = has_hooks || upper.has_hooks;
  if (!upper.base_dir.empty()) base_dir = upper.base_dir;
  if (!upper.checkouts_dir.empty()) checkouts_dir = upper.checkouts_dir;
  problems.insert(problems.end(), upper.problems.begin(), upper.problems.end());
}

void RebarConfig::apply(const RebarOverride& change) {
  const RebarConfig& other = change.config;
  switch (change.kind) {
    case RebarOverride::Kind::Add:
      overlay(other);
      return;
    case RebarOverride::Kind::Delete:
      remove(include_dirs, other.include_dirs);
      remove(parse_transforms, other.parse_transforms);
      remove(src_dirs, other.src_dirs);
      remove(extra_src_dirs, other.extra_src_dirs);
      std::erase_if(macros, [&](const MacroDefinition& own) {
        return std::any_of(other.macros.begin(), other.macros.end(),
                           [&](const MacroDefinition& m) { return m.name == own.name; });
      });
      return;
    case RebarOverride::Kind::Override:
      replace(include_dirs, other.include_dirs);
      replace(parse_transforms, other.parse_transforms);
      replace(src_dirs, other.src_dirs);
      replace(extra_src_dirs, other.extra_src_dirs);
      replace(macros, other.macros);
      return;
  }
}

std::vector<std::string> RebarConfig::src_dir_names() const {
  if (src_dirs.empty()) return {"src"};
  std::vector<std::string> names;
  for (const SourceDir& dir : src_dirs) names.push_back(dir.path);
  return names;
}

void RebarConfig::prepare_tests() {
  const auto is_test = [](const SourceDir& dir) { return dir.path == "test"; };
  if (std::none_of(extra_src_dirs.begin(), extra_src_dirs.end(), is_test)) {
    extra_src_dirs.push_back({"test", false});
  }
  for (const char* name : {"TEST", "EUNIT"}) {
    const auto same = [&](const MacroDefinition& macro) { return macro.name == name; };
    if (std::none_of(macros.begin(), macros.end(), same)) macros.push_back({name, {}});
  }
}

RebarConfig read_rebar_config(const std::string& dir, const RebarProfile& profile) {
  RebarConfig config;
  const std::string file = path_in(dir, "rebar.config");
  const std::string script = file + ".script";
  if (is_plain_file(script) && read_script(script, profile, config)) return config;
  if (is_plain_file(file)) read_file_and_profiles(file, profile, config);
  return config;
}

RebarConfig read_make_config(const std::string& dir, const RebarProfile& profile) {
  RebarConfig config;
  const std::string emakefile = path_in(dir, "Emakefile");
  if (is_plain_file(emakefile)) read_emakefile(emakefile, profile, config);
  if (is_plain_file(path_in(dir, "erlang.mk"))) {
    read_makefile(path_in(dir, "Makefile"), profile, config);
  }
  return config;
}

}  // namespace fathom
