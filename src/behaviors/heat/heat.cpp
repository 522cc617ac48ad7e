// Heat: neighbors conduct it, walls, air and heaters give it, things melt and freeze by it; README.md tells how well.
//
//   dH_i / dt = rate ( sum_j 2 V_i V_j k_ij s (T_j - T_i)          Cleary & Monaghan 1999, moved by passes/transfer
//                      + walls and heaters (surroundings.h) + A_i alpha (T_air - T_i) )
//   a_i       = -beta (T_i - T_0) g                                  buoyancy (Boussinesq)
//
//   H  enthalpy [J], its temperature T: enthalpy.h         k  conductivity [W/(m K)], harmonic mean of both sides
//   A  surface that is exposed to the air [m^2]            alpha  heat that goes to the air, per surface [W/(m^2 K)]
//   beta  expansion [1/K], T_0 temperature at the start    g  gravity
//
// Neighbors first, explicitly where the step allows it; then each particle for itself with its surroundings,
// implicitly: so heat never shortens the step, and nothing gets hotter or colder than what heats or cools it.
#include <cmath>

#include "base/reductions.h"
#include "base/text.h"
#include "behaviors/behavior.h"
#include "behaviors/heat/enthalpy.h"
#include "behaviors/heat/passes.h"
#include "behaviors/heat/surroundings.h"
#include "passes/lattice.h"
#include "passes/transfer/pace.h"
#include "passes/transfer/transfer.h"

namespace loam {
namespace {

class Heat : public Behavior {
public:
    explicit Heat(const BodyValues& values) : values_(values) {
        for (std::size_t b = 0; b < values.size(); ++b) {
            takes_heat_.push_back(values.uses(b));
            materials_.emplace_back();
            if (!values.uses(b)) continue;
            const Values& own = values[b];
            materials_.back() = {own.number("specific_heat"), own.number("latent_heat"), own.number("solidus"),
                                 own.number("liquidus")};
        }
        set(values);
    }

    void set(const BodyValues& values) override {
        conductivity_ = values.numbers("conductivity");
        expansion_ = values.numbers("expansion");
        cooling_ = values.numbers("cooling");
        air_ = values.numbers("air");
        rate_ = values.numbers("rate");
        weight_ = values.numbers("weight");
        const auto any = [](const Numbers& all) {
            return std::any_of(all.by_body().begin(), all.by_body().end(), [](float x) { return x != 0; });
        };
        expands_ = any(expansion_);
        cools_ = any(cooling_);
    }

    Status prepare(StepContext& step) override {
        if (Status good = check(step); !good) return good;
        Pool& pool = step.particles;
        const SceneFacts& scene = step.scene;
        enthalpy_ = pool.declare<double>({.name = "enthalpy", .unit = "J", .saved = true, .nature = Nature::amount});
        temperature_ = pool.declare<float>({.name = "temperature", .unit = "K", .saved = true, .output = true});
        melted_ = pool.declare<float>({.name = "melted", .saved = true, .output = true});
        exposure_ = pool.declare<float>({.name = "exposure", .unit = "1/m"});
        mass_ = pool.declare<float>({.name = "mass_of_heat", .unit = "kg", .saved = true, .nature = Nature::amount});
        source_ = pool.declare<float>({.name = "heat_source", .unit = "J"});
        sink_ = pool.declare<float>({.name = "heat_sink", .unit = "J/K"});
        transfer_.declare(pool, {.name = "heat", .reason = "conduction"});
        if (expands_) pool.declare_gravity();
        space_per_volume_ = scene.space / lattice_volume(scene.kernel, scene.spacing);
        lattice_.emplace(scene);
        flat_exposure_ = exposure_of_flat(scene), spacing_ = scene.spacing;
        walls_.prepare(step);
        for (std::size_t i = 0; i < pool.size(); ++i) fill(step, i);
        held_ = held_by(pool);
        return Done{};
    }

