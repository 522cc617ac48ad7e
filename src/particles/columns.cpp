#include "particles/columns.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <stdexcept>

#include "base/parallel.h"

namespace loam {
namespace {

// Room behind the last particle: the padding entry, and whole vector loads that start at the last particle.
constexpr std::size_t tail = 16;

template <std::size_t Stride> void gather(std::byte* to, const std::byte* from, std::span<const std::uint32_t> source) {
    parallel_each(source.size(),
                  [&](std::size_t i) { std::memcpy(to + i * Stride, from + source[i] * Stride, Stride); });
}

} // namespace

Columns::Buffer Columns::allocate(std::size_t bytes) {
    Buffer buffer(new (std::align_val_t{64}) std::byte[bytes]);
    return buffer;
}

std::size_t Columns::declare_bytes(ColumnInfo info) {
    if (info.type == ElementType::u32) info.nature = Nature::mark;
    if (const std::size_t known = find(info.name); known != SIZE_MAX) {
        ColumnInfo& old = stores_[known].info;
        if (old.type != info.type || old.stride != info.stride || old.nature != info.nature ||
            old.at_birth != info.at_birth)
            throw std::logic_error("the column \"" + info.name + "\" is declared in two ways");
        old.saved |= info.saved;
        old.output |= info.output;
        return known;
    }
    const std::size_t bytes = (capacity_ + tail) * info.stride;
    Buffer buffer = allocate(bytes);
    std::memset(buffer.get(), 0, bytes);
    stores_.push_back({std::move(info), std::move(buffer)});
    fill_at_birth(stores_.back(), 0, size_);
    return stores_.size() - 1;
}

void Columns::resize(std::size_t count) {
    ++order_;
    if (count > capacity_) {
        const std::size_t capacity = std::max(count, capacity_ + capacity_ / 4);
        for (Store& store : stores_) {
            const std::size_t used = size_ * store.info.stride, all = (capacity + tail) * store.info.stride;
            Buffer larger = allocate(all);
            std::memcpy(larger.get(), store.bytes.get(), used);
            std::memset(larger.get() + used, 0, all - used); // also what is read beyond the padding entry
            store.bytes = std::move(larger);
        }
        capacity_ = capacity;
    }
    if (count > size_)
        for (Store& store : stores_) fill_at_birth(store, size_, count);
    size_ = count;
    for (Store& store : stores_) std::memset(store.bytes.get() + size_ * store.info.stride, 0, store.info.stride);
}

void Columns::fill_at_birth(Store& store, std::size_t begin, std::size_t end) {
    const ColumnInfo& info = store.info;
    std::byte* const first = store.bytes.get() + begin * info.stride;
    const std::size_t bytes = (end - begin) * info.stride;
    const auto fill = [&](auto value) {
        using Element = decltype(value);
        std::fill_n(reinterpret_cast<Element*>(first), bytes / sizeof(Element), value);
    };
    switch (info.type) {
    case ElementType::f32: fill(static_cast<float>(info.at_birth)); break;
    case ElementType::f64: fill(info.at_birth); break;
    case ElementType::u32: fill(static_cast<std::uint32_t>(info.at_birth)); break;
    }
}

namespace {

// Calls visit(from, to) for each number that two particles have in a column.
template <class Element, class Visit>
void each_number(std::byte* bytes, std::size_t stride, std::size_t from, std::size_t to, const Visit& visit) {
    auto* const a = reinterpret_cast<Element*>(bytes + from * stride);
    auto* const b = reinterpret_cast<Element*>(bytes + to * stride);
    for (std::size_t k = 0; k < stride / sizeof(Element); ++k) visit(a[k], b[k]);
}

template <class Visit>
void each_number(ElementType type, std::byte* bytes, std::size_t stride, std::size_t from, std::size_t to,
                 const Visit& visit) {
    if (type == ElementType::f32) each_number<float>(bytes, stride, from, to, visit);
    if (type == ElementType::f64) each_number<double>(bytes, stride, from, to, visit);
    if (type == ElementType::u32) each_number<std::uint32_t>(bytes, stride, from, to, visit);
}

} // namespace

void Columns::split(std::size_t from, std::size_t to, double share) {
    for (Store& store : stores_) {
        const ColumnInfo& info = store.info;
        if (!info.saved) continue;
        each_number(info.type, store.bytes.get(), info.stride, from, to, [&](auto& a, auto& b) {
            using Element = std::decay_t<decltype(a)>;
            b = a;
            if (info.nature != Nature::amount) return;
            b = static_cast<Element>(share * a);
            a -= b; // so that the sum is what it was
        });
    }
}

void Columns::merge(std::size_t from, std::size_t to, double mass_from, double mass_to) {
    const double all = mass_from + mass_to, share = all > 0 ? mass_from / all : 0;
    for (Store& store : stores_) {
        const ColumnInfo& info = store.info;
        if (!info.saved) continue;
        each_number(info.type, store.bytes.get(), info.stride, from, to, [&](auto& a, auto& b) {
            using Element = std::decay_t<decltype(a)>;
            switch (info.nature) {
            case Nature::property: b = static_cast<Element>(b + share * (static_cast<double>(a) - b)); break;
            case Nature::amount: b += a, a = 0; break;
            case Nature::mark: b = mass_from > mass_to ? a : b; break;
            }
        });
    }
}

std::size_t Columns::append(std::size_t count) {
    const std::size_t first = size_;
    resize(size_ + count);
    return first;
}

void Columns::reorder(std::span<const std::uint32_t> source) { reorder_some(source, false); }
void Columns::reorder_saved(std::span<const std::uint32_t> source) { reorder_some(source, true); }

void Columns::reorder_some(std::span<const std::uint32_t> source, bool only_saved) {
    ++order_;
    for (Store& store : stores_) {
        if (only_saved && !store.info.saved) continue;
        const std::size_t stride = store.info.stride, needed = (capacity_ + tail) * stride;
        Store* const stale = only_saved ? find_unsaved(stride) : nullptr; // its content is no longer needed
        Spare& spare = spares_[stale ? 0 : stride];
        if (!stale && spare.size != needed) spare = {allocate(needed), needed};
        Buffer& target = stale ? stale->bytes : spare.bytes;
        std::byte* to = target.get();
        const std::byte* from = store.bytes.get();
        switch (stride) {
        case 4: gather<4>(to, from, source); break;
        case 8: gather<8>(to, from, source); break;
        case 16: gather<16>(to, from, source); break;
        case 24: gather<24>(to, from, source); break;
        default: assert(false && "a column type without a gather");
        }
        std::memset(to + source.size() * stride, 0, stride);
        std::swap(store.bytes, target);
    }
    size_ = source.size();
}

Columns::Store* Columns::find_unsaved(std::size_t stride) {
    for (Store& store : stores_)
        if (!store.info.saved && store.info.stride == stride) return &store;
    return nullptr;
}

std::size_t Columns::find(std::string_view name) const {
    for (std::size_t i = 0; i < stores_.size(); ++i)
        if (stores_[i].info.name == name) return i;
    return SIZE_MAX;
}

std::size_t Columns::memory() const {
    std::size_t bytes = 0;
    for (const auto& [stride, spare] : spares_) bytes += spare.size;
    for (const Store& store : stores_) bytes += (capacity_ + tail) * store.info.stride;
    return bytes;
}

} // namespace loam
