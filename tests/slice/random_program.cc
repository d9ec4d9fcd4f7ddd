#include "random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace fathom::slice {
namespace {

enum class Type : uint8_t { Int, List, Tuple, Map, Record, Fun };
constexpr Type kTypes[] = {Type::Int,   Type::Int,   Type::List, Type::List,
                           Type::Tuple, Type::Tuple, Type::Map,  Type::Record};

struct Variable {
  std::string name;
  Type type;
};
using Scope = std::vector<Variable>;

class Maker {
 public:
  Maker(uint64_t seed, bool is_concurrent)
      : random_(seed * 7919 + 13), is_concurrent_(is_concurrent) {}

  RandomProgram make() {
    functions_ = 2 + below(3);
    std::string text =
        "-module(t).\n-export([main/2]).\n-record(r, {a = 1, b = [], c}).\n\n"
        "main(A, B) ->\n    " +
        steps_of_input();
    if (is_concurrent_) {
      text +=
          "ets:new(tab, [named_table, public]),\n    ets:insert(tab, {key, 1}),\n    "
          "f1(3, A, B).\n\n"
          "ask(F) ->\n    Self = self(),\n    Ref = make_ref(),\n"
          "    spawn(fun() -> Self ! {Ref, F(), 0} end),\n"
          "    receive {Ref, R, _} -> R after 100 -> late end.\n";
    } else {
      text += "f1(3, A, B).\n";
    }
    for (uint32_t i = 1; i <= functions_; ++i) text += "\n" + function(i);
    text += "\n" + steps() + commands_of_input();
    RandomProgram result;
    result.text = text;
    for (uint32_t id = 1; id <= shown_; ++id) place(result, id);
    return result;
  }

 private:
  static void place(RandomProgram& program, uint32_t id) {
    const size_t at = program.text.find(fmt::format("erlang:display({{{},", id));
    if (at == std::string::npos) return;
    const std::string before = program.text.substr(0, at);
    const auto line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
    const size_t newline = before.rfind('\n');
    program.shown.push_back({id, line, static_cast<uint32_t>(at - newline)});
  }

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  bool chance(uint32_t one_in) { return below(one_in) == 0; }
  std::string fresh() { return fmt::format("V{}", ++variables_); }

  std::string literal(Type type) {
    switch (type) {
      case Type::Int:
        return chance(12) ? "a" : std::to_string(below(5));
      case Type::List:
        return chance(3) ? "[]" : fmt::format("[{}, {}]", below(4), below(4));
      case Type::Tuple:
        return fmt::format("{{{}, [{}], {}}}", below(3), below(4), below(9));
      case Type::Map:
        return fmt::format("#{{k => {}, l => {}}}", below(3), below(4));
      case Type::Record:
        return fmt::format("#r{{a = {}}}", below(4));
      case Type::Fun:
        return "fun(X) -> X end";
    }
    return "0";
  }

  std::string variable(Type type, const Scope& scope) {
    std::vector<std::string> fitting;
    for (const Variable& v : scope) {
      if (v.type == type) fitting.push_back(v.name);
    }
    return fitting.empty() ? literal(type) : fitting[below(static_cast<uint32_t>(fitting.size()))];
  }

  std::string call(uint32_t depth, const Scope& scope) {
    return fmt::format("f{}(Fuel - 1, {}, {})", 1 + below(functions_),
                       expression(Type::Int, depth, scope), expression(Type::List, depth, scope));
  }

  std::string shown(const std::string& value) {
    return fmt::format("erlang:display({{{}, {}}})", ++shown_, value);
  }

