// Checkpoints: all that a run needs to go on bit for bit where it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "particles/columns.h"

namespace loam {

// Named values beside the particles: time, steps, counters, the insides of solvers and emitters.
class State {
public:
    using Numbers = std::vector<double>;
    using Counts = std::vector<std::uint64_t>;
    using Texts = std::vector<std::string>;
    using Entry = std::variant<Numbers, Counts, Texts>;

    void set(const std::string& name, Entry entry) { entries_[name] = std::move(entry); }
    void set_number(const std::string& name, double value) { set(name, Numbers{value}); }
    void set_count(const std::string& name, std::uint64_t value) { set(name, Counts{value}); }

    // The entry of that name and kind, or null.
    template <class T> const T* find(std::string_view name) const {
        const auto entry = entries_.find(name);
        return entry == entries_.end() ? nullptr : std::get_if<T>(&entry->second);
    }
    // Single values; an error when missing or of another kind.
    Result<double> number(std::string_view name) const;
    Result<std::uint64_t> count(std::string_view name) const;

    const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }
    friend bool operator==(const State&, const State&) = default;

private:
    std::map<std::string, Entry, std::less<>> entries_;
};

// Writes every column flagged `saved` with all its bytes in the present order, and the state. `scene_hash` is
// hash_of(scene text): the checkpoint belongs to that scene only.
Status write_checkpoint(const std::filesystem::path& path, const Columns& columns, const State& state,
                        std::uint64_t scene_hash);

// Restores into columns whose declarations are those of the run that wrote it. Unsaved columns become zero. After an
// error the columns are not to be used.
Result<State> read_checkpoint(const std::filesystem::path& path, Columns& columns, std::uint64_t scene_hash);

} // namespace loam
