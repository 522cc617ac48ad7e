// From the checked text of a shape to the shape.
#pragma once

#include "scene/check.h"

namespace loam {

class ShapeReader {
public:
    ShapeReader(std::span<const ShapeKind> kinds, ShapeContext context, Complaints& complaints)
        : kinds_(kinds), context_(std::move(context)), complaints_(complaints) {}

    // Null after a complaint.
    ShapePtr read(const json::Node& node, const std::string& path);
    // One that particles fill or cover.
    ShapePtr read_solid(const json::Node& node, const std::string& path);
    bool used_files() const { return used_files_; }

private:
    ShapePtr combination(const json::Node& node, const std::string& kind, const std::string& path, double smooth);
    ShapePtr primitive(const json::Node& node, const ShapeKind& kind, const std::string& path);
    ShapePtr changed(ShapePtr shape, const json::Node& node, const std::string& path, const Values& values);

    std::span<const ShapeKind> kinds_;
    ShapeContext context_;
    Complaints& complaints_;
    bool used_files_ = false;
};

} // namespace loam
