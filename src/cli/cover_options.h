// What the commands that measure coverage have in common: their options, which modules are
// measured, and what is done with the result.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "cover/recorder.h"

namespace fathom {

struct CoverOptions {
  std::string criteria;  // empty: no coverage unless another option wants it
  std::vector<std::string> include;
  std::string scope = "global";  // of flows
  std::string html;
  std::string lcov;
  std::string cobertura;
  std::string data;
  std::string minimum;
  bool minimize = false;

  // The options of a command that runs a program.
  void add_to(Command& command, bool runs_tests);
  // Those that are about results alone.
  void add_output_to(Command& command, bool has_tests);
  bool is_wanted() const;
  // What is measured must be read as a whole.
  void adjust(session::SessionOptions& session_options) const;
};

// What is to be done with coverage, understood before anything is run.
class CoverOutput {
 public:
  explicit CoverOutput(const CoverOptions& options) : options_(options) {}
  Result<void> prepare();

  // Writes the files; what could not be written is said, and false returned.
  bool write(const cover::Coverage& coverage, Messages& messages) const;
  // Criteria that are below their minimum, in words.
  std::vector<std::string> below_minimum(const cover::Coverage& coverage) const;

 private:
  bool write_html(const cover::Coverage& coverage, Messages& messages) const;

  const CoverOptions& options_;
  std::map<cover::Criterion, double> minimum_;
};

// The coverage of a run.
class Coverer {
 public:
  explicit Coverer(const CoverOptions& options) : output(options), options_(options) {}
  // To be called first. An error: the options make no sense.
  Result<void> prepare();
  // The modules of the project without its tests, and those that are included.
  Result<void> choose_modules(session::Session& session);

  // What machines must do so that it can be measured.
  void adjust(machine::Mode& mode);
  // What the machine has done is counted: before it ends, and at the end of each test.
  void see(machine::Machine& m);

  // Null: there is nothing to count.
  cover::Recorder* recorder() { return recorder_.get(); }
  std::optional<cover::Coverage> coverage() const;

  CoverOutput output;

 private:
  void find_flows(session::Session& session);

  const CoverOptions& options_;
  std::unique_ptr<cover::Recorder> recorder_;
};

}  // namespace fathom
