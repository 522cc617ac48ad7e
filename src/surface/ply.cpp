#include "surface/ply.h"

#include <cstring>
#include <sstream>

#include <fmt/format.h>

#include "base/text.h"
#include "cache/durable.h"

namespace loam {
namespace {

constexpr const char* axes = "xyz";
constexpr std::size_t face_bytes = 1 + 3 * sizeof(std::int32_t);
constexpr std::size_t fixed_bytes = 6 * sizeof(float) + sizeof(std::uint32_t); // place, normal, body
constexpr std::size_t largest_file = std::size_t{64} << 30;

std::size_t vertex_bytes(const SurfaceMesh& mesh) {
    std::size_t bytes = fixed_bytes;
    for (const MeshColumn& column : mesh.columns) bytes += static_cast<std::size_t>(column.components) * sizeof(float);
    return bytes;
}

std::string one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
}

std::string header_text(const SurfaceMesh& mesh, const SurfaceHeader& header) {
    std::string text = "ply\nformat binary_little_endian 1.0\n";
    text += fmt::format("comment loam surface\ncomment frame {}\ncomment time {}\ncomment cell {}\ncomment method {}\n",
                        header.frame, header.time, header.cell, header.method);
    for (const std::string& body : header.bodies) text += fmt::format("comment body {}\n", one_line(body));
    for (const MeshColumn& column : mesh.columns)
        text += fmt::format("comment column {} {} {}\n", column.components, column.name, column.unit);
    text += fmt::format("element vertex {}\n", mesh.vertices.size());
    for (const char* name : {"x", "y", "z", "nx", "ny", "nz"}) text += fmt::format("property float {}\n", name);
    text += "property uint body\n";
    for (const MeshColumn& column : mesh.columns)
        for (int k = 0; k < column.components; ++k)
            text += column.components == 1 ? fmt::format("property float {}\n", column.name)
                                           : fmt::format("property float {}_{}\n", column.name, axes[k]);
    return text +
           fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", mesh.triangles.size());
}

template <class T> void put(std::byte*& to, const T& value) {
    std::memcpy(to, &value, sizeof(T));
    to += sizeof(T);
}
template <class T> void take(const char*& from, T& value) {
    std::memcpy(&value, from, sizeof(T));
    from += sizeof(T);
}

std::vector<std::byte> body_bytes(const SurfaceMesh& mesh) {
    std::vector<std::byte> bytes(mesh.vertices.size() * vertex_bytes(mesh) + mesh.triangles.size() * face_bytes);
    std::byte* to = bytes.data();
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        put(to, mesh.vertices[v]);
        put(to, mesh.normals[v]);
        put(to, mesh.body[v]);
        for (const MeshColumn& column : mesh.columns)
            for (int k = 0; k < column.components; ++k)
                put(to, column.values[v * static_cast<std::size_t>(column.components) + static_cast<std::size_t>(k)]);
    }
    for (const auto& t : mesh.triangles) {
        put(to, std::uint8_t{3});
        for (const std::uint32_t v : t) put(to, static_cast<std::int32_t>(v));
    }
    return bytes;
}

// The header's lines that carry something; false when one cannot be understood.
bool parse_line(const std::string& line, SurfaceFile& file, std::size_t& vertices, std::size_t& triangles) {
    std::istringstream words(line);
    std::string kind, name;
    words >> kind >> name;
    if (kind == "element") return static_cast<bool>(words >> (name == "vertex" ? vertices : triangles));
    if (kind != "comment") return true;
    const auto rest = [&] {
        std::string text;
        std::getline(words >> std::ws, text);
        return text;
    };
    if (name == "frame") return static_cast<bool>(words >> file.header.frame);
    if (name == "time") return static_cast<bool>(words >> file.header.time);
    if (name == "cell") return static_cast<bool>(words >> file.header.cell);
    if (name == "method") file.header.method = rest();
    if (name == "body") file.header.bodies.push_back(rest());
    if (name != "column") return true;
    MeshColumn column;
    words >> column.components >> column.name;
    column.unit = words.eof() ? "" : rest();
    file.mesh.columns.push_back(column);
    return column.components == 1 || column.components == 3;
}

bool take_body(const char* from, SurfaceMesh& mesh, std::size_t vertices, std::size_t triangles) {
    mesh.vertices.resize(vertices), mesh.normals.resize(vertices), mesh.body.resize(vertices);
    for (MeshColumn& column : mesh.columns)
        column.values.resize(vertices * static_cast<std::size_t>(column.components));
    for (std::size_t v = 0; v < vertices; ++v) {
        take(from, mesh.vertices[v]);
        take(from, mesh.normals[v]);
        take(from, mesh.body[v]);
        for (MeshColumn& column : mesh.columns)
            for (int k = 0; k < column.components; ++k)
                take(from,
                     column.values[v * static_cast<std::size_t>(column.components) + static_cast<std::size_t>(k)]);
    }
    mesh.triangles.resize(triangles);
    for (auto& t : mesh.triangles) {
        if (*from++ != 3) return false;
        for (std::uint32_t& v : t) {
            take(from, v);
            if (v >= vertices) return false;
        }
    }
    return true;
}

} // namespace

Status write_surface(const std::filesystem::path& path, const SurfaceMesh& mesh, const SurfaceHeader& header) {
    const std::string text = header_text(mesh, header);
    const std::vector<std::byte> body = body_bytes(mesh);
    const Bytes pieces[] = {bytes_of(text), body};
    return write_durably(path, pieces);
}

Result<SurfaceFile> read_surface(const std::filesystem::path& path) {
    const Result<std::string> text = read_text(path, largest_file);
    if (!text) return text.error();
    const auto wrong = [&](const std::string& what) {
        return Error{Fault::file, path.string(), what, "make it again with `loam surface`"};
    };
    const std::string end = "end_header\n", mark = "comment loam surface\n";
    const std::size_t body = text->find(end);
    if (text->rfind("ply\nformat binary_little_endian 1.0\n", 0) != 0 || body == std::string::npos ||
        text->find(mark) > body)
        return wrong("this is not a surface of Loam");
    SurfaceFile file;
    std::size_t vertices = 0, triangles = 0;
    std::istringstream lines(text->substr(0, body));
    for (std::string line; std::getline(lines, line);)
        if (!parse_line(line, file, vertices, triangles))
            return wrong(fmt::format("its header is damaged: \"{}\"", line));
    const std::size_t there = text->size() - body - end.size();
    if (vertices > there / fixed_bytes || triangles > there / face_bytes ||
        vertices * vertex_bytes(file.mesh) + triangles * face_bytes != there)
        return wrong("the file is cut off or damaged: its size does not fit its header");
    if (!take_body(text->data() + body + end.size(), file.mesh, vertices, triangles))
        return wrong("the file is damaged: a triangle has corners that are not there");
    return file;
}

} // namespace loam
