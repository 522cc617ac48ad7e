// What pages ask for: frames, particles, logs, shapes.
#include <algorithm>
#include <charconv>
#include <sstream>
#include <thread>

#include <boost/asio/post.hpp>

#include "base/run_program.h"
#include "base/threads.h"
#include "cache/durable.h"
#include "cache/run_folder.h"
#include "frame_packet.h"
#include "project.h"
#include "surface_packet.h"

namespace loam::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t none = UINT64_MAX;

std::uint64_t number(const Question& question, const char* name, std::uint64_t otherwise = none) {
    const auto found = question.with.find(name);
    if (found == question.with.end()) return otherwise;
    std::uint64_t value = 0;
    const std::string& text = found->second;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

std::string word(const Question& question, const char* name) {
    const auto found = question.with.find(name);
    return found == question.with.end() ? "" : found->second;
}

Answer wrong(const std::string& what) { return error_answer(400, {Fault::usage, "", what, ""}); }

// So that a page that asks for a frame that is just being replaced hears that it is not there.
Result<Frame> read_one(const fs::path& folder, std::uint64_t frame) { return read_frame(frame_path(folder, frame)); }

template <class Work>
void on(boost::asio::thread_pool& workers, boost::asio::io_context& back, const Reply& reply, Work work) {
    boost::asio::post(workers, [&back, reply, work = std::move(work)] {
        Answer made;
        try {
            made = work();
        } catch (const std::exception& failed) { // no memory, most likely
            made = error_answer(500, {Fault::simulation, "", failed.what(), ""});
        }
        boost::asio::post(back, [reply, made = std::move(made)]() mutable { reply(std::move(made)); });
    });
}

} // namespace

void Project::answer(const Question& question, const Reply& reply) {
    const std::string& path = question.path;
    if (!question.is_post) {
        if (path == "api/state") return reply(state());
        if (path == "api/frame") return answer_frame(question, reply);
        if (path == "api/surface") return answer_surface(question, reply);
        if (path == "api/made") return answer_made(question, reply);
        if (path == "api/picture") return answer_picture(question, reply);
        if (path == "api/particle") return answer_particle(question, reply);
        if (path == "api/log") return answer_log(question, reply);
        if (path == "api/shapes") return answer_shapes(reply);
        if (path == "api/schema") return answer_schema(reply);
        if (path == "api/offers") return answer_offers(reply);
        return reply(error_answer(404, {Fault::usage, "", "there is nothing here", ""}));
    }
    if (path == "api/mesh") return reply(take_mesh(question));
    if (path == "api/thumbnail") return reply(take_thumbnail(question));
    const Json wish = Json::parse(question.body, nullptr, false);
    if (!wish.is_object()) return reply(wrong("this is not a block of JSON"));
    try {
        if (path == "api/text") return reply(take_text(wish));
        if (path == "api/save") return reply(save(wish));
        if (path == "api/quality") return reply(choose_quality(wish));
        if (path == "api/simulate") return reply(simulate(wish));
        if (path == "api/stop") return reply(stop());
        if (path == "api/make") return reply(make(wish));
        if (path == "api/cancel") return reply(cancel_making());
        if (path == "api/reveal") return reply(reveal(wish));
        if (path == "api/open") return reply(open_offer(wish));
        if (path == "api/new") return reply(begin_scene(wish));
    } catch (const Json::exception&) { // a value of another type than it must have
        return reply(wrong("a value has the wrong type"));
    }
    reply(error_answer(404, {Fault::usage, "", "there is nothing here", ""}));
}

void Project::answer_frame(const Question& question, const Reply& reply) {
    const Result<Path> folder = folder_of(word(question, "run"));
    const std::uint64_t frame = number(question, "frame");
    if (!folder) return reply(error_answer(404, folder.error()));
    if (frame == none) return reply(wrong("frame is not a number"));
    constexpr std::uint64_t least = 1000, most = 5000000;
    const PacketWish wish{word(question, "column"), std::clamp(number(question, "most", 400000), least, most)};
    on(workers_, context_, reply, [folder = *folder, frame, wish, lock = frames_]() -> Answer {
        Result<Frame> read = [&] {
            const std::lock_guard one(*lock);
            return read_one(folder, frame);
        }();
        if (!read) return error_answer(404, read.error());
        return {200, "application/octet-stream", frame_packet(*read, wish)};
    });
}

