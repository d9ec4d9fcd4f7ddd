// Something for each process, by the number of its pid. Numbers are given out one after another,
// so a list serves; but a program can make up pids (list_to_pid/1) with numbers that no process
// ever has: those are looked up.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

template <class T>
class ByProcess {
 public:
  // It stays where it is until the next one is asked for.
  T& operator[](uint64_t number) {
    if (number >= kListed) return others_[number];
    if (number >= list_.size()) list_.resize(number + 1);
    return list_[number];
  }
  // Null: it was never asked for.
  const T* find(uint64_t number) const {
    if (number < kListed) return number < list_.size() ? &list_[number] : nullptr;
    const auto it = others_.find(number);
    return it == others_.end() ? nullptr : &it->second;
  }

 private:
  static constexpr uint64_t kListed = 1 << 20;

  std::vector<T> list_;
  std::unordered_map<uint64_t, T> others_;
};

}  // namespace fathom::explore
