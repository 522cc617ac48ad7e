#include "picture/environment_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "cache/durable.h"

namespace loam {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30;
constexpr int largest_edge = 32768;
constexpr float pi = 3.14159265f;

using Rgbe = std::array<std::uint8_t, 4>;

Color color_of(const Rgbe& p) {
    if (p[3] == 0) return {};
    const float scale = std::ldexp(1.0f, p[3] - (128 + 8));
    return {scale * p[0], scale * p[1], scale * p[2]};
}

// The bytes of a file, from some place on; what is read beyond the end is remembered.
class Bytes8 {
public:
    explicit Bytes8(const std::string& text, std::size_t at) : text_(text), at_(at) {}
    std::uint8_t next() {
        if (at_ < text_.size()) return static_cast<std::uint8_t>(text_[at_++]);
        ended_ = true;
        return 0;
    }
    Rgbe pixel() { return {next(), next(), next(), next()}; }
    bool ended() const { return ended_; }

private:
    const std::string& text_;
    std::size_t at_;
    bool ended_ = false;
};

// One component of a row after the other, as runs: more than 128, that many times the next byte less 128; else so many
// bytes. False where a run does not fit.
bool read_runs(Bytes8& bytes, std::vector<Rgbe>& row) {
    for (std::size_t part = 0; part < 4; ++part)
        for (std::size_t x = 0; x < row.size();) {
            const std::uint8_t code = bytes.next();
            const std::size_t count = code > 128 ? code - 128u : code;
            if (count == 0 || x + count > row.size() || bytes.ended()) return false;
            const std::uint8_t same = code > 128 ? bytes.next() : 0;
            for (std::size_t k = 0; k < count; ++k) row[x++][part] = code > 128 ? same : bytes.next();
        }
    return true;
}

bool read_row(Bytes8& bytes, std::vector<Rgbe>& row) {
    const Rgbe first = bytes.pixel();
    const bool runs = row.size() >= 8 && row.size() < 32768 && first[0] == 2 && first[1] == 2 && first[2] < 128;
    if (runs) return first[2] * 256u + first[3] == row.size() && read_runs(bytes, row);
    row[0] = first;
    for (std::size_t x = 1; x < row.size(); ++x) row[x] = bytes.pixel();
    return !bytes.ended();
}

} // namespace

Result<std::shared_ptr<const EnvironmentMap>> EnvironmentMap::read(const std::filesystem::path& path) {
    const Result<std::string> text = read_text(path, largest_file);
    if (!text) return text.error();
    const auto wrong = [&](const char* what) {
        return Error{Fault::file, path.string(), what, "give a Radiance picture (.hdr), twice as wide as high"};
    };
    const std::size_t header = text->find("\n\n");
    if (!text->starts_with("#?") || header == std::string::npos) return wrong("it is not a Radiance picture");
    const std::size_t line_end = text->find('\n', header + 2);
    if (line_end == std::string::npos) return wrong("it has no size");
    int width = 0, height = 0;
    if (std::sscanf(text->substr(header + 2, line_end - header - 2).c_str(), "-Y %d +X %d", &height, &width) != 2)
        return wrong("its rows do not go from the top left");
    if (width < 1 || height < 1 || width > largest_edge || height > largest_edge)
        return wrong("its size is not usable");
    Bytes8 bytes(*text, line_end + 1);
    std::vector<Color> pixels;
    std::vector<Rgbe> row(static_cast<std::size_t>(width));
    for (int y = 0; y < height; ++y) {
        if (!read_row(bytes, row)) return wrong("it is cut off or damaged");
        for (const Rgbe& p : row) pixels.push_back(color_of(p));
    }
    return std::make_shared<const EnvironmentMap>(width, height, std::move(pixels));
}

EnvironmentMap::EnvironmentMap(int width, int height, std::vector<Color> pixels)
    : fine_{width, height, std::move(pixels)}, coarse_{32, 16, std::vector<Color>(std::size_t{32} * 16)} {
    // By sampling each coarse pixel and a little around it evenly.
    constexpr int samples = 12;
    constexpr float wide = 1.5f;
    for (int y = 0; y < coarse_.height; ++y)
        for (int x = 0; x < coarse_.width; ++x) {
            Color sum;
            for (int j = 0; j < samples; ++j)
                for (int i = 0; i < samples; ++i) {
                    const auto off = [&](int k) {
                        return wide * ((static_cast<float>(k) + 0.5f) / samples - 0.5f) + 0.5f;
                    };
                    const float u = (static_cast<float>(x) + off(i)) / static_cast<float>(coarse_.width);
                    const float v = (static_cast<float>(y) + off(j)) / static_cast<float>(coarse_.height);
                    const float angle = 2 * pi * (u - 0.5f), down = std::sin(pi * v);
                    sum += fine_.at({down * std::sin(angle), std::cos(pi * v), -down * std::cos(angle)});
                }
            coarse_.values[static_cast<std::size_t>(y * coarse_.width + x)] = (1.0f / (samples * samples)) * sum;
        }
}

Color EnvironmentMap::Pixels::at(const Vec3f& d) const {
    const float u = (std::atan2(d.x, -d.z) / (2 * pi) + 0.5f) * static_cast<float>(width) - 0.5f;
    const float v = std::acos(std::clamp(d.y, -1.0f, 1.0f)) / pi * static_cast<float>(height) - 0.5f;
    const auto x = static_cast<int>(std::floor(u)), y = static_cast<int>(std::floor(v));
    const float fx = u - static_cast<float>(x), fy = v - static_cast<float>(y);
    const auto pixel = [&](int i, int j) {
        return values[static_cast<std::size_t>(std::clamp(j, 0, height - 1)) * width + (i % width + width) % width];
    };
    return mix(mix(pixel(x, y), pixel(x + 1, y), fx), mix(pixel(x, y + 1), pixel(x + 1, y + 1), fx), fy);
}

} // namespace loam
