#include "session/parse_transform.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/budget.h"
#include "base/term_print.h"
#include "machine/outcome_text.h"
#include "natives/families.h"
#include "syntax/abstract.h"
#include "syntax/consult.h"
#include "syntax/replace_forms.h"
#include "values/convert.h"
#include "values/maps.h"

namespace fathom::session {

using namespace machine;
namespace {

// Of a machine, which is replaced when a module has used half of them up: so many, or at least half
// as many, for the transforms of one module. That is some seconds, and far more than real ones
// take. One that takes more is an error of the module, if no limit of the command comes before.
constexpr uint64_t kMostReductions = 2'000'000'000;

Atom parse_transform_name() {
  static const Atom name = Atom::intern("parse_transform");
  return name;
}

bool is_transform_option(Term option) {
  return option.is_tagged(parse_transform_name(), 2) && option[1].is_atom();
}

bool is_compile_attribute(Term form) {
  static const Atom compile = Atom::intern("compile");
  return form.is_tagged(atoms::attribute, 4) && form[2].is_atom(compile);
}

// The transforms that a -compile attribute names.
void add_transforms(Term options, std::vector<Atom>& transforms) {
  if (is_transform_option(options)) return transforms.push_back(options[1].atom());
  if (!options.is_list()) return;
  for (const Term option : options.list()) {
    if (is_transform_option(option)) transforms.push_back(option[1].atom());
  }
}

// Without what names transforms, so that none runs twice.
std::vector<Term> without_transforms(std::span<const Term> forms, TermArena& arena) {
  std::vector<Term> kept;
  kept.reserve(forms.size());
  for (const Term form : forms) {
    if (!is_compile_attribute(form)) {
      kept.push_back(form);
    } else if (form[3].is_list()) {
      std::vector<Term> options;
      for (const Term option : form[3].list()) {
        if (!is_transform_option(option)) options.push_back(option);
      }
      kept.push_back(arena.tuple({form[0], form[1], form[2], arena.list(options)}));
    } else if (!is_transform_option(form[3])) {
      kept.push_back(form);
    }
  }
  return kept;
}

std::optional<Position> position_of(Term location) {
  if (location.is_small() && location.small() >= 0) {
    return Position{static_cast<uint32_t>(location.small()), 0, {}};
  }
  if (!location.is_tuple(2) || !location[0].is_small() || !location[1].is_small()) {
    return std::nullopt;
  }
  return Position{
      static_cast<uint32_t>(location[0].small()), static_cast<uint32_t>(location[1].small()), {}};
}

// What compile:file/2 would have been given.
Term compile_options(const CompileOptions& options, TermArena& arena) {
  static const Atom i = Atom::intern("i");
  static const Atom d = Atom::intern("d");
  std::vector<Term> items;
  for (const std::string& name : options.parse_transforms) {
    items.push_back(arena.tuple({Term(parse_transform_name()), Term(Atom::intern(name))}));
  }
  for (const std::string& dir : options.include_dirs) {
    items.push_back(arena.tuple({Term(i), arena.string(dir)}));
  }
  for (const MacroDefinition& macro : options.macros) {
    const Term name(Atom::intern(macro.name));
    const auto value = consult("-D", macro.value + ".", arena);
    const bool has_value = !macro.value.empty() && value && value->size() == 1;
    items.push_back(has_value ? arena.tuple({Term(d), name, value->front()})
                              : arena.tuple({Term(d), name}));
  }
  return arena.list(items);
}

bool names(std::span<const std::string> modules, Atom module) {
  return std::ranges::find(modules, module.text()) != modules.end();
}

}  // namespace

// The transforms of one module.
class ParseTransforms::Run {
 public:
  Run(ParseTransforms& owner, size_t level, Unit& unit, Literals& literals,
      Diagnostics& diagnostics)
      : owner_(owner), level_(level), unit_(unit), literals_(literals), diagnostics_(diagnostics) {}

  bool apply(Atom transform, const CompileOptions& options) {
    if (!is_there(transform)) return false;
    const bool columns = wants_columns(transform);
    TermArena arena;
    std::vector<Term> before;
    before.reserve(unit_.ast.forms().size());
    for (const NodeId form : unit_.ast.forms()) {
      before.push_back(to_abstract(unit_, form, arena, columns ? Columns::Kept : Columns::Dropped));
    }
    const Term forms = arena.list(without_transforms(before, arena));
    const Outcome outcome =
        call(transform, parse_transform_name(), {forms, compile_options(options, arena)});
    if (outcome.kind != Outcome::Kind::Value) return failed(transform, outcome);
    return take(transform, to_term(outcome.value, arena), before);
  }

