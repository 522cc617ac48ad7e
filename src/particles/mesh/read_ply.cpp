// PLY: a header that declares elements with properties, then their values as text or binary of either byte order. Any
// elements and properties may be there; vertex x, y, z and the index list of face count here.
#include <algorithm>
#include <bit>
#include <cstring>

#include "particles/mesh/mesh.h"
#include "particles/mesh/text_scan.h"

namespace loam {
namespace {

enum class Type { i8, u8, i16, u16, i32, u32, f32, f64 };

std::optional<Type> type_named(std::string_view word) {
    constexpr std::pair<std::string_view, Type> names[] = {
        {"char", Type::i8},   {"int8", Type::i8},     {"uchar", Type::u8},   {"uint8", Type::u8},
        {"short", Type::i16}, {"int16", Type::i16},   {"ushort", Type::u16}, {"uint16", Type::u16},
        {"int", Type::i32},   {"int32", Type::i32},   {"uint", Type::u32},   {"uint32", Type::u32},
        {"float", Type::f32}, {"float32", Type::f32}, {"double", Type::f64}, {"float64", Type::f64}};
    for (const auto& [name, type] : names)
        if (name == word) return type;
    return std::nullopt;
}

struct PlyProperty {
    std::string name;
    Type type = Type::f32;
    std::optional<Type> count; // of a list
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;
};

template <class T> double decode(const char* bytes, bool swap) {
    char raw[sizeof(T)];
    std::memcpy(raw, bytes, sizeof(T));
    if (swap) std::reverse(raw, raw + sizeof(T));
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return static_cast<double>(value);
}

// The values behind the header, one after the other, from text or bytes.
class PlyValues {
public:
    PlyValues(std::string_view bytes, std::size_t start, bool text, bool swap)
        : bytes_(bytes), at_(start), text_(text), swap_(swap) {}

    std::optional<double> next(Type type) { return text_ ? next_word() : next_bytes(type); }
    std::size_t at() const { return at_; }

private:
    std::optional<double> next_word() {
        constexpr std::string_view blanks = " \t\v\f\r\n";
        const std::size_t begin = bytes_.find_first_not_of(blanks, at_);
        if (begin == std::string_view::npos) return std::nullopt;
        const std::size_t end = std::min(bytes_.find_first_of(blanks, begin), bytes_.size());
        at_ = end;
        return to_number<double>(bytes_.substr(begin, end - begin));
    }
    std::optional<double> next_bytes(Type type) {
        constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
        const std::size_t size = sizes[static_cast<std::size_t>(type)];
        if (bytes_.size() - at_ < size) return std::nullopt;
        const char* from = bytes_.data() + at_;
        at_ += size;
        switch (type) {
        case Type::i8: return decode<std::int8_t>(from, swap_);
        case Type::u8: return decode<std::uint8_t>(from, swap_);
        case Type::i16: return decode<std::int16_t>(from, swap_);
        case Type::u16: return decode<std::uint16_t>(from, swap_);
        case Type::i32: return decode<std::int32_t>(from, swap_);
        case Type::u32: return decode<std::uint32_t>(from, swap_);
        case Type::f32: return decode<float>(from, swap_);
        case Type::f64: return decode<double>(from, swap_);
        }
        return std::nullopt;
    }