    void born(StepContext& step, const Renewal& renewal) override {
        for (std::size_t k = 0; k < renewal.born.size(); ++k) {
            if (renewal.parents[k] != Renewal::no_parent) continue;
            fill(step, renewal.born.begin + k);
        }
        const double before = held_; // what newborns bring and what the dead take along
        supplied_ += (held_ = held_by(step.particles)) - before;
    }

    void apply(StepContext& step) override {
        Pool& pool = step.particles;
        if (!expands_ || !pool.falls()) return;
        const auto acceleration = pool[pool.acceleration], gravity = pool[pool.gravity];
        const auto temperature = pool[temperature_];
        const auto body = pool[pool.body];
        const auto expansion = expansion_.of(pool), weight = weight_.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) {
            const float lighter = weight[i] * expansion[i] * (temperature[i] - step.scene.bodies[body[i]].temperature);
            Float4& a = acceleration[i];
            const Float4& g = gravity[i];
            a = {a.x - lighter * g.x, a.y - lighter * g.y, a.z - lighter * g.z, a.w};
        });
    }

    Status transfer(StepContext& step) override {
        if (!pace_.due(step.dt)) return Done{};
        follow_masses(step.particles);
        if (has_surroundings(step)) look_around(step);
        const double diffusivity = find_state(step.particles);
        // Between different materials the harmonic mean is up to twice the smaller one.
        const double safe = lattice_->safe_step(2 * diffusivity);
        pace_.set_safe(safe);
        if (pace_.time() > safe)
            exchange_implicitly(step);
        else
            exchange_explicitly(step, diffusivity > 0);
        show_temperatures(step.particles);
        held_ = held_by(step.particles);
        return Done{};
    }

    void account(const StepContext& step, std::vector<Account>& accounts) const override {
        const double kept = held_by(step.particles);
        accounts.push_back({"heat", "J", {{"enthalpy", kept}, {"supplied", supplied_}, {"sum", kept - supplied_}}});
    }

    void save(SavedState& state) const override {
        state["heat.supplied"] = {supplied_};
        state["heat.pace"] = pace_.save();
    }
    Status restore(StepContext& step, const SavedState& state) override {
        const auto found = state.find("heat.supplied"), pace = state.find("heat.pace");
        if (found == state.end() || found->second.size() != 1 || pace == state.end() || !pace_.restore(pace->second))
            return Error{Fault::file, "", "the checkpoint does not hold the state of heat"};
        supplied_ = found->second.front();
        held_ = held_by(step.particles);
        return Done{};
    }

private:
    static constexpr float held = 1e30f; // storage of what keeps its temperature

    Status check(const StepContext& step) const {
        for (std::size_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            const double solidus = values_[b].number("solidus"), liquidus = values_[b].number("liquidus");
            const std::string path = "bodies." + step.scene.bodies[b].name + ".behaviors.heat";
            if (solidus > liquidus)
                return Error{Fault::scene, path + ".solidus",
                             number_text(solidus) + " K is above liquidus, " + number_text(liquidus) + " K",
                             "melting begins at solidus and ends at liquidus, which is as high or higher"};
            if (values_[b].number("latent_heat") > 0 && liquidus == 0)
                return Error{Fault::scene, path + ".latent_heat", "belongs to melting, which has no temperature",
                             "give solidus and liquidus, between which the body melts"};
        }
        return Done{};
    }

    // Of the outermost particles of a lattice that ends at a plane.
    static double exposure_of_flat(const SceneFacts& scene) {
        const double volume = lattice_volume(scene.kernel, scene.spacing);
        double sum = 0;
        each_lattice_point(scene.kernel, scene.spacing, [&](int a, int b, int c) {
            const double r = scene.spacing * std::sqrt(a * a + b * b + c * c);
            if (a > 0 && r < scene.kernel.support) sum -= volume * kernel_slope(scene.kernel, r) * a * scene.spacing;
        });
        return sum;
    }

