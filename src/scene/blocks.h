// The grammar of a scene: every block with its properties and the blocks within it. The checks, the schema and the
// reference walk over the same blocks, so none of them can know a key that the others do not.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace loam {

// A key that holds more than a single value.
struct Part {
    enum class Form {
        block,  // {...}
        named,  // {"name": {...}, ...} with names of the user's choice
        list,   // [{...}, ...]
        names,  // ["name", ...]
        shares, // {"name": number from 0 to 1, ...}
        patches // {"name": changes to the scene}
    };
    std::string name;
    Form form;
    std::string block; // what kind of block it holds
    std::string help;
    bool required = false;
};

struct Block {
    std::string title;
    Declaration declaration;
    std::vector<Part> parts;

    std::vector<std::string> keys() const;
    const Part* part(std::string_view name) const;
};

// By name: "scene", "solver", "body", ..., "shape", "shape box", "behavior fluid", "pressure dfsph".
class Grammar {
public:
    explicit Grammar(const Registries& registries);
    const Block& operator[](const std::string& name) const { return blocks_.at(name); }
    const std::vector<std::string>& order() const { return order_; } // for reading from top to bottom

private:
    void add(const std::string& name, Block block);
    void add_fixed();
    void add_solver(const Registries& registries);
    void add_behaviors(const Registries& registries);
    void add_shapes(const Registries& registries);
    void add_start();
    void add_gauges(const Registries& registries);

    std::map<std::string, Block> blocks_;
    std::vector<std::string> order_;
};

inline const std::vector<std::string> combinations{"union", "difference", "intersection"};
inline constexpr std::string_view name_pattern = "^[A-Za-z][A-Za-z0-9_-]{0,63}$";
bool is_name(std::string_view text); // follows name_pattern

// "greater than 0 m", "from 0 to 1"; empty when anything is allowed.
std::string range_text(const Property& property);
// "a number from 0 to 1", "one of cubic, wendland", "a vector [x, y, z] in m".
std::string allowed_text(const Property& property);
std::string default_text(const Property& property);

} // namespace loam