// One at a time, and on one core while something simulates: it is to be nice to look at, not in the way.
void Project::answer_surface(const Question& question, const Reply& reply) {
    const Result<Path> folder = folder_of(word(question, "run"));
    const std::uint64_t frame = number(question, "frame");
    if (!folder) return reply(error_answer(404, folder.error()));
    if (frame == none) return reply(wrong("frame is not a number"));
    SurfaceWish wish{{}, word(question, "column")};
    for (std::istringstream names(word(question, "bodies")); std::getline(names, wish.bodies.emplace_back(), ',');) {
    }
    const int threads = child_ ? 1 : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    on(workers_, context_, reply, [=, folder = *folder, lock = frames_, turn = surfaces_]() -> Answer {
        const std::lock_guard mine(*turn);
        Result<Frame> read = [&] {
            const std::lock_guard one(*lock);
            return read_one(folder, frame);
        }();
        if (!read) return error_answer(404, read.error());
        Result<std::string> made = with_threads(threads, [&] { return surface_packet(*read, wish); });
        if (!made) return error_answer(500, made.error());
        return {200, "application/octet-stream", std::move(*made)};
    });
}

// With `nth` and `most`: the one that was clicked at in a frame; with `id`: its values over all frames of the run.
void Project::answer_particle(const Question& question, const Reply& reply) {
    const Result<Path> folder = folder_of(word(question, "run"));
    const std::uint64_t frame = number(question, "frame"), nth = number(question, "nth"), id = number(question, "id");
    const std::uint64_t most = number(question, "most", 400000);
    if (!folder) return reply(error_answer(404, folder.error()));
    if (id == none && (frame == none || nth == none)) return reply(wrong("which particle?"));
    on(workers_, context_, reply, [=, folder = *folder, lock = frames_]() -> Answer {
        const auto read = [&](std::uint64_t number) {
            const std::lock_guard one(*lock);
            return read_one(folder, number);
        };
        if (id == none) {
            const Result<Frame> shown = read(frame);
            if (!shown) return error_answer(404, shown.error());
            const std::size_t row = row_of(*shown, nth, most);
            if (row == SIZE_MAX) return wrong("there is no such particle");
            return {200, "application/json", particle_text(*shown, row)};
        }
        constexpr std::size_t most_frames = 150;
        const std::vector<std::uint64_t> frames = list_frames(folder);
        const std::size_t stride = frames.size() / most_frames + 1;
        std::string all = "[";
        for (std::size_t k = 0; k < frames.size(); k += stride) {
            const Result<Frame> shown = read(frames[k]);
            const std::size_t row = shown ? row_with_id(*shown, static_cast<std::uint32_t>(id)) : SIZE_MAX;
            if (row == SIZE_MAX) continue;
            all += (all.size() > 1 ? "," : "") + particle_text(*shown, row);
        }
        return {200, "application/json", all + "]"};
    });
}

void Project::answer_log(const Question& question, const Reply& reply) {
    const Result<Path> folder = folder_of(word(question, "run"));
    if (!folder) return reply(error_answer(404, folder.error()));
    on(workers_, context_, reply, [folder = *folder]() -> Answer {
        const Result<Log> log = read_log(folder);
        if (!log) return error_answer(404, log.error());
        Json all = Json::array();
        for (const LogLine& line : log->lines) all.push_back(line);
        return json_answer(all);
    });
}

void Project::answer_shapes(const Reply& reply) {
    if (scene_file_.empty() && run_.empty())
        return reply(error_answer(404, {Fault::usage, "", "no scene is open", ""}));
    const std::vector<std::string> words = scene_words("shapes");
    const auto key = std::pair(words, text_); // every page asks for the same ones
    if (shapes_.first == key) return reply({200, "application/octet-stream", shapes_.second});
    const Reply keep = [this, reply, key](Answer made) {
        if (made.status == 200 && !names_files(key.second)) shapes_ = {key, made.body}; // files change by themselves
        reply(std::move(made));
    };
    on(workers_, context_, keep, [words, text = text_]() -> Answer {
        Result<ProgramOutput> made = run_program(words, text);
        if (!made) return error_answer(500, made.error());
        if (made->code != 0) return error_answer(400, {Fault::scene, "", made->messages.substr(0, 4000), ""});
        return {200, "application/octet-stream", std::move(made->output)};
    });
}

void Project::answer_schema(const Reply& reply) {
    if (!schema_.empty()) return reply({200, "application/json", schema_});
    const Reply keep = [this, reply](Answer made) {
        if (made.status == 200) schema_ = made.body;
        reply(std::move(made));
    };
    on(workers_, context_, keep, [program = options_.program.string()]() -> Answer {
        Result<ProgramOutput> made = run_program({program, "schema"}, "");
        if (!made) return error_answer(500, made.error());
        return {200, "application/json", std::move(made->output)};
    });
}

