// Miscible: solutes spread between neighbors, and particles weigh what they hold. Bayraktar 5.4 after Cleary & Monaghan
// 1999; README.md tells what is different.
//
//   d a_i / dt = sum_j 2 V_i V_j D_ij s (C_j - C_i)       moved by passes/transfer
//   m_i        = rho_0 U_i + sum_s (rho_s - rho_0) a_is
//
//   a  volume of a solute that a particle holds [m^3]        U  volume of the particle: space, V as pair sums weigh it
//   C  a / U, its concentration [-]                          D  dispersion [m^2/s], harmonic mean of both sides
//   rho_0, rho_s  densities of the fluid and of the solute: where solute goes, as much fluid comes back
#include "base/reductions.h"
#include "base/text.h"
#include "behaviors/behavior.h"
#include "particles/solutes.h"
#include "passes/lattice.h"
#include "passes/transfer/pace.h"
#include "passes/transfer/transfer.h"

namespace loam {
namespace {

class Miscible : public Behavior {
public:
    explicit Miscible(const BodyValues& values) : values_(values) { set(values); }

    void set(const BodyValues& values) override {
        dispersion_ = values.numbers("dispersion");
        weight_ = values.numbers("weight");
    }

    Status prepare(StepContext& step) override {
        if (Status good = find_fluid(step); !good) return good;
        Pool& pool = step.particles;
        const SceneFacts& scene = step.scene;
        space_per_volume_ = scene.space / lattice_volume(scene.kernel, scene.spacing);
        lattice_.emplace(scene);
        rest_ = pool.declare<float>({.name = "mass_without_solute", .unit = "kg"});
        for (const SoluteFacts& solute : scene.solutes) {
            Own own;
            own.amount = pool.declare<double>({.name = "amount_" + solute.name,
                                               .unit = scene.dimensions == 2 ? "m^2" : "m^3",
                                               .saved = true,
                                               .nature = Nature::amount});
            own.concentration =
                pool.declare<float>({.name = concentration_column(solute.name), .saved = true, .output = true});
            own.has_mass = solute.density > 0;
            own.excess = own.has_mass ? solute.density - density_ : 0;
            own.mobility = solute.mobility;
            most_mobile_ = std::max(most_mobile_, solute.mobility);
            own.transfer.declare(pool, {.name = "solute_" + solute.name,
                                        .reason = "dispersion",
                                        .mass = solute.density,
                                        .back = own.has_mass ? density_ : 0});
            solutes_.push_back(std::move(own));
        }
        for (std::size_t i = 0; i < pool.size(); ++i) fill(step, i);
        for (Own& own : solutes_) own.held = held_by(pool, own);
        return Done{};
    }

    void born(StepContext& step, const Renewal& renewal) override {
        for (std::size_t k = 0; k < renewal.born.size(); ++k)
            if (renewal.parents[k] == Renewal::no_parent) fill(step, renewal.born.begin + k);
        for (Own& own : solutes_) { // what newborns bring and what the dead take along
            const double before = own.held;
            own.supplied += (own.held = held_by(step.particles, own)) - before;
        }
    }

    Status transfer(StepContext& step) override {
        if (!pace_.due(step.dt)) return Done{};
        const double fastest = largest_dispersion(step.particles);
        pace_.set_safe(lattice_->safe_step(fastest * most_mobile_));
        if (!(fastest > 0)) return Done{};
        for (std::size_t s = 0; s < solutes_.size(); ++s) spread(step, s, fastest * solutes_[s].mobility);
        for (Own& own : solutes_) own.held = held_by(step.particles, own);
        return Done{};
    }

    void account(const StepContext& step, std::vector<Account>& accounts) const override {
        Account all{"solutes", step.scene.dimensions == 2 ? "m^2" : "m^3", {}};
        for (std::size_t s = 0; s < solutes_.size(); ++s) {
            const std::string& name = step.scene.solutes[s].name;
            const double held = held_by(step.particles, solutes_[s]), supplied = solutes_[s].supplied;
            all.entries.insert(all.entries.end(),
                               {{name, held}, {name + "_supplied", supplied}, {name + "_sum", held - supplied}});
        }
        accounts.push_back(std::move(all));
    }

    void save(SavedState& state) const override {
        state["miscible.pace"] = pace_.save();
        for (const Own& own : solutes_) state["miscible.supplied"].push_back(own.supplied);
    }
    Status restore(StepContext& step, const SavedState& state) override {
        const auto found = state.find("miscible.pace"), supplied = state.find("miscible.supplied");
        if (found == state.end() || supplied == state.end() || supplied->second.size() != solutes_.size() ||
            !pace_.restore(found->second))
            return Error{Fault::file, "", "the checkpoint does not hold the state of what mixes"};
        for (std::size_t s = 0; s < solutes_.size(); ++s) {
            solutes_[s].supplied = supplied->second[s];
            solutes_[s].held = held_by(step.particles, solutes_[s]);
        }
        return Done{};
    }

private:
    struct Own { // of a solute
        Column<double> amount;
        Column<float> concentration;
        bool has_mass = false; // of its own
        double excess = 0;     // of its density above the fluid's
        double mobility = 1;
        double held = 0;     // by all particles, after the last exchange or renewal
        double supplied = 0; // from outside, since the start
        Transfer transfer;
    };

    static double held_by(const Pool& pool, const Own& own) {
        const auto amount = pool[own.amount];
        return parallel_sum(amount.size(), [&](std::size_t i) { return amount[i]; });
    }

