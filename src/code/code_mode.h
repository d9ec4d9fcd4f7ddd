// Modes of code: what a function's code does beside computing values, or is accompanied by.
// A mode is chosen for a machine when it is made, and is the same for all of its code. The
// plain mode is the default, and its code is the same as if there were no others.
//
// A mode that needs further instructions (a counter for coverage, a report of a call) adds
// them in the compiler where it is on; one that needs other instructions (labelled or unknown
// values) has them beside the plain ones in ops.def.
#pragma once

namespace fathom::machine {

class ProbeSource;

struct CodeMode {
  bool node_table = false;  // functions have node tables (node_table.h)
  // Every call and return is reported (machine/call_recorder.h). There are no tail calls then, so
  // that each function knows who has called it: loops need stack.
  bool reports_calls = false;
  // Values have labels (values/labels.h), and the code is for the labelled interpreter: in front
  // of each instruction is a word with its label (LabelWord).
  bool labels = false;
  ProbeSource* probes = nullptr;  // what is counted (probes.h); null: nothing
  // Values may be unknown: before an instruction that looks at values there is an Ask, and every
  // clause that is chosen is reported (machine/unknowns.h).
  bool unknowns = false;
};

}  // namespace fathom::machine