  std::string expression(Type type, uint32_t depth, const Scope& scope) {
    if (depth == 0 || chance(4)) return chance(3) ? literal(type) : variable(type, scope);
    const uint32_t d = depth - 1;
    if (chance(5)) return branch(type, d, scope);
    if (chance(14)) return caught(type, d, scope);
    if (chance(16)) {
      const std::string value = fresh();
      return fmt::format("begin {} = {}, {}, {} end", value, expression(type, d, scope),
                         shown(value), value);
    }
    if (is_concurrent_ && chance(9)) {
      return fmt::format("ask(fun() -> {} end)", expression(type, d, scope));
    }
    if (chance(30)) return fmt::format("throw({})", expression(type, d, scope));
    if (chance(24))
      return fmt::format("(fun({0}) -> {1} end)({2})", fresh(), expression(type, d, scope),
                         expression(Type::Int, d, scope));
    switch (type) {
      case Type::Int:
        return integer(d, scope);
      case Type::List:
        return list(d, scope);
      case Type::Tuple:
        if (chance(4)) return call(d, scope);
        if (chance(4)) return run_of_steps(d, scope);
        if (chance(4))
          return fmt::format("setelement({}, {}, {})", 1 + below(3),
                             expression(Type::Tuple, d, scope), expression(Type::Int, d, scope));
        return fmt::format("{{{}, {}, {}}}", expression(Type::Int, d, scope),
                           expression(Type::List, d, scope), expression(Type::Int, d, scope));
      case Type::Map:
        if (chance(3)) {
          return fmt::format("({})#{{k => {}}}", expression(Type::Map, d, scope),
                             expression(Type::Int, d, scope));
        }
        return fmt::format("#{{k => {}, l => {}}}", expression(Type::Int, d, scope),
                           expression(Type::Int, d, scope));
      case Type::Record:
        if (chance(3)) {
          return fmt::format("({})#r{{b = {}}}", expression(Type::Record, d, scope),
                             expression(Type::List, d, scope));
        }
        return fmt::format("#r{{a = {}, c = {}}}", expression(Type::Int, d, scope),
                           expression(Type::Int, d, scope));
      case Type::Fun:
        break;
    }
    return literal(type);
  }

  std::string integer(uint32_t d, const Scope& scope) {
    const auto e = [&](Type type) { return expression(type, d, scope); };
    switch (below(15)) {
      case 13:
        return fmt::format("lists:foldl(fun {}/2, {}, {})", chance(2) ? "max" : "erlang:'+'",
                           e(Type::Int), e(Type::List));
      case 14: {
        const std::string x = fresh();
        return fmt::format("begin <<{0}, {1}, {2}/binary>> = <<{3}, {4}>>, {5} end", x, fresh(),
                           fresh(), wrapped(e(Type::Int)), wrapped(e(Type::Int)), x);
      }
      case 0:
        return fmt::format("{} + {}", wrapped(e(Type::Int)), wrapped(e(Type::Int)));
      case 1:
        return fmt::format("{} - {}", wrapped(e(Type::Int)), wrapped(e(Type::Int)));
      case 2:
        return fmt::format("{} rem {}", wrapped(e(Type::Int)), wrapped(e(Type::Int)));
      case 3:
        return fmt::format("length({})", e(Type::List));
      case 4:
        return fmt::format("element({}, {})", chance(2) ? 1 : 3, e(Type::Tuple));
      case 5:
        return fmt::format("hd({})", e(Type::List));
      case 6:
        return fmt::format("maps:get({}, {})", chance(2) ? "k" : "l", e(Type::Map));
      case 7:
        return fmt::format("({})#r.{}", e(Type::Record), chance(2) ? "a" : "c");
      case 8:
        return fmt::format("lists:foldl(fun({0}, {1}) -> {0} + {1} end, {2}, {3})", fresh(),
                           "Acc" + fresh(), e(Type::Int), e(Type::List));
      case 9:
        return fmt::format("case {} of {{{}, _, _}} -> {}; _ -> {} end", e(Type::Tuple), below(3),
                           e(Type::Int), e(Type::Int));
      case 10:
        return fmt::format("{} * {}", wrapped(e(Type::Int)), below(3));
      case 11:
        if (is_concurrent_ && chance(2)) {
          return chance(2) ? "ets:lookup_element(tab, key, 2)"
                           : fmt::format("ets:update_element(tab, key, {{2, {}}})", e(Type::Int));
        }
        return chance(2) ? "get(key)" : fmt::format("put(key, {})", e(Type::Int));
      default:
        return fmt::format("sum({})", e(Type::List)).replace(0, 3, "lists:sum");
    }
  }

