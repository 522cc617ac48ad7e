#include "behaviors/porous/porous.h"

#include "base/formula.h"
#include "base/reductions.h"
#include "base/text.h"

namespace loam {

void Porous::set(const BodyValues& values) {
    const std::size_t bodies = values.size();
    materials_.pores.resize(bodies);
    materials_.is_porous.resize(bodies);
    passes_.assign(bodies, 0), forchheimer_.assign(bodies, 0);
    drying_.assign(bodies, 0), swells_.assign(bodies, 0), filter_.assign(bodies, 0);
    for (std::size_t b = 0; b < bodies; ++b) {
        const bool through = values.uses(b) && values[b].text("flow") == "through";
        materials_.is_porous[b] = values.uses(b) && !through;
        if (!values.uses(b)) continue;
        passes_[b] = through;
        forchheimer_[b] = values[b].number("forchheimer");
        materials_.pores[b] = Pores::of(values[b]);
        drying_[b] = values[b].number("drying");
        swells_[b] = values[b].number("swelling");
        filter_[b] = values[b].number("filter");
    }
    materials_.weight = values.numbers("weight");
    adhesion_.set(values);
}

Status Porous::prepare(StepContext& step) {
    Pool& pool = step.particles;
    water_ = pool.declare<double>({.name = "water",
                                   .unit = "m^3",
                                   .help = "in pores; of free fluid all of it",
                                   .saved = true,
                                   .nature = Nature::amount});
    film_ = pool.declare<double>({.name = "seeped", .unit = "m^3", .saved = true, .nature = Nature::amount});
    pore_potential_ = pool.declare<double>({.name = "pore_potential", .unit = "Pa", .saved = true});
    dry_mass_ = pool.declare<float>({.name = "dry_mass", .unit = "kg", .saved = true, .nature = Nature::amount});
    saturation_ = pool.declare<float>({.name = "saturation", .saved = true, .output = true});
    exchanged_ = pool.declare<std::uint32_t>({.name = "exchanged", .saved = true, .nature = Nature::mark});
    matter_ = pool.declare<float>({.name = "porous_matter", .unit = "m^3"});
    room_ = pool.declare<float>({.name = "porous_room", .unit = "m^3"});
    pore_velocity_ = pool.declare<Float4>(
        {.name = "pore_velocity", .unit = "m/s", .help = "of water, relative to the body", .output = true});
    pore_pressure_ = pool.declare<float>({.name = "pore_pressure", .unit = "Pa", .saved = true, .output = true});
    porosity_ = pool.declare<float>({.name = "porosity", .output = true});
    inertia_ = {pool.find("inertia")};
    volume_ratio_ = pool.declare<float>({.name = "volume_ratio", .at_birth = 1});
    swelling_ = pool.declare<float>({.name = "swelling"});
    materials_.yields = pool.declare<float>({.name = "pores_yield"});
    for (std::size_t b = 0; b < values_.size(); ++b)
        sheets_ |= materials_.is_porous[b] && step.scene.sheets[b].sheet != nullptr;
    for (std::size_t b = 0; b < values_.size(); ++b)
        if (materials_.is_porous[b] && step.traits[b].rubs)
            grain_suction_ = pool.declare<float>({.name = "grain_suction", .unit = "Pa"});
    network_.prepare(step.scene);
    adhesion_.prepare(step);
    if (Status chosen = choose_fluids(step); !chosen) return chosen;
    find_solutes(step);
    if (Status varied = vary(step); !varied) return varied;
    return fill(step);
}

// For laws of bodies that deform, and the pressure of grains.
void Porous::apply(StepContext& step) {
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto ratio = pool[volume_ratio_], swelling = pool[swelling_], saturation = pool[saturation_];
    const auto yields = pool[materials_.yields];
    parallel_each(pool.size(), [&](std::size_t i) {
        ratio[i] = 1, yields[i] = 0;
        swelling[i] = static_cast<float>(swells_[body[i]] * saturation[i]);
    });
    adhesion_.apply(step);
    if (!grain_suction_) return;
    // Of the share of pores that is wet (Bishop 1959): none when dry, none when full.
    const auto suction = pool[*grain_suction_];
    parallel_each(pool.size(), [&](std::size_t i) {
        const bool grains = materials_.is_porous[body[i]] && step.traits[body[i]].rubs;
        suction[i] =
            grains ? saturation[i] * static_cast<float>(-materials_.pores[body[i]].potential(saturation[i])) : 0;
    });
}

namespace {

Error misuse(const StepContext& step, std::size_t body, const std::string& what, const std::string& hint) {
    return {Fault::scene, "bodies." + step.scene.bodies[body].name + ".behaviors.porous", what, hint};
}

} // namespace

// What each body takes up: what it names, or the first fluid of the scene.
Status Porous::choose_fluids(const StepContext& step) {
    const std::vector<BodyFacts>& bodies = step.scene.bodies;
    const auto flows = [&](std::size_t b) { // as a fluid: grains have pores
        return bodies[b].is_material && bodies[b].flows && !step.traits[b].rubs;
    };
    std::uint32_t first = PorousMaterials::none;
    for (std::uint32_t b = 0; b < bodies.size() && first == PorousMaterials::none; ++b)
        if (flows(b) && !values_.uses(b)) first = b;
    materials_.fluid.assign(bodies.size(), first);
    materials_.is_absorbed.assign(bodies.size(), 0);
    materials_.fluid_density.assign(bodies.size(), 1000);
    for (std::uint32_t b = 0; b < bodies.size(); ++b)
        if (flows(b)) materials_.fluid_density[b] = bodies[b].density;
    for (std::uint32_t b = 0; b < bodies.size(); ++b) {
        if (!values_.uses(b)) continue;
        if (flows(b))
            return misuse(step, b, "a fluid has no pores",
                          "give them to a solid body: \"rigid\", \"elastic\", \"cloth\", ...");
        std::uint32_t& fluid = materials_.fluid[b];
        if (const std::string& name = values_[b].text("fluid"); !name.empty()) {
            fluid = 0;
            while (bodies[fluid].name != name) ++fluid;
            if (!flows(fluid)) {
                Error error = misuse(step, b, "\"" + name + "\" is no fluid", "name a body that has \"fluid\": {}");
                error.where += ".fluid";
                return error;
            }
        }
        if (fluid == PorousMaterials::none) continue; // nothing goes in or out
        materials_.is_absorbed[fluid] = 1;
        materials_.fluid_density[b] = bodies[fluid].density;
    }
    return Done{};
}

// How permeability differs within bodies, by the place of particles at the start.
Status Porous::vary(StepContext& step) {
    Pool& pool = step.particles;
    for (std::size_t b = 0; b < values_.size(); ++b)
        if (materials_.is_porous[b] && materials_.pores[b].axes != Vec3d{1, 1, 1})
            materials_.start_place = pool.declare<Float4>({.name = "porous_start_place", .saved = true});
    for (std::size_t i = 0; materials_.start_place && i < pool.size(); ++i)
        pool[*materials_.start_place][i] = float4(pool[pool.position][i]);
    for (std::size_t b = 0; b < values_.size(); ++b) {
        if (!materials_.is_porous[b] || values_[b].text("variation").empty()) continue;
        const auto wrong = [&](const std::string& what, const std::string& hint) {
            Error error = misuse(step, b, what, hint);
            error.where += ".variation";
            return error;
        };
        const Result<Formula> formula = Formula::read(values_[b].text("variation"));
        if (!formula) return wrong(formula.error().what, formula.error().hint);
        if (!materials_.variation)
            materials_.variation =
                pool.declare<float>({.name = "permeability_variation", .saved = true, .at_birth = 1});
        for (std::size_t i = 0; i < pool.size(); ++i) {
            if (pool[pool.body][i] != b) continue;
            const Vec3d place = pool[pool.position][i];
            const double value = formula->at(place);
            if (!(value >= 0 && value < 1e30))
                return wrong("is " + number_text(value) + " at [" + number_text(place.x) + ", " + number_text(place.y) +
                                 ", " + number_text(place.z) + "]",
                             "change the formula so that it is a number from 0 on everywhere in the body");
            pool[*materials_.variation][i] = static_cast<float>(std::max(value, 1e-12));
        }
    }
    return Done{};
}

Status Porous::fill(StepContext& step) {
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    std::vector<std::size_t> count(values_.size(), 0);
    std::vector<double> room(values_.size(), 0);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const std::uint32_t b = body[i];
        ++count[b];
        fill(step, i);
        if (materials_.is_porous[b])
            room[b] += materials_.pores[b].porosity * pool[dry_mass_][i] / step.scene.bodies[b].density;
    }
    for (std::size_t b = 0; b < values_.size(); ++b) {
        if (!values_.uses(b) || !step.scene.bodies[b].is_material) continue;
        if (count[b] == 0 && !step.traits[b].rubs)
            return misuse(step, b, "the body has no particles at the start, so it has no pores",
                          "give it a \"shape\" to fill; of bodies that are emitted, only sand can take up fluid");
        if (count[b] == 0 || !materials_.is_porous[b] || !step.scene.bodies[b].shape) continue; // groups have none
        if (room[b] < whole(step))
            return misuse(step, b,
                          "all its pores together hold less than one particle of fluid, " +
                              number_text(room[b] / whole(step)) + " of it",
                          "a smaller particle_radius makes particles that can go in and out");
        if (Status fits = solutes_fit(step, b); !fits) return fits;
    }
    return Done{};
}

