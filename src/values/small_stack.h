// A stack whose first N entries need no allocation: what walks values keeps its
// open ends on one, and most values are shallow.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace fathom::machine {

template <class T, size_t N>
class SmallStack {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }

  void push(const T& item) {
    if (size_ < N) {
      new (inline_ + size_ * sizeof(T)) T(item);
    } else {
      rest_.push_back(item);
    }
    ++size_;
  }
  // From the bottom.
  T& at(size_t i) {
    if (i >= N) return rest_[i - N];
    return *std::launder(reinterpret_cast<T*>(inline_ + i * sizeof(T)));
  }
  T& top() { return at(size_ - 1); }
  T pop() {
    T item = top();
    if (size_ > N) rest_.pop_back();
    --size_;
    return item;
  }

 private:
  // Bytes, so that making a stack costs nothing.
  alignas(T) std::byte inline_[N * sizeof(T)];
  std::vector<T> rest_;
  size_t size_ = 0;
};

}  // namespace fathom::machine
