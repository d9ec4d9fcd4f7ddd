// Slices of executions that went wrong fail in the same way: random programs, each run that ends in
// an exception.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "random_program.h"
#include "reduce/failure.h"
#include "samples.h"

namespace fathom::reduce {
namespace {

constexpr std::string_view kInputs[] = {"0, []",     "1, [1]",     "2, [3, 0, 1]", "3, [a]",
                                        "a, [2, 2]", "4, [1 | 2]", "2, {x}"};

uint64_t number(const char* name, uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("fathom_failures_{}", getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& text) const {
    const auto file = path_ / "t.erl";
    std::ofstream(file) << text;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

struct Counts {
  size_t runs = 0;
  size_t in_same_order = 0;
  size_t failures = 0;
  double kept = 0;
  std::map<Dependences, size_t> by_dependences;
};

void check_program(const slice::RandomProgram& program, uint64_t seed, const Folder& folder,
                   Counts& counts) {
  session::SessionOptions options;
  options.project = ProjectOptions::from_environment();
  options.paths = {folder.write(program.text)};
  session::Session session(options);
  for (const std::string_view input : kInputs) {
    const std::string text = fmt::format("t:main({})", input);
    FailingCall call{.expression = *session.read_expression(text), .text = text};
    call.options.max_interleavings = 20;
    call.options.search.max_depth = 2000;
    const auto made =
        slice_of_failure(session, {Atom::intern("t")}, call, slice::Precision::Fields, false);
    if (made && !made->slice) continue;  // nothing goes wrong, or a limit was reached
    if (!made && made.error().message.find("not known where") != std::string::npos) continue;
    ++counts.runs;
    if (made) {
      ++counts.by_dependences[made->slice->dependences];
      if (made->slice->is_in_same_order) ++counts.in_same_order;
      if (std::getenv("VERBOSE") && made->slice->dependences == Dependences::Program) {
        fmt::print("coarse: seed {} {}\n{}\n", seed, text, program.text);
      }
      counts.kept += static_cast<double>(made->slice->slice.nodes_kept) /
                     static_cast<double>(made->slice->slice.nodes_total);
      continue;
    }
    ++counts.failures;
    ADD_FAILURE() << "seed " << seed << " " << text << ": " << made.error().message << "\n"
                  << program.text;
  }
}

// SEED and COUNT say which programs.
void check_programs(slice::RandomProgram (*make)(uint64_t), uint64_t default_count) {
  const Folder folder;
  Counts counts;
  const uint64_t first = number("SEED", 1);
  const uint64_t count = number("COUNT", takes_samples() ? 2 : default_count);
  for (uint64_t seed = first; seed < first + count && counts.failures < 3; ++seed) {
    check_program(make(seed), seed, folder, counts);
  }
  EXPECT_GT(counts.runs, 0);
  fmt::print(
      "{} failing runs, {:.1f} % kept; by execution {}, messages {}, program {}; "
      "in the same order {}\n",
      counts.runs, 100.0 * counts.kept / static_cast<double>(counts.runs),
      counts.by_dependences[Dependences::Execution], counts.by_dependences[Dependences::Messages],
      counts.by_dependences[Dependences::Program], counts.in_same_order);
}

TEST(SlicesOfFailures, OfSequentialPrograms) { check_programs(slice::random_program, 15); }
TEST(SlicesOfFailures, OfConcurrentPrograms) {
  check_programs(slice::random_concurrent_program, 8);
}

}  // namespace
}  // namespace fathom::reduce
