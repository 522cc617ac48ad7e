// A formula of place, such as "0.3*sin(2*pi*x) + y^2", for values that differ from place to place.
//
//   sum     term { (+|-) term }               numbers   1, 0.5, 1e-3
//   term    factor { (*|/) factor }           names     x, y, z [m], pi, e
//   factor  (-|+) factor | power              functions sin(..), max(.., ..), ...: formula_functions()
//   power   atom [ ^ factor ]
//   atom    number | name | function ( sum { , sum } ) | ( sum )
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/vec.h"

namespace loam {

class Formula {
public:
    // The error says at which column what was found; its place is left to whoever knows it.
    static Result<Formula> read(std::string_view text);

    double at(const Vec3d& place) const;

private:
    friend class FormulaReader;

    // What is done to a stack of values, one after the other.
    struct Step {
        enum class Kind : std::uint8_t { number, coordinate, one, two }; // one, two: a function of so many values
        Kind kind = Kind::number;
        double value = 0;
        std::size_t axis = 0;
        double (*of_one)(double) = nullptr;
        double (*of_two)(double, double) = nullptr;
    };
    std::vector<Step> steps_;
};

std::vector<std::string> formula_functions(); // names, sorted

} // namespace loam
