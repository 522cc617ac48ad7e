// What a particle weighs whose body is of several materials at once: the mean of their densities by their weights
// (Lenaerts 7.2.1: properties that occur more than once are weighted). So a cube that melts from ice to water gets the
// density of water where it has melted. Mass follows the density, also where that is keyed, by what it changes: what
// pores and solutes add stays. Velocities stay, too.
#pragma once

#include <memory>
#include <vector>

#include "behaviors/behavior.h"

namespace loam {

class Densities : public Behavior {
public:
    static constexpr const char* name = "densities";
    static constexpr const char* column = "density_of_materials"; // that masses are of
    static std::vector<Act> acts() { return {{Stage::prepare, {}}, {Stage::begin, {changes("mass")}}}; }

    explicit Densities(const std::vector<BodyValues>& materials);
    bool any_changes() const;                                    // of any body's density, between particles or in time
    Behavior& material(std::size_t k) { return *materials_[k]; } // wants to be told when keys change its values

    Status prepare(StepContext& step) override;
    Status begin(StepContext& step) override;
    void born(StepContext& step, const Renewal& renewal) override;

private:
    struct Material : Behavior {
        explicit Material(const BodyValues& values) { set(values); }
        void set(const BodyValues& values) override;

        std::vector<std::uint8_t> used, keyed; // by body; whether its density is
        Numbers density, weight;
    };
    std::vector<std::uint8_t> changing_bodies() const;

    std::vector<std::unique_ptr<Material>> materials_;
    std::vector<std::uint8_t> changes_; // by body
    Column<float> density_;
};

} // namespace loam
