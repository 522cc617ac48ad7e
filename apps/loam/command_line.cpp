#include "command_line.h"

#include <cmath>
#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "commands.h"
#include "completion.h"
#include "exit_code.h"

namespace loam {
namespace {

constexpr const char* about = "Loam simulates fluids and other materials with particles.\n";

constexpr const char* after = R"(
Examples:
  loam run examples/dam-break.json       simulate; frames go to out/dam-break
  loam run scene.json --quality preview  with the scene's own quick settings
  loam resume out/dam-break              go on after Ctrl-C or a crash
  loam info out/dam-break                what is there
  loam surface out/dam-break             meshes of the fluids' surfaces
  loam render out/dam-break              a video of it
  loam export out/dam-break --to vtp     files for ParaView and others
  loam plot out/dam-break                its energies and errors over time
  loam behaviors fluid                   what a behavior does and takes
  loam bench --quick                     how fast this machine is

Exit codes: 0 done; 1 unexpected failure of the program; 2 wrong command line;
  3 wrong scene; 4 a file cannot be read or written, disk full; 5 the simulation
  cannot go on; 130 stopped by Ctrl-C, 143 by SIGTERM: `loam resume` goes on.)";

// CLI11's own checks let "nan" pass, and tell of the largest number with all its digits.
CLI::Validator number_from(double least, double most = std::numeric_limits<double>::infinity()) {
    const bool bounded = std::isfinite(most);
    const std::string allowed = bounded ? fmt::format("a number from {} to {}", number_text(least), number_text(most))
                                        : fmt::format("a number of at least {}", number_text(least));
    const auto check = [=](const std::string& text) {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
        return is_number && value >= least && value <= most ? std::string() : text + " is not " + allowed;
    };
    return CLI::Validator(check, "");
}

CLI::Validator whole_number() {
    const auto check = [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits && text.size() < 19 ? "" : "\"" + text + "\" is not a whole number of at least 0";
    };
    return CLI::Validator(check, "");
}

CLI::Validator whole_number_or_all() {
    const auto check = [](const std::string& text) { return text == "all" ? "" : whole_number()(text); };
    return CLI::Validator(check, "");
}

using Action = std::function<int()>; // what the chosen command will do

CLI::App* add_command(CLI::App& app, const char* name, const char* help, const char* examples, Action& chosen,
                      Action action) {
    CLI::App* command = app.add_subcommand(name, help);
    command->footer(std::string("\nExamples:\n") + examples);
    command->callback([&chosen, action = std::move(action)] { chosen = action; });
    return command;
}

void add_set(CLI::App& command, std::vector<std::string>& set, const std::string& help) {
    command.add_option("--set", set, help + ": PATH=VALUE; may be given often")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
}

void add_scene(CLI::App& command, SceneArguments& scene) {
    command.add_option("SCENE", scene.file, "Scene file (JSON; see `loam reference`)")->required();
    add_set(command, scene.set, "Replace a value of the scene");
    command.add_option("--quality", scene.quality, "A variant that the scene offers, such as preview or final")
        ->type_name("NAME");
}

void add_machine(CLI::App& command, MachineArguments& machine) {
    command.add_option("--threads", machine.threads, "Number of threads; the result does not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    command.add_option("--simd", machine.simd, "Instruction set: scalar, avx2 or avx512; the best one if not given")
        ->type_name("NAME");
}

void add_run_options(CLI::App& command, RunArguments& run) {
    command.add_option("--frames", run.frames, "Stop after frame N; `loam resume` goes on")
        ->type_name("N")
        ->check(whole_number());
    command
        .add_option("--checkpoint", run.checkpoint_seconds,
                    "Longest computing time between checkpoints (20 s); they are more frequent while they are cheap")
        ->type_name("SECONDS")
        ->check(number_from(0));
    command
        .add_option("--keep-checkpoints", run.keep_checkpoints,
                    "Keep the checkpoint of every Nth frame, or all, so that going back is quick; 0: the newest two")
        ->type_name("N|all")
        ->check(whole_number_or_all());
    command.add_flag("--no-video", run.no_video, "Make no preview video DIR/preview.mp4 at the end");
    command.add_flag("--json", run.json, "Tell of the run on stdout, one JSON object per line");
    add_machine(command, run.machine);
}

// Arguments of all commands, filled in while parsing.
struct Arguments {
    RunArguments run, resume;
    CheckArguments check;
    InfoArguments info;
    SurfaceArguments surface;
    RenderArguments render;
    ExportArguments exports;
    PlotArguments plot;
    BenchArguments bench;
    std::string behavior, shell;
};

void add_surface(CLI::App& app, SurfaceArguments& surface_arguments, Action& chosen) {
    SurfaceArguments& a = surface_arguments;
    CLI::App* command = add_command(app, "surface", "Make meshes of the surfaces in a run",
                                    "  loam surface out/dam-break\n"
                                    "  loam surface out/dam-break --frames 20-40 --cell 0.005\n"
                                    "  loam surface out/mixer --method solenthaler --bodies each\n"
                                    "  loam surface out/lava --set level=0.4 --smooth 5",
                                    chosen, [&a] { return surface(a); });
    command->add_option("DIR", a.folder, "Folder that `loam run` wrote")->required();
    command->add_option("-o,--output", a.output, "Folder for the meshes; DIR/surfaces if not given")->type_name("DIR");
    command->add_option("--method", a.method, "How the surface is found: " + surface_method_names())->type_name("NAME");
    command->add_option("--cell", a.cell, "Size of a cell of the mesh in m; the particles' radius if not given")
        ->type_name("SIZE");
    command->add_option("--frames", a.frames, "Only these: A-B, A-, -B or A")->type_name("A-B");
    command
        ->add_option("--bodies", a.bodies,
                     "each: one mesh per body; or NAME,...: only these; else one mesh of all bodies")
        ->type_name("each|NAMES");
    command->add_option("--columns", a.columns, "What the vertices carry, besides body; velocity and more if not given")
        ->type_name("NAME,...")
        ->delimiter(',');
    command->add_option("--smooth", a.smooth, "Steps of smoothing that keeps the volume")
        ->type_name("N")
        ->check(CLI::Range(0, 1000));
    command->add_option("--set", a.set, "A property of the method: NAME=VALUE; may be given often")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->take_all();
    command->add_flag("--json", a.json, "Tell of the surfaces on stdout, one JSON object per line");
    add_machine(*command, a.machine);
}

void add_render(CLI::App& app, RenderArguments& a, Action& chosen) {
    CLI::App* command = add_command(app, "render", "Make pictures or a video of a run",
                                    "  loam render out/dam-break\n"
                                    "  loam render out/dam-break -o dam.mp4 --size 1920x1080 --samples 64\n"
                                    "  loam render out/dam-break -o frame.png --frames 40\n"
                                    "  loam render out/dam-break --sheet dam.png\n"
                                    "  loam render out/dam-break -o speed.mp4 --color speed --range 0,3\n"
                                    "  loam render out/dam-break --camera from=[3,2,4] --camera shutter=0.5",
                                    chosen, [&a] { return render(a); });
    command->add_option("DIR", a.folder, "Folder that `loam run` wrote")->required();
    command
        ->add_option(
            "-o,--output", a.output,
            "A video (.mp4, .mov, .mkv), a picture (.png) or a folder for pictures; DIR/video.mp4 if not given")
        ->type_name("FILE|DIR");
    command->add_option("--sheet", a.sheet, "A picture of evenly spaced frames (.png)")->type_name("FILE");
    command->add_option("--sheet-frames", a.sheet_frames, "How many (12)")->type_name("N")->check(CLI::Range(1, 400));
    command->add_option("--frames", a.frames, "Only these: A-B, A-, -B or A")->type_name("A-B");
    command->add_option("--every", a.every, "Only every Nth frame")->type_name("N")->check(CLI::Range(1, 1000000));
    command->add_option("--size", a.size, "Size of pictures in pixels (960x540)")->type_name("WxH");
    command->add_option("--samples", a.samples, "Paths of light per pixel (16): more is slower and less noisy")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command->add_option("--fps", a.fps, "Frames per second of the video; the scene's if not given")
        ->type_name("N")
        ->check(number_from(0.01, 1000));
    command->add_option("--camera", a.camera, "A property of the camera: KEY=VALUE, such as from=[1,2,3]")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all();
    command->add_option("--set", a.set, "Any value of the scene, such as bodies.water.look.color=\"#88aacc\"")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
    command->add_option("--color", a.color, "Show particles, colored by a column such as speed or density")
        ->type_name("COLUMN");
    command->add_option("--range", a.range, "Values at the ends of the colors; those of the run if not given")
        ->type_name("LEAST,MOST");
    command->add_flag("--particles", a.particles, "Show particles as spheres instead of surfaces");
    command->add_flag("--no-denoise", a.no_denoise, "Leave the noise as it is; above 256 samples it always is");
    command->add_option("--seed", a.seed, "Start of the random numbers: same seed, same picture")->type_name("N");
    command->add_flag("--json", a.json, "Tell of the pictures on stdout, one JSON object per line");
    add_machine(*command, a.machine);
}

void add_export(CLI::App& app, ExportArguments& a, Action& chosen) {
    CLI::App* command = add_command(app, "export", "Write a run's frames for other programs",
                                    "  loam export out/dam-break --to vtp\n"
                                    "  loam export out/dam-break --to pov --frames 40\n"
                                    "  loam surface out/dam-break && loam export out/dam-break --to obj --surface\n"
                                    "  loam export out/mixer --to bgeo --bodies oil -o /data/houdini",
                                    chosen, [&a] { return export_run(a); });
    command->footer(export_format_table() + command->get_footer());
    command->add_option("DIR", a.folder, "Folder that `loam run` wrote")->required();
    command->add_option("--to", a.format, "Format: " + export_format_names())->type_name("FORMAT")->required();
    command->add_option("-o,--output", a.output, "Folder for the files; DIR/export if not given")->type_name("DIR");
    command->add_option("--frames", a.frames, "Only these: A-B, A-, -B or A")->type_name("A-B");
    command->add_flag("--points", a.points, "The particles; this is the default");
    command->add_flag("--surface", a.surface, "The meshes that `loam surface` left in DIR/surfaces");
    command->add_option("--bodies", a.bodies, "Only these; with --surface one mesh for each; each: all")
        ->type_name("each|NAMES");
    command->add_option("--columns", a.columns, "What particles carry; all columns if not given")
        ->type_name("NAME,...")
        ->delimiter(',');
    command->add_flag("--json", a.json, "Tell of the files on stdout, one JSON object per line");
}

void add_plot(CLI::App& app, PlotArguments& a, Action& chosen) {
    CLI::App* command = add_command(app, "plot", "Plot energies, errors and more over time",
                                    "  loam plot out/dam-break\n"
                                    "  loam plot out/dam-break -o dam.png",
                                    chosen, [&a] { return plot(a); });
    command->add_option("DIR", a.folder, "Folder that `loam run` wrote, or is writing")->required();
    command->add_option("-o,--output", a.output, "File that ends in .svg or .png; DIR/plot.svg if not given")
        ->type_name("FILE");
}

void add_bench(CLI::App& app, BenchArguments& bench_arguments, Action& chosen) {
    CLI::App* command = add_command(app, "bench", "Measure how fast this machine steps a dam break",
                                    "  loam bench\n"
                                    "  loam bench --quick\n"
                                    "  loam bench --sizes 100k,2M --solvers dfsph --threads 2 --simd best\n"
                                    "  loam bench --plot speed.svg --json > speed.json",
                                    chosen, [&] { return bench(bench_arguments); });
    command->add_option("--sizes", bench_arguments.sizes, "Numbers of fluid particles; 10k,100k,1M,2M if not given")
        ->type_name("LIST");
    command->add_option("--solvers", bench_arguments.solvers, "Pressure solvers; wcsph,dfsph if not given")
        ->type_name("LIST");
    command->add_option("--threads", bench_arguments.threads, "Numbers of threads; 1,2 if not given")
        ->type_name("LIST");
    command->add_option("--simd", bench_arguments.simd, "Instruction sets; best,scalar if not given")
        ->type_name("LIST");
    command
        ->add_option("--repeat", bench_arguments.repeats,
                     "Measure each row N times, however long it takes, and keep the median")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    command
        ->add_option("--fall", bench_arguments.fall_seconds,
                     "Let the dam fall from rest for that long first; otherwise the water is moving from the start")
        ->type_name("SECONDS")
        ->check(number_from(0, 100));
    command->add_flag("--quick", bench_arguments.quick, "Half a minute: 10k and 100k particles, measured once");
    command->add_flag("--json", bench_arguments.json, "As JSON");
    command->add_option("--plot", bench_arguments.plot, "Draw speed against size, as SVG")->type_name("FILE");
}

void add_commands(CLI::App& app, Arguments& all, Action& chosen) {
    CLI::App* command = add_command(app, "run", "Simulate a scene",
                                    "  loam run dam.json\n"
                                    "  loam run dam.json -o /data/dam --frames 50 --threads 8\n"
                                    "  loam run dam.json --set bodies.water.behaviors.fluid.density=800\n"
                                    "  loam run dam.json --json | jq .frame",
                                    chosen, [&] { return run(all.run); });
    add_scene(*command, all.run.scene);
    command
        ->add_option("-o,--output", all.run.folder, "Folder for frames, log and checkpoints; out/<scene> if not given")
        ->type_name("DIR");
    command->add_flag("--force", all.run.force, "Replace the run that is in the folder");
    add_run_options(*command, all.run);

    command = add_command(app, "resume", "Go on with a run that was interrupted",
                          "  loam resume out/dam-break\n"
                          "  loam resume out/dam-break --frames 80\n"
                          "  loam resume out/dam-break --set duration=8\n"
                          "  loam resume out/dam-break --from 40 --set behaviors.gravity.acceleration=[0,-2,0]\n"
                          "  loam resume out/dam-break --from 40 --set behaviors.gravity.weight=0 --take floating",
                          chosen, [&] { return resume(all.resume); });
    command->add_option("DIR", all.resume.folder, "Folder that `loam run` wrote")->required();
    command
        ->add_option("--from", all.resume.from,
                     "Go back to frame N and on from there; the last frame if only --set or --take is given")
        ->type_name("N")
        ->check(whole_number());
    add_set(*command, all.resume.scene.set, "From there on (later frames are replaced), another value of the scene");
    command
        ->add_option("--take", all.resume.take,
                     "Leave the run as it is and make the other frames in a run of its own, DIR/takes/NAME")
        ->type_name("NAME");
    add_run_options(*command, all.resume);

    command = add_command(app, "check", "Check a scene and tell what it needs",
                          "  loam check dam.json\n  loam check dam.json --quality final --json", chosen,
                          [&] { return check(all.check); });
    add_scene(*command, all.check.scene);
    command->add_flag("--json", all.check.json, "As JSON");
    add_machine(*command, all.check.machine);

    command = add_command(app, "info", "Tell what is in a run or a frame",
                          "  loam info out/dam-break\n  loam info out/dam-break/frames/000012.vtkhdf --json", chosen,
                          [&] { return info(all.info); });
    command->add_option("PATH", all.info.path, "Folder of a run, or a frame")->required();
    command->add_flag("--json", all.info.json, "As JSON");

    add_surface(app, all.surface, chosen);
    add_render(app, all.render, chosen);
    add_export(app, all.exports, chosen);
    add_plot(app, all.plot, chosen);
    add_bench(app, all.bench, chosen);

    command =
        add_command(app, "behaviors", "List the behaviors, or explain one",
                    "  loam behaviors\n  loam behaviors gravity", chosen, [&] { return behaviors(all.behavior); });
    command->add_option("NAME", all.behavior, "A behavior");

    add_command(app, "schema", "Print the JSON Schema of scenes, for editors", "  loam schema > scene.schema.json",
                chosen, [] { return schema(); });
    add_command(app, "reference", "Print the scene reference (Markdown)", "  loam reference > scene.md", chosen,
                [] { return reference(); });

    command =
        add_command(app, "completion", "Print completion for a shell", "  source <(loam completion bash)", chosen, [&] {
            fmt::print("{}", bash_completion(app));
            return static_cast<int>(exit_ok);
        });
    command->add_option("SHELL", all.shell, "bash")->required()->check(CLI::IsMember({"bash"}));
}

// The first argument that is an option which the command does not have: CLI11 lists it with all that follows,
// backwards.
std::string unknown_option(const CLI::App& command, int argc, char** argv) {
    for (int k = 2; k < argc; ++k) {
        std::string name = std::string(argv[k]).substr(0, std::string(argv[k]).find('='));
        if (name.size() > 2 && name.starts_with("--") && !command.get_option_no_throw(name)) return name;
    }
    return "";
}

int complain_about_option(const CLI::App& command, const std::string& option) {
    std::vector<std::string> names;
    for (const CLI::Option* known : command.get_options())
        for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
    const std::string nearest = nearest_name(option, names);
    const std::string help = fmt::format("see `loam {} --help`", command.get_name());
    return complain({Fault::usage, command.get_name(), fmt::format("there is no option \"{}\"", option),
                     nearest.empty() ? help : fmt::format("did you mean \"{}\"? {}", nearest, help)});
}

// CLI11 says what is wrong; we add where help is, and the command or option that may have been meant.
int complain_about_arguments(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    const std::string first = argc > 1 ? argv[1] : "";
    const bool is_command = std::find(names.begin(), names.end(), first) != names.end();
    if (is_command && dynamic_cast<const CLI::ExtrasError*>(&error))
        if (const std::string option = unknown_option(*app.get_subcommand(first), argc, argv); !option.empty())
            return complain_about_option(*app.get_subcommand(first), option);
    if (is_command) return complain({Fault::usage, first, error.what(), fmt::format("see `loam {} --help`", first)});
    if (first[0] == '-')
        return complain(
            {Fault::usage, "", fmt::format("there is no option \"{}\" before a command", first), "see `loam --help`"});
    const std::string nearest = nearest_name(first, names);
    return complain({Fault::usage, "", fmt::format("there is no command \"{}\"", first),
                     nearest.empty() ? "commands: " + join(names) : fmt::format("did you mean \"{}\"?", nearest)});
}

} // namespace

int command_line(int argc, char** argv) {
    CLI::App app(about, "loam");
    app.set_version_flag("--version", "loam " LOAM_VERSION);
    app.footer(after);
    app.require_subcommand(1);
    app.get_formatter()->column_width(28);
    Arguments arguments;
    Action chosen;
    add_commands(app, arguments, chosen);
    if (argc == 1) {
        fmt::print("{}", app.help());
        return exit_usage;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error); // --help, --version
        return complain_about_arguments(app, error, argc, argv);
    }
    return chosen();
}

} // namespace loam
