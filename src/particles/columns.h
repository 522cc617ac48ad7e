// Particles as named columns (structure of arrays). A column is declared once, with its unit, its flags and its life;
// from that follow what is sorted, saved in checkpoints and written to frames, what newborns have, and what becomes of
// it where a particle splits or two merge.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/vec.h"

namespace loam {

enum class ElementType : std::uint8_t { f32, f64, u32 };

// What a column tells of a particle, and so what becomes of it:
//             in a split                         in a merge
//   property  copied                             the mean by mass
//   amount    shared out                         summed up
//   mark      copied                             that of the heavier one
enum class Nature : std::uint8_t { property, amount, mark };

struct ColumnInfo {
    std::string name;
    std::string unit;
    std::string help;
    bool saved = false;  // state: kept in checkpoints. Unsaved columns are recomputed in every step
    bool output = false; // written to frames
    Nature nature = Nature::property;
    double at_birth = 0; // in all components, of particles without a parent; a law may know better (Behavior::born)
    // Filled in by declare():
    ElementType type = ElementType::f32;
    std::uint8_t components = 1; // meaningful ones: 3 for Float4 and Vec3d
    std::uint8_t stride = 4;     // bytes per particle
};

// A typed handle to a column of one Columns object.
template <class T> struct Column { std::size_t index = SIZE_MAX; };

class Columns {
public:
    // Declaring the same name again gives the same column; flags are joined. Throws std::logic_error where its type,
    // nature or value at birth is another one: two laws mean different things by one name.
    template <class T> Column<T> declare(ColumnInfo info);

    std::size_t size() const { return size_; }
    // Another number whenever particles may stand elsewhere: they were sorted, some were born or have died.
    std::uint64_t order() const { return order_; }

    template <class T> std::span<T> operator[](Column<T> column) {
        return {reinterpret_cast<T*>(stores_[column.index].bytes.get()), size_};
    }
    template <class T> std::span<const T> operator[](Column<T> column) const {
        return {reinterpret_cast<const T*>(stores_[column.index].bytes.get()), size_};
    }
    // The padding entry behind the last particle, which padded neighbor lists point to. All zero unless set.
    template <class T> T& padding(Column<T> column) {
        return reinterpret_cast<T*>(stores_[column.index].bytes.get())[size_];
    }

    void resize(std::size_t count);                      // new particles have what is declared for their birth
    std::size_t append(std::size_t count);               // returns the index of the first new one
    void reorder(std::span<const std::uint32_t> source); // new[i] = old[source[i]]; may be shorter: the rest dies
    // As reorder, for saved columns only, when all others are about to be recomputed.
    void reorder_saved(std::span<const std::uint32_t> source);

    // Particle `to` becomes a part of particle `from`, which keeps the rest: see Nature. For saved columns.
    void split(std::size_t from, std::size_t to, double share);
    // Particle `to` takes up particle `from`, of these masses; `from` keeps nothing of any amount. For saved columns.
    void merge(std::size_t from, std::size_t to, double mass_from, double mass_to);

    std::size_t column_count() const { return stores_.size(); }
    const ColumnInfo& info(std::size_t index) const { return stores_[index].info; }
    // The index of the column with this name, or SIZE_MAX.
    std::size_t find(std::string_view name) const;
    std::byte* bytes(std::size_t index) { return stores_[index].bytes.get(); }
    const std::byte* bytes(std::size_t index) const { return stores_[index].bytes.get(); }
    std::size_t memory() const; // bytes held by all columns

private:
    struct Free {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
    };
    using Buffer = std::unique_ptr<std::byte[], Free>;
    struct Store {
        ColumnInfo info;
        Buffer bytes;
    };

    std::size_t declare_bytes(ColumnInfo info);
    Store* find_unsaved(std::size_t stride);
    void reorder_some(std::span<const std::uint32_t> source, bool only_saved);
    static Buffer allocate(std::size_t bytes);
    static void fill_at_birth(Store& store, std::size_t begin, std::size_t end);

    std::vector<Store> stores_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::uint64_t order_ = 1;
    struct Spare { // target of reordering, swapped with the column; one per stride
        Buffer bytes;
        std::size_t size = 0;
    };
    std::map<std::size_t, Spare> spares_;
};

template <class T> Column<T> Columns::declare(ColumnInfo info) {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::uint32_t> || std::is_same_v<T, Float4> ||
                  std::is_same_v<T, Vec3d> || std::is_same_v<T, double>);
    info.type = std::is_same_v<T, std::uint32_t>                        ? ElementType::u32
                : std::is_same_v<T, Vec3d> || std::is_same_v<T, double> ? ElementType::f64
                                                                        : ElementType::f32;
    info.components = std::is_same_v<T, Float4> || std::is_same_v<T, Vec3d> ? 3 : 1;
    info.stride = sizeof(T);
    return {declare_bytes(std::move(info))};
}

} // namespace loam
