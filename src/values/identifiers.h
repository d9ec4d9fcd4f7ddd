// Pids, ports and references: which node made them, and its numbers for them.
// Those of this node are words or small boxes (value.h), those of others are kept
// as they were read, in external term format. Here both are the same.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "values/value.h"

namespace fathom::machine {

struct Identifier {
  OpaqueKind kind;
  Atom node;
  uint32_t creation = 0;
  // Pid: number, serial. Port: low and high half. Reference: as in its external
  // form, the least significant one first.
  std::array<uint32_t, 5> numbers{};
  size_t count = 0;  // of the numbers; 0 if the bytes of a foreign one make no sense
};

// How an atom is written in external term format. Latin1 is for readers before
// OTP 26; atoms with other characters are in UTF-8 there too.
enum class AtomForm : uint8_t { Latin1, Utf8 };
void append_external(std::string& out, Atom atom, AtomForm form);

// The node that programs see themselves on.
Atom local_node();
// {Name, Node} of this node is as good as Name: that is returned, and anything else as it is.
Value local_name(Value destination);

// Of a pid, a port or a reference.
Identifier identifier_of(Value value);
Identifier parse_identifier(OpaqueKind kind, std::string_view external);
// The number by which this node knows it; empty if it is not of this node.
std::optional<uint64_t> local_number(const Identifier& identifier);

// As term_to_binary of OTP 25 writes it.
void append_external(std::string& out, const Identifier& identifier,
                     AtomForm form = AtomForm::Utf8);
// As io:format prints it: <0.1.0>, #Port<0.1>, #Ref<0.1.2.3>.
std::string print_identifier(const Identifier& identifier);

int compare_identifiers(const Identifier& a, const Identifier& b);

}  // namespace fathom::machine
