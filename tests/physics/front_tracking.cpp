// Half of the tank, x from 0 to 1/2, as the flow is symmetric. Velocities u, v stand at the middle of cell edges, the
// pressure and the share of heavy fluid in the middle of cells:
//
//        +---v---+
//        |       |        j up, i to the right; v(i, j) is below cell (i, j), u(i, j) at its left
//        u   p   u
//        |       |
//        +---v---+
//
// A step is Heun's: two explicit stages, advection by third-order upwind differences, each made free of divergence.
#include "front_tracking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "base/parallel.h"

namespace loam::test {
namespace {

using std::numbers::pi;

struct Field {
    int columns = 0, rows = 0;
    std::vector<double> values;

    Field() = default;
    Field(int columns_, int rows_) : columns(columns_), rows(rows_), values(static_cast<std::size_t>(columns * rows)) {}
    double& operator()(int i, int j) { return values[static_cast<std::size_t>(j * columns + i)]; }
    double operator()(int i, int j) const { return values[static_cast<std::size_t>(j * columns + i)]; }
};

// each(k) for k in [0, count), side by side
template <class Each> void for_each_line(int count, const Each& each) {
    parallel_blocks(static_cast<std::size_t>(count), 16, [&](Range range, std::size_t) {
        for (std::size_t k = range.begin; k != range.end; ++k) each(static_cast<int>(k));
    });
}

template <class Each> void for_each_cell(int columns, int rows, const Each& each) {
    for_each_line(rows, [&](int j) {
        for (int i = 0; i < columns; ++i) each(i, j);
    });
}

double dot(const Field& a, const Field& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.values.size(); ++k) sum += a.values[k] * b.values[k];
    return sum;
}

// a += factor b
void add(Field& a, double factor, const Field& b) {
    for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] += factor * b.values[k];
}

struct Velocity {
    Field u, v;
};

struct Point {
    double x = 0, y = 0;
};

// Solves the Poisson equation of a constant coefficient, edges closed: cosines along x, elimination along y. With
// densities that differ three times it leaves little for conjugate gradients to do.
class ConstantPoisson {
public:
    explicit ConstantPoisson(int columns) : cosines_(columns, columns) {
        for (int k = 0; k < columns; ++k)
            for (int i = 0; i < columns; ++i)
                cosines_(i, k) = std::sqrt((k == 0 ? 1.0 : 2.0) / columns) * std::cos(pi * k * (i + 0.5) / columns);
    }

    void solve(const Field& right, Field& solution) const {
        const int n = right.columns, m = right.rows;
        Field waves(n, m);
        for_each_cell(n, m, [&](int k, int j) {
            for (int i = 0; i < n; ++i) waves(k, j) += cosines_(i, k) * right(i, j);
        });
        for_each_line(n, [&](int k) {
            const double own = 2 - 2 * std::cos(pi * k / n) + 1e-9; // so that a constant has an answer
            std::vector<double> ratio(static_cast<std::size_t>(m));
            double above = 0;
            for (int j = 0; j < m; ++j) {
                const double pivot = own + (j > 0 ? 1 - above : 0) + (j < m - 1 ? 1 : 0);
                waves(k, j) = (waves(k, j) + (j > 0 ? waves(k, j - 1) : 0)) / pivot;
                above = ratio[static_cast<std::size_t>(j)] = 1 / pivot;
            }
            for (int j = m - 2; j >= 0; --j) waves(k, j) += ratio[static_cast<std::size_t>(j)] * waves(k, j + 1);
        });
        solution = Field(n, m);
        for_each_cell(n, m, [&](int i, int j) {
            for (int k = 0; k < n; ++k) solution(i, j) += cosines_(i, k) * waves(k, j);
        });
    }

private:
    Field cosines_;
};

