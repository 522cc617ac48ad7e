#include "result_commands.h"

namespace loam {

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

void add_foam(CLI::App& app, FoamArguments& foam_arguments, Action& chosen) {
    FoamArguments& a = foam_arguments;
    CLI::App* command = add_command(app, "foam", "Make white water for a run: spray, foam and bubbles",
                                    "  loam foam out/dam-break\n"
                                    "  loam foam out/dam-break --set foam.amount=3\n"
                                    "  loam foam out/dam-break && loam export out/dam-break --to ply --foam",
                                    chosen, [&a] { return foam(a); });
    command->add_option("DIR", a.folder, "Folder that `loam run` wrote")->required();
    command->add_option("--set", a.set, "Any value of the scene, such as foam.life=5; may be given often")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
    command->add_flag("--json", a.json, "Tell of it on stdout, one JSON object per line");
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
    command->add_flag("--foam", a.foam, "The white water in DIR/foam; its bodies are spray, foam and bubbles");
    command->add_option("--bodies", a.bodies, "Only these; with --surface one mesh for each; each: all")
        ->type_name("each|NAMES");
    command->add_option("--columns", a.columns, "What particles carry; all columns if not given")
        ->type_name("NAME,...")
        ->delimiter(',');
    command->add_flag("--json", a.json, "Tell of the files on stdout, one JSON object per line");
}

void add_plot(CLI::App& app, PlotArguments& a, Action& chosen) {
    CLI::App* command = add_command(app, "plot", "Plot gauges, energies, errors and more over time",
                                    "  loam plot out/dam-break\n"
                                    "  loam plot out/dam-break -o dam.png\n"
                                    "  loam plot out/boxes --bodies red,blue\n"
                                    "  loam plot out/marin --gauges P1,H2",
                                    chosen, [&a] { return plot(a); });
    command->add_option("DIR", a.folder, "Folder that `loam run` wrote, or is writing")->required();
    command->add_option("-o,--output", a.output, "File that ends in .svg or .png; DIR/plot.svg if not given")
        ->type_name("FILE");
    command
        ->add_option("--bodies", a.bodies,
                     "Also how these bodies move: center, momentum, energies, extent, turn, spin; each: all of them")
        ->type_name("each|NAMES");
    command->add_option("--gauges", a.gauges, "Only these gauges, and the bodies that are asked for")
        ->type_name("NAMES");
}

void add_bench(CLI::App& app, BenchArguments& bench_arguments, Action& chosen) {
    CLI::App* command = add_command(app, "bench", "Measure how fast this machine steps a dam break",
                                    "  loam bench\n"
                                    "  loam bench --quick\n"
                                    "  loam bench --sizes 100k,2M --solvers dfsph --threads 2 --simd best\n"
                                    "  loam bench --plot speed.svg --json > speed.json\n"
                                    "  loam bench --compare speed.json",
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
    command->add_option("--compare", bench_arguments.compare, "Set beside an earlier run, written with --json")
        ->type_name("FILE");
    command->add_flag("--quick", bench_arguments.quick, "Half a minute: 10k and 100k particles, measured once");
    command->add_flag("--json", bench_arguments.json, "As JSON");
    command->add_option("--plot", bench_arguments.plot, "Draw speed against size, as SVG")->type_name("FILE");
}

} // namespace loam
