// A value, or the words that say why there is none. C++20 has no std::expected;
// this is the part of it that Fathom uses. An Error is already phrased for the
// reader of a diagnostic; the caller adds the place (file, line) that it knows.
//
//   Result<int> half(int n) {
//     if (n % 2 != 0) return Error{"the number is odd"};
//     return n / 2;
//   }
//
// Taking the value of a failed result (or the error of a good one) is a bug of
// the caller, and std::get throws: a wrong answer never goes on silently.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace fathom {

struct Error {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

// Success without a value: `return {};`
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }

  const Error& error() const& { return error_.value(); }
  Error&& error() && { return std::move(error_).value(); }

 private:
  std::optional<Error> error_;
};

}  // namespace fathom
