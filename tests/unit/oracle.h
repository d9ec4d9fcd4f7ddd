// What the installed OTP says about terms: tests/differential/term_oracle.escript
// is run, and the fields that it wrote are read one after another.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "shell.h"
#include "tests_dir.h"

namespace fathom {

class Oracle {
 public:
  Oracle() {
    script_ = tests_dir() / "differential" / "term_oracle.escript";
    output_ = std::filesystem::path(::testing::TempDir()) / fmt::format("oracle-{}", getpid());
  }
  ~Oracle() { std::filesystem::remove(output_); }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  static bool available() { return have_program("escript"); }

  bool run(std::string_view what, std::string_view arguments = {},
           std::string_view environment = {}) {
    const std::string command = fmt::format("{} escript '{}' {} '{}' {}", environment,
                                            script_.string(), what, output_.string(), arguments);
    if (!shell(command).ok()) return false;
    std::ifstream in(output_, std::ios::binary);
    data_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    return true;
  }

  bool at_end() const { return at_ == data_.size(); }

  std::string_view next() {
    uint32_t size = 0;
    for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<uint8_t>(data_.at(at_++));
    at_ += size;
    return std::string_view(data_).substr(at_ - size, size);
  }

  // A field of 32 bits.
  uint32_t number() {
    uint32_t n = 0;
    for (const char c : next()) n = n << 8 | static_cast<uint8_t>(c);
    return n;
  }

 private:
  std::filesystem::path script_;
  std::filesystem::path output_;
  std::string data_;
  size_t at_ = 0;
};

}  // namespace fathom
