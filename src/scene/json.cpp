#include "scene/json.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace loam::json {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\t': out += "\\t"; break;
        case '\r': out += "\\r"; break;
        default:
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
                out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
            else
                out += c;
        }
    return out;
}

bool is_flat(const Node& list) {
    return std::all_of(list.items.begin(), list.items.end(),
                       [](const Node& item) { return item.type != Type::list && item.type != Type::object; });
}

void write_to(std::string& out, const Node& node, std::size_t indent);

void write_list(std::string& out, const Node& node, std::size_t indent) {
    const bool flat = is_flat(node);
    const auto new_line = [&out](std::size_t spaces) { out.append(1, '\n').append(spaces, ' '); };
    out += '[';
    for (std::size_t i = 0; i != node.items.size(); ++i) {
        if (i) out += flat ? ", " : ",";
        if (!flat) new_line(indent + 2);
        write_to(out, node.items[i], indent + 2);
    }
    if (!flat) new_line(indent);
    out += ']';
}

void write_object(std::string& out, const Node& node, std::size_t indent) {
    out += '{';
    for (std::size_t i = 0; i != node.members.size(); ++i) {
        out += fmt::format("{}\n{:{}}\"{}\": ", i ? "," : "", "", indent + 2, escaped(node.members[i].key));
        write_to(out, node.members[i].value, indent + 2);
    }
    if (!node.members.empty()) out.append(1, '\n').append(indent, ' ');
    out += '}';
}

void write_to(std::string& out, const Node& node, std::size_t indent) {
    switch (node.type) {
    case Type::null: out += "null"; break;
    case Type::boolean: out += node.truth ? "true" : "false"; break;
    case Type::number: out += node.text; break;
    case Type::text: out += fmt::format("\"{}\"", escaped(node.text)); break;
    case Type::list: write_list(out, node, indent); break;
    case Type::object: write_object(out, node, indent); break;
    }
}

} // namespace

const Node* Node::find(std::string_view key) const {
    for (const Member& member : members)
        if (member.key == key) return &member.value;
    return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

Node& Node::set(const std::string& key, Node value) {
    if (Node* old = find(key)) return *old = std::move(value);
    const Place at = value.place;
    members.push_back({key, at, std::move(value)});
    return members.back().value;
}

void Node::remove(std::string_view key) {
    std::erase_if(members, [&](const Member& member) { return member.key == key; });
}

void Node::remove_or_leave_out(const std::string& key, Place null_at) {
    if (key != "like" && find("like"))
        set(key, Node{.place = null_at});
    else
        remove(key);
}

Node Node::object(Place place) {
    Node node;
    node.type = Type::object;
    node.place = place;
    return node;
}

Node Node::string(std::string text, Place place) {
    Node node;
    node.type = Type::text;
    node.place = place;
    node.text = std::move(text);
    return node;
}

std::string write(const Node& node) {
    std::string out;
    write_to(out, node, 0);
    return out + "\n";
}

void merge(Node& target, const Node& patch) {
    if (patch.type != Type::object) {
        target = patch;
        return;
    }
    if (target.type != Type::object) target = Node::object(patch.place);
    for (const Member& member : patch.members) {
        if (member.value.type == Type::null) {
            target.remove_or_leave_out(member.key, member.value.place);
            continue;
        }
        if (!target.find(member.key)) target.members.push_back({member.key, member.place, {}});
        merge(*target.find(member.key), member.value);
    }
}

std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 60;
    if (text.size() <= longest) return fmt::format("\"{}\"", escaped(text));
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut; // not within a character
    return fmt::format("\"{}...\"", escaped(text.substr(0, cut)));
}

std::string describe(const Node& node) {
    switch (node.type) {
    case Type::null: return "null";
    case Type::boolean: return node.truth ? "true" : "false";
    case Type::number: return "the number " + node.text.substr(0, 40);
    case Type::text: return "the text " + json::quoted(node.text);
    case Type::list: return fmt::format("a list of {}", node.items.size());
    case Type::object: return "a block {...}";
    }
    return "";
}

} // namespace loam::json
