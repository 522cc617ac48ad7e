#include "command_line.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/text.h"
#include "commands.h"
#include "completion.h"
#include "exit_code.h"
#include "options.h"
#include "result_commands.h"

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
  loam foam out/dam-break                spray, foam and bubbles on it
  loam render out/dam-break              a video of it
  loam export out/dam-break --to vtp     files for ParaView and others
  loam plot out/dam-break                its energies and errors over time
  loam studio examples/dam-break.json    all of it in the browser
  loam behaviors fluid                   what a behavior does and takes
  loam bench --quick                     how fast this machine is

Exit codes: 0 done; 1 unexpected failure of the program; 2 wrong command line;
  3 wrong scene; 4 a file cannot be read or written, disk full; 5 the simulation
  cannot go on; 130 stopped by Ctrl-C, 143 by SIGTERM: `loam resume` goes on.)";

void add_variant(CLI::App& command, SceneArguments& scene) {
    command.add_option("--quality", scene.quality, "A variant that the scene offers, such as preview or final")
        ->type_name("NAME");
    command.add_flag("--stdin", scene.from_stdin,
                     "Read the scene's text from standard input; the file only names it, and need not be there");
}

void add_scene(CLI::App& command, SceneArguments& scene) {
    command.add_option("SCENE", scene.file, "Scene file (JSON; see `loam reference`)")->required();
    add_set(command, scene.set, "Replace a value of the scene");
    add_variant(command, scene);
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
    SceneArguments shapes;
    StudioArguments studio;
    InfoArguments info;
    SurfaceArguments surface;
    FoamArguments foam;
    RenderArguments render;
    ExportArguments exports;
    PlotArguments plot;
    BenchArguments bench;
    std::string behavior, shell;
    std::vector<std::string> words;
    bool presets = false;
};

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
    command->add_option("--scene", all.resume.scene.file, "From there on, another scene as a whole")->type_name("FILE");
    add_variant(*command, all.resume.scene);
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
    command->add_flag("--quick", all.check.quick, "Only read it: sample no particles, take no step");
    add_machine(*command, all.check.machine);

    command = add_command(app, "studio", "See, key, rewind and change a scene in the browser",
                          "  loam studio examples/dam-break.json\n"
                          "  loam studio out/dam-break\n"
                          "  loam studio --no-open --port 8750",
                          chosen, [&] { return open_studio(all.studio); });
    command->add_option("PATH", all.studio.path,
                        "A scene, the folder of a run, or a folder with both; this one if not given");
    command->add_option("--port", all.studio.port, "Where it listens, on this machine only; 0: any that is free")
        ->type_name("N")
        ->check(CLI::Range(0, 65535));
    command->add_flag("--no-open", all.studio.no_open, "Open no browser: print the address, and the tunnel to it");
    command->add_option("--page", all.studio.page, "Folder of the built page")->type_name("DIR")->group("");

    command = add_command(app, "shapes", "Print the shapes of a scene as meshes", "  loam shapes dam.json > shapes.bin",
                          chosen, [&] { return shapes(all.shapes); });
    add_scene(*command, all.shapes);

    command = add_command(app, "info", "Tell what is in a run or a frame",
                          "  loam info out/dam-break\n  loam info out/dam-break --verify\n"
                          "  loam info out/dam-break/frames/000012.vtkhdf --json",
                          chosen, [&] { return info(all.info); });
    command->add_option("PATH", all.info.path, "Folder of a run, or a frame")->required();
    command->add_flag("--verify", all.info.verify, "Read every byte of a run and tell what is missing or damaged");
    command->add_flag("--json", all.info.json, "As JSON");

    add_surface(app, all.surface, chosen);
    add_foam(app, all.foam, chosen);
    add_render(app, all.render, chosen);
    add_export(app, all.exports, chosen);
    add_plot(app, all.plot, chosen);
    add_bench(app, all.bench, chosen);

    command = add_command(app, "behaviors", "List the behaviors or the presets, or explain one",
                          "  loam behaviors\n  loam behaviors gravity\n  loam behaviors --presets honey", chosen,
                          [&] { return behaviors(all.behavior, all.presets); });
    command->add_option("NAME", all.behavior, "A behavior, or a preset");
    command->add_flag("--presets", all.presets, "Presets: materials that a body may be `like`");

    add_command(app, "schema", "Print the JSON Schema of scenes, for editors", "  loam schema > scene.schema.json",
                chosen, [] { return schema(); });
    add_command(app, "reference", "Print the scene reference (Markdown)", "  loam reference > scene.md", chosen,
                [] { return reference(); });

    command = add_command(
        app, "completion", "Print completion for a shell",
        "  source <(loam completion bash)\n  source <(loam completion zsh)\n  loam completion fish | source", chosen,
        [&] {
            fmt::print("{}", completion_script(all.shell));
            return static_cast<int>(exit_ok);
        });
    command->add_option("SHELL", all.shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));

    command = add_command(app, "complete", "What the last word of a command line may be", "", chosen, [&] {
        fmt::print("{}", completions(app, all.words));
        return static_cast<int>(exit_ok);
    });
    command->group(""); // for those scripts
    command->add_option("WORDS", all.words, "The command line so far")->allow_extra_args();
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
