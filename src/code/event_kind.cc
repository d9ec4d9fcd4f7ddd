#include "code/event_kind.h"

namespace fathom::machine {
namespace {

constexpr std::string_view kWords[] = {
    "",
#define EVENT(Kind, word) word,
#include "code/events.def"
};

constexpr VisibleNative kVisible[] = {
#define VISIBLE(module, name, arity, Kind, What) \
  {module, name, arity, EventKind::Kind, NativeAccess::What},
#include "code/events.def"
};

}  // namespace

std::string_view event_word(EventKind kind) { return kWords[static_cast<size_t>(kind)]; }

std::span<const VisibleNative> visible_natives() { return kVisible; }

}  // namespace fathom::machine
