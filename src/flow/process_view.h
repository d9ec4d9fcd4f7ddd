// The processes of a program, and what they send each other.
//
// A process here stands for all that are started at one place; those that code outside of the
// program runs are one for each function that it enters by. Places are the author's: where OTP's
// code starts a process or sends a message on behalf of a call in the author's code, the place is
// that call. What happens inside one such call (a server tells its starter that it is ready), and
// what the system sends ('DOWN', 'EXIT'), is left out.
//
// What is sent to somebody who is not known may be for each process that outsiders know. Of these,
// a module's own servers are shown, where it calls them by what its caller has given it, and its
// own receives.
#pragma once

#include <vector>

#include "flow/graph.h"

namespace fathom::flow {

struct ProcessMessage {
  size_t to = 0;              // index of the receiver
  core::GlobalNodeId node{};  // that sends; of an answer: the call that is answered
  bool is_answer = false;     // from inside a behaviour, to a call that waits for it
  bool is_taken = false;      // some receive of the receiver may take it
  bool is_possible = false;   // the receiver is not known, but it may be this one
  bool operator==(const ProcessMessage&) const = default;
};

struct ProcessInView {
  ObjectId object{};
  bool is_root = false;
  core::GlobalNodeId start{};  // the author's call; of a root: the Entry of its function
  std::vector<Atom> names;     // that it may have
  std::vector<GraphFunctionId> functions;  // of the author's, that it runs
  std::vector<ProcessMessage> messages;    // each once
};

std::vector<ProcessInView> process_view(const Analysis& analysis, const MessageIndex& messages,
                                        const Graph& graph);

// The node in the author's code that stands for the site.
core::GlobalNodeId place_of_site(const Analysis& analysis, const Site& site);

}  // namespace fathom::flow
