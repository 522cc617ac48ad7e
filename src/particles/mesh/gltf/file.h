// A glTF 2.0 file as lists of JSON objects and arrays of numbers, whichever way they are stored.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/vec.h"

namespace loam::gltf {

using Json = nlohmann::json;

// What is wrong with the file; becomes an error at its edge.
struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void demand(bool good, const std::string& what);

class File {
public:
    // `folder` is where the files lie that it names.
    File(const std::string& bytes, const std::string& folder);

    // Empty where the file has none.
    const Json& list(const char* name) const;
    // The number of the scene that is shown first.
    Json first_scene() const { return root_.value("scene", Json(0u)); }
    // An index into one of the lists.
    std::size_t index(const Json& value, const char* into) const;
    // The numbers of an accessor, `width` for each element.
    std::vector<double> numbers(const Json& reference, std::size_t& width);
    std::vector<Vec3d> vectors(const Json& reference);

private:
    // How numbers lie in a view: the format's type of component, elements, numbers of each.
    struct Layout {
        int kind = 0;
        std::size_t count = 0, width = 1;
        bool normalized = false;
    };

    std::vector<double> packed(const Json& place, const Layout& layout);
    void replace(const Json& sparse, const Layout& layout, std::vector<double>& all);
    void open_binary(const std::string& bytes);
    const std::string& buffer(std::size_t number);

    std::string folder_;
    Json root_;
    std::string binary_;
    std::size_t zeros_ = 0;
    std::vector<std::optional<std::string>> buffers_;
};

} // namespace loam::gltf
