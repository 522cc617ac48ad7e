// Recursive descent over JSON (RFC 8259) with comments. Stops at the first problem.
#include <algorithm>
#include <charconv>
#include <unordered_map>

#include <fmt/format.h>

#include "scene/json.h"

namespace loam::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+' || c == '-' ||
           c == '.';
}

// Length of the UTF-8 character at the start of `s`; 0 when it is not a valid one.
std::size_t utf8_length(std::string_view s) {
    const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
    const unsigned b = byte(0), c = byte(1);
    if (b < 0x80) return 1;
    if (b >= 0xc2 && b <= 0xdf) return follows(1) ? 2 : 0;
    if (b >= 0xe0 && b <= 0xef) {
        const bool legal = !(b == 0xe0 && c < 0xa0) && !(b == 0xed && c > 0x9f);
        return legal && follows(1) && follows(2) ? 3 : 0;
    }
    if (b >= 0xf0 && b <= 0xf4) {
        const bool legal = !(b == 0xf0 && c < 0x90) && !(b == 0xf4 && c > 0x8f);
        return legal && follows(1) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

void append_utf8(std::string& out, unsigned code) {
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | code >> 6), put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 0x3f)), put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | code >> 18), put(0x80 | (code >> 12 & 0x3f)), put(0x80 | (code >> 6 & 0x3f)),
            put(0x80 | (code & 0x3f));
    }
}

// Whether the token follows JSON's grammar of numbers.
bool is_number(std::string_view s) {
    std::size_t i = 0;
    const auto digits = [&] {
        const std::size_t begin = i;
        while (i < s.size() && is_digit(s[i])) ++i;
        return i - begin;
    };
    if (i < s.size() && s[i] == '-') ++i;
    const bool leading_zero = i < s.size() && s[i] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (leading_zero && whole > 1)) return false;
    if (i < s.size() && s[i] == '.' && (++i, digits() == 0)) return false;
    if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
        ++i;
        if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
        if (digits() == 0) return false;
    }
    return i == s.size();
}

class Parser {
public:
    Parser(std::string_view text, std::size_t source) : text_(text), source_(source) {}

