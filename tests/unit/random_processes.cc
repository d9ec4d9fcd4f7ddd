// The number of interleavings is kept small by its own estimate: if each operation is one
// event and none waits for another, the events form a tree (each after the one before it in its
// process, or after its process's start), and a tree of n events has n! / (product of the
// sizes of all subtrees) orders.
#include "random_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"

namespace fathom::explore {
namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t below(uint64_t n) { return next_random(state_) % n; }
  bool one_in(uint64_t n) { return below(n) == 0; }
  template <class T, size_t Size>
  const T& of(const T (&choices)[Size]) {
    return choices[below(Size)];
  }

 private:
  uint64_t state_;
};

// What an operation is made of. In its text, $v is a name for variables that no other has, $p and
// $q are processes that are known, $k is a key, $w a key of any kind, $n a small number, $h the
// handle of the operation before.
struct Shape {
  std::string_view text;
  bool is_recorded;
  size_t more = 0;  // events beside its own, at any time after it
};

constexpr Shape kMessages[] = {
    {"$p ! $n", false},
    {"$p ! $n", false},
    {"$p ! $n", false},
    {"$p ! {x, $n}", false},
    {"$p ! {x, $n}", false},
    {"L ! $n", false},
    {"L ! $n", false},
    {"unalias(L)", true},
    {"[$p ! M || M <- [$n, $n]]", false, 1},
    {"spawn(fun() -> $p ! $n end)", false, 2},
    {"receive X$v -> X$v end", true},
    {"receive X$v -> X$v after 0 -> none end", true},
    {"receive $n -> $n; {x, X$v} -> X$v end", true},
    {"receive X$v when is_integer(X$v) -> X$v end", true},
    {"receive X$v when X$v > $n -> X$v after 0 -> none end", true},
    {"receive X$v when not is_integer(X$v) -> X$v after 0 -> none end", true},
    {"receive X$v -> X$v after 10 -> late end", true, 1},
    {"receive $n -> $n after 10 -> late end", true, 1},
};

constexpr Shape kTables[] = {
    {"attempt(fun() -> ets:insert(T, {$k, $n}) end)", false},
    {"attempt(fun() -> ets:lookup(T, $k) end)", true},
    {"attempt(fun() -> ets:lookup(T, $k) end)", true},
    {"attempt(fun() -> ets:insert_new(T, {$k, $n}) end)", true},
    {"attempt(fun() -> ets:delete(T, $k) end)", false},
    {"attempt(fun() -> ets:update_counter(T, $k, 1, {$k, 0}) end)", true},
    {"attempt(fun() -> ets:first(T) end)", true},
};

constexpr Shape kCells[] = {
    {"persistent_term:put(rnd_$k, $n)", false},
    {"persistent_term:get(rnd_$k, none)", true},
    {"atomics:add_get(A, 1, $n)", true},
    {"atomics:put(A, 1, $n)", false},
    {"atomics:get(A, 1)", true},
};

constexpr Shape kLives[] = {
    {"attempt(fun() -> link($p) end)", true},
    {"unlink($p)", false},
    {"exit($p, stop)", false},
    {"exit($p, kill)", false},
    {"exit($p, normal)", false},
    {"process_flag(trap_exit, true)", false},
    {"process_flag(trap_exit, true)", false},
    {"process_flag(trap_exit, false)", false},
    {"is_process_alive($p)", true},
    {"length(processes())", true},
    {"receive X$v -> X$v after 0 -> none end", true},
    {"receive {'DOWN', _, _, _, X$v} -> X$v after 0 -> none end", true},
};

constexpr Shape kNames[] = {
    {"attempt(fun() -> register(name, self()) end)", true},
    {"attempt(fun() -> register(name, $p) end)", true},
    {"attempt(fun() -> register(other, $p) end)", true},
    {"attempt(fun() -> unregister(name) end)", true},
    {"whereis(name) =:= undefined", true},
    {"whereis(name) =:= self()", true},
    {"attempt(fun() -> name ! $n end)", true},
    {"receive X$v -> X$v after 0 -> none end", true},
};

