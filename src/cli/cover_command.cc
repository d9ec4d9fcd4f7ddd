// fathom cover: data files of coverage, merged, reported, compared.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "command.h"
#include "cover/data_file.h"
#include "cover/plan.h"
#include "cover_options.h"
#include "report/cover_report.h"

namespace fathom {
namespace {

struct CoverCommandOptions : CommonOptions {
  std::vector<std::string> files;
  std::string against;
  bool verbose = false;
  CoverOptions cover;
};

bool colors(const CoverCommandOptions& options) {
  if (options.color != "auto") return options.color == "always";
  return options.output.empty() && isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
}

Result<cover::Coverage> read_all(const std::vector<std::string>& paths) {
  cover::Coverage all;
  for (const std::string& path : paths) {
    auto coverage = cover::read_data(path);
    if (!coverage) return coverage.error();
    if (auto merged = cover::merge(all, *coverage); !merged) {
      return Error{fmt::format("{}: {}", path, merged.error().message)};
    }
  }
  return all;
}

// Sources that are not as they were when they were measured.
void note_changes(const cover::Coverage& coverage, Messages& messages) {
  for (const cover::ModuleCoverage& module : coverage.modules) {
    auto bytes = read_file(module.path);
    if (!bytes || module.path.ends_with(".beam")) continue;
    const auto decoded = decode_source(std::move(*bytes));
    if (!decoded || cover::text_hash(decoded->text) == module.hash) continue;
    messages.note(fmt::format("{} has changed since it was measured", module.path));
  }
}

void write_json(const cover::Coverage& coverage, const CoverCommandOptions& options,
                const std::vector<std::string>& below, Output& out) {
  JsonWriter json([&](std::string_view text) { out.write(text); });
  json.begin_object();
  json.field("command", "cover");
  json.field("verdict", below.empty() ? "clean" : "bug");
  json.key("reasons");
  json.begin_array();
  for (const std::string& reason : below) json.value(reason);
  json.end_array();
  json.key("coverage");
  report::write_coverage(json, coverage);
  if (options.cover.minimize) {
    json.key("suite");
    report::write_suite(json, coverage);
  }
  json.end_object();
  json.finish();
}

int run(const CoverCommandOptions& options) {
  Messages messages(options);
  const auto fail = [&](std::string_view text) {
    messages.error(text);
    return int{kCouldNotRun};
  };
  CoverOutput output(options.cover);
  if (auto ready = output.prepare(); !ready) return fail(ready.error().message);
  const auto coverage = read_all(options.files);
  if (!coverage) return fail(coverage.error().message);
  note_changes(*coverage, messages);
  std::optional<cover::Coverage> before;
  if (!options.against.empty()) {
    auto read = cover::read_data(options.against);
    if (!read) return fail(read.error().message);
    before = std::move(*read);
  }
  Output out;
  if (auto opened = out.open(options.output); !opened) return fail(opened.error().message);
  const std::vector<std::string> below = output.below_minimum(*coverage);
  if (options.format == "json") {
    write_json(*coverage, options, below, out);
  } else {
    if (before) out.write(report::cover_changes_text(*coverage, *before));
    out.write(report::cover_text(*coverage, {colors(options), options.verbose}));
    if (options.cover.minimize) out.write(report::suite_text(*coverage));
  }
  for (const std::string& text : below) messages.error(text);
  if (auto closed = out.close(); !closed) return fail(closed.error().message);
  if (!output.write(*coverage, messages)) return kCouldNotRun;
  return below.empty() ? kClean : kFindings;
}

}  // namespace

void add_cover_command(CommandLine& command_line) {
  Command command = command_line.add_command("cover", "Merge and report coverage");
  auto options = std::make_shared<CoverCommandOptions>();
  command.begin_group("Coverage");
  command
      .add_option("--against", options->against,
                  "Say what is newly covered, and what no longer, compared with this file")
      .value_name("DATA");
  options->cover.add_output_to(command, true);
  command.add_flag("--verbose", options->verbose, "Name all that is not covered");
  options->add_to(command, {"text", "json"});
  command.add_option("DATA", options->files, "Files that --cover-data wrote").required();
  command.when_chosen([options] { return run(*options); });
}

}  // namespace fathom
