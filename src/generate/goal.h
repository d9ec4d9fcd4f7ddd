// A line that a test is to reach (--goal FILE:LINE).
//
// A run of a call counts lines as coverage does (cover/recorder.h). Cost: a run for each path.
#pragma once

#include <memory>
#include <string>

#include "cover/recorder.h"
#include "generate/concrete.h"
#include "generate/options.h"

namespace fathom::generate {

class Goal {
 public:
  // An error: no expression of a body begins on that line.
  static Result<std::unique_ptr<Goal>> find(session::Session& session,
                                            const GenerateOptions& options);

  const Item& item() const { return item_; }
  // Whether the call comes there.
  bool is_reached(const Call& call);

 private:
  Goal(session::Session& session, const GenerateOptions& options, const core::Module& module,
       std::string path);
  uint64_t count() const;
  bool exists() const;

  Item item_;
  cover::Recorder recorder_;
  ConcreteRuns runs_;
};

}  // namespace fathom::generate
