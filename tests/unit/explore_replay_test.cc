// Recorded schedules: what was recorded is what is replayed, event by event; a schedule
// that does not fit is told from one that does, with its place.
#include <fmt/format.h>

#include <set>

#include "code/places.h"
#include "explore/drivers.h"
#include "explore/replay.h"
#include "machine/process_name.h"
#include "racy_programs.h"
#include "running.h"

namespace fathom::explore::explore_replay_test {
namespace {

using machine::Event;
using machine::Machine;
using machine::TestMachine;

// All that an event says.
std::string shown(const Event& event) {
  std::string text = fmt::format("{} {} {}", event_word(event.kind),
                                 event.process.is_none() ? "-" : machine::shown(event.process),
                                 machine::place_text(event.place, event.node));
  for (const machine::Value v : event.arguments) text += " " + machine::shown(v);
  if (!event.result.is_none()) text += " = " + machine::shown(event.result);
  for (const machine::Access& t : event.accesses) {
    text += fmt::format(" {}/{}/{}{}", static_cast<int>(t.object), static_cast<int>(t.mode), t.id,
                        t.part.is_none() ? "" : "/" + machine::shown(t.part));
  }
  return text;
}

struct Recording {
  Schedule schedule;
  std::vector<std::string> trace;
  std::string outcome;  // empty: the driver gave up
};

// A machine that goes back to the beginning of its program before each run.
class Stage {
 public:
  explicit Stage(std::string_view program, bool delays_delivery = false)
      : m_(program, {}, {.is_observed = true, .delays_delivery = delays_delivery}) {
    m_.start("main");
    beginning_ = m_->mark();
  }

  Recording record(machine::Driver& driver) {
    m_->rewind(beginning_);
    Recording recording;
    Recorder recorder(driver, [&](const Machine&, const Event& event) {
      recording.trace.push_back(shown(event));
    });
    if (const auto outcome = machine::drive(*m_, recorder)) {
      recording.outcome = TestMachine::shown(*outcome);
    }
    recording.schedule = recorder.schedule;
    recording.schedule.has_end = true;
    return recording;
  }

  // The other members of what is returned are of no meaning if it does not fit.
  struct Replayed : Recording {
    std::string divergence;  // where the schedule does not fit; empty: it does
    bool went_on = false;
  };
  Replayed replay(const Schedule& schedule) {
    m_->rewind(beginning_);
    Replayed replayed;
    const auto run = replay_run(
        *m_, schedule, [&](const Event& event) { replayed.trace.push_back(shown(event)); });
    if (!run) {
      replayed.divergence = run.error().message;
    } else {
      replayed.outcome = TestMachine::shown(run->outcome);
      replayed.went_on = run->went_on;
    }
    return replayed;
  }

 private:
  TestMachine m_;
  Machine::Mark beginning_;
};

// For each of the eight programs, and each way of delivery: a thousand in all, twice.
constexpr uint64_t kSeeds = 125;

class Replay : public ::testing::TestWithParam<RacyProgram> {};
INSTANTIATE_TEST_SUITE_P(Programs, Replay, ::testing::ValuesIn(kRacyPrograms),
                         [](const auto& test) { return std::string(test.param.name); });

void expect_same_events(std::string_view program, bool signals_wait) {
  static_assert(std::size(kRacyPrograms) * kSeeds >= 1000);
  Stage stage(program, signals_wait);
  std::set<std::string> outcomes;
  for (uint64_t seed = 1; seed <= kSeeds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    RandomDriver at_random(seed);
    const Recording first = stage.record(at_random);
    const auto schedule = parse_schedule(print_schedule(first.schedule));
    ASSERT_TRUE(schedule) << schedule.error().message;
    EXPECT_EQ(schedule->steps, first.schedule.steps);
    const Stage::Replayed second = stage.replay(*schedule);
    EXPECT_EQ(second.divergence, "");
    EXPECT_FALSE(second.went_on);
    EXPECT_EQ(first.trace, second.trace);
    EXPECT_EQ(first.outcome, second.outcome);
    EXPECT_FALSE(first.trace.empty());
    outcomes.insert(first.outcome);
  }
  EXPECT_GT(outcomes.size(), 1U) << "the program is meant to have several outcomes";
}

TEST_P(Replay, GivesTheSameEvents) { expect_same_events(GetParam().text, false); }
TEST_P(Replay, GivesTheSameEventsWhereSignalsWait) { expect_same_events(GetParam().text, true); }

// In another machine too.
TEST_P(Replay, TheSameSeedGivesTheSameRun) {
  Stage stage(GetParam().text);
  Stage other(GetParam().text);
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    RandomDriver once(seed);
    RandomDriver again(seed);
    EXPECT_EQ(stage.record(once).trace, other.record(again).trace);
  }
}

// ---- When signals arrive --------------------------------------------------------

std::set<std::string> outcomes(std::string_view program, bool signals_wait) {
  Stage stage(program, signals_wait);
  std::set<std::string> all;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    RandomDriver at_random(seed);
    all.insert(stage.record(at_random).outcome);
  }
  return all;
}

