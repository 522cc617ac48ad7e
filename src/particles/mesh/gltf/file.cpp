#include "particles/mesh/gltf/file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "base/input_file.h"

namespace loam::gltf {
namespace {

constexpr std::size_t most_zeros = 50'000'000; // that no byte of the file stands for

std::string from_base64(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text) {
        if (c == '=') break;
        const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 26
                          : c >= '0' && c <= '9' ? c - '0' + 52
                          : c == '+'             ? 62
                          : c == '/'             ? 63
                                                 : -1;
        demand(value >= 0, "a buffer is not base64");
        bits = bits << 6 | static_cast<std::uint32_t>(value), held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes += static_cast<char>(bits >> held & 0xff);
    }
    return bytes;
}

// A name of a file as URIs write it: %20 for a space.
std::string from_uri(const std::string& text) {
    std::string name;
    for (std::size_t k = 0; k < text.size(); ++k) {
        unsigned code = 0;
        if (text[k] == '%' && k + 2 < text.size() &&
            std::from_chars(&text[k + 1], &text[k + 3], code, 16).ptr == &text[k + 3]) {
            name += static_cast<char>(code), k += 2;
            continue;
        }
        name += text[k];
    }
    return name;
}

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
    demand(bytes.size() >= at + 4, "is cut off");
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, 4);
    return word;
}

// Of a component type of the format.
double number_at(const char* at, int kind, bool normalized) {
    const auto read = [&]<class Number>(Number value, double most) {
        std::memcpy(&value, at, sizeof value);
        return normalized ? std::max(-1.0, static_cast<double>(value) / most) : static_cast<double>(value);
    };
    switch (kind) {
    case 5120: return read(std::int8_t{}, 127);
    case 5121: return read(std::uint8_t{}, 255);
    case 5122: return read(std::int16_t{}, 32767);
    case 5123: return read(std::uint16_t{}, 65535);
    case 5125: return read(std::uint32_t{}, 4294967295.0);
    case 5126: break;
    default: throw Wrong("has numbers of an unknown type");
    }
    float value = 0;
    std::memcpy(&value, at, 4);
    return value;
}

} // namespace

void demand(bool good, const std::string& what) {
    if (!good) throw Wrong(what);
}

File::File(const std::string& bytes, const std::string& folder) : folder_(folder) {
    if (bytes.starts_with("glTF"))
        open_binary(bytes);
    else
        root_ = Json::parse(bytes, nullptr, false);
    demand(root_.is_object(), "is not JSON");
    demand(root_.value("/asset/version"_json_pointer, std::string()).starts_with("2"), "is not glTF 2");
    for (const Json& extension : list("extensionsRequired"))
        demand(!extension.is_string() || extension.get<std::string>().find("compression") == std::string::npos,
               "is compressed by " + extension.dump() + ", which is not read: export it without compression");
}

void File::open_binary(const std::string& bytes) {
    demand(word_at(bytes, 4) == 2, "is not glTF 2");
    for (std::size_t at = 12; at < bytes.size();) {
        const std::size_t length = word_at(bytes, at), kind = word_at(bytes, at + 4);
        demand(length <= bytes.size() - at - 8, "is cut off");
        const std::string chunk = bytes.substr(at + 8, length);
        if (kind == 0x4e4f534a) root_ = Json::parse(chunk, nullptr, false);
        if (kind == 0x004e4942) binary_ = chunk;
        at += 8 + length;
    }
}

const Json& File::list(const char* name) const {
    static const Json none = Json::array();
    const auto found = root_.find(name);
    return found != root_.end() && found->is_array() ? *found : none;
}

std::size_t File::index(const Json& value, const char* into) const {
    demand(value.is_number_unsigned() && value.get<std::uint64_t>() < list(into).size(),
           fmt::format("an index into its {} is out of range", into));
    return value.get<std::size_t>();
}

