// The messages of a process, oldest first.
//
// Taking a message out moves those before it or those after it by one place, whichever are
// fewer. So for a receive that passes over k messages and takes the next one that costs no more
// than the trying did; nor for one that knows where to begin.
//
// A reference is in no message that was there before it was made. So each message has a stamp,
// which says what references its receiver could have had then (UniqueNumbers::stamp), and a receive
// all of whose patterns hold one reference begins where that may be: OTP's receive markers, but for
// any number of references.
//
// Where it has to be known which message is which, they have numbers: how many
// came before.
#pragma once

#include <span>
#include <vector>

#include "machine/journal.h"
#include "values/labels.h"
#include "values/value.h"

namespace fathom::machine {

class Mailbox {
 public:
  size_t size() const { return messages_.size() - head_; }
  Value operator[](size_t i) const { return messages_[head_ + i]; }
  std::span<Value> messages() { return std::span(messages_).subspan(head_); }
  std::span<const Value> messages() const { return std::span(messages_).subspan(head_); }

  bool is_numbered() const { return !numbers_.empty(); }
  // Of a mailbox whose messages have numbers: that of the i-th.
  uint32_t number(size_t i) const { return numbers_[head_ + i]; }

  void append(Journal& journal, Value message, uint64_t stamp);
  // Gives it a number: all messages of the mailbox, or none.
  uint32_t append_numbered(Journal& journal, Value message, uint64_t stamp);
  // Of a labelled machine: the labels of the i-th.
  MessageLabels labels(size_t i) const { return labels_[head_ + i]; }
  // The message that is appended next has these labels: all messages of the mailbox, or none.
  void label_next(const MessageLabels& labels) { labels_.push_back(labels); }
  // The first message that may hold the reference of that number. O(messages from there on).
  size_t first_with(uint64_t reference) const;
  void remove(Journal& journal, size_t i);
  // Holds only that, from now on; not to be undone.
  void become(Value message);

 private:
  template <class F>
  void for_each_column(F&& f);
  void drop_gap();

  std::vector<Value> messages_;
  std::vector<uint64_t> stamps_;       // of each
  std::vector<uint32_t> numbers_;      // of each, or empty
  std::vector<MessageLabels> labels_;  // of each, or empty
  uint32_t next_number_ = 0;
  size_t head_ = 0;  // messages_ before here have been taken
};

}  // namespace fathom::machine
