// Functions without code: what effects.def says of them, as constraints.
#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "flow/effects.h"
#include "flow/facts.h"

namespace fathom::flow {

class Engine;

class EffectEvaluator {
 public:
  explicit EffectEvaluator(Engine& engine);

  void apply(const Effect& effect, SiteId site, std::span<const Slot> arguments);
  void fail_in_library(SiteId site, std::span<const Slot> arguments);

  // The message goes to whatever the destination stands for.
  void send(SiteId site, Slot destination, Slot message, bool is_signal = false);
  Slot registered(Atom name);
  // Code outside of the analysis has come by it.
  void name_escapes(Atom name);
  // The process, which begins with a function that may raise these, may exit with them.
  void exit_by_exception(ObjectId process, Slot exceptions);
  void exit_with_error(ObjectId process, ObjectId reason);
  Slot elements(Slot list);
  void add_process(ObjectId process);
  // An exception of the class, or of any of the classes in a slot, to the handler.
  void raise(Slot handler, Slot exception_class, Slot reason);

 private:
  // An effect at its site.
  struct Frame {
    SiteId site;
    std::span<const Slot> arguments;
    uint32_t made = 0;  // objects so far
  };

  Slot evaluate(Frame& frame, const EffectTerm& term);
  Slot make(Frame& frame, const EffectTerm& term);
  Slot take_part(Frame& frame, const EffectTerm& term);
  Slot perform(Frame& frame, const EffectTerm& term);
  void act(Frame& frame, const EffectTerm& term);
  void store(Slot table, Slot stored);
  void rename(Slot table, Slot name);
  Slot single(ObjectId object);
  Slot fresh();
  Objects::Origin origin(const Frame& frame, uint32_t index) const;
  ObjectId string();
  ObjectId chars();
  Slot spawn(Frame& frame, const EffectTerm& term);
  Slot parts(Slot tuple, Slot places);
  void exported(SiteId site, std::span<const Slot> function, Slot result);
  Slot deep(Slot slot);
  Slot of_kinds(Slot from, KindSet kinds);
  Slot kept(Slot space, Slot key, bool is_written, Slot value);
  Slot kept_under(Atom space, ObjectId key);
  Slot tables(Atom name);
  void each_table(Slot table, const std::function<void(Slot contents)>& f);
  Slot replaced(Frame& frame, const EffectTerm& term);
  ObjectId table(Frame& frame, Slot name);
  void link(Frame& frame, Slot processes);
  Slot reasons_of(Slot processes);
  Slot exit_error(ObjectId process);
  Slot processes_of(Slot destination);
  void each_process(Slot destination, const std::function<void(ObjectId)>& f);
  bool is_shared(Atom name) const;
  void share(Slot named);
  // What has got a name that is not known.
  Slot named_outside();

  Engine& engine_;
  std::unordered_map<Atom, Slot> registered_;     // that may have the name
  std::unordered_map<Atom, Slot> registered_as_;  // that were given it
  std::unordered_map<Atom, Slot> tables_;
  std::unordered_set<Atom> escaped_names_;
  Slot named_outside_ = kNoSlot;
  Slot all_registered_;  // the processes of all names
  Slot all_tables_;      // that have names
  std::unordered_map<Slot, Slot> reasons_;
  std::unordered_map<Slot, Slot> processes_;
  std::unordered_set<ObjectId> failing_;  // processes that may exit with an error
  std::unordered_map<uint64_t, Slot> kept_;
  std::unordered_map<ObjectId, Slot> singles_;
  std::unordered_map<Slot, Slot> elements_;
  std::unordered_map<Slot, Slot> deep_;
};

}  // namespace fathom::flow
