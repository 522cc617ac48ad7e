#include "watchers.h"

#include <deque>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

namespace loam::studio {
namespace {

namespace beast = boost::beast;
namespace websocket = beast::websocket;

constexpr std::size_t most_bytes_waiting = std::size_t{4} << 20;

class Page : public Watcher, public std::enable_shared_from_this<Page> {
public:
    Page(Watchers& watchers, beast::tcp_stream stream) : watchers_(watchers), socket_(std::move(stream)) {}

    void begin(PlainRequest request) {
        beast::get_lowest_layer(socket_).expires_never();
        socket_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
        socket_.read_message_max(4096);
        request_ = std::move(request);
        socket_.async_accept(request_, [self = shared_from_this()](const beast::error_code& failed) {
            if (failed) return;
            self->watchers_.add(self);
            self->read();
        });
    }

    void send(const std::shared_ptr<const std::string>& text) override {
        if (waiting_bytes_ + text->size() > most_bytes_waiting) {
            // All that waits is old news; the one that is being written stays.
            waiting_.erase(waiting_.begin() + (writing_ ? 1 : 0), waiting_.end());
            waiting_bytes_ = writing_ ? waiting_.front()->size() : 0;
            push(std::make_shared<const std::string>(R"({"event":"state"})"));
        } else {
            push(text);
        }
        write();
    }

    void close() override {
        beast::error_code ignored;
        beast::get_lowest_layer(socket_).socket().close(ignored);
    }

private:
    void push(std::shared_ptr<const std::string> text) {
        waiting_bytes_ += text->size();
        waiting_.push_back(std::move(text));
    }

    // What pages say here means nothing; reading notices when they go.
    void read() {
        socket_.async_read(heard_, [self = shared_from_this()](const beast::error_code& failed, std::size_t) {
            if (failed) return self->watchers_.remove(self);
            self->heard_.consume(self->heard_.size());
            self->read();
        });
    }

    void write() {
        if (writing_ || waiting_.empty()) return;
        writing_ = true;
        socket_.text(true);
        socket_.async_write(boost::asio::buffer(*waiting_.front()),
                            [self = shared_from_this()](const beast::error_code& failed, std::size_t) {
                                self->writing_ = false;
                                if (failed) return self->watchers_.remove(self);
                                self->waiting_bytes_ -= self->waiting_.front()->size();
                                self->waiting_.pop_front();
                                self->write();
                            });
    }

    Watchers& watchers_;
    websocket::stream<beast::tcp_stream> socket_;
    PlainRequest request_;
    beast::flat_buffer heard_;
    std::deque<std::shared_ptr<const std::string>> waiting_;
    std::size_t waiting_bytes_ = 0;
    bool writing_ = false;
};

} // namespace

void Watchers::send(const std::string& text) {
    const auto shared = std::make_shared<const std::string>(text);
    const auto all = all_; // one that fails takes itself out
    for (const auto& watcher : all) watcher->send(shared);
}

void Watchers::close() {
    const auto all = all_;
    for (const auto& watcher : all) watcher->close();
}

void begin_watching(Watchers& watchers, beast::tcp_stream stream, PlainRequest request) {
    std::make_shared<Page>(watchers, std::move(stream))->begin(std::move(request));
}

} // namespace loam::studio