    std::string_view bytes_;
    std::size_t at_;
    bool text_, swap_;
};

class PlyReader {
public:
    PlyReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    Result<Mesh> read() {
        if (Status header = read_header(); !header) return header.error();
        PlyValues values(bytes_, start_, text_, swap_);
        for (const PlyElement& element : elements_)
            if (Status status = read_element(element, values); !status) return status.error();
        if (mesh_.triangles.empty()) return Error{Fault::file, name_, "has no faces", "points alone are not a surface"};
        return std::move(mesh_);
    }

private:
    Status read_header() {
        TextScan scan(bytes_);
        std::string_view line;
        scan.next_line(line);
        if (line != "ply") return at_line(name_, 1, "does not start with \"ply\"");
        bool has_format = false;
        while (scan.next_line(line)) {
            const std::string_view word = take_word(line);
            std::string fault;
            if (word == "end_header") {
                start_ = bytes_.size() - scan.rest().size();
                return has_format ? Status(Done{}) : at_line(name_, scan.line_number(), "has no \"format\" line");
            }
            if (word == "format")
                fault = format(take_word(line)), has_format = true;
            else if (word == "element")
                fault = element(line);
            else if (word == "property")
                fault = property(line);
            else if (word != "comment" && word != "obj_info" && !word.empty())
                fault = "unknown word " + shown(word);
            if (!fault.empty()) return at_line(name_, scan.line_number(), fault);
        }
        return at_line(name_, scan.line_number(), "the header has no \"end_header\"");
    }
    std::string format(std::string_view word) {
        const bool little = word == "binary_little_endian", big = word == "binary_big_endian";
        text_ = word == "ascii";
        swap_ = std::endian::native == std::endian::little ? big : little;
        return text_ || little || big ? "" : "unknown format " + shown(word);
    }
    std::string element(std::string_view line) {
        const std::string_view name = take_word(line), count = take_word(line);
        const auto number = to_number<std::uint64_t>(count);
        if (!number) return "element count " + shown(count) + " is not a whole number";
        if (elements_.size() == 100) return "more than 100 elements";
        elements_.push_back({std::string(name), *number, {}});
        return "";
    }
    std::string property(std::string_view line) {
        if (elements_.empty()) return "a property before any element";
        if (elements_.back().properties.size() == 1000) return "more than 1000 properties";
        PlyProperty property;
        std::string_view word = take_word(line);
        if (word == "list") {
            property.count = type_named(word = take_word(line));
            if (!property.count) return "unknown type " + shown(word);
            word = take_word(line);
        }
        const auto type = type_named(word);
        if (!type) return "unknown type " + shown(word);
        property.type = *type;
        property.name = take_word(line);
        elements_.back().properties.push_back(property);
        return "";
    }

    Error fail(const PlyValues& values, std::string what) const {
        if (!text_) return {Fault::file, name_ + ": byte " + std::to_string(values.at()), std::move(what), ""};
        const std::string_view before = bytes_.substr(0, values.at());
        return at_line(name_, 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
                       std::move(what));
    }

    Status read_element(const PlyElement& element, PlyValues& values) {
        const bool is_vertex = element.name == "vertex", is_face = element.name == "face";
        if (element.properties.empty()) { // it takes no bytes: the count is not to be believed, nor walked through
            if (is_vertex && element.count > 0) return fail(values, "vertex has no properties x, y, z");
            return Done{};
        }
        for (std::uint64_t i = 0; i < element.count; ++i) {
            Vec3d p{NAN, NAN, NAN};
            for (const PlyProperty& property : element.properties) {
                const bool corners = is_face && (property.name == "vertex_indices" || property.name == "vertex_index");
                const Status status =
                    property.count ? read_list(property, corners, values) : read_value(property, p, values);
                if (!status) return status.error();
            }
            if (!is_vertex) continue;
            if (!is_finite(p)) return fail(values, "vertex " + std::to_string(i) + " has no finite x, y, z");
            if (i >= UINT32_MAX - 1) return fail(values, "too many vertices");
            mesh_.vertices.push_back(p);
        }
        return Done{};
    }
    Status read_value(const PlyProperty& property, Vec3d& p, PlyValues& values) {
        const auto value = values.next(property.type);
        if (!value) return fail(values, "the file ends, or has something that is no number, within its values");
        if (property.name.size() == 1 && property.name[0] >= 'x' && property.name[0] <= 'z')
            p[static_cast<std::size_t>(property.name[0] - 'x')] = *value;
        return Done{};
    }
    Status read_list(const PlyProperty& property, bool corners, PlyValues& values) {
        const auto count = values.next(*property.count);
        if (!count) return fail(values, "the file ends, or has something that is no number, within its values");
        if (!(*count >= 0 && *count <= 1e6)) return fail(values, "a list of impossible length");
        std::uint32_t first = 0, previous = 0;
        for (int i = 0; i < static_cast<int>(*count); ++i) {
            const auto value = values.next(property.type);
            if (!value) return fail(values, "the file ends, or has something that is no number, within a list");
            if (!corners) continue;
            if (!(*value >= 0 && *value < static_cast<double>(mesh_.vertices.size())))
                return fail(values, "a face corner is out of range: there are " +
                                        std::to_string(mesh_.vertices.size()) + " vertices");
            const auto corner = static_cast<std::uint32_t>(*value);
            if (i == 0) first = corner;
            if (i >= 2) mesh_.triangles.push_back({first, previous, corner});
            previous = corner;
        }
        return Done{};
    }

    std::string_view bytes_;
    std::string name_;
    std::size_t start_ = 0;
    bool text_ = true, swap_ = false;
    std::vector<PlyElement> elements_;
    Mesh mesh_;
};

} // namespace

Result<Mesh> parse_ply(std::string_view bytes, const std::string& name) { return PlyReader(bytes, name).read(); }

} // namespace loam