// Solutes are a part of the fluid that is there.
Status Porous::solutes_fit(const StepContext& step, std::size_t body) const {
    const BodyFacts& facts = step.scene.bodies[body];
    double sum = 0;
    for (const float part : facts.concentrations) sum += part;
    if (solutes_.empty() || sum <= facts.saturation + 1e-6) return Done{};
    return Error{Fault::scene, "bodies." + facts.name + ".concentration",
                 "solutes fill " + number_text(sum) + " of the pores, and all fluid with them " +
                     number_text(facts.saturation),
                 "give a \"saturation\" of at least " + number_text(sum)};
}

void Porous::fill(StepContext& step, std::size_t i) {
    Pool& pool = step.particles;
    const std::uint32_t b = pool[pool.body][i];
    const auto mass = static_cast<float>(pool[pool.mass][i] - excess(pool, i));
    pool[dry_mass_][i] = mass;
    if (materials_.is_absorbed[b]) pool[water_][i] = mass / density(b), pool[dry_mass_][i] = 0;
    if (!values_.uses(b)) return;
    const BodyFacts& facts = step.scene.bodies[b];
    const Pores& pores = materials_.pores[b];
    if (passes_[b]) { // only its grains take up room
        pool[pool.volume][i] *= static_cast<float>(1 - pores.porosity);
        return;
    }
    pool[water_][i] = facts.saturation * pores.porosity * mass / facts.density;
    pool[saturation_][i] = static_cast<float>(facts.saturation);
    pool[pore_potential_][i] = pores.potential(facts.saturation, pores.fineness(materials_.easier(pool, i)));
    fill_solutes(step, i);
    weigh(pool, i);
}

