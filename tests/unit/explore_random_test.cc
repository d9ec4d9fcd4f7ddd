// Searches with reduction against all interleavings, on random programs (random_processes.h):
// the same outcomes, one execution of each class, none in vain. A program on which they
// differ is cut down to what is needed, and printed with its seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explore/search.h"
#include "interleavings.h"
#include "machine/library.h"
#include "machine/process_name.h"
#include "machine_values.h"
#include "random_processes.h"

namespace fathom::explore {
namespace {

using machine::Machine;

constexpr uint64_t kLimit = 100'000;  // sequences; more make no test

// A library that has read its modules serves all programs.
class Programs {
 public:
  // Null: it does not compile.
  std::unique_ptr<Machine> start(const std::string& text) {
    Diagnostics diagnostics;
    auto found = library_.from_text("rnd.erl", text, diagnostics);
    if (!found || diagnostics.has_errors()) return nullptr;
    auto m = std::make_unique<Machine>(library_, machine::Limits{});
    m->code().load(std::move(found->unit), std::move(found->core));
    m->observe();
    m->outlive_first_process();
    m->start(Atom::intern("rnd"), Atom::intern("test"), {});
    return m;
  }

 private:
  Reader reader_;
  Project project_{ProjectOptions::from_environment()};
  machine::Library library_{reader_, project_};
};

struct Searched {
  std::set<std::string> endings;
  std::set<uint64_t> classes;
  uint64_t count = 0;
  uint64_t blocked = 0;
  uint64_t impossible = 0;
};

Searched searched(Machine& m, Algorithm algorithm) {
  Searched result;
  SearchOptions options;
  options.algorithm = algorithm;
  Search search(m, options, [&](const Search& s, Ending ending) {
    if (ending == Ending::Blocked) return true;
    std::map<std::string, std::string> ended;
    for (size_t i = 0; i < s.trace().size(); ++i) {
      for (const machine::Ended& end : s.trace()[i].event.ended) {
        ended[machine::lineage_name(end.lineage)] = machine::shown(end.reason);
      }
    }
    result.endings.insert(ending == Ending::Complete ? ending_text(m, ended) : "not complete");
    result.classes.insert(s.trace().class_hash());
    return s.interleavings() < kLimit;
  });
  search.run();
  result.count = search.interleavings();
  result.blocked = search.blocked();
  result.impossible = search.impossible();
  return result;
}

std::string difference(const std::set<std::string>& expected, const std::set<std::string>& found) {
  for (const std::string& ending : expected) {
    if (!found.contains(ending)) return "misses the ending " + ending;
  }
  for (const std::string& ending : found) {
    if (!expected.contains(ending)) return "has an ending that there is not: " + ending;
  }
  return "";
}

// What is wrong with the searches of the program; empty: nothing, or it has too many
// interleavings, or does not compile.
std::string fault(Programs& programs, const std::string& text) {
  const auto start = [&] { return programs.start(text); };
  auto m = start();
  if (!m) return "";
  const Interleavings all = all_interleavings(*m, kLimit);
  if (!all.is_complete) return "";
  const Searched none = searched(*start(), Algorithm::None);
  if (const auto d = difference(all.endings, none.endings); !d.empty()) return "none " + d;
  if (none.count != all.count()) {
    return fmt::format("none has {} interleavings of {}", none.count, all.count());
  }
  const Searched source = searched(*start(), Algorithm::Source);
  if (const auto d = difference(all.endings, source.endings); !d.empty()) return "source " + d;
  const Searched optimal = searched(*start(), Algorithm::Optimal);
  if (const auto d = difference(all.endings, optimal.endings); !d.empty()) return "optimal " + d;
  if (optimal.count != all.classes.size()) {
    return fmt::format("optimal has {} interleavings, there are {} classes", optimal.count,
                       all.classes.size());
  }
  if (optimal.classes.size() != optimal.count) return "optimal explores a class twice";
  if (optimal.blocked != 0) return fmt::format("optimal is blocked {} times", optimal.blocked);
  if (optimal.impossible + source.impossible != 0) return "a search met what cannot happen";
  if (none.classes.size() != all.classes.size()) {
    return fmt::format("none has {} classes of {}", none.classes.size(), all.classes.size());
  }
  return "";
}

// Which kind of fault it is: shrinking must not change from one to another.
std::string first_words(const std::string& text) {
  return text.substr(0, text.find_first_of("0123456789:"));
}

constexpr uint64_t kSeeds = 400;
constexpr uint64_t kParts = 8;

class RandomPrograms : public ::testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Part, RandomPrograms, ::testing::Range<uint64_t>(0, kParts));

TEST_P(RandomPrograms, AreSearchedAsIfAllWasTried) {
  Programs programs;
  for (uint64_t seed = 1 + GetParam(); seed <= kSeeds; seed += kParts) {
    const RandomProcesses program = random_program(seed);
    const std::string found = fault(programs, program.text());
    if (found.empty()) continue;
    const auto is_same = [&](const std::string& text) {
      return first_words(fault(programs, text)) == first_words(found);
    };
    ADD_FAILURE() << "seed " << seed << ": " << found << "\n" << shrink(program, is_same).text();
  }
}

}  // namespace
}  // namespace fathom::explore