// What is seldom asked for, or touches more than one would think.
constexpr Shape kRare[] = {
    {"attempt(fun() -> ets:take(T, $k) end)", true},
    {"attempt(fun() -> ets:update_counter(T, $k, 1) end)", true},
    {"attempt(fun() -> ets:delete_object(T, {$k, $n}) end)", false},
    {"attempt(fun() -> ets:insert(T, [{a, $n}, {b, $n}]) end)", false},
    {"attempt(fun() -> ets:update_element(T, $k, {2, $n}) end)", true},
    {"attempt(fun() -> ets:match_object(T, {'_', $n}) end)", true},
    {"attempt(fun() -> ets:select_count(T, [{{$k, '_'}, [], [true]}]) end)", true},
    {"attempt(fun() -> ets:select_delete(T, [{{'_', $n}, [], [true]}]) end)", true},
    {"atomics:add(A, 1, $n)", false},
    {"atomics:compare_exchange(A, 1, $n, $n)", true},
    {"persistent_term:erase(rnd_$k)", true},
    {"process_info($p, message_queue_len)", true},
    {"attempt(fun() -> length(element(2, process_info($p, links))) end)", true},
    {"attempt(fun() -> length(element(2, process_info($p, monitors))) end)", true},
    {"attempt(fun() -> length(element(2, process_info($p, monitored_by))) end)", true},
    {"spawn_link(fun() -> ok end)", false, 1},
    {"spawn_link(fun() -> exit(bad) end)", false, 1},
    {"demonitor(element(2, spawn_monitor(fun() -> ok end)), [flush])", false, 2},
    {"begin {_, R$v} = spawn_monitor(fun() -> ok end), Y$v = receive X$v -> X$v after 0 -> none "
     "end, demonitor(R$v, [flush]), Y$v end",
     true, 3},
};

// Messages that are alike, mostly to the test, and what shows whether it matters whose they are.
constexpr Shape kSignals[] = {
    {"P ! done", false}, {"P ! done", false},  {"P ! done", false},
    {"P ! done", false}, {"$p ! done", false}, {"$p ! other", false},
};
constexpr Shape kWaits[] = {
    {"receive done -> done end", true},
    {"receive done -> done end", true},
    {"receive done -> done end", true},
    {"receive done -> done end", true},
    {"receive done -> done; other -> other end", true},
    {"receive done -> done after 0 -> none end", true},
};
constexpr Shape kPlainData[] = {
    {"persistent_term:put(rnd_$k, $n)", false},
    {"persistent_term:get(rnd_$k, none)", true},
    {"persistent_term:get(rnd_$k, none)", true},
};

// ---- Of all that there is: one table for each theme

constexpr Shape kWalks[] = {
    {"attempt(fun() -> ets:insert(T, {$w, $n}) end)", false},
    {"attempt(fun() -> ets:insert(T, {$w, $n}) end)", false},
    {"attempt(fun() -> ets:insert(T, [{$w, $n}, {$w, $n}]) end)", false},
    {"attempt(fun() -> ets:insert_new(T, {$w, $n}) end)", true},
    {"attempt(fun() -> ets:lookup(T, $w) end)", true},
    {"attempt(fun() -> ets:first(T) end)", true},
    {"attempt(fun() -> ets:last(T) end)", true},
    {"attempt(fun() -> ets:next(T, $w) end)", true},
    {"attempt(fun() -> ets:prev(T, $w) end)", true},
    {"attempt(fun() -> ets:next(T, ets:first(T)) end)", true, 1},
    {"attempt(fun() -> ets:delete(T, $w) end)", false},
    {"attempt(fun() -> ets:delete_object(T, {$w, $n}) end)", false},
    {"attempt(fun() -> ets:take(T, $w) end)", true},
    {"attempt(fun() -> ets:safe_fixtable(T, true) end)", true},
    {"attempt(fun() -> ets:safe_fixtable(T, false) end)", true},
    {"attempt(fun() -> ets:info(T, size) end)", true},
    {"attempt(fun() -> ets:info(T, fixed) end)", true},
    {"attempt(fun() -> ets:delete_all_objects(T) end)", false},
    {"attempt(fun() -> lists:sort(ets:tab2list(T)) end)", true},
    {"attempt(fun() -> ets:select_delete(T, [{{'_', $n}, [], [true]}]) end)", true},
    {"attempt(fun() -> ets:select_replace(T, [{{'$1', $n}, [], [{{'$1', 0}}]}]) end)", true},
};

