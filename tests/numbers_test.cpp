// Scenes with numbers of all sizes: each ends in a message or in a simulation that can be made and stepped, at once.
//
// They are made from the declarations: a body and a wall of any shape, any behavior and solver, with some properties
// from 1e-320 to 1e308. What would rightly take long, a scene of many particles, is left out.
#include <cmath>
#include <cstdio>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/parallel.h"
#include "particles/sheet.h"
#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

constexpr unsigned longest_seconds = 20;      // of one scene, however busy the machine is
constexpr double small = 3e4, endless = 1e13; // cells of the lattice within bounds: quick, and to be refused quickly

std::string at_work; // for the message when it hangs

extern "C" void hangs(int) {
    [[maybe_unused]] const auto told = ::write(2, at_work.data(), at_work.size());
    ::_exit(1);
}

class Scenes {
public:
    explicit Scenes(std::uint64_t seed) : random_(seed) {}

    std::string next() {
        const int dimensions = chance(0.3) ? 2 : 3;
        const Registries known = known_registries();
        std::string behaviors, solver;
        static const char* const materials[] = {"fluid",   "sand",  "grains", "rigid",
                                                "elastic", "cloth", "shell",  "springs"};
        for (int k = 0; k < 2; ++k)
            if (k == 0 || chance(0.2))
                add(behaviors, block(find(known.behaviors, materials[pick(std::size(materials))])));
        for (int k = 0; k < 2; ++k)
            if (chance(0.3)) add(behaviors, block(known.behaviors[pick(known.behaviors.size())]));
        if (chance(0.3)) solver = fmt::format(R"(, "solver": {})", properties(solver_declaration(), 0.1));
        return fmt::format(
            R"({{"dimensions": {}, "duration": {}, "fps": {}, "particle_radius": {}, "behaviors": {{"gravity": {{}}}},
 "bodies": {{
  "body": {{"shape": {}, "behaviors": {{{}}}{}{}}},
  "wall": {{"shape": {}, "boundary": {}}}}}{}}})",
            dimensions, chance(0.05) ? any_size() : "1", chance(0.05) ? any_size() : "50",
            chance(0.1) ? any_size() : "0.1", shape(), behaviors,
            chance(0.1) ? fmt::format(R"(, "velocity": {})", any_vector()) : "",
            chance(0.2) ? fmt::format(R"(, "emitters": {{"tap": {{"shape": {}, "speed": {}}}}})", shape(), any_size())
                        : "",
            shape(), properties(boundary_declaration(), 0.1), solver);
    }

private:
    bool chance(double part) { return std::uniform_real_distribution<>(0, 1)(random_) < part; }
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

    std::string any_size() {
        static const char* const extremes[] = {"0",      "-0", "5e-324", "1e-308", "1e308", "1.7976931348623157e308",
                                               "-1e308", "1",  "-1",     "1e9",    "1e-9"};
        if (chance(0.3)) return extremes[pick(std::size(extremes))];
        const bool moderate = chance(0.5);
        const double power = std::uniform_real_distribution<>(moderate ? -4 : -320, moderate ? 4 : 308)(random_);
        return fmt::format("{}{}", chance(0.3) ? "-" : "", std::pow(10, power));
    }
    std::string any_vector() {
        std::string all[3];
        for (std::string& one : all)
            one = chance(0.15) ? any_size() : fmt::format("{:.3f}", 0.2 * (double(pick(11)) - 5));
        return fmt::format("[{}, {}, {}]", all[0], all[1], all[2]);
    }
    // Mostly within the limits, so that more than the check of limits is tried.
    std::string number(const Property& property) {
        const std::string text = any_size();
        if (chance(0.05)) return text;
        double value = std::clamp(std::strtod(text.c_str(), nullptr), property.limits.lo, property.limits.hi);
        if (property.kind == Kind::integer) value = std::round(std::clamp(value, -1e9, 200.0)); // more is slow, no more
        return fmt::format("{}", value);
    }
    std::string value(const Property& property) {
        switch (property.kind) {
        case Kind::flag: return chance(0.5) ? "true" : "false";
        case Kind::number:
        case Kind::integer: return number(property);
        case Kind::vector: return any_vector();
        case Kind::choice: return fmt::format("\"{}\"", property.choices[pick(property.choices.size())]);
        case Kind::body: return chance(0.5) ? "\"wall\"" : "\"body\"";
        case Kind::text: break;
        }
        return "";
    }
    static std::string initial(const Property& property) {
        if (const auto* v = std::get_if<Vec3d>(&property.initial)) return fmt::format("[{}, {}, {}]", v->x, v->y, v->z);
        if (const auto* x = std::get_if<double>(&property.initial)) return fmt::format("{}", *x);
        return "";
    }
    static void add(std::string& list, const std::string& one) {
        if (!one.empty()) list += (list.empty() ? "" : ", ") + one;
    }

    std::string properties(const Declaration& declaration, double part) {
        std::string all;
        for (const Property& property : declaration.properties) {
            std::string given = chance(part) ? value(property) : "";
            if (given.empty() && property.required) given = initial(property);
            if (!given.empty()) add(all, fmt::format("\"{}\": {}", property.name, given));
        }
        return "{" + all + "}";
    }
    std::string block(const Declaration& declaration) {
        return fmt::format("\"{}\": {}", declaration.name, properties(declaration, 0.08));
    }
    static const Declaration& find(std::span<const Declaration> all, std::string_view name) {
        return *std::find_if(all.begin(), all.end(), [&](const Declaration& d) { return d.name == name; });
    }
    std::string shape(int depth = 0) {
        const std::span<const ShapeKind> kinds = shape_kinds();
        const Declaration& kind = kinds[pick(kinds.size())].declaration;
        std::string text = depth < 2 && chance(0.1)
                               ? fmt::format(R"("{}": [{}, {}])", chance(0.5) ? "union" : "difference",
                                             shape(depth + 1), shape(depth + 1))
                               : fmt::format("\"{}\": {}", kind.name, properties(kind, 0.1));
        if (chance(0.1)) text += fmt::format(R"(, "scale": {})", any_size());
        if (chance(0.1)) text += fmt::format(R"(, "translate": {})", any_vector());
        if (chance(0.1)) text += fmt::format(R"(, "hollow": {})", any_size());
        if (chance(0.1)) text += fmt::format(R"(, "rotate": {{"degrees": {}}})", any_size());
        if (chance(0.2)) text += R"(, "invert": true)";
        return "{" + text + "}";
    }

    std::mt19937_64 random_;
};

