#include "foam/foam_run.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "base/text.h"
#include "cache/run_files.h"
#include "cache/run_folder.h"
#include "cache/seal.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

constexpr int version = 1; // of how it is computed

Values values_for(const Scene& scene) { return scene.foam.value_or(Values(foam_declaration())); }

std::string settings_of(const Scene& scene) {
    nlohmann::ordered_json all{{"version", version}};
    const Values values = values_for(scene);
    for (const auto& [name, value] : values.all())
        if (const double* number = std::get_if<double>(&value))
            all[name] = *number;
        else if (const std::string* text = std::get_if<std::string>(&value))
            all[name] = *text;
    return all.dump(2) + "\n";
}

// How many there are from the first frame on, each of them whole.
std::uint64_t whole_ones(const fs::path& run) {
    std::uint64_t count = 0;
    for (const std::uint64_t number : run_files::foam_numbers(run)) {
        if (number != count || !check_seal(run_files::foam_frame(run, number))) break;
        ++count;
    }
    return count;
}

template <class T> Result<std::span<const T>> column(const Frame& frame, const char* name) {
    const std::size_t found = frame.columns.find(name);
    if (found != SIZE_MAX && frame.columns.info(found).stride == sizeof(T))
        return std::span(reinterpret_cast<const T*>(frame.columns.bytes(found)), frame.columns.size());
    return Error{Fault::file, "", fmt::format("it has no column `{}`", name), ""};
}

Result<WhiteWater> water_of(const Frame& frame) {
    const auto places = column<Float4>(frame, "position"), velocities = column<Float4>(frame, "velocity");
    const auto lives = column<float>(frame, "life");
    const auto kinds = column<std::uint32_t>(frame, "body"), ids = column<std::uint32_t>(frame, "id");
    for (const auto* error :
         {places ? nullptr : &places.error(), velocities ? nullptr : &velocities.error(),
          lives ? nullptr : &lives.error(), kinds ? nullptr : &kinds.error(), ids ? nullptr : &ids.error()})
        if (error) return *error;
    WhiteWater water{{places->begin(), places->end()}, {}, {}, {ids->begin(), ids->end()}, frame.header.ids_given};
    for (std::size_t i = 0; i < water.size(); ++i) {
        const Float4& v = (*velocities)[i];
        water.places[i].w = (*lives)[i];
        water.velocities.push_back({v.x, v.y, v.z, 0});
        water.kinds.push_back(static_cast<Drop>(std::min((*kinds)[i], 2u)));
    }
    return water;
}

Columns columns_of(const WhiteWater& water) {
    Columns columns;
    const auto shown = [](const char* name, const char* unit, const char* help) {
        ColumnInfo info{name, unit, help};
        info.output = true;
        return info;
    };
    const auto place = columns.declare<Float4>(shown("position", "m", ""));
    const auto velocity = columns.declare<Float4>(shown("velocity", "m/s", ""));
    const auto life = columns.declare<float>(shown("life", "s", "How long it lives on as foam."));
    const auto body = columns.declare<std::uint32_t>(shown("body", "", "Spray, foam or bubble."));
    const auto id = columns.declare<std::uint32_t>(shown("id", "", ""));
    columns.resize(water.size());
    parallel_each(water.size(), [&](std::size_t i) {
        columns[place][i] = water.places[i];
        columns[velocity][i] = water.velocities[i];
        columns[life][i] = water.places[i].w;
        columns[body][i] = static_cast<std::uint32_t>(water.kinds[i]);
        columns[id][i] = water.ids[i];
    });
    return columns;
}

} // namespace

FoamRun::FoamRun(const Scene& scene, fs::path run, InstructionSet isa)
    : scene_(std::make_unique<const Scene>(scene)), run_(std::move(run)),
      radius_(values_for(scene).number("size") * scene.radius()), maker_(*scene_, values_for(scene), isa) {}

