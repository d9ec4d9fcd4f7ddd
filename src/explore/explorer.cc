#include "explore/explorer.h"

#include "explore/optimal_explorer.h"
#include "explore/plain_explorer.h"
#include "explore/source_explorer.h"

namespace fathom::explore {

std::unique_ptr<Explorer> make_explorer(Execution& execution, const SearchOptions& options) {
  switch (options.algorithm) {
    case Algorithm::Optimal:
      return std::make_unique<OptimalExplorer>(execution);
    case Algorithm::Source:
      return std::make_unique<SourceExplorer>(execution);
    case Algorithm::None:
      return std::make_unique<PlainExplorer>(execution, options);
  }
  return nullptr;
}

}  // namespace fathom::explore