struct Order {
  std::string_view name;
  std::string_view text;
  std::set<std::string> instant;
  std::set<std::string> any;
};

const Order kOrders[] = {
    {"OfOnePair",
     R"(main() -> Me = self(), spawn(fun() -> Me ! 1, Me ! 2 end), receive X -> X end.)",
     {"1"},
     {"1"}},
    // What comes by way of another process may be faster.
    {"OfTwoWays",
     R"(main() ->
       Me = self(),
       Q = spawn(fun() -> receive M -> Me ! M end end),
       spawn(fun() -> Me ! straight, Q ! around end),
       receive X -> X end.)",
     {"straight"},
     {"straight", "around"}},
    {"OfMessageAndEnd",
     R"(main() ->
       Me = self(),
       {P, R} = spawn_monitor(fun() -> Me ! before end),
       receive before -> ok; {'DOWN', R, process, P, _} -> receive X -> {late, X} after 0 -> lost end end.)",
     {"ok"},
     {"ok"}},
    {"OfTheOwnSignals",
     R"(main() ->
       P = spawn(fun() -> receive never -> ok end end),
       exit(P, kill),
       is_process_alive(P).)",
     {"false"},
     {"false"}},
    {"OfUnlinkAndExit",
     R"(main() ->
       process_flag(trap_exit, true),
       P = spawn_link(fun() -> ok end),
       unlink(P),
       receive {'EXIT', P, normal} -> exited after 0 -> nothing end.)",
     {"exited", "nothing"},
     {"exited", "nothing"}},
    {"OfDemonitorAndEnd",
     R"(main() ->
       {P, R} = spawn_monitor(fun() -> ok end),
       demonitor(R, [flush]),
       receive X -> {X, P} after 10 -> nothing end.)",
     {"nothing"},
     {"nothing"}},
};

class Delivery : public ::testing::TestWithParam<Order> {};
INSTANTIATE_TEST_SUITE_P(Order, Delivery, ::testing::ValuesIn(kOrders),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(Delivery, IsWhatOtpPromises) {
  EXPECT_EQ(outcomes(GetParam().text, false), GetParam().instant);
  EXPECT_EQ(outcomes(GetParam().text, true), GetParam().any);
}

TEST(ReplayOfADeadlock, EndsInIt) {
  Stage stage(R"(main() -> Me = self(), spawn(fun() -> Me ! a, receive b -> ok end end),
                           receive a -> receive c -> ok end end.)");
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    RandomDriver at_random(seed);
    const Recording first = stage.record(at_random);
    EXPECT_TRUE(first.outcome.starts_with("deadlock")) << first.outcome;
    const Stage::Replayed second = stage.replay(first.schedule);
    EXPECT_EQ(second.outcome, first.outcome);
    EXPECT_EQ(second.divergence, "");
  }
}

// ---- What does not fit --------------------------------------------------------