class Tank {
public:
    explicit Tank(const TwoLayers& layers)
        : layers_(layers), n_(layers.cells / 2), m_(4 * layers.cells), h_(1.0 / layers.cells), poisson_(n_),
          pressure_(n_, m_), velocity_{Field(n_ + 1, m_), Field(n_, m_ + 1)} {
        for (int k = 0; k <= 4 * n_; ++k)
            front_.push_back({k * h_ / 4, 2 + layers.amplitude * std::cos(2 * pi * k * h_ / 4)});
        fill();
    }

    Tips tips() const { return {front_.front().y, front_.back().y}; }

    void advance(double duration) {
        for (double left = duration; left > 1e-12;) {
            const double dt = std::min(left, longest_step());
            step(dt);
            left -= dt;
        }
    }

private:
    double longest_step() const {
        double fastest = 0.05;
        for (const Field* field : {&velocity_.u, &velocity_.v})
            for (const double speed : field->values) fastest = std::max(fastest, std::abs(speed));
        return std::min({0.4 * h_ / fastest, 0.2 * h_ * h_ * layers_.reynolds, 0.01});
    }

    void step(double dt) {
        const std::vector<Point> start = front_;
        Velocity predicted = velocity_;
        accelerate(predicted, velocity_, dt);
        project(predicted, dt);
        for (Point& p : front_) {
            const Point v = at(velocity_, p);
            p = {p.x + dt * v.x, p.y + dt * v.y};
        }
        fill();

        Velocity end = velocity_; // (velocity + predicted + dt acceleration of predicted) / 2
        add(end.u, 1, predicted.u), add(end.v, 1, predicted.v);
        accelerate(end, predicted, dt);
        for (Field* field : {&end.u, &end.v})
            for (double& x : field->values) x *= 0.5;
        project(end, 0.5 * dt);
        for (std::size_t k = 0; k < front_.size(); ++k) {
            const Point v = at(predicted, front_[k]);
            front_[k] = {0.5 * (start[k].x + front_[k].x + dt * v.x), 0.5 * (start[k].y + front_[k].y + dt * v.y)};
        }
        velocity_ = std::move(end);
        refine_front();
        fill();
    }

    // Points at most 0.3 cells apart; the ends stay on the planes of symmetry.
    void refine_front() {
        front_.front().x = 0, front_.back().x = 0.5;
        std::vector<Point> finer{front_.front()};
        for (std::size_t k = 1; k < front_.size(); ++k) {
            const Point &a = front_[k - 1], &b = front_[k];
            if (std::hypot(b.x - a.x, b.y - a.y) > 0.3 * h_) finer.push_back({0.5 * (a.x + b.x), 0.5 * (a.y + b.y)});
            finer.push_back(b);
        }
        front_ = std::move(finer);
    }

