// glTF 2.0 (Khronos, 2021). Only what places vertices is read: triangles, POSITION, JOINTS_n, WEIGHTS_n, morph
// targets, and the first animation.
#include <algorithm>
#include <numeric>
#include <span>

#include "particles/mesh/gltf/bent_mesh.h"
#include "particles/mesh/gltf/file.h"

namespace loam {
namespace gltf {
namespace {

constexpr int triangles = 4, strip = 5, fan = 6; // modes of primitives; lower ones are points and lines

class Reader {
public:
    Reader(const std::string& bytes, const std::string& folder) : file_(bytes, folder) {}

    MeshAnimationPtr read() {
        read_nodes();
        read_skins();
        read_pieces();
        demand(!made_->is_empty(), "has no triangles in its scene");
        read_animation();
        made_->turn_mirrored();
        return made_;
    }

private:
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
        std::vector<Node>& nodes = made_->nodes;
        nodes.resize(file_.list("nodes").size());
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const Json& one = file_.list("nodes")[n];
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
                const std::size_t c = file_.index(child, "nodes");
                demand(nodes[c].parent < 0 && c != n, "has a node with two parents");
                nodes[c].parent = static_cast<std::ptrdiff_t>(n);
            }
        }
        // Roots first, then what hangs on those that are there.
        std::vector<std::size_t>& order = made_->parents_first;
        for (std::size_t n = 0; n < nodes.size(); ++n)
            if (nodes[n].parent < 0) order.push_back(n);
        for (std::size_t k = 0; k < order.size(); ++k)
            for (const Json& child : file_.list("nodes")[order[k]].value("children", Json::array()))
                order.push_back(child.get<std::size_t>());
        demand(order.size() == nodes.size(), "has nodes that hang on themselves");
    }

    void read_skins() {
        for (const Json& one : file_.list("skins")) {
            Skin skin;
            for (const Json& joint : one.value("joints", Json::array()))
                skin.joints.push_back(file_.index(joint, "nodes"));
            skin.inverse.resize(skin.joints.size());
            if (one.contains("inverseBindMatrices")) {
                std::size_t width = 0;
                const std::vector<double> flat = file_.numbers(one["inverseBindMatrices"], width);
                demand(width == 16 && flat.size() >= 16 * skin.joints.size(), "has a skin with too few matrices");
                for (std::size_t k = 0; k < skin.joints.size(); ++k)
                    std::copy_n(flat.begin() + static_cast<std::ptrdiff_t>(16 * k), 16, skin.inverse[k].m.begin());
            }
            made_->skins.push_back(std::move(skin));
        }
    }

    // Whether the scene that the file shows has this node; without scenes all are there.
    std::vector<char> shown() const {
        std::vector<char> seen(made_->nodes.size(), file_.list("scenes").empty());
        if (!file_.list("scenes").empty()) {
            const Json& scene = file_.list("scenes")[file_.index(file_.first_scene(), "scenes")];
            for (const Json& root : scene.value("nodes", Json::array())) seen[file_.index(root, "nodes")] = 1;
        }
        for (const std::size_t n : made_->parents_first)
            if (const std::ptrdiff_t parent = made_->nodes[n].parent; parent >= 0)
                seen[n] |= seen[static_cast<std::size_t>(parent)];
        return seen;
    }

    void read_pieces() {
        const std::vector<char> seen = shown();
        for (std::size_t n = 0; n < made_->nodes.size(); ++n) {
            const Json& node = file_.list("nodes")[n];
            if (!seen[n] || !node.contains("mesh")) continue;
            const Json& mesh = file_.list("meshes")[file_.index(node["mesh"], "meshes")];
            if (made_->nodes[n].weights.empty() && mesh.contains("weights"))
                made_->nodes[n].weights = mesh["weights"].get<std::vector<double>>();
            for (const Json& primitive : mesh.value("primitives", Json::array()))
                if (primitive.value("mode", triangles) >= triangles) read_piece(primitive, node, n);
        }
    }

    void read_piece(const Json& primitive, const Json& node, std::size_t n) {
        const Json attributes = primitive.value("attributes", Json::object());
        Piece piece{.node = n};
        piece.positions = file_.vectors(attributes.value("POSITION", Json()));
        for (const Json& target : primitive.value("targets", Json::array())) {
            piece.targets.push_back(target.contains("POSITION") ? file_.vectors(target["POSITION"])
                                                                : std::vector<Vec3d>(piece.positions.size()));
            demand(piece.targets.back().size() == piece.positions.size(), "has a morph of another size than its mesh");
        }
        if (node.contains("skin")) {
            piece.skin = static_cast<std::ptrdiff_t>(file_.index(node["skin"], "skins"));
            read_bones(attributes, piece);
        }
        piece.first_triangle = made_->triangles().size();
        read_corners(primitive, piece);
        piece.end_triangle = made_->triangles().size();
        vertices_ += piece.positions.size();
        demand(vertices_ < 50'000'000, "has too many vertices");
        made_->pieces.push_back(std::move(piece));
    }