void Project::answer_offers(const Reply& reply) {
    on(workers_, context_, reply, [opened = opened_, gallery = options_.gallery]() -> Answer {
        const auto text = [](const Offer& offer) {
            return Json{{"name", offer.name},
                        {"title", offer.title},
                        {"frames", offer.frames},
                        {"when", offer.when},
                        {"pictured", offer.pictured}};
        };
        const Offers offers = list_offers(opened);
        Json all{{"root", opened.root().string()},
                 {"scenes", Json::array()},
                 {"runs", Json::array()},
                 {"gallery", Json::array()}};
        for (const Offer& scene : offers.scenes) all["scenes"].push_back(text(scene));
        for (const Offer& run : offers.runs) all["runs"].push_back(text(run));
        std::error_code failed;
        if (!gallery.empty() && !fs::equivalent(gallery, opened.root() / "examples", failed))
            for (const Offer& scene : list_gallery(gallery)) all["gallery"].push_back(text(scene));
        return json_answer(all);
    });
}

// The picture of an offer: `name` of a scene or run below the folder that was opened, or `gallery`.
void Project::answer_picture(const Question& question, const Reply& reply) {
    const std::string like = word(question, "gallery");
    on(workers_, context_, reply,
       [opened = opened_, gallery = options_.gallery, like, name = word(question, "name")]() -> Answer {
           auto none_there = error_answer(404, {Fault::file, "", "there is no picture", ""});
           fs::path picture;
           if (!like.empty()) {
               if (fs::path(like).filename() != like || gallery.empty()) return none_there;
               picture = picture_of(gallery / (like + ".json"));
           } else {
               const Result<fs::path> shown = opened.inside(name);
               const Result<fs::path> found = shown ? opened.inside(opened.name_of(shown_picture_of(*shown))) : shown;
               if (!found) return none_there;
               picture = *found;
           }
           constexpr std::size_t longest = std::size_t{4} << 20;
           Result<std::string> bytes = read_text(picture, longest);
           return bytes ? Answer{200, "image/jpeg", std::move(*bytes)} : none_there;
       });
}

// A mesh that was dropped on the page: beside the scene, under its own name.
Answer Project::take_mesh(const Question& question) {
    const fs::path name(word(question, "name"));
    const std::string kind = name.extension().string();
    const bool known = kind == ".obj" || kind == ".ply" || kind == ".stl";
    if (!known || name != name.filename() || name.string().starts_with("."))
        return wrong("a mesh is a file NAME.obj, NAME.ply or NAME.stl");
    if (scene_file_.empty()) return wrong("save the scene first: meshes are put beside it");
    const Result<fs::path> file = opened_.new_file(opened_.name_of(scene_file_.parent_path() / name));
    if (!file) return error_answer(400, file.error());
    std::error_code failed;
    if (fs::exists(*file, failed))
        return error_answer(409,
                            {Fault::file, name.string(), "is there already", "rename the file before you drop it"});
    const Bytes pieces[] = {bytes_of(question.body)};
    if (Status written = write_durably(*file, pieces); !written) return error_answer(500, written.error());
    return json_answer({{"file", name.string()}});
}

// What the view shows of a run, small, for the start page.
Answer Project::take_thumbnail(const Question& question) {
    constexpr std::size_t longest = 400000;
    const Path folder = run_folder();
    const std::string& bytes = question.body;
    if (folder.empty() || !is_run_folder(folder)) return wrong("there is no run");
    if (bytes.size() > longest || !bytes.starts_with("\xff\xd8\xff")) return wrong("this is not a small JPEG");
    std::error_code failed;
    const fs::path file = picture_of(folder);
    if (fs::is_symlink(fs::symlink_status(file, failed))) return wrong("thumbnail.jpg is a link");
    const Bytes pieces[] = {bytes_of(bytes)};
    if (Status written = write_durably(file, pieces); !written) return error_answer(500, written.error());
    return json_answer(Json::object());
}

Answer Project::make(const Json& wish) {
    const Result<Path> folder = folder_of(wish.value("run", ""));
    if (!folder) return error_answer(400, folder.error());
    const Result<Json> job = making_.begin(wish, *folder);
    return job ? json_answer(*job) : error_answer(making_.is_busy() ? 409 : 400, job.error());
}

Answer Project::cancel_making() {
    making_.stop();
    return json_answer(making_.state());
}

// The folder of a run on the desktop of this machine, if it has one.
Answer Project::reveal(const Json& wish) {
    const Result<Path> folder = folder_of(wish.value("run", ""));
    if (!folder) return error_answer(400, folder.error());
    return json_answer({{"folder", folder->string()}, {"opened", open_on_desktop(folder->string())}});
}

void Project::answer_made(const Question& question, const Reply& reply) {
    const Result<Path> file = making_.file(word(question, "name"));
    if (!file) return reply(error_answer(404, file.error()));
    on(workers_, context_, reply, [file = *file]() -> Answer {
        constexpr std::size_t longest = std::size_t{512} << 20;
        Result<std::string> bytes = read_text(file, longest);
        if (!bytes) return error_answer(404, bytes.error());
        return {200, file.extension() == ".png" ? "image/png" : "video/mp4", std::move(*bytes)};
    });
}

} // namespace loam::studio
