#include "explore/endless.h"

#include <fmt/format.h>

#include "code/places.h"

namespace fathom::explore {
namespace {

bool do_the_same(const Record& a, const Record& b) {
  return a.id.actor == b.id.actor && a.event.kind == b.event.kind &&
         a.event.place == b.event.place && a.event.node == b.event.node;
}

}  // namespace

Finding endless_finding(const EndedExecution& e) {
  constexpr uint32_t kLongest = 1000;
  const Trace& trace = e.trace();
  const uint32_t size = trace.size();
  // Whether the event that is `back` before the last does the same as the one `length` before it.
  const auto is_repeated = [&](uint32_t back, uint32_t length) {
    const EventIndex event = trace.end() - 1 - back;
    return do_the_same(trace[event], trace[event - length]);
  };
  Finding finding;
  finding.kind = FindingKind::Endless;
  finding.reason = fmt::format("still running after {} events", size);
  for (uint32_t length = 1; length <= kLongest && 3 * length <= size; ++length) {
    uint32_t matched = 0;
    while (matched < 2 * length && is_repeated(matched, length)) ++matched;
    if (matched < 2 * length) continue;
    while (matched + length < size && is_repeated(matched, length)) ++matched;
    finding.loop_length = length;
    finding.loop_begin = size - matched - length;
    break;
  }
  const Record& last = trace.back();
  finding.process = e.execution.actors().name(last.id.actor);
  finding.place = machine::place_of(last.event.place, last.event.node);
  return finding;
}

}  // namespace fathom::explore