    void read_corners(const Json& primitive, const Piece& piece) {
        std::size_t width = 1;
        std::vector<double> corners;
        if (primitive.contains("indices"))
            corners = file_.numbers(primitive["indices"], width);
        else
            for (std::size_t v = 0; v < piece.positions.size(); ++v) corners.push_back(static_cast<double>(v));
        for (const double corner : corners)
            demand(corner >= 0 && corner < static_cast<double>(piece.positions.size()),
                   "has a corner that is none of its vertices");
        const int mode = primitive.value("mode", triangles);
        demand(width == 1 && mode <= fan && (mode != triangles || corners.size() % 3 == 0),
               "has triangles without three corners");
        const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
            const auto corner = [&](std::size_t k) {
                return static_cast<std::uint32_t>(vertices_ + static_cast<std::size_t>(corners[k]));
            };
            made_->add_triangle({corner(a), corner(b), corner(c)});
        };
        if (mode == triangles)
            for (std::size_t k = 0; k + 2 < corners.size(); k += 3) add(k, k + 1, k + 2);
        else
            for (std::size_t k = 0; k + 2 < corners.size(); ++k)
                if (mode == strip)
                    add(k, k + 1 + k % 2, k + 2 - k % 2); // every second one runs the other way
                else
                    add(k + 1, k + 2, 0);
    }

    // Sets of four: JOINTS_0 and WEIGHTS_0, JOINTS_1 ...
    void read_bones(const Json& attributes, Piece& piece) {
        const auto bones = static_cast<double>(made_->skins[static_cast<std::size_t>(piece.skin)].joints.size());
        const std::size_t vertices = piece.positions.size();
        std::size_t sets = 1;
        while (attributes.contains("JOINTS_" + std::to_string(sets))) ++sets;
        piece.per_vertex = 4 * sets;
        piece.joints.resize(piece.per_vertex * vertices), piece.weights.resize(piece.per_vertex * vertices);
        for (std::size_t set = 0; set < sets; ++set) {
            const std::string number = std::to_string(set);
            std::size_t wide = 0, width = 0;
            const std::vector<double> joints = file_.numbers(attributes.value("JOINTS_" + number, Json()), wide),
                                      weights = file_.numbers(attributes.value("WEIGHTS_" + number, Json()), width);
            demand(wide == 4 && width == 4 && joints.size() == 4 * vertices && weights.size() == joints.size(),
                   "has a skin without four joints and weights for each vertex");
            for (std::size_t k = 0; k < joints.size(); ++k) {
                demand(joints[k] >= 0 && joints[k] < bones, "has a joint that its skin has not");
                const std::size_t at = k / 4 * piece.per_vertex + 4 * set + k % 4;
                piece.joints[at] = static_cast<std::uint32_t>(joints[k]);
                piece.weights[at] = std::max(0.0, weights[k]);
            }
        }
        for (std::size_t v = 0; v < vertices; ++v) {
            const std::span<double> weights(piece.weights.data() + v * piece.per_vertex, piece.per_vertex);
            const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
            demand(sum > 0, "has a vertex that hangs on no joint");
            for (double& weight : weights) weight /= sum;
        }
    }

    void read_animation() {
        if (file_.list("animations").empty()) return;
        const Json& animation = file_.list("animations")[0];
        const Json samplers = animation.value("samplers", Json::array());
        for (const Json& one : animation.value("channels", Json::array())) {
            const Json target = one.value("target", Json::object());
            if (!target.contains("node")) continue;
            Channel channel{.node = file_.index(target["node"], "nodes"), .path = target.value("path", std::string())};
            const auto number = one.value("sampler", SIZE_MAX);
            demand(number < samplers.size(), "has a channel without its sampler");
            read_sampler(samplers[number], channel);
            made_->last_until(channel.sampler.times.back());
            made_->nodes[channel.node].matrix.reset(); // the format forbids both
            made_->channels.push_back(std::move(channel));
        }
    }

    void read_sampler(const Json& given, Channel& channel) {
        Sampler& sampler = channel.sampler;
        std::size_t width = 0;
        sampler.interpolation = given.value("interpolation", std::string("LINEAR"));
        sampler.times = file_.numbers(given.value("input", Json()), width);
        demand(width == 1 && !sampler.times.empty() && std::is_sorted(sampler.times.begin(), sampler.times.end()),
               "has keys whose times are not in order");
        sampler.values = file_.numbers(given.value("output", Json()), width);
        const std::size_t per_key = (sampler.interpolation == "CUBICSPLINE" ? 3 : 1) * sampler.times.size();
        demand(sampler.values.size() % per_key == 0 && !sampler.values.empty(), "has keys without values");
        sampler.width = sampler.values.size() / per_key;
        const std::size_t wanted = channel.path == "rotation" ? 4 : channel.path == "weights" ? sampler.width : 3;
        demand(sampler.width == wanted, "has keys of a wrong form");
    }

    File file_;
    std::shared_ptr<BentMesh> made_ = std::make_shared<BentMesh>();
    std::size_t vertices_ = 0;
};

} // namespace
} // namespace gltf

Result<MeshAnimationPtr> parse_gltf(const std::string& bytes, const std::string& name, const std::string& folder) {
    try {
        return gltf::Reader(bytes, folder).read();
    } catch (const gltf::Wrong& wrong) {
        return Error{Fault::file, name, wrong.what(), "export it as glTF 2.0, with triangles"};
    } catch (const gltf::Json::exception&) {
        return Error{Fault::file, name, "is not a glTF file of the right form", "export it as glTF 2.0"};
    }
}

} // namespace loam