constexpr Shape kOwners[] = {
    {"attempt(fun() -> ets:new(nt, [named_table, public]) end)", true, 1},
    {"attempt(fun() -> ets:new(nt, [named_table, public]) end)", true, 1},
    {"attempt(fun() -> ets:new(nt, [named_table, public, {heir, $p, x}]) end)", true, 2},
    {"attempt(fun() -> ets:delete(nt) end)", true},
    {"attempt(fun() -> ets:delete(nt) end)", true},
    {"attempt(fun() -> ets:delete(T) end)", true},
    {"attempt(fun() -> ets:rename(nt, nu) end)", true},
    {"attempt(fun() -> ets:rename(nu, nt) end)", true},
    {"ets:whereis(nt) =:= undefined", true},
    {"ets:whereis(nu) =:= undefined", true},
    {"attempt(fun() -> ets:give_away(nt, $p, x) end)", true},
    {"attempt(fun() -> ets:setopts(nt, {heir, $p, x}) end)", true},
    {"ets:info(nt, owner) =:= self()", true},
    {"attempt(fun() -> ets:safe_fixtable(nt, true) end)", true, 1},
    {"attempt(fun() -> ets:insert(nt, {a, $n}) end)", true},
    {"attempt(fun() -> ets:lookup(nt, a) end)", true},
    {"length([N || N <- ets:all(), N =:= nt])", true, 1},
    {"receive {'ETS-TRANSFER', _, _, X$v} -> X$v after 0 -> none end", true},
    {"exit($p, kill)", false, 1},
};

constexpr Shape kLooks[] = {
    {"$p ! $n", false},
    {"$p ! {x, $n}", false},
    {"process_info($p, messages)", true},
    {"process_info($p, messages)", true},
    {"process_info($p, message_queue_len)", true},
    {"process_info($p, dictionary)", true},
    {"process_info($p, trap_exit)", true},
    {"process_info($p, priority)", true},
    {"process_info($p, registered_name)", true},
    {"attempt(fun() -> element(2, process_info($p, group_leader)) =:= $q end)", true},
    {"put(a, $n)", true},
    {"erase(a)", true},
    {"process_flag(priority, high)", false},
    {"process_flag(trap_exit, true)", false},
    {"attempt(fun() -> register(name, self()) end)", true},
    {"attempt(fun() -> group_leader($q, $p) end)", true},
    {"attempt(fun() -> group_leader($q, $p) end)", true},
    {"group_leader() =:= $p", true},
    {"group_leader() =:= $q", true},
    {"begin X$v = self(), spawn(fun() -> X$v ! {g, group_leader() =:= $p} end) end", false, 2},
    {"receive X$v -> X$v after 0 -> none end", true},
    {"receive {x, X$v} -> X$v end", true},
};

constexpr Shape kSuspends[] = {
    {"attempt(fun() -> erlang:suspend_process($p) end)", true},
    {"attempt(fun() -> erlang:suspend_process($p) end)", true},
    {"attempt(fun() -> erlang:suspend_process($p, [unless_suspending]) end)", true},
    {"attempt(fun() -> erlang:resume_process($p) end)", true},
    {"attempt(fun() -> erlang:resume_process($p) end)", true},
    {"$p ! $n", false},
    {"$p ! $n", false},
    {"exit($p, stop)", false, 1},
    {"exit($p, kill)", false, 1},
    {"process_flag(trap_exit, true)", false},
    {"receive X$v -> X$v end", true},
    {"receive X$v -> X$v after 0 -> none end", true},
    {"receive X$v -> X$v after 10 -> late end", true, 1},
    {"is_process_alive($p)", true},
    {"attempt(fun() -> link($p) end)", true},
};

