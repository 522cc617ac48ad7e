// A moment of a simulation, kept and gone back to; also with other values of its scene.
#include <cstring>

#include "particles/hash.h"
#include "step/simulation.h"

namespace loam {
namespace {

constexpr std::size_t per_emitter = 3;

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

} // namespace

Result<std::unique_ptr<Simulation>> Simulation::go_on(const Scene& scene, const Snapshot& from, InstructionSet isa) {
    std::unique_ptr<Simulation> simulation(new Simulation(scene));
    if (Status done = simulation->set_up(isa); !done) return done.error();
    if (Status done = simulation->check_emitters({}); !done) return done.error();
    simulation->births_and_deaths(); // in which laws remember what was there at the start
    if (Status done = simulation->restore(from); !done) return done.error();
    return simulation;
}

// Where bodies begin, and how: later that can no longer be changed. A fluid's mass can, as its density.
std::vector<double> Simulation::start_mark() const {
    std::uint64_t mark = pool_.size();
    for (const char* name : {"body", "position", "velocity", "volume", "pin"})
        if (const std::size_t column = pool_.find(name); column != SIZE_MAX)
            mark = mixed(mark, pool_.bytes(column), pool_.size() * pool_.info(column).stride);
    const auto mass = pool_[pool_.mass];
    for (std::size_t i = 0; i < pool_.size(); ++i)
        if (context_.is_solid(i)) mark = mixed(mark, std::as_bytes(mass.subspan(i, 1)).data(), sizeof(float));
    return {static_cast<double>(mark >> 32), static_cast<double>(mark & 0xffffffff)};
}

SavedState Simulation::save() const {
    SavedState state;
    state["time"] = {context_.time, context_.dt};
    state["counters"] = {static_cast<double>(steps_), static_cast<double>(pool_.next_id)};
    state["start"] = start_;
    state["densities"] = densities();
    for (const Emitter& emitter : emitters_) {
        const Emitter::Stream stream = emitter.stream(context_.time);
        for (const double x : {stream.emitted, stream.ahead, stream.carried}) state["emitters"].push_back(x);
    }
    for (const auto& behavior : behaviors_) behavior->save(state);
    return state;
}

Status Simulation::restore(const Snapshot& from) {
    const SavedState& state = from.state;
    const auto *time = entry(state, "time", 2), *counters = entry(state, "counters", 2),
               *start = entry(state, "start", start_.size()),
               *densities = entry(state, "densities", scene_.bodies.size());
    if (!time || !counters || !start || !densities) return misfit("it has other bodies");
    const auto streams = state.find("emitters");
    if ((streams == state.end() ? 0 : streams->second.size()) != per_emitter * emitters_.size())
        return misfit("it has other emitters");
    if (*start != start_)
        return misfit("its bodies begin otherwise: in other places, with other velocities or pins, of other particles");
    if (Status done = restore_columns(pool_, from.columns); !done) return done;
    context_.time = (*time)[0], context_.dt = (*time)[1];
    steps_ = static_cast<std::size_t>((*counters)[0]);
    pool_.next_id = static_cast<std::uint32_t>((*counters)[1]);
    weigh_anew(*densities);
    for (std::size_t k = 0; k < emitters_.size(); ++k) {
        const double* x = streams->second.data() + per_emitter * k;
        emitters_[k].go_on({x[0], x[1], x[2]}, context_.time);
    }
    neighborhood_->invalidate();
    forces_known_ = false;
    for (auto& behavior : behaviors_)
        if (Status done = behavior->restore(context_, state); !done) return done;
    report_ = {};
    reasons_.clear();
    return Done{};
}

// Fluids take the density that the scene gives them now; what else there is has its mark.
void Simulation::weigh_anew(std::span<const double> densities_before) {
    const std::vector<double> now = densities();
    if (std::equal(now.begin(), now.end(), densities_before.begin())) return;
    const auto mass = pool_[pool_.mass];
    const auto body = pool_[pool_.body];
    parallel_each(pool_.size(), [&](std::size_t i) {
        const double before = densities_before[body[i]];
        if (now[body[i]] != before) mass[i] = static_cast<float>(mass[i] * (now[body[i]] / before));
    });
}

} // namespace loam
