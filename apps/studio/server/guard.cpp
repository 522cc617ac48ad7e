#include "guard.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <sys/random.h>

namespace loam::studio {

std::string random_token() {
    unsigned char bytes[16];
    std::string token;
    if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) return token;
    for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

bool same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        difference |= static_cast<unsigned>(static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k]));
    return difference == 0;
}

bool is_loopback_host(std::string_view host) {
    for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
        if (!host.starts_with(name)) continue;
        std::string_view port = host.substr(name.size());
        if (port.empty()) return true;
        if (port.front() != ':' || port.size() < 2 || port.size() > 6) return false;
        port.remove_prefix(1);
        return std::all_of(port.begin(), port.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    }
    return false;
}

bool is_own_origin(std::string_view origin, std::string_view host) {
    constexpr std::string_view scheme = "http://";
    return origin.starts_with(scheme) && origin.substr(scheme.size()) == host && is_loopback_host(host);
}

bool take_token(std::string_view& target, std::string_view token) {
    if (token.empty() || target.size() < token.size() + 2 || target.front() != '/') return false;
    if (!same_secret(target.substr(1, token.size()), token) || target[token.size() + 1] != '/') return false;
    target.remove_prefix(token.size() + 2);
    return true;
}

} // namespace loam::studio
