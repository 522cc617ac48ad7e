// How much heat a kilogram holds at a temperature, and back. Melting takes latent heat over a range of temperatures:
//
//   h(T) = c T + L f(T),   f = 0 below the solidus, 1 above the liquidus, in between on a straight line
//
//   h  enthalpy [J/kg], 0 at 0 K        c  specific heat [J/(kg K)]        L  latent heat [J/kg]        f  melted part
//
// The enthalpy is what is kept; temperature and melted part follow from it, so that melting and freezing, however
// often, give back what they took.
#pragma once

#include <algorithm>

namespace loam {

struct Enthalpy {
    double specific_heat = 0, latent_heat = 0;
    double solidus = 0, liquidus = 0; // [K]; both 0: it does not melt

    bool melts() const { return liquidus > 0; }
    double at_solidus() const { return specific_heat * solidus; }
    double at_liquidus() const { return specific_heat * liquidus + latent_heat; }

    double of(double temperature) const {
        if (!melts()) return specific_heat * temperature;
        const double range = liquidus - solidus;
        const double part = range > 0 ? std::clamp((temperature - solidus) / range, 0.0, 1.0) : temperature > solidus;
        return specific_heat * temperature + latent_heat * part;
    }
    double temperature(double h) const {
        if (!melts() || h <= at_solidus()) return h / specific_heat;
        if (h >= at_liquidus()) return (h - latent_heat) / specific_heat;
        return solidus + (liquidus - solidus) * (h - at_solidus()) / (at_liquidus() - at_solidus());
    }
    double melted(double h) const {
        if (!melts()) return 0;
        const double range = at_liquidus() - at_solidus();
        return range > 0 ? std::clamp((h - at_solidus()) / range, 0.0, 1.0) : h > at_solidus();
    }

    // The h that solves h + b T(h) = right, b >= 0: what is left once surroundings have had their say, implicitly.
    double with_surroundings(double b, double right) const {
        if (!melts()) return right / (1 + b / specific_heat);
        const double low = at_solidus() + b * solidus, high = at_liquidus() + b * liquidus;
        if (right <= low) return right / (1 + b / specific_heat);
        if (right >= high) return (right + b * latent_heat / specific_heat) / (1 + b / specific_heat);
        return at_solidus() + (at_liquidus() - at_solidus()) * (right - low) / (high - low);
    }
};

} // namespace loam
