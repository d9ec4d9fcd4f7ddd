#include "random_values.h"

#include <fmt/format.h>

#include <random>
#include <string_view>
#include <vector>

namespace fathom::machine {
namespace {

enum class Type : uint8_t { Integer, Atom, List, Pair, Map, Binary, Any };
constexpr size_t kTypes = 6;  // but for Any

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text =
        "main() -> {f0({a, 1}, [b, 2], c), f1({x, y}, [{a, 1}, 3], {d, #{a => b}}), "
        "f2({[], 2}, [a], <<1, 2, 3>>), f3({0, b}, [], [c | 4])}.\n";
    for (size_t i = 0; i < kFunctions; ++i) text += function(i);
    return text;
  }

 private:
  static constexpr size_t kFunctions = 4;
  struct Variable {
    std::string name;
    Type type;
  };

  size_t below(size_t n) { return random_() % n; }
  bool one_in(size_t n) { return below(n) == 0; }
  std::string fresh() { return fmt::format("V{}", next_++); }
  std::string atom() { return std::string(1, static_cast<char>('a' + below(4))); }
  std::string digit() { return fmt::format("{}", below(5)); }

  std::string function(size_t number) {
    variables_ = {{"A", Type::Pair}, {"B", Type::List}, {"C", Type::Any}};
    current_ = number;
    std::string text = fmt::format("f{}(A, B, C) ->\n", number);
    const size_t lines = 2 + below(4);
    for (size_t i = 0; i < lines; ++i) {
      const auto type = static_cast<Type>(below(kTypes + 1));
      const std::string value = expression(type, 4);
      const std::string name = fresh();
      text += fmt::format("  {} = {},\n", name, value);
      variables_.push_back({name, type});
    }
    // Garbage, so that there are collections in a run without marks.
    if (one_in(8)) text += "  lists:duplicate(300000, x),\n";
    return text + fmt::format("  {{A, B, C, {}}}.\n", expression(Type::Any, 4));
  }

  std::string variable(Type type, std::string otherwise) {
    std::vector<std::string> fitting;
    for (const Variable& v : variables_) {
      if (v.type == type || type == Type::Any) fitting.push_back(v.name);
    }
    return fitting.empty() ? otherwise : fitting[below(fitting.size())];
  }

  std::string expression(Type type, size_t depth) {
    switch (type) {
      case Type::Integer:
        return integer(depth);
      case Type::Atom:
        return atomic(depth);
      case Type::List:
        return list(depth);
      case Type::Pair:
        return pair(depth);
      case Type::Map:
        return map(depth);
      case Type::Binary:
        return binary(depth);
      case Type::Any:
        break;
    }
    return any(depth);
  }
  std::string any_below(size_t depth) { return expression(Type::Any, depth - 1); }

  std::string integer(size_t depth) {
    if (depth == 0) return one_in(2) ? digit() : variable(Type::Integer, digit());
    switch (below(5)) {
      case 0:
        return fmt::format("({} + {})", integer(depth - 1), integer(depth - 1));
      case 1:
        return fmt::format("length({})", list(depth - 1));
      case 2:
        return fmt::format("hd([{} | {}])", integer(depth - 1), list(depth - 1));
      case 3:
        return fmt::format("element(2, {{{}, {}}})", any_below(depth), integer(depth - 1));
      default:
        return integer(0);
    }
  }

  std::string atomic(size_t depth) {
    if (depth == 0) return one_in(2) ? atom() : variable(Type::Atom, atom());
    switch (below(4)) {
      case 0:
        return fmt::format("({} < {})", integer(depth - 1), integer(depth - 1));
      case 1:
        return fmt::format("is_atom({})", any_below(depth));
      case 2:
        return fmt::format("({} =:= {})", atomic(depth - 1), atomic(depth - 1));
      default:
        return atomic(0);
    }
  }

  std::string list(size_t depth) {
    if (depth == 0) return one_in(3) ? "[]" : one_in(2) ? "[a, 1]" : variable(Type::List, "[b]");
    switch (below(8)) {
      case 0:
        return fmt::format("[{} | {}]", any_below(depth), list(depth - 1));
      case 1:
        return fmt::format("({} ++ {})", list(depth - 1), list(depth - 1));
      case 2:
        return fmt::format("lists:reverse({}, {})", list(depth - 1), list(depth - 1));
      case 3:
        return fmt::format("tuple_to_list({})", pair(depth - 1));
      case 4:
        return fmt::format("maps:{}({})", one_in(2) ? "keys" : "values", map(depth - 1));
      case 5:
        return fmt::format("tl([{} | {}])", any_below(depth), list(depth - 1));
      case 6: {
        const std::string item = fresh();
        return fmt::format("[{} || {} <- {}]", item, item, list(depth - 1));
      }
      default:
        return list(0);
    }
  }

