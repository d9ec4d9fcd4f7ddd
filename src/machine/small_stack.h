// A stack whose first N entries need no allocation: what walks values keeps its
// open ends on one, and most values are shallow.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace fathom::machine {

template <class T, size_t N>
class SmallStack {
 public:
  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }

  void push(const T& item) {
    if (size_ < N) {
      inline_[size_] = item;
    } else {
      rest_.push_back(item);
    }
    ++size_;
  }
  T& top() { return size_ <= N ? inline_[size_ - 1] : rest_.back(); }
  T pop() {
    T item = top();
    if (size_ > N) rest_.pop_back();
    --size_;
    return item;
  }

 private:
  std::array<T, N> inline_;
  std::vector<T> rest_;
  size_t size_ = 0;
};

}  // namespace fathom::machine