constexpr Shape kNamedTimers[] = {
    {"erlang:send_after(10, name, $n)", false, 1},
    {"erlang:send_after(10, $p, $n)", false, 1},
    {"is_integer(erlang:cancel_timer(erlang:send_after(10, name, $n)))", true, 1},
    {"attempt(fun() -> register(name, $p) end)", true},
    {"attempt(fun() -> register(name, self()) end)", true},
    {"attempt(fun() -> unregister(name) end)", true},
    {"attempt(fun() -> name ! $n end)", true},
    {"exit($p, stop)", false, 1},
    {"L ! $n", false},
    {"unalias(L)", true},
    {"receive X$v -> X$v after 0 -> none end", true},
    {"receive X$v -> X$v end", true},
};

constexpr Shape kEnds[] = {
    {"attempt(fun() -> link($p) end)", true},
    {"unlink($p)", false},
    {"monitor(process, $p)", false, 1},
    {"exit($p, stop)", false, 1},
    {"exit($p, kill)", false, 1},
    {"exit($p, normal)", false},
    {"process_flag(trap_exit, true)", false},
    {"spawn_opt(fun() -> ok end, [link, monitor])", false, 1},
    {"spawn_link(fun() -> exit(bad) end)", false, 1},
    {"attempt(fun() -> register(name, self()) end)", true, 1},
    {"whereis(name) =:= undefined", true},
    {"is_process_alive($p)", true},
    {"receive X$v -> X$v after 0 -> none end", true},
    {"receive X$v -> X$v end", true},
    {"exit(early)", false},
};

constexpr Shape kAllCells[] = {
    {"counters:add(C, 1, $n)", false},
    {"counters:sub(C, 1, $n)", false},
    {"counters:put(C, 1, $n)", false},
    {"counters:get(C, 1)", true},
    {"atomics:add(A, 1, $n)", false},
    {"atomics:sub_get(A, 1, $n)", true},
    {"atomics:exchange(A, 1, $n)", true},
    {"atomics:compare_exchange(A, 1, $n, $n)", true},
    {"atomics:get(A, 1)", true},
    {"persistent_term:put(rnd_$k, $n)", false},
    {"persistent_term:erase(rnd_$k)", true},
    {"persistent_term:get(rnd_$k, none)", true},
    {"length([K || {K, _} <- persistent_term:get(), K =:= rnd_a])", true},
};

constexpr Shape kHandles[] = {
    {"H$v = monitor(process, $p)", false},
    {"H$v = erlang:send_after(10, $p, $n)", false, 1},
};
constexpr std::string_view kOnMonitor[] = {
    "demonitor($h, [info])",
    "demonitor($h, [flush, info])",
    "receive {'DOWN', $h, _, _, X$v} -> X$v end",
    "receive {'DOWN', $h, _, _, X$v} -> X$v after 10 -> late end",
};
constexpr std::string_view kOnMonitorRarely[] = {
    "demonitor($h, [flush])",
    "begin receive X$v -> X$v after 0 -> none end, demonitor($h, [flush]) end",
};
constexpr std::string_view kOnTimer[] = {
    "is_integer(erlang:cancel_timer($h))",
    "is_integer(erlang:read_timer($h))",
};

constexpr std::string_view kWideKeys[] = {"1", "1", "1.0", "{1}", "{1.0}", "a", "#{a => 1.0}"};
constexpr std::string_view kTableTypes[] = {"public", "public, ordered_set", "public, ordered_set",
                                            "public, bag", "public, duplicate_bag"};
constexpr std::string_view kAliasModes[] = {"[reply]", "[]", "[explicit_unalias]"};

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

std::string name_of(uint64_t process) { return process == 0 ? "P" : fmt::format("C{}", process); }

// The variables of an operation: unique, so that those of the test do not meet those of funs.
std::string variable(uint64_t process, size_t operation) {
  return fmt::format("{}_{}", process, operation);
}

