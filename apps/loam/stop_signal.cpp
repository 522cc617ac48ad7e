#include "stop_signal.h"

#include <csignal>

namespace loam {
namespace {

// Signal handlers reach nothing but what lives for ever.
std::atomic<bool> stop{false};
std::atomic<int> signal_seen{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void ask_to_stop(int signal) {
    signal_seen = signal;
    stop = true;
}

} // namespace

const std::atomic<bool>& watch_for_stop() {
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART); // the second one acts as usual
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr); // a background job is not to be stopped
    }
    return stop;
}

int stop_signal() { return signal_seen; }

} // namespace loam
