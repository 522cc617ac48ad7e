#include "making.h"

#include <algorithm>

#include <fmt/format.h>

namespace loam::studio {
namespace {

namespace fs = std::filesystem;
using Json = Making::Json;

constexpr std::size_t most_kept = 50;
const std::vector<std::string> formats{"ply", "obj", "vtp", "pov", "bgeo", "vdb"};

Error wrong(const std::string& what) { return {Fault::usage, "", what, ""}; }

// A name that is still free: "still-000040.png", "still-000040-2.png", ...
fs::path free_name(const fs::path& folder, const std::string& stem, const std::string& kind) {
    std::error_code failed;
    fs::path file = folder / (stem + kind);
    for (int k = 2; fs::exists(fs::symlink_status(file, failed)); ++k)
        file = folder / fmt::format("{}-{}{}", stem, k, kind);
    return file;
}

std::uint64_t whole(const Json& wish, const char* name, std::uint64_t otherwise) {
    return wish.contains(name) && wish[name].is_number_unsigned() ? wish[name].get<std::uint64_t>() : otherwise;
}

std::string frames_word(const Json& wish) {
    if (wish.contains("frame")) return std::to_string(whole(wish, "frame", 0));
    const std::uint64_t first = whole(wish, "first", 0);
    return wish.contains("last") ? fmt::format("{}-{}", first, whole(wish, "last", first)) : fmt::format("{}-", first);
}

// The words of `loam render` behind the folder. Each value is one word with its option, so that none is taken for one.
std::vector<std::string> render_words(const Json& wish, const fs::path& output) {
    std::vector<std::string> words{"-o", output.string(), "--frames=" + frames_word(wish)};
    if (wish.contains("size"))
        words.push_back(
            fmt::format("--size={}x{}", wish["size"].at(0).get<unsigned>(), wish["size"].at(1).get<unsigned>()));
    if (wish.contains("samples")) words.push_back(fmt::format("--samples={}", wish["samples"].get<unsigned>()));
    if (wish.contains("camera"))
        for (const auto& [name, value] : wish["camera"].items())
            words.push_back(fmt::format("--camera={}={}", name, value.dump()));
    if (wish.contains("set"))
        for (const auto& [path, value] : wish["set"].items())
            words.push_back(fmt::format("--set={}={}", path, value.dump()));
    if (const std::string color = wish.value("color", ""); !color.empty()) words.push_back("--color=" + color);
    if (wish.contains("range"))
        words.push_back(
            fmt::format("--range={},{}", wish["range"].at(0).get<double>(), wish["range"].at(1).get<double>()));
    if (wish.value("particles", false)) words.emplace_back("--particles");
    return words;
}

} // namespace

Result<Json> Making::begin(const Json& wish, const Path& run) {
    if (child_) return wrong("something else is being made: wait for it, or cancel it");
    const std::string what = wish.value("what", "");
    const bool still = what == "still", video = what == "video", surfaces = what == "surfaces";
    if (!still && !video && !surfaces && std::find(formats.begin(), formats.end(), what) == formats.end())
        return wrong("what is to be made?");
    std::vector<std::string> words{program_.string(),
                                   still || video ? "render"
                                   : surfaces     ? "surface"
                                                  : "export",
                                   run.string()};
    Path output = run / (surfaces ? "surfaces" : "export");
    if (still || video) {
        std::error_code failed;
        fs::create_directories(run / "pictures", failed);
        if (!fs::is_directory(fs::symlink_status(run / "pictures", failed)))
            return Error{Fault::file, (run / "pictures").string(), "is not a folder", ""};
        output = free_name(run / "pictures", still ? fmt::format("still-{:06}", whole(wish, "frame", 0)) : "video",
                           still ? ".png" : ".mp4");
        const std::vector<std::string> more = render_words(wish, output);
        words.insert(words.end(), more.begin(), more.end());
    } else {
        words.push_back("--frames=" + frames_word(wish));
        if (!surfaces) words.push_back("--to=" + what);
    }
    words.emplace_back("--json");
    Result<std::shared_ptr<Child>> child =
        Child::start(context_, words, "",
                     {[this](const std::string& line) { heard(line); }, [this](const ChildEnd& end) { ended(end); }});
    if (!child) return child.error();
    child_ = *child;
    job_ = {{"what", what}, {"state", "running"}, {"done", 0}, {"all", nullptr}, {"file", output.filename().string()}};
    job_["folder"] = output.string();
    job_["shown"] = still || video;
    if (still || video) {
        made_.push_back(output);
        if (made_.size() > most_kept) made_.erase(made_.begin());
    }
    changed();
    return job_;
}

void Making::stop() {
    if (!child_) return;
    job_["state"] = "stopping";
    changed();
    child_->stop();
}

void Making::heard(const std::string& line) {
    const Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) return;
    const std::string kind = event.value("event", "");
    if (kind == "start")
        job_["all"] = event.contains("pictures") ? event["pictures"] : event.value("frames", Json(nullptr));
    else if (kind == "error")
        job_["error"] = {
            {"where", event.value("where", "")}, {"what", event.value("what", "")}, {"hint", event.value("hint", "")}};
    else if (kind == "picture" || kind == "surface" || kind == "file")
        job_["done"] = job_["done"].get<std::uint64_t>() + 1;
    changed();
}

void Making::ended(const ChildEnd& end) {
    child_.reset();
    const bool asked = job_["state"] == "stopping";
    job_["state"] = asked ? "stopped" : end.code == 0 && end.signal == 0 ? "done" : "failed";
    if (job_["state"] == "failed" && !job_.contains("error"))
        job_["error"] = {{"where", ""},
                         {"what", end.signal ? fmt::format("it was killed by signal {}", end.signal)
                                             : fmt::format("it ended with code {}", end.code)},
                         {"hint", end.messages}};
    changed();
}

Result<Making::Path> Making::file(const std::string& name) const {
    std::error_code failed;
    Path newest; // those of takes may have the same name
    for (const Path& file : made_)
        if (file.filename() == name && fs::is_regular_file(fs::symlink_status(file, failed))) newest = file;
    if (!newest.empty()) return newest;
    return Error{Fault::file, name.substr(0, 200), "was not made here", ""};
}

} // namespace loam::studio
