// Whether events that the dependence relation takes to be independent commute, and whether what an
// event enables happens after it: asked of the machine, in states of random executions.
//
// In a state where two actors are enabled, each acts before the other, going back in between. If
// the two events are independent in either order, then both orders must do the same: each event is
// the same as without the other one before it, and afterwards the same actors are enabled, and the
// next event of each is the same. That looks one event ahead only, but in many states, of programs
// of any size, with services and behaviours; explore_random_test.cc compares whole searches, of
// small ones.
//
// COMMUTE=DIR walks through the programs m:test/0 of a folder instead.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "explore/disabled_events.h"
#include "explore/late_signals.h"
#include "machine/outcome_text.h"
#include "machine/services.h"
#include "natives/families.h"
#include "random_processes.h"
#include "samples.h"
#include "session/library.h"
#include "tests_dir.h"

namespace fathom::explore::explore_commute_test {
namespace {

using machine::Machine;

// What an event has done, without anything that depends on where its values lie or on messages that
// lay in a mailbox before.
std::string effect_of(const Record& record) {
  std::string text = fmt::format("{} of {}", static_cast<int>(record.event.kind), record.process);
  if (record.event.native) {
    text +=
        fmt::format(" {}:{}", record.event.native->module.text(), record.event.native->name.text());
  }
  // An arrival has what it has found, for reports.
  if (record.event.kind != machine::EventKind::Arrival) {
    for (const machine::Value argument : record.event.arguments) {
      text += " " + machine::value_text(argument);
    }
  }
  text +=
      " -> " + (record.event.result.is_none() ? "none" : machine::value_text(record.event.result));
  for (const auto& sent : record.event.sent) {
    // One that is lost does not say which process a monitor was for.
    const bool is_notice = !sent.monitor.is_none();
    text += fmt::format("; to {}: {}", sent.to,
                        machine::value_text(is_notice ? sent.monitor : sent.message));
  }
  for (const auto& exit : record.event.exits) {
    text += fmt::format("; ends {}: {}", machine::value_text(exit.process),
                        machine::value_text(exit.reason));
  }
  return text;
}

// The same, and what it has accessed.
std::string text_of(const Record& record) {
  std::vector<std::string> footprints;
  for (const Footprint& f : record.footprints) {
    footprints.push_back(fmt::format("\n      {} {} of {} part {:x} content {:x}",
                                     static_cast<int>(f.mode), static_cast<int>(f.object), f.id,
                                     f.is_whole ? 0 : f.part, f.content));
  }
  std::ranges::sort(footprints);
  return fmt::format("{}{}", effect_of(record), fmt::join(footprints, ""));
}

class Walk {
 public:
  // The machine has started its first process.
  Walk(Machine& m, uint64_t seed) : machine_(m), execution_(m, 1'000'000'000), random_(seed) {}

  // So many executions; from the beginning again where it has learnt what is watched. What is
  // wrong; empty: nothing.
  std::string run(size_t count) {
    const Machine::Mark beginning = machine_.mark();
    execution_.actors().assumptions().allow_invisible_exits();
    for (size_t i = 0; i < count && fault_.empty(); ++i) {
      execution_.actors().assumptions().begin();
      execution_.begin();
      walk();
      find_late_signals();
      execution_.clear();
      machine_.rewind(beginning);
      execution_.actors().assumptions().restart();
    }
    return fault_;
  }
  size_t pairs() const { return pairs_; }

 private:
  static constexpr size_t kMaxSteps = 150;

  Assumptions& assumptions() { return execution_.actors().assumptions(); }
  bool is_over() { return !fault_.empty() || assumptions().needs_restart(); }

  void walk() {
    std::vector<ActorId> enabled;
    for (size_t i = 0; i < kMaxSteps && !machine_.outcome; ++i) {
      if (!execution_.find_enabled(enabled)) return;
      const ActorId next = any(enabled);
      for (const ActorId other : enabled) {
        if (other == next) continue;
        compare(next, other);
        if (is_over()) return;
      }
      find_enabled_by(next);
      if (is_over()) return;
      execution_.advance(next);
      if (is_over()) return;
    }
  }

  void find_late_signals() {
    if (machine_.mode().delays_delivery || is_over()) return;
    std::vector<machine::Channel> late;
    LateSignals(execution_.trace(), execution_.actors()).find({}, late);
    for (const machine::Channel& channel : late) assumptions().note_late(channel);
  }

  ActorId any(const std::vector<ActorId>& actors) { return actors[random_() % actors.size()]; }

  // Two events, one after the other.
  struct Pair {
    bool has_second = false;   // it was possible after the first
    bool is_disabled = false;  // and if not, the search knows
    bool is_dependent = false;
    bool happens_before = false;
    std::string first;
    std::string second;
    std::map<std::string, std::string> next;  // the next event of each actor
    std::vector<uint64_t> mailboxes;          // to which both send
  };

  std::string next_effect(ActorId actor) {
    const RecordPtr record = execution_.perform(actor);
    std::string text = effect_of(*record);
    execution_.rewind();
    return text;
  }

  Pair in_order(ActorId a, ActorId b) {
    Pair pair;
    RecordPtr first = execution_.perform(a);
    DisabledEvents(execution_).find(a, *first);
    pair.is_disabled = std::ranges::any_of(
        first->disabled, [&](const RecordPtr& other) { return other->id.actor == b; });
    pair.first = text_of(*first);
    execution_.push(std::move(first));
    if (!machine_.outcome && execution_.is_enabled(b)) {
      pair.has_second = true;
      execution_.advance(b);
      const Trace& trace = execution_.trace();
      const EventIndex last = trace.end() - 1;
      pair.second = text_of(trace[last]);
      pair.is_dependent = execution_.dependence().are_dependent(trace[last - 1], trace[last]);
      pair.happens_before = trace.happens_before(last - 1, last);
      note_mailboxes(trace[last - 1], trace[last], pair);
      note_next(pair);
      execution_.retreat();
    }
    execution_.retreat();
    execution_.rewind();
    return pair;
  }

  static void note_mailboxes(const Record& a, const Record& b, Pair& pair) {
    for (const auto& x : a.event.sent) {
      for (const auto& y : b.event.sent) {
        if (x.to == y.to) pair.mailboxes.push_back(x.to);
      }
    }
  }

  void note_next(Pair& pair) {
    if (machine_.outcome) return;
    std::vector<ActorId> enabled;
    execution_.for_each_enabled([&](ActorId actor) {
      enabled.push_back(actor);
      return false;
    });
    for (const ActorId actor : enabled) {
      const machine::Process* p = execution_.actors().process(actor);
      const bool may_observe = p && std::ranges::count(pair.mailboxes, p->pid.local_number()) > 0;
      pair.next[execution_.actors().name(actor)] = may_observe ? "" : next_effect(actor);
    }
  }

  void compare(ActorId a, ActorId b) {
    ++pairs_;
    const Pair ab = in_order(a, b);
    if (is_over()) return;
    const Pair ba = in_order(b, a);
    if (is_over()) return;
    if (!ab.has_second || !ba.has_second) {
      if (!ab.has_second && !ab.is_disabled) check_disabled(a, b, ab, ba);
      if (!ba.has_second && !ba.is_disabled) check_disabled(b, a, ba, ab);
      return;
    }
    const auto is_free = [](const Pair& pair) {
      return !pair.is_dependent || !pair.happens_before;
    };
    if (!is_free(ab) && !is_free(ba)) return;
    if (ab.first != ba.second) return fail("the first is another", a, b, ab, ba);
    if (ab.second != ba.first) return fail("the second is another", a, b, ab, ba);
    if (ab.next != ba.next) return fail("what comes next is another", a, b, ab, ba);
  }

  // An end of the run cuts everything off.
  void check_disabled(ActorId a, ActorId b, const Pair& ab, const Pair& ba) {
    const RecordPtr record = execution_.perform(a);
    const bool ends = machine_.outcome.has_value();
    execution_.rewind();
    if (!ends) fail("disabled without being known", a, b, ab, ba);
  }

  // What can act only since the event, of another actor, happens after it.
  void find_enabled_by(ActorId actor) {
    std::vector<ActorId> before;
    execution_.for_each_enabled([&](ActorId a) {
      before.push_back(a);
      return false;
    });
    execution_.advance(actor);
    std::vector<ActorId> after;
    if (!machine_.outcome) {
      execution_.for_each_enabled([&](ActorId a) {
        after.push_back(a);
        return false;
      });
    }
    for (const ActorId other : after) {
      if (other == actor || std::ranges::count(before, other) > 0 || is_over()) continue;
      execution_.advance(other);
      const Trace& trace = execution_.trace();
      const EventIndex last = trace.end() - 1;
      if (!trace.happens_before(last - 1, last)) {
        fault_ = fmt::format("{} enables {}, which does not happen after it:\n  {}\n  {}",
                             execution_.actors().name(actor), execution_.actors().name(other),
                             text_of(trace[last - 1]), text_of(trace[last]));
        tell_what_came_before();
      }
      execution_.retreat();
      execution_.rewind();
    }
    execution_.retreat();
    execution_.rewind();
  }

  void fail(std::string_view what, ActorId a, ActorId b, const Pair& ab, const Pair& ba) {
    const auto shown = [&](const Pair& pair) {
      std::string text = fmt::format("    {}\n    {}\n    dependent {} ordered {}", pair.first,
                                     pair.second, pair.is_dependent, pair.happens_before);
      const Pair& other = &pair == &ab ? ba : ab;
      for (const auto& [actor, next] : pair.next) {
        const auto found = other.next.find(actor);
        if (found != other.next.end() && found->second == next) continue;
        text += fmt::format("\n    then {}: {}", actor, next);
      }
      return text;
    };
    fault_ =
        fmt::format("{}: {} and {}\n  in this order\n{}\n  and in the other\n{}\n  after", what,
                    execution_.actors().name(a), execution_.actors().name(b), shown(ab), shown(ba));
    tell_what_came_before();
  }

  void tell_what_came_before() {
    for (EventIndex i{}; i < execution_.trace().end(); ++i) {
      fault_ += "\n    " + effect_of(execution_.trace()[i]);
    }
  }

  Machine& machine_;
  Execution execution_;
  std::mt19937_64 random_;
  std::string fault_;
  size_t pairs_ = 0;
};

machine::Mode mode_of(bool delays) {
  machine::Mode mode = machine::kSearchMode;
  mode.is_silent = true;
  mode.delays_delivery = delays;
  return mode;
}

const size_t kWalks = std::getenv("WALKS") ? std::strtoull(std::getenv("WALKS"), nullptr, 10) : 8;

std::string fault_of(Machine& m, std::string_view module, uint64_t seed, size_t& pairs) {
  m.start(Atom::intern(module), Atom::intern("test"), {});
  Walk walk(m, seed);
  std::string fault = walk.run(kWalks);
  pairs += walk.pairs();
  return fault;
}

class CommutingEvents : public ::testing::TestWithParam<bool> {
 protected:
  // Empty: nothing is wrong, or it does not compile.
  std::string fault_of_text(const std::string& text, uint64_t seed) {
    Diagnostics diagnostics;
    auto found = library_.from_text("rnd.erl", text, diagnostics);
    if (!found || diagnostics.has_errors()) return "";
    Machine m(library_, machine::native_table(), machine::Limits{}, mode_of(GetParam()));
    m.code().load(std::move(found->unit), std::move(found->core));
    return fault_of(m, "rnd", seed, pairs_);
  }