Result<FoamRun> FoamRun::open(const Scene& scene, const fs::path& run, InstructionSet isa) {
    FoamRun foam(scene, run, isa);
    if (std::none_of(foam.maker_.bodies().begin(), foam.maker_.bodies().end(), [](bool rides) { return rides; }))
        return Error{Fault::scene, "foam", "there is no fluid to make it", "name the body that makes it in foam.of"};
    if (Status made = make_folder(run_files::foam(run)); !made) return made.error();
    remove_unfinished(run_files::foam(run));
    const std::string wanted = settings_of(scene);
    const Result<std::string> had = read_text(run_files::foam_settings(run), std::size_t{1} << 20);
    if (!had || *had != wanted) {
        if (Status removed = run_files::remove_foam(run); !removed) return removed.error();
        const std::array<Bytes, 1> pieces{bytes_of(wanted)};
        if (Status written = write_durably(run_files::foam_settings(run), pieces); !written) return written.error();
    }
    foam.next_ = whole_ones(run);
    return foam;
}

Result<FluidFrame> FoamRun::fluid_at(std::uint64_t frame) const {
    const fs::path path = frame_path(run_, frame);
    const Result<Frame> read = read_frame(path);
    if (!read) return read.error();
    Result<FluidFrame> fluid = fluid_of(*read, maker_.bodies());
    if (fluid) return fluid;
    Error error = fluid.error();
    error.where = path.string();
    return error;
}

Status FoamRun::go_on_from(std::uint64_t frame) {
    const fs::path path = run_files::foam_frame(run_, frame);
    const Result<Frame> read = read_frame(path);
    if (!read) return read.error();
    Result<WhiteWater> water = water_of(*read);
    if (!water) return Error{Fault::file, path.string(), water.error().what, "remove it: it can be made again"};
    Result<FluidFrame> fluid = fluid_at(frame);
    if (!fluid) return fluid.error();
    water_ = std::move(*water), fluid_ = std::move(*fluid);
    return Done{};
}

Result<FoamRecord> FoamRun::make_next() {
    const auto begun = std::chrono::steady_clock::now();
    if (next_ > 0 && !fluid_)
        if (Status ready = go_on_from(next_ - 1); !ready) return ready.error();
    Result<FluidFrame> fluid = fluid_at(next_);
    if (!fluid) return fluid.error();
    if (next_ > 0) maker_.advance(water_, *fluid_, *fluid, next_);
    fluid_ = std::move(*fluid);
    if (Status written = write(next_, fluid_->time); !written) return written.error();
    FoamRecord record{.frame = next_++, .time = fluid_->time, .fluid = fluid_->size()};
    for (const Drop kind : water_.kinds)
        ++(kind == Drop::spray ? record.spray : kind == Drop::foam ? record.foam : record.bubbles);
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return record;
}

Status FoamRun::make_up_to(std::uint64_t frame) {
    while (next_ <= frame)
        if (const Result<FoamRecord> made = make_next(); !made) return made.error();
    return Done{};
}

Status FoamRun::write(std::uint64_t frame, double time) const {
    const FrameHeader header{.frame = frame,
                             .time = time,
                             .dimensions = scene_->dimensions(),
                             .particle_radius = radius_,
                             .bodies = drop_names,
                             .ids_given = water_.ids_given};
    return write_frame(run_files::foam_frame(run_, frame), columns_of(water_), header);
}

Result<SequenceOutcome> make_foam(const Scene& scene, const FoamJob& job, FoamWatcher& watcher) {
    if (!is_run_folder(job.run)) return no_run_in(job.run);
    const Result<Descriptor> lock = run_files::lock(job.run);
    if (!lock) return lock.error();
    Result<FoamRun> foam = FoamRun::open(scene, job.run, job.isa);
    if (!foam) return foam.error();
    std::vector<std::uint64_t> frames = list_frames(job.run);
    if (frames.empty()) return Error{Fault::file, job.run.string(), "the run has no frames yet", ""};
    std::erase_if(frames, [&](std::uint64_t frame) { return frame < foam->next(); });
    return each_frame({run_files::foam(job.run), frames, job.stop}, watcher, [&](std::uint64_t) -> Status {
        const Result<FoamRecord> made = foam->make_next();
        if (!made) return made.error();
        watcher.foam_done(*made);
        return Done{};
    });
}

Result<std::optional<Frame>> read_foam(const fs::path& run, std::uint64_t frame) {
    const fs::path path = run_files::foam_frame(run, frame);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return std::optional<Frame>();
    Result<Frame> read = read_frame(path);
    if (!read) return read.error();
    return std::optional(std::move(*read));
}

} // namespace loam
