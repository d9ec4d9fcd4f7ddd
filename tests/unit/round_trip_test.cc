// Print, read, compare: over every module of the installed OTP, from source and
// from debug info, the printed text reads back as the same tree up to places, and
// prints as the same text again.
#include <gtest/gtest.h>

#include <cstdio>

#include "syntax/compare.h"
#include "syntax/otp.h"
#include "syntax/paths.h"
#include "syntax/print.h"
#include "syntax/project.h"
#include "syntax/reader.h"

namespace fathom::round_trip_test {
namespace {

// Forms that stand in a text of their own: not the errors and warnings, which
// print as comments, nor the end of the file.
std::vector<NodeId> comparable_forms(const Unit& unit, size_t skip) {
  std::vector<NodeId> forms;
  for (const NodeId id : unit.ast.forms()) {
    const NodeKind kind = unit.ast.kind(id);
    if (kind != NodeKind::ErrorForm && kind != NodeKind::WarningForm && kind != NodeKind::Eof) {
      forms.push_back(id);
    }
  }
  forms.erase(forms.begin(), forms.begin() + static_cast<ptrdiff_t>(std::min(skip, forms.size())));
  return forms;
}

// Empty, or what went wrong.
std::string round_trip(const SourceModule& module) {
  Reader reader;
  Unit unit = reader.make_unit();
  Diagnostics diagnostics;
  if (!reader.read(module.path, *module.options, unit, diagnostics)) return "cannot be read";
  const std::string text = print_unit(unit);
  Unit again = reader.make_unit();
  Diagnostics errors;
  ReadOptions options;
  options.otp_release = module.options->otp_release;
  if (!reader.read_text("printed.erl", text, options, again, errors) || errors.has_errors()) {
    return render(errors.all().at(0), reader.sources());
  }
  // Reading puts a -file before all others.
  const auto before = comparable_forms(unit, 0);
  const auto after = comparable_forms(again, 1);
  if (const auto difference = find_difference(unit, before, again, after)) return difference->what;
  if (unit.has_errors) return "";  // their comments are gone from the second text
  std::string second = print_unit(again);
  second.erase(0, second.find("-file(", 1));
  if (second != text.substr(text.find("-file("))) return "prints differently the second time";
  return "";
}

void round_trip_all(std::string_view extension) {
  ProjectOptions options = ProjectOptions::from_environment();
  Project project(options);
  if (!project.otp().found()) GTEST_SKIP() << project.otp().problem();
  Diagnostics diagnostics;
  for (const AppDir& app : project.otp().libraries()) {
    const std::string dir = app.dir + (extension == ".erl" ? "/src" : "/ebin");
    if (is_directory(dir)) project.add(dir, diagnostics);
  }
  size_t count = 0;
  for (const SourceModule& module : project.modules()) {
    if (!module.path.ends_with(extension)) continue;
    ++count;
    EXPECT_EQ(round_trip(module), "") << module.path;
  }
  EXPECT_GT(count, 100u);
  std::printf("%zu modules read back the same\n", count);
}

TEST(RoundTrip, EverySourceOfOtp) { round_trip_all(".erl"); }
TEST(RoundTrip, EveryBeamOfOtp) { round_trip_all(".beam"); }

}  // namespace
}  // namespace fathom::round_trip_test
