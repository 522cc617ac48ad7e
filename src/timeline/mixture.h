// What a property is of a mixture, from that of the fluid, those of the solutes and how much there is of each.
//
//   linear   p = (1 - sum C) p_0 + sum C_s p_s
//   log      ln p = (1 - sum C) ln p_0 + sum C_s ln p_s        Arrhenius 1887, for viscosity
//
//   C  concentration: part of the volume        p_s  of the pure solute; one that does not say counts as the fluid
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/context.h"

namespace loam {

class Mixture {
public:
    struct Rule {
        bool logarithmic = false;
        std::vector<double> own; // by solute; 0: as the fluid
    };

    void set_bodies(std::vector<std::uint8_t> mix) { mix_ = std::move(mix); }
    bool holds_any(std::size_t body) const { return body < mix_.size() && mix_[body] != 0; }
    // Nothing where no solute has a say in the property.
    std::optional<Rule> rule_of(const std::string& behavior, const std::string& property, StepContext& step);
    void declare(StepContext& step); // the concentrations

    float value(const StepContext& step, const Rule& rule, float of_fluid, std::size_t i) const;
    // Of one solute; of all together where no name is given.
    float concentration(const StepContext& step, const std::string& solute, std::size_t i) const;

private:
    std::vector<std::uint8_t> mix_; // by body
    std::vector<Column<float>> concentrations_;
};

} // namespace loam
