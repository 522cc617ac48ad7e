// What is open in the studio: a scene as it is being edited, its run with takes, and the simulation that goes on. All
// tabs see the same one. Lives on the server's thread; work that takes long is done by others and brought back.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <nlohmann/json.hpp>

#include "child.h"
#include "folders.h"
#include "making.h"
#include "studio.h"

namespace loam::studio {

using Json = nlohmann::ordered_json;

struct Answer {
    unsigned status = 200;
    std::string type = "application/json";
    std::string body;
};
using Reply = std::function<void(Answer)>; // once, on the server's thread

struct Question {
    bool is_post = false;
    std::string path;                        // "api/frame"
    std::map<std::string, std::string> with; // what stands behind the "?"
    std::string body;
};

Answer json_answer(const Json& json);
Answer error_answer(unsigned status, const Error& error);

class Project {
public:
    // `tell_all` sends a line of JSON to every page that watches.
    Project(boost::asio::io_context& context, const Options& options, std::function<void(const Json&)> tell_all);

    Status open(const std::filesystem::path& path);
    void answer(const Question& question, const Reply& reply);
    void stop_simulation(); // once in good order, twice at once
    bool is_simulating() const { return child_ != nullptr; }
    void set_nonce(std::string nonce) { nonce_ = std::move(nonce); }

private:
    using Path = std::filesystem::path;

    // What is asked for (questions.cpp).
    Answer state() const;
    Answer take_text(const Json& wish);
    Answer save(const Json& wish);
    Answer choose_quality(const Json& wish);
    Answer simulate(const Json& wish);
    Answer stop();
    Answer open_offer(const Json& wish);
    Answer begin_scene(const Json& wish);
    Answer take_mesh(const Question& question);
    Answer make(const Json& wish);
    Answer cancel_making();
    Answer reveal(const Json& wish);
    Answer take_thumbnail(const Question& question);
    void answer_made(const Question& question, const Reply& reply);
    void answer_picture(const Question& question, const Reply& reply);
    void answer_surface(const Question& question, const Reply& reply);
    void answer_frame(const Question& question, const Reply& reply);
    void answer_particle(const Question& question, const Reply& reply);
    void answer_log(const Question& question, const Reply& reply);
    void answer_shapes(const Reply& reply);
    void answer_schema(const Reply& reply);
    void answer_offers(const Reply& reply);

    Status open_scene(const Path& file);
    Status open_run(const Path& folder);
    void changed(Json about); // tells all pages
    Path run_folder() const;
    Result<Path> free_file(const std::string& name) const;
    Result<Path> folder_of(const std::string& run) const; // "" or the name of a take
    Json run_text(const Path& folder, const std::string& id) const;
    Json runs_text() const;
    void check();
    void check_ended(std::uint64_t version, const std::string& quality, bool whole, const Json& finding);
    void heard(const std::string& line);
    void ended(const ChildEnd& end);
    std::vector<std::string> scene_words(const char* command) const;
    // `work` elsewhere, then `done` with what it returned, here.
    template <class Work, class After> void elsewhere(Work work, After after);

    boost::asio::io_context& context_;
    boost::asio::thread_pool workers_{3};
    std::shared_ptr<std::mutex> frames_ =
        std::make_shared<std::mutex>(); // the library that reads them wants one at a time
    std::shared_ptr<std::mutex> surfaces_ = std::make_shared<std::mutex>();
    const Options options_;
    std::function<void(const Json&)> tell_all_;
    std::string nonce_;

    OpenedFolder opened_;
    Path scene_file_; // empty: none is open, or only a run
    Path run_;        // of what is open, if that is a run
    std::string text_, saved_text_, quality_;
    std::uint64_t version_ = 0; // of the text
    std::uint64_t told_ = 0;    // events: a page that has heard of more than an answer tells asks again
    bool checking_ = false, check_again_ = false;
    Json finding_; // of the newest check
    static constexpr double unknown_particles = 1e5;
    double particles_ = unknown_particles; // by the newest whole check or run

    std::string schema_; // once it was asked for
    std::pair<std::pair<std::vector<std::string>, std::string>, std::string>
        shapes_; // the newest, with what they are of

    std::shared_ptr<Child> child_;
    std::string child_run_; // what it computes: "" or a take
    Json job_ = nullptr;    // what is known of it
    Making making_;
    Json messages_ = Json::array();
};

} // namespace loam::studio
