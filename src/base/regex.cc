#include "base/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <memory>
#include <string>

namespace fathom {
namespace {

constexpr uint32_t kMaxSteps = 1'000'000;

struct Free {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

Error error_of(int code) {
  char text[256] = {};
  pcre2_get_error_message(code, reinterpret_cast<PCRE2_UCHAR*>(text), sizeof text);
  return {text};
}

PCRE2_SPTR units(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

}  // namespace

Result<bool> regex_search(std::string_view expression, std::string_view text) {
  int error = 0;
  PCRE2_SIZE where = 0;
  const Owned<pcre2_code> code(
      pcre2_compile(units(expression), expression.size(), 0, &error, &where, nullptr));
  if (!code) return error_of(error);
  const Owned<pcre2_match_data> data(pcre2_match_data_create(1, nullptr));
  const Owned<pcre2_match_context> context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), kMaxSteps);
  const int found =
      pcre2_match(code.get(), units(text), text.size(), 0, 0, data.get(), context.get());
  if (found < 0 && found != PCRE2_ERROR_NOMATCH) return error_of(found);
  return found >= 0;
}

}  // namespace fathom