void Porous::weigh(Pool& pool, std::size_t i) const {
    const std::uint32_t b = pool[pool.body][i];
    const double all = pool[dry_mass_][i] + density(b) * (pool[water_][i] + pool[film_][i]) + excess(pool, i);
    float& mass = pool[pool.mass][i];
    float* const inertia = inertia_.index == SIZE_MAX ? nullptr : &pool[inertia_][i];
    if (inertia && *inertia > 0) { // a point of a sheet, some of whose mass may stand beside it (sheets/samples.h)
        mass += static_cast<float>(all - *inertia);
        *inertia = static_cast<float>(all);
    } else {
        mass = static_cast<float>(all);
    }
}

void Porous::born(StepContext& step, const Renewal& renewal) {
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    for (const Newborn& own : newborns_) {
        const std::size_t i = renewal.born.begin + own.index;
        pool[water_][i] = own.water;
        pool[exchanged_][i] = 1;
        for (std::size_t s = 0; s < solutes_.size(); ++s) {
            pool[solutes_[s].amount][i] = own.solutes[s];
            pool[solutes_[s].concentration][i] = static_cast<float>(own.solutes[s] / own.water);
        }
        weigh(pool, i);
    }
    for (std::size_t k = 0; k < renewal.born.size(); ++k) {
        const std::size_t i = renewal.born.begin + k;
        if (renewal.parents[k] != Renewal::no_parent || pool[exchanged_][i]) continue;
        fill(step, i);
        if (materials_.is_absorbed[body[i]] || materials_.is_porous[body[i]]) counts_.entered += pool[water_][i];
    }
    newborns_.clear();
}

void Porous::show(StepContext& step) {
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    parallel_each(pool.size(), [&](std::size_t i) {
        const bool porous = values_.uses(body[i]);
        pool[porosity_][i] = porous ? static_cast<float>(materials_.pores[body[i]].porosity) : 0;
        if (!porous) pool[pore_velocity_][i] = {};
    });
}

// In kilograms; in 2D per metre of depth.
void Porous::account(const StepContext& step, std::vector<Account>& accounts) const {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto sum = [&](const std::vector<std::uint8_t>& whose) {
        return parallel_sum(pool.size(), [&](std::size_t i) {
            return whose[body[i]] ? density(body[i]) * (pool[water_][i] + pool[film_][i]) : 0;
        });
    };
    // What has come and gone is of one fluid, as a rule; several share a count by volume.
    double rho = 1000;
    for (std::size_t b = 0; b < values_.size(); ++b)
        if (materials_.is_absorbed[b]) rho = density(static_cast<std::uint32_t>(b));
    const double free = sum(materials_.is_absorbed), held = sum(materials_.is_porous);
    accounts.push_back({"water",
                        "kg",
                        {{"free", free},
                         {"absorbed", held},
                         {"taken_up", rho * counts_.absorbed},
                         {"emitted", rho * counts_.emitted},
                         {"dried", rho * counts_.dried},
                         {"entered", rho * counts_.entered},
                         {"drained", rho * counts_.drained},
                         {"sum", free + held + rho * (counts_.dried + counts_.drained - counts_.entered)}}});
    if (!filters_) return;
    Account filtered{"held_back", "m^3", {}};
    for (const Carried& solute : solutes_) {
        const auto amount = pool[solute.held_back];
        filtered.entries.emplace_back(solute.name, parallel_sum(pool.size(), [&](std::size_t i) { return amount[i]; }));
    }
    accounts.push_back(std::move(filtered));
}

