// The GPU, used from a process of its own. A kernel that touches memory which is not its own, or never ends, spoils the driver's
// context of its whole process, for good; so the runs of this program happen in a child, which is given up with its context when
// that happens, and the next run has a new one. The parent never touches the driver: a fork after it did would be of no use.
//
// Debuggers, profilers and sanitizers look at one process best: where PHOBOS_GPU_INLINE is set, jobs run in this one, and one that
// fails is the last.
//
// What a job needs, and the tensors with it, lies in a piece of memory that both processes see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <phobos/device/device.h>

namespace phobos::device {

struct JobArgument {
  std::uint64_t bits = 0;      // of a scalar
  std::byte* data = nullptr;   // of a buffer in host memory; its copy on the GPU is passed
  std::size_t bytes = 0;
  bool buffer = false;
  bool written = false;        // read back after the launch
  bool map = false;            // 128 bytes that describe the buffer of argument `bits`; its address is put in
  TensorMap tensor{};
};

struct Job {
  std::string_view image;  // PTX or a cubin
  std::string entry;
  LaunchConfig config;
  std::vector<JobArgument> arguments;
  int warm_up = 0, repeats = 1;  // launches; those of the warm-up are not timed
  double seconds = 0;            // for each launch; 0: as long as it takes
  std::size_t report_words = 0;  // 64 bits each, of host memory that the kernel may write, passed as the last argument where not 0
};

struct JobOutcome {
  std::vector<float> milliseconds;    // one a timed launch
  std::vector<std::uint64_t> report;
  std::string printed;                // by the kernel, in the child; 64 MB of it at most
  std::string failure;                // empty: it ran to its end
  bool reported = false;              // the kernel wrote to the report: its first word is not 0
};

class Worker {
 public:
  // The error says which layer is missing, as that of Device::open.
  static Result<std::unique_ptr<Worker>> start();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  const Info& info() const { return info_; }
  // Lets the other process make its context now, while this one does something else.
  void open_ahead();
  // An error is one of this machine's processes; what the GPU had against the job is in the outcome.
  Result<JobOutcome> run(const Job& job);

 private:
  Worker() = default;
  Result<void> fork_child();
  void end_child(bool kill);
  std::string take_printed();

  Info info_;
  bool inline_ = false;
  std::unique_ptr<Device> device_;  // where jobs run in this process
  int child_ = -1, socket_ = -1;
  int printed_ = -1;  // a file that is the child's standard output
};

}  // namespace phobos::device
