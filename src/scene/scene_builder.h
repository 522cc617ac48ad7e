// From a checked tree to the scene. What is still complained about here depends on more than one value.
#pragma once

#include "scene/check.h"
#include "scene/read_shape.h"

namespace loam {

class SceneBuilder {
public:
    SceneBuilder(const json::Node& root, const Registries& registries, const std::string& folder,
                 Complaints& complaints);
    Scene build();
    bool used_files() const { return shapes_.used_files() || look_uses_files_; }

private:
    void build_solver(Scene& scene);
    void check_times(const Scene& scene);
    void check_domain(const Scene& scene);
    void check_periodic(const Scene& scene, const json::Node& domain);
    std::vector<BehaviorUse> build_behaviors(const json::Node* node, const std::string& path);
    void build_pictures(Scene& scene);
    Values build_look(const json::Node* node, const std::string& path);
    void build_piece(const json::Node& node, const std::string& path, Values& look);
    void build_map(const json::Node& node, Values& light);
    void check_color(const json::Node& node, const std::string& path, const std::string& key, const Values& all);
    BodySpec build_body(const Scene& scene, const std::string& name, const json::Node& node);
    void build_groups(Scene& scene, std::size_t of, const json::Node& node);
    bool may_seep_out(const json::Node& node) const;
    void check_body(const json::Node& node, const std::string& path);
    BoundarySpec build_boundary(const json::Node& node, const std::string& path);
    Motion build_motion(const json::Node& node, const std::string& path);
    void check_pins(const Scene& scene);
    void check_looks(const Scene& scene);
    PinSpec build_pin(const std::string& name, const json::Node& node, const std::string& path);
    void build_start(const Scene& scene, BodySpec& body, const json::Node& node, const std::string& path);
    StartField build_field(const json::Node& node, const std::string& path, StartField::Of of);
    void build_formulas(const json::Node& node, const std::string& path, StartField& field);
    void build_foam(Scene& scene, const json::Node& node);
    GaugeSpec build_gauge(const std::string& name, const json::Node& node, const Scene& scene);
    void check_body_names(const json::Node& node, const std::string& path, const Declaration& declaration,
                          const Scene& scene);
    EmitterSpec build_emitter(const std::string& name, const json::Node& node, const std::string& path);
    SoluteSpec build_solute(const std::string& name, const json::Node& node);
    HeaterSpec build_heater(const std::string& name, const json::Node& node);
    std::vector<double> build_concentrations(const Scene& scene, const json::Node* node, const std::string& path);
    void check_solutes_of_keys(const Scene& scene, const json::Node& node, const std::string& path);
    DrainSpec build_drain(const std::string& name, const json::Node& node, const std::vector<std::string>& bodies);

    Values values(const json::Node& node, const std::string& path, const Declaration& declaration);
    Vec3d direction(const json::Node& node, const std::string& path, const Values& values, const std::string& name);

    const json::Node& root_;
    const Registries& registries_;
    Complaints& complaints_;
    int dimensions_;
    std::string folder_;
    bool look_uses_files_ = false;
    ShapeReader shapes_;
};

} // namespace loam
