// glTF 2.0 (Khronos, 2021): a tree of nodes that moves by keys, meshes that hang in it, bent by skins and morph
// targets. Only what places vertices is read: triangles, POSITION, JOINTS_0, WEIGHTS_0, morph targets, and the first
// animation.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/input_file.h"
#include "particles/mesh/animation.h"

namespace loam {
namespace {

using Json = nlohmann::json;

// What is wrong with the file; becomes an error at its edge.
struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void demand(bool good, const std::string& what) {
    if (!good) throw Wrong(what);
}

using Quaternion = std::array<double, 4>; // x, y, z, w

struct Matrix {
    std::array<double, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; // by columns, as the format has it

    Vec3d apply(const Vec3d& p) const {
        return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
    }
    friend Matrix operator*(const Matrix& a, const Matrix& b) {
        Matrix c;
        for (std::size_t column = 0; column < 4; ++column)
            for (std::size_t row = 0; row < 4; ++row) {
                double sum = 0;
                for (std::size_t k = 0; k < 4; ++k) sum += a.m[4 * k + row] * b.m[4 * column + k];
                c.m[4 * column + row] = sum;
            }
        return c;
    }
};

Matrix matrix_of(const Vec3d& translation, Quaternion q, const Vec3d& scale) {
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& part : q) part /= norm > 0 ? norm : 1;
    const auto [x, y, z, w] = q;
    Matrix a;
    a.m = {scale.x * (1 - 2 * (y * y + z * z)),
           scale.x * 2 * (x * y + z * w),
           scale.x * 2 * (x * z - y * w),
           0,
           scale.y * 2 * (x * y - z * w),
           scale.y * (1 - 2 * (x * x + z * z)),
           scale.y * 2 * (y * z + x * w),
           0,
           scale.z * 2 * (x * z + y * w),
           scale.z * 2 * (y * z - x * w),
           scale.z * (1 - 2 * (x * x + y * y)),
           0,
           translation.x,
           translation.y,
           translation.z,
           1};
    return a;
}

// Values of a channel at its keys, `width` numbers each.
struct Sampler {
    std::vector<double> times, values;
    std::string interpolation;
    std::size_t width = 1;

    std::vector<double> at(double time, bool turns) const {
        const bool cubic = interpolation == "CUBICSPLINE";
        const std::size_t stride = cubic ? 3 * width : width, own = cubic ? width : 0;
        const auto value = [&](std::size_t key, std::size_t k) { return values[key * stride + own + k]; };
        const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
        const std::size_t from = after == 0 ? 0 : after - 1, to = std::min(after, times.size() - 1);
        std::vector<double> now(width);
        if (from == to || interpolation == "STEP") {
            for (std::size_t k = 0; k < width; ++k) now[k] = value(from, k);
            return now;
        }
        const double span = times[to] - times[from], t = span > 0 ? (time - times[from]) / span : 0;
        if (cubic) {
            for (std::size_t k = 0; k < width; ++k) {
                const double leave = span * values[from * stride + 2 * width + k],
                             arrive = span * values[to * stride + k];
                const double a = value(from, k), way = value(to, k) - a;
                now[k] = a + t * (leave + t * (3 * way - 2 * leave - arrive + t * (leave + arrive - 2 * way)));
            }
            return now;
        }
        double cosine = 0;
        for (std::size_t k = 0; turns && k < 4; ++k) cosine += value(from, k) * value(to, k);
        const double sign = cosine < 0 ? -1 : 1, angle = std::acos(std::min(1.0, std::abs(cosine)));
        const bool arc = turns && angle > 1e-6;
        const double a = arc ? std::sin((1 - t) * angle) / std::sin(angle) : 1 - t;
        const double b = sign * (arc ? std::sin(t * angle) / std::sin(angle) : t);
        for (std::size_t k = 0; k < width; ++k) now[k] = a * value(from, k) + b * value(to, k);
        return now;
    }
};

struct Channel {
    std::size_t node = 0;
    std::string path; // translation, rotation, scale, weights
    Sampler sampler;
};

struct Node {
    Vec3d translation, scale{1, 1, 1};
    Quaternion rotation{0, 0, 0, 1};
    std::optional<Matrix> matrix;
    std::vector<double> weights; // of morph targets
    std::ptrdiff_t parent = -1;
};

struct Skin {
    std::vector<std::size_t> joints;
    std::vector<Matrix> inverse; // from the mesh to the joint, at rest
};

// A primitive of a mesh, at a node.
struct Piece {
    std::size_t node = 0;
    std::ptrdiff_t skin = -1;
    std::vector<Vec3d> positions;
    std::vector<std::vector<Vec3d>> targets;
    std::vector<std::array<std::uint32_t, 4>> joints;
    std::vector<std::array<double, 4>> weights;
};

class Gltf final : public MeshAnimation {
public:
    std::vector<Vec3d> vertices(double time) const override {
        std::vector<Node> nodes = nodes_;
        for (const Channel& channel : channels_) {
            Node& node = nodes[channel.node];
            const std::vector<double> now = channel.sampler.at(time, channel.path == "rotation");
            if (channel.path == "translation") node.translation = {now[0], now[1], now[2]};
            if (channel.path == "scale") node.scale = {now[0], now[1], now[2]};
            if (channel.path == "rotation") node.rotation = {now[0], now[1], now[2], now[3]};
            if (channel.path == "weights") node.weights = now;
        }
        std::vector<Matrix> world(nodes.size());
        for (const std::size_t n : parents_first_) {
            const Node& node = nodes[n];
            const Matrix own = node.matrix ? *node.matrix : matrix_of(node.translation, node.rotation, node.scale);
            world[n] = node.parent < 0 ? own : world[static_cast<std::size_t>(node.parent)] * own;
        }
        std::vector<Vec3d> all;
        for (const Piece& piece : pieces_) add(piece, nodes, world, all);
        return all;
    }

private:
    friend class Reader;