  std::string list(uint32_t d, const Scope& scope) {
    const auto e = [&](Type type) { return expression(type, d, scope); };
    switch (below(8)) {
      case 0:
        return fmt::format("[{} | {}]", e(Type::Int), e(Type::List));
      case 1:
        return fmt::format("[{}, {}]", e(Type::Int), e(Type::Int));
      case 2: {
        const std::string x = fresh();
        Scope inner = scope;
        const std::string source = e(Type::List);
        inner.push_back({x, Type::Int});
        const std::string filter = chance(2)   ? fmt::format(", {} > {}", x, below(3))
                                   : chance(2) ? fmt::format(", {}", truth(d, inner))
                                               : "";
        return fmt::format("[{} || {} <- {}{}]", expression(Type::Int, d, inner), x, source,
                           filter);
      }
      case 3: {
        const std::string x = fresh();
        const std::string y = fresh();
        Scope inner = scope;
        const std::string first = e(Type::List);
        inner.push_back({x, Type::Int});
        const std::string second = expression(Type::List, d, inner);
        inner.push_back({y, Type::Int});
        return fmt::format("[{} || {} <- {}, {} <- {}]", expression(Type::Int, d, inner), x, first,
                           y, second);
      }
      case 4:
        return fmt::format("tl({})", e(Type::List));
      case 5: {
        const std::string x = fresh();
        Scope inner = scope;
        inner.push_back({x, Type::Int});
        return fmt::format("lists:map(fun({}) -> {} end, {})", x, expression(Type::Int, d, inner),
                           e(Type::List));
      }
      case 6:
        return fmt::format("element(2, {})", e(Type::Tuple));
      default:
        return fmt::format("{} ++ {}", wrapped(e(Type::List)), wrapped(e(Type::List)));
    }
  }

  static std::string wrapped(const std::string& text) { return "(" + text + ")"; }

  std::string truth(uint32_t d, const Scope& scope) {
    const std::string left = wrapped(expression(Type::Int, d, scope));
    const std::string right = wrapped(expression(Type::Int, d, scope));
    switch (below(4)) {
      case 0:
        return fmt::format("{} > {}", left, right);
      case 1:
        return fmt::format("({} =:= {}) orelse ({} < 2)", left, right, variable(Type::Int, scope));
      case 2:
        return fmt::format("is_integer({}) andalso ({} > 0)", left, right);
      default:
        return fmt::format("{} =:= {}", left, right);
    }
  }

  std::string branch(Type type, uint32_t d, const Scope& scope) {
    if (chance(3)) {
      return fmt::format("if {} > {} -> {}; true -> {} end", variable(Type::Int, scope), below(3),
                         body(type, d, scope), body(type, d, scope));
    }
    const std::string x = fresh();
    const std::string y = fresh();
    Scope tuple = scope;
    tuple.push_back({x, Type::Int});
    tuple.push_back({y, Type::List});
    switch (below(4)) {
      case 0:
        return fmt::format("case {} of {{{}, {}, _}} when {} > 0 -> {}; {{_, _, {}}} -> {} end",
                           expression(Type::Tuple, d, scope), x, y, x, body(type, d, tuple),
                           fresh(), body(type, d, scope));
      case 1: {
        Scope cons = scope;
        cons.push_back({x, Type::Int});
        cons.push_back({y, Type::List});
        return fmt::format("case {} of [] -> {}; [{} | {}] -> {} end",
                           expression(Type::List, d, scope), body(type, d, scope), x, y,
                           body(type, d, cons));
      }
      case 2: {
        Scope map = scope;
        map.push_back({x, Type::Int});
        return fmt::format("case {} of #{{k := {}}} -> {}; _ -> {} end",
                           expression(Type::Map, d, scope), x, body(type, d, map),
                           body(type, d, scope));
      }
      default:
        return fmt::format("case {} of true -> {}; {} -> {} end", truth(d, scope),
                           body(type, d, scope), chance(2) ? "false" : "_", body(type, d, scope));
    }
  }