class Maker {
 public:
  enum class Style : uint8_t { Usual, Rare, Equal, Wide };
  Maker(uint64_t seed, Style style) : random_(seed), style_(style) {}

  RandomProcesses make(bool is_large) {
    constexpr double kMost = 25'000;
    constexpr double kUsual = 8'000;
    constexpr double kLeast = 100;
    constexpr double kLarger = 10'000;
    const double larger = is_large ? kLarger : 1;
    const double most = larger * (random_.one_in(6) ? kMost : kUsual);
    for (uint64_t& theme : themes_) theme = random_.below(8);
    RandomProcesses program;
    if (style_ == Style::Wide) {
      program.table = random_.of(kTableTypes);
      program.alias = random_.of(kAliasModes);
    }
    do {
      program.processes.clear();
      sizes_.clear();
      const uint64_t others = 1 + random_.below(is_large ? 4 : 3);
      const uint64_t longest = 2 + random_.below(3);
      for (uint64_t i = 0; i <= others; ++i) {
        program.processes.push_back(
            process(i, i == 0 ? others : i - 1, 1 + random_.below(longest)));
      }
    } while (orders() < kLeast * larger || orders() > most);
    return program;
  }

 private:
  // The test knows all others; they know those that were started before.
  RandomProcess process(uint64_t index, uint64_t known, size_t length) {
    RandomProcess p;
    p.id = index;
    p.start = random_.one_in(4) ? "spawn_link" : "spawn";
    const uint64_t ending = random_.below(6);
    p.ending = ending == 0  ? RandomProcess::Ending::Normal
               : ending < 4 ? RandomProcess::Ending::Exit
                            : RandomProcess::Ending::Report;
    if (index == 0) p.ending = RandomProcess::Ending::Exit;
    sizes_.emplace_back();
    for (size_t i = 0; i < length; ++i) p.operations.push_back(operation(p, index, known, i));
    if (p.ending == RandomProcess::Ending::Report) {
      sizes_.front().push_back(0);
      sizes_.back().push_back(0);
    }
    for (uint64_t other = 1; other <= known && index != 0; ++other) {
      const std::string name = name_of(other);
      const bool is_known = std::any_of(
          p.operations.begin(), p.operations.end(),
          [&](const RandomOperation& o) { return o.text.find(name) != std::string::npos; });
      if (is_known) p.knows.push_back(other);
    }
    return p;
  }

  RandomOperation operation(const RandomProcess& p, uint64_t index, uint64_t known, size_t i) {
    const std::string own = variable(index, i);
    if (!p.operations.empty() && p.operations.back().text.starts_with("H")) {
      const std::string handle = "H" + variable(index, i - 1);
      const bool is_timer = p.operations.back().text.find("send_after") != std::string::npos;
      const bool is_rare = style_ == Style::Rare && !is_timer && random_.one_in(2);
      const std::string_view text = is_timer  ? random_.of(kOnTimer)
                                    : is_rare ? random_.of(kOnMonitorRarely)
                                              : random_.of(kOnMonitor);
      return finished({text, true, text.find("after") != std::string::npos ? 1U : 0U}, own, index,
                      known, handle);
    }
    return finished(shape(index == 0), own, index, known, "");
  }

  // Mostly of the kinds that the program is about: few things, so that processes meet.
  const Shape& shape(bool is_test) {
    constexpr uint64_t kKinds = 6;
    if (style_ == Style::Wide) return wide_shape();
    if (style_ == Style::Rare && random_.one_in(3)) return random_.of(kRare);
    if (style_ == Style::Equal && !random_.one_in(20)) {
      if (random_.one_in(2)) return random_.of(kPlainData);
      return is_test ? random_.of(kWaits) : random_.of(kSignals);
    }
    switch (random_.one_in(5) ? random_.below(kKinds) : themes_[random_.below(themes_.size())]) {
      case 0:
        return random_.of(kTables);
      case 1:
        return random_.of(kCells);
      case 2:
        return random_.of(kLives);
      case 3:
        return random_.of(kNames);
      case 4:
        return random_.of(kHandles);
      default:
        return random_.of(kMessages);
    }
  }

