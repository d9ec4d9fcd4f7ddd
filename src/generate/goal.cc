#include "generate/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::generate {
namespace {

const cover::Item* find_line(const cover::Coverage& coverage, uint32_t line) {
  for (const cover::ModuleCoverage& module : coverage.modules) {
    const auto at = std::ranges::find_if(module.items, [&](const cover::Item& item) {
      return item.kind == cover::ItemKind::Line && item.place.line == line;
    });
    if (at != module.items.end()) return &*at;
  }
  return nullptr;
}

bool is_same_file(const std::string& wanted, const std::string& path) {
  std::error_code error;
  return std::filesystem::equivalent(wanted, path, error) ||
         std::filesystem::path(path).filename() == wanted;
}

}  // namespace

Goal::Goal(session::Session& session, const GenerateOptions& options, const core::Module& module,
           std::string path)
    : recorder_(cover::of(cover::Criterion::Line)),
      runs_(session, {.probes = &recorder_}, options.calls * 10) {
  item_.kind = Item::Kind::Goal;
  item_.place.file = path;
  item_.place.line = *options.goal_line;
  item_.what = fmt::format("line {} of {}", *options.goal_line,
                           std::filesystem::path(path).filename().string());
  recorder_.add(module, std::move(path));
}

Result<std::unique_ptr<Goal>> Goal::find(session::Session& session,
                                         const GenerateOptions& options) {
  for (const SourceModule& source : session.project().modules()) {
    if (!is_same_file(options.goal_file, source.path)) continue;
    const Atom name = Atom::intern(std::filesystem::path(source.path).stem().string());
    const auto found = session.library().find(name);
    if (!found || !*found) break;
    std::unique_ptr<Goal> goal(new Goal(session, options, *(*found)->core, source.path));
    if (goal->exists()) return goal;
    return Error{fmt::format("--goal {}:{}: no expression begins on that line", options.goal_file,
                             *options.goal_line)};
  }
  return Error{fmt::format("--goal {}: this file is not among the paths", options.goal_file)};
}

bool Goal::exists() const {
  const cover::Coverage coverage = recorder_.coverage();
  return find_line(coverage, item_.place.line) != nullptr;
}

uint64_t Goal::count() const {
  const cover::Coverage coverage = recorder_.coverage();
  const cover::Item* line = find_line(coverage, item_.place.line);
  return line ? line->count : 0;
}

bool Goal::is_reached(const Call& call) {
  const uint64_t before = count();
  runs_.run(call);
  return count() > before;
}

}  // namespace fathom::generate
