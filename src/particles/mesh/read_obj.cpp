// Wavefront OBJ: "v x y z" and "f a b c ..." count here; texture coordinates, normals, groups and materials do not.
#include "particles/mesh/mesh.h"
#include "particles/mesh/text_scan.h"

namespace loam {
namespace {

constexpr std::size_t most_corners = 10'000;

std::optional<Vec3d> take_point(std::string_view line, std::string_view& bad) {
    Vec3d p;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        bad = take_word(line);
        const auto value = to_number<double>(bad);
        if (!value || !std::isfinite(*value)) return std::nullopt;
        p[axis] = *value;
    }
    return p;
}

class ObjReader {
public:
    ObjReader(std::string_view bytes, const std::string& name) : scan_(bytes), name_(name) {}

    Result<Mesh> read() {
        std::string_view line;
        while (scan_.next_line(line)) {
            const std::string_view word = take_word(line);
            const Status status = word == "v" ? vertex(line) : word == "f" ? face(line) : Status(Done{});
            if (!status) return status.error();
        }
        if (mesh_.triangles.empty())
            return Error{Fault::file, name_, "has no faces", "an OBJ file needs lines \"f ...\""};
        return std::move(mesh_);
    }

private:
    Error fail(std::string what, std::string hint = "") const {
        return at_line(name_, scan_.line_number(), std::move(what), std::move(hint));
    }

    Status vertex(std::string_view line) {
        std::string_view bad;
        const auto p = take_point(line, bad);
        if (!p) return fail("vertex coordinate " + shown(bad) + " is not a finite number");
        if (mesh_.vertices.size() >= UINT32_MAX - 1) return fail("too many vertices");
        mesh_.vertices.push_back(*p);
        return Done{};
    }

    Status face(std::string_view line) {
        corners_.clear();
        for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
            const auto index = to_number<std::int64_t>(word.substr(0, word.find('/')));
            const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
            if (!index) return fail("face corner " + shown(word) + " is not an index");
            // 1 is the first vertex, -1 the latest one.
            const std::int64_t place = *index > 0 ? *index - 1 : *index < 0 && *index >= -count ? count + *index : -1;
            if (place < 0 || place >= count)
                return fail("face corner " + shown(word) + " is out of range",
                            "there are " + std::to_string(count) + " vertices up to here");
            if (corners_.size() == most_corners) return fail("a face with more than 10000 corners");
            corners_.push_back(static_cast<std::uint32_t>(place));
        }
        if (corners_.size() < 3)
            return fail("a face with " + std::to_string(corners_.size()) + " corners", "3 or more");
        for (std::size_t i = 2; i < corners_.size(); ++i)
            mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
        return Done{};
    }

    TextScan scan_;
    std::string name_;
    Mesh mesh_;
    std::vector<std::uint32_t> corners_;
};

} // namespace

Result<Mesh> parse_obj(std::string_view bytes, const std::string& name) { return ObjReader(bytes, name).read(); }

} // namespace loam