constexpr std::string_view kPair = R"(
main() -> Me = self(), spawn(fun() -> Me ! hello end), receive X -> X end.
)";

struct Stale {
  std::string_view name;
  std::string_view schedule;
  std::string_view divergence;  // empty: it fits
  std::string_view outcome = "";
  bool went_on = false;
};

constexpr Stale kStale[] = {
    {"Fits", "P spawn\nP.1 send\nP.1 exit\nP receive\nP exit\nend\n", "", "hello"},
    {"GoesOnByItself", "P spawn\nP.1 send\n", "", "hello", true},
    {"AnotherEvent", "P spawn\nP.1 receive\n", "3: P.1 should receive, but did send"},
    {"Waits", "P spawn\nP receive\n", "3: P should receive, but waits for a message"},
    {"NoSuchProcess", "P spawn\nP.2 send\n", "3: P.2 does not exist, or has ended"},
    {"HasEnded", "P spawn\nP.1 send\nP.1 exit\nP.1 send\n", "5: P.1 does not exist, or has ended"},
    {"EndsEarly", "P spawn\nend\n", "3: the schedule ends here, but P.1 can go on"},
    {"GoesOn", "P spawn\nP.1 send\nP receive\nP exit\nP.1 exit\n",
     "6: the run is over, but P.1 should exit"},
    {"NoTimer", "P spawn\ntimer P\n", "3: there is no timer P"},
};

class StaleTest : public ::testing::TestWithParam<Stale> {};
INSTANTIATE_TEST_SUITE_P(Schedules, StaleTest, ::testing::ValuesIn(kStale),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(StaleTest, IsTold) {
  const auto schedule = parse_schedule("fathom schedule 1\n" + std::string(GetParam().schedule));
  ASSERT_TRUE(schedule) << schedule.error().message;
  const Stage::Replayed replayed = Stage(kPair).replay(*schedule);
  EXPECT_EQ(replayed.divergence, GetParam().divergence);
  EXPECT_EQ(replayed.went_on, GetParam().went_on);
  if (!GetParam().outcome.empty()) {
    EXPECT_EQ(replayed.outcome, GetParam().outcome);
  }
}

// ---- Files that are not schedules ----------------------------------------------

struct Malformed {
  std::string_view text;
  std::string_view message;
};

TEST(ScheduleText, SaysWhatIsWrong) {
  constexpr std::string_view kHeaderMissing =
      "1: a schedule begins with the line \"fathom schedule 1\"";
  for (const Malformed& m : {
           Malformed{"", kHeaderMissing},
           Malformed{"P spawn\n", kHeaderMissing},
           Malformed{"fathom schedule 2\n", kHeaderMissing},
           Malformed{"fathom schedule 1\nP\n", "2: expected a process and an event, or \"end\""},
           Malformed{"fathom schedule 1\n\nP jump", "3: there is no event \"jump\""},
           Malformed{"fathom schedule 1\nQ send", "2: \"Q\" is not the name of a process"},
           Malformed{"fathom schedule 1\nP.0 send", "2: \"P.0\" is not the name of a process"},
           Malformed{"fathom schedule 1\nP. send", "2: \"P.\" is not the name of a process"},
           Malformed{"fathom schedule 1\ntimer P.x", "2: \"P.x\" is not a timer"},
           Malformed{"fathom schedule 1\nend\nP send", "3: there is text after \"end\""},
       }) {
    const auto schedule = parse_schedule(m.text);
    ASSERT_FALSE(schedule) << m.text;
    EXPECT_EQ(schedule.error().message, m.message);
  }
}

TEST(ScheduleText, CommentsAndBlanksDoNotCount) {
  const auto schedule = parse_schedule(
      "% how it went wrong\nfathom schedule 1 % really\r\n\n  P.1.2\tsend % x\ntimer P#2.1#3\nend");
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(print_schedule(*schedule), "fathom schedule 1\nP.1.2    send\ntimer    P#2.1#3\nend\n");
}

}  // namespace
}  // namespace fathom::explore::explore_replay_test
