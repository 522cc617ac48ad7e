// From a scene to particles, walls and laws.
#include <cmath>
#include <limits>

#include "base/text.h"
#include "behaviors/bearer.h"
#include "behaviors/contact/contact.h"
#include "behaviors/mouth/mouth.h"
#include "behaviors/pin/pin.h"
#include "behaviors/sheets/barrier.h"
#include "behaviors/sheets/samples.h"
#include "behaviors/walls/friction.h"
#include "behaviors/walls/wall_forces.h"
#include "scene/sheets.h"
#include "step/simulation.h"

namespace loam {
namespace {

// What the body is made of: the first of its behaviors that is a material, or null.
const BehaviorUse* material_of(const Scene& scene, const BodySpec& body) {
    for (const std::vector<BehaviorUse>* uses : {&body.behaviors, &scene.behaviors})
        for (const BehaviorUse& use : *uses)
            if (Behaviors::find(use.name)->material) return &use;
    return nullptr;
}

double rest_density(const Scene& scene, const BodySpec& body) {
    return material_of(scene, body)->values.number("density");
}

// The values as they are at each key over time; of any driver's keys the first.
std::vector<Values> at_keys(const Values& values) {
    std::vector<Values> all{values.at(0)};
    for (const auto& [name, track] : values.tracks())
        if (track.driver == Driver::time)
            for (const Key& key : track.keys) all.push_back(values.at(key.at));
    return all;
}

Error within(Error error, const std::string& path) {
    error.where = error.where.empty() ? path : path + "." + error.where;
    return error;
}

Vec3d periodic_length(const Scene& scene) {
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

// Sheets come first: so the ids of their points follow from the scene's sheets alone, and pictures can tell them. As
// solids for fluids they are one spacing thick; volumes follow areas, so that pressure pushes all parts alike.
std::vector<Pool::Birth> sheet_births(const Scene& scene, std::uint32_t body, const Sheet& sheet, double volume) {
    const BodySpec& spec = scene.bodies[body];
    const Values& material = material_of(scene, spec)->values;
    const double thickness = material.has("thickness") ? material.number("thickness") : scene.spacing();
    const double mass = rest_density(scene, spec) * std::pow(thickness, scene.dimensions() - (sheet.is_rope() ? 1 : 2));
    const double usual_share = std::pow(scene.spacing(), sheet.is_rope() ? 1 : 2);
    std::vector<Pool::Birth> births;
    for (std::size_t k = 0; k < sheet.points.size(); ++k)
        births.push_back({sheet.points[k], spec.values.vector("velocity"), volume * sheet.shares[k] / usual_share,
                          mass * sheet.shares[k], body});
    return births;
}

} // namespace

Simulation::Simulation(const Scene& scene)
    : scene_(scene), context_{.particles = pool_, .walls = walls_, .profile = profile_} {}

Result<std::unique_ptr<Simulation>> Simulation::create(const Scene& scene, InstructionSet isa) {
    std::unique_ptr<Simulation> simulation(new Simulation(scene));
    if (Status done = simulation->set_up(isa); !done) return done.error();
    if (Status done = simulation->begin_at_the_start(); !done) return done.error();
    return simulation;
}

Status Simulation::set_up(InstructionSet isa) {
    tell_of_scene(isa);
    const Result<double> densest = look_at_materials();
    if (!densest) return densest.error();
    if (Status done = make_pressure(*densest); !done) return done;
    make_neighborhood();
    if (Status done = make_walls(); !done) return done;
    if (Status done = make_particles(); !done) return done;
    pressure_->prepare(context_);
    expect_steps();
    if (Status done = make_behaviors(); !done) return done;
    start_ = start_mark();
    return Done{};
}

Status Simulation::begin_at_the_start() {
    if (Status done = check_start(); !done) return done;
    if (Status done = settle_start(); !done) return done;
    births_and_deaths();
    find_first_densities();
    return Done{};
}

// Steps find densities as they go; the first frame has none before it.
void Simulation::find_first_densities() {
    timeline_.update(context_);
    move_walls();
    neighborhood_->update(pool_, walls_);
    pressure_->find_densities(context_);
    fit_into_vessel();
    profile_.clear();
}

// Fills in what laws may see of the scene.
void Simulation::tell_of_scene(InstructionSet isa) {
    KernelKind kind = KERNEL_CUBIC;
    kernel_by_name(scene_.solver.text("kernel"), kind);
    context_.isa = isa;
    context_.dimensions = scene_.dimensions();
    context_.spacing = scene_.spacing();
    context_.kernel = make_kernel(kind, scene_.support(), context_.dimensions);
    context_.wall_kernel = fit_to_walls(context_.kernel, context_.spacing);
    context_.solid_kernel = fit_to_solids(context_.kernel, context_.spacing);
    context_.periodic_length = periodic_length(scene_);
    context_.periodic_begin = scene_.domain.vector("min");
    context_.body_count = scene_.bodies.size();
    context_.own_contacts.resize(scene_.bodies.size());
    context_.contacts.resize(scene_.bodies.size());
    context_.no_slip.resize(scene_.bodies.size());
    context_.flow = Numbers(std::vector<float>(scene_.bodies.size(), 0.0f));
    std::vector<float> temperatures;
    for (const BodySpec& body : scene_.bodies) {
        context_.bodies.push_back({body.shape, body.boundary ? body.boundary->motion : body.motion});
        context_.body_names.push_back(body.name);
        temperatures.push_back(static_cast<float>(body.values.number("temperature")));
    }
    timeline_.set_temperatures(std::move(temperatures));
}

// Returns the largest density.
Result<double> Simulation::look_at_materials() {
    double densest = 0;
    for (const BodySpec& body : scene_.bodies) {
        if (body.boundary) continue;
        if (!material_of(scene_, body))
            return Error{Fault::scene, "bodies." + body.name, "nothing says what the body is made of",
                         "add a material to its behaviors, such as \"fluid\": {\"density\": 1000}"};
        const BehaviorUse* fluid = find_behavior(scene_, body, "fluid");
        context_.has_solids |= !fluid || fluid->values.track("weight") || fluid->values.number("weight") < 1;
        const double own = rest_density(scene_, body);
        if ((densest > 0 && own != densest) || material_of(scene_, body)->values.track("density"))
            context_.one_density = false;
        densest = std::max(densest, own);
    }
    return densest;
}

Status Simulation::make_pressure(double densest) {
    pressure_ = PressureSolvers::find(scene_.pressure)
                    ->make({scene_.pressure_values, scene_.solver.number("volume_error"),
                            scene_.solver.integer("max_iterations"), expected_speed(), densest});
    verlet_ = scene_.solver.text("integrator") == "velocity-verlet";
    if (!verlet_ || pressure_->is_explicit()) return Done{};
    return Error{Fault::scene, "solver.integrator",
                 "velocity-verlet needs a pressure that is a force like others, and that of " + scene_.pressure +
                     " is not, as set here",
                 "use \"integrator\": \"symplectic-euler\", or \"pressure\": \"wcsph\" with summed densities"};
}

void Simulation::make_neighborhood() {
    const bool fluids = std::any_of(scene_.bodies.begin(), scene_.bodies.end(), [&](const BodySpec& body) {
        return !body.boundary && find_behavior(scene_, body, "fluid");
    });
    neighborhood_ = std::make_unique<Neighborhood>(
        Neighborhood::Settings{.support = scene_.support(),
                               // What only contacts need may last for some steps.
                               .skin = pressure_->takes_short_steps() || !fluids ? 0.1 : 0,
                               .flat = context_.dimensions == 2,
                               .origin = frame_origin(scene_, context_.periodic_length),
                               .periodic_length = context_.periodic_length,
                               .isa = context_.isa});
    context_.neighbors = neighborhood_.get();
}

// The first group of the body that has this place in its region, or the body.
std::uint32_t Simulation::group_at(std::uint32_t body, const Vec3d& place) const {
    for (std::uint32_t b = body + 1; b < scene_.bodies.size(); ++b)
        if (scene_.bodies[b].group_of == body && scene_.bodies[b].region->distance(place) <= 0) return b;
    return body;
}

Status Simulation::make_particles() {
    const double spacing = scene_.spacing(), volume = lattice_volume(context_.kernel, spacing);
    const double space = std::pow(spacing, scene_.dimensions()); // what a particle stands for
    const auto seed = static_cast<std::uint64_t>(scene_.values.number("seed"));
    const std::vector<BodySheet> sheets = sheets_of(scene_);
    for (std::uint32_t b = 0; b < scene_.bodies.size(); ++b) {
        if (!sheets[b].sheet) continue;
        pool_.give_birth(sheet_births(scene_, b, *sheets[b].sheet, volume));
        context_.one_density = false; // their mass is that of their thickness, their volume is not
    }
    for (std::uint32_t b = 0; b < scene_.bodies.size(); ++b) {
        const BodySpec& body = scene_.bodies[b];
        if (body.boundary) continue;
        const double density = rest_density(scene_, body);
        if (body.shape && !sheets[b].sheet) {
            const auto points = fill_body(scene_, body);
            if (!points) return within(points.error(), "bodies." + body.name + ".shape");
            std::vector<Pool::Birth> births;
            for (const Vec3d& p : *points) {
                const std::uint32_t own = group_at(b, p);
                const double mass = rest_density(scene_, scene_.bodies[own]) * space;
                births.push_back({p, body.values.vector("velocity"), volume, mass, own});
            }
            pool_.give_birth(births);
        }
        for (const EmitterSpec& spec : body.emitters) {
            auto emitter = Emitter::create(spec, b, volume, density * space, spacing, scene_.dimensions(), seed);
            if (!emitter) return within(emitter.error(), "bodies." + body.name + ".emitters." + spec.name);
            emitters_.push_back(std::move(*emitter));
        }
    }
    for (const DrainSpec& drain : scene_.drains) {
        std::vector<std::uint8_t> takes;
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
            const std::string& name = scene_.bodies[scene_.whole_body(b)].name;
            takes.push_back(drain.bodies.empty() ||
                            std::find(drain.bodies.begin(), drain.bodies.end(), name) != drain.bodies.end());
        }
        drain_takes_.push_back(std::move(takes));
    }
    return Done{};
}

Status Simulation::make_behaviors() {
    std::vector<Pin::Hold> holds;
    for (std::uint32_t b = 0; b < scene_.bodies.size(); ++b)
        for (const PinSpec& pin : scene_.bodies[b].pins)
            holds.push_back({b, "bodies." + scene_.bodies[b].name + ".pins." + pin.name, pin.shape, pin.motion,
                             pin.values.number("until")});
    // First, so that laws that act on velocities find what is held as it will move.
    if (!holds.empty()) behaviors_.push_back(std::make_unique<Pin>(std::move(holds)));
    if (!emitters_.empty()) behaviors_.push_back(std::make_unique<Mouth>(least_led_speeds()));
    for (const auto& type : Behaviors::all()) {
        std::vector<std::optional<Values>> values(scene_.bodies.size());
        bool used = false;
        for (std::size_t b = 0; b < values.size(); ++b) {
            if (scene_.bodies[b].boundary) continue;
            if (const BehaviorUse* use = find_behavior(scene_, scene_.bodies[b], type->declaration.name))
                values[b] = use->values, used = true;
        }
        if (!used) continue;
        const BodyValues own = timeline_.open(*type, std::move(values), pool_);
        behaviors_.push_back(type->make(own));
        timeline_.watch(*behaviors_.back(), own);
    }
    if (auto forces = make_wall_forces(context_)) behaviors_.push_back(std::move(forces));
    const auto rough = [](const WallBody& wall) { return slip_of(wall.values) != 0; };
    if (std::any_of(wall_bodies_.begin(), wall_bodies_.end(), rough))
        behaviors_.push_back(std::make_unique<WallFriction>());
    if (!context_.all_flow) behaviors_.push_back(std::make_unique<Contact>()); // after the laws that ask for it
    // The last word on velocities.
    const std::vector<BodySheet> sheets = sheets_of(scene_);
    if (auto barrier = make_sheet_barrier(sheets)) behaviors_.push_back(std::move(barrier));
    if (auto samples = make_sheet_samples(sheets)) behaviors_.push_back(std::move(samples)); // follow all others

    std::vector<Behavior*> constraints;
    for (auto& behavior : behaviors_) {
        if (Status done = behavior->prepare(context_); !done) return done;
        if (behavior->constrains()) constraints.push_back(behavior.get());
    }
    if (!constraints.empty())
        context_.constrain = [this, constraints](std::span<Float4> field) {
            for (Behavior* behavior : constraints) behavior->constrain(context_, field);
        };
    ask_bearers();
    return Done{};
}

std::vector<float> Simulation::least_led_speeds() const {
    constexpr double share = 0.2; // of the fastest that the emitter lets out
    std::vector<float> speeds(scene_.bodies.size(), std::numeric_limits<float>::max());
    for (const Emitter& emitter : emitters_) {
        float& own = speeds[emitter.body()];
        own = std::min(own, static_cast<float>(share * emitter.fastest()));
    }
    return speeds;
}

void Simulation::ask_bearers() {
    std::vector<Bearer*> bearers;
    for (auto& behavior : behaviors_)
        if (auto* bearer = dynamic_cast<Bearer*>(behavior.get())) bearers.push_back(bearer);
    if (bearers.empty()) return;
    const bool asks = pressure_->ask([this, bearers](std::span<Float4> push) {
        for (Bearer* bearer : bearers) bearer->bear(context_, push);
    });
    if (!asks) return;
    for (Bearer* bearer : bearers) bearer->bear_pushes();
}

void Simulation::expect_steps() {
    const double longest = scene_.solver.number("max_time_step"), fixed = scene_.solver.number("time_step");
    context_.least_step = scene_.solver.number("min_time_step");
    context_.fixed_step = fixed;
    context_.expected_step = std::min({longest > 0 ? longest : 1 / scene_.values.number("fps"),
                                       scene_.solver.number("cfl") * context_.spacing / expected_speed(),
                                       pressure_->time_step(context_).seconds});
    if (fixed > 0) context_.expected_step = fixed;
}

// What behaviors can bring a body to, on top of the speeds that bodies, emitters and walls start with.
double Simulation::expected_speed() const {
    Bounds walls, filled;
    double fastest = 0, gained = 0;
    for (const BodySpec& body : scene_.bodies) {
        if (body.shape) (body.boundary ? walls : filled).add(body.shape->bounds());
        for (const EmitterSpec& emitter : body.emitters) {
            filled.add(emitter.shape->bounds());
            for (const Values& values : at_keys(emitter.values)) fastest = std::max(fastest, values.number("speed"));
        }
        if (body.boundary) {
            const double reach = length(body.shape->bounds().size());
            fastest = std::max(fastest, top_speed(body.boundary->motion, reach, 0, scene_.values.number("duration")));
        } else {
            fastest = std::max(fastest, length(body.values.vector("velocity")));
        }
    }
    if (filled.empty()) filled.add(Vec3d{});
    Bounds all = filled;
    all.add(walls);
    for (const BodySpec& body : scene_.bodies) {
        if (body.boundary) continue;
        const SceneScale scale{all, filled, scene_.spacing(), rest_density(scene_, body)};
        for (const auto& type : Behaviors::all())
            if (const BehaviorUse* use = find_behavior(scene_, body, type->declaration.name);
                use && type->expected_speed)
                for (const Values& values : at_keys(use->values))
                    gained = std::max(gained, type->expected_speed(values, scale));
    }
    return std::max({fastest + gained, 1e-3 * scene_.spacing() * scene_.values.number("fps"), 1e-6});
}

std::vector<double> Simulation::densities() const {
    std::vector<double> all;
    for (const BodySpec& body : scene_.bodies)
        all.push_back(body.boundary ? 0 : material_of(scene_, body)->values.at(context_.time).number("density"));
    return all;
}

std::size_t Simulation::memory() const {
    return pool_.memory() + walls_.memory() + neighborhood_->memory() + pressure_->memory();
}

} // namespace loam
