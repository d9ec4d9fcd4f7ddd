#include "flow/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/budget.h"
#include "flow/entries.h"
#include "flow/findings_parts.h"

namespace fathom::flow {

using core::GlobalNodeId;

std::vector<FindingRule> finding_rules() {
  return {
#define FINDING(Id, Word, Title, Text) {FindingKind::Id, Word, Title, Text},
#include "flow/findings.def"
#undef FINDING
  };
}

std::string_view word_of(FindingKind kind) {
  return finding_rules()[static_cast<size_t>(kind)].word;
}

namespace {

std::unordered_set<const core::Module*> own_modules(const Graph& graph) {
  std::unordered_set<const core::Module*> own;
  for (const GraphFunction& f : graph.functions) {
    if (f.is_own) own.insert(f.code.module);
  }
  return own;
}

}  // namespace

// ---- Context ----------------------------------------------------------------

FindingContext::FindingContext(const FindingInput& i)
    : input(i),
      analysis(i.analysis),
      facts(i.analysis.facts()),
      graph(i.graph),
      own_(own_modules(i.graph)) {
  for (const DispatchFacts& receive : facts.dispatches) {
    if (!exists(receive.message)) continue;
    analysis.values(facts[receive.instance].self).for_each([&](ObjectId process) {
      receives_[process].push_back(&receive);
    });
  }
  for (const Site& site : facts.sites) {
    if (!facts.outside_calls.contains(site.global)) continue;
    analysis.values(facts[site.instance].self).for_each([&](ObjectId process) {
      outside_calls_.emplace(process, place_of_site(analysis, site));
    });
  }
  for (const ProcessInView& p : i.processes) processes_.emplace(p.object, &p);
  for (const NameFacts& name : facts.names) names_[name.name] = &analysis.values(name.processes);
  missing_entry_ = i.missing;
  if (i.is_open || !missing_entry_.empty()) return;
  std::set<std::string> reached;
  for (const GraphFunction& f : graph.functions) {
    if (f.is_reached) reached.insert(name_of(f.code));
  }
  for (const FunctionName& name : exported_entries(i.code)) {
    const auto code = i.code.find(name);
    if (code && !reached.contains(name_of(*code))) {
      missing_entry_ = fmt::format("{} is exported, and not called here", name_of(*code));
      return;
    }
  }
}

std::span<const core::VarId> FindingContext::arguments(const core::Module& m,
                                                       core::NodeId node) const {
  switch (m[node].kind) {
    case core::Kind::Call:
      return m.vars(m.get<core::node::Call>(node).arguments);
    case core::Kind::CallRemote:
      return m.vars(m.get<core::node::CallRemote>(node).arguments);
    case core::Kind::CallDynamic:
      return m.vars(m.get<core::node::CallDynamic>(node).arguments);
    case core::Kind::Apply:
      return m.vars(m.get<core::node::Apply>(node).arguments);
    default:
      return {};
  }
}

const ObjectSet& FindingContext::argument(const Site& site, size_t index) const {
  static const ObjectSet none{};
  const auto all = arguments(module(site.instance), site.node);
  return index < all.size() ? analysis.values(site.instance, all[index]) : none;
}

std::optional<ObjectId> FindingContext::only(const ObjectSet& set) const {
  if (set.size() != 1) return std::nullopt;
  std::optional<ObjectId> one;
  set.for_each([&](ObjectId id) { one = id; });
  return one;
}

const std::vector<const DispatchFacts*>& FindingContext::receives(ObjectId process) const {
  static const std::vector<const DispatchFacts*> none;
  const auto at = receives_.find(process);
  return at == receives_.end() ? none : at->second;
}

std::optional<GlobalNodeId> FindingContext::outside_call_of(ObjectId process) const {
  const auto at = outside_calls_.find(process);
  if (at == outside_calls_.end()) return std::nullopt;
  return at->second;
}

const ProcessInView* FindingContext::process(ObjectId id) const {
  const auto at = processes_.find(id);
  return at == processes_.end() ? nullptr : at->second;
}

const ObjectSet* FindingContext::registered(Atom name) const {
  const auto at = names_.find(name);
  return at == names_.end() ? nullptr : at->second;
}

std::string FindingContext::name_of(const FunctionCode& code) const {
  const core::Function& f = (*code.module)[code.function];
  return fmt::format("{}:{}/{}", code.module->name().text(), f.name.text(), f.arity - f.captures);
}

// ---- Words ------------------------------------------------------------------

std::string FindingContext::value_text(ObjectId id, int depth) const {
  const Object& object = analysis.objects()[id];
  switch (object.kind) {
    case ObjectKind::Atom:
      return std::string(object.atom.text());
    case ObjectKind::Integer:
      return std::to_string(object.number);
    case ObjectKind::Tuple: {
      std::string text = "{";
      for (size_t i = 0; i < object.size; ++i) {
        if (i > 0) text += ", ";
        const std::optional<ObjectId> part = only(analysis.values(object.parts + i));
        text += part && depth < 2 ? value_text(*part, depth + 1) : "_";
      }
      return text + "}";
    }
    case ObjectKind::Cons:
      return "a list";
    case ObjectKind::Map:
      return "a map";
    case ObjectKind::Fun:
    case ObjectKind::ExternalFun:
      return "a fun";
    case ObjectKind::Pid:
      return "a process";
    case ObjectKind::Reference:
      return "a reference";
    default:
      return std::string(word_of(object.kind));
  }
}

std::string FindingContext::values_text(const ObjectSet& values) const {
  constexpr size_t kMost = 4;
  std::set<std::string> texts;
  values.for_each([&](ObjectId id) {
    if (texts.size() <= kMost) texts.insert(value_text(id));
  });
  std::string text;
  size_t count = 0;
  for (const std::string& value : texts) {
    if (count++ == kMost) return text + ", …";
    text += (text.empty() ? "" : ", ") + value;
  }
  return text.empty() ? "nothing" : text;
}

// ---- All of them ------------------------------------------------------------

Findings find_faults(const FindingInput& input) {
  const FindingContext context(input);
  FindingList found;
  find_message_faults(context, found);
  find_request_faults(context, found);
  find_name_faults(context, found);
  find_unreached(context, found);
  find_undefined(context, found);
  find_circular_calls(context, found);
  const auto key = [](const Finding& f) {
    return std::tuple(f.is_note(), f.node, f.kind, std::string_view(f.message));
  };
  std::ranges::sort(found, {}, key);
  const auto is_same = [](const Finding& a, const Finding& b) {
    return a.node == b.node && a.kind == b.kind && a.message == b.message;
  };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  Findings result{.all = std::move(found)};
  result.count = static_cast<size_t>(
      std::ranges::count_if(result.all, [](const Finding& f) { return !f.is_note(); }));
  return result;
}

}  // namespace fathom::flow