  std::string caught(Type type, uint32_t d, const Scope& scope) {
    const std::string x = fresh();
    Scope inner = scope;
    inner.push_back({x, type});
    switch (below(4)) {
      case 0:
        return fmt::format("try {} catch throw:{} -> {}; _:_ -> {} end", body(type, d, scope), x,
                           expression(type, d, inner), expression(type, d, scope));
      case 1:
        return fmt::format("try {} of {} -> {} catch _:_ -> {} end", body(type, d, scope), x,
                           expression(type, d, inner), expression(type, d, scope));
      case 2:
        return fmt::format("try {} catch error:_ -> {} after {} end", body(type, d, scope),
                           expression(type, d, scope), shown(expression(Type::Int, d, scope)));
      default:
        return fmt::format("case catch {} of {{'EXIT', _}} -> {}; {} -> {} end",
                           wrapped(expression(type, d, scope)), expression(type, d, scope), x, x);
    }
  }

  std::string statement(uint32_t d, Scope& scope) {
    const Type type = kTypes[below(std::size(kTypes))];
    const std::string x = fresh();
    const std::string y = fresh();
    switch (below(9)) {
      case 0: {
        const std::string e = expression(Type::Tuple, d, scope);
        scope.push_back({x, Type::Int});
        scope.push_back({y, Type::List});
        return chance(2) ? fmt::format("{{{}, {}, _}} = {}", x, y, e)
                         : fmt::format("{{_, {1}, {0}}} = {2}", x, y, e);
      }
      case 1: {
        const std::string e = expression(Type::List, d, scope);
        scope.push_back({x, Type::Int});
        scope.push_back({y, Type::List});
        return fmt::format("[{} | {}] = {}", x, y, e);
      }
      case 2:
      case 3: {
        const Type of = kTypes[below(std::size(kTypes))];
        return shown(chance(2) ? variable(of, scope) : expression(of, d, scope));
      }
      case 4: {
        const std::string e =
            fmt::format("case {} of true -> {} = {}; _ -> {} = {} end", truth(d, scope), x,
                        expression(type, d, scope), x, expression(type, d, scope));
        scope.push_back({x, type});
        return e;
      }
      case 5: {
        const std::string e = expression(Type::Record, d, scope);
        scope.push_back({x, Type::Int});
        return fmt::format("#r{{{} = {}}} = {}", chance(2) ? "a" : "c", x, e);
      }
      case 6:
        return expression(type, d, scope);
      default: {
        const std::string e = expression(type, d, scope);
        scope.push_back({x, type});
        return fmt::format("{} = {}", x, e);
      }
    }
  }

  std::string body(Type type, uint32_t d, Scope scope) {
    std::string text;
    for (uint32_t n = below(3); n > 0; --n) text += statement(d, scope) + ",\n    ";
    return text + expression(type, d, scope);
  }

  // A function that goes through commands with a state, as in interpreters and state machines:
  // clauses that differ in the command, in what they ask of the state, and in what they change.
  std::string steps() {
    std::string text = "steps([], S) -> S;\n";
    for (uint32_t n = 2 + below(4); n > 0; --n) {
      const std::string command = commands_[below(std::size(commands_))];
      const char* const first[] = {"N", "N", "0", "N"};
      const char* const second[] = {"L", "[_ | L]", "[]", "[X | L]"};
      const std::string pattern = fmt::format("{{{}, {}, E}}", first[below(4)], second[below(4)]);
      const auto bound = [&](const std::string& v) { return pattern.find(v) != std::string::npos; };
      const std::string number = bound("N") ? (chance(2) ? "N + 1" : "N") : (chance(2) ? "1" : "0");
      const std::string list =
          bound("L") ? (chance(2) ? "L" : "[1 | L]") : (chance(2) ? "[]" : "[2]");
      const std::string last = chance(2) ? "E" : bound("X") ? "X" : "E + 1";
      text += fmt::format("steps([{} | T], {}){} -> {}steps(T, {{{}, {}, {}}});\n", command,
                          pattern, chance(5) ? " when E =/= 2" : "",
                          chance(6) ? shown("E") + ", " : "", number, list, last);
    }
    return text + "steps([_ | T], {N, L, E}) -> steps(T, {N, L, E}).\n";
  }

