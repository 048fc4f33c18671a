#include <phobos/server/transport/stream.h>

#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <asio/connect.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <doctest/doctest.h>

#include <phobos/server/transport/framing.h>

using namespace phobos::server;

namespace {

std::string read_until_end(int descriptor) {
  std::string all;
  char buffer[256];
  for (ssize_t size; (size = ::read(descriptor, buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<std::size_t>(size));
  return all;
}

// The child's life: read what is there, answer, print what a library might.
[[noreturn]] void child(int input, int output, int errors) {
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  for (int descriptor : {input, output, errors}) ::close(descriptor);
  {
    auto stream = standard_stream();
    char buffer[16];
    const std::size_t size = stream->read_some(buffer, sizeof buffer);
    std::printf("a stray line");
    std::fflush(stdout);
    stream->write("got " + std::string(buffer, size));
    if (stream->read_some(buffer, sizeof buffer) == 0) stream->write(" end");
  }
  ::_exit(7);
}

}  // namespace

TEST_CASE("what is printed to standard output does not get among the messages") {
  int input[2], output[2], errors[2];
  REQUIRE(::pipe(input) == 0);
  REQUIRE(::pipe(output) == 0);
  REQUIRE(::pipe(errors) == 0);
  std::fflush(nullptr);  // or the child prints what waits here
  const pid_t pid = ::fork();
  REQUIRE(pid >= 0);
  if (pid == 0) {
    ::close(input[1]);
    child(input[0], output[1], errors[1]);
  }
  for (int descriptor : {input[0], output[1], errors[1]}) ::close(descriptor);
  REQUIRE(::write(input[1], "hello", 5) == 5);
  ::close(input[1]);
  CHECK(read_until_end(output[0]) == "got hello end");
  CHECK(read_until_end(errors[0]) == "a stray line");
  int status = 0;
  ::waitpid(pid, &status, 0);
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("a client over TCP") {
  static std::thread client;
  static std::string answer;
  auto stream = accept_client("127.0.0.1", 0, [](unsigned short port) {
    client = std::thread([port] {
      asio::io_context context;
      asio::ip::tcp::socket socket(context);
      socket.connect({asio::ip::make_address("127.0.0.1"), port});
      asio::write(socket, asio::buffer("ping", 4));
      asio::error_code error;
      char buffer[16];
      const std::size_t size = asio::read(socket, asio::buffer(buffer, 4), error);
      answer.assign(buffer, size);
    });
  });
  REQUIRE(stream.ok());
  char buffer[16];
  const std::size_t size = (*stream)->read_some(buffer, sizeof buffer);
  CHECK(std::string(buffer, size) == "ping");
  CHECK((*stream)->write("pong"));
  client.join();
  CHECK(answer == "pong");
  CHECK((*stream)->read_some(buffer, sizeof buffer) == 0);
  CHECK_FALSE(accept_client("not an address", 0, [](unsigned short) {}).ok());
}