  std::string fault_of_call(const std::string& call, uint64_t seed) {
    Diagnostics diagnostics;
    auto found = library_.from_text(
        "call", fmt::format("-module(call). -export([test/0]).\ntest() -> {}.\n", call),
        diagnostics);
    if (!found || diagnostics.has_errors()) return "does not compile";
    Machine m(library_, machine::native_table(), machine::Limits{}, mode_of(GetParam()));
    m.code().load(std::move(found->unit), std::move(found->core));
    return fault_of(m, "call", seed, pairs_);
  }

  Reader reader_;
  Project project_{ProjectOptions::from_environment()};
  session::Library library_{reader_, project_};
  size_t pairs_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Late, CommutingEvents, ::testing::Bool());

TEST_P(CommutingEvents, OfRandomProgramsDo) {
  using Make = RandomProcesses (*)(uint64_t seed);
  const char* text = std::getenv("SEED");
  const uint64_t first = text ? std::strtoull(text, nullptr, 10) : 1;
  const uint64_t count = std::getenv("SOAK") ? 2'000 : takes_samples() ? 5 : 100;
  for (const Make make : {random_program, rare_random_program, wide_random_program,
                          large_wide_random_program, large_random_program}) {
    for (uint64_t seed = first; seed < first + count; ++seed) {
      const RandomProcesses program = make(seed);
      const std::string fault = fault_of_text(program.text(), seed);
      if (fault.empty()) continue;
      const RandomProcesses small = shrink(program, [&](const RandomProcesses& smaller) {
        return !fault_of_text(smaller.text(), seed).empty();
      });
      ADD_FAILURE() << "seed " << seed << ": " << fault_of_text(small.text(), seed) << "\n"
                    << small.text();
    }
  }
  EXPECT_GT(pairs_, count);
}

TEST_P(CommutingEvents, OfProgramsWithServicesDo) {
  const char* dir = std::getenv("COMMUTE");
  std::vector<std::string> calls;
  Diagnostics diagnostics;
  if (dir) {
    for (const auto& entry : std::filesystem::directory_iterator(dir)) {
      if (entry.path().extension() != ".erl") continue;
      project_.add(entry.path().string(), diagnostics);
      calls.push_back(entry.path().stem().string() + ":test()");
    }
  } else {
    std::ifstream lines(tests_dir() / "check" / "expected.txt");
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.starts_with("#") || (takes_samples() && calls.size() > 20)) continue;
      calls.push_back(line.substr(0, line.find(')') + 1));
      const std::string module = line.substr(0, line.find(':'));
      project_.add((tests_dir() / "check" / (module + ".erl")).string(), diagnostics);
    }
  }
  for (const std::string& call : calls) EXPECT_EQ(fault_of_call(call, 1), "") << call;
}

}  // namespace
}  // namespace fathom::explore::explore_commute_test
