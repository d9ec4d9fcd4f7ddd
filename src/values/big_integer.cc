// A result is drafted at the top of the heap: room for the most limbs that it can
// have, which is given back as far as it was not needed. So nothing is copied,
// and nothing left behind.
#include "values/big_integer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "base/budget.h"

namespace fathom::machine::big {

static_assert(sizeof(mp_limb_t) == 8 && GMP_NAIL_BITS == 0);

namespace {

mp_size_t size_of(std::span<const uint64_t> limbs) { return static_cast<mp_size_t>(limbs.size()); }

// Of a product or a quotient, see spend(). GMP's algorithms take about that long for the sizes
// that there are.
constexpr size_t kWorkPerLimb = 16;

class Draft {
 public:
  Draft(Heap& heap, size_t limbs) : heap_(heap), words_(heap.allocate(1 + limbs)), size_(limbs) {
    spend(static_cast<int64_t>(limbs));
  }

  uint64_t* limbs() { return words_ + 1; }

  Value finish(bool negative) {
    while (size_ > 0 && limbs()[size_ - 1] == 0) --size_;
    constexpr auto kMax = static_cast<uint64_t>(Value::kMaxSmall);
    if (size_ == 0 || (size_ == 1 && limbs()[0] <= kMax + (negative ? 1 : 0))) {
      const uint64_t magnitude = size_ == 0 ? 0 : limbs()[0];
      heap_.set_top(words_);
      return Value::small(static_cast<int64_t>(negative ? -magnitude : magnitude));
    }
    if (size_ * 64 - static_cast<size_t>(std::countl_zero(limbs()[size_ - 1])) > kMaxIntegerBits) {
      heap_.set_top(words_);
      return limit();
    }
    words_[0] = Header(negative ? BoxKind::BigNegative : BoxKind::BigPositive, size_).word();
    heap_.set_top(words_ + 1 + size_);
    return Value::box(words_);
  }

