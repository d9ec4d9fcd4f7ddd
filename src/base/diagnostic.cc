#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/display_width.h"
#include "base/hash.h"
#include "base/utf8.h"

namespace fathom {

bool Diagnostics::is_known(Span span, const std::string& file, const std::string& message) {
  constexpr std::hash<std::string> kText;
  return !known_
              .insert(
                  hash_words(kText(message), kText(file), span.begin.index(), span.begin.kind()))
              .second;
}

Diagnostic& Diagnostics::add(Severity severity, Span span, std::string file, std::string message) {
  if (is_known(span, file, message)) {
    overflow_ = {};
    return overflow_;
  }
  const bool too_many = (severity == Severity::Error && ++errors_ > kMaxErrors) ||
                        (severity == Severity::Warning && ++warnings_ > kMaxWarnings);
  if (too_many) {
    overflow_ = {};
    return overflow_;
  }
  if (!items_.empty() && span.begin < items_.back().span.begin) sorted_ = false;
  items_.push_back({severity, span, std::move(file), std::move(message), {}});
  return items_.back();
}

Diagnostic& Diagnostics::error(Span span, std::string message) {
  return add(Severity::Error, span, {}, std::move(message));
}

Diagnostic& Diagnostics::warning(Span span, std::string message) {
  return add(Severity::Warning, span, {}, std::move(message));
}

Diagnostic& Diagnostics::file_error(std::string file, std::string message) {
  return add(Severity::Error, {}, std::move(file), std::move(message));
}

Diagnostic& Diagnostics::file_warning(std::string file, std::string message) {
  return add(Severity::Warning, {}, std::move(file), std::move(message));
}

void Diagnostics::rewind(Mark mark) {
  items_.resize(mark.items);
  known_.clear();
  for (const Diagnostic& d : items_) is_known(d.span, d.file, d.message);
  errors_ = mark.errors;
  warnings_ = mark.warnings;
}

const std::vector<Diagnostic>& Diagnostics::all() {
  if (!sorted_) {
    std::stable_sort(items_.begin(), items_.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return a.span.begin < b.span.begin;
    });
    sorted_ = true;
  }
  return items_;
}

namespace {

constexpr size_t kMaxShownLine = 160;  // longer source lines are cut around the caret

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "";
}

std::string_view severity_color(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "\033[1;31m";
    case Severity::Warning:
      return "\033[1;35m";
    case Severity::Note:
      return "\033[1;36m";
  }
  return "";
}

// After so many characters, or at the end.
const char* skip_characters(const char* p, const char* end, size_t count) {
  for (; count > 0 && p < end; --count) next_code_point(&p);
  return p;
}

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(std::max<ptrdiff_t>(end - begin, 0))};
}

// As wide as the text. Tabs are kept, so that the two line up on any terminal.
std::string blanks_for(std::string_view text) {
  std::string blanks;
  for (const char* p = text.data(); p < text.data() + text.size();) {
    const uint32_t c = next_code_point(&p);
    blanks.append(character_width(c), c == '\t' ? '\t' : ' ');
  }
  return blanks;
}

// The source line with the caret below it. Of a very long line, only what is near the caret.
void append_snippet(std::string& out, Span span, const SourceMap& sources, std::string_view color) {
  const std::string_view line = sources.line_text(span.begin);
  const size_t before = sources.line_column(span.begin).column - 1;
  const char* end = line.data() + line.size();
  const size_t hidden = before - std::min(before, kMaxShownLine / 2);
  const char* begin = skip_characters(line.data(), end, hidden);
  const char* caret = skip_characters(begin, end, before - hidden);
  end = skip_characters(begin, end, kMaxShownLine);

  size_t width = 1;
  if (span.end > span.begin) {
    const std::string_view covered = sources.slice(span);
    width = display_width(covered.substr(0, covered.find('\n')));
  }
  width = std::max<size_t>(1, std::min(width, display_width(between(caret, end))));
  out += fmt::format("  {}\n  {}{}^{}{}\n", between(begin, end), blanks_for(between(begin, caret)),
                     color, std::string(width - 1, '~'), color.empty() ? "" : "\033[0m");
}

void append_diagnostic(std::string& out, const Diagnostic& d, const SourceMap& sources,
                       const RenderOptions& options) {
  const std::string_view color = options.color ? severity_color(d.severity) : "";
  const std::string_view bold = options.color ? "\033[1m" : "";
  const std::string_view reset = options.color ? "\033[0m" : "";
  std::string place = d.file;
  if (d.span.begin) {
    const LineColumn at = sources.line_column(d.span.begin);
    place =
        fmt::format("{}:{}:{}", sources.name(sources.file_of(d.span.begin)), at.line, at.column);
  }
  if (!place.empty()) out += fmt::format("{}{}:{} ", bold, place, reset);
  out += fmt::format("{}{}:{} {}\n", color, severity_name(d.severity), reset, d.message);
  if (d.span.begin) append_snippet(out, d.span, sources, color);
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const SourceMap& sources,
                   const RenderOptions& options) {
  std::string out;
  append_diagnostic(out, diagnostic, sources, options);
  for (const Diagnostic& note : diagnostic.notes) append_diagnostic(out, note, sources, options);
  return out;
}

}  // namespace fathom
