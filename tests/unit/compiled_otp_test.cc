// The code of every function of OTP (under a sanitizer, of kernel): no register is read before it
// is written, on any way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "code/compile.h"
#include "code/register_check.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "samples.h"
#include "session/library.h"
#include "syntax/otp.h"

namespace fathom::machine::compiled_otp_test {
namespace {

struct Counts {
  size_t functions = 0;
  size_t refused = 0;  // they need native functions that are not modelled
};

void check_module(CodeTable& table, const ModuleSource::Found& found, Counts& counts) {
  LoadedModule* module = table.load(found.unit, found.core);
  for (Function& function : module->own_functions) {
    if (!compile(function, table)) {
      ++counts.refused;
      continue;
    }
    ++counts.functions;
    EXPECT_EQ(find_unwritten_register(function), "");
  }
}

std::set<std::string> modules_of(const std::string& app_dir) {
  std::set<std::string> names;
  std::error_code no_directory;
  for (const auto& file : std::filesystem::directory_iterator(app_dir + "/ebin", no_directory)) {
    if (file.path().extension() == ".beam") names.insert(file.path().stem().string());
  }
  return names;
}

TEST(CompiledOtp, ReadsOnlyWrittenRegisters) {
  Project project(ProjectOptions::from_environment());
  if (!project.otp().found()) GTEST_SKIP() << project.otp().problem();
  Counts counts;
  for (const AppDir& app : project.otp().libraries()) {
    if (takes_samples() && app.name != "kernel") continue;
    Reader reader;
    session::Library library(reader, project, session::Reading::Whole);
    Machine machine(library, native_table(), Limits{}, Mode{});
    for (const std::string& name : modules_of(app.dir)) {
      auto found = library.find(Atom::intern(name));
      if (found && *found) check_module(machine.code(), **found, counts);
    }
  }
  RecordProperty("functions", static_cast<int>(counts.functions));
  EXPECT_GT(counts.functions, takes_samples() ? 3'000U : 15'000U);
  EXPECT_LT(counts.refused, counts.functions / 100);
}

// The check itself finds what is wrong.
TEST(CompiledOtp, FindsARegisterThatIsNotWritten) {
  Function function;
  function.arity = 1;
  function.frame = 4;
  const auto problem_of = [&](std::vector<uint64_t> code) {
    function.code = std::move(code);
    return find_unwritten_register(function);
  };
  const auto word = [](Op op, uint64_t a, uint64_t b, uint64_t c) {
    return Instruction(op, a, b, c).word;
  };
  const auto fail = [](int32_t offset) {
    return std::bit_cast<uint64_t>(FailWord{offset, core::NodeId{}});
  };
  EXPECT_EQ(problem_of({word(Op::Return, 0, 0, 0)}), "");
  EXPECT_NE(problem_of({word(Op::Return, 1, 0, 0)}), "");
  EXPECT_EQ(problem_of({word(Op::Move, 1, 0, 0), word(Op::Return, 1, 0, 0)}), "");
  // Written on one way of two.
  EXPECT_NE(problem_of({word(Op::UnlessTrue, 0, 0, 0), fail(3), word(Op::Move, 1, 0, 0),
                        word(Op::Return, 1, 0, 0)}),
            "");
  // Not kept over a call.
  EXPECT_NE(problem_of({word(Op::Move, 1, 0, 0), word(Op::Call, 2, 0, 2), 0, 1, 0,
                        word(Op::Cons, 0, 1, 2), word(Op::Return, 0, 0, 0)}),
            "");
  EXPECT_EQ(problem_of({word(Op::Move, 1, 0, 0), word(Op::Call, 2, 0, 2), 0, 1 | 2 << 1, 0,
                        word(Op::Cons, 0, 1, 2), word(Op::Return, 0, 0, 0)}),
            "");
}

}  // namespace
}  // namespace fathom::machine::compiled_otp_test
