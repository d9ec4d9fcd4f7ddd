// Something for each process, by the number of its pid.
#pragma once

#include <cstdint>
#include <vector>

#include "base/number_index.h"

namespace fathom::explore {

template <class T>
class ByProcess {
 public:
  // It stays where it is until the next one is asked for.
  T& operator[](uint64_t number) {
    const uint32_t place = places_.find_or_add(number);
    if (place >= list_.size()) list_.resize(place + 1);
    return list_[place];
  }
  // Null: it was never asked for.
  const T* find(uint64_t number) const {
    const uint32_t place = places_.find(number);
    return place == NumberIndex::kNone ? nullptr : &list_[place];
  }

 private:
  NumberIndex places_;
  std::vector<T> list_;
};

}  // namespace fathom::explore
