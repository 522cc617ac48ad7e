// Scenes with numbers of all sizes: each ends in a message or in a simulation that can be made and stepped, at once.
//
// They are made from the declarations: a body and a wall of any shape, any behavior and solver, with some properties
// from 1e-320 to 1e308. What would rightly take long, a scene of many particles, is left out.
#include <cmath>
#include <cstdio>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/parallel.h"
#include "particles/sheet.h"
#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

constexpr long longest_seconds = 20;          // of one scene
constexpr double small = 3e4, endless = 1e13; // cells of the lattice within bounds: quick, and to be refused quickly

std::string at_work; // for the message when it hangs

extern "C" void hangs(int) {
    [[maybe_unused]] const auto told = ::write(2, at_work.data(), at_work.size());
    ::_exit(1);
}

// Of the processor, so that a busy machine makes no difference.
void set_timer(long seconds) {
    const itimerval timer{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
    ::setitimer(ITIMER_PROF, &timer, nullptr);
    ::alarm(static_cast<unsigned>(30 * seconds)); // what waits for ever takes none
}

class Scenes {
public:
    explicit Scenes(std::uint64_t seed) : random_(seed) {}

    std::string next() {
        const int dimensions = chance(0.3) ? 2 : 3;
        const Registries known = known_registries();
        std::string solver;
        static const char* const materials[] = {"fluid",   "sand",  "grains", "rigid",
                                                "elastic", "cloth", "shell",  "springs"};
        std::set<std::string> names{materials[pick(std::size(materials))]};
        const bool is_sheet = names.contains("cloth") || names.contains("shell");
        if (chance(0.1)) names.insert(materials[pick(std::size(materials))]);
        for (int k = 0; k < 2; ++k)
            if (chance(0.3)) names.insert(known.behaviors[pick(known.behaviors.size())].name);
        std::string behaviors;
        for (const std::string& name : names) add(behaviors, block(find(known.behaviors, name)));
        if (chance(0.3)) solver = fmt::format(R"(, "solver": {})", properties(solver_declaration(), 0.1));
        return fmt::format(
            R"({{"dimensions": {}, "duration": {}, "fps": {}, "particle_radius": {}, "behaviors": {{"gravity": {{}}}},
 "bodies": {{
  "body": {{"shape": {}, "behaviors": {{{}}}{}{}}},
  "wall": {{"shape": {}, "boundary": {}}}}}{}}})",
            dimensions, chance(0.05) ? any_size() : "1", chance(0.05) ? any_size() : "50",
            chance(0.1) ? any_size() : "0.1", shape(is_sheet ? Use::sheet : Use::body), behaviors,
            chance(0.1) ? fmt::format(R"(, "velocity": {})", any_vector()) : "",
            chance(0.2)
                ? fmt::format(R"(, "emitters": {{"tap": {{"shape": {}, "speed": {}}}}})", shape(Use::body), any_size())
                : "",
            shape(Use::wall), properties(boundary_declaration(), 0.1), solver);
    }

private:
    enum class Use { body, sheet, wall };

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
        std::string text = any_size();
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
            if (given.empty() && property.required)
                given = property.kind == Kind::body ? "\"wall\"" : initial(property);
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
    // Kinds that are of use there; files are left to other tests.
    static bool suits(const Declaration& kind, Use use) {
        static const std::set<std::string_view> sheets{"sheet", "arch", "dome"}, unbounded{"plane", "heightfield"};
        for (const Property& property : kind.properties)
            if (property.kind == Kind::text && property.required) return false;
        if (use == Use::sheet) return sheets.contains(kind.name);
        return use == Use::wall || !unbounded.contains(kind.name);
    }
    std::string shape(Use use, int depth = 0) {
        const std::span<const ShapeKind> kinds = shape_kinds();
        const Declaration* kind = nullptr;
        while (!kind || !(suits(*kind, use) || chance(0.02))) kind = &kinds[pick(kinds.size())].declaration;
        std::string text = depth < 2 && chance(0.1)
                               ? fmt::format(R"("{}": [{}, {}])", chance(0.5) ? "union" : "difference",
                                             shape(use, depth + 1), shape(use, depth + 1))
                               : fmt::format("\"{}\": {}", kind->name, properties(*kind, 0.1));
        if (chance(0.1)) text += fmt::format(R"(, "scale": {})", any_size());
        if (chance(0.1)) text += fmt::format(R"(, "translate": {})", any_vector());
        if (chance(0.1)) text += fmt::format(R"(, "hollow": {})", any_size());
        if (chance(0.1)) text += fmt::format(R"(, "rotate": {{"degrees": {}}})", any_size());
        if (chance(use == Use::wall ? 0.3 : 0.02)) text += R"(, "invert": true)";
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
    ::sigaction(SIGPROF, &action, nullptr);
    ::sigaction(SIGALRM, &action, nullptr);
    Scenes made(seed);
    Count count;
    for (std::size_t k = 0; k < scenes && !::testing::Test::HasFailure(); ++k) {
        const std::string text = made.next();
        at_work = "\nhangs or broke down at this scene:\n" + text + "\n";
        set_timer(longest_seconds);
        try {
            try_scene(text, count);
        } catch (const std::exception& error) {
            ADD_FAILURE() << error.what() << at_work;
        }
        set_timer(0);
    }
    fmt::print("{} scenes: {} refused, {} left out, {} stepped\n", scenes, count.refused, count.left_out,
               count.stepped);
    EXPECT_GT(count.stepped, scenes / 20);
    EXPECT_GT(count.refused, scenes / 20);
}

TEST(Numbers, OfAllSizes) {
    const char* const seed = std::getenv("LOAM_SEED");
    const char* const scenes = std::getenv("LOAM_SCENES");
    try_scenes(scenes ? std::strtoull(scenes, nullptr, 10) : 2000, seed ? std::strtoull(seed, nullptr, 10) : 1);
}

// A million in all, in parts that run beside each other.
class NumbersLong : public ::testing::TestWithParam<std::uint64_t> {};
TEST_P(NumbersLong, OfAllSizes) { try_scenes(50000, GetParam()); }
INSTANTIATE_TEST_SUITE_P(Parts, NumbersLong, ::testing::Range<std::uint64_t>(2, 22));

} // namespace
} // namespace loam