    // The share of heavy fluid in each cell, from where eight lines per column of cells cross the front.
    void fill() {
        constexpr int per_cell = 8;
        std::vector<std::vector<double>> crossings(static_cast<std::size_t>(n_ * per_cell));
        for (std::size_t k = 1; k < front_.size(); ++k) {
            const Point &a = front_[k - 1], &b = front_[k];
            const double low = std::min(a.x, b.x), high = std::max(a.x, b.x), apart = h_ / per_cell;
            const int first = std::max(0, static_cast<int>(std::floor(low / apart - 0.5)));
            for (int s = first; s < n_ * per_cell && (s + 0.5) * apart < high; ++s)
                if (const double x = (s + 0.5) * apart; x >= low)
                    crossings[static_cast<std::size_t>(s)].push_back(a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y));
        }
        heavy_ = Field(n_, m_);
        for (std::size_t s = 0; s < crossings.size(); ++s) {
            std::vector<double>& heights = crossings[s];
            heights.push_back(0), heights.push_back(4);
            std::sort(heights.begin(), heights.end(), std::greater<>());
            for (std::size_t k = 0; k + 1 < heights.size(); k += 2) { // from the lid down: heavy, light, heavy, ...
                const double top = heights[k], bottom = heights[k + 1];
                for (int j = static_cast<int>(bottom / h_); j < m_ && j * h_ < top; ++j)
                    heavy_(static_cast<int>(s) / per_cell, j) +=
                        std::max(0.0, std::min(top, (j + 1) * h_) - std::max(bottom, j * h_)) / (h_ * per_cell);
            }
        }
    }

    double density(int i, int j) const {
        return 1 + (layers_.density_ratio - 1) * heavy_(std::clamp(i, 0, n_ - 1), std::clamp(j, 0, m_ - 1));
    }
    double viscosity(int i, int j) const { return density(i, j) / layers_.reynolds; }
    double corner_viscosity(int i, int j) const { // lower left of cell (i, j)
        return 0.25 * (viscosity(i - 1, j - 1) + viscosity(i, j - 1) + viscosity(i - 1, j) + viscosity(i, j));
    }

    // Velocities beyond the edges: mirrored at the planes of symmetry, turned around at floor and lid.
    double u(const Velocity& v, int i, int j) const {
        double sign = 1;
        if (i < 0 || i > n_) i = i < 0 ? -i : 2 * n_ - i, sign = -sign;
        if (j < 0 || j >= m_) j = j < 0 ? -1 - j : 2 * m_ - 1 - j, sign = -sign;
        return sign * v.u(i, j);
    }
    double v(const Velocity& v, int i, int j) const {
        double sign = 1;
        if (i < 0 || i >= n_) i = i < 0 ? -1 - i : 2 * n_ - 1 - i;
        if (j < 0 || j > m_) j = j < 0 ? -j : 2 * m_ - j, sign = -sign;
        return sign * v.v(i, j);
    }

    // Bilinear.
    Point at(const Velocity& field, const Point& p) const {
        const auto between = [&](double x, double y, auto&& value) {
            const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
            const double s = x - i, t = y - j;
            return (1 - t) * ((1 - s) * value(i, j) + s * value(i + 1, j)) +
                   t * ((1 - s) * value(i, j + 1) + s * value(i + 1, j + 1));
        };
        return {between(p.x / h_, p.y / h_ - 0.5, [&](int i, int j) { return u(field, i, j); }),
                between(p.x / h_ - 0.5, p.y / h_, [&](int i, int j) { return v(field, i, j); })};
    }

    // speed d/dx of what value(-2 .. 2) gives at neighbors in one direction
    template <class Value> double carried(double speed, const Value& value) const {
        const double slope = speed > 0 ? 2 * value(1) + 3 * value(0) - 6 * value(-1) + value(-2)
                                       : -value(2) + 6 * value(1) - 3 * value(0) - 2 * value(-1);
        return speed * slope / (6 * h_);
    }

    // out += dt (viscous force / density - (in . grad) in + gravity)
    void accelerate(Velocity& out, const Velocity& in, double dt) const {
        const double normal = layers_.whole_stress ? 2 : 1, transposed = layers_.whole_stress ? 1 : 0;
        const auto shear_u = [&](int i, int j) { // stress along x on the edge of cells below and above, at a corner
            return corner_viscosity(i, j) *
                   (u(in, i, j) - u(in, i, j - 1) + transposed * (v(in, i, j) - v(in, i - 1, j)));
        };
        const auto shear_v = [&](int i, int j) {
            return corner_viscosity(i, j) *
                   (v(in, i, j) - v(in, i - 1, j) + transposed * (u(in, i, j) - u(in, i, j - 1)));
        };
        for_each_cell(n_ - 1, m_, [&](int left, int j) {
            const int i = left + 1;
            const double own = in.u(i, j),
                         across = 0.25 * (in.v(i - 1, j) + in.v(i, j) + in.v(i - 1, j + 1) + in.v(i, j + 1));
            const double advection = carried(own, [&](int k) { return u(in, i + k, j); }) +
                                     carried(across, [&](int k) { return u(in, i, j + k); });
            const double force =
                normal * (viscosity(i, j) * (in.u(i + 1, j) - own) - viscosity(i - 1, j) * (own - in.u(i - 1, j))) +
                shear_u(i, j + 1) - shear_u(i, j);
            out.u(i, j) += dt * (2 * force / (h_ * h_ * (density(i - 1, j) + density(i, j))) - advection);
        });
        for_each_cell(n_, m_ - 1, [&](int i, int below) {
            const int j = below + 1;
            const double own = in.v(i, j),
                         across = 0.25 * (in.u(i, j - 1) + in.u(i + 1, j - 1) + in.u(i, j) + in.u(i + 1, j));
            const double advection = carried(across, [&](int k) { return v(in, i + k, j); }) +
                                     carried(own, [&](int k) { return v(in, i, j + k); });
            const double force =
                normal * (viscosity(i, j) * (in.v(i, j + 1) - own) - viscosity(i, j - 1) * (own - in.v(i, j - 1))) +
                shear_v(i + 1, j) - shear_v(i, j);
            out.v(i, j) += dt * (2 * force / (h_ * h_ * (density(i, j - 1) + density(i, j))) - advection - 1);
        });
    }

    // velocity -= dt grad p / density, so that its divergence vanishes. Conjugate gradients, from the pressure before.
    void project(Velocity& velocity, double dt) {
        Field across(n_ + 1, m_), along(n_, m_ + 1); // 1 / density at edges; none where closed
        for (int j = 0; j < m_; ++j)
            for (int i = 1; i < n_; ++i) across(i, j) = 2 / (density(i - 1, j) + density(i, j));
        for (int j = 1; j < m_; ++j)
            for (int i = 0; i < n_; ++i) along(i, j) = 2 / (density(i, j - 1) + density(i, j));
        const auto apply = [&](const Field& p) {
            Field result(n_, m_);
            for_each_cell(n_, m_, [&](int i, int j) {
                const auto flow = [&](double weight, int k, int l) {
                    return weight == 0 ? 0 : weight * (p(i, j) - p(k, l));
                };
                result(i, j) = flow(across(i, j), i - 1, j) + flow(across(i + 1, j), i + 1, j) +
                               flow(along(i, j), i, j - 1) + flow(along(i, j + 1), i, j + 1);
            });
            return result;
        };

        Field rest = apply(pressure_);
        for_each_cell(n_, m_, [&](int i, int j) {
            const Field &u = velocity.u, &v = velocity.v;
            rest(i, j) = -(u(i + 1, j) - u(i, j) + v(i, j + 1) - v(i, j)) * h_ / dt - rest(i, j);
        });
        Field way, direction;
        poisson_.solve(rest, way);
        direction = way;
        double size = dot(rest, way);
        for (int iteration = 0; iteration < 100; ++iteration) {
            const double worst = std::abs(*std::max_element(
                rest.values.begin(), rest.values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
            if (worst * dt / (h_ * h_) < 1e-5) break; // divergence
            const Field applied = apply(direction);
            const double length = size / dot(direction, applied);
            add(pressure_, length, direction);
            add(rest, -length, applied);
            poisson_.solve(rest, way);
            const double before = std::exchange(size, dot(rest, way));
            for (double& x : direction.values) x *= size / before;
            add(direction, 1, way);
        }
        for (int j = 0; j < m_; ++j)
            for (int i = 1; i < n_; ++i)
                velocity.u(i, j) -= dt * across(i, j) * (pressure_(i, j) - pressure_(i - 1, j)) / h_;
        for (int j = 1; j < m_; ++j)
            for (int i = 0; i < n_; ++i)
                velocity.v(i, j) -= dt * along(i, j) * (pressure_(i, j) - pressure_(i, j - 1)) / h_;
    }

    TwoLayers layers_;
    int n_, m_;
    double h_;
    ConstantPoisson poisson_;
    Field pressure_, heavy_;
    Velocity velocity_;
    std::vector<Point> front_; // from x = 0 to x = 1/2
};

} // namespace

std::vector<Tips> track_front(const TwoLayers& layers, std::span<const double> times) {
    Tank tank(layers);
    std::vector<Tips> result;
    double now = 0;
    for (const double time : times) {
        tank.advance(time - now);
        now = time;
        result.push_back(tank.tips());
    }
    return result;
}

} // namespace loam::test
