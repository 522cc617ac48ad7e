// VTK's XML PolyData. The arrays stand behind the XML as they are ("appended", "raw"), each after its length in bytes
// (uint64), and the XML gives their offsets.
#include <numeric>

#include <fmt/format.h>

#include "export/format.h"

namespace loam {
namespace {

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&')
            safe += "&amp;";
        else if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '"')
            safe += "&quot;";
        else
            safe += c;
    }
    return safe;
}

// Arrays on their way to the end of the file.
class Appended {
public:
    // The element that describes the array; its bytes are kept.
    std::string array(const std::string& name, const char* type, std::size_t components, const void* bytes,
                      std::size_t size) {
        std::string element = fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
            escaped(name), components, bytes_.size());
        put_bytes(bytes_, std::uint64_t{size});
        bytes_.append(static_cast<const char*>(bytes), size);
        return element;
    }
    std::string whole_numbers(const std::string& name, const std::vector<std::int64_t>& values) {
        return array(name, "Int64", 1, values.data(), values.size() * sizeof(std::int64_t));
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

// Verts of one point each, or Polys of three.
std::string cells(const Geometry& g, Appended& data) {
    const std::size_t corners = g.is_mesh ? 3 : 1, count = g.is_mesh ? g.triangles.size() : g.positions.size();
    std::vector<std::int64_t> connectivity(corners * count), offsets(count);
    std::iota(connectivity.begin(), connectivity.end(), 0);
    for (std::size_t t = 0; t < g.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) connectivity[3 * t + k] = g.triangles[t][k];
    for (std::size_t i = 0; i < count; ++i) offsets[i] = static_cast<std::int64_t>(corners * (i + 1));
    const char* const kind = g.is_mesh ? "Polys" : "Verts";
    return fmt::format("<{}>\n", kind) + data.whole_numbers("connectivity", connectivity) +
           data.whole_numbers("offsets", offsets) + fmt::format("</{}>\n", kind);
}

} // namespace

Result<std::string> encode_vtp(const Geometry& g) {
    const std::size_t n = g.positions.size();
    Appended data;
    std::string xml = "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                      "header_type=\"UInt64\">\n<PolyData>\n";
    xml +=
        fmt::format("<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}"
                    "</DataArray></FieldData>\n",
                    g.time);
    xml += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
                       "NumberOfPolys=\"{}\">\n",
                       n, g.is_mesh ? 0 : n, g.triangles.size());
    xml += "<Points>\n" + data.array("Points", "Float32", 3, g.positions.data(), n * sizeof(Vec3f)) + "</Points>\n";
    xml += cells(g, data);
    xml += "<PointData>\n";
    for (const Attribute& attribute : attributes_of(g))
        xml += data.array(attribute.name, attribute.whole ? "UInt32" : "Float32", attribute.components,
                          attribute.values, n * attribute.components * 4);
    xml += "</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    return xml + data.bytes() + "\n</AppendedData>\n</VTKFile>\n";
}

} // namespace loam
