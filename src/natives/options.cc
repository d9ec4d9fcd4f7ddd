#include "natives/options.h"

#include "machine/machine.h"
#include "values/maps.h"

namespace fathom::machine {

Value bad_option(Context& c, std::string_view name, std::span<const Value> arguments,
                 std::string_view cause, std::string_view module) {
  const Value pairs[] = {Value(atoms::module), atom("erl_erts_errors"), atom("cause"), atom(cause)};
  const std::span<const Value> told = std::span(pairs).first(cause.empty() ? 2 : 4);
  const Value info = c.heap.tuple({atom("error_info"), map_from_pairs(c.heap, told)});
  c.badarg();
  c.machine.state.pending.top =
      c.heap.tuple({atom(module), atom(name), c.heap.list(arguments), c.heap.list({&info, 1})});
  return Value::none();
}

}  // namespace fathom::machine
