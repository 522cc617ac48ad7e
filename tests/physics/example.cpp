#include "example.h"

#include <fstream>
#include <sstream>

namespace loam::test {

std::unique_ptr<Simulation> example(const std::string& name, double radius) {
    const std::string path = std::string(LOAM_SOURCE_DIR) + "/examples/" + name + ".json";
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return start(text.str(), {"particle_radius=" + std::to_string(radius)}, best_instruction_set(), path);
}

} // namespace loam::test