// Whether it has so few particles that it is quick, or so many that it must be refused at once.
bool is_worth_a_try(const Scene& scene) {
    for (const BodySpec& body : scene.bodies) {
        double cells = 1;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(scene.dimensions()); ++axis)
            cells *= 4 + std::max(0.0, body.shape->bounds().size()[axis] / scene.spacing());
        const double points = body.boundary ? 0 : points_of_sheet(*body.shape, scene.spacing());
        if (points > 0) cells = points;
        if (!(cells < small || cells > endless)) return false;
        if (body.boundary && body.boundary->values.integer("layers") > 4) return false;
        for (const EmitterSpec& emitter : body.emitters)
            if (length(emitter.shape->bounds().size()) > 20 * scene.spacing()) return false;
    }
    return true;
}

struct Count {
    std::size_t refused = 0, left_out = 0, stepped = 0;
};

void try_scene(const std::string& text, Count& count) {
    const Result<Scene> scene = read_scene(text, "scene", known_registries());
    if (!scene) {
        EXPECT_FALSE(scene.error().where.empty() || scene.error().what.empty()) << text;
        ++count.refused;
        return;
    }
    if (!is_worth_a_try(*scene)) {
        ++count.left_out;
        return;
    }
    auto simulation = Simulation::create(*scene, InstructionSet::scalar);
    if (!simulation) {
        EXPECT_FALSE(simulation.error().what.empty()) << text;
        ++count.refused;
        return;
    }
    const Status stepped = (*simulation)->step(1 / scene->values.number("fps"));
    EXPECT_TRUE(stepped || !stepped.error().what.empty()) << text;
    ++count.stepped;
}

void try_scenes(std::size_t scenes, std::uint64_t seed) {
    struct sigaction action {};
    action.sa_handler = hangs;
    ::sigaction(SIGALRM, &action, nullptr);
    Scenes made(seed);
    Count count;
    for (std::size_t k = 0; k < scenes && !::testing::Test::HasFailure(); ++k) {
        const std::string text = made.next();
        at_work = "\nhangs or broke down at this scene:\n" + text + "\n";
        ::alarm(longest_seconds);
        try {
            try_scene(text, count);
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what() << at_work;
        }
        ::alarm(0);
    }
    fmt::print("{} scenes: {} refused, {} left out, {} stepped\n", scenes, count.refused, count.left_out,
               count.stepped);
    EXPECT_GT(count.stepped, scenes / 100);
    EXPECT_GT(count.refused, scenes / 20);
}

TEST(Numbers, OfAllSizes) {
    const char* const seed = std::getenv("LOAM_SEED");
    const char* const scenes = std::getenv("LOAM_SCENES");
    try_scenes(scenes ? std::strtoull(scenes, nullptr, 10) : 2000, seed ? std::strtoull(seed, nullptr, 10) : 1);
}
TEST(Numbers, OfAllSizesLong) { try_scenes(1000000, 2); }

} // namespace
} // namespace loam
