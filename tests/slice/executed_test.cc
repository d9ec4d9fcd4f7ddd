// Slices are correct by execution: what a criterion shows in the original is what it shows in the
// slice, which may go on where the original has failed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "flow/entries.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "random_program.h"
#include "samples.h"
#include "session/program_code.h"
#include "slice/slice.h"

namespace fathom::slice {
namespace {

using machine::ModuleSource;
// By the number of the place: what it has shown, one after the other.
using Sequences = std::map<uint32_t, std::vector<std::string>>;

constexpr std::string_view kInputs[] = {"0, []",        "1, [1]",      "2, [3, 0, 1]", "3, [a]",
                                        "a, [2, 2]",    "4, [1 | 2]",  "1, [0, 4, 2]", "2, {x}",
                                        "7, [0, 0, 0]", "0, [5, 1, 1]"};
constexpr uint64_t kReductions = 300'000;

class Bench {
 public:
  Bench() : library_(reader_, project_, session::Reading::Whole) {
    std::string text = "-module(call).\n-compile(export_all).\n";
    for (size_t i = 0; i < std::size(kInputs); ++i) {
      text += fmt::format("i{}() -> t:main({}).\n", i, kInputs[i]);
    }
    Diagnostics diagnostics;
    call_ = *library_.from_text("call.erl", text, diagnostics);
  }

  // None: it does not compile.
  std::optional<ModuleSource::Found> compiled(const std::string& text, std::string& why) {
    Diagnostics diagnostics;
    auto found = library_.from_text("t.erl", text, diagnostics);
    if (found && !diagnostics.has_errors()) return *found;
    why = found ? "" : found.error().message;
    for (const Diagnostic& d : diagnostics.all()) why += d.message + "\n";
    return std::nullopt;
  }

  // For each input.
  std::vector<Sequences> run(const ModuleSource::Found& program) {
    std::vector<Sequences> result;
    for (size_t i = 0; i < std::size(kInputs); ++i) {
      machine::Machine m(library_, machine::native_table(), {.reductions = kReductions},
                         {.is_silent = true});
      m.code().load(program.unit, program.core);
      m.code().load(call_.unit, call_.core);
      m.run(Atom::intern("call"), Atom::intern(fmt::format("i{}", i)), {});
      result.push_back(sequences(m.output().text()));
    }
    return result;
  }

  std::unique_ptr<session::ProgramCode> code(const ModuleSource::Found& program) {
    auto code = std::make_unique<session::ProgramCode>(library_, std::vector{Atom::intern("t")});
    code->add(Atom::intern("t"), program);
    return code;
  }

 private:
  static Sequences sequences(const std::string& output) {
    Sequences result;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("{")) continue;
      result[static_cast<uint32_t>(std::atoi(line.c_str() + 1))].push_back(line);
    }
    return result;
  }

  Reader reader_;
  Project project_{ProjectOptions::from_environment()};
  session::Library library_;
  ModuleSource::Found call_;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

struct Counts {
  size_t slices = 0;
  size_t values = 0;
  size_t failures = 0;
  std::map<Precision, double> kept;
};

// For tests/differential/slices_test.escript.
void write_out(const RandomProgram& program, uint64_t seed, uint32_t id, const std::string& text) {
  const char* const dir = std::getenv("WRITE_TO");
  if (!dir) return;
  std::ofstream(fmt::format("{}/{}.original", dir, seed)) << program.text;
  std::ofstream(fmt::format("{}/{}-{}.slice", dir, seed, id)) << text;
}

void check_program(Bench& bench, const RandomProgram& program, uint64_t seed, Precision precision,
                   Counts& counts) {
  std::string why;
  const auto original = bench.compiled(program.text, why);
  ASSERT_TRUE(original) << why << program.text;
  const std::vector<Sequences> expected = bench.run(*original);
  const auto code = bench.code(*original);
  flow::Analysis analysis(*code);
  for (const flow::FunctionName& name : exported_entries(*code)) analysis.add_entry(name, true);
  analysis.run();
  const Model model(analysis, *code);
  for (const RandomProgram::Shown& shown : program.shown) {
    Criterion criterion{"t.erl", shown.line, "", 1, shown.column + 8};
    const auto where = locate(model, *original->core, criterion);
    if (!where) {
      // No execution comes there.
      for (const Sequences& s : expected) {
        EXPECT_FALSE(s.contains(shown.id)) << where.error().message << " seed " << seed;
      }
      continue;
    }
    const Slice slice = slice_of(model, {*where}, precision);
    ++counts.slices;
    counts.kept[precision] +=
        static_cast<double>(slice.nodes_kept) / static_cast<double>(slice.nodes_total);
    ASSERT_EQ(slice.modules.size(), 1);
    const std::string& text = slice.modules[0].text;
    if (precision == Precision::Fields) write_out(program, seed, shown.id, text);
    const auto sliced = bench.compiled(text, why);
    if (!sliced) {
      ++counts.failures;
      ADD_FAILURE() << "seed " << seed << " criterion " << shown.id << " does not compile: " << why
                    << text << "\n---- original\n"
                    << program.text;
      continue;
    }
    const std::vector<Sequences> seen = bench.run(*sliced);
    for (size_t i = 0; i < seen.size(); ++i) {
      const auto of = [&](const Sequences& s) {
        const auto found = s.find(shown.id);
        return found == s.end() ? std::vector<std::string>() : found->second;
      };
      const std::vector<std::string> a = of(expected[i]);
      const std::vector<std::string> b = of(seen[i]);
      counts.values += a.size();
      const bool is_prefix = a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
      if (is_prefix) continue;
      ++counts.failures;
      ADD_FAILURE() << "seed " << seed << " criterion " << shown.id << " input " << kInputs[i]
                    << "\nexpected\n"
                    << joined(a) << "seen\n"
                    << joined(b) << program.text << "\n---- slice\n"
                    << text;
      break;
    }
  }
}

uint64_t number(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// SEED and COUNT say which programs.
void check_programs(RandomProgram (*make)(uint64_t), uint64_t default_count) {
  Bench bench;
  Counts counts;
  const uint64_t first = number("SEED", 1);
  const uint64_t count = number("COUNT", takes_samples() ? 3 : default_count);
  for (uint64_t seed = first; seed < first + count && counts.failures < 3; ++seed) {
    const RandomProgram program = make(seed);
    for (const Precision p : {Precision::Fields, Precision::Expressions, Precision::Statements}) {
      check_program(bench, program, seed, p, counts);
    }
  }
  const auto mean = [&](Precision p) {
    return 300.0 * counts.kept[p] / static_cast<double>(counts.slices);
  };
  fmt::print("{} slices, {} values, kept: pdg {:.1f} %, edg {:.1f} %, ce {:.1f} %\n", counts.slices,
             counts.values, mean(Precision::Statements), mean(Precision::Expressions),
             mean(Precision::Fields));
}

TEST(ExecutedSlices, OfSequentialPrograms) { check_programs(random_program, 20); }
TEST(ExecutedSlices, OfConcurrentPrograms) {
  if (std::getenv("WRITE_TO")) GTEST_SKIP() << "only sequential ones are written";
  check_programs(random_concurrent_program, 10);
}

}  // namespace
}  // namespace fathom::slice