  // Two themes of a program, so that processes meet; now and then something else.
  const Shape& wide_shape() {
    constexpr uint64_t kKinds = 9;
    const uint64_t theme = random_.one_in(8) ? random_.below(kKinds) : themes_[random_.below(2)];
    switch (theme % kKinds) {
      case 0:
        return random_.of(kWalks);
      case 1:
        return random_.of(kOwners);
      case 2:
      case 3:
        return random_.of(kLooks);
      case 4:
        return random_.of(kSuspends);
      case 5:
        return random_.of(kNamedTimers);
      case 6:
        return random_.of(kEnds);
      case 7:
        return random_.of(kAllCells);
      default:
        return random_.of(kMessages);
    }
  }

  std::string some_process(uint64_t index, uint64_t known) {
    // A process that starts others has them to talk to; one of them mostly the test.
    const uint64_t other = index == 0 ? 1 + random_.below(known) : random_.below(known + 2);
    return other > known ? "self()" : name_of(other);
  }

  RandomOperation finished(const Shape& shape, const std::string& own, uint64_t index,
                           uint64_t known, const std::string& handle) {
    sizes_.back().push_back(shape.more);
    const std::string process = some_process(index, known);
    std::string text = replaced(std::string(shape.text), "$v", own);
    text = replaced(text, "$h", handle);
    text = replaced(text, "$p", process);
    if (text.find("$q") != std::string::npos) {
      text = replaced(text, "$q", some_process(index, known));
    }
    for (size_t at = text.find("$w"); at != std::string::npos; at = text.find("$w")) {
      text.replace(at, 2, random_.of(kWideKeys));
    }
    text = replaced(text, "$k", random_.one_in(3) ? "b" : "a");
    text = replaced(text, "$n", std::to_string(1 + random_.below(3)));
    if (!shape.is_recorded) return {std::move(text), ""};
    return {fmt::format("A{} = seen({})", own, text), "A" + own};
  }

  // An estimate, see above. Each process has its operations and its end; the test its
  // starts of others before.
  double orders() const {
    double product = 1;
    double below = chain(0, 0, product);
    for (size_t i = sizes_.size() - 1; i > 0; --i) {
      below += chain(i, 0, product) + 1;
      product *= below;
    }
    double all = 1;
    for (double n = 2; n <= below; ++n) all *= n;
    return all / product;
  }

  // How many events the process has from that operation on; multiplies the product by the
  // sizes of their subtrees.
  double chain(size_t process, size_t first, double& product) const {
    double size = 1;  // its end
    for (size_t i = sizes_[process].size(); i > first; --i) {
      size += 1 + static_cast<double>(sizes_[process][i - 1]);
      product *= size;
    }
    return size;
  }

  Random random_;
  Style style_;
  std::array<uint64_t, 2> themes_{};        // see shape(); most are about messages
  std::vector<std::vector<size_t>> sizes_;  // of each process and operation: Shape::more
};

std::string saw(const RandomProcess& p) {
  std::string list;
  for (const RandomOperation& operation : p.operations) {
    if (operation.result.empty()) continue;
    list += (list.empty() ? "" : ", ") + operation.result;
  }
  return "[" + list + "]";
}

// What it does, and how it ends.
std::string body(const RandomProcess& p, std::string_view indent) {
  std::string text;
  for (const RandomOperation& operation : p.operations) {
    text += fmt::format("{}{},\n", indent, operation.text);
  }
  switch (p.ending) {
    case RandomProcess::Ending::Normal:
      return fmt::format("{}{}ok", text, indent);
    case RandomProcess::Ending::Exit:
      return fmt::format("{}{}exit({{saw, {}}})", text, indent, saw(p));
    case RandomProcess::Ending::Report:
      return fmt::format("{}{}P ! {{report, {}, {}}}", text, indent, p.id, saw(p));
  }
  return text;
}

