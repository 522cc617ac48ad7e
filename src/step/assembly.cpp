#include "step/assembly.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "behaviors/bearer.h"
#include "scene/sheets.h"
#include "step/densities.h"
#include "step/materials.h"

namespace loam {
namespace {

Vec3d periodic_length_of(const Scene& scene) {
    const Vec3d size = scene.domain.vector("max") - scene.domain.vector("min");
    Vec3d length;
    for (std::size_t k = 0; k < 3; ++k)
        if (scene.periodic(static_cast<int>(k))) length[k] = size[k];
    return length;
}

// Rest frame of single-precision coordinates: the lower corner of periodic axes, else near the middle of things.
Vec3d frame_origin(const Scene& scene, const Vec3d& periodic) {
    Bounds bounds;
    for (const BodySpec& body : scene.bodies) {
        if (body.shape) bounds.add(body.shape->bounds());
        for (const EmitterSpec& emitter : body.emitters) bounds.add(emitter.shape->bounds());
    }
    Vec3d origin = bounds.empty() ? Vec3d{} : bounds.center();
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(origin[k]) || std::abs(origin[k]) > 1e9) origin[k] = 0;
        if (periodic[k] > 0) origin[k] = scene.domain.vector("min")[k];
    }
    if (scene.dimensions() == 2) origin.z = 0;
    return origin;
}

std::vector<PinFacts> pins_of(const Scene& scene) {
    std::vector<PinFacts> pins;
    for (std::uint32_t b = 0; b < scene.bodies.size(); ++b)
        for (const PinSpec& pin : scene.bodies[b].pins) {
            pins.push_back({b, "bodies." + scene.bodies[b].name + ".pins." + pin.name, pin.shape, pin.motion,
                            pin.values.number("until")});
            for (const BodySpec& other : scene.bodies)
                if (other.boundary && other.name == pin.values.text("follow"))
                    pins.back().follows = other.shape, pins.back().follows_along = other.boundary->motion;
        }
    return pins;
}

void add_substances(const Scene& scene, SceneFacts& facts) {
    for (const SoluteSpec& solute : scene.solutes)
        facts.solutes.push_back({solute.name, solute.values.number("density"), solute.values.number("viscosity"),
                                 solute.values.number("tension"), solute.values.number("mobility")});
    for (const HeaterSpec& heater : scene.heaters)
        facts.heaters.push_back({"heaters." + heater.name, heater.shape, heater.motion, heater.values});
    for (std::uint32_t b = 0; b < scene.bodies.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        facts.bodies[b].temperature = static_cast<float>(body.values.number("temperature"));
        facts.bodies[b].concentrations.assign(body.concentrations.begin(), body.concentrations.end());
        for (const EmitterSpec& emitter : body.emitters) facts.sources.push_back({b, emitter.shape, emitter.values});
    }
}

} // namespace

Result<SceneFacts> facts_of(const Scene& scene, InstructionSet isa) {
    SceneFacts facts;
    KernelKind kind = KERNEL_CUBIC;
    kernel_by_name(scene.solver.text("kernel"), kind);
    facts.isa = isa;
    facts.dimensions = scene.dimensions();
    facts.spacing = scene.spacing();
    facts.space = std::pow(facts.spacing, facts.dimensions);
    facts.kernel = make_kernel(kind, scene.support(), facts.dimensions);
    facts.wall_kernel = fit_to_walls(facts.kernel, facts.spacing);
    facts.solid_kernel = fit_to_solids(facts.kernel, facts.spacing);
    facts.periodic_length = periodic_length_of(scene);
    facts.periodic_begin = scene.domain.vector("min");
    facts.sheets = sheets_of(scene);
    facts.pins = pins_of(scene);
    facts.least_step = scene.solver.number("min_time_step");
    facts.fixed_step = scene.solver.number("time_step");
    facts.verlet = scene.solver.text("integrator") == "velocity-verlet";
    for (std::uint32_t b = 0; b < scene.bodies.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        facts.bodies.push_back({body.name, body.shape, body.boundary ? body.boundary->motion : body.motion,
                                /*is_material=*/!body.boundary});
        if (body.boundary) {
            if (body.boundary->values.text("method") == "none")
                facts.guides.push_back({b, body.shape, body.boundary->motion});
            continue;
        }
        if (!material_of(scene, body))
            return Error{Fault::scene, "bodies." + body.name + ".behaviors", "nothing says what the body is made of",
                         "add a material to its behaviors, such as \"fluid\": {\"density\": 1000}"};
        facts.has_solids |= !always_flows(scene, body);
        facts.bodies.back().flows = may_flow(scene, body);
        facts.bodies.back().density = rest_density(scene, body);
        facts.bodies.back().saturation = body.values.number("saturation");
    }
    add_substances(scene, facts);
    return facts;
}

