// Every kind of wrong scene, with what its message must say.
#include <gtest/gtest.h>

#include "scene/scene.h"
#include "scene/test_registries.h"
#include "scene/test_scenes.h"

namespace loam {
namespace {

std::string message(const std::string& text, const SceneOptions& options = {}) {
    static const test::SomeRegistries registries;
    const Result<Scene> scene = read_scene(text, "s.json", registries.view(), options);
    return scene ? "" : scene.error().text();
}

struct Wrong {
    std::string text;
    std::vector<std::string> said;
};

void expect_all(const std::vector<Wrong>& cases) {
    for (const Wrong& wrong : cases) {
        const std::string told = message(wrong.text);
        EXPECT_FALSE(told.empty()) << "was accepted: " << wrong.text.substr(0, 400);
        for (const std::string& part : wrong.said)
            EXPECT_NE(told.find(part), std::string::npos) << "no <" << part << "> in <" << told << ">";
    }
}

// A scene of one body of water with something more at its top, in its body, in its shape.
std::string top(const std::string& more) {
    return "{" + more + R"(, "bodies": {"water": {"shape": {"sphere": {}}, "behaviors": {"fluid": {}}}}})";
}
std::string body(const std::string& inside) { return R"({"bodies": {"water": {)" + inside + "}}}"; }
std::string shaped(const std::string& shape) { return body(R"("behaviors": {}, "shape": )" + shape); }
std::string emitting(const std::string& more) {
    return body(R"("behaviors": {}, "emitters": {"jet": {"shape": {"sphere": {}}, )" + more + "}}");
}
std::string wall(const std::string& more) { return body(R"("shape": {"sphere": {}}, "boundary": {)" + more + "}"); }

std::string starting(const std::string& start) {
    return body(R"("behaviors": {}, "shape": {"sphere": {}}, "start": )" + start);
}

TEST(SceneErrors, Start) {
    expect_all({{starting(R"({"velocity": {"formula": {"y": "2*"}}})"), {"water.start.velocity.formula.y", "column 3"}},
                {starting(R"({"velocity": {"formula": {"x": 2}}})"), {"formula.x", "found the number 2", "text"}},
                {starting(R"({"velocity": {"about": [null, 0, 0]}})"), {"velocity.about", "no point"}},
                {starting(R"({"velocity": {"turn": [0, 0, 1]}})"), {"unknown key \"turn\""}},
                {starting(R"({"displacement": {}})"), {"water.start.displacement", "only elastic bodies"}}});
}

TEST(SceneErrors, Gauges) {
    expect_all({{top(R"("gauges": {"g": {}})"), {"gauges.g", "level, load"}},
                {top(R"("gauges": {"g": {"load": {"on": "watr"}}})"), {"gauges.g.load.on", "did you mean \"water\""}},
                {top(R"("gauges": {"g": {"load": {"on": 3}}})"), {"gauges.g.load.on", "the name of a body"}},
                {top(R"("gauges": {"g": {"load": {"on": "water"}, "level": {"at": [0, 0]}}})"), {"make two gauges"}},
                {top(R"("gauges": {"a b": {"load": {"on": "water"}}})"), {"cannot be a name"}}});
}

TEST(SceneErrors, NotJson) {
    expect_all({{"", {"s.json:1:1: the text ends"}},
                {"hello", {"s.json:1:1", "\"hello\" is not a value"}},
                {std::string("\0\1\2", 3), {"1:1", "byte 0x00"}},
                {"\x89PNG", {"byte 0x89"}},
                {"[1, 2]", {"1:1: found a list of 2", "a block"}},
                {"{} {}", {"1:4", "after the end"}},
                {"{\"a\": 1,}", {"1:8", "comma before '}'", "remove it"}},
                {"{\"a\": [1, 2,]}", {"1:12", "comma before ']'"}},
                {"{\"a\": 1\n \"b\": 2}", {"2:2", "',' or '}'", "opened in line 1"}},
                {"{\"a\" 1}", {"1:6", "a colon is missing"}},
                {"{a: 1}", {"1:2", "found 'a'", "double quotes"}},
                {"{'a': 1}", {"double quotes"}},
                {"{\"a\": 'b'}", {"1:7", "double quotes"}},
                {"{\"a\": \"b", {"1:7", "no closing quote"}},
                {"{\"a\": \"\\q\"}", {"unknown escape"}},
                {"{\"a\": \"\\u12\"}", {"four hexadecimal"}},
                {"{\"a\": \"\\ud800\"}", {"half of a character"}},
                {"{\"a\": \"\xff\"}", {"byte 0xff", "UTF-8"}},
                {"{\"a\": \"\x01\"}", {"byte 0x01", "control"}},
                {"{\"a\": /* 1}", {"1:7", "comment has no end"}},
                {"{\"a\": ", {"the text ends"}},
                {"{\"\xc3\xbc\xc3\xbc\": ?}", {"1:8"}}}); // columns count characters
}

TEST(SceneErrors, Numbers) {
    expect_all({{"{\"duration\": NaN}", {"1:14", "NaN", "finite"}},
                {"{\"duration\": -Infinity}", {"finite"}},
                {"{\"duration\": 1e999}", {"1:14", "1e999 is out of range"}},
                {"{\"duration\": -1e999}", {"out of range"}},
                {"{\"duration\": 01}", {"is not a value", "numbers look like"}},
                {"{\"duration\": .5}", {"numbers look like"}},
                {"{\"duration\": 5.}", {"numbers look like"}},
                {"{\"duration\": 1.2.3}", {"numbers look like"}},
                {"{\"duration\": True}", {"did you mean true"}},
                {"{\"duration\": None}", {"did you mean null"}}});
}

TEST(SceneErrors, TooMuch) {
    expect_all({{std::string(100000, '['), {"nested too deeply", "64"}},
                {std::string((4 << 20) + 1, ' '), {"4194305 bytes", "at most 4194304"}}});
    std::string deep = R"({"sphere": {}})";
    for (int i = 0; i < 100; ++i) deep = R"({"union": [)" + deep + "]}";
    expect_all({{shaped(deep), {"nested too deeply"}}});
}

TEST(SceneErrors, KeysAndNames) {
    expect_all({{top(R"("fsp": 3)"), {"1:2: fsp: unknown key \"fsp\"", "did you mean \"fps\"?", "duration"}},
                {top(R"("fps": 3, "fps": 4)"), {"1:12", "\"fps\"", "second time", "line 1"}},
                {top(R"("solver": {"presure": "dfsph"})"), {"1:13: solver.presure", "did you mean \"pressure\"?"}},
                {top(R"("solver": {"pressure": "dfspg"})"),
                 {"1:25: solver.pressure: found \"dfspg\"", "did you mean \"dfsph\"?"}},
                {top(R"("solver": {"dfsph": {"volume_error": 1}})"), {"solver.dfsph.volume_error", "unknown key"}},
                {top(R"("solver": {"wcsph": {"volume_error": 0.1}})"), {"unknown key", "allowed: equation"}},
                {top(R"("behaviors": {"gravty": {}})"), {"behaviors.gravty", "did you mean \"gravity\"?"}},
                {top(R"("behaviors": {"dust": {"x": 1}})"), {"behaviors.dust.x", "nothing is allowed here"}},
                {R"({"bodies": {"": {}}})", {"1:13: bodies: an empty name"}},
                {R"({"bodies": {"my water": {}}})", {"\"my water\" cannot be a name", "begin with a letter"}},
                {R"({"bodies": {"a.b": {}}})", {"\"a.b\" cannot be a name"}},
                {R"({"bodies": {"1a": {}}})", {"cannot be a name"}},
                {R"({"bodies": {")" + std::string(65, 'a') + R"(": {}}})", {"cannot be a name", "..."}},
                {emitting("\"speed\": 1").replace(emitting("\"speed\": 1").find("jet"), 3, "j t"),
                 {"\"j t\" cannot be a name"}}});
}

TEST(SceneErrors, TypesAndRanges) {
    expect_all(
        {{top(R"("duration": "long")"), {"1:14: duration: found the text \"long\"", "a number greater than 0 s"}},
         {top(R"("duration": -1)"), {"duration: found the number -1", "greater than 0 s"}},
         {top(R"("particle_radius": 0)"), {"particle_radius: found the number 0"}},
         {top(R"("dimensions": 2.5)"), {"2.5", "a whole number from 2 to 3"}},
         {top(R"("dimensions": 4)"), {"4", "from 2 to 3"}},
         {top(R"("seed": 3000000000)"), {"3000000000", "from 0 to 2147483647"}},
         {top(R"("title": 3)"), {"title: found the number 3", "text in double quotes"}},
         {top(R"("title": null)"), {"title: found null"}},
         {top(R"("solver": 3)"), {"solver: found the number 3", "a block {...}"}},
         {top(R"("solver": {"kernel": 3})"), {"solver.kernel", "one of cubic"}},
         {top(R"("behaviors": {"gravity": {"acceleration": -9.81}})"),
          {"behaviors.gravity.acceleration", "-9.81", "[x, y, z]", "m/s^2"}},
         {top(R"("behaviors": {"gravity": {"acceleration": [1]}})"), {"a list of 1"}},
         {top(R"("behaviors": {"gravity": {"acceleration": [1, 2, 3, 4]}})"), {"a list of 4"}},
         {top(R"("behaviors": {"gravity": {"acceleration": [1, "a", 3]}})"), {"1:48", "the text \"a\""}},
         {top(R"("behaviors": {"gravity": {"acceleration": [1, null, 3]}})"), {"found null"}},
         {body(R"("shape": {"sphere": {}}, "behaviors": {"fluid": {"density": 0}})"),
          {"bodies.water.behaviors.fluid.density", "the number 0", "greater than 0 kg/m^3"}},
         {body(R"("shape": {"sphere": {}}, "behaviors": {"viscosity": {"viscosity": -1}})"), {"at least 0 Pa s"}},
         {body(R"("shape": {"sphere": {}}, "behaviors": {"viscosity": {"model": "moris"}})"),
          {"did you mean \"morris\"?"}},
         {body(R"("shape": {"sphere": {}}, "behaviors": ["fluid"])"), {"found a list of 1", "a block"}},
         {shaped(R"({"sphere": {}, "invert": 1})"), {"shape.invert: found the number 1", "true or false"}},
         {top(R"("drains": {"d": {"shape": {"sphere": {}}, "bodies": [3]}})"), {"drains.d.bodies.0", "a name"}},
         {top(R"("drains": {"d": {"shape": {"sphere": {}}, "bodies": "water"}})"), {"drains.d.bodies", "a list"}},
         {top(R"("quality": {"low": 3})"), {"quality.low", "a block"}}});
}

TEST(SceneErrors, Bodies) {
    expect_all(
        {{"{}", {"1:1: \"bodies\" is missing"}},
         {R"({"bodies": {}})", {"nothing to simulate"}},
         {body(R"("behaviors": {})"), {"bodies.water", "neither a shape nor emitters"}},
         {body(R"("behaviors": {}, "emitters": {})"), {"neither a shape nor emitters"}},
         {body(R"("shape": {"sphere": {}})"), {"neither behaviors nor a boundary", "\"boundary\": {}"}},
         {body(R"("shape": {"sphere": {}}, "boundary": {}, "behaviors": {})"),
          {"bodies.water.behaviors", "a boundary has no \"behaviors\""}},
         {body(R"("shape": {"sphere": {}}, "boundary": {}, "velocity": [1, 0])"), {"boundary.motion"}},
         {body(R"("boundary": {})"), {"a boundary needs a shape"}},
         {emitting(R"("direction": [0, 0, 0])"), {"emitters.jet.direction", "no direction"}},
         {emitting(R"("start": 2, "stop": 1)"), {"emitters.jet.stop", "before start"}},
         {body(R"("behaviors": {}, "emitters": {"jet": {"speed": 1}})"), {"emitters.jet", "\"shape\" is missing"}},
         {wall(R"("slip": "some")"), {"boundary.slip", "allowed: free, no, friction"}},
         {wall(R"("motion": {"axis": [0, 0]})"), {"motion.axis", "no direction"}},
         {wall(R"("motion": {"angle": {"keys": [[1, 0], [1, 5]]}})"),
          {"motion.angle.keys.1", "1 is not after the key before", "in order"}},
         {wall(R"("motion": {"angle": {"keys": [{"value": 1}]}})"), {"motion.angle.keys.0", "\"at\" is missing"}},
         {wall(R"("motion": {"angle": {"over": "age", "keys": [[0, 0]]}})"),
          {"motion.angle.over", "particle to particle"}},
         {wall(R"("motion": {"angle": {"over": "tiem", "keys": [[0, 0]]}})"),
          {"motion.angle.over", "did you mean", "time"}},
         {wall(R"("motion": {"angle": {"keys": []}})"), {"motion.angle.keys", "a list of 1 to"}},
         {wall(R"("motion": {"angle": {"keys": [[0, "x"]]}})"), {"motion.angle.keys.0.1", "\"x\"", "a number"}},
         {wall(R"("motion": {"angle": {}})"), {"motion.angle", "\"keys\" is missing"}},
         {wall(R"("motion": {"translation": {"keys": [{"at": 0, "value": [0, 0], "out": [1, 1]}]}})"),
          {"translation.keys.0.out", "for numbers"}},
         {wall(R"("motion": {"turns_per_second": {"keys": [[0, 1]]}})"), {"turns_per_second", "cannot be keyed"}},
         {top(R"("drains": {"d": {"shape": {"sphere": {}}, "bodies": ["watr"]}})"),
          {"drains.d.bodies.0", "no body of particles \"watr\"", "did you mean \"water\"?"}},
         {R"({"drains": {"d": {"shape": {"sphere": {}}, "bodies": ["tank"]}},
              "bodies": {"tank": {"shape": {"sphere": {}}, "boundary": {}}}})",
          {"drains.d.bodies.0", "no body of particles \"tank\""}},
         {body(R"("shape": {"sphere": {}}, "velocity": {"0": 5})"),
          {"bodies.water.velocity: found a block", "a vector"}}});
}