    void fill(StepContext& step, std::size_t i) {
        Pool& pool = step.particles;
        const std::uint32_t b = pool[pool.body][i];
        double temperature = step.scene.bodies[b].temperature, nearest = 1e300;
        if (step.time > 0)
            for (const SourceFacts& source : step.scene.sources) {
                if (source.body != b) continue;
                const double own = source.values.at(step.time).number("temperature");
                const double distance = source.shape->distance(pool[pool.position][i]);
                if (distance < nearest) nearest = distance, temperature = own > 0 ? own : temperature;
            }
        pool[temperature_][i] = static_cast<float>(temperature);
        if (!takes_heat_[b]) return;
        const double h = materials_[b].of(temperature);
        pool[mass_][i] = pool[pool.mass][i];
        pool[enthalpy_][i] = pool[pool.mass][i] * h;
        pool[melted_][i] = static_cast<float>(materials_[b].melted(h));
    }

    double held_by(const Pool& pool) const {
        const auto enthalpy = pool[enthalpy_];
        return parallel_sum(enthalpy.size(), [&](std::size_t i) { return enthalpy[i]; });
    }

    double space(const Pool& pool, std::size_t i) const { return space_per_volume_ * pool[pool.volume][i]; }

    // Where another law has made a particle heavier or lighter (what is dissolved, what seeps in), its temperature
    // stays.
    void follow_masses(Pool& pool) {
        const auto enthalpy = pool[enthalpy_];
        const auto mass = pool[pool.mass], known = pool[mass_];
        supplied_ += parallel_sum(pool.size(), [&](std::size_t i) {
            if (mass[i] == known[i] || !(known[i] > 0)) return 0.0;
            const double brought = enthalpy[i] * (static_cast<double>(mass[i]) / known[i] - 1);
            enthalpy[i] += brought;
            known[i] = mass[i];
            return brought;
        });
    }

    // What passes/transfer has to know; returns the largest diffusivity.
    double find_state(Pool& pool) {
        const auto state = pool[transfer_.state()];
        const auto temperature = pool[temperature_];
        const auto mass = pool[pool.mass];
        const auto body = pool[pool.body];
        const auto conductivity = conductivity_.of(pool), rate = rate_.of(pool), weight = weight_.of(pool);
        const double scale = space_per_volume_ / lattice_->moment;
        return parallel_max(pool.size(), [&](std::size_t i) {
            const bool takes_part = takes_heat_[body[i]] && mass[i] > 0;
            const double k = takes_part ? weight[i] * rate[i] * conductivity[i] : 0;
            const double storage = takes_part ? mass[i] * materials_[body[i]].specific_heat : 1;
            state[i] = {temperature[i], static_cast<float>(scale * k), 1, static_cast<float>(storage)};
            return k * space(pool, i) / storage;
        });
    }

    void exchange_explicitly(StepContext& step, bool conducts) {
        if (conducts) transfer_.move(step, {.amount = enthalpy_, .time = pace_.time(), .limited = false});
        if (!has_surroundings(step)) return;
        supplied_ += each_supplied(
            step, [&](std::size_t i, double time, const Supply& supply, const Enthalpy& material, double mass) {
                if (supply.held_at > 0) return mass * material.of(supply.held_at);
                const double now = step.particles[enthalpy_][i];
                return mass * material.with_surroundings(time * supply.conductance / mass,
                                                         (now + time * (supply.power + supply.driven)) / mass);
            });
    }

