#include "lint/lint_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/term_print.h"

namespace fathom::lint {
namespace {

constexpr std::string_view kRuleNames[] = {
#define RULE(Id, Text) Text,
#include "lint/lint_rules.def"
#undef RULE
};

constexpr size_t kMaxGuessed = 64;  // longer names are not guessed at

// The number of letters to insert, delete, replace or swap with the next one.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> above(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::string_view rule_name(Rule rule) { return kRuleNames[static_cast<size_t>(rule)]; }

std::string show(Atom atom) {
  std::string out;
  append_atom(out, atom);
  return out;
}

std::string show(ArityName name) { return show(name.name) + "/" + std::to_string(name.arity); }

std::string show_type(ArityName name) {
  std::string out = show(name.name) + "(";
  for (uint32_t i = 0; i < name.arity; ++i) out += i == 0 ? "_" : ", _";
  return out + ")";
}

Atom closest(Atom name, std::span<const Atom> candidates) {
  const std::string_view text = name.text();
  if (text.size() > kMaxGuessed) return {};
  Atom best;
  // A third of the letters may be wrong, but not all of a short name.
  size_t best_distance = std::max<size_t>(text.size() / 3, 1) + 1;
  if (text.size() <= 1) return {};
  for (const Atom candidate : candidates) {
    const std::string_view other = candidate.text();
    if (candidate == name || other.size() > kMaxGuessed) continue;
    const size_t gap = std::max(text.size(), other.size()) - std::min(text.size(), other.size());
    if (gap >= best_distance) continue;
    const size_t distance = edit_distance(text, other);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

Found& Found::note(NodeId at, std::string text) {
  if (const auto span = unit_.used_span(at)) {
    diagnostic_.notes.push_back({Severity::Note, *span, {}, std::move(text), {}, {}, {}});
  }
  return *this;
}

Found& Found::did_you_mean(std::string_view what) {
  diagnostic_.message += fmt::format("; did you mean `{}`?", what);
  return *this;
}

Found Reporter::error(Rule rule, NodeId at, NodeId anchor, std::string message) {
  return error_at(rule, at, unit_.ast[anchor].anchor, std::move(message));
}

Found Reporter::error_at(Rule rule, NodeId at, Loc anchor, std::string message) {
  if (exists(elsewhere_)) {
    at = elsewhere_;
    anchor = unit_.ast[at].anchor;
  }
  ++count_;
  Diagnostic& diagnostic =
      diagnostics_.error(unit_.used_span(at).value_or(Span{}), std::move(message));
  diagnostic.rule = rule_name(rule);
  diagnostic.anchor = anchor;
  diagnostic.notes.clear();
  add_macro_note(diagnostic, at);
  return {unit_, diagnostic};
}

Found Reporter::file_error(Rule rule, std::string message) {
  ++count_;
  Diagnostic& diagnostic = diagnostics_.file_error(unit_.path, std::move(message));
  diagnostic.rule = rule_name(rule);
  return {unit_, diagnostic};
}

void Reporter::add_macro_note(Diagnostic& diagnostic, NodeId at) {
  const auto expansion = unit_.expansion_of(at);
  const auto written = unit_.written_span(at);
  if (!expansion || !written) return;
  diagnostic.notes.push_back(
      {Severity::Note,
       *written,
       {},
       fmt::format("here in the macro ?{}", unit_.expansions[*expansion].macro.text()),
       {},
       {},
       {}});
}

}  // namespace fathom::lint