  // What comes of the steps that the input asks for, part by part.
  std::string steps_of_input() {
    std::string text =
        "{R1, R2, R3} = steps([command(X) || X <- B, is_integer(X)], {0, [], 0}),\n    ";
    for (const char* const part : {"R1", "length(R2)", "R3"}) text += shown(part) + ",\n    ";
    return text;
  }

  static std::string commands_of_input() {
    return "\ncommand(0) -> up;\ncommand(1) -> down;\ncommand(2) -> {put, 2};\n"
           "command(3) -> {take, 1};\ncommand(X) -> {put, X, x}.\n";
  }

  std::string run_of_steps(uint32_t d, const Scope& scope) {
    std::string commands;
    for (uint32_t n = 1 + below(4); n > 0; --n) {
      std::string command = commands_[below(std::size(commands_))];
      if (const size_t at = command.find('_'); at != std::string::npos) {
        command.replace(at, 1, expression(Type::Int, d, scope));
      }
      commands += (commands.empty() ? "" : ", ") + command;
    }
    return fmt::format("steps([{}], {{{}, {}, {}}})", commands, below(2),
                       chance(2) ? "[]" : expression(Type::List, d, scope), below(4));
  }

  std::string function(uint32_t i) {
    const std::string name = fmt::format("f{}", i);
    const Type type = Type::Tuple;
    std::string text =
        fmt::format("{}(Fuel, _, _) when Fuel =< 0 ->\n    {};\n", name, literal(type));
    for (uint32_t n = below(3); n > 0; --n) {
      const std::string x = fresh();
      const std::string y = fresh();
      Scope scope{{"Fuel", Type::Int}, {x, Type::Int}, {y, Type::List}};
      const std::string head =
          chance(2) ? fmt::format("{}(Fuel, {} = {}, [_ | {}])", name, below(4), x, y)
                    : fmt::format("{}(Fuel, {}, {}) when {} > {}", name, x, y, x, below(3));
      text += fmt::format("{} ->\n    {};\n", head, body(type, 2, scope));
    }
    const std::string x = fresh();
    const std::string y = fresh();
    Scope scope{{"Fuel", Type::Int}, {x, Type::Int}, {y, Type::List}};
    std::string statements;
    for (uint32_t n = 2 + below(4); n > 0; --n) {
      statements += statement(3, scope) + ",\n    ";
      if (chance(2)) {
        const std::string r = fresh();
        statements += fmt::format("{} = {},\n    ", r, call(1, scope));
        scope.push_back({r, Type::Tuple});
      }
    }
    return text + fmt::format("{}(Fuel, {}, {}) ->\n    {}{}.\n", name, x, y, statements,
                              expression(type, 2, scope));
  }

  static constexpr const char* commands_[] = {"up", "down", "{put, _}", "{take, _}", "{put, _, x}"};

  std::mt19937_64 random_;
  bool is_concurrent_;
  uint32_t functions_ = 0;
  uint32_t variables_ = 0;
  uint32_t shown_ = 0;
};

}  // namespace

RandomProgram random_program(uint64_t seed) { return Maker(seed, false).make(); }

RandomProgram random_concurrent_program(uint64_t seed) { return Maker(seed, true).make(); }

}  // namespace fathom::slice
