#include "behaviors/behavior.h"

#include <algorithm>

namespace loam {

Numbers BodyValues::numbers(const std::string& property, float otherwise) const {
    std::vector<float> all(values_.size(), otherwise);
    for (std::size_t b = 0; b < all.size(); ++b)
        if (uses(b)) all[b] = static_cast<float>(values_[b]->number(property));
    const auto own = differing_.find(property);
    return Numbers(std::move(all), own == differing_.end() ? Column<float>{} : own->second);
}

BodyValues BodyValues::at(double time) const {
    BodyValues then = *this;
    for (auto& values : then.values_)
        if (values) values = values->at(time);
    return then;
}

BehaviorType with_weight(BehaviorType type) {
    for (Property& property : type.declaration.properties)
        if (property.keying == Keying::none && (property.kind == Kind::number || property.kind == Kind::vector))
            property.keying = Keying::time;
    type.declaration.properties.push_back(
        number("weight", "", 1, fraction, "How much of it acts; keys fade it in and out.")
            .keyed(type.weight_by_body ? Keying::time : Keying::particle));
    return type;
}

} // namespace loam
