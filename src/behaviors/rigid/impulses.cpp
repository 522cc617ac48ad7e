#include "behaviors/rigid/impulses.h"

#include <algorithm>
#include <cmath>

namespace loam {
namespace {

constexpr int most_sweeps = 100;
constexpr double enough = 1e-6; // of a change of speed, as a share of the speeds
constexpr int correction_sweeps = 20;
constexpr double taken_back = 0.2; // of the overlap, in a step

Vec3d relative_velocity(const RigidContact& c, std::span<const RigidBody> bodies) {
    const Vec3d own = bodies[c.key.owner].velocity_at(c.arm);
    return own - (c.with_wall ? c.wall_velocity : bodies[c.key.other].velocity_at(c.other_arm));
}

Vec3d velocity_before(const RigidContact& c, std::span<const ContactSolver::Motion> before) {
    const auto at = [&](std::uint32_t body, const Vec3d& arm) {
        return before[body].velocity + cross(before[body].spin, arm);
    };
    return at(c.key.owner, c.arm) - (c.with_wall ? c.wall_velocity : at(c.key.other, c.other_arm));
}

double yielding(const RigidBody& body, const Vec3d& arm, const Vec3d& along) { // 1 / mass along a direction
    const Vec3d turn = cross(arm, along);
    return body.inverse_mass() + dot(turn, body.inverse_inertia * turn);
}

double mass_along(const RigidContact& c, std::span<const RigidBody> bodies, const Vec3d& along) {
    double all = yielding(bodies[c.key.owner], c.arm, along);
    if (!c.with_wall) all += yielding(bodies[c.key.other], c.other_arm, along);
    return all > 0 ? 1 / all : 0;
}

// The impulses of the step before, for contacts of the same two that are nearest to where they were.
class FirstGuesses {
public:
    explicit FirstGuesses(std::vector<RigidContact> old) : old_(std::move(old)), taken_(old_.size(), 0) {
        std::stable_sort(old_.begin(), old_.end(), earlier);
    }
    void give(RigidContact& c) {
        const auto [begin, end] = std::equal_range(old_.begin(), old_.end(), c, earlier);
        auto nearest = end;
        for (auto old = begin; old != end; ++old)
            if (!taken_[old - old_.begin()] &&
                (nearest == end || length(old->arm - c.arm) < length(nearest->arm - c.arm)))
                nearest = old;
        if (nearest == end) return;
        taken_[nearest - old_.begin()] = 1;
        c.push = nearest->push, c.drag = nearest->drag;
    }

private:
    static bool earlier(const RigidContact& a, const RigidContact& b) { return a.key < b.key; }
    std::vector<RigidContact> old_;
    std::vector<std::uint8_t> taken_;
};

Vec3d across(const Vec3d& n) { // a unit vector at right angles; in a plane within it
    return std::abs(n.z) < 0.7 ? normalized(Vec3d{-n.y, n.x, 0}) : normalized(Vec3d{0, -n.z, n.y});
}

} // namespace

void ContactSolver::begin(std::vector<RigidContact> contacts, std::span<RigidBody> bodies,
                          std::span<const Motion> before, double dt) {
    FirstGuesses guesses(std::move(contacts_));
    rows_.assign(contacts.size(), {});
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        RigidContact& c = contacts[k];
        Row& row = rows_[k];
        row.along[0] = c.normal, row.along[1] = across(c.normal), row.along[2] = cross(c.normal, row.along[1]);
        for (int d = 0; d < 3; ++d) row.mass[d] = mass_along(c, bodies, row.along[d]);
        row.target = -std::max(c.gap, 0.0) / dt;
        if (c.restitution > 0) bounce(c, row, dot(velocity_before(c, before), c.normal), bodies, dt);
        guesses.give(c);
    }
    contacts_ = std::move(contacts);
    for (std::size_t k = 0; k < contacts_.size(); ++k) { // first guesses
        RigidContact& c = contacts_[k];
        Row& row = rows_[k];
        if (row.target > 0) c.push = 0, c.drag = {}; // a bounce is new
        for (int d = 0; d < 2; ++d) row.drag[d] = dot(c.drag, row.along[d + 1]);
        c.drag = row.drag[0] * row.along[1] + row.drag[1] * row.along[2];
        apply(c, bodies, c.push * c.normal + c.drag);
    }
}

// It comes until it touches, after a share s of the step, and goes back for the rest of it. Velocities are those in the
// middle of a step, and the forces act all the time: with f their part in the step it arrives with u + (s - 1/2) f, and
// the way up to s is dt (u s + f s (s - 1) / 2).
void ContactSolver::bounce(const RigidContact& c, Row& row, double before, std::span<const RigidBody> bodies,
                           double dt) {
    const double coming = dot(relative_velocity(c, bodies), c.normal), forced = coming - before;
    if (coming >= row.target || -coming <= 2 * std::abs(forced)) return;
    double share = std::min(1.0, row.target / coming);
    for (int round = 0; round < 2; ++round) // Newton
        share -= (share * (coming + 0.5 * forced * (share - 1)) - row.target) / (coming + (share - 0.5) * forced);
    share = std::clamp(share, 0.0, 1.0);
    const double left = 1 - share, leaving = -c.restitution * (coming + (share - 0.5) * forced);
    const double going = leaving + (0.5 - share) * forced; // in the middle of the step, had it left before
    if (going <= 0) return;
    row.target = going;
    row.ahead = std::max(c.gap, 0.0) + dt * (going - left * (leaving + 0.5 * forced * left));
}

