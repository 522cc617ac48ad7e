// Houdini's classic binary geometry, version 5 (SideFX, "Documentation on the Public Domain Geometry Library",
// GPD.txt):
//
//     "Bgeo" 'V'  version = 5, points, primitives, point groups, primitive groups,     int32, all big-endian
//                 point attributes, vertex attributes, primitive attributes, detail attributes
//     per point attribute:  name (uint16 length, characters), components uint16, type int32, defaults
//     per point:            x y z w, then the attributes in their order, 4 bytes each
//     0x00 0xff             end
//
// Houdini's own names: v for velocity, pscale for the radius.
#include <bit>

#include "export/format.h"

namespace loam {
namespace {

enum Type : std::uint32_t { type_float = 0, type_int = 1, type_vector = 5 }; // vector: turned along with the points

void put_big(std::string& to, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}
void put_big(std::string& to, float value) { put_big(to, std::bit_cast<std::uint32_t>(value)); }
void put_big(std::string& to, std::uint16_t value) {
    to += static_cast<char>(value >> 8);
    to += static_cast<char>(value);
}

std::string houdini_name(const std::string& name) {
    if (name == "velocity") return "v";
    if (name == "radius") return "pscale";
    return name;
}

void put_definition(std::string& to, const Attribute& attribute) {
    const std::string name = houdini_name(attribute.name);
    put_big(to, static_cast<std::uint16_t>(name.size()));
    to += name;
    put_big(to, static_cast<std::uint16_t>(attribute.components));
    put_big(to, static_cast<std::uint32_t>(attribute.whole             ? type_int
                                           : attribute.components == 3 ? type_vector
                                                                       : type_float));
    for (std::size_t k = 0; k < attribute.components; ++k) put_big(to, std::uint32_t{0}); // the default
}

} // namespace

Result<std::string> encode_bgeo(const Geometry& g) {
    const std::vector<Attribute> attributes = attributes_of(g);
    std::string file = "BgeoV";
    put_big(file, std::uint32_t{5});
    put_big(file, static_cast<std::uint32_t>(g.positions.size()));
    for (int none = 0; none < 3; ++none) put_big(file, std::uint32_t{0}); // primitives, groups of points, of primitives
    put_big(file, static_cast<std::uint32_t>(attributes.size()));
    for (int none = 0; none < 3; ++none) put_big(file, std::uint32_t{0}); // attributes of vertices, primitives, detail
    for (const Attribute& attribute : attributes) put_definition(file, attribute);
    for (std::size_t i = 0; i < g.positions.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) put_big(file, g.positions[i][k]);
        put_big(file, 1.f);
        for (const Attribute& attribute : attributes)
            for (std::size_t k = 0; k < attribute.components; ++k) {
                std::uint32_t bits = 0;
                std::memcpy(&bits, attribute.row(i) + 4 * k, sizeof bits);
                put_big(file, bits);
            }
    }
    put_big(file, std::uint16_t{0x00ff});
    return file;
}

} // namespace loam
