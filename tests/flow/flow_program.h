// A small program, analysed.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "core/places.h"
#include "flow/entries.h"
#include "flow/graph.h"
#include "session/program_code.h"

namespace fathom::flow {

class FlowProgram {
 public:
  // From files, or a text. The entry, in the first module, is a function m:f without arguments;
  // none: all that are exported.
  FlowProgram(const std::vector<std::filesystem::path>& paths, const std::string& entry) {
    std::vector<Atom> modules;
    for (const std::filesystem::path& path : paths) {
      library_.add(path.string());
      modules.push_back(Atom::intern(path.stem().string()));
    }
    analyse(std::move(modules), entry);
  }
  FlowProgram(const std::string& text, const std::string& module, const std::string& entry,
              const AnalysisOptions& options = {})
      : options_(options) {
    Diagnostics diagnostics;
    auto found = library_.from_text(module, text, diagnostics);
    if (!found || diagnostics.has_errors()) throw std::runtime_error("cannot read " + module);
    given_ = *found;
    analyse({Atom::intern(module)}, entry);
  }

  Analysis& analysis() { return *analysis_; }
  const MessageIndex& messages() const { return *messages_; }
  const Graph& graph() const { return graph_; }
  session::ProgramCode& code() { return *code_; }
  const core::Program& program() const { return library_.program(); }
  uint32_t line_of(core::GlobalNodeId node) const { return program().place_of(node).line; }

 private:
  void analyse(std::vector<Atom> modules, const std::string& entry) {
    const Atom module = modules[0];
    code_ = std::make_unique<session::ProgramCode>(library_, std::move(modules));
    if (given_) code_->add(module, *given_);
    analysis_ = std::make_unique<Analysis>(*code_, options_);
    if (entry.empty()) {
      for (const FunctionName& name : exported_entries(*code_)) analysis_->add_entry(name, true);
    } else {
      const Atom function = Atom::intern(entry.substr(entry.find(':') + 1));
      if (!analysis_->add_entry({module, function, 0}, false)) {
        throw std::runtime_error("there is no " + entry);
      }
    }
    analysis_->run();
    messages_.emplace(*analysis_);
    graph_ = make_graph(*analysis_, *messages_, *code_);
  }

  AnalysisOptions options_ = {};
  Reader reader_;
  Project project_{ProjectOptions::from_environment()};
  session::Library library_{reader_, project_};
  std::optional<machine::ModuleSource::Found> given_;
  std::unique_ptr<session::ProgramCode> code_;
  std::unique_ptr<Analysis> analysis_;
  std::optional<MessageIndex> messages_;
  Graph graph_;
};

}  // namespace fathom::flow