// How often frames are wanted must not decide how anything moves.
void expect_steps(const Scene& scene, const PressureSolver& pressure, const StepContext& step, SceneFacts& facts) {
    constexpr double usual_frame = 0.04; // [s]
    const double longest = scene.solver.number("max_time_step");
    facts.expected_step = std::min({longest > 0 ? longest : usual_frame,
                                    scene.solver.number("cfl") * facts.spacing / expected_speed(scene),
                                    pressure.time_step(step).seconds});
    if (facts.fixed_step > 0) facts.expected_step = facts.fixed_step;
}

namespace {

bool anything_flows(const Scene& scene) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                       [&](const BodySpec& body) { return !body.boundary && may_flow(scene, body); });
}

// Some laws ask more of a pressure solver than others.
Status laws_fit(const Scene& scene) {
    for (const BodySpec& body : scene.bodies) {
        if (body.boundary) continue;
        for (const BehaviorUse& use : behaviors_of(scene, body)) {
            const std::vector<std::string>& fitting = Behaviors::find(use.name)->pressure_solvers;
            if (fitting.empty()) continue;
            if (std::find(fitting.begin(), fitting.end(), scene.pressure) == fitting.end())
                return Error{Fault::scene, "solver.pressure",
                             scene.pressure + " does not work with " + use.name + ", which bodies." + body.name +
                                 " has",
                             "use one of: " + join(fitting)};
            if (scene.solver.text("integrator") == "velocity-verlet")
                return Error{Fault::scene, "solver.integrator",
                             "velocity-verlet does not work with " + use.name + ", which bodies." + body.name + " has",
                             "use \"integrator\": \"symplectic-euler\""};
        }
    }
    return Done{};
}

} // namespace

Result<std::unique_ptr<PressureSolver>> make_pressure(const Scene& scene) {
    if (Status fits = laws_fit(scene); !fits) return fits.error();
    double densest = 0;
    for (const BodySpec& body : scene.bodies)
        if (!body.boundary) densest = std::max(densest, rest_density(scene, body));
    auto pressure = PressureSolvers::find(scene.pressure)
                        ->make({scene.pressure_values, scene.solver.number("volume_error"),
                                scene.solver.integer("max_iterations"), expected_speed(scene), densest});
    const bool verlet = scene.solver.text("integrator") == "velocity-verlet";
    if (!verlet || pressure->is_explicit() || !anything_flows(scene)) return pressure;
    return Error{Fault::scene, "solver.integrator",
                 "velocity-verlet needs a pressure that is a force like others, and that of " + scene.pressure +
                     " is not, as set here",
                 "use \"integrator\": \"symplectic-euler\", or \"pressure\": \"wcsph\" with summed densities"};
}

std::unique_ptr<Neighborhood> make_neighborhood(const Scene& scene, const SceneFacts& facts,
                                                const PressureSolver& pressure) {
    return std::make_unique<Neighborhood>(
        Neighborhood::Settings{.support = scene.support(),
                               // What only contacts need may last for some steps.
                               .skin = pressure.takes_short_steps() || !anything_flows(scene) ? 0.1 : 0,
                               .flat = facts.dimensions == 2,
                               .origin = frame_origin(scene, facts.periodic_length),
                               .periodic_length = facts.periodic_length,
                               .isa = facts.isa});
}