  std::string pair(size_t depth) {
    if (depth == 0) return one_in(2) ? "{a, 1}" : variable(Type::Pair, "{b, 2}");
    switch (below(6)) {
      case 0:
        return fmt::format("{{{}, {}}}", any_below(depth), any_below(depth));
      case 1:
        return fmt::format("setelement({}, {}, {})", 1 + below(2), pair(depth - 1),
                           any_below(depth));
      case 2:
        return fmt::format("list_to_tuple([{}, {}])", any_below(depth), any_below(depth));
      case 3: {
        const std::string key = atom();
        return fmt::format("lists:keyfind({}, 1, [{{x, {}}}, {{{}, {}}}])", key, any_below(depth),
                           key, any_below(depth));
      }
      case 4:
        return fmt::format("erlang:append_element({{{}}}, {})", any_below(depth), any_below(depth));
      default:
        return pair(0);
    }
  }

  std::string map(size_t depth) {
    if (depth == 0) return one_in(2) ? "#{a => 1}" : variable(Type::Map, "#{}");
    switch (below(7)) {
      case 0:
        return fmt::format("#{{{} => {}, {} => {}}}", atomic(depth - 1), any_below(depth),
                           integer(depth - 1), any_below(depth));
      case 1:
        return fmt::format("({})#{{{} => {}}}", map(depth - 1), atom(), any_below(depth));
      case 2:
        return fmt::format("maps:put({}, {}, {})", atomic(depth - 1), any_below(depth),
                           map(depth - 1));
      case 3:
        return fmt::format("maps:remove({}, {})", atom(), map(depth - 1));
      case 4:
        return fmt::format("maps:merge({}, {})", map(depth - 1), map(depth - 1));
      case 5:
        return fmt::format("maps:from_list([{{{}, {}}}, {{{}, {}}}])", atomic(depth - 1),
                           any_below(depth), atomic(depth - 1), any_below(depth));
      default:
        return map(0);
    }
  }

  std::string binary(size_t depth) {
    if (depth == 0) return one_in(2) ? "<<1, 2>>" : variable(Type::Binary, "<<3>>");
    if (one_in(2))
      return fmt::format("<<({}):8, ({})/binary>>", integer(depth - 1), binary(depth - 1));
    return fmt::format("<<({})/binary, ({}):16>>", binary(depth - 1), integer(depth - 1));
  }

  // ---- Of any type

  std::string any(size_t depth) {
    if (depth == 0) return variable(Type::Any, atom());
    switch (below(18)) {
      case 0:
      case 1:
      case 2:
      case 16:
      case 17:
        return cases(depth);
      case 3: {
        const std::string parameter = fresh();
        const Variable bound{parameter, Type::Any};
        return fmt::format("(fun({}) -> {} end)({})", parameter, with({bound}, Type::Any, depth),
                           any_below(depth));
      }
      case 4:
        return raising(depth);
      case 5:
        return messages(depth);
      case 6:
        return dictionary(depth);
      case 7:
        return fmt::format("element({}, {})", 1 + below(2), pair(depth - 1));
      case 8:
        return fmt::format("maps:get(k, ({})#{{k => {}}})", map(depth - 1), any_below(depth));
      case 9:
        return fmt::format("maps:find({}, {})", atom(), map(depth - 1));
      case 10:
        return table(depth);
      case 11:
        if (current_ + 1 < kFunctions) {
          return fmt::format("f{}({}, {}, {})", current_ + 1 + below(kFunctions - current_ - 1),
                             pair(depth - 1), list(depth - 1), any_below(depth));
        }
        [[fallthrough]];
      default:
        return expression(static_cast<Type>(below(kTypes)), depth - 1);
    }
  }

  // An expression that sees these too.
  std::string with(const std::vector<Variable>& bound, Type type, size_t depth) {
    const size_t before = variables_.size();
    variables_.insert(variables_.end(), bound.begin(), bound.end());
    std::string text = expression(type, depth - 1);
    variables_.resize(before);
    return text;
  }

