// Who may come in. The server listens on this machine only, but pages of other sites in the user's browser, and other
// users of the machine, can reach it as well: so every address begins with a secret, and requests must come from our
// own page.
#pragma once

#include <string>
#include <string_view>

namespace loam::studio {

std::string random_token(); // 128 bits as hex digits

// Takes as long wherever they differ.
bool same_secret(std::string_view a, std::string_view b);

// localhost, 127.0.0.1 or [::1], with any port: that of a tunnel may be another one. A name that somebody else's name
// server points to this machine (DNS rebinding) is none of them.
bool is_loopback_host(std::string_view host);

// The origin of a page that this server sent to that host. Requests that change something must have one.
bool is_own_origin(std::string_view origin, std::string_view host);

// "/TOKEN/rest?query" -> "rest?query"; nothing when the token is wrong.
bool take_token(std::string_view& target, std::string_view token);

} // namespace loam::studio