    void add(const Piece& piece, const std::vector<Node>& nodes, const std::vector<Matrix>& world,
             std::vector<Vec3d>& all) const {
        std::vector<Matrix> bones;
        if (piece.skin >= 0) {
            const Skin& skin = skins_[static_cast<std::size_t>(piece.skin)];
            for (std::size_t k = 0; k < skin.joints.size(); ++k)
                bones.push_back(world[skin.joints[k]] * skin.inverse[k]);
        }
        const std::vector<double>& morphs = nodes[piece.node].weights;
        for (std::size_t v = 0; v < piece.positions.size(); ++v) {
            Vec3d p = piece.positions[v];
            for (std::size_t t = 0; t < piece.targets.size() && t < morphs.size(); ++t)
                p += morphs[t] * piece.targets[t][v];
            if (bones.empty()) {
                all.push_back(world[piece.node].apply(p));
                continue;
            }
            Vec3d bent;
            for (std::size_t k = 0; k < 4; ++k)
                if (piece.weights[v][k] > 0) bent += piece.weights[v][k] * bones[piece.joints[v][k]].apply(p);
            all.push_back(bent);
        }
    }

    std::vector<Node> nodes_;
    std::vector<std::size_t> parents_first_;
    std::vector<Skin> skins_;
    std::vector<Piece> pieces_;
    std::vector<Channel> channels_;
};

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

class Reader {
public:
    Reader(const std::string& bytes, const std::string& folder) : folder_(folder) {
        if (bytes.starts_with("glTF"))
            open_binary(bytes);
        else
            root_ = Json::parse(bytes, nullptr, false);
        demand(root_.is_object(), "is not JSON");
        demand(root_.value("/asset/version"_json_pointer, std::string()).starts_with("2"), "is not glTF 2");
    }

