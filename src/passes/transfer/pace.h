// When to exchange. What spreads slowly beside the flow need not do so in every step: some steps are taken together, so
// that the exchange costs little.
#pragma once

#include <vector>

namespace loam {

class Pace {
public:
    // Whether it is time, after a step of this length; time() is then what has passed since it was the last time.
    // `safe`: the longest step in which nothing gets past its neighbors, as it was found last (LatticeExchange).
    bool due(double dt) {
        waited_ += dt;
        ++steps_;
        if (steps_ < most_steps && (steps_ + 1) * waited_ / steps_ < little * safe_) return false;
        time_ = waited_;
        waited_ = steps_ = 0;
        return true;
    }
    double time() const { return time_; }
    void set_safe(double seconds) { safe_ = seconds; }

    std::vector<double> save() const { return {waited_, steps_, safe_}; }
    bool restore(const std::vector<double>& saved) {
        if (saved.size() != 3) return false;
        waited_ = saved[0], steps_ = saved[1], safe_ = saved[2];
        return true;
    }

private:
    static constexpr double most_steps = 4, little = 0.1;
    double waited_ = 0, steps_ = 0;
    double safe_ = 0; // not known yet
    double time_ = 0;
};

} // namespace loam
