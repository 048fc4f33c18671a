#include <phobos/server/transport/stream.h>

#include <csignal>
#include <unistd.h>

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/write.hpp>

namespace phobos::server {

namespace {

using Descriptor = asio::posix::stream_descriptor;
using Socket = asio::ip::tcp::socket;

template <class Source>
std::size_t read_from(Source& source, char* into, std::size_t size) {
  for (;;) {
    asio::error_code error;
    const std::size_t read = source.read_some(asio::buffer(into, size), error);
    if (error != asio::error::interrupted) return error ? 0 : read;
  }
}

template <class Sink>
bool write_to(Sink& sink, std::string_view bytes) {
  asio::error_code error;
  asio::write(sink, asio::buffer(bytes.data(), bytes.size()), error);
  return !error;
}

class StandardStream : public Stream {
 public:
  // A descriptor that is closed reads as an empty stream and takes no writes.
  StandardStream(int input, int output) : input_(context_), output_(context_) {
    asio::error_code closed;
    input_.assign(input, closed);
    output_.assign(output, closed);
  }
  std::size_t read_some(char* into, std::size_t size) override { return read_from(input_, into, size); }
  bool write(std::string_view bytes) override { return write_to(output_, bytes); }

 private:
  asio::io_context context_;
  Descriptor input_, output_;
};

class SocketStream : public Stream {
 public:
  SocketStream(std::unique_ptr<asio::io_context> context, Socket socket) : context_(std::move(context)), socket_(std::move(socket)) {}
  std::size_t read_some(char* into, std::size_t size) override { return read_from(socket_, into, size); }
  bool write(std::string_view bytes) override { return write_to(socket_, bytes); }

 private:
  std::unique_ptr<asio::io_context> context_;
  Socket socket_;
};

}  // namespace

std::unique_ptr<Stream> standard_stream() {
  std::signal(SIGPIPE, SIG_IGN);
  const int output = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return std::make_unique<StandardStream>(::dup(STDIN_FILENO), output);
}

Result<std::unique_ptr<Stream>> accept_client(const std::string& host, unsigned short port, void (*announce)(unsigned short port)) {
  std::signal(SIGPIPE, SIG_IGN);
  auto context = std::make_unique<asio::io_context>();
  try {
    asio::ip::tcp::acceptor acceptor(*context, {asio::ip::make_address(host), port});
    announce(acceptor.local_endpoint().port());
    Socket socket = acceptor.accept();
    socket.set_option(asio::ip::tcp::no_delay(true));
    return std::unique_ptr<Stream>(std::make_unique<SocketStream>(std::move(context), std::move(socket)));
  } catch (const std::exception& error) {
    return Error{"cannot listen on " + host + ":" + std::to_string(port) + ": " + error.what()};
  }
}

}  // namespace phobos::server
