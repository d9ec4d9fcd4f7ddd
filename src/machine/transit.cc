#include "machine/transit.h"

namespace fathom::machine {
namespace {

constexpr size_t kLineages = 0;
constexpr size_t kOldest = 1;
constexpr size_t kLater = 2;

Value reversed(Heap& heap, Value list) {
  Value result = Value::nil();
  for (; list.is_cons(); list = list.tail()) result = heap.cons(list.head(), result);
  return result;
}

}  // namespace

void Transit::add(Heap& heap, Journal& journal, const Pair& pair, Value signal) {
  const Value pairs = pairs_.is_none() ? empty_map(heap) : pairs_;
  const Value key = heap.tuple({pair.from, pair.to});
  const Value queue = map_get(pairs, key);
  const Value lineages = heap.cons(pair.from_lineage, pair.to_lineage);
  const Value longer = queue.is_none()
                           ? heap.tuple({lineages, heap.cons(signal, Value::nil()), Value::nil()})
                           : heap.tuple({lineages, queue.element(kOldest),
                                         heap.cons(signal, queue.element(kLater))});
  journal.set(pairs_, map_put(heap, pairs, key, longer));
  const Value count = Value::small(sent(heap, pair.from, pair.to) + 1);
  journal.set(sent_, map_put(heap, sent_.is_none() ? empty_map(heap) : sent_, key, count));
}

Value Transit::take(Heap& heap, Journal& journal, Value from, Value to) {
  if (pairs_.is_none()) return Value::none();
  const Value key = heap.tuple({from, to});
  const Value queue = map_get(pairs_, key);
  if (queue.is_none()) return Value::none();
  // A queue in the map is never empty, and neither are its oldest signals.
  const Value signal = queue.element(kOldest).head();
  Value oldest = queue.element(kOldest).tail();
  Value later = queue.element(kLater);
  if (oldest.is_nil()) {
    oldest = reversed(heap, later);
    later = Value::nil();
  }
  journal.set(pairs_, oldest.is_nil()
                          ? map_remove(heap, pairs_, key)
                          : map_put(heap, pairs_, key,
                                    heap.tuple({queue.element(kLineages), oldest, later})));
  return signal;
}

}  // namespace fathom::machine
