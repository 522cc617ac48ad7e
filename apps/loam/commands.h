// The commands: plain arguments in, exit code out. command_line.cpp fills in the arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loam {

struct SceneArguments { // what scene, and what is changed in it
    std::string file;
    std::vector<std::string> set;
    std::string quality;
    bool from_stdin = false; // its text; the file only gives it a name and a place
};

struct MachineArguments {
    int threads = 0;  // 0: all
    std::string simd; // empty: the best one
};

struct RunArguments {
    SceneArguments scene;
    MachineArguments machine;
    std::string folder; // empty: out/<name of the scene>
    std::optional<std::uint64_t> frames;
    double checkpoint_seconds = 20;
    std::string keep_checkpoints;      // N or all; empty: as the run remembers
    std::optional<std::uint64_t> from; // resume: the frame to go back to
    std::string take;                  // resume: the name of another way on
    bool json = false, force = false, no_video = false;
};
int run(const RunArguments& arguments);
int resume(const RunArguments& arguments);

struct CheckArguments {
    SceneArguments scene;
    MachineArguments machine;
    bool json = false, quick = false;
};
int check(const CheckArguments& arguments);

int shapes(const SceneArguments& arguments);

struct StudioArguments {
    std::string path; // a scene, the folder of a run, or a folder of both; empty: this one
    std::string page; // folder of the built page; empty: where ./loam builds it
    int port = -1;    // 0: any that is free; -1: the usual one if it is free
    bool no_open = false;
};
int open_studio(const StudioArguments& arguments);

struct InfoArguments {
    std::string path;
    bool json = false, verify = false;
};
int info(const InfoArguments& arguments);

struct SurfaceArguments {
    std::string folder, output; // output empty: folder/surfaces
    std::string method;         // empty: the default
    std::optional<double> cell;
    std::string frames; // A-B, A-, -B or A; empty: all
    std::string bodies; // "each", or names with commas; empty: all together
    std::vector<std::string> columns, set;
    int smooth = 0;
    MachineArguments machine;
    bool json = false;
};
int surface(const SurfaceArguments& arguments);
std::string surface_method_names(); // with the default first

struct FoamArguments {
    std::string folder;
    std::vector<std::string> set; // PATH=VALUE
    MachineArguments machine;
    bool json = false;
};
int foam(const FoamArguments& arguments);

struct RenderArguments {
    std::string folder, output, sheet; // neither output nor sheet: folder/video.mp4
    std::string frames;                // A-B, A-, -B or A; empty: all
    std::string size = "960x540";
    int samples = 16;
    int sheet_frames = 12;
    std::uint64_t every = 1;
    std::uint32_t seed = 0;
    double fps = 0;           // 0: the scene's
    std::string color, range; // a column, and LEAST,MOST of it
    bool particles = false, no_denoise = false;
    std::vector<std::string> camera, set; // KEY=VALUE, PATH=VALUE
    MachineArguments machine;
    bool json = false;
};
int render(const RenderArguments& arguments);

struct ExportArguments {
    std::string folder, output; // output empty: folder/export
    std::string format;
    std::string frames; // A-B, A-, -B or A; empty: all
    std::string bodies; // names with commas; empty: all
    std::vector<std::string> columns;
    bool surface = false, foam = false, points = false, json = false;
};
int export_run(const ExportArguments& arguments);
std::string export_format_names();
std::string export_format_table(); // for help

struct PlotArguments {
    std::string folder, output; // output empty: folder/plot.svg
    std::string bodies;         // "each", or names with commas; empty: none
    std::string gauges;         // names with commas: only these, and bodies; empty: all of them, and everything else
};
int plot(const PlotArguments& arguments);

struct BenchArguments { // lists with commas between
    std::optional<std::string> sizes;
    std::string solvers = "wcsph,dfsph", threads = "1,2", simd = "best,scalar";
    int repeats = 0;         // 0: as many as there is patience for
    double fall_seconds = 0; // 0: the water is moving from the start
    bool quick = false, json = false;
    std::string plot;    // file; empty: none
    std::string compare; // file of an earlier run; empty: none
};
int bench(const BenchArguments& arguments);

int behaviors(const std::string& name, bool of_presets); // empty: list them
int schema();
int reference();

} // namespace loam
