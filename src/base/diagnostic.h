// Diagnostics are data: a sink collects them, src/cli prints them. Within a
// sink they are kept in the order of their places, so output does not depend on
// the order in which passes found them. What is said twice of a place (a header
// that is included twice has its errors twice) is kept once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/source.h"

namespace fathom {

enum class Severity : uint8_t { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  // Empty when the message is about no place (a file that cannot be read):
  // then `file` names what it is about, or is empty too.
  Span span;
  std::string file;
  std::string message;
  std::vector<Diagnostic> notes;
  std::string_view rule = {};  // the stable name of what was checked, if it has one
  Loc anchor = {};             // the place that OTP's tools would name, if it is known
};

class Diagnostics {
 public:
  // Beyond this many errors, or warnings, only the count goes on; a broken file
  // should not flood the screen.
  static constexpr size_t kMaxErrors = 200;
  static constexpr size_t kMaxWarnings = 200;

  Diagnostic& error(Span span, std::string message);
  Diagnostic& warning(Span span, std::string message);
  Diagnostic& file_error(std::string file, std::string message);
  Diagnostic& file_warning(std::string file, std::string message);

  // Forgets what was added since a mark, errors that follow from another one.
  struct Mark {
    size_t items;
    size_t errors;
    size_t warnings;
  };
  Mark mark() const { return {items_.size(), errors_, warnings_}; }
  void rewind(Mark mark);

  bool has_errors() const { return errors_ != 0; }
  size_t error_count() const { return errors_; }
  size_t suppressed_errors() const { return errors_ - std::min(errors_, kMaxErrors); }
  size_t suppressed_warnings() const { return warnings_ - std::min(warnings_, kMaxWarnings); }
  // Sorted by place.
  const std::vector<Diagnostic>& all();

 private:
  Diagnostic& add(Severity severity, Span span, std::string file, std::string message);
  bool is_known(Span span, const std::string& file, const std::string& message);

  std::vector<Diagnostic> items_;
  std::unordered_set<uint64_t> known_;  // hashes of them
  Diagnostic overflow_;
  size_t errors_ = 0;
  size_t warnings_ = 0;
  bool sorted_ = true;
};

struct RenderOptions {
  bool color = false;
};

// `file:line:column: error: text`, the source line, a caret line; then notes.
std::string render(const Diagnostic& diagnostic, const SourceMap& sources,
                   const RenderOptions& options = {});

}  // namespace fathom
