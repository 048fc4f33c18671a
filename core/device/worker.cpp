#include <phobos/device/worker.h>

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include <phobos/support/bytes.h>

#include "explain.h"

namespace phobos::device {

namespace {

// A job's memory: its image, then each buffer, at multiples of 256.
constexpr std::size_t granule = 256;
constexpr double grace_seconds = 60;  // for the context, the driver's compiler and the copies, beside the launches
std::size_t rounded(std::size_t bytes) { return (bytes + granule - 1) / granule * granule; }

class Mapping {
 public:
  Mapping(int file, std::size_t bytes) : bytes_(bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at != MAP_FAILED) at_ = static_cast<std::byte*>(at);
  }
  ~Mapping() {
    if (at_ != nullptr) munmap(at_, bytes_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::byte* at(std::size_t offset) const { return at_ + offset; }
  bool good() const { return at_ != nullptr; }

 private:
  std::byte* at_ = nullptr;
  std::size_t bytes_;
};

class File {
 public:
  explicit File(int file) : file_(file) {}
  ~File() {
    if (file_ >= 0) close(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

bool send_all(int socket, const std::string& bytes, int file = -1) {
  const std::uint64_t size = bytes.size();
  iovec part{const_cast<std::uint64_t*>(&size), sizeof size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (file >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &file, sizeof file);
  }
  if (sendmsg(socket, &message, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof size)) return false;
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0 && errno != EINTR) return false;
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  return true;
}

bool receive_all(int socket, std::string& bytes, int* file = nullptr) {
  std::uint64_t size = 0;
  iovec part{&size, sizeof size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got = 0;
  do got = recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof size)) return false;
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (file != nullptr) *file = -1;
  if (head != nullptr && head->cmsg_type == SCM_RIGHTS && file != nullptr) std::memcpy(file, CMSG_DATA(head), sizeof *file);
  bytes.resize(size);
  for (std::size_t at = 0; at < size;) {
    const ssize_t n = recv(socket, bytes.data() + at, size - at, 0);
    if (n == 0 || (n < 0 && errno != EINTR)) return false;
    if (n > 0) at += static_cast<std::size_t>(n);
  }
  return true;
}

// --- the child ---

std::string info_bytes(const Result<Info>& info) {
  ByteWriter writer;
  writer.number(info.ok());
  if (!info) {
    writer.text(info.message());
    return writer.take();
  }
  writer.text(info->name);
  writer.text(info->chip);
  writer.number(static_cast<std::uint64_t>(info->driver_version));
  writer.number(static_cast<std::uint64_t>(info->multiprocessors));
  writer.number(info->memory_bytes);
  writer.number(info->shared_bytes_optin);
  return writer.take();
}

Result<Info> info_from(std::string_view bytes) {
  ByteReader reader(bytes);
  if (reader.number() == 0) return Error{std::string(reader.text())};
  Info info;
  info.name = reader.text();
  info.chip = reader.text();
  info.driver_version = static_cast<int>(reader.number());
  info.multiprocessors = static_cast<int>(reader.number());
  info.memory_bytes = reader.number();
  info.shared_bytes_optin = reader.number();
  if (!reader.ended()) return Error{"the process that runs kernels on the GPU did not answer"};
  return info;
}

struct Served {
  JobOutcome outcome;
  bool spoiled = false;  // the context is of no more use
};

class JobRunner {
 public:
  JobRunner(Device& device, const Job& job) : device_(device), job_(job) {}

  Served run() {
    Result<void> done = execute();
    if (report_) {
      const auto* words = static_cast<const std::uint64_t*>(report_->host());
      served_.outcome.report.assign(words, words + job_.report_words);
      served_.outcome.reported = words[0] != 0;
    }
    if (!done) served_.outcome.failure = done.message();
    return std::move(served_);
  }

 private:
  Result<void> execute() {
    Result<std::unique_ptr<Module>> module = device_.load(job_.image);
    if (!module) return module.error();
    module_ = std::move(*module);
    std::vector<std::uint64_t> cells(job_.arguments.size() + 1);
    std::vector<void*> pointers;
    maps_.resize(job_.arguments.size());
    for (std::size_t i = 0; i < job_.arguments.size(); ++i) {
      const JobArgument& argument = job_.arguments[i];
      cells[i] = argument.bits;
      pointers.push_back(&cells[i]);
      buffers_.emplace_back();
      if (argument.map) {
        TensorMap tensor = argument.tensor;
        tensor.address = cells[argument.bits];
        if (Result<void> encoded = device_.encode(tensor, maps_[i]); !encoded) return encoded;
        pointers[i] = &maps_[i];
      }
      if (!argument.buffer) continue;
      // A tensor without elements still has an address.
      Result<std::unique_ptr<Buffer>> buffer = device_.allocate(std::max<std::size_t>(argument.bytes, 16));
      if (!buffer) return buffer.error();
      buffers_.back() = std::move(*buffer);
      cells[i] = buffers_.back()->address();
      if (argument.bytes == 0) continue;
      if (Result<void> up = device_.upload(*buffers_.back(), argument.data, argument.bytes); !up) return up;
    }
    if (job_.report_words != 0) {
      Result<std::unique_ptr<HostBuffer>> report = device_.allocate_host(job_.report_words * 8);
      if (!report) return report.error();
      report_ = std::move(*report);
      cells.back() = report_->address();
      pointers.push_back(&cells.back());
    }
    TimeOptions options;
    options.seconds = job_.seconds;
    options.stop_when = report_ ? static_cast<const std::uint64_t*>(report_->host()) : nullptr;
    options.repeats = job_.warm_up;
    if (job_.warm_up > 0)
      if (const Result<std::vector<float>> warm = timed(pointers, options); !warm) return warm.error();
    options.repeats = job_.repeats;
    Result<std::vector<float>> times = timed(pointers, options);
    if (!times) return times.error();
    served_.outcome.milliseconds = std::move(*times);
    for (std::size_t i = 0; i < job_.arguments.size(); ++i) {
      const JobArgument& argument = job_.arguments[i];
      if (!argument.written || argument.bytes == 0) continue;
      if (Result<void> down = device_.download(argument.data, *buffers_[i], argument.bytes); !down) return down;
    }
    return {};
  }

  Result<std::vector<float>> timed(const std::vector<void*>& pointers, const TimeOptions& options) {
    Result<std::vector<float>> times = device_.time(*module_, job_.entry, job_.config, pointers, options);
    served_.spoiled = served_.spoiled || !times;
    return times;
  }

  Device& device_;
  const Job& job_;
  Served served_;
  std::unique_ptr<Module> module_;
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<EncodedMap> maps_;
  std::unique_ptr<HostBuffer> report_;
};

std::string outcome_bytes(const JobOutcome& outcome) {
  ByteWriter writer;
  writer.text(outcome.failure);
  writer.number(outcome.reported);
  writer.number(outcome.milliseconds.size());
  for (const float time : outcome.milliseconds) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &time, sizeof bits);
    writer.number(bits);
  }
  writer.number(outcome.report.size());
  for (const std::uint64_t word : outcome.report) writer.number(word);
  return writer.take();
}

Result<JobOutcome> outcome_from(std::string_view bytes) {
  ByteReader reader(bytes);
  JobOutcome outcome;
  outcome.failure = reader.text();
  outcome.reported = reader.number() != 0;
  for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) {
    const auto bits = static_cast<std::uint32_t>(reader.number());
    float time = 0;
    std::memcpy(&time, &bits, sizeof time);
    outcome.milliseconds.push_back(time);
  }
  for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) outcome.report.push_back(reader.number());
  if (!reader.ended()) return Error{"the process that runs kernels on the GPU did not answer"};
  return outcome;
}

