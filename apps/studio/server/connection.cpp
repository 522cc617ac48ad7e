#include "connection.h"

#include <optional>

#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <fmt/format.h>

#include "guard.h"

namespace loam::studio {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using namespace std::chrono_literals;

constexpr std::size_t longest_header = 16384;
constexpr std::size_t longest_body = std::size_t{12} << 20; // a scene of 4 MB, as JSON text
constexpr std::size_t longest_mesh = std::size_t{256} << 20;
constexpr auto patience = 60s; // for a request to arrive, and for an answer to be taken

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string decoded(std::string_view text) {
    std::string plain;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const bool escape = text[k] == '%' && k + 2 < text.size() && digit(text[k + 1]) >= 0 && digit(text[k + 2]) >= 0;
        plain += escape           ? static_cast<char>(16 * digit(text[k + 1]) + digit(text[k + 2]))
                 : text[k] == '+' ? ' '
                                  : text[k];
        if (escape) k += 2;
    }
    return plain;
}

Question question_of(std::string_view target) {
    Question question;
    const std::size_t mark = std::min(target.find('?'), target.size());
    question.path = std::string(target.substr(0, mark));
    std::string_view rest = target.substr(std::min(mark + 1, target.size()));
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, std::min(rest.find('&'), rest.size()));
        rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
        const std::size_t equals = std::min(pair.find('='), pair.size());
        question.with[decoded(pair.substr(0, equals))] = decoded(pair.substr(std::min(equals + 1, pair.size())));
    }
    return question;
}

class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(House& house, boost::asio::ip::tcp::socket socket)
        : house_(house), connections_(house.connections), stream_(std::move(socket)) {
        ++*connections_;
    }
    ~Connection() { --*connections_; }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // First the header alone: who may not come in is not listened to.
    void read() {
        parser_.emplace();
        parser_->header_limit(longest_header);
        parser_->body_limit(longest_mesh);
        stream_.expires_after(patience);
        http::async_read_header(stream_, buffer_, *parser_,
                                [self = shared_from_this()](const beast::error_code& failed, std::size_t) {
                                    if (failed == http::error::header_limit)
                                        return self->refuse(431, "the header is too long");
                                    if (failed == http::error::body_limit) return self->refuse(413, "this is too long");
                                    if (failed) return;
                                    self->greet();
                                });
    }

private:
    void greet() {
        const auto& header = parser_->get();
        const std::string_view host = view(header[http::field::host]);
        const std::string_view origin = view(header[http::field::origin]);
        const bool changes = header.method() != http::verb::get;
        const bool upgrades = beast::websocket::is_upgrade(header);
        std::string_view target = view(header.target());
        if (!is_loopback_host(host)) return refuse(403, "this server is for this machine only");
        if (!origin.empty() ? !is_own_origin(origin, host) : changes || upgrades)
            return refuse(403, "this comes from another page");
        if (!take_token(target, house_.token)) return refuse(403, "open the address that loam studio printed");
        if (changes && header.method() != http::verb::post) return refuse(405, "only GET and POST");
        target_ = std::string(target);
        if (upgrades) return watch();
        const std::size_t most = target.starts_with("api/mesh") ? longest_mesh : longest_body;
        const auto length = parser_->content_length();
        if (length && *length > most) return refuse(413, "this is too long");
        parser_->body_limit(most);
        stream_.expires_after(patience);
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](const beast::error_code& failed, std::size_t) {
                             if (failed == http::error::body_limit) return self->refuse(413, "this is too long");
                             if (!failed) self->answer();
                         });
    }

    void watch() {
        if (target_ != "events") return refuse(404, "there is nothing here");
        if (house_.watchers.full()) return refuse(503, "too many pages watch");
        begin_watching(house_.watchers, std::move(stream_), parser_->release());
    }

    void answer() {
        PlainRequest request = parser_->release();
        keep_alive_ = request.keep_alive();
        Question question = question_of(target_);
        if (request.method() == http::verb::get && !question.path.starts_with("api/")) return send_page(question.path);
        question.is_post = request.method() == http::verb::post;
        question.body = std::move(request.body());
        house_.project.answer(question, [self = shared_from_this()](Answer answer) { self->send(std::move(answer)); });
    }

    void send_page(const std::string& path) {
        const auto found = house_.page.find(path.empty() ? "index.html" : path);
        if (found == house_.page.end()) return send({404, "text/plain", "there is nothing here\n"});
        send({200, found->second.type, found->second.bytes});
    }

    void refuse(unsigned status, const std::string& why) {
        keep_alive_ = false;
        send({status, "text/plain", why + "\n"});
    }

    void send(Answer answer) {
        response_ = {};
        response_.result(answer.status);
        response_.version(11);
        response_.set(http::field::content_type, answer.type);
        response_.set(http::field::cache_control, "no-store");
        response_.set("X-Content-Type-Options", "nosniff");
        response_.set("Referrer-Policy", "no-referrer");
        response_.set("Cross-Origin-Resource-Policy", "same-origin");
        response_.set("Cross-Origin-Opener-Policy", "same-origin");
        response_.set(
            "Content-Security-Policy",
            fmt::format(
                "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; img-src 'self' data: blob:; "
                "media-src 'self'; font-src 'self'; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; "
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                house_.nonce));
        response_.keep_alive(keep_alive_);
        response_.body() = std::move(answer.body);
        response_.prepare_payload();
        stream_.expires_after(patience);
        http::async_write(stream_, response_,
                          [self = shared_from_this()](const beast::error_code& failed, std::size_t) {
                              if (failed) return;
                              if (self->keep_alive_) return self->read();
                              beast::error_code ignored;
                              self->stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
                          });
    }

    House& house_;
    std::shared_ptr<int> connections_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{std::size_t{1} << 20};
    std::optional<http::request_parser<http::string_body>> parser_;
    http::response<http::string_body> response_;
    std::string target_;
    bool keep_alive_ = false;
};

} // namespace

void begin_connection(House& house, boost::asio::ip::tcp::socket socket) {
    if (*house.connections >= House::most_connections) return; // closes it
    std::make_shared<Connection>(house, std::move(socket))->read();
}

} // namespace loam::studio
