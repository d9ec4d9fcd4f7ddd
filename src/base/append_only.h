// A sequence that only grows, and that threads read while it does.
//
// Elements stay where they are: they lie in chunks, each twice as large as the one before, and
// a chunk is published by one atomic store; the first one has room for First. One thread at a time
// appends (its caller sees to that); others may read any element of which they know that it is
// there, from size() or from whoever appended it, without a lock. Reading costs two loads and some
// shifting.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace fathom {

template <class T, size_t First = 1024>
class AppendOnly {
 public:
  AppendOnly() = default;
  AppendOnly(const AppendOnly&) = delete;
  AppendOnly& operator=(const AppendOnly&) = delete;
  ~AppendOnly() {
    const size_t count = size();
    for (size_t i = 0; i < count; ++i) std::destroy_at(&(*this)[i]);
    for (size_t k = 0; k < chunks_.size(); ++k) {
      if (T* chunk = chunks_[k].load(std::memory_order_relaxed)) {
        std::allocator<T>().deallocate(chunk, First << k);
      }
    }
  }

  size_t size() const { return size_.load(std::memory_order_acquire); }

  T& operator[](size_t i) { return *at(i); }
  const T& operator[](size_t i) const { return *at(i); }

  // Returns its index.
  size_t append(T value) {
    const size_t i = size_.load(std::memory_order_relaxed);
    const Place place = place_of(i);
    T* chunk = chunks_[place.chunk].load(std::memory_order_relaxed);
    if (!chunk) {
      chunk = std::allocator<T>().allocate(First << place.chunk);
      chunks_[place.chunk].store(chunk, std::memory_order_release);
    }
    new (chunk + place.index) T(std::move(value));
    size_.store(i + 1, std::memory_order_release);
    return i;
  }

 private:
  static constexpr size_t kChunks = 32;
  struct Place {
    size_t chunk;
    size_t index;
  };
  // Before chunk k there are First * (2^k - 1) elements.
  static Place place_of(size_t i) {
    const auto k = static_cast<size_t>(std::bit_width(i / First + 1)) - 1;
    return {k, i + First - (First << k)};
  }
  T* at(size_t i) const {
    const Place place = place_of(i);
    return chunks_[place.chunk].load(std::memory_order_acquire) + place.index;
  }

  std::array<std::atomic<T*>, kChunks> chunks_{};
  std::atomic<size_t> size_ = 0;
};

}  // namespace fathom
