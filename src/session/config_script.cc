#include "session/config_script.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/budget.h"
#include "machine/assertion.h"
#include "machine/driver.h"
#include "machine/outcome_text.h"
#include "session/session.h"
#include "syntax/app_dir.h"

namespace fathom::session {

Result<std::string> run_config_script(const std::string& script, const ProjectOptions& options) {
  constexpr double kSeconds = 10;
  // Within the limits of the command, so that it is the script that is said to have met them.
  Budget::Limits limits{kSeconds, 0};
  if (const Budget* outer = Budget::current()) {
    limits = outer->limits();
    limits.seconds = limits.seconds > 0 ? std::min(limits.seconds, kSeconds) : kSeconds;
  }
  Budget budget(limits);
  const BudgetScope scope(budget);
  SessionOptions own;
  own.project.otp = options.otp;
  own.project.code_path = options.code_path;
  own.project.ignore_projects = true;
  Session session(own);
  const std::string path = absolute_path(script);
  const auto expression = session.read_expression(fmt::format(
      "Script = \"{0}\", "
      "Config = case file:consult(filename:rootname(Script, \".script\")) of "
      "{{ok, Terms}} -> Terms; {{error, enoent}} -> [] end, "
      "{{ok, Value}} = file:script(Script, [{{'CONFIG', Config}}, {{'SCRIPT', Script}}]), "
      "List = if is_list(Value) -> Value; true -> [Value] end, "
      "unicode:characters_to_binary([io_lib:format(\"~tw.~n\", [Term]) || Term <- List])",
      path));
  if (!expression) return Error{"its path cannot be written as an Erlang string"};
  const auto m = session.make_machine(machine::Limits());
  expression->load_into(*m);
  m->start(expression->module, expression->function, {});
  machine::RoundRobin in_turn;
  const std::optional<machine::Outcome> outcome = machine::drive(*m, in_turn);
  if (!outcome) return Error{"it does not end"};
  if (outcome->kind != machine::Outcome::Kind::Value) return Error{machine::outcome_text(*outcome)};
  return machine::text_of(outcome->value);
}

}  // namespace fathom::session