    // Neighbors and surroundings at once: in long steps, what one gives the other has to know.
    void exchange_implicitly(StepContext& step) {
        Pool& pool = step.particles;
        const auto state = pool[transfer_.state()], record = pool[transfer_.record()];
        const auto source = pool[source_], sink = pool[sink_];
        parallel_each(pool.size(), [&](std::size_t i) { source[i] = sink[i] = 0; });
        if (has_surroundings(step))
            supplied_ += each_supplied(step, [&](std::size_t i, double time, const Supply& supply,
                                                 const Enthalpy& material, double mass) {
                if (supply.held_at > 0) { // from the start of the step on
                    state[i].x = static_cast<float>(supply.held_at), sink[i] = held;
                    return mass * material.of(supply.held_at);
                }
                sink[i] = static_cast<float>(time * supply.conductance);
                source[i] = static_cast<float>(time * (supply.power + supply.driven - supply.conductance * state[i].x));
                return pool[enthalpy_][i];
            });
        parallel_each(pool.size(), [&](std::size_t i) { state[i].w += sink[i]; });
        transfer_.move(step, {.amount = enthalpy_, .implicit = true, .source = source_, .refine = [&] {
                                  return find_storage(pool);
                              }});
        const auto enthalpy = pool[enthalpy_];
        supplied_ += parallel_sum(pool.size(), [&](std::size_t i) {
            if (sink[i] == held) return 0.0; // it keeps giving and taking, at the same temperature
            const double got = source[i] - static_cast<double>(sink[i]) * record[i].w;
            enthalpy[i] += got;
            return got;
        });
    }

    // What a particle takes up per temperature, between now and then: with melting, that depends on the solution.
    bool find_storage(Pool& pool) {
        constexpr double same = 0.05;
        const auto state = pool[transfer_.state()], record = pool[transfer_.record()];
        const auto enthalpy = pool[enthalpy_];
        const auto sink = pool[sink_];
        const auto mass = pool[pool.mass];
        const auto body = pool[pool.body];
        return parallel_max(pool.size(), [&](std::size_t i) {
                   const double change = record[i].w;
                   const Enthalpy& material = materials_[body[i]];
                   if (!takes_heat_[body[i]] || !material.melts() || std::abs(change) < 1e-6) return 0.0;
                   const double now = enthalpy[i] / mass[i];
                   const double per_mass = (material.of(state[i].x + change) - now) / change;
                   const double storage = mass[i] * std::max(material.specific_heat, per_mass) + sink[i];
                   const double off = std::abs(storage / state[i].w - 1);
                   state[i].w = static_cast<float>(storage);
                   return off;
               }) > same;
    }

    bool has_surroundings(const StepContext& step) const { return walls_.any() || heaters_.any(step) || cools_; }
    void look_around(StepContext& step) {
        if (cools_) find_exposures(step);
        walls_.begin(step);
        heaters_.begin(step, takes_heat_);
    }

    // after(particle, time, supply, material, mass) is the enthalpy that a particle has then; returns what all got.
    template <class After> double each_supplied(StepContext& step, const After& after) {
        Pool& pool = step.particles;
        const auto enthalpy = pool[enthalpy_];
        const auto mass = pool[pool.mass];
        const auto body = pool[pool.body];
        const auto conductivity = conductivity_.of(pool), rate = rate_.of(pool), weight = weight_.of(pool);
        const auto cooling = cooling_.of(pool), air = air_.of(pool);
        return parallel_sum(pool.size(), [&](std::size_t i) {
            if (!takes_heat_[body[i]] || !(mass[i] > 0)) return 0.0;
            Supply supply;
            if (walls_.any()) walls_.add(step, i, conductivity[i] * space(pool, i), supply);
            if (cooling[i] > 0) supply.lead_to(air[i], cooling[i] * exposed_area(pool, i));
            heaters_.add(step, i, supply);
            if (!(supply.conductance > 0) && supply.power == 0 && !(supply.held_at > 0)) return 0.0;
            const double before = enthalpy[i];
            enthalpy[i] =
                std::max(0.0, after(i, pace_.time() * weight[i] * rate[i], supply, materials_[body[i]], mass[i]));
            return enthalpy[i] - before;
        });
    }

    void find_exposures(StepContext& step) const {
        Pass pass(step, "exposure");
        pass.run(find_exposure, {.particles = pass.pairs(),
                                 .walls = pass.wall_pairs(),
                                 .kernel = step.scene.kernel,
                                 .wall_kernel = step.scene.wall_kernel,
                                 .wall_normal = pass.reads_walls(step.walls.normal),
                                 .exposure = pass.writes(exposure_)});
    }

