// What pages ask for: frames, particles, logs, shapes.
#include <algorithm>
#include <charconv>

#include <boost/asio/post.hpp>

#include "base/run_program.h"
#include "cache/durable.h"
#include "cache/run_folder.h"
#include "frame_packet.h"
#include "project.h"

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
        if (path == "api/particle") return answer_particle(question, reply);
        if (path == "api/log") return answer_log(question, reply);
        if (path == "api/shapes") return answer_shapes(reply);
        if (path == "api/schema") return answer_schema(reply);
        if (path == "api/offers") return answer_offers(reply);
        return reply(error_answer(404, {Fault::usage, "", "there is nothing here", ""}));
    }
    if (path == "api/mesh") return reply(take_mesh(question));
    const Json wish = Json::parse(question.body, nullptr, false);
    if (!wish.is_object()) return reply(wrong("this is not a block of JSON"));
    try {
        if (path == "api/text") return reply(take_text(wish));
        if (path == "api/save") return reply(save(wish));
        if (path == "api/quality") return reply(choose_quality(wish));
        if (path == "api/simulate") return reply(simulate(wish));
        if (path == "api/stop") return reply(stop());
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
    on(workers_, context_, reply, [words = scene_words("shapes"), text = text_]() -> Answer {
        Result<ProgramOutput> made = run_program(words, text);
        if (!made) return error_answer(500, made.error());
        if (made->code != 0) return error_answer(400, {Fault::scene, "", made->messages.substr(0, 4000), ""});
        return {200, "application/octet-stream", std::move(made->output)};
    });
}

void Project::answer_schema(const Reply& reply) {
    on(workers_, context_, reply, [program = options_.program.string()]() -> Answer {
        Result<ProgramOutput> made = run_program({program, "schema"}, "");
        if (!made) return error_answer(500, made.error());
        return {200, "application/json", std::move(made->output)};
    });
}

void Project::answer_offers(const Reply& reply) {
    on(workers_, context_, reply, [opened = opened_]() -> Answer {
        const Offers offers = list_offers(opened);
        Json all{{"root", opened.root().string()}, {"scenes", Json::array()}, {"runs", Json::array()}};
        for (const Offer& scene : offers.scenes)
            all["scenes"].push_back({{"name", scene.name}, {"title", scene.title}});
        for (const Offer& run : offers.runs)
            all["runs"].push_back({{"name", run.name}, {"title", run.title}, {"frames", run.frames}});
        return json_answer(all);
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

} // namespace loam::studio
