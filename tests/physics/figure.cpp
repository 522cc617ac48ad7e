#include "figure.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace loam::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_points = 200; // of a curve: no more can be told apart, and files stay small

fs::path folder() {
    const char* named = std::getenv("LOAM_FIGURES");
    return named ? named : "";
}

// Under a name of its own at first: another test may draw the same figure at this moment.
void write(const fs::path& file, const std::string& text) {
    const fs::path own = fmt::format("{}.{}", file.string(), getpid());
    fs::create_directories(file.parent_path());
    std::ofstream(own) << text;
    fs::rename(own, file);
}

std::string file_name(const std::string& name) {
    std::string safe;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '.')
            safe += c;
        else if (!safe.empty() && safe.back() != '-')
            safe += '-';
    return safe + ".json";
}

// With fewer points, the last of them kept, and five digits.
Curve thinned(const Curve& curve) {
    const std::size_t every = 1 + curve.size() / most_points;
    const auto rounded = [](double value) { return std::stod(fmt::format("{:.5g}", value)); };
    Curve kept;
    for (std::size_t k = 0; k < curve.size(); ++k)
        if ((curve.size() - 1 - k) % every == 0) kept.emplace_back(rounded(curve[k].first), rounded(curve[k].second));
    return kept;
}

} // namespace

bool Figure::wanted() { return !folder().empty(); }

Figure::Figure(std::string name, Plot plot) : name_(std::move(name)), plot_(std::move(plot)) {}

void Figure::exact(const std::string& source, Curve curve, std::size_t panel) {
    plot_.panels.at(panel).lines.push_back(
        {.name = source, .color = plot_black, .dashed = true, .thin = true, .dots = false, .points = std::move(curve)});
}

void Figure::measured(const std::string& source, Curve points, std::size_t panel) {
    std::sort(points.begin(), points.end()); // its name stands beside the last
    plot_.panels.at(panel).lines.push_back(
        {.name = source, .color = plot_black, .thin = true, .joined = false, .points = std::move(points)});
}

void Figure::ours(const std::string& name, const std::vector<Curve>& curves) const {
    if (!wanted()) return;
    nlohmann::json kept{{"name", name}};
    for (const Curve& curve : curves) kept["curves"].push_back(thinned(curve));
    write(folder() / name_ / file_name(name), kept.dump() + "\n");

    std::map<std::string, std::vector<Curve>> all; // by name
    for (const fs::directory_entry& file : fs::directory_iterator(folder() / name_)) {
        if (file.path().extension() != ".json") continue;
        const auto read = nlohmann::json::parse(std::ifstream(file.path()));
        read.at("curves").get_to(all[read.at("name")]);
    }
    Plot plot = plot_;
    for (std::size_t p = 0; p < plot.panels.size(); ++p) {
        std::vector<PlotLine> lines;
        for (const auto& [own, found] : all)
            lines.push_back({.name = own, .color = lines.size(), .dots = false, .points = found.at(p)});
        auto& references = plot.panels[p].lines; // are drawn last, on top
        references.insert(references.begin(), lines.begin(), lines.end());
    }
    write(folder() / (name_ + ".svg"), svg_of(plot));
}

Curve curve_of(double from, double to, const std::function<double(double)>& value) {
    Curve curve;
    constexpr int pieces = 100;
    for (int k = 0; k <= pieces; ++k) {
        const double x = from + (to - from) * k / pieces;
        curve.emplace_back(x, value(x));
    }
    return curve;
}

std::function<void()> every(double interval, const Simulation& simulation, std::function<void()> look) {
    if (!Figure::wanted()) return {};
    return [&simulation, interval, look = std::move(look), next = simulation.time()]() mutable {
        if (simulation.time() < next) return;
        look();
        next = simulation.time() + interval;
    };
}

std::string solver_of(const std::string& settings) {
    const std::string key = R"("pressure": ")";
    const std::size_t begin = settings.find(key) + key.size();
    return settings.substr(begin, settings.find('"', begin) - begin);
}

} // namespace loam::test
