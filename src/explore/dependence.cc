#include "explore/dependence.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "values/compare.h"
#include "values/hash.h"

namespace fathom::explore {

using machine::AccessMode;
using machine::EventKind;
using machine::SharedObject;
using machine::Value;

// ---- The table --------------------------------------------------------------

namespace {

struct Rule {
  SharedObject object;
  AccessMode first;
  AccessMode second;
};

constexpr Rule kRules[] = {
#define DEPENDS(object, first, second, reason) \
  {SharedObject::object, AccessMode::first, AccessMode::second},
#include "explore/dependence.def"
};

constexpr size_t kObjectWords = static_cast<size_t>(SharedObject::Unique) + 1;
constexpr size_t kModes = 3;

constexpr size_t slot(AccessMode a, AccessMode b) {
  return static_cast<size_t>(a) * kModes + static_cast<size_t>(b);
}

// For each kind of object the pairs of modes that conflict, as bits: bit `slot(a, b)`, and, since
// the relation is symmetric, bit `slot(b, a)`. So all modes that conflict with a are three bits in
// a row.
constexpr std::array<uint16_t, kObjectWords> make_table() {
  std::array<uint16_t, kObjectWords> table{};
  for (const Rule& rule : kRules) {
    uint16_t& bits = table[static_cast<size_t>(rule.object)];
    bits |= 1u << slot(rule.first, rule.second) | 1u << slot(rule.second, rule.first);
  }
  return table;
}
constexpr std::array<uint16_t, kObjectWords> kTable = make_table();

// AccessFilter relies on it: events that only read an object in common are independent.
constexpr bool two_reads_commute() {
  for (const Rule& rule : kRules) {
    if (rule.first == AccessMode::Read && rule.second == AccessMode::Read) return false;
  }
  return true;
}
static_assert(two_reads_commute());

// An access of the whole object meets every part of it. Parts and contents are hashes: two that are
// different may be taken for the same part, which costs time only; that two contents are taken for
// the same would cost executions, but these hashes have 64 bits.
bool footprints_conflict(const Footprint& a, const Footprint& b) {
  if (a.object != b.object || a.id != b.id || !conflict(a.object, a.mode, b.mode)) return false;
  if (a.is_whole || b.is_whole) return true;
  return a.part == b.part && (a.content == 0 || a.content != b.content);
}

// Whether it accesses the object, of a process, by reading it, or else by changing it.
bool has_access(const Record& record, SharedObject object, uint64_t id, bool is_read) {
  return std::any_of(record.footprints.begin(), record.footprints.end(), [&](const Footprint& f) {
    return f.object == object && f.id == id && (f.mode == AccessMode::Read) == is_read;
  });
}

// The process performs no more events of its code after it.
bool ends(const Record& record, uint64_t process) {
  return has_access(record, SharedObject::Life, process, false) ||
         has_access(record, SharedObject::Exiting, process, false);
}

bool reads_progress(const Record& record, uint64_t process) {
  return has_access(record, SharedObject::Progress, process, true);
}

bool reads_mailbox(const Record& record, uint64_t mailbox) {
  return has_access(record, SharedObject::Mailbox, mailbox, true);
}

// The map hash has 32 bits; two levels of it have 64.
uint64_t hash(Value value) {
  if (value.is_immediate()) return hash_words(value.raw());
  return uint64_t{machine::map_hash(value, 0)} << 32 | machine::map_hash(value, 1);
}

}  // namespace

bool conflict(SharedObject object, AccessMode a, AccessMode b) {
  return kTable[static_cast<size_t>(object)] >> slot(a, b) & 1;
}

ModeSet conflicting_modes(SharedObject object, AccessMode mode) {
  constexpr unsigned kAll = (1u << kModes) - 1;
  return {static_cast<uint8_t>(kTable[static_cast<size_t>(object)] >> slot(mode, {}) & kAll)};
}

// ---- Footprints and filters -------------------------------------------------

namespace {

uint64_t bit(SharedObject object, uint64_t id) {
  return uint64_t{1} << hash_slot(id * 16 + static_cast<uint64_t>(object), 6);
}

// The filter has to be right in one direction: where are_dependent() says yes, the two filters must
// meet in an object that one of them modifies. So besides the footprints there are:
//
//   - the life of its own process, as accessed. An event that ends the process modifies that, and
//     one that reads its progress is taken to: both are dependent with all its events;
//   - of a receive, its mailbox, as modified, and of a send, that of the receiver, as accessed: a
//     send may meet a receive, but two sends are not dependent by themselves.
AccessFilter make_filter(const Record& record) {
  AccessFilter filter;
  if (record.process != 0) filter.accessed |= bit(SharedObject::Life, record.process);
  if (record.is_receive()) filter.modified |= bit(SharedObject::Mailbox, record.process);
  for (const machine::SentMessage& sent : record.event.sent) {
    filter.accessed |= bit(SharedObject::Mailbox, sent.to);
  }
  for (const Footprint& f : record.footprints) {
    // An event that reads a mailbox is dependent with those that send to it; one that reads the
    // progress of a process, with all that the process does.
    const bool ends = f.object == SharedObject::Exiting && f.mode != AccessMode::Read;
    if (f.object == SharedObject::Progress || ends)
      filter.modified |= bit(SharedObject::Life, f.id);
    const bool is_plain_read = f.mode == AccessMode::Read && f.object != SharedObject::Mailbox;
    (is_plain_read ? filter.accessed : filter.modified) |= bit(f.object, f.id);
  }
  filter.accessed |= filter.modified;
  return filter;
}

}  // namespace

void make_footprints(Record& record) {
  const machine::Event& event = record.event;
  for (const machine::Access& access : event.accesses) {
    record.kinds.add(access.object);
    const bool is_mail = access.object == SharedObject::Mailbox;
    // Messages that are sent or taken are in the event itself, with their values, and whether they
    // meet is asked there. What is left are looks into a mailbox, and messages that are flushed.
    if (is_mail && (access.mode == AccessMode::Append || record.is_receive())) continue;
    const bool is_whole = is_mail || access.part.is_none();
    record.footprints.push_back({.object = access.object,
                                 .mode = access.mode,
                                 .is_whole = is_whole,
                                 .is_tentative = access.is_tentative,
                                 .id = access.id,
                                 .part = is_whole ? 0 : hash(access.part),
                                 .content = access.content.is_none() ? 0 : hash(access.content)});
  }
  record.filter = make_filter(record);
}

const Footprint* find_conflict(const Record& a, const Record& b) {
  for (const Footprint& x : a.footprints) {
    for (const Footprint& y : b.footprints) {
      if (footprints_conflict(x, y)) return &x;
    }
  }
  return nullptr;
}

// ---- Stable pairs -----------------------------------------------------------

namespace {

// On data.
struct Effect {
  bool writes = false;        // or would, in another order
  bool is_tentative = false;  // whether it writes depends on the content before
};

Effect effect(const Record& record) {
  Effect effect;
  for (const Footprint& f : record.footprints) {
    if (!is_data(f.object)) continue;
    effect.writes = effect.writes || f.mode != AccessMode::Read || f.is_tentative;
    effect.is_tentative = effect.is_tentative || f.is_tentative;
  }
  return effect;
}

bool may_delete_table(const Record& record) {
  return record.event.kind == EventKind::Table || record.event.kind == EventKind::Exiting;
}

// Not stable, that is, only the machine can say what the two do in the other order:
//
//   - where one of them ends a process, or is an event of a whole table (it is created, deleted,
//     renamed), or the second is a receive, which without a message would be a time-out;
//   - where they meet in something that is not plain data: a name that is taken, a process that is
//     alive or not;
//   - where one of them writes what the other tries to change: ets:insert(T, {k, 1}) and
//     ets:insert_new(T, {k, 2}). If the insertion comes first, insert_new only reads.
bool is_stable(const Record& first, const Record& second) {
  if (!first.event.exits.empty() || !second.event.exits.empty() || second.takes()) return false;
  if (may_delete_table(first) || may_delete_table(second)) return false;
  const Footprint* conflict = find_conflict(first, second);
  if (!conflict || !is_data(conflict->object)) return false;
  const Effect a = effect(first);
  const Effect b = effect(second);
  return !(a.writes && b.is_tentative) && !(b.writes && a.is_tentative);
}

}  // namespace

bool is_stable(const EventSummary& first, const EventSummary& second) {
  if (first.is_plain() && second.is_plain()) return first.part == second.part;
  return is_stable(*first.record, *second.record);
}

// ---- Whether two events are dependent ---------------------------------------

namespace {

bool change_same(const Record& a, const Record& b) {
  for (const machine::Change& x : a.event.changes) {
    for (const machine::Change& y : b.event.changes) {
      if (x.table == y.table && machine::equal(x.key, y.key)) return true;
    }
  }
  return false;
}

}  // namespace

// Whether the query, which accesses the whole table, cannot tell whether the change has happened:
// it matches no object of the changed keys, before or after the change, and changes none of these
// keys itself (ets:select_delete).
//
// Example: ets:match(T, {'$1', red}) and ets:insert(T, {k, blue}), where T had {k, green}.
bool Dependence::query_misses(const Record& query, const Footprint& all, const Record& change,
                              const Footprint& part) const {
  if (query.event.query.is_none() || all.object != SharedObject::Table || !all.is_whole)
    return false;
  if (part.is_whole || part.mode != AccessMode::Write || change.event.changes.empty()) return false;
  if (!query.knows_values || !change.knows_values || change_same(query, change)) return false;
  return !machine::may_see(machine_, query.event.query, all.id, change.event.changes);
}

// Where neither is a query, two footprints that conflict are enough.
bool Dependence::have_conflict(const Record& a, const Record& b) const {
  if (a.event.query.is_none() && b.event.query.is_none()) return find_conflict(a, b) != nullptr;
  for (const Footprint& x : a.footprints) {
    for (const Footprint& y : b.footprints) {
      if (footprints_conflict(x, y) && !query_misses(a, x, b, y) && !query_misses(b, y, a, x))
        return true;
    }
  }
  return false;
}

// Where a value could not be copied (Record::knows_values) the answer is yes: a race too many.
bool Dependence::would_take(const Record& receive, const Record& sender) const {
  if (!receive.is_receive()) return false;
  for (const machine::SentMessage& sent : sender.event.sent) {
    if (sent.to != receive.process) continue;
    if (!receive.knows_values || !sender.knows_values) return true;
    if (!machine::is_demonitored(receive.event, sent) &&
        probe_.would_take(receive.event, sent.message)) {
      return true;
    }
  }
  return false;
}

// The sender's message and what the other event does with a mailbox. A receive that has taken a
// message depends on the send of that one; other sends it does not depend on, but may observe (see
// Trace). A receive that has timed out depends on every send whose message it would have taken.
bool Dependence::are_dependent_in_mailbox(const Record& sender, const Record& other) const {
  if (sender.event.sent.empty()) return false;
  if (other.is_receive()) {
    return other.takes() ? other.taken == sender.id : would_take(other, sender);
  }
  return std::any_of(
      sender.event.sent.begin(), sender.event.sent.end(),
      [&](const machine::SentMessage& sent) { return reads_mailbox(other, sent.to); });
}

bool Dependence::are_dependent(const EventSummary& a, const EventSummary& b) const {
  if (!a.filter.may_conflict(b.filter)) return false;
  return a.is_simple() && b.is_simple() ? a.conflicts_with(b) : are_dependent(*a.record, *b.record);
}

// Everything that is said in dependence.h, in both directions. Two receives of different processes
// have nothing in common; one that looks into the mailbox of the other (process_info) is the last
// case.
bool Dependence::are_dependent(const Record& a, const Record& b) const {
  if (!a.filter.may_conflict(b.filter)) return false;
  if (have_conflict(a, b)) return true;
  if (b.process != 0 && ends(a, b.process)) return true;
  if (a.process != 0 && ends(b, a.process)) return true;
  if (b.process != 0 && reads_progress(a, b.process)) return true;
  if (a.process != 0 && reads_progress(b, a.process)) return true;
  if (are_dependent_in_mailbox(a, b) || are_dependent_in_mailbox(b, a)) return true;
  return (a.is_receive() && reads_mailbox(b, a.process)) ||
         (b.is_receive() && reads_mailbox(a, b.process));
}

}  // namespace fathom::explore