constexpr std::string_view kHelpers = R"(
attempt(F) -> try F() catch _:Reason -> Reason end.

seen({'DOWN', _, process, _, Why}) -> {down, Why};
seen({'EXIT', _, Why}) -> {exit, Why};
seen(X) -> X.
)";

}  // namespace

std::string RandomProcesses::text() const {
  std::string others;
  RandomProcess test = processes[0];
  for (size_t i = 1; i < processes.size(); ++i) {
    const RandomProcess& p = processes[i];
    others += fmt::format("    {} = {}(fun() ->\n{}\n    end),\n", name_of(p.id), p.start,
                          body(p, "        "));
    if (p.ending != RandomProcess::Ending::Report) continue;
    test.operations.push_back(
        {fmt::format("R{0} = receive {{report, {0}, S{0}}} -> S{0} end", p.id),
         fmt::format("R{}", p.id)});
  }
  const std::string all = others + body(test, "    ");
  std::string setup;
  if (all.find("(T, ") != std::string::npos || all.find("(T)") != std::string::npos) {
    setup += fmt::format("    T = ets:new(t, [{}]),\n", table);
  }
  if (all.find("L ! ") != std::string::npos || all.find("(L)") != std::string::npos) {
    setup += fmt::format("    L = alias({}),\n", alias);
  }
  if (all.find("(A, ") != std::string::npos) setup += "    A = atomics:new(1, []),\n";
  if (all.find("(C, ") != std::string::npos) setup += "    C = counters:new(1, [atomics]),\n";
  return fmt::format("-module(rnd).\n-export([test/0]).\n\ntest() ->\n    P = self(),\n{}{}.\n{}",
                     setup, all, kHelpers);
}

bool RandomProcesses::start_in_another_order() {
  // Any two neighbours of which the later does not know the earlier.
  for (size_t i = 1; i + 1 < processes.size(); ++i) {
    const RandomProcess& later = processes[i + 1];
    if (std::find(later.knows.begin(), later.knows.end(), processes[i].id) != later.knows.end())
      continue;
    std::swap(processes[i], processes[i + 1]);
    return true;
  }
  return false;
}

RandomProcesses random_program(uint64_t seed) {
  return Maker(seed, Maker::Style::Usual).make(false);
}
RandomProcesses rare_random_program(uint64_t seed) {
  return Maker(seed, Maker::Style::Rare).make(false);
}
RandomProcesses equal_random_program(uint64_t seed) {
  return Maker(seed, Maker::Style::Equal).make(false);
}
RandomProcesses large_random_program(uint64_t seed) {
  return Maker(seed, Maker::Style::Usual).make(true);
}
RandomProcesses wide_random_program(uint64_t seed) {
  return Maker(seed, Maker::Style::Wide).make(false);
}
RandomProcesses large_wide_random_program(uint64_t seed) {
  return Maker(seed, Maker::Style::Wide).make(true);
}
RandomProcesses large_equal_random_program(uint64_t seed) {
  return Maker(seed, Maker::Style::Equal).make(true);
}

RandomProcesses shrink(RandomProcesses program,
                       const std::function<bool(const RandomProcesses&)>& holds) {
  bool has_changed = true;
  const auto attempt = [&](auto change) {
    RandomProcesses smaller = program;
    change(smaller);
    if (!holds(smaller)) return;
    program = std::move(smaller);
    has_changed = true;
  };
  while (has_changed) {
    has_changed = false;
    for (size_t p = program.processes.size(); p-- > 0;) {
      for (size_t i = program.processes[p].operations.size(); i-- > 0;) {
        attempt([&](RandomProcesses& smaller) {
          auto& operations = smaller.processes[p].operations;
          operations.erase(operations.begin() + static_cast<std::ptrdiff_t>(i));
        });
      }
      if (p > 0 && p + 1 == program.processes.size()) {
        attempt([](RandomProcesses& smaller) { smaller.processes.pop_back(); });
      }
    }
  }
  return program;
}

}  // namespace fathom::explore
