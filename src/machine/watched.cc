#include "machine/watched.h"

#include <algorithm>
#include <utility>

#include "machine/native.h"

namespace fathom::machine {
namespace {

bool set(bool& flag) { return !std::exchange(flag, true); }

}  // namespace

Value begun_part() { return atom("begun"); }

bool Watched::has_mailbox(uint64_t process) const {
  return std::ranges::binary_search(mailboxes, process);
}

bool Watched::is_late(const Channel& channel) const {
  return std::ranges::binary_search(late, channel);
}

bool Watched::add_late(const Channel& channel) {
  const auto place = std::ranges::lower_bound(late, channel);
  if (place != late.end() && *place == channel) return false;
  late.insert(place, channel);
  return true;
}

bool Watched::add(const Event& event) {
  static const Value group_leader = atom("group_leader");
  static const Value dictionary = atom("dictionary");
  bool is_new = !event.query.is_none() && set(changes);
  for (const Access& access : event.accesses) {
    const bool is_read = access.mode == AccessMode::Read;
    if (access.object == SharedObject::MailboxOrder && is_read && !has_mailbox(access.id)) {
      mailboxes.insert(std::ranges::lower_bound(mailboxes, access.id), access.id);
      is_new = true;
    }
    const bool saw_beginning =
        access.object == SharedObject::Exiting && access.part == begun_part();
    if (saw_beginning && set(beginnings)) is_new = true;
    if (access.object != SharedObject::Flags) continue;
    const bool is_own = !event.process.is_none() && access.id == event.process.local_number();
    if (is_own) continue;
    if (access.part == group_leader && !is_read && set(leaders)) is_new = true;
    if (access.part == dictionary && is_read && set(dictionaries)) is_new = true;
  }
  return is_new;
}

}  // namespace fathom::machine
