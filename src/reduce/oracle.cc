#include "reduce/oracle.h"

#include <algorithm>

namespace fathom::reduce {
namespace {

// A run of the original that takes longer is cut off; one of a slice may take some times as long,
// since it may go on where the original has ended.
constexpr uint64_t kMostReductions = 5'000'000;
constexpr uint64_t kTimes = 4;
constexpr uint64_t kSpare = 20'000;

}  // namespace

Result<TextSlice> showing(session::Session& session, const TextSlice& texts) {
  const auto modules = read_modules(session, texts);
  if (!modules) return Error{"the program does not compile"};
  TextSlice result;
  for (size_t i = 0; i < texts.size(); ++i) {
    const Unit& unit = *(*modules)[i].unit;
    const auto parents = parents_of(unit.ast);
    slice::UnitEdits edits(unit);
    for (const Mark& mark : texts[i].marks) {
      const core::AstId node = slice::node_at(unit, mark.offset, mark.kind);
      if (!fathom::exists(node)) return Error{"the criterion is not in its slice"};
      auto shown = show_values(unit, parents, node, mark.number);
      if (!shown) return shown.error();
      for (Insertion& insertion : *shown) edits.edits().insert(insertion.at, insertion.text);
    }
    result.push_back({texts[i].name, edits.edits().applied()});
  }
  return result;
}

ValueOracle::ValueOracle(Runner runner, const Modules& original) : runner_(std::move(runner)) {
  for (size_t i = 0; i < runner_.call_count(); ++i) {
    expected_.push_back(runner_.run(i, original, kMostReductions));
  }
}

size_t ValueOracle::value_count() const {
  size_t count = 0;
  for (const CallValues& call : expected_) {
    for (const auto& sequence : call.values) count += sequence.size();
  }
  return count;
}

std::string ValueOracle::limit() const {
  for (const CallValues& call : expected_) {
    if (!call.limit.empty()) return call.limit;
  }
  return "";
}

std::string not_reached(const ValueOracle& oracle) {
  const std::string limit = oracle.limit();
  if (limit.empty()) return "no call comes to the criterion";
  return "it is not known whether a call comes to the criterion: " + limit;
}

bool ValueOracle::accepts(const Modules& modules) {
  for (size_t call = 0; call < expected_.size(); ++call) {
    const uint64_t most = kTimes * expected_[call].reductions + kSpare;
    const CallValues seen = runner_.run(call, modules, most);
    if (is_like(expected_[call], seen)) continue;
    for (size_t c = 0; c < seen.values.size(); ++c) {
      const auto& a = expected_[call].values[c];
      const auto& b = seen.values[c];
      size_t i = 0;
      while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
      if (i == a.size() && i == b.size()) continue;
      difference_ = {call, c, i, i < a.size() ? a[i] : "", i < b.size() ? b[i] : ""};
    }
    return false;
  }
  return true;
}

}  // namespace fathom::reduce
