// A value that is made when it is first asked for, by whichever thread asks, and never changes.
// Threads that make it at the same time must come to the same value: one of them stays. Asking
// for it afterwards is one load.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace fathom {

template <class T>
class MadeOnce {
 public:
  MadeOnce() = default;
  // Not while others ask.
  MadeOnce(MadeOnce&& other) noexcept : value_(other.value_.exchange(nullptr)) {}
  MadeOnce& operator=(MadeOnce&& other) noexcept {
    const std::unique_ptr<const T> before(value_.exchange(other.value_.exchange(nullptr)));
    return *this;
  }
  ~MadeOnce() { const std::unique_ptr<const T> last(value_.load(std::memory_order_acquire)); }

  template <class Make>
  const T& get(Make&& make) const {
    const T* there = value_.load(std::memory_order_acquire);
    if (there) return *there;
    auto made = std::make_unique<const T>(std::forward<Make>(make)());
    const bool is_first = value_.compare_exchange_strong(
        there, made.get(), std::memory_order_acq_rel, std::memory_order_acquire);
    return is_first ? *made.release() : *there;
  }

 private:
  mutable std::atomic<const T*> value_ = nullptr;
};

}  // namespace fathom