void Porous::save(SavedState& state) const {
    state["porous.counts"] = {counts_.absorbed, counts_.emitted, counts_.dried, counts_.entered, counts_.drained};
}

Status Porous::restore(StepContext&, const SavedState& state) {
    const auto found = state.find("porous.counts");
    if (found == state.end() || found->second.size() != 5)
        return Error{Fault::file, "", "the checkpoint does not hold the water budget"};
    const std::vector<double>& c = found->second;
    counts_ = {c[0], c[1], c[2], c[3], c[4]};
    network_holds_ = false;
    newborns_.clear();
    return Done{};
}

namespace {

const RegisterBehavior porous{{
    .declaration =
        {.name = "porous",
         .help = "Pores that take up fluid, pass it on within, and let it out again.\n"
                 "For solid bodies, beside what they are made of; what stands still is \"rigid\": {\"held\": true}. "
                 "Water in pores "
                 "has weight. How wet a body is at the start says its `saturation`.",
         .properties =
             {number("porosity", "", 0.5, {0.01, 0.99}, "How much of the volume is pores.").fixed(),
              number("permeability", "m^2", 1e-11, {0, 1e-4},
                     "How easily water flows through; a sponge of 5 cm with 3e-11 soaks within seconds. `loam check` "
                     "tells how long it takes."),
              vector("axes", "", {1, 1, 1}, "Permeability along x, y and z, as a multiple of it.", {0, 1e6}),
              text(
                  "variation", "",
                  "How permeability differs within the body, as a multiple of it: a formula of the place `x`, `y`, `z` "
                  "[m] at the start, such as `\"1 + 9*step(0.02 - abs(x))\"`. Parts with a shape are `groups`."),
              number("viscosity", "Pa s", 1e-3, {1e-6, 1e6}, "Of the fluid in the pores."),
              choice("model", {"power", "leverett"},
                     "Suction of pores by saturation S: `capillary` (1 - S)^`exponent`, or Leverett's function with "
                     "`tension`, stronger in finer pores."),
              number("capillary", "Pa", 15000, {0, 1e8}, "Suction of dry pores; used by power."),
              number("exponent", "", 0.1, {0.005, 2}, "How fast suction falls as pores fill; used by power."),
              number("tension", "N/m", 0.072, {0, 10}, "Surface tension of the fluid; used by leverett."),
              number(
                  "filling", "", 7, {0, 50},
                  "How full pores get before they pass water on: its share S^filling flows. Large for a sharp front."),
              number("swelling", "", 0, {0, 10},
                     "How much larger an elastic body is when its pores are full: 0.1 by a tenth."),
              number("drying", "kg/(m^2 s)", 0, {0, 1e3}, "Water that wet surface gives to the air."),
              number("adhesion", "Pa", 0, {0, 1e6},
                     "How strongly it sticks to solids and to itself: pull per area of what touches. Key it over "
                     "saturation, so that only what is wet sticks.")
                  .keyed(Keying::particle),
              number("bridge", "m", 0.003, {1e-9, 1}, "How far from what it sticks to, up to a particle, it is held."),
              number(
                  "filter", "1/m", 0, {0, 1e6},
                  "How much of the `solutes` stays behind: of what flows through a depth d, exp(-`filter` d) passes."),
              choice("flow", {"absorb", "through"},
                     "What fluid does: it is taken up; or, in coarse media, whole particles of it flow through."),
              number("forchheimer", "1/m", 0, {0, 1e7},
                     "Resistance by the square of the flow, used by through: the pressure falls by density times it "
                     "times q^2 per metre, q the flow per area."),
              body_name("fluid", "The fluid that it takes up and lets out; the first one of the scene if not given.")}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {bounds("mass"), bounds("volume")}},
             {Stage::force,
              {changes("acceleration"), sets("volume_ratio"), sets("pores_yield"), sets("swelling"),
               sets("grain_suction")}},
             {Stage::implicit, {changes("velocity")}},
             {Stage::transfer,
              {changes("velocity"), changes("mass"), changes("volume"), changes("concentration"),
               reads("acting_pressure")}},
             {Stage::births, {changes("volume"), changes("mass"), changes("position"), changes("velocity")}},
             {Stage::show, {}}},
    .make = make_behavior<Porous>,
}};

} // namespace
} // namespace loam