namespace {

// Sheets come first: so the ids of their points follow from the scene's sheets alone, and pictures can tell them. As
// solids for fluids they are one spacing thick, in however many layers; volumes follow areas, so that pressure pushes
// all parts alike.
std::vector<Pool::Birth> sheet_births(const Scene& scene, std::uint32_t body, const BodySheet& own, double volume) {
    const Sheet& sheet = *own.sheet;
    const BodySpec& spec = scene.bodies[body];
    const Values& material = material_of(scene, spec)->values;
    const double thickness = material.has("thickness") ? material.number("thickness") : scene.spacing();
    const double mass = rest_density(scene, spec) * std::pow(thickness, scene.dimensions() - (sheet.is_rope() ? 1 : 2));
    const double usual_share = std::pow(scene.spacing(), sheet.is_rope() ? 1 : 2);
    std::vector<Pool::Birth> births;
    for (std::size_t k = 0; k < sheet.points.size(); ++k)
        births.push_back({sheet.points[k], spec.values.vector("velocity"),
                          (1 - own.holes) * volume * sheet.shares[k] / usual_share, mass * sheet.shares[k], body});
    return births;
}

// The first group of the body that has this place in its region, or the body.
std::uint32_t group_at(const Scene& scene, std::uint32_t body, const Vec3d& place) {
    for (std::uint32_t b = body + 1; b < scene.bodies.size(); ++b)
        if (scene.bodies[b].group_of == body && scene.bodies[b].region->distance(place) <= 0) return b;
    return body;
}

} // namespace

Status fill_bodies(const Scene& scene, const SceneFacts& facts, Pool& pool) {
    const double volume = lattice_volume(facts.kernel, facts.spacing);
    for (std::uint32_t b = 0; b < scene.bodies.size(); ++b)
        if (facts.sheets[b].sheet) pool.give_birth(sheet_births(scene, b, facts.sheets[b], volume));
    for (std::uint32_t b = 0; b < scene.bodies.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        if (body.boundary || !body.shape || facts.sheets[b].sheet) continue;
        const auto points = fill_body(scene, body);
        if (!points) return within(points.error(), "bodies." + body.name + ".shape");
        std::vector<Pool::Birth> births;
        for (const auto& [place, share] : *points) {
            const std::uint32_t own = group_at(scene, b, place);
            const double mass = rest_density(scene, scene.bodies[own]) * facts.space;
            births.push_back({place, body.values.vector("velocity"), share * volume, share * mass, own});
        }
        pool.give_birth(births);
    }
    return Done{};
}

void make_laws(const Scene& scene, StepContext& step, Timeline& timeline, Laws& laws) {
    std::vector<std::uint8_t> mixes;
    for (const BodySpec& body : scene.bodies)
        mixes.push_back(!body.boundary && find_behavior(scene, body, "miscible") != nullptr);
    timeline.set_mixing(std::move(mixes));
    std::vector<BodyValues> materials;
    for (const auto& type : Behaviors::all()) {
        std::vector<std::optional<Values>> values(scene.bodies.size());
        bool used = false;
        for (std::size_t b = 0; b < values.size(); ++b) {
            if (scene.bodies[b].boundary) continue;
            if (const BehaviorUse* use = find_behavior(scene, scene.bodies[b], type->declaration.name))
                values[b] = use->values, used = true;
        }
        if (!used) continue;
        const BodyValues own = timeline.open(*type, std::move(values), step);
        auto behavior = type->make(own);
        timeline.watch(*behavior, own);
        if (type->material) materials.push_back(own);
        laws.add({type->declaration.name, type->acts, type->pressure, std::move(behavior), type->from_outside});
    }
    if (auto densities = std::make_unique<Densities>(materials); densities->any_changes()) {
        for (std::size_t k = 0; k < materials.size(); ++k) timeline.watch(densities->material(k), materials[k]);
        laws.add({Densities::name, Densities::acts(), TakesPressure::no, std::move(densities)});
    }
    timeline.prepare(step);
    laws.tell(step); // some are implied by that
    for (const auto& type : ImpliedLaws::all())
        if (auto behavior = type->make(step))
            laws.add({type->declaration.name, type->acts, TakesPressure::no, std::move(behavior), type->from_outside});
    laws.arrange();
}

void ask_bearers(const Laws& laws, StepContext& step, PressureSolver& pressure) {
    std::vector<Bearer*> bearers;
    for (const Law& law : laws.all())
        if (auto* bearer = dynamic_cast<Bearer*>(law.behavior.get())) bearers.push_back(bearer);
    if (bearers.empty()) return;
    const bool asks = pressure.ask([&step, bearers](std::span<Float4> push) {
        for (Bearer* bearer : bearers) bearer->bear(step, push);
    });
    if (!asks) return;
    for (Bearer* bearer : bearers) bearer->bear_pushes();
}

} // namespace loam
