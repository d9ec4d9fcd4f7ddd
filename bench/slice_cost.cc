// slice_cost [-I DIR]… [-n CRITERIA] FILE…: the files as one program. Prints one line: lines,
// nodes, the seconds and megabytes that the dependences take beyond the flow analysis, how many
// criteria, and the mean and the most of the microseconds of a slice, with parts of data and
// without.
//
// The criteria are the variables of the program, or as many of them (200), evenly spread. Each is
// sliced three times one after the other, and the least of these counts: a mean over slices of a
// program that is in memory, as slicers are compared in the literature. The text of a slice is not
// part of it.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "flow/entries.h"
#include "session/library.h"
#include "session/program_code.h"
#include "slice/slice.h"

using namespace fathom;

namespace {

constexpr int kRounds = 3;

double megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::vector<slice::Located> criteria_of(const slice::Model& model, size_t count) {
  std::vector<slice::Located> all;
  for (const core::Module* m : model.modules()) {
    const Unit& unit = m->unit();
    for (uint32_t i = 0; i < unit.ast.size(); ++i) {
      const core::AstId id{i};
      if (unit.ast.is(id, NodeKind::Var)) all.push_back({m, id, slice::kNoProcedure});
    }
  }
  const size_t step = std::max<size_t>(1, all.size() / count);
  std::vector<slice::Located> result;
  for (size_t i = 0; i < all.size(); i += step) {
    const Unit& unit = all[i].module->unit();
    const auto span = unit.used_span(all[i].node);
    if (!span || !unit.file || unit.sources().file_of(span->begin) != *unit.file) continue;
    const uint32_t offset = span->begin.index() - unit.sources().start(*unit.file).index();
    if (const auto where = locate(model, *all[i].module, offset, NodeKind::Var)) {
      result.push_back(*where);
    }
  }
  return result;
}

struct Times {
  double mean = 0;
  double most = 0;
};

// Microseconds.
Times times_of(const slice::Model& model, const std::vector<slice::Located>& criteria,
               slice::Precision precision) {
  Times times;
  for (const slice::Located& where : criteria) {
    double best = 1e9;
    for (int round = 0; round < kRounds; ++round) {
      best = std::min(best, slice_of(model, {where}, precision).seconds);
    }
    times.mean += best * 1e6 / static_cast<double>(criteria.size());
    times.most = std::max(times.most, best * 1e6);
  }
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  ProjectOptions options = ProjectOptions::from_environment();
  std::vector<std::string> files;
  size_t count = 200;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "-n" && i + 1 < argc) {
      count = std::max<size_t>(1, std::strtoul(argv[++i], nullptr, 10));
    } else if (std::string_view(argv[i]) == "-I" && i + 1 < argc) {
      options.include_dirs.emplace_back(argv[++i]);
    } else {
      files.emplace_back(argv[i]);
    }
  }
  Reader reader;
  Project project{options};
  session::Library library(reader, project);
  std::vector<Atom> own;
  for (const std::string& file : files) {
    library.add(file);
    own.push_back(Atom::intern(std::filesystem::path(file).stem().string()));
  }
  session::ProgramCode code(library, own);
  flow::Analysis analysis(code);
  for (const flow::FunctionName& name : exported_entries(code)) analysis.add_entry(name, true);
  analysis.run();
  const double before = megabytes();
  const auto begin = std::chrono::steady_clock::now();
  const slice::Model model(analysis, code);
  const std::chrono::duration<double> build = std::chrono::steady_clock::now() - begin;
  const double memory = megabytes() - before;
  const std::vector<slice::Located> criteria = criteria_of(model, count);
  if (criteria.empty()) return 1;
  const size_t nodes = slice_of(model, {criteria[0]}, slice::Precision::Fields).nodes_total;
  size_t lines = 0;
  for (const core::Module* m : model.modules()) {
    const std::string_view text = m->unit().sources().text(*m->unit().file);
    lines += static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  const Times plain = times_of(model, criteria, slice::Precision::Expressions);
  const Times fields = times_of(model, criteria, slice::Precision::Fields);
  fmt::print("{} {} {:.6f} {:.1f} {} {:.1f} {:.1f} {:.1f} {:.1f}\n", lines, nodes, build.count(),
             memory, criteria.size(), fields.mean, fields.most, plain.mean, plain.most);
  return 0;
}