TEST(SceneErrors, Shapes) {
    expect_all(
        {{shaped("{}"), {"bodies.water.shape", "which shape", "one of box, sphere, mesh, union"}},
         {shaped(R"({"sphere": {}, "box": {"min": [0, 0], "max": [1, 1, 1]}})"), {"both \"sphere\" and \"box\""}},
         {shaped(R"({"spere": {}})"), {"did you mean \"sphere\"?"}},
         {shaped(R"({"box": {"min": [0, 0]}})"), {"shape.box", "\"max\" is missing", "Upper corner"}},
         {shaped(R"({"box": {"min": [0, 0, 0], "max": [1, -1, 1]}})"), {"shape.box", "max is below min"}},
         {shaped(R"({"box": {"min": [0, 0, 0], "max": [1, 1, 0]}})"),
          {"1:83: bodies.water.shape.box.max: the box is empty"}},
         {shaped(R"({"sphere": {"radius": 0}})"), {"shape.sphere.radius", "greater than 0 m"}},
         {shaped(R"({"mesh": {"file": "none.obj"}})"), {"shape.mesh.file", "cannot open"}},
         {shaped(R"({"union": []})"), {"shape.union", "at least 1"}},
         {shaped(R"({"difference": [{"sphere": {}}]})"), {"at least 2"}},
         {shaped(R"({"union": [{"sphere": {}}, {"sphere": {"radius": -1}}]})"), {"shape.union.1.sphere.radius"}},
         {shaped(R"({"union": {"sphere": {}}})"), {"shape.union: found a block", "a list"}},
         {shaped(R"({"sphere": {}, "smooth": 1})"), {"no seams"}},
         {shaped(R"({"sphere": {}, "scale": 0})"), {"shape.scale"}},
         {shaped(R"({"sphere": {}, "rotate": {"axis": [0, 0, 0], "degrees": 1}})"), {"no direction"}},
         {shaped(R"({"sphere": {}, "invert": true})"), {"has no end", "cannot be filled"}}});
}