const std::string& File::buffer(std::size_t number) {
    if (buffers_.size() <= number) buffers_.resize(number + 1);
    if (buffers_[number]) return *buffers_[number];
    const Json& one = list("buffers")[number];
    const std::string uri = one.value("uri", std::string());
    if (uri.empty()) {
        buffers_[number] = binary_;
    } else if (uri.starts_with("data:")) {
        buffers_[number] = from_base64(std::string_view(uri).substr(std::min(uri.size(), uri.find(',') + 1)));
    } else {
        const Result<std::string> file = read_input_file((std::filesystem::path(folder_) / from_uri(uri)).string());
        if (!file) throw Wrong(file.error().text());
        buffers_[number] = *file;
    }
    return *buffers_[number];
}

std::vector<double> File::packed(const Json& place, const Layout& layout) {
    const Json& view = list("bufferViews")[index(place.value("bufferView", Json()), "bufferViews")];
    const std::string& bytes = buffer(index(view.value("buffer", Json()), "buffers"));
    const auto view_begin = view.value("byteOffset", std::size_t{0}), begin = place.value("byteOffset", std::size_t{0});
    const std::size_t size = layout.kind == 5120 || layout.kind == 5121   ? 1
                             : layout.kind == 5122 || layout.kind == 5123 ? 2
                                                                          : 4;
    const auto stride = std::max(view.value("byteStride", std::size_t{0}), layout.width * size);
    demand(view_begin <= bytes.size() && begin <= bytes.size() && layout.count <= bytes.size() && stride <= 4096 &&
               (layout.count == 0 ||
                view_begin + begin + (layout.count - 1) * stride + layout.width * size <= bytes.size()),
           "has an accessor beyond the end of its buffer");
    std::vector<double> all;
    all.reserve(layout.count * layout.width);
    for (std::size_t element = 0; element < layout.count; ++element)
        for (std::size_t k = 0; k < layout.width; ++k) {
            const double value = number_at(bytes.data() + view_begin + begin + element * stride + k * size, layout.kind,
                                           layout.normalized);
            demand(std::isfinite(value), "has numbers that are not finite");
            all.push_back(value);
        }
    return all;
}

// Values at some indices, which take the place of those that are there.
void File::replace(const Json& sparse, const Layout& layout, std::vector<double>& all) {
    const auto count = sparse.value("count", std::size_t{0});
    const Json places = sparse.value("indices", Json::object());
    const std::vector<double> at =
        packed(places, {.kind = places.value("componentType", 0), .count = count, .width = 1});
    const std::vector<double> values =
        packed(sparse.value("values", Json::object()),
               {.kind = layout.kind, .count = count, .width = layout.width, .normalized = layout.normalized});
    for (std::size_t k = 0; k < count; ++k) {
        demand(at[k] >= 0 && at[k] < static_cast<double>(layout.count), "has a sparse accessor beyond its end");
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * layout.width), layout.width,
                    all.begin() + static_cast<std::ptrdiff_t>(at[k]) * static_cast<std::ptrdiff_t>(layout.width));
    }
}

std::vector<double> File::numbers(const Json& reference, std::size_t& width) {
    const Json& accessor = list("accessors")[index(reference, "accessors")];
    const std::string type = accessor.value("type", std::string());
    width = type == "SCALAR" ? 1
            : type == "VEC2" ? 2
            : type == "VEC3" ? 3
            : type == "VEC4" ? 4
            : type == "MAT4" ? 16
                             : 0;
    demand(width > 0, "has an accessor of unknown type");
    const Layout layout{.kind = accessor.value("componentType", 0),
                        .count = accessor.value("count", std::size_t{0}),
                        .width = width,
                        .normalized = accessor.value("normalized", false)};
    std::vector<double> all;
    if (accessor.contains("bufferView")) {
        all = packed(accessor, layout);
    } else { // zeros, the format says
        zeros_ += std::min(layout.count, most_zeros + 1) * width;
        demand(zeros_ <= most_zeros, "has too many numbers that are zero");
        all.resize(layout.count * width);
    }
    if (accessor.contains("sparse")) replace(accessor["sparse"], layout, all);
    return all;
}

std::vector<Vec3d> File::vectors(const Json& reference) {
    std::size_t width = 0;
    const std::vector<double> flat = numbers(reference, width);
    demand(width == 3, "has vectors without three parts");
    std::vector<Vec3d> all(flat.size() / 3);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = {flat[3 * k], flat[3 * k + 1], flat[3 * k + 2]};
    return all;
}

} // namespace loam::gltf
