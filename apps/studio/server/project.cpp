#include "project.h"

#include <boost/asio/post.hpp>

#include "base/run_program.h"
#include "cache/durable.h"
#include "cache/edit.h"
#include "cache/run_folder.h"
#include "cache/take.h"

namespace loam::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_scene = std::size_t{4} << 20; // as its reader has it
constexpr std::size_t most_messages = 200;

// Frames as pairs of the first and last of each stretch.
Json ranges(const std::vector<std::uint64_t>& frames) {
    Json all = Json::array();
    for (const std::uint64_t frame : frames)
        if (!all.empty() && all.back()[1].get<std::uint64_t>() + 1 == frame)
            all.back()[1] = frame;
        else
            all.push_back({frame, frame});
    return all;
}

// The last line that is JSON, of what a command said.
Json last_json(const std::string& text) {
    Json all = Json::parse(text, nullptr, false);
    if (!all.is_discarded()) return all;
    const std::size_t end = text.find_last_not_of('\n');
    if (end == std::string::npos) return nullptr;
    const std::size_t begin = text.rfind('\n', end);
    all = Json::parse(text.substr(begin == std::string::npos ? 0 : begin + 1, end + 1), nullptr, false);
    return all.is_discarded() ? Json(nullptr) : all;
}

fs::path root_of(const fs::path& path) {
    std::error_code failed;
    const fs::path whole = fs::canonical(path.empty() ? "." : path, failed);
    fs::path here = fs::current_path(failed);
    const bool below = std::mismatch(here.begin(), here.end(), whole.begin(), whole.end()).first == here.end();
    if (below) return here;
    return fs::is_directory(whole, failed) ? whole : whole.parent_path();
}

} // namespace