void ContactSolver::apply(const RigidContact& c, std::span<RigidBody> bodies, const Vec3d& impulse) const {
    bodies[c.key.owner].push(impulse, cross(c.arm, impulse));
    if (!c.with_wall) bodies[c.key.other].push(-impulse, -cross(c.other_arm, impulse));
}

// Returns by how much it changed a speed.
double ContactSolver::solve_one(std::size_t k, std::span<RigidBody> bodies) {
    RigidContact& c = contacts_[k];
    Row& row = rows_[k];
    const double before = c.push;
    const double u = dot(relative_velocity(c, bodies), c.normal);
    c.push = std::max(0.0, c.push + row.mass[0] * (row.target - u));
    apply(c, bodies, (c.push - before) * c.normal);

    const Vec3d slide = relative_velocity(c, bodies), drag_before = c.drag;
    for (int d = 0; d < 2; ++d) row.drag[d] -= row.mass[d + 1] * dot(slide, row.along[d + 1]);
    const double size = std::hypot(row.drag[0], row.drag[1]), most = c.friction * c.push;
    if (size > most)
        for (double& d : row.drag) d *= most / size;
    c.drag = row.drag[0] * row.along[1] + row.drag[1] * row.along[2];
    const Vec3d change = c.drag - drag_before;
    apply(c, bodies, change);
    return row.mass[0] > 0 ? (std::abs(c.push - before) + length(change)) / row.mass[0] : 0;
}

void ContactSolver::solve(std::span<RigidBody> bodies) {
    if (contacts_.empty()) return;
    double fastest = 0;
    for (const RigidContact& c : contacts_)
        fastest =
            std::max({fastest, length(relative_velocity(c, bodies)), c.push * bodies[c.key.owner].inverse_mass()});
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        double most = 0;
        for (std::size_t k = 0; k < contacts_.size(); ++k) // to and fro: what rests on what is found sooner
            most = std::max(most, solve_one(sweep % 2 ? contacts_.size() - 1 - k : k, bodies));
        if (most <= enough * fastest) break;
    }
}

std::vector<ContactSolver::Shift> ContactSolver::corrections(std::span<const RigidBody> bodies, double slop) {
    std::vector<Shift> shifts(bodies.size());
    const auto give = [&](std::uint32_t body, const Vec3d& arm, const Vec3d& amount) {
        shifts[body].displacement += bodies[body].inverse_mass() * amount;
        shifts[body].turned += bodies[body].inverse_inertia * cross(arm, amount);
    };
    const auto moved = [&](std::uint32_t body, const Vec3d& arm) {
        return shifts[body].displacement + cross(shifts[body].turned, arm);
    };
    for (RigidContact& c : contacts_) c.correction = 0;
    for (int sweep = 0; sweep < correction_sweeps; ++sweep)
        for (std::size_t k = 0; k < contacts_.size(); ++k) {
            RigidContact& c = contacts_[k];
            const double overlap = -c.gap - slop; // below 0: as much room is left
            const double ahead = rows_[k].ahead;
            const double wanted = ahead > 0 ? -ahead : overlap > 0 ? taken_back * overlap : overlap;
            Vec3d way = moved(c.key.owner, c.arm);
            if (!c.with_wall) way -= moved(c.key.other, c.other_arm);
            const double before = c.correction;
            c.correction = before + rows_[k].mass[0] * (wanted - dot(way, c.normal));
            if (ahead == 0) c.correction = std::max(0.0, c.correction);
            const Vec3d amount = (c.correction - before) * c.normal;
            give(c.key.owner, c.arm, amount);
            if (!c.with_wall) give(c.key.other, c.other_arm, -amount);
        }
    return shifts;
}

std::vector<double> ContactSolver::save() const {
    std::vector<double> saved;
    for (const RigidContact& c : contacts_)
        saved.insert(saved.end(), {double(c.key.owner), double(c.key.other), c.arm.x, c.arm.y, c.arm.z, c.push,
                                   c.drag.x, c.drag.y, c.drag.z});
    return saved;
}

bool ContactSolver::restore(const std::vector<double>& saved) {
    constexpr std::size_t per_contact = 9;
    if (saved.size() % per_contact != 0) return false;
    contacts_.clear();
    for (std::size_t k = 0; k < saved.size(); k += per_contact) {
        const double* x = saved.data() + k;
        RigidContact c;
        c.key = {static_cast<std::uint32_t>(x[0]), static_cast<std::uint32_t>(x[1])};
        c.arm = {x[2], x[3], x[4]}, c.push = x[5], c.drag = {x[6], x[7], x[8]};
        contacts_.push_back(c);
    }
    return true;
}

} // namespace loam
