#include "values/char_lists.h"

#include "base/budget.h"
#include "base/utf8.h"
#include "values/lists.h"

namespace fathom::machine {

std::optional<std::string> char_list_text(Value list, Atoms atoms) {
  std::string text;
  SmallStack<Value, 8> later;
  later.push(list);
  while (!later.empty()) {
    spend();
    const Value at = later.pop();
    if (at.is_cons()) {
      later.push(at.tail());
      later.push(at.head());
    } else if (at.is_atom() && atoms == Atoms::Yes) {
      text += at.atom().text();
    } else if (!at.is_nil()) {
      const std::optional<int64_t> n = small_in(at, 1, 0x10FFFF);
      if (!n || (*n >= 0xD800 && *n <= 0xDFFF)) return std::nullopt;
      append_utf8(text, static_cast<uint32_t>(*n));
    }
  }
  return text;
}

}  // namespace fathom::machine