Answer json_answer(const Json& json) {
    return {200, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

Answer error_answer(unsigned status, const Error& error) {
    Answer answer = json_answer({{"where", error.where}, {"what", error.what}, {"hint", error.hint}});
    answer.status = status;
    return answer;
}

Project::Project(boost::asio::io_context& context, const Options& options, std::function<void(const Json&)> tell_all)
    : context_(context), options_(options), tell_all_(std::move(tell_all)), opened_(root_of(options.path)),
      making_(context, options.program, [this](const Json& event) { changed(event); }) {}

template <class Work, class After> void Project::elsewhere(Work work, After after) {
    boost::asio::post(workers_, [this, work = std::move(work), after = std::move(after)]() mutable {
        auto made = work();
        boost::asio::post(context_,
                          [made = std::move(made), after = std::move(after)]() mutable { after(std::move(made)); });
    });
}

// What is open
// -----------------------------------------------------------------------------

Status Project::open(const Path& path) {
    std::error_code failed;
    if (path.empty() || (fs::is_directory(path, failed) && !is_run_folder(path))) return Done{};
    const Path whole = fs::canonical(path, failed);
    if (failed)
        return Error{Fault::file, path.string(), "is not there", "give a scene, the folder of a run, or a folder"};
    return fs::is_directory(whole, failed) ? open_run(whole) : open_scene(whole);
}

Status Project::open_scene(const Path& file) {
    const Result<std::string> text = read_text(file, longest_scene);
    if (!text) return text.error();
    scene_file_ = file, run_.clear();
    text_ = saved_text_ = *text;
    const Json scene = Json::parse(text_, nullptr, false, true);
    const bool previews = scene.is_object() && scene.contains("quality") && scene["quality"].contains("preview");
    quality_ = previews ? "preview" : "";
    finding_ = nullptr;
    particles_ = unknown_particles;
    ++version_;
    check();
    return Done{};
}

Status Project::open_run(const Path& folder) {
    const Result<SceneHistory> scenes = read_scenes(folder);
    if (!scenes) return scenes.error();
    scene_file_.clear(), run_ = folder;
    text_ = saved_text_ = scenes->now();
    quality_.clear();
    finding_ = nullptr;
    particles_ = unknown_particles;
    ++version_;
    check();
    return Done{};
}

// As `loam run` has it; qualities do not overwrite each other.
Project::Path Project::run_folder() const {
    if (!run_.empty()) return run_;
    if (scene_file_.empty()) return {};
    const std::string name = scene_file_.stem().string() + (quality_.empty() ? "" : "-" + quality_);
    return fs::current_path() / "out" / name;
}

Result<Project::Path> Project::folder_of(const std::string& run) const {
    const Path main = run_folder();
    if (main.empty() || !is_run_folder(main)) return Error{Fault::file, "", "there are no frames yet", ""};
    if (run.empty()) return main;
    for (const std::string& take : list_takes(main))
        if (take == run) return main / "takes" / take;
    return Error{Fault::file, run.substr(0, 100), "there is no such take", ""};
}

Json Project::run_text(const Path& folder, const std::string& id) const {
    Json run{{"id", id}, {"folder", opened_.name_of(folder)}, {"frames", ranges(list_frames(folder))}};
    run["scene"] = nullptr;
    const Result<SceneHistory> scenes = read_scenes(folder);
    if (!scenes) return run;
    run["scene"] = scenes->now();
    run["changed_after"] = Json::array();
    for (const auto& [frame, text] : scenes->past()) run["changed_after"].push_back(frame);
    return run;
}

Json Project::runs_text() const {
    Json runs = Json::array();
    const Path main = run_folder();
    if (main.empty() || !is_run_folder(main)) return runs;
    runs.push_back(run_text(main, ""));
    for (const std::string& take : list_takes(main)) runs.push_back(run_text(main / "takes" / take, take));
    return runs;
}

void Project::changed(Json about) {
    if (about.contains("message")) {
        messages_.push_back(about["message"]);
        if (messages_.size() > most_messages) messages_.erase(messages_.begin());
    }
    about["told"] = ++told_;
    tell_all_(about);
}

Answer Project::state() const {
    Json all{{"version", version_}, {"text", text_}, {"saved", text_ == saved_text_}, {"quality", quality_}};
    all["name"] = scene_file_.empty() ? (run_.empty() ? "" : opened_.name_of(run_)) : opened_.name_of(scene_file_);
    all["kind"] = !scene_file_.empty() ? "scene" : !run_.empty() ? "run" : "none";
    all["root"] = opened_.root().string();
    all["runs"] = runs_text();
    all["job"] = job_;
    all["making"] = making_.state();
    all["finding"] = finding_;
    all["messages"] = messages_;
    all["nonce"] = nonce_;
    all["told"] = told_;
    return json_answer(all);
}

// The scene
// -----------------------------------------------------------------------------

Answer Project::take_text(const Json& wish) {
    if (!wish.contains("text") || !wish["text"].is_string())
        return error_answer(400, {Fault::usage, "", "there is no text", ""});
    text_ = wish["text"].get<std::string>();
    ++version_;
    Json about{{"event", "text"}, {"version", version_}, {"text", text_}, {"saved", text_ == saved_text_}};
    about["from"] = wish.value("from", "");
    changed(about);
    check();
    return json_answer({{"version", version_}});
}

// A file for a scene, by a name that the page gives; one that is there is not touched.
Result<Project::Path> Project::free_file(const std::string& name) const {
    if (Path(name).extension() != ".json" || Path(name).stem().empty())
        return Error{Fault::usage, name.substr(0, 200), "is not the name of a scene", "it ends with .json"};
    Result<Path> file = opened_.new_file(name);
    std::error_code failed;
    if (file && *file != scene_file_ && fs::exists(*file, failed))
        return Error{Fault::file, name, "is there already", "choose another name"};
    return file;
}

Answer Project::save(const Json& wish) {
    Path file = scene_file_;
    if (wish.contains("name")) {
        const Result<Path> named = free_file(wish["name"].get<std::string>());
        if (!named) return error_answer(400, named.error());
        file = *named;
    }
    if (file.empty()) return error_answer(400, {Fault::usage, "", "the scene has no file yet", "give it a name"});
    const Bytes pieces[] = {bytes_of(text_)};
    if (Status written = write_durably(file, pieces); !written) return error_answer(500, written.error());
    saved_text_ = text_;
    if (scene_file_ != file) scene_file_ = file, run_.clear();
    changed({{"event", "saved"}, {"name", opened_.name_of(file)}});
    changed({{"event", "state"}});
    return json_answer({{"name", opened_.name_of(file)}});
}

Answer Project::begin_scene(const Json& wish) {
    if (child_) return error_answer(409, {Fault::usage, "", "a simulation goes on", "stop it first"});
    const Result<Path> file = free_file(wish.at("name").get<std::string>());
    if (!file) return error_answer(400, file.error());
    std::string text = wish.value("text", "");
    if (const std::string like = wish.value("gallery", ""); !like.empty()) {
        const std::vector<Offer> gallery = list_gallery(options_.gallery);
        const bool known = std::any_of(gallery.begin(), gallery.end(), [&](const Offer& o) { return o.name == like; });
        const Result<std::string> found =
            known ? read_text(options_.gallery / (like + ".json"), longest_scene)
                  : Result<std::string>(Error{Fault::usage, like.substr(0, 200), "is not in the gallery", ""});
        if (!found) return error_answer(400, found.error());
        text = *found;
    }
    const Bytes pieces[] = {bytes_of(text)};
    if (Status written = write_durably(*file, pieces); !written) return error_answer(500, written.error());
    return open_offer({{"name", opened_.name_of(*file)}});
}

Answer Project::choose_quality(const Json& wish) {
    if (child_) return error_answer(409, {Fault::usage, "", "a simulation goes on", "stop it first"});
    quality_ = wish.value("quality", "");
    finding_ = nullptr;
    changed({{"event", "state"}});
    check();
    return json_answer({{"quality", quality_}});
}

Answer Project::open_offer(const Json& wish) {
    if (child_) return error_answer(409, {Fault::usage, "", "a simulation goes on", "stop it first"});
    const Result<Path> path = opened_.inside(wish.value("name", ""));
    if (!path) return error_answer(400, path.error());
    if (Status done = open(*path); !done) return error_answer(400, done.error());
    messages_ = Json::array();
    job_ = nullptr;
    changed({{"event", "state"}});
    return json_answer({{"name", opened_.name_of(*path)}});
}

std::vector<std::string> Project::scene_words(const char* command) const {
    const Path file = !scene_file_.empty() ? scene_file_ : run_ / "scene.json";
    std::vector<std::string> words{options_.program.string(), command, file.string(), "--stdin"};
    if (!quality_.empty()) words.insert(words.end(), {"--quality", quality_});
    return words;
}

// A quick look first, which says what is wrong; then, while nothing simulates, what it will need.
void Project::check() {
    if (scene_file_.empty() && run_.empty()) return;
    if (checking_) {
        check_again_ = true;
        return;
    }
    checking_ = true;
    const auto look = [words = scene_words("check"), text = text_](bool quick) {
        std::vector<std::string> all = words;
        all.emplace_back("--json");
        if (quick) all.emplace_back("--quick");
        const Result<ProgramOutput> said = run_program(all, text);
        Json finding = said ? last_json(said->output) : Json(nullptr);
        if (!finding.is_object())
            finding = {{"event", "error"},
                       {"where", ""},
                       {"what", "the scene could not be checked"},
                       {"hint", said ? said->messages.substr(0, 2000) : said.error().what}};
        return finding;
    };
    const std::uint64_t version = version_;
    elsewhere([look] { return look(true); },
              [this, look, version, quality = quality_](const Json& quick) {
                  check_ended(version, quality, false, quick);
                  if (quick.contains("event") || check_again_ || child_) {
                      checking_ = false;
                      if (std::exchange(check_again_, false)) check();
                      return;
                  }
                  elsewhere([look] { return look(false); },
                            [this, version, quality](const Json& whole) {
                                check_ended(version, quality, true, whole);
                                checking_ = false;
                                if (std::exchange(check_again_, false)) check();
                            });
              });
}

void Project::check_ended(std::uint64_t version, const std::string& quality, bool whole, const Json& finding) {
    if (version != version_ || quality != quality_) return;
    const bool good = !finding.contains("event");
    finding_ = {{"version", version}, {"good", good}, {"whole", whole}, {good ? "summary" : "error", finding}};
    if (good && whole) particles_ = finding.value("particles", particles_);
    changed({{"event", "finding"}, {"finding", finding_}});
}

} // namespace loam::studio