    // All have to be one fluid but for what they hold: it changes places with solutes.
    Status find_fluid(const StepContext& step) {
        const bool heavy = std::any_of(step.scene.solutes.begin(), step.scene.solutes.end(),
                                       [](const SoluteFacts& solute) { return solute.density > 0; });
        const BodyFacts* first = nullptr;
        for (std::size_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            const BodyFacts& body = step.scene.bodies[b];
            if (step.scene.solutes.empty())
                return Error{Fault::scene, "bodies." + body.name + ".behaviors.miscible", "there is nothing to mix",
                             "add \"solutes\" to the scene, and a \"concentration\" to the bodies that hold some"};
            if (!first) first = &body, density_ = body.density;
            if (heavy && body.density != first->density)
                return Error{
                    Fault::scene, "bodies." + body.name + ".behaviors.miscible",
                    "is made of a fluid of " + number_text(body.density) + " kg/m^3, and \"" + first->name +
                        "\" of one of " + number_text(first->density) + ": they cannot change places with solutes",
                    "give both the density of the fluid alone; what a solute adds follows from its own density "
                    "and the body's concentration"};
        }
        return Done{};
    }

    double space(const Pool& pool, std::size_t i) const { return space_per_volume_ * pool[pool.volume][i]; }

    void fill(StepContext& step, std::size_t i) {
        Pool& pool = step.particles;
        const std::uint32_t b = pool[pool.body][i];
        if (!values_.uses(b)) return;
        double mass = pool[pool.mass][i];
        for (std::size_t s = 0; s < solutes_.size(); ++s) {
            const float concentration = step.scene.bodies[b].concentrations[s];
            pool[solutes_[s].concentration][i] = concentration;
            pool[solutes_[s].amount][i] = concentration * space(pool, i);
            mass += solutes_[s].excess * pool[solutes_[s].amount][i];
        }
        pool[pool.mass][i] = static_cast<float>(mass);
    }

    double largest_dispersion(const Pool& pool) const {
        if (!dispersion_.differ()) return *std::max_element(dispersion_.by_body().begin(), dispersion_.by_body().end());
        const auto dispersion = dispersion_.of(pool);
        return parallel_max(pool.size(), [&](std::size_t i) { return static_cast<double>(dispersion[i]); });
    }

    void spread(StepContext& step, std::size_t s, double fastest) {
        Pool& pool = step.particles;
        Own& own = solutes_[s];
        const auto state = pool[own.transfer.state()];
        const auto amount = pool[own.amount];
        const auto concentration = pool[own.concentration];
        const auto dispersion = dispersion_.of(pool), weight = weight_.of(pool);
        const auto body = pool[pool.body];
        const double scale = space_per_volume_ * own.mobility / lattice_->moment;
        if (own.has_mass) weigh_rest(pool, s);
        parallel_each(pool.size(), [&](std::size_t i) {
            const bool takes_part = values_.uses(body[i]);
            const double size = space(pool, i);
            state[i] = {takes_part ? static_cast<float>(amount[i] / size) : 0,
                        takes_part ? static_cast<float>(scale * weight[i] * dispersion[i]) : 0, 1,
                        static_cast<float>(size)};
        });
        Transfer::Terms terms{.amount = own.amount, .time = pace_.time()};
        terms.implicit = terms.limited = pace_.time() > lattice_->safe_step(fastest);
        if (own.has_mass) terms.dry_mass = rest_;
        own.transfer.move(step, terms);
        parallel_each(pool.size(), [&](std::size_t i) {
            if (values_.uses(body[i])) concentration[i] = static_cast<float>(amount[i] / space(pool, i));
        });
    }

    // Of particles without this solute, with fluid in its place.
    void weigh_rest(Pool& pool, std::size_t without) {
        const auto rest = pool[rest_];
        parallel_each(pool.size(), [&](std::size_t i) {
            double mass = density_ * space(pool, i);
            for (std::size_t s = 0; s < solutes_.size(); ++s)
                if (s != without) mass += solutes_[s].excess * pool[solutes_[s].amount][i];
            rest[i] = static_cast<float>(mass);
        });
    }

    BodyValues values_;
    Numbers dispersion_, weight_;
    std::vector<Own> solutes_;
    std::optional<LatticeExchange> lattice_;
    Pace pace_;
    double most_mobile_ = 0;
    double space_per_volume_ = 1;
    double density_ = 0; // of the fluid
    Column<float> rest_;
};

const RegisterBehavior miscible{{
    .declaration =
        {.name = "miscible",
         .help =
             "Mixes with others that have it: the `solutes` of the scene spread from where there is much of them.\n"
             "What a body holds at the start stands in its `concentration`. Density, viscosity, surface tension and "
             "color follow what particles hold. Behaviors can be keyed over the concentration: a solid whose weight "
             "ends where little is left of a solute dissolves.",
         .properties = {number("dispersion", "m^2/s", 1e-4, {0, 1e6},
                               "How fast solutes spread; 0: not at all. Salt in still water has 1e-9, but eddies that "
                               "are too small to be seen spread it much faster.")
                            .keyed(Keying::particle)}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {changes("mass")}},
             {Stage::transfer, {reads("volume"), changes("mass"), changes("velocity"), changes("concentration")}}},
    .make = make_behavior<Miscible>,
}};

} // namespace
} // namespace loam