TEST(SceneErrors, MessagesStayShortAndPrintable) {
    std::string many;
    for (int i = 0; i < 50; ++i) many += (i ? ", \"q" : "\"q") + std::to_string(i) + "\": {}";
    expect_all({{top("\"quality\": {" + many + "}"), {"found 50 qualities", "at most 16"}},
                {top(R"("\u001b[31m": 1)"), {R"("\u001b[31m")"}}});
    EXPECT_EQ(message(top(R"("\u001b[31m": 1)")).find('\x1b'), std::string::npos);
    EXPECT_LT(message(test::dam_break, {.overrides = {"fps=" + std::string(5000, 'x')}}).size(), 400u);
}

TEST(SceneErrors, SeveralValuesTogether) {
    expect_all(
        {{top(R"("duration": 1e6, "fps": 1000)"), {"fps", "1e+09 frames", "at most 1e+06"}},
         {top(R"("duration": 0.5, "fps": 1e-300)"), {"fps", "after 1e+300 s", "0.5 s", "more frames"}},
         {top(R"("solver": {"max_time_step": 1e-4, "min_time_step": 1e-3})"), {"solver.min_time_step"}},
         {top(R"("domain": {"min": [0, 0, 0], "max": [1, -1, 1]})"), {"domain.max: -1 is not above min, 0, along y"}},
         {top(R"("domain": {"periodic": "x"})"), {"domain.periodic", "x is periodic but has no end"}},
         {top(R"("domain": {"min": [0, 0], "max": [1, null], "periodic": "xy"})"), {"y is periodic but has no end"}},
         {top(R"("domain": {"min": [0, 0, -1], "max": [0.1, 1, 1], "periodic": "x"})"),
          {"period along x is 0.1 m", "at least 0.12 m"}},
         {top(R"("dimensions": 2, "domain": {"min": [0, 0, 0], "max": [1, 1, 1], "periodic": "z"})"),
          {"2 dimensions", "none, x, y, xy"}},
         {top(R"("dimensions": 2, "behaviors": {"gravity": {"acceleration": [0, 0, -9.81]}})"),
          {"behaviors.gravity.acceleration", "out of the plane"}}});
}

TEST(SceneErrors, PlaceIsThatOfTheValue) {
    const std::string text =
        "{\n  \"fps\": 25,\n  \"bodies\": {\n    \"water\": {\"shape\": {\"sphere\": {\"radius\": -2}}}\n  }\n}";
    EXPECT_EQ(message(text), "s.json:4:46: bodies.water.shape.sphere.radius: found the number -2\n"
                             "  allowed: a number greater than 0 m");
}

TEST(SceneErrors, Qualities) {
    EXPECT_NE(message(test::everything, {.quality = "previw"}).find("did you mean \"preview\"?"), std::string::npos);
    EXPECT_NE(message(test::dam_break, {.quality = "fine"}).find("has no qualities"), std::string::npos);
    // A variant that was not asked for is checked too, and the message points into it.
    expect_all({{top("\n\"quality\": {\"low\": {\"solver\": {\"clf\": 1}}}"),
                 {"s.json:2:32: quality.low.solver.clf", "did you mean \"cfl\"?"}},
                {top(R"("quality": {"low": {"quality": {}}})"), {"a quality within a quality"}},
                {top(R"("quality": {"a b": {}})"), {"cannot be a name"}}});
}

TEST(SceneErrors, Overrides) {
    const auto told = [](const std::string& override_text) {
        return message(test::dam_break, {.overrides = {override_text}});
    };
    const std::vector<Wrong> cases{
        {"fps", {"override fps", "path=value"}},
        {"=3", {"path=value"}},
        {"fsp=3", {"override fsp=3: fsp: unknown key", "did you mean \"fps\"?"}},
        {"fps=fast", {"override fps=fast: fps: found the text \"fast\""}},
        {"fps=1e999", {"override fps=1e999: fps: found the text"}},
        {"fps={1", {"override fps={1"}},
        {"bodies.watr.behaviors.fluid.density=800", {"bodies.watr: there is no \"watr\"", "did you mean \"water\"?"}},
        {"bodies.water.behaviors.fluit.density=8", {"bodies.water.behaviors.fluit", "did you mean \"fluid\"?"}},
        {"bodies.water.behaviors.fluid.density=-8", {"override bodies", "greater than 0 kg/m^3"}},
        {"bodies.water.behaviors.fluid.density.x=8", {"is not a block", "too far"}},
        {"bodies.water.shape.box.max.7=8", {"\"7\" is not an entry", "0 to 2"}},
        {"bodies.water.shape.box.max.x=8", {"is not an entry"}},
        {"bodies.ball.shape=3", {"there is no \"ball\""}},
        {"bodies=null", {"\"bodies\" is missing"}},
        {"bodies..x=3", {"there is no \"\""}},
    };
    for (const Wrong& wrong : cases)
        for (const std::string& part : wrong.said)
            EXPECT_NE(told(wrong.text).find(part), std::string::npos)
                << "no <" << part << "> in <" << told(wrong.text) << ">";
}

TEST(SceneErrors, EveryCutOfASceneIsRefused) {
    for (std::size_t length = 0; length + 1 < test::everything.size(); length += 7)
        EXPECT_FALSE(message(test::everything.substr(0, length)).empty()) << length;
}

} // namespace
} // namespace loam
