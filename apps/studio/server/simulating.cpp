// The simulation of what is open: a process that is started, listened to and stopped.
#include <fmt/format.h>

#include "cache/run_folder.h"
#include "project.h"

namespace loam::studio {
namespace {

Json message(const char* kind, const std::string& text, const std::string& hint = "") {
    return {{"kind", kind}, {"text", text}, {"hint", hint}};
}

} // namespace

// {"run": "" or a take, "from": frame, "take": name of a new one}; without `from` it begins, or goes on as it is.
Answer Project::simulate(const Json& wish) {
    if (child_) return error_answer(409, {Fault::usage, "", "a simulation goes on", "stop it first"});
    const Path main = run_folder();
    if (main.empty()) return error_answer(400, {Fault::usage, "", "no scene is open", ""});
    const std::string run = wish.value("run", "");
    const bool is_there = is_run_folder(main);
    std::vector<std::string> words{options_.program.string()};
    child_run_ = run;
    if (!is_there) {
        words = scene_words("run");
        words.insert(words.end(), {"-o", main.string()});
    } else {
        const Result<Path> folder = folder_of(run);
        if (!folder) return error_answer(400, folder.error());
        words.insert(words.end(), {"resume", folder->string()});
        if (wish.contains("from") && wish["from"].is_number_unsigned()) {
            const std::vector<std::string> scene = scene_words("");
            words.insert(words.end(),
                         {"--from", std::to_string(wish["from"].get<std::uint64_t>()), "--scene", scene[2]});
            words.insert(words.end(), scene.begin() + 3, scene.end());
            if (const std::string take = wish.value("take", ""); !take.empty()) {
                words.insert(words.end(), {"--take", take});
                child_run_ = take;
            }
        }
    }
    // Going back must be quick while somebody waits for it; every checkpoint of a large run would fill the disk.
    constexpr double many = 40000, very_many = 400000;
    const int keep = particles_ < many ? 1 : particles_ < very_many ? 5 : 25;
    words.insert(words.end(), {"--json", "--no-video", "--keep-checkpoints", std::to_string(keep)});
    Result<std::shared_ptr<Child>> child =
        Child::start(context_, words, text_,
                     {[this](const std::string& line) { heard(line); }, [this](const ChildEnd& end) { ended(end); }});
    if (!child) return error_answer(500, child.error());
    child_ = *child;
    job_ = {{"state", "starting"}, {"run", child_run_}, {"process", child_->process()}};
    job_["first_frame"] = job_["last_frame"] = job_["frame"] = nullptr;
    changed({{"event", "job"}, {"job", job_}});
    return json_answer(job_);
}

Answer Project::stop() {
    stop_simulation();
    return json_answer({{"stopping", child_ != nullptr}});
}

void Project::stop_simulation() {
    if (!child_) return;
    job_["state"] = "stopping";
    changed({{"event", "job"}, {"job", job_}});
    child_->stop();
}

void Project::heard(const std::string& line) {
    Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) return;
    const std::string kind = event.value("event", "");
    if (kind == "start") {
        job_["state"] = job_["state"] == "stopping" ? "stopping" : "running";
        for (const char* name : {"first_frame", "last_frame", "particles", "wall_particles", "fps", "simd", "threads"})
            job_[name] = event.value(name, Json(nullptr));
        if (job_["particles"].is_number()) particles_ = job_["particles"].get<double>();
        changed({{"event", "job"}, {"job", job_}});
        changed({{"event", "runs"}, {"runs", runs_text()}});
    } else if (kind == "frame") {
        job_["frame"] = event["frame"];
        job_["session_seconds"] = event.value("session_seconds", Json(nullptr));
        event["run"] = child_run_;
        changed(std::move(event));
    } else if (kind == "progress") {
        event["run"] = child_run_;
        changed(std::move(event));
    } else if (kind == "warning") {
        changed({{"event", "message"}, {"message", message("warning", event.value("text", ""))}});
    } else if (kind == "error") {
        const std::string where = event.value("where", "");
        changed({{"event", "message"},
                 {"message", message("error", (where.empty() ? "" : where + ": ") + event.value("what", ""),
                                     event.value("hint", ""))}});
        job_["error"] = event;
    }
}

void Project::ended(const ChildEnd& end) {
    child_.reset();
    const bool asked = job_["state"] == "stopping";
    job_["state"] = "ended";
    job_["code"] = end.code;
    job_["signal"] = end.signal;
    const bool told = job_.contains("error");
    if (end.signal != 0 && !asked)
        changed({{"event", "message"},
                 {"message", message("error", fmt::format("the simulation was killed by signal {}", end.signal),
                                     "every frame that is shown is safe; simulate to go on. " + end.messages)}});
    else if (end.code != 0 && !asked && !told)
        changed(
            {{"event", "message"},
             {"message", message("error", fmt::format("the simulation ended with code {}", end.code), end.messages)}});
    changed({{"event", "runs"}, {"runs", runs_text()}});
    changed({{"event", "job"}, {"job", job_}});
    check();
}

} // namespace loam::studio
