// A moment of a simulation, kept and gone back to; also with other values of its scene.
#include "step/moments.h"

#include <algorithm>
#include <cstring>

#include "particles/hash.h"
#include "step/densities.h"
#include "step/materials.h"
#include "step/simulation.h"
#include "step/start.h"

namespace loam {
namespace {

Error misfit(std::string what) { return {Fault::file, "", std::move(what), ""}; }

std::uint64_t mixed(std::uint64_t mark, const std::byte* bytes, std::size_t count) {
    for (std::size_t at = 0; at < count; at += sizeof mark) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + at, std::min(sizeof word, count - at));
        mark = mix_bits(mark ^ word);
    }
    return mark;
}

const std::vector<double>* entry(const SavedState& state, const char* name, std::size_t count) {
    const auto found = state.find(name);
    return found != state.end() && found->second.size() == count ? &found->second : nullptr;
}

std::vector<double> densities_at(const Scene& scene, double time) { // at rest, by body
    std::vector<double> all;
    for (const BodySpec& body : scene.bodies) all.push_back(body.boundary ? 0 : rest_density(scene, body, time));
    return all;
}

// Fluids take the density that the scene gives them now; what else there is has its mark.
void weigh_anew(Pool& pool, const std::vector<double>& before, const std::vector<double>& now) {
    if (now == before) return;
    const auto body = pool[pool.body];
    const auto scale = [&](std::span<float> quantity) {
        parallel_each(pool.size(), [&](std::size_t i) {
            const std::uint32_t b = body[i];
            if (now[b] != before[b]) quantity[i] = static_cast<float>(quantity[i] * (now[b] / before[b]));
        });
    };
    scale(pool[pool.mass]);
    if (const std::size_t column = pool.find(Densities::column); column != SIZE_MAX)
        scale({reinterpret_cast<float*>(pool.bytes(column)), pool.size()});
}

} // namespace

std::vector<double> start_mark(const StepContext& step) {
    const Pool& pool = step.particles;
    std::uint64_t mark = pool.size();
    for (const char* name : {"body", "position", "velocity", "volume", "pin"})
        if (const std::size_t column = pool.find(name); column != SIZE_MAX)
            mark = mixed(mark, pool.bytes(column), pool.size() * pool.info(column).stride);
    const auto mass = pool[pool.mass];
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (step.is_solid(i)) mark = mixed(mark, std::as_bytes(mass.subspan(i, 1)).data(), sizeof(float));
    return {static_cast<double>(mark >> 32), static_cast<double>(mark & 0xffffffff)};
}

Result<std::unique_ptr<Simulation>> Simulation::go_on(const Scene& scene, const Snapshot& from, InstructionSet isa) {
    std::unique_ptr<Simulation> simulation(new Simulation(scene));
    Simulation& s = *simulation;
    if (Status done = s.set_up(isa); !done) return done.error();
    if (Status done = check_emitters(scene, s.context_, s.sources_, *s.neighborhood_); !done) return done.error();
    s.births_and_deaths(); // in which laws remember what was there at the start
    if (Status done = s.restore(from); !done) return done.error();
    return simulation;
}

SavedState Simulation::save() const {
    SavedState state;
    state["time"] = {context_.time, context_.dt};
    state["counters"] = {static_cast<double>(steps_), static_cast<double>(pool_.next_id)};
    state["start"] = start_;
    state["densities"] = densities_at(scene_, context_.time);
    state["emitters"] = sources_.save(context_.time);
    laws_.save(state);
    return state;
}

Status Simulation::restore(const Snapshot& from) {
    const SavedState& state = from.state;
    const auto *time = entry(state, "time", 2), *counters = entry(state, "counters", 2),
               *start = entry(state, "start", start_.size()),
               *densities = entry(state, "densities", scene_.bodies.size());
    if (!time || !counters || !start || !densities) return misfit("it has other bodies");
    const auto streams = state.find("emitters");
    if (!sources_.restore(streams == state.end() ? std::vector<double>{} : streams->second, time->front()))
        return misfit("it has other emitters");
    if (*start != start_)
        return misfit("its bodies begin otherwise: in other places, with other velocities or pins, of other particles");
    if (Status done = restore_columns(pool_, from.columns); !done) return done;
    context_.time = (*time)[0], context_.dt = (*time)[1];
    steps_ = static_cast<std::size_t>((*counters)[0]);
    pool_.next_id = static_cast<std::uint32_t>((*counters)[1]);
    weigh_anew(pool_, *densities, densities_at(scene_, context_.time));
    neighborhood_->invalidate();
    forces_known_ = false;
    if (Status done = laws_.restore(context_, state); !done) return done;
    laws_.tell(context_);
    report_ = {};
    reasons_.clear();
    return Done{};
}

} // namespace loam
