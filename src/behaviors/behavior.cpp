#include "behaviors/behavior.h"

#include <algorithm>

namespace loam {

std::vector<float> BodyValues::numbers(const std::string& property, float otherwise) const {
    std::vector<float> all(values_.size(), otherwise);
    for (std::size_t b = 0; b < all.size(); ++b)
        if (uses(b)) all[b] = static_cast<float>(values_[b]->number(property));
    return all;
}

double BodyValues::largest(const std::string& property) const {
    double most = 0;
    for (const auto& values : values_)
        if (values) most = std::max(most, values->number(property));
    return most;
}

} // namespace loam