std::string job_bytes(const Job& job, std::vector<std::size_t>& offsets, std::size_t& total) {
  ByteWriter writer;
  writer.text(job.entry);
  for (const std::uint32_t extent : job.config.grid) writer.number(extent);
  writer.number(job.config.threads);
  writer.number(job.config.dynamic_shared_bytes);
  writer.number(static_cast<std::uint64_t>(job.warm_up));
  writer.number(static_cast<std::uint64_t>(job.repeats));
  std::uint64_t seconds = 0;
  std::memcpy(&seconds, &job.seconds, sizeof seconds);
  writer.number(seconds);
  writer.number(job.report_words);
  total = rounded(job.image.size());
  writer.number(job.image.size());
  writer.number(job.arguments.size());
  for (const JobArgument& argument : job.arguments) {
    offsets.push_back(total);
    writer.number(argument.bits);
    writer.number(argument.buffer);
    writer.number(argument.written);
    writer.number(argument.bytes);
    writer.number(argument.map);
    const TensorMap& map = argument.tensor;
    for (const std::uint64_t word : {map.rows, map.columns}) writer.number(word);
    for (const std::uint32_t word : {map.element_bytes, map.box_rows, map.box_columns, map.swizzle}) writer.number(word);
    writer.number(map.rounds);
    writer.number(total);
    if (argument.buffer) total += rounded(argument.bytes);
  }
  total = std::max<std::size_t>(total, granule);
  writer.number(total);
  return writer.take();
}

