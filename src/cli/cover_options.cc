#include "cover_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "cover/data_file.h"
#include "cover/plan.h"
#include "flow/entries.h"
#include "report/cover_html.h"
#include "report/cover_report.h"
#include "session/program_code.h"

namespace fathom {
namespace {

constexpr std::string_view kFlag = "true";  // what a flag without a value has

bool is_test_module(const SourceModule& module, std::string_view name) {
  return module.is_test || name.ends_with("_tests") || name.ends_with("_SUITE");
}

// Globs with * and ?.
bool matches(std::string_view pattern, std::string_view name) {
  size_t p = 0;
  size_t n = 0;
  size_t star = std::string_view::npos;
  size_t from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool write_text(const std::string& path, std::string_view text, Messages& messages) {
  if (path.empty()) return true;
  Output out;
  auto done = out.open(path);
  if (done) {
    out.write(text);
    done = out.close();
  }
  if (!done) messages.error(done.error().message);
  return static_cast<bool>(done);
}

// The text as it was when it was measured.
std::optional<std::string> source_text(const cover::ModuleCoverage& module) {
  auto bytes = read_file(module.path);
  if (!bytes) return std::nullopt;
  auto decoded = decode_source(std::move(*bytes));
  if (!decoded || cover::text_hash(decoded->text) != module.hash) return std::nullopt;
  return std::move(decoded->text);
}

}  // namespace

// ---- Options ----------------------------------------------------------------

void CoverOptions::add_to(Command& command, bool runs_tests) {
  command.begin_group("Coverage");
  command.add_flag(
      "--cover", criteria,
      "Measure what is exercised; --cover=CRITERIA: function, line, statement, clause, "
      "branch (the default), condition, mcdc, call, exception, definition, def_use, data_flow, "
      "message, or all");
  command
      .add_option("--cover-scope", scope,
                  "Of data_flow, message, call and exception: flows inside of each module, or "
                  "between all that are measured")
      .one_of({"module", "global"})
      .with_default();
  command
      .add_option("--include", include,
                  "Measure this module too: one of the project's tests, of a dependency or of OTP; "
                  "a glob for those of the project. May be repeated")
      .value_name("MODULE")
      .one_value();
  add_output_to(command, runs_tests);
}

void CoverOptions::add_output_to(Command& command, bool has_tests) {
  command.add_option("--cover-html", html, "Write annotated sources").value_name("DIR");
  command.add_option("--lcov", lcov, "Write an LCOV tracefile").value_name("FILE");
  command.add_option("--cobertura", cobertura, "Write Cobertura's XML").value_name("FILE");
  command.add_option("--cover-data", data, "Write the data, for fathom cover").value_name("FILE");
  command.add_option("--min", minimum, "Fail below so many percent: branch=80,line=90")
      .value_name("CRITERION=PERCENT,…");
  if (has_tests) {
    command.add_flag("--minimize", minimize,
                     "Say which tests are enough to cover the same, and what each one adds");
  }
}

bool CoverOptions::is_wanted() const {
  return !criteria.empty() || !html.empty() || !lcov.empty() || !cobertura.empty() ||
         !data.empty() || !minimum.empty() || minimize || !include.empty();
}

void CoverOptions::adjust(session::SessionOptions& session_options) const {
  if (!include.empty()) session_options.libraries = session::Reading::Whole;
}

// ---- Results ----------------------------------------------------------------

Result<void> CoverOutput::prepare() {
  std::string_view text = options_.minimum;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
    const size_t equal = part.find('=');
    const auto criterion = cover::criterion_named(part.substr(0, equal));
    double percent = -1;
    if (equal != part.npos) {
      const std::string number(part.substr(equal + 1));
      char* end = nullptr;
      percent = std::strtod(number.c_str(), &end);
      if (number.empty() || *end != 0) percent = -1;
    }
    if (!criterion || percent < 0 || percent > 100) {
      return Error{fmt::format("--min: '{}' is not CRITERION=PERCENT", part)};
    }
    minimum_[*criterion] = percent;
  }
  return {};
}

std::vector<std::string> CoverOutput::below_minimum(const cover::Coverage& coverage) const {
  std::vector<std::string> below;
  for (const auto& [criterion, percent] : minimum_) {
    if (!coverage.criteria.has(criterion)) {
      below.push_back(fmt::format("{} coverage was not measured", cover::name_of(criterion)));
      continue;
    }
    const double reached = cover::totals(coverage, criterion).percent();
    if (reached >= percent) continue;
    below.push_back(fmt::format("{} coverage is {:.1f} %, and {:g} % is asked for",
                                cover::name_of(criterion), reached, percent));
  }
  return below;
}

bool CoverOutput::write_html(const cover::Coverage& coverage, Messages& messages) const {
  if (options_.html.empty()) return true;
  std::error_code error;
  std::filesystem::create_directories(options_.html, error);
  if (error) {
    messages.error(fmt::format("{}: {}", options_.html, error.message()));
    return false;
  }
  bool ok = true;
  report::cover_html(coverage, source_text, [&](const std::string& name, std::string_view text) {
    ok = write_text((std::filesystem::path(options_.html) / name).string(), text, messages) && ok;
  });
  return ok;
}

bool CoverOutput::write(const cover::Coverage& coverage, Messages& messages) const {
  bool ok = write_html(coverage, messages);
  if (!options_.lcov.empty()) {
    ok = write_text(options_.lcov, report::lcov(coverage), messages) && ok;
  }
  if (!options_.cobertura.empty()) {
    const std::string text = report::cobertura(
        coverage, static_cast<int64_t>(std::time(nullptr)) * 1000, FATHOM_VERSION);
    ok = write_text(options_.cobertura, text, messages) && ok;
  }
  if (options_.data.empty()) return ok;
  if (auto written = cover::write_data(options_.data, coverage); !written) {
    messages.error(written.error().message);
    return false;
  }
  return ok;
}

// ---- Runs -------------------------------------------------------------------

Result<void> Coverer::prepare() {
  if (!options_.is_wanted()) return {};
  if (auto ready = output.prepare(); !ready) return ready;
  const bool by_default = options_.criteria.empty() || options_.criteria == kFlag;
  auto criteria = cover::parse_criteria(by_default ? "default" : options_.criteria);
  if (!criteria) return Error{"--cover: " + criteria.error().message};
  recorder_ = std::make_unique<cover::Recorder>(*criteria);
  return {};
}

Result<void> Coverer::choose_modules(session::Session& session) {
  if (!recorder_) return {};
  std::vector<bool> used(options_.include.size());
  const auto is_included = [&](std::string_view name) {
    bool found = false;
    for (size_t i = 0; i < used.size(); ++i) {
      if (!matches(options_.include[i], name)) continue;
      used[i] = true;
      found = true;
    }
    return found;
  };
  std::vector<std::string> names;
  for (const SourceModule& module : session.project().modules()) {
    const std::string name = std::filesystem::path(module.path).stem().string();
    if (is_included(name) || !is_test_module(module, name)) names.push_back(name);
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) names.push_back(options_.include[i]);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) {
    const auto found = session.library().find(Atom::intern(name));
    if (!found) continue;  // it has errors, which are said
    if (!*found) return Error{fmt::format("--include: there is no module {}", name)};
    recorder_->add(*(*found)->core, session.library().file_of(Atom::intern(name)));
  }
  if (recorder_->criteria().overlaps(cover::flow_criteria())) find_flows(session);
  return {};
}

