// A module of debug info whose functions are read one by one.
//
// Most functions of a library are never called, and reading modules is most of what it costs
// to start a program. So of a module that is only run, at first the outline is read: its
// attributes and records, and which functions there are. A function is read and lowered when
// somebody asks for it. It is then a part of the module: a Core module that holds it, as
// FunctionId 0, and the functions lifted out of it; others that it mentions have no bodies there.
// Its tree begins with that of the outline, where the defaults of records are.
//
// A part is added to the program like a module, and has its ids from there. So a node has one
// id whatever is read first, and a part is as immutable as a module. Who wants a module in one
// piece (to walk through functions that nobody calls, to follow its calls) has it read as a
// whole: session::Reading.
//
// Cost: an outline takes about a third of the time of the whole, most of it to inflate. A part
// copies the outline's tree, so all parts together cost more than the whole. The inflated debug
// info is kept. Safe for several threads.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/declarations.h"
#include "core/program.h"
#include "syntax/debug_forms.h"

namespace fathom::core {

class Parts {
 public:
  // Null if the file cannot be read in this way, whatever the reason. Both must outlive it, and
  // the program the parts.
  static std::shared_ptr<Parts> open(const std::string& path, const SourceMap& sources,
                                     Program& program);

  // The module without bodies of functions. It has no nodes and is in no program.
  ProgramModule outline() const;
  // By the FunctionId of the outline. An error if the function's form is damaged.
  Result<ProgramModule> read(FunctionId function);

 private:
  // A tree with what it refers to. Copies of it share the literals, which only grow.
  struct Tree {
    explicit Tree(const SourceMap& sources)
        : literals(std::make_shared<Literals>()), unit(sources, *literals) {}
    std::shared_ptr<Literals> literals;
    Unit unit;
  };

  Parts(DebugForms forms, const SourceMap& sources, Program& program)
      : forms_(std::move(forms)), program_(program), tree_(std::make_shared<Tree>(sources)) {}
  bool read_outline(const std::string& path);
  Result<ProgramModule> read_now(FunctionId function) const;
  std::vector<FileStart> files_of(const FunctionForm& function) const;

  const DebugForms forms_;
  Program& program_;
  const std::shared_ptr<Tree> tree_;  // of the outline
  std::shared_ptr<Module> outline_;
  Declarations declarations_;
  std::vector<FunctionForm> functions_;  // by FunctionId
  std::mutex mutex_;
  std::vector<ProgramModule> parts_;  // by FunctionId; none until it is read
};

}  // namespace fathom::core
