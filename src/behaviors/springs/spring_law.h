// What the laws share whose bodies are networks of springs: each makes its values, the rest is here.
#pragma once

#include "behaviors/sheets/body_law.h"
#include "behaviors/springs/spring_body.h"

namespace loam {

class SpringLaw : public BodyLaw<SpringBody> {
public:
    SpringLaw(const std::string& name, const BodyValues& values, SpringValues (*values_of)(const Values&))
        : BodyLaw(name, values, [name, values_of](std::uint32_t body, const Values& given) {
              return std::make_unique<SpringBody>(name, body, values_of(given));
          }) {}
};

} // namespace loam
