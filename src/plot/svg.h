// The little of SVG that plots need: pieces of text that are put one after the other.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace loam::svg {

std::string begin(double width, double height); // of the picture, white
std::string end();

std::string escaped(const std::string& text);
std::string text(double x, double y, const std::string& attributes, const std::string& words);
std::string line(double x1, double y1, double x2, double y2, const std::string& attributes);
std::string rectangle(double x, double y, double width, double height, const std::string& attributes);
std::string circle(double x, double y, double radius, const std::string& attributes);
std::string polyline(const std::vector<std::pair<double, double>>& points, const std::string& attributes);

} // namespace loam::svg