    Parsed document() {
        Parsed parsed;
        if (text_.size() > max_size) {
            fail(0, fmt::format("the text is {} bytes long", text_.size()),
                 fmt::format("allowed: at most {} bytes", max_size));
        } else {
            if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3; // a byte order mark, as some editors write it
            skip_space();
            parsed.root = value(0);
            skip_space();
            if (!problem_ && at_ < text_.size())
                fail(at_, found() + " after the end", "one { ... } is the whole scene");
        }
        parsed.problem = std::move(problem_);
        return parsed;
    }

private:
    void fail(std::size_t offset, std::string what, std::string hint = "") {
        if (!problem_) problem_ = Problem{{offset, source_}, std::move(what), std::move(hint)};
        at_ = text_.size();
    }
    bool failed() const { return problem_.has_value(); }
    bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }
    bool take(char c) { return at(c) ? (++at_, true) : false; }
    std::string_view rest() const { return text_.substr(at_); }

    std::string found() const {
        if (at_ >= text_.size()) return "the text ends";
        const unsigned char c = static_cast<unsigned char>(text_[at_]);
        if (c == 0x7f || c < 0x20 || utf8_length(rest()) == 0) return fmt::format("found the byte 0x{:02x}", c);
        return "found '" + std::string(rest().substr(0, utf8_length(rest()))) + "'";
    }

    void skip_space() {
        while (at_ < text_.size()) {
            if (at(' ') || at('\t') || at('\n') || at('\r')) {
                ++at_;
            } else if (rest().substr(0, 2) == "//") {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest().substr(0, 2) == "/*") {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos) return fail(at_, "this comment has no end", "close it with */");
                at_ = end + 2;
            } else {
                return;
            }
        }
    }

    Node value(int depth) {
        Node node;
        node.place = {at_, source_};
        if (depth > max_depth) {
            fail(at_, "nested too deeply", fmt::format("allowed: at most {} levels", max_depth));
        } else if (at('{')) {
            object(node, depth);
        } else if (at('[')) {
            list(node, depth);
        } else if (at('"')) {
            node.type = Type::text;
            node.text = string();
        } else if (at('\'')) {
            fail(at_, "found '", "text stands in double quotes");
        } else if (at_ < text_.size() && is_word(text_[at_])) {
            word(node);
        } else {
            fail(at_, found() + " where a value should be", "a value is a number, \"text\", true, false, [..] or {..}");
        }
        return node;
    }

    void object(Node& node, int depth) {
        node.type = Type::object;
        const std::size_t begin = at_++;
        std::unordered_map<std::string, std::size_t> seen;
        skip_space();
        if (take('}')) return;
        while (!failed()) {
            Member member;
            member.place = {at_, source_};
            if (!at('"')) return fail(at_, found() + " where a key in double quotes should be", key_hint(begin));
            member.key = string();
            if (!failed() && !seen.emplace(member.key, member.place.offset).second)
                return fail(member.place.offset,
                            "the key " + json::quoted(member.key) + " stands here for the second time",
                            fmt::format("the first one is in line {}", line_of(seen[member.key])));
            skip_space();
            if (!take(':'))
                return fail(at_, found() + " after the key " + json::quoted(member.key), "a colon is missing");
            skip_space();
            member.value = value(depth + 1);
            node.members.push_back(std::move(member));
            if (!next('}', begin)) return;
        }
    }

    void list(Node& node, int depth) {
        node.type = Type::list;
        const std::size_t begin = at_++;
        skip_space();
        if (take(']')) return;
        while (!failed()) {
            node.items.push_back(value(depth + 1));
            if (!next(']', begin)) return;
        }
    }

    // Past the comma to the next entry; false at the end of the block or list.
    bool next(char close, std::size_t begin) {
        skip_space();
        if (take(close) || failed()) return false;
        const std::size_t comma = at_;
        if (!take(',')) {
            fail(at_, found() + fmt::format(" where ',' or '{}' should be", close),
                 fmt::format("the '{}' was opened in line {}", text_[begin], line_of(begin)));
            return false;
        }
        skip_space();
        if (!at(close)) return true;
        fail(comma, fmt::format("a comma before '{}'", close), "remove it");
        return false;
    }

    std::string key_hint(std::size_t begin) const {
        if (at_ >= text_.size()) return fmt::format("the '{{' was opened in line {}", line_of(begin));
        return "keys look like \"duration\": 4";
    }

    std::string string() {
        const std::size_t begin = at_++;
        std::string out;
        while (!failed()) {
            const std::size_t length = utf8_length(rest());
            if (at_ >= text_.size() || at('\n') || at('\r')) {
                fail(begin, "this text has no closing quote");
            } else if (take('"')) {
                break;
            } else if (at('\\')) {
                escape(out);
            } else if (length == 0 || static_cast<unsigned char>(text_[at_]) < 0x20) {
                fail(at_, found() + " in a text", "a scene is UTF-8 without control characters");
            } else {
                out += rest().substr(0, length);
                at_ += length;
            }
        }
        return out;
    }

    void escape(std::string& out) {
        const std::size_t begin = at_++;
        constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        const std::size_t which = at_ < text_.size() ? names.find(text_[at_]) : std::string_view::npos;
        if (which != std::string_view::npos) {
            out += meanings[which];
            ++at_;
        } else if (take('u')) {
            unicode(out, begin);
        } else {
            fail(begin, "unknown escape in a text", "a backslash is written \\\\");
        }
    }

    void unicode(std::string& out, std::size_t begin) {
        unsigned code = hex4(begin);
        if (code >= 0xd800 && code < 0xdc00 && rest().substr(0, 2) == "\\u") { // first half of a pair
            at_ += 2;
            const unsigned second = hex4(begin);
            code = second >= 0xdc00 && second < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00) : 0xd800;
        }
        if (code >= 0xd800 && code < 0xe000) return fail(begin, "half of a character", "write the character itself");
        append_utf8(out, code);
    }

    unsigned hex4(std::size_t begin) {
        unsigned code = 0;
        const std::string_view digits = rest().substr(0, 4);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (error != std::errc{} || digits.size() != 4 || end != digits.data() + 4) {
            fail(begin, "\\u needs four hexadecimal digits");
            return 0;
        }
        at_ += 4;
        return code;
    }

    // true, false, null or a number: everything else made of such characters is explained as a whole.
    void word(Node& node) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        const std::string_view token = text_.substr(begin, at_ - begin);
        if (token == "true" || token == "false") {
            node.type = Type::boolean;
            node.truth = token == "true";
        } else if (token == "null") {
            node.type = Type::null;
        } else if (is_number(token)) {
            node.type = Type::number;
            node.text = token;
            const auto result = std::from_chars(token.data(), token.data() + token.size(), node.number);
            if (result.ec != std::errc{})
                fail(begin, "the number " + std::string(token.substr(0, 40)) + " is out of range",
                     "allowed: sizes from about 1e-308 to 1e308");
        } else {
            fail(begin, json::quoted(token) + " is not a value", word_hint(token));
        }
    }

    static std::string word_hint(std::string_view token) {
        std::string lower(token);
        for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (lower.find("nan") != std::string::npos || lower.find("inf") != std::string::npos)
            return "numbers must be finite";
        if (lower == "true" || lower == "false") return "did you mean " + lower + "?";
        if (lower == "none" || lower == "nil" || lower == "undefined") return "did you mean null?";
        if (is_digit(token[0]) || token[0] == '.' || token[0] == '+' || token[0] == '-')
            return "numbers look like 2, -0.5 or 1e-3";
        return "text stands in double quotes";
    }

    std::size_t line_of(std::size_t offset) const {
        return 1 + static_cast<std::size_t>(
                       std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    }

    std::string_view text_;
    std::size_t source_;
    std::size_t at_ = 0;
    std::optional<Problem> problem_;
};

} // namespace

Parsed parse(std::string_view text, std::size_t source) { return Parser(text, source).document(); }

} // namespace loam::json
