// Terms in a text, as in rebar.config: what is read, written and read again is
// the same, however it is written.
#include "base/term_print.h"
#include "fuzz.h"
#include "syntax/consult.h"

namespace fathom {
namespace {

void check(const std::vector<Term>& terms, const std::string& text, std::string_view source) {
  TermArena arena;
  const Result<std::vector<Term>> again = consult("again", text, arena);
  if (!again) report("written terms cannot be read", {again.error().message, text, source});
  if (again->size() != terms.size()) report("there are more or fewer terms", {text, source});
  for (size_t i = 0; i < terms.size(); ++i) {
    if (!equal(terms[i], (*again)[i])) {
      report("a term reads back as another", {written(terms[i]), written((*again)[i]), source});
    }
  }
}

void run(std::string_view source) {
  TermArena arena;
  const Result<std::vector<Term>> terms = consult("fuzz", std::string(source), arena);
  if (!terms) return;
  // What is written may hold what looks like an encoding comment.
  std::string plain = "%% coding: utf-8\n";
  std::string pretty = plain;
  for (const Term term : *terms) {
    plain += written(term) + ".\n";
    pretty += printed(term) + ".\n";
  }
  check(*terms, plain, source);
  check(*terms, pretty, source);
}

}  // namespace
}  // namespace fathom

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fathom::run(fathom::text_of(data, size));
  return 0;
}
