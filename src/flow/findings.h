// Findings: what is wrong with a program, as far as its flows show.
//
// The analysis has every edge that there can be. So what it does not have cannot happen: a message
// that no clause takes, a clause that no message comes to, a function that is not there. Each
// finding says why it is believed. Where something that is not known could refute it (code that
// was not seen, another process that is started at the same place), it has a doubt, and is a
// note.
//
// What an author writes in defence is not reported: a clause for all the rest, one that only raises
// an exception, a handler for exceptions.
//
// Cost: linear in the facts, and for each send in the clauses of its receivers.
#pragma once

#include <string>
#include <vector>

#include "flow/process_view.h"

namespace fathom::flow {

enum class FindingKind : uint8_t {
#define FINDING(Id, Word, Title, Text) Id,
#include "flow/findings.def"
#undef FINDING
};

struct FindingRule {
  FindingKind kind;
  std::string_view word;
  std::string_view title;
  std::string_view text;
};
std::vector<FindingRule> finding_rules();
std::string_view word_of(FindingKind kind);

struct FindingPlace {
  core::GlobalNodeId node{};
  std::string text;
};

struct Finding {
  FindingKind kind{};
  core::GlobalNodeId node{};
  std::string message;
  std::string reason;                     // why it is believed
  std::string doubt = {};                 // what could refute it; if there is any, it is a note
  std::vector<FindingPlace> places = {};  // that have to do with it

  bool is_note() const { return !doubt.empty(); }
};

struct Findings {
  // Each place of a kind once; findings before notes, then by node.
  std::vector<Finding> all;
  size_t count = 0;  // of those that are not notes
};

// What there is to look at. `is_open`: all exported functions are entries. `missing`: what of the
// program could not be read; it may refute what is said of the whole.
struct FindingInput {
  const Analysis& analysis;
  const Graph& graph;
  const std::vector<ProcessInView>& processes;
  Code& code;
  bool is_open = false;
  std::string missing = {};
};

Findings find_faults(const FindingInput& input);

}  // namespace fathom::flow