 private:
  Machine& machine() {
    if (!owner_.machines_[level_]) {
      owner_.machines_[level_] = std::make_unique<Machine>(owner_.code_, native_table(),
                                                           Limits{.reductions = kMostReductions});
    }
    return *owner_.machines_[level_];
  }

  // After what is neither a value nor an exception, the machine is of no use any more. That the
  // budget is spent is not a property of the module: whoever wanted it is told, and nobody is to
  // remember it.
  Outcome finished(Atom transform, Outcome outcome) {
    if (outcome.kind != Outcome::Kind::Value && outcome.kind != Outcome::Kind::Exception) {
      owner_.spoiled_.push_back(std::exchange(owner_.machines_[level_], nullptr));
    }
    if (outcome.kind == Outcome::Kind::Limit && is_spent()) {
      throw BudgetSpent{fmt::format("{}, in parse transform {} of {}", Budget::current()->reason(),
                                    transform.text(), unit_.path)};
    }
    return outcome;
  }

  static bool is_spent() { return Budget::current() && Budget::current()->is_spent(); }

  Outcome call(Atom module, Atom name, std::initializer_list<Term> arguments) {
    Machine& m = machine();
    std::vector<Value> values;
    values.reserve(arguments.size());
    for (const Term argument : arguments) {
      values.push_back(to_value(argument, m.heap(), [&m](Atom mod, Atom f, uint32_t arity) {
        return m.code().find_export(mod, f, arity);
      }));
    }
    const size_t written = m.output().text().size();
    Outcome outcome = m.run(module, name, values);
    owner_.output_ += m.output().text().substr(written);
    return finished(module, std::move(outcome));
  }

  bool error(std::string message) {
    diagnostics_.file_error(unit_.path, std::move(message));
    return false;
  }

  bool failed(Atom transform, const Outcome& outcome) {
    if (outcome.kind == Outcome::Kind::Halt) {
      return error(fmt::format("parse transform {} halts", transform.text()));
    }
    return error(
        fmt::format("error in parse transform {}: {}", transform.text(), outcome_text(outcome)));
  }

  bool is_exported(Atom module, Atom name, uint32_t arity) {
    Machine& m = machine();
    m.state.stopped = false;  // as the last run left it
    m.outcome.reset();
    return m.resolve(m.code().find_export(module, name, arity));
  }

  bool is_there(Atom transform) {
    if (is_exported(transform, parse_transform_name(), 2)) return true;
    if (machine().outcome) return failed(transform, finished(transform, *machine().outcome));
    return error(fmt::format("undefined parse transform '{}'", transform.text()));
  }

  bool wants_columns(Atom transform) {
    static const Atom info = Atom::intern("parse_transform_info");
    static const Atom error_location = Atom::intern("error_location");
    static const Atom line = Atom::intern("line");
    if (!is_exported(transform, info, 0)) return true;
    const Outcome outcome = call(transform, info, {});
    return outcome.kind != Outcome::Kind::Value || !outcome.value.is_map() ||
           map_get(outcome.value, Value(error_location)) != Value(line);
  }

  // What a transform returned: forms, or {warning, Forms, Warnings}, or {error, …}.
  bool take(Atom transform, Term result, std::span<const Term> before) {
    if (result.is_tagged(atoms::error, 3)) {
      const size_t errors = diagnostics_.error_count();
      report_files(result[1], Severity::Error);
      report_files(result[2], Severity::Warning);
      // Even if it does not say why.
      return diagnostics_.error_count() > errors
                 ? false
                 : error(fmt::format("parse transform {} refuses the module", transform.text()));
    }
    if (result.is_tagged(atoms::warning, 3)) {
      report_files(result[2], Severity::Warning);
      result = result[1];
    }
    if (!result.is_list() || !result.list().is_proper()) {
      return error(fmt::format("parse transform {} returns no list of forms", transform.text()));
    }
    std::vector<Term> after;
    const size_t errors = diagnostics_.error_count();
    std::string file = unit_.path;
    for (const Term form : result.list()) {
      if (is_message(form)) {
        report(file, form[1], form[0].is_atom(atoms::error) ? Severity::Error : Severity::Warning);
        continue;
      }
      if (form.is_tagged(atoms::attribute, 4) && form[2].is_atom(atoms::file) &&
          form[3].is_tuple(2)) {
        file = string_text(form[3][0]).value_or(file);
      }
      after.push_back(form);
    }
    if (diagnostics_.error_count() > errors) return false;
    if (auto replaced = replace_forms(unit_, literals_, before, after); !replaced) {
      return error(fmt::format("parse transform {} returns a bad form: {}", transform.text(),
                               replaced.error().message));
    }
    return true;
  }