    // Inside, where neighbors are only uneven, nothing is exposed.
    double exposed_area(const Pool& pool, std::size_t i) const {
        constexpr double uneven = 0.25, open = 0.6;
        const double share = pool[exposure_][i] / flat_exposure_;
        const double part = std::clamp((share - uneven) / (open - uneven), 0.0, 1.0);
        return part * share * space(pool, i) / spacing_;
    }

    void show_temperatures(Pool& pool) const {
        const auto temperature = pool[temperature_], melted = pool[melted_];
        const auto enthalpy = pool[enthalpy_];
        const auto mass = pool[pool.mass];
        const auto body = pool[pool.body];
        parallel_each(pool.size(), [&](std::size_t i) {
            if (!takes_heat_[body[i]] || !(mass[i] > 0)) return;
            const Enthalpy& material = materials_[body[i]];
            const double h = enthalpy[i] / mass[i];
            temperature[i] = static_cast<float>(material.temperature(h));
            melted[i] = static_cast<float>(material.melted(h));
        });
    }

    BodyValues values_;
    std::vector<Enthalpy> materials_;      // by body
    std::vector<std::uint8_t> takes_heat_; // by body
    Numbers conductivity_, expansion_, cooling_, air_, rate_, weight_;
    bool expands_ = false, cools_ = false;
    Column<double> enthalpy_;
    Column<float> temperature_, melted_, exposure_, source_, sink_;
    Column<float> mass_; // that the enthalpy is of
    Transfer transfer_;
    Pace pace_;
    std::optional<LatticeExchange> lattice_;
    HeatedWalls walls_;
    Heaters heaters_;
    double space_per_volume_ = 1, flat_exposure_ = 1;
    double spacing_ = 0;
    double supplied_ = 0; // from outside, since the start [J]
    double held_ = 0;     // by all particles, after the last exchange or renewal [J]
};

const RegisterBehavior heat{{
    .declaration =
        {.name = "heat",
         .help = "Conducts heat, and melts and freezes by it. A body's `temperature` is the one it starts with.\n"
                 "Walls with a temperature, the `heaters` of the scene and the air give it heat or take it. Other "
                 "behaviors follow where they are keyed over `temperature` or `melted`: a body with `fluid` and "
                 "`elastic` flows where the weight of `elastic` is 0, and is solid again where it freezes.",
         .properties =
             {number("conductivity", "W/(m K)", 0.6, {0, 1e6}, "How well it conducts heat; water has 0.6, wax 0.25.")
                  .keyed(Keying::particle),
              number("specific_heat", "J/(kg K)", 4186, {1e-3, 1e9}, "Heat that warms a kilogram by one degree.")
                  .fixed(),
              number("solidus", "K", 0, {0, 1e6}, "Where it begins to melt; 0: it does not.").fixed(),
              number("liquidus", "K", 0, {0, 1e6}, "Where all of it is melted.").fixed(),
              number("latent_heat", "J/kg", 0, {0, 1e12}, "Heat that melts a kilogram, beside warming it.").fixed(),
              number("expansion", "1/K", 0, {0, 1},
                     "How much lighter it is for each degree above its start; water has "
                     "2e-4. It rises and sinks by that, and keeps its volume."),
              number("cooling", "W/(m^2 K)", 0, {0, 1e9},
                     "Heat that goes from its surface to the air; still air takes about 10.")
                  .keyed(Keying::particle),
              number("air", "K", 293.15, {0, 1e6}, "Temperature of the air."),
              number("rate", "", 1, {0, 1e9}, "Time lapse: all heat flows this many times as fast.")}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {reads("mass")}},
             {Stage::force, {reads("gravity"), changes("acceleration")}},
             {Stage::transfer, {reads("mass"), reads("volume"), changes("temperature"), changes("melted")}}},
    .make = make_behavior<Heat>,
    .from_outside = true,
}};

} // namespace
} // namespace loam