  std::string pattern(std::vector<Variable>& bound) {
    const auto bind = [&](Type type) {
      bound.push_back({fresh(), type});
      return bound.back().name;
    };
    switch (below(9)) {
      case 0:
        return atom();
      case 1:
        return digit();
      case 2:
        return "[]";
      case 3: {
        const std::string head = bind(Type::Any);
        return fmt::format("[{} | {}]", head, bind(Type::Any));
      }
      case 4: {
        const std::string first = bind(Type::Any);
        return fmt::format("{{{}, {}}}", first, bind(Type::Any));
      }
      case 5:
        return fmt::format("{{{}, {}}}", atom(), bind(Type::Any));
      case 6:
        return fmt::format("#{{{} := {}}}", atom(), bind(Type::Any));
      case 7: {
        const std::string first = bind(Type::Integer);
        return fmt::format("<<{}:8, {}/binary>>", first, bind(Type::Binary));
      }
      default:
        return one_in(2) ? variable(Type::Any, "true") : "true";
    }
  }

  std::string guard(const std::vector<Variable>& bound) {
    if (bound.empty() || !one_in(3)) return "";
    const std::string name = bound[below(bound.size())].name;
    switch (below(4)) {
      case 0:
        return fmt::format(" when is_atom({})", name);
      case 1:
        return fmt::format(" when is_list({}) orelse {} =:= a", name, name);
      case 2:
        return fmt::format(" when is_tuple({}), {} =:= {{a, 1}}", name, name);
      default:
        return fmt::format(" when is_integer({}) andalso {} + 1 < 4; is_map({})", name, name, name);
    }
  }

  std::string clauses(size_t depth) {
    std::string text;
    for (size_t i = 1 + below(3); i > 0; --i) {
      std::vector<Variable> bound;
      const std::string head = pattern(bound);
      text += fmt::format("{}{} -> {}; ", head, guard(bound), with(bound, Type::Any, depth));
    }
    return text;
  }

  std::string cases(size_t depth) {
    const std::string subject = any_below(depth);
    return fmt::format("case {} of {}_ -> {} end", subject, clauses(depth), any_below(depth));
  }

  std::string raising(size_t depth) {
    const std::string_view what = one_in(3) ? "error" : one_in(2) ? "exit" : "throw";
    const std::string value = any_below(depth);
    std::vector<Variable> bound;
    const std::string caught = pattern(bound);
    const std::string rest = fresh();
    return fmt::format("try {}({}) catch {}:{} -> {}; {}:{} -> {{{}}} end", what, value, what,
                       caught, with(bound, Type::Any, depth), what == "exit" ? "exit" : "_", rest,
                       rest);
  }

  // To itself, or from a process that it has started.
  std::string messages(size_t depth) {
    const std::string tag = atom();
    const std::string value = fresh();
    if (one_in(3)) {
      const std::string sent = any_below(depth);
      return fmt::format("begin self() ! {}, receive {}_ -> {} after 0 -> none end end", sent,
                         clauses(depth), any_below(depth));
    }
    if (one_in(2)) {
      return fmt::format(
          "begin self() ! {{{}, {}}}, receive {{{}, {}}} -> {} after 0 -> none end end", tag,
          any_below(depth), tag, value, with({{value, Type::Any}}, Type::Any, depth));
    }
    const std::string self = fresh();
    const std::string made = any_below(depth);
    return fmt::format(
        "begin {} = self(), spawn(fun() -> {} ! {{{}, {}}} end), "
        "receive {{{}, {}}} -> {} after 100000 -> none end end",
        self, self, tag, pure(made), tag, value, with({{value, Type::Any}}, Type::Any, depth));
  }

  // What another process computes must not depend on its mailbox or dictionary.
  std::string pure(const std::string& text) {
    for (const std::string_view word :
         {"self", "receive", "put(", "get(", "erase(", "ets:", "f1(", "f2(", "f3("}) {
      if (text.find(word) != std::string::npos) return variable(Type::Any, "a");
    }
    return text;
  }

  std::string dictionary(size_t depth) {
    const std::string key = atom();
    switch (below(3)) {
      case 0:
        return fmt::format("begin put({}, {}), get({}) end", key, any_below(depth), atom());
      case 1:
        return fmt::format("put({}, {})", key, any_below(depth));
      default:
        return fmt::format("erase({})", key);
    }
  }

  std::string table(size_t depth) {
    const std::string name = fresh();
    const std::string key = atom();
    const std::string object = any_below(depth);
    return fmt::format(
        "begin {} = ets:new(t, []), ets:insert({}, {{{}, {}}}), ets:lookup({}, {}) end", name, name,
        key, pure(object), name, atom());
  }

  std::mt19937_64 random_;
  size_t next_ = 0;
  size_t current_ = 0;
  std::vector<Variable> variables_;
};

}  // namespace

std::string random_values_program(uint64_t seed) { return Generator(seed).program(); }

}  // namespace fathom::machine
