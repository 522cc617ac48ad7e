#include "timeline/mixture.h"

#include <cmath>

#include "particles/solutes.h"

namespace loam {
namespace {

struct Mixed {
    const char *behavior, *property;
    double SoluteFacts::*own;
    bool logarithmic;
};
constexpr Mixed mixed[]{{"viscosity", "viscosity", &SoluteFacts::viscosity, true},
                        {"surface_tension", "tension", &SoluteFacts::tension, false}};

} // namespace

std::optional<Mixture::Rule> Mixture::rule_of(const std::string& behavior, const std::string& property,
                                              StepContext& step) {
    for (const Mixed& kind : mixed) {
        if (behavior != kind.behavior || property != kind.property) continue;
        Rule rule{kind.logarithmic, {}};
        bool matters = false;
        for (const SoluteFacts& solute : step.scene.solutes) {
            rule.own.push_back(solute.*kind.own);
            matters |= rule.own.back() > 0;
        }
        if (!matters) return {};
        declare(step);
        return rule;
    }
    return {};
}

void Mixture::declare(StepContext& step) {
    if (!concentrations_.empty()) return;
    for (const SoluteFacts& solute : step.scene.solutes)
        concentrations_.push_back(
            step.particles.declare<float>({.name = concentration_column(solute.name), .saved = true, .output = true}));
}

float Mixture::value(const StepContext& step, const Rule& rule, float of_fluid, std::size_t i) const {
    const bool logarithmic = rule.logarithmic && of_fluid > 0;
    double mean = 0, rest = 1;
    for (std::size_t s = 0; s < rule.own.size(); ++s) {
        if (!(rule.own[s] > 0)) continue;
        const double part = step.particles[concentrations_[s]][i];
        rest -= part;
        mean += part * (logarithmic ? std::log(rule.own[s]) : rule.own[s]);
    }
    mean += rest * (logarithmic ? std::log(static_cast<double>(of_fluid)) : of_fluid);
    return static_cast<float>(logarithmic ? std::exp(mean) : mean);
}

float Mixture::concentration(const StepContext& step, const std::string& solute, std::size_t i) const {
    float sum = 0;
    for (std::size_t s = 0; s < concentrations_.size(); ++s)
        if (solute.empty() || step.scene.solutes[s].name == solute) sum += step.particles[concentrations_[s]][i];
    return sum;
}

} // namespace loam
