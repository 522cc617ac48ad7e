#include "studio.h"

#include <csignal>
#include <cstdlib>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include "connection.h"
#include "guard.h"

namespace loam::studio {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

constexpr unsigned short usual_port = 8750;

Status listen_at(tcp::acceptor& acceptor, unsigned short port) {
    boost::system::error_code failed;
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    acceptor.open(endpoint.protocol(), failed);
    if (!failed) acceptor.set_option(asio::socket_base::reuse_address(true), failed);
    if (!failed) acceptor.bind(endpoint, failed);
    if (!failed) acceptor.listen(asio::socket_base::max_listen_connections, failed);
    if (!failed) return Done{};
    boost::system::error_code ignored;
    acceptor.close(ignored);
    return Error{Fault::usage, fmt::format("--port {}", port), failed.message(),
                 "choose another one; 0 is any that is free"};
}

Status listen(tcp::acceptor& acceptor, int port) {
    if (port >= 0) return listen_at(acceptor, static_cast<unsigned short>(port));
    return listen_at(acceptor, usual_port) ? Status(Done{}) : listen_at(acceptor, 0);
}

void accept(tcp::acceptor& acceptor, House& house) {
    acceptor.async_accept([&](const boost::system::error_code& failed, tcp::socket socket) {
        if (failed == asio::error::operation_aborted) return;
        if (!failed) begin_connection(house, std::move(socket));
        accept(acceptor, house);
    });
}

// Ctrl-C: the simulation ends between two steps; a second one ends it at once.
class Ending {
public:
    Ending(asio::io_context& context, Project& project)
        : context_(context), project_(project), signals_(context, SIGINT, SIGTERM), timer_(context) {
        wait();
    }

private:
    void wait() {
        signals_.async_wait([this](const boost::system::error_code& failed, int) {
            if (failed) return;
            if (!project_.is_simulating()) return context_.stop();
            project_.stop_simulation();
            if (!ending_) look();
            ending_ = true;
            wait();
        });
    }
    void look() {
        timer_.expires_after(50ms);
        timer_.async_wait(
            [this](const boost::system::error_code&) { project_.is_simulating() ? look() : context_.stop(); });
    }

    asio::io_context& context_;
    Project& project_;
    asio::signal_set signals_;
    asio::steady_timer timer_;
    bool ending_ = false;
};

} // namespace

bool open_on_desktop(const std::string& what) {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return false;
    std::string program = "xdg-open", word = what;
    char* words[] = {program.data(), word.data(), nullptr};
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (const int file : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&quiet, file, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    const bool begun = posix_spawnp(&process, words[0], &quiet, nullptr, words, environ) == 0;
    posix_spawn_file_actions_destroy(&quiet);
    return begun;
}

Status serve(const Options& options, void (*tell)(const std::string& line)) {
    Result<Page> page = read_page(options.page);
    if (!page) return page.error();
    asio::io_context context(1);
    Watchers watchers;
    Project project(context, options, [&](const Json& event) {
        watchers.send(event.dump(-1, ' ', false, Json::error_handler_t::replace));
    });
    if (Status opened = project.open(options.path); !opened) return opened;
    House house{random_token(), random_token(), std::move(*page), project, watchers};
    if (house.token.empty() || house.nonce.empty())
        return Error{Fault::file, "", "the system gives no random numbers for a secret address", ""};
    project.set_nonce(house.nonce);
    tcp::acceptor acceptor(context);
    if (Status listening = listen(acceptor, options.port); !listening) return listening;
    accept(acceptor, house);
    ::signal(SIGPIPE, SIG_IGN);
    const Ending ending(context, project);
    const unsigned short port = acceptor.local_endpoint().port();
    const std::string address = fmt::format("http://127.0.0.1:{}/{}/", port, house.token);
    tell("Loam studio: " + address);
    char machine[256] = "MACHINE";
    (void)::gethostname(machine, sizeof machine - 1);
    if (!options.open_browser)
        tell(fmt::format("From another machine: ssh -L {0}:127.0.0.1:{0} {1}, then open that address there.", port,
                         machine));
    tell("Ctrl-C ends it.");
    if (options.open_browser) open_on_desktop(address);
    context.run();
    watchers.close();
    return Done{};
}

} // namespace loam::studio