Served serve_job(Device& device, const std::string& bytes, int file) {
  Served bad;
  bad.outcome.failure = "internal: a job that cannot be read";
  ByteReader reader(bytes);
  Job job;
  job.entry = reader.text();
  for (std::uint32_t& extent : job.config.grid) extent = static_cast<std::uint32_t>(reader.number());
  job.config.threads = static_cast<std::uint32_t>(reader.number());
  job.config.dynamic_shared_bytes = static_cast<std::uint32_t>(reader.number());
  job.warm_up = static_cast<int>(reader.number());
  job.repeats = static_cast<int>(reader.number());
  const std::uint64_t seconds = reader.number();
  std::memcpy(&job.seconds, &seconds, sizeof seconds);
  job.report_words = reader.number();
  const std::uint64_t image = reader.number();
  std::vector<std::size_t> offsets;
  for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) {
    JobArgument argument;
    argument.bits = reader.number();
    argument.buffer = reader.number() != 0;
    argument.written = reader.number() != 0;
    argument.bytes = reader.number();
    argument.map = reader.number() != 0;
    TensorMap& map = argument.tensor;
    for (std::uint64_t* word : {&map.rows, &map.columns}) *word = reader.number();
    for (std::uint32_t* word : {&map.element_bytes, &map.box_rows, &map.box_columns, &map.swizzle}) *word = static_cast<std::uint32_t>(reader.number());
    map.rounds = reader.number() != 0;
    offsets.push_back(reader.number());
    job.arguments.push_back(argument);
  }
  const std::size_t total = reader.number();
  if (!reader.ended() || file < 0) return bad;
  const Mapping memory(file, total);
  if (!memory.good()) return bad;
  job.image = {reinterpret_cast<const char*>(memory.at(0)), image};
  for (std::size_t i = 0; i < offsets.size(); ++i) job.arguments[i].data = memory.at(offsets[i]);
  return JobRunner(device, job).run();
}

// Never returns.
void serve(int socket, int printed) {
  if (printed >= 0) dup2(printed, STDOUT_FILENO);  // where the driver writes what a kernel prints
  if (fileno(stdout) != STDOUT_FILENO) stdout = fdopen(STDOUT_FILENO, "w");  // the parent had it elsewhere
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) signal(fatal, SIG_DFL);
  // What the parent does at Ctrl-C, it does for itself; a signal that is ignored stays so.
  for (const int interrupt : {SIGINT, SIGTERM})
    if (signal(interrupt, SIG_DFL) == SIG_IGN) signal(interrupt, SIG_IGN);
  if (!send_all(socket, info_bytes(Device::probe()))) _exit(1);
  std::unique_ptr<Device> device;
  std::string bytes;
  int received = -1;
  while (receive_all(socket, bytes, &received)) {
    const File file(received);
    Served served;
    if (bytes.empty()) {  // no job, but one is to come
      Result<std::unique_ptr<Device>> opened = device ? Result<std::unique_ptr<Device>>(nullptr) : Device::open();
      if (!device && opened) device = std::move(*opened);
      continue;
    }
    if (!device) {
      Result<std::unique_ptr<Device>> opened = Device::open();
      if (opened) device = std::move(*opened);
      else served.outcome.failure = opened.message();
    }
    if (device) served = serve_job(*device, bytes, received);
    std::fflush(stdout);
    if (!send_all(socket, outcome_bytes(served.outcome))) break;
    if (served.spoiled) break;  // with its context
  }
  _exit(0);
}

}  // namespace

Result<std::unique_ptr<Worker>> Worker::start() {
  std::unique_ptr<Worker> worker(new Worker);
  const char* asked = std::getenv("PHOBOS_GPU_INLINE");
  worker->inline_ = asked != nullptr && *asked != '\0';
  if (worker->inline_) {
    Result<Info> info = Device::probe();
    if (!info) return info.error();
    worker->info_ = std::move(*info);
    return worker;
  }
  if (Result<void> forked = worker->fork_child(); !forked) return forked.error();
  return worker;
}

