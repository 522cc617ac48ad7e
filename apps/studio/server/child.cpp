#include "child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache/durable.h"

namespace loam::studio {
namespace {

namespace asio = boost::asio;

Error cannot_start(const char* what) {
    return {Fault::file, "", std::string("the simulation cannot be started: ") + what + ": " + std::strerror(errno),
            ""};
}

// The text as a file without a name, to be read from its beginning.
Descriptor file_with(const std::string& text) {
    Descriptor file(::memfd_create("loam-scene", MFD_CLOEXEC));
    if (!file || write_all(file.number(), bytes_of(text)) != 0 || ::lseek(file.number(), 0, SEEK_SET) != 0)
        return Descriptor();
    return file;
}

// In the new process: nothing here may ask for memory, since another thread may have held its lock.
[[noreturn]] void become(char* const* words, int input, int output, int messages, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(143); // it has ended meanwhile
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::setpgid(0, 0); // Ctrl-C is for the server, which stops it in good order
    ::dup2(input, 0);
    ::dup2(output, 1);
    ::dup2(messages, 2);
    ::execv(words[0], words);
    ::_exit(127);
}

class Running : public Child, public std::enable_shared_from_this<Running> {
public:
    Running(asio::io_context& context, pid_t process, Descriptor output, Descriptor messages, Listener listener)
        : process_(process), output_(context), messages_(context), listener_(std::move(listener)) {
        output_.assign(::dup(output.number()));
        messages_.assign(::dup(messages.number()));
    }

    void listen() {
        read_line();
        read_messages();
    }

    int process() const override { return process_; }

    void stop() override {
        if (open_ == 0) return;
        ::kill(process_, asked_ ? SIGKILL : SIGINT);
        asked_ = true;
    }

private:
    void read_line() {
        asio::async_read_until(output_, lines_, '\n',
                               [self = shared_from_this()](const auto& failed, std::size_t length) {
                                   if (failed) return self->closed();
                                   const auto* const text = static_cast<const char*>(self->lines_.data().data());
                                   const std::string line(text, length - 1);
                                   self->lines_.consume(length);
                                   self->listener_.said(line);
                                   self->read_line();
                               });
    }

    void read_messages() {
        messages_.async_read_some(asio::buffer(block_),
                                  [self = shared_from_this()](const auto& failed, std::size_t length) {
                                      if (failed) return self->closed();
                                      constexpr std::size_t most = 8000;
                                      self->end_.messages.append(self->block_.data(), length);
                                      if (self->end_.messages.size() > most)
                                          self->end_.messages.erase(0, self->end_.messages.size() - most);
                                      self->read_messages();
                                  });
    }

    void closed() {
        if (--open_ > 0) return;
        int status = 0;
        ::waitpid(process_, &status, 0); // it has closed all that it says, so this is short
        if (WIFEXITED(status)) end_.code = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
        listener_.ended(end_);
        listener_ = {};
    }

    pid_t process_;
    asio::posix::stream_descriptor output_, messages_;
    asio::streambuf lines_{std::size_t{16} << 20};
    std::array<char, 4096> block_{};
    Listener listener_;
    ChildEnd end_;
    int open_ = 2;
    bool asked_ = false;
};

} // namespace

Result<std::shared_ptr<Child>> Child::start(asio::io_context& context, const std::vector<std::string>& words,
                                            const std::string& input, Listener listener) {
    const Descriptor text = file_with(input);
    int said[2], complained[2];
    if (!text) return cannot_start("no file for the scene");
    if (::pipe2(said, O_CLOEXEC) != 0) return cannot_start("no pipe");
    Descriptor said_read(said[0]), said_write(said[1]);
    if (::pipe2(complained, O_CLOEXEC) != 0) return cannot_start("no pipe");
    Descriptor complained_read(complained[0]), complained_write(complained[1]);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = ::getpid();
    context.notify_fork(asio::io_context::fork_prepare);
    const pid_t process = ::fork();
    if (process == 0) become(arguments.data(), text.number(), said[1], complained[1], parent);
    context.notify_fork(asio::io_context::fork_parent);
    if (process < 0) return cannot_start("no process");
    auto child = std::make_shared<Running>(context, process, std::move(said_read), std::move(complained_read),
                                           std::move(listener));
    child->listen();
    return std::shared_ptr<Child>(child);
}

} // namespace loam::studio