 private:
  Heap& heap_;
  uint64_t* words_;
  size_t size_;
};

}  // namespace

Value add(Heap& heap, const IntegerView& a, const IntegerView& b, bool subtract) {
  std::span<const uint64_t> x = a.limbs();
  std::span<const uint64_t> y = b.limbs();
  bool x_negative = a.negative();
  bool y_negative = b.negative() != subtract;
  if (x.size() < y.size()) {
    std::swap(x, y);
    std::swap(x_negative, y_negative);
  }
  Draft sum(heap, x.size() + 1);
  uint64_t* out = sum.limbs();
  out[x.size()] = 0;
  if (y.empty()) {
    std::copy(x.begin(), x.end(), out);
    return sum.finish(x_negative);
  }
  if (x_negative == y_negative) {
    out[x.size()] = mpn_add(out, x.data(), size_of(x), y.data(), size_of(y));
    return sum.finish(x_negative);
  }
  if (x.size() == y.size() && mpn_cmp(x.data(), y.data(), size_of(x)) < 0) {
    std::swap(x, y);
    std::swap(x_negative, y_negative);
  }
  mpn_sub(out, x.data(), size_of(x), y.data(), size_of(y));
  return sum.finish(x_negative);
}

Value multiply(Heap& heap, const IntegerView& a, const IntegerView& b) {
  std::span<const uint64_t> x = a.limbs();
  std::span<const uint64_t> y = b.limbs();
  if (x.empty() || y.empty()) return Value::small(0);
  // The product has that many bits, or one less.
  if (a.bits() + b.bits() - 1 > kMaxIntegerBits) return limit();
  if (x.size() < y.size()) std::swap(x, y);
  spend(static_cast<int64_t>(kWorkPerLimb * x.size()));
  Draft product(heap, x.size() + y.size());
  if (x.data() == y.data()) {
    mpn_sqr(product.limbs(), x.data(), size_of(x));
  } else {
    mpn_mul(product.limbs(), x.data(), size_of(x), y.data(), size_of(y));
  }
  return product.finish(a.negative() != b.negative());
}

Value divide(Heap& heap, const IntegerView& a, const IntegerView& b, Part part) {
  const std::span<const uint64_t> x = a.limbs();
  const std::span<const uint64_t> y = b.limbs();
  const bool quotient_wanted = part == Part::Quotient;
  if (x.size() < y.size()) {
    return quotient_wanted ? Value::small(0) : heap.integer(a.negative(), x);
  }
  spend(static_cast<int64_t>(kWorkPerLimb * x.size()));
  const size_t quotient_size = x.size() - y.size() + 1;
  const size_t kept = quotient_wanted ? quotient_size : y.size();
  const size_t dropped = quotient_wanted ? y.size() : quotient_size;
  Draft result(heap, kept);
  uint64_t* other = heap.allocate(dropped);  // given back when the result is finished
  uint64_t* quotient = quotient_wanted ? result.limbs() : other;
  uint64_t* rest = quotient_wanted ? other : result.limbs();
  mpn_tdiv_qr(quotient, rest, 0, x.data(), size_of(x), y.data(), size_of(y));
  return result.finish(quotient_wanted ? a.negative() != b.negative() : a.negative());
}

namespace {

// In two's complement, with a limb for the sign.
void put_twos_complement(const IntegerView& integer, uint64_t* out, size_t size) {
  std::copy(integer.limbs().begin(), integer.limbs().end(), out);
  std::fill(out + integer.size(), out + size, 0);
  if (integer.negative()) mpn_neg(out, out, static_cast<mp_size_t>(size));
}

}  // namespace

Value bitwise(Heap& heap, const IntegerView& a, const IntegerView& b, Bitwise operation) {
  const size_t size = std::max(a.size(), b.size()) + 1;
  Draft result(heap, size);
  uint64_t* x = result.limbs();
  uint64_t* y = heap.allocate(size);
  put_twos_complement(a, x, size);
  put_twos_complement(b, y, size);
  const auto count = static_cast<mp_size_t>(size);
  switch (operation) {
    case Bitwise::And:
      mpn_and_n(x, x, y, count);
      break;
    case Bitwise::Or:
      mpn_ior_n(x, x, y, count);
      break;
    case Bitwise::Xor:
      mpn_xor_n(x, x, y, count);
      break;
  }
  const bool negative = x[size - 1] >> 63 != 0;
  if (negative) mpn_neg(x, x, count);
  return result.finish(negative);
}

Value shift_left(Heap& heap, const IntegerView& a, uint64_t count) {
  if (a.size() == 0) return Value::small(0);
  if (count > kMaxIntegerBits || a.bits() + count > kMaxIntegerBits) return limit();
  const size_t zeros = count / 64;
  const unsigned bits = count % 64;
  const std::span<const uint64_t> x = a.limbs();
  Draft result(heap, x.size() + zeros + 1);
  uint64_t* out = result.limbs();
  std::fill_n(out, zeros, 0);
  out += zeros;
  out[x.size()] = 0;
  if (bits == 0) {
    std::copy(x.begin(), x.end(), out);
  } else {
    out[x.size()] = mpn_lshift(out, x.data(), size_of(x), bits);
  }
  return result.finish(a.negative());
}

Value shift_right(Heap& heap, const IntegerView& a, uint64_t count) {
  if (count >= a.bits()) return Value::small(a.negative() ? -1 : 0);
  const size_t gone = count / 64;
  const unsigned bits = count % 64;
  const std::span<const uint64_t> x = a.limbs();
  const size_t size = x.size() - gone;
  Draft result(heap, size + 1);
  uint64_t* out = result.limbs();
  out[size] = 0;
  bool inexact = std::any_of(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(gone),
                             [](uint64_t limb) { return limb != 0; });
  if (bits == 0) {
    std::copy(x.begin() + static_cast<std::ptrdiff_t>(gone), x.end(), out);
  } else {
    inexact |= mpn_rshift(out, x.data() + gone, static_cast<mp_size_t>(size), bits) != 0;
  }
  if (a.negative() && inexact) mpn_add_1(out, out, static_cast<mp_size_t>(size + 1), 1);
  return result.finish(a.negative());
}

Value from_digits(Heap& heap, bool negative, std::string_view digits, int base) {
  const double bits = std::log2(base) * static_cast<double>(digits.size());
  if (bits > static_cast<double>(kMaxIntegerBits) * 1.01) return limit();
  spend(static_cast<int64_t>(digits.size()));
  const size_t size = static_cast<size_t>(bits / 64) + 2;  // GMP may need one more in between
  Draft result(heap, size);
  uint64_t* out = result.limbs();
  const auto written = static_cast<size_t>(
      mpn_set_str(out, reinterpret_cast<const unsigned char*>(digits.data()), digits.size(), base));
  std::fill(out + written, out + size, 0);
  return result.finish(negative);
}

}  // namespace fathom::machine::big
