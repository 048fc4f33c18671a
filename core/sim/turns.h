// CTAs that wait for each other in loops run one at a time, in turns: what one sees of another, and so every result and finding, is
// the same each time. A CTA keeps the turn until a loop of it goes round without having written anything, which is what waiting
// looks like; then the next one goes on, or a new one is begun. So a chain of CTAs in which each waits for the one before it runs
// through without a single wait.
//
// That also tells waits that cannot end. A CTA that comes round its loop with its memory as it was the last time, when nobody has
// written to any tensor since, will do so for ever unless somebody writes. If that holds for each CTA that is left, nobody will.
// A loop that counts its turns is not found that way; it ends by itself, or by the budget of steps.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "cta.h"

namespace phobos::sim {

class Turns {
 public:
  explicit Turns(Machine& machine);
  ~Turns();

  bool run();  // every CTA; whether all got to their end
  std::int64_t done() const { return done_; }

  // Called by the CTA whose turn it is. They come back when it is so again, and throw Halt where it is not to go on.
  // Of a loop that may wait. `apart`: other threads of the CTA do not go round with those that do.
  void end_of_round(const Instr& loop, bool apart);
  bool grid_barrier(const Machine::AtBarrier& here);  // false: some CTA will not come
  void wrote() { ++version_; }           // to a tensor
  // Behind what another CTA may see, or what sees another one. `changed`: those that wait for it come round twice, so that they see it.
  void met(bool changed) {
    if (machine_.order.eager) end_turn();
    if (machine_.order.eager && changed) end_turn();
    if (machine_.order.patient && changed) wake();
  }
  // What a CTA has last asked the memory of, for the message of its wait.
  void asked(const Instr& in, std::string element, std::string value);

 private:
  enum class State { Ready, AtBarrier, Free };
  struct Worker {
    std::binary_semaphore go{0};
    std::thread thread;
    State state = State::Ready;
    Machine::AtBarrier barrier;    // at which it waits
    std::int64_t cta_index = 0;
    std::unique_ptr<Cta> cta;
    const Instr* loop = nullptr;   // that it went round last
    bool apart = false;
    std::uint64_t version = 0;     // of the tensors, then
    std::uint64_t memory = 0;      // its own, then: a hash
    std::uint64_t own_version = 0; // behind its last turn
    int idle = 0;                  // rounds of that loop since anything was written
    int alone = 0;                 // and of all its loops
    std::int64_t rounds = 0;
    bool stuck = false;            // as long as the version stays
    const Instr* question = nullptr;  // of its last round
    bool asked = false;               // in this one
    std::string element, value;
  };

  void live(Worker& worker);
  std::int64_t take_next() { return machine_.order.backward ? total_ - 1 - next_++ : next_++; }
  bool next_wanted() const { return next_ < total_ && machine_.wanted(machine_.order.backward ? total_ - 1 - next_ : next_); }
  void end_turn();
  bool begin_next();             // a CTA that is not yet begun takes the turn
  void wake();                   // lets one go on that has waited
  bool settled(const Worker& worker) const;  // it waits, and nothing has changed since it saw that
  template <class F>
  Worker* next_where(F&& fits);  // behind the current one, in a circle
  bool give_way();              // to a CTA that has not begun, else to one that is ready; whether there is one
  void switch_to(Worker& other); // and wait until the turn comes back
  void pass_on();                // by a worker that is done
  Worker* next_ready(bool also_at_barrier);
  bool nobody_moves() const;
  void report_wait();

  Machine& machine_;
  std::int64_t total_, next_ = 0, done_ = 0;
  std::map<const std::byte*, std::int64_t> arrived_;  // at the barrier of each tensor
  std::vector<std::unique_ptr<Worker>> workers_;
  std::size_t current_ = 0;
  std::int64_t early_turns_ = 0;  // that end_turn() has ended
  std::uint64_t version_ = 0;
  bool stopped_ = false, dissolved_ = false;
  std::exception_ptr failure_;
  std::binary_semaphore finished_{0};
};

}  // namespace phobos::sim
