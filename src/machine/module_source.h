// Where a machine gets its code from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/parts.h"

namespace fathom::machine {

// A module by its name, read and lowered, or null if there is
// none. A module that is there but cannot be read is an error.
struct ModuleSource {
  virtual ~ModuleSource() = default;
  struct Found {  // machines may share it
    std::shared_ptr<const Unit> unit;
    std::shared_ptr<const core::Module> core;
    std::shared_ptr<core::Parts> parts = nullptr;  // then `core` is their outline
  };
  virtual Result<std::optional<Found>> find(Atom module) = 0;

  // What programs ask of code without calling it. By default there is nothing to tell.

  // An application and its directory.
  struct Application {
    std::string name;
    std::string dir;  // absolute
  };
  // Those of the code path, in its order.
  virtual std::vector<Application> applications() { return {}; }
  // The file that find() would read; "" if none, or if it is in no file.
  virtual std::string file_of(Atom /*module*/) { return {}; }
  // The same for a directory that was added to the code path during the run.
  virtual Result<std::optional<Found>> find_in(const std::string& /*dir*/, Atom /*module*/) {
    return std::optional<Found>();
  }
  virtual std::string root_dir() { return {}; }  // of OTP
  virtual uint32_t otp_release() { return 25; }
  // Code that the program has made itself: the bytes of a .beam file.
  virtual Result<Found> read_code(Atom /*module*/, std::string /*bytes*/) {  // NOLINT(*value-param)
    return Error{"code is not read here"};
  }
};

}  // namespace fathom::machine
