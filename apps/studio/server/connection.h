// One connection of a browser: requests, one after the other, until it goes or becomes a WebSocket.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "page.h"
#include "project.h"
#include "watchers.h"

namespace loam::studio {

// What all connections share.
struct House {
    std::string token, nonce;
    Page page;
    Project& project;
    Watchers& watchers;
    std::shared_ptr<int> connections = std::make_shared<int>(0); // how many; the last of them may outlive the house

    static constexpr int most_connections = 64;
};

void begin_connection(House& house, boost::asio::ip::tcp::socket socket);

} // namespace loam::studio