  static bool is_message(Term form) {
    return form.is_tagged(atoms::error, 2) || form.is_tagged(atoms::warning, 2);
  }

  // [{File, [ErrorInfo]}]
  void report_files(Term files, Severity severity) {
    if (!files.is_list()) return;
    for (const Term item : files.list()) {
      if (!item.is_tuple(2) || !item[1].is_list()) continue;
      const std::string file = string_text(item[0]).value_or(unit_.path);
      for (const Term info : item[1].list()) report(file, info, severity);
    }
  }

  // {Location, Module, Description} or {Module, Description}.
  void report(const std::string& file, Term info, Severity severity) {
    std::string message = printed(info);
    std::optional<Position> position;
    if (info.is_tuple(2) || info.is_tuple(3)) {
      const size_t at = info.tuple().size() - 2;
      if (info[at].is_atom()) message = description(info[at].atom(), info[at + 1]);
      if (at == 1) position = position_of(info[0]);
    }
    const Loc place = position ? text_place(unit_, file, *position) : Loc();
    if (place) {
      severity == Severity::Error ? diagnostics_.error({place, place}, message)
                                  : diagnostics_.warning({place, place}, message);
      return;
    }
    const std::string where =
        position && position->line > 0 ? fmt::format("{}:{}", file, position->line) : file;
    severity == Severity::Error ? diagnostics_.file_error(where, message)
                                : diagnostics_.file_warning(where, message);
  }

  // Module:format_error(Description), or the description itself if that fails.
  std::string description(Atom module, Term what) {
    static const Atom format_error = Atom::intern("format_error");
    static const Atom lists = Atom::intern("lists");
    static const Atom flatten = Atom::intern("flatten");
    const Outcome outcome = call(module, format_error, {what});
    TermArena arena;
    if (outcome.kind == Outcome::Kind::Value) {
      const Outcome flat = call(lists, flatten, {to_term(outcome.value, arena)});
      if (flat.kind == Outcome::Kind::Value) {
        if (auto text = string_text(to_term(flat.value, arena))) return *text;
      }
    }
    return printed(what);
  }

  ParseTransforms& owner_;
  size_t level_;
  Unit& unit_;
  Literals& literals_;
  Diagnostics& diagnostics_;
};

bool ParseTransforms::apply(Unit& unit, Literals& literals, const CompileOptions& options,
                            Diagnostics& diagnostics) {
  std::vector<Atom> transforms;
  if (level_ == 0 && !names(options.parse_transforms, unit.module)) {
    for (const std::string& name : options.parse_transforms) {
      transforms.push_back(Atom::intern(name));
    }
  }
  static const Atom compile = Atom::intern("compile");
  TermArena arena;
  for (const NodeId form : unit.ast.forms()) {
    if (unit.ast.kind(form) != NodeKind::Attribute ||
        unit.ast.get<fathom::node::Attribute>(form).name != compile) {
      continue;
    }
    add_transforms(to_abstract(unit, form, arena)[3], transforms);
  }
  if (transforms.empty()) return true;
  if (level_ == kMaxLevels) {
    diagnostics.file_error(
        unit.path, fmt::format("parse transform {} is needed to load itself, or too many others",
                               transforms.front().text()));
    return false;
  }
  if (machines_.size() == level_) machines_.emplace_back();
  if (auto& machine = machines_[level_];
      machine && machine->statistics().reductions > kMostReductions / 2) {
    machine.reset();
  }
  // The budget may be spent meanwhile, which is an exception.
  struct Level {
    explicit Level(size_t& l) : level(l) { ++level; }
    ~Level() { --level; }
    size_t& level;
  };
  Run run(*this, level_, unit, literals, diagnostics);
  const Level level(level_);
  const bool ok = std::ranges::all_of(
      transforms, [&](Atom transform) { return run.apply(transform, options); });
  spoiled_.clear();
  return ok;
}

}  // namespace fathom::session