Worker::~Worker() {
  end_child(false);
  if (printed_ >= 0) close(printed_);
}

void Worker::open_ahead() {
  if (!inline_ && child_ >= 0) send_all(socket_, "");  // where that fails the first job will say so
}

// What was written since the last time. The file's position is the child's as well.
std::string Worker::take_printed() {
  constexpr std::size_t most = std::size_t{64} << 20;
  std::string text;
  if (printed_ < 0) return text;
  char part[1 << 16];
  for (lseek(printed_, 0, SEEK_SET); text.size() < most;) {
    const ssize_t size = read(printed_, part, sizeof part);
    if (size <= 0) break;
    text.append(part, static_cast<std::size_t>(size));
  }
  lseek(printed_, 0, SEEK_SET);
  if (ftruncate(printed_, 0) != 0) return text;
  return text;
}

Result<void> Worker::fork_child() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return Error{fmt::format("no process can be started for the GPU: {}", std::strerror(errno))};
  if (printed_ < 0) printed_ = memfd_create("phobos-printed", MFD_CLOEXEC);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    serve(ends[1], printed_);
  }
  close(ends[1]);
  socket_ = ends[0];
  child_ = child;
  if (child < 0) return Error{fmt::format("no process can be started for the GPU: {}", std::strerror(errno))};
  std::string bytes;
  if (!receive_all(socket_, bytes)) {
    end_child(true);
    return Error{"the NVIDIA driver ended the process that opened it"};
  }
  Result<Info> info = info_from(bytes);
  if (!info) {
    end_child(true);
    return info.error();
  }
  info_ = std::move(*info);
  return {};
}

void Worker::end_child(bool kill_it) {
  if (socket_ >= 0) close(socket_);  // at which it ends, where it can
  if (child_ > 0) {
    if (kill_it) kill(child_, SIGKILL);
    while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {}
  }
  socket_ = child_ = -1;
}

Result<JobOutcome> Worker::run(const Job& job) {
  if (inline_) {
    if (!device_) {
      Result<std::unique_ptr<Device>> opened = Device::open();
      if (!opened) return opened.error();
      device_ = std::move(*opened);
    }
    return JobRunner(*device_, job).run().outcome;
  }
  if (child_ < 0)
    if (Result<void> forked = fork_child(); !forked) return forked.error();
  std::vector<std::size_t> offsets;
  std::size_t total = 0;
  const std::string bytes = job_bytes(job, offsets, total);
  const File file(memfd_create("phobos-job", MFD_CLOEXEC));
  if (file.get() < 0 || ftruncate(file.get(), static_cast<off_t>(total)) != 0)
    return Error{fmt::format("{} bytes of memory cannot be had for the tensors: {}", total, std::strerror(errno))};
  const Mapping memory(file.get(), total);
  if (!memory.good()) return Error{fmt::format("{} bytes of memory cannot be had for the tensors: {}", total, std::strerror(errno))};
  std::copy_n(reinterpret_cast<const std::byte*>(job.image.data()), job.image.size(), memory.at(0));
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (job.arguments[i].buffer) std::copy_n(job.arguments[i].data, job.arguments[i].bytes, memory.at(offsets[i]));

  JobOutcome outcome;
  std::string answer;
  bool answered = send_all(socket_, bytes, file.get());
  bool late = false;
  if (answered && job.seconds > 0) {
    const double patience = grace_seconds + job.seconds * (job.warm_up + job.repeats);
    pollfd waiting{socket_, POLLIN, 0};
    int ready = 0;
    do ready = poll(&waiting, 1, static_cast<int>(std::min(patience, 2e6) * 1000));
    while (ready < 0 && errno == EINTR);
    late = ready == 0;
  }
  answered = answered && !late && receive_all(socket_, answer);
  if (!answered) {
    end_child(true);
    outcome.printed = take_printed();
    outcome.failure = late ? too_long(job.seconds) : "the process that runs kernels on the GPU ended unexpectedly: a fault of the driver, most likely";
    return outcome;
  }
  Result<JobOutcome> made = outcome_from(answer);
  if (made) made->printed = take_printed();
  if (!made) {
    end_child(true);
    return made;
  }
  if (!made->failure.empty()) end_child(true);
  for (std::size_t i = 0; i < offsets.size() && made->failure.empty(); ++i)
    if (job.arguments[i].written) std::copy_n(memory.at(offsets[i]), job.arguments[i].bytes, job.arguments[i].data);
  return made;
}

}  // namespace phobos::device