    MeshAnimationPtr read() {
        read_nodes();
        read_skins();
        read_pieces();
        demand(!made_->pieces_.empty() && !made_->triangles_.empty(), "has no triangles in its scene");
        read_animation();
        return made_;
    }

private:
    static std::uint32_t word_at(const std::string& bytes, std::size_t at) {
        demand(bytes.size() >= at + 4, "is cut off");
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + at, 4);
        return word;
    }
    void open_binary(const std::string& bytes) {
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

    const Json& list(const char* name) const {
        static const Json none = Json::array();
        const auto found = root_.find(name);
        return found != root_.end() && found->is_array() ? *found : none;
    }
    // An index into one of the lists.
    std::size_t index(const Json& value, const char* into) const {
        demand(value.is_number_unsigned() && value.get<std::uint64_t>() < list(into).size(),
               fmt::format("an index into its {} is out of range", into));
        return value.get<std::size_t>();
    }

    const std::string& buffer(std::size_t number) {
        if (buffers_.size() <= number) buffers_.resize(number + 1);
        if (buffers_[number]) return *buffers_[number];
        const Json& one = list("buffers")[number];
        const std::string uri = one.value("uri", std::string());
        if (uri.empty()) {
            buffers_[number] = binary_;
        } else if (uri.starts_with("data:")) {
            buffers_[number] = from_base64(std::string_view(uri).substr(std::min(uri.size(), uri.find(',') + 1)));
        } else {
            const Result<std::string> file = read_input_file((std::filesystem::path(folder_) / uri).string());
            if (!file) throw Wrong(file.error().text());
            buffers_[number] = *file;
        }
        return *buffers_[number];
    }

    // The numbers of an accessor, `width` for each element.
    std::vector<double> numbers(const Json& reference, std::size_t& width) {
        const Json& accessor = list("accessors")[index(reference, "accessors")];
        const std::string type = accessor.value("type", std::string());
        width = type == "SCALAR" ? 1
                : type == "VEC2" ? 2
                : type == "VEC3" ? 3
                : type == "VEC4" ? 4
                : type == "MAT4" ? 16
                                 : 0;
        demand(width > 0, "has an accessor of unknown type");
        demand(!accessor.contains("sparse"), "has sparse accessors, which are not read");
        const auto kind = accessor.value("componentType", 0);
        const std::size_t size = kind == 5120 || kind == 5121 ? 1 : kind == 5122 || kind == 5123 ? 2 : 4;
        const auto count = accessor.value("count", std::size_t{0});
        const bool normalized = accessor.value("normalized", false);
        const Json& view = list("bufferViews")[index(accessor.value("bufferView", Json()), "bufferViews")];
        const std::string& bytes = buffer(index(view.value("buffer", Json()), "buffers"));
        const auto view_begin = view.value("byteOffset", std::size_t{0}),
                   begin = accessor.value("byteOffset", std::size_t{0});
        const auto stride = std::max(view.value("byteStride", std::size_t{0}), width * size);
        demand(view_begin <= bytes.size() && begin <= bytes.size() && count <= bytes.size() && stride <= 4096 &&
                   (count == 0 || view_begin + begin + (count - 1) * stride + width * size <= bytes.size()),
               "has an accessor beyond the end of its buffer");
        std::vector<double> all;
        all.reserve(count * width);
        for (std::size_t element = 0; element < count; ++element)
            for (std::size_t k = 0; k < width; ++k) {
                const double value =
                    one(bytes.data() + view_begin + begin + element * stride + k * size, kind, normalized);
                demand(std::isfinite(value), "has numbers that are not finite");
                all.push_back(value);
            }
        return all;
    }
    static double one(const char* at, int kind, bool normalized) {
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
    std::vector<Vec3d> vectors(const Json& reference) {
        std::size_t width = 0;
        const std::vector<double> flat = numbers(reference, width);
        demand(width == 3, "has vectors without three parts");
        std::vector<Vec3d> all(flat.size() / 3);
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = {flat[3 * k], flat[3 * k + 1], flat[3 * k + 2]};
        return all;
    }

    template <std::size_t Count> static std::array<double, Count> fixed(const Json& values) {
        demand(values.is_array() && values.size() == Count, "has a node of a wrong form");
        std::array<double, Count> all{};
        for (std::size_t k = 0; k < Count; ++k) {
            demand(values[k].is_number(), "has a node of a wrong form");
            all[k] = values[k].get<double>();
        }
        return all;
    }

    void read_nodes() {
        std::vector<Node>& nodes = made_->nodes_;
        nodes.resize(list("nodes").size());
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const Json& one = list("nodes")[n];
            if (one.contains("matrix")) nodes[n].matrix = Matrix{fixed<16>(one["matrix"])};
            if (one.contains("translation")) {
                const auto t = fixed<3>(one["translation"]);
                nodes[n].translation = {t[0], t[1], t[2]};
            }
            if (one.contains("scale")) {
                const auto s = fixed<3>(one["scale"]);
                nodes[n].scale = {s[0], s[1], s[2]};
            }
            if (one.contains("rotation")) nodes[n].rotation = fixed<4>(one["rotation"]);
            if (one.contains("weights")) nodes[n].weights = one["weights"].get<std::vector<double>>();
            for (const Json& child : one.value("children", Json::array())) {
                const std::size_t c = index(child, "nodes");
                demand(nodes[c].parent < 0 && c != n, "has a node with two parents");
                nodes[c].parent = static_cast<std::ptrdiff_t>(n);
            }
        }
        // Roots first, then what hangs on those that are there.
        std::vector<std::size_t>& order = made_->parents_first_;
        std::vector<char> placed(nodes.size(), 0);
        for (bool more = true; more;) {
            more = false;
            for (std::size_t n = 0; n < nodes.size(); ++n)
                if (!placed[n] && (nodes[n].parent < 0 || placed[static_cast<std::size_t>(nodes[n].parent)]))
                    order.push_back(n), placed[n] = 1, more = true;
        }
        demand(order.size() == nodes.size(), "has nodes that hang on themselves");
    }

    void read_skins() {
        for (const Json& one : list("skins")) {
            Skin skin;
            for (const Json& joint : one.value("joints", Json::array())) skin.joints.push_back(index(joint, "nodes"));
            skin.inverse.resize(skin.joints.size());
            if (one.contains("inverseBindMatrices")) {
                std::size_t width = 0;
                const std::vector<double> flat = numbers(one["inverseBindMatrices"], width);
                demand(width == 16 && flat.size() >= 16 * skin.joints.size(), "has a skin with too few matrices");
                for (std::size_t k = 0; k < skin.joints.size(); ++k)
                    std::copy_n(flat.begin() + static_cast<std::ptrdiff_t>(16 * k), 16, skin.inverse[k].m.begin());
            }
            made_->skins_.push_back(std::move(skin));
        }
    }

    void read_pieces() {
        for (std::size_t n = 0; n < made_->nodes_.size(); ++n) {
            const Json& node = list("nodes")[n];
            if (!node.contains("mesh")) continue;
            const Json& mesh = list("meshes")[index(node["mesh"], "meshes")];
            if (made_->nodes_[n].weights.empty() && mesh.contains("weights"))
                made_->nodes_[n].weights = mesh["weights"].get<std::vector<double>>();
            for (const Json& primitive : mesh.value("primitives", Json::array()))
                if (primitive.value("mode", 4) == 4) read_piece(primitive, node, n);
        }
    }

    void read_piece(const Json& primitive, const Json& node, std::size_t n) {
        const Json attributes = primitive.value("attributes", Json::object());
        Piece piece{.node = n};
        piece.positions = vectors(attributes.value("POSITION", Json()));
        for (const Json& target : primitive.value("targets", Json::array())) {
            piece.targets.push_back(target.contains("POSITION") ? vectors(target["POSITION"])
                                                                : std::vector<Vec3d>(piece.positions.size()));
            demand(piece.targets.back().size() == piece.positions.size(), "has a morph of another size than its mesh");
        }
        if (node.contains("skin")) {
            piece.skin = static_cast<std::ptrdiff_t>(index(node["skin"], "skins"));
            read_bones(attributes, piece);
        }
        const auto first = static_cast<std::uint32_t>(vertices_);
        std::size_t width = 1;
        std::vector<double> corners;
        if (primitive.contains("indices"))
            corners = numbers(primitive["indices"], width);
        else
            for (std::size_t v = 0; v < piece.positions.size(); ++v) corners.push_back(static_cast<double>(v));
        demand(width == 1 && corners.size() % 3 == 0, "has triangles without three corners");
        for (std::size_t k = 0; k < corners.size(); k += 3) {
            Triangle triangle{};
            for (std::size_t c = 0; c < 3; ++c) {
                demand(corners[k + c] >= 0 && corners[k + c] < static_cast<double>(piece.positions.size()),
                       "has a corner that is none of its vertices");
                triangle[c] = first + static_cast<std::uint32_t>(corners[k + c]);
            }
            made_->triangles_.push_back(triangle);
        }
        vertices_ += piece.positions.size();
        demand(vertices_ < 50'000'000, "has too many vertices");
        made_->pieces_.push_back(std::move(piece));
    }

    void read_bones(const Json& attributes, Piece& piece) {
        std::size_t wide = 0, width = 0;
        const std::vector<double> joints = numbers(attributes.value("JOINTS_0", Json()), wide),
                                  weights = numbers(attributes.value("WEIGHTS_0", Json()), width);
        demand(wide == 4 && width == 4 && joints.size() == 4 * piece.positions.size() &&
                   weights.size() == joints.size(),
               "has a skin without four joints and weights for each vertex");
        const auto bones = static_cast<double>(made_->skins_[static_cast<std::size_t>(piece.skin)].joints.size());
        for (std::size_t v = 0; v < piece.positions.size(); ++v) {
            double sum = 0;
            piece.joints.emplace_back(), piece.weights.emplace_back();
            for (std::size_t k = 0; k < 4; ++k) {
                demand(joints[4 * v + k] >= 0 && joints[4 * v + k] < bones, "has a joint that its skin has not");
                piece.joints[v][k] = static_cast<std::uint32_t>(joints[4 * v + k]);
                piece.weights[v][k] = std::max(0.0, weights[4 * v + k]);
                sum += piece.weights[v][k];
            }
            demand(sum > 0, "has a vertex that hangs on no joint");
            for (double& weight : piece.weights[v]) weight /= sum;
        }
    }

    void read_animation() {
        if (list("animations").empty()) return;
        const Json& animation = list("animations")[0];
        const Json samplers = animation.value("samplers", Json::array());
        for (const Json& one : animation.value("channels", Json::array())) {
            const Json target = one.value("target", Json::object());
            if (!target.contains("node")) continue;
            Channel channel{.node = index(target["node"], "nodes"), .path = target.value("path", std::string())};
            const auto number = one.value("sampler", SIZE_MAX);
            demand(number < samplers.size(), "has a channel without its sampler");
            read_sampler(samplers[number], channel);
            made_->duration_ = std::max(made_->duration_, channel.sampler.times.back());
            made_->nodes_[channel.node].matrix.reset(); // the format forbids both
            made_->channels_.push_back(std::move(channel));
        }
    }

    void read_sampler(const Json& given, Channel& channel) {
        Sampler& sampler = channel.sampler;
        std::size_t width = 0;
        sampler.interpolation = given.value("interpolation", std::string("LINEAR"));
        sampler.times = numbers(given.value("input", Json()), width);
        demand(width == 1 && !sampler.times.empty() && std::is_sorted(sampler.times.begin(), sampler.times.end()),
               "has keys whose times are not in order");
        sampler.values = numbers(given.value("output", Json()), width);
        const std::size_t per_key = (sampler.interpolation == "CUBICSPLINE" ? 3 : 1) * sampler.times.size();
        demand(sampler.values.size() % per_key == 0 && !sampler.values.empty(), "has keys without values");
        sampler.width = sampler.values.size() / per_key;
        const std::size_t wanted = channel.path == "rotation" ? 4 : channel.path == "weights" ? sampler.width : 3;
        demand(sampler.width == wanted, "has keys of a wrong form");
    }

    std::string folder_;
    Json root_;
    std::string binary_;
    std::vector<std::optional<std::string>> buffers_;
    std::shared_ptr<Gltf> made_ = std::make_shared<Gltf>();
    std::size_t vertices_ = 0;
};

} // namespace

Result<MeshAnimationPtr> parse_gltf(const std::string& bytes, const std::string& name, const std::string& folder) {
    try {
        return Reader(bytes, folder).read();
    } catch (const Wrong& wrong) {
        return Error{Fault::file, name, wrong.what(), "export it as glTF 2.0, with triangles"};
    } catch (const Json::exception&) {
        return Error{Fault::file, name, "is not a glTF file of the right form", "export it as glTF 2.0"};
    }
}

} // namespace loam
