// An array of plain values, zero until they are written, that only grows.
//
// A small one lies in the C library's heap. A large one has a mapping of its own: when that grows,
// its pages are moved and not copied, and what is added costs nothing until it is used. So
// doubling takes no time, whatever the size, and memory is what is used and not what is reserved.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace fathom {

namespace detail {
// A block that has the first one's contents, and zeros behind them; the first one is gone. Both
// sizes are in bytes; null has none. Sizes that are mapped are multiples of a large page's.
void* grow_block(void* block, size_t from, size_t to);
void free_block(void* block, size_t bytes);
size_t block_bytes(size_t least);
}  // namespace detail

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ZeroedArray() = default;
  ~ZeroedArray() { detail::free_block(data_, size_ * sizeof(T)); }
  ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    swap(other);
    return *this;
  }

  size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }

  // To at least so many.
  void grow(size_t size) {
    if (size <= size_) return;
    const size_t bytes = detail::block_bytes(size * sizeof(T));
    data_ = static_cast<T*>(detail::grow_block(data_, size_ * sizeof(T), bytes));
    size_ = bytes / sizeof(T);
  }

 private:
  void swap(ZeroedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace fathom
