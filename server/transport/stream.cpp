#include <phobos/server/transport/stream.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

namespace phobos::server {

namespace {

// What is written at a time where a write may wait: a pipe that says that it has room takes this much without.
constexpr std::size_t piece = 4096;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }

 private:
  int number_;
};

// Descriptors that are waited for together with a bell, so that nobody waits for a client for ever. They are left blocking: whether
// they block is a property of the open file, which others may have open, too. A pipe is opened once more for that, where it can be.
class DescriptorStream : public Stream {
 public:
  // A descriptor that is closed reads as an empty stream and takes no writes.
  DescriptorStream(int input, int output) : input_(input), output_(output), bell_(::eventfd(0, EFD_CLOEXEC)) {}

  std::size_t read_some(char* into, std::size_t size) override {
    while (ready(input_, POLLIN)) {
      const ssize_t read = ::read(input_, into, size);
      if (read >= 0) return static_cast<std::size_t>(read);
      if (errno != EINTR && errno != EAGAIN) return 0;
    }
    return 0;
  }

  bool write(std::string_view bytes) override {
    while (!bytes.empty()) {
      if (!ready(output_, POLLOUT)) return false;
      const ssize_t written = put(bytes);
      if (written < 0 && errno != EINTR && errno != EAGAIN) return false;
      if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  void stop() override {
    const std::uint64_t one = 1;
    const ssize_t written = ::write(bell_.get(), &one, sizeof one);
    static_cast<void>(written);
  }

 protected:
  virtual ssize_t put(std::string_view bytes) { return ::write(output_, bytes.data(), std::min(bytes.size(), piece)); }

 private:
  // False once `stop` was called, or where there is no such descriptor.
  bool ready(int descriptor, short events) {
    if (descriptor < 0) return false;
    for (;;) {
      pollfd waiting[] = {{descriptor, events, 0}, {bell_.get(), POLLIN, 0}};
      const int found = ::poll(waiting, 2, -1);
      if (found < 0 && errno != EINTR) return false;
      if (found <= 0) continue;
      if (waiting[1].revents != 0) return false;
      return (waiting[0].revents & POLLNVAL) == 0;
    }
  }

  int input_, output_;
  Descriptor bell_;
};

// How much a write takes without waiting: a piece, or what there is room for.
enum class Output { Unknown, Pipe, Socket };

class StandardStream : public DescriptorStream {
 public:
  StandardStream(int input, int output, Output form) : DescriptorStream(input, output), form_(form), ours_in_(input), ours_out_(output) {}

 private:
  ssize_t put(std::string_view bytes) override {
    if (form_ == Output::Pipe) return ::write(ours_out_.get(), bytes.data(), bytes.size());
    if (form_ == Output::Socket) return ::send(ours_out_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return DescriptorStream::put(bytes);
  }

  Output form_;
  Descriptor ours_in_, ours_out_;
};

class SocketStream : public DescriptorStream {
 public:
  SocketStream(std::unique_ptr<asio::io_context> context, asio::ip::tcp::socket socket)
      : DescriptorStream(socket.native_handle(), socket.native_handle()), context_(std::move(context)), socket_(std::move(socket)) {}

 private:
  ssize_t put(std::string_view bytes) override {
    return ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  std::unique_ptr<asio::io_context> context_;
  asio::ip::tcp::socket socket_;
};

// Not to a number below 3, which may be free where the program was started without one of those.
int duplicate(int descriptor) { return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

// A pipe is opened anew, so that a write to it takes what there is room for and does not wait.
Output without_waiting(int& descriptor) {
  struct stat about {};
  if (::fstat(descriptor, &about) != 0) return Output::Unknown;
  if (S_ISSOCK(about.st_mode)) return Output::Socket;
  if (!S_ISFIFO(about.st_mode)) return Output::Unknown;
  const int anew = ::open(("/proc/self/fd/" + std::to_string(descriptor)).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (anew < 0) return Output::Unknown;
  ::close(descriptor);
  descriptor = anew;
  return Output::Pipe;
}

void see_to_standard_error() {
  if (::fcntl(STDERR_FILENO, F_GETFD) >= 0) return;
  const Descriptor nothing(duplicate(::open("/dev/null", O_WRONLY)));
  ::dup2(nothing.get(), STDERR_FILENO);
}

}  // namespace

std::unique_ptr<Stream> standard_stream() {
  std::signal(SIGPIPE, SIG_IGN);
  const int input = duplicate(STDIN_FILENO);
  int output = duplicate(STDOUT_FILENO);
  const Output form = without_waiting(output);
  see_to_standard_error();
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return std::make_unique<StandardStream>(input, output, form);
}

bool is_loopback(const std::string& host) {
  asio::error_code fault;
  const asio::ip::address address = asio::ip::make_address(host, fault);
  return !fault && address.is_loopback();
}

Result<std::unique_ptr<Stream>> accept_client(const std::string& host, unsigned short port, void (*announce)(unsigned short port)) {
  std::signal(SIGPIPE, SIG_IGN);
  auto context = std::make_unique<asio::io_context>();
  try {
    asio::ip::tcp::acceptor acceptor(*context, {asio::ip::make_address(host), port});
    announce(acceptor.local_endpoint().port());
    asio::ip::tcp::socket socket = acceptor.accept();
    socket.set_option(asio::ip::tcp::no_delay(true));
    return std::unique_ptr<Stream>(std::make_unique<SocketStream>(std::move(context), std::move(socket)));
  } catch (const std::exception& error) {
    return Error{"cannot listen on " + host + ":" + std::to_string(port) + ": " + error.what()};
  }
}

}  // namespace phobos::server