// Every exported function may be called by anybody, with anything.
void Coverer::find_flows(session::Session& session) {
  const cover::CriteriaSet criteria = recorder_->criteria();
  std::vector<Atom> names;
  for (const core::Module* module : recorder_->modules()) names.push_back(module->name());
  session::ProgramCode code(session.library(), names);
  flow::Analysis analysis(code, {.knows_origins = true, .callers_do_anything = true});
  for (const flow::FunctionName& name : exported_functions(code)) analysis.add_entry(name, true);
  analysis.run();
  cover::FlowItems flows(recorder_->modules(), criteria,
                         options_.scope == "module" ? cover::Scope::Module : cover::Scope::Global);
  std::optional<flow::Graph> graph;
  if (criteria.has(cover::Criterion::Message) || criteria.has(cover::Criterion::Exception)) {
    const flow::MessageIndex messages(analysis);
    graph = make_graph(analysis, messages, code);
  }
  flows.find(analysis, graph ? &*graph : nullptr);
  recorder_->add_flows(std::move(flows));
}

void Coverer::adjust(machine::Mode& mode) {
  if (!recorder_) return;
  mode.code.probes = recorder_.get();
  mode.code.labels = recorder_->criteria().overlaps(cover::flow_criteria());
}

void Coverer::see(machine::Machine& m) {
  if (recorder_) recorder_->see(m.uses());
}

std::optional<cover::Coverage> Coverer::coverage() const {
  if (!recorder_) return std::nullopt;
  return recorder_->coverage();
}

}  // namespace fathom
