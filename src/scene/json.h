// JSON as a tree that remembers where each value stands, so that any later complaint can name line and column. Comments
// are allowed; keys given twice, numbers out of range and text that is not UTF-8 are not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loam::json {

// A position in one of the texts a scene is made of: the file, the overrides, the presets that it uses.
struct Place {
    std::size_t offset = 0;
    std::size_t source = 0; // as Complaints counts them; 0 is the file
};

enum class Type { null, boolean, number, text, list, object };

struct Member;

struct Node {
    Type type = Type::null;
    Place place;
    bool truth = false;
    double number = 0;
    std::string text; // the characters of a text, or a number as it was written
    std::vector<Node> items;
    std::vector<Member> members; // in the order of the file

    const Node* find(std::string_view key) const;
    Node* find(std::string_view key);
    Node& set(const std::string& key, Node value); // replaces, or adds at the end
    void remove(std::string_view key);
    // In a block that is `like` a preset, null is kept: it tells that the preset's value is not wanted either.
    void remove_or_leave_out(const std::string& key, Place null_at);

    static Node object(Place place);
    static Node string(std::string text, Place place);
};

struct Member {
    std::string key;
    Place place;
    Node value;
};

inline constexpr int max_depth = 64;
inline constexpr std::size_t max_size = std::size_t{4} << 20;

struct Problem {
    Place place;
    std::string what, hint;
};

struct Parsed {
    Node root;
    std::optional<Problem> problem;
};
Parsed parse(std::string_view text, std::size_t source = 0);

std::string write(const Node& node); // indented; numbers as they were written

// JSON Merge Patch (RFC 7396): blocks are merged, other values replaced, null removes. A null that leaves out something
// of a preset stays (see remove_or_leave_out).
void merge(Node& target, const Node& patch);

// A value in a few words for a message: the text "abc", the number 5, a list of 3.
std::string describe(const Node& node);
std::string quoted(std::string_view text); // shortened, odd characters escaped

} // namespace loam::json
