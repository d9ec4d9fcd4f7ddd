// A vector of plain values, for the arrays that most of reading a module goes into:
// several values are appended with one look at the capacity, and none is set to zero
// first. Otherwise as std::vector; references are valid until it grows.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace fathom {

template <class T>
class PlainVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  PlainVector() = default;
  PlainVector(const PlainVector& other) { append(other); }
  PlainVector(PlainVector&& other) noexcept { swap(other); }
  PlainVector& operator=(PlainVector other) noexcept {
    swap(other);
    return *this;
  }
  ~PlainVector() = default;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t index) { return data_[index]; }
  const T& operator[](size_t index) const { return data_[index]; }
  T& back() { return data_[size_ - 1]; }

  void push_back(const T& value) {
    const T copy = value;  // may be one of ours
    *extend(1) = copy;
  }
  void append(std::span<const T> values) {
    T* at = extend(values.size());
    for (const T& value : values) *at++ = value;
  }
  // Room for more values at the end, which are the caller's to set.
  T* extend(size_t count) {
    if (capacity_ - size_ < count) [[unlikely]]
      grow(count);
    T* at = data_.get() + size_;
    size_ += count;
    return at;
  }
  // Keeps the first `size` values.
  void truncate(size_t size) {
    assert(size <= size_);
    size_ = size;
  }
  void clear() { size_ = 0; }  // keeps the memory

 private:
  [[gnu::noinline]] void grow(size_t count) {
    const size_t capacity = std::max({size_ + count, 2 * capacity_, size_t{64}});
    auto data = std::make_unique_for_overwrite<T[]>(capacity);
    std::copy_n(data_.get(), size_, data.get());
    data_ = std::move(data);
    capacity_ = capacity;
  }

  void swap(PlainVector& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  std::unique_ptr<T[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace fathom
