#include "particles/columns.h"

#include <cassert>
#include <cstring>

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
    if (const std::size_t known = find(info.name); known != SIZE_MAX) {
        ColumnInfo& old = stores_[known].info;
        assert(old.type == info.type && old.stride == info.stride && "one name, one type");
        old.saved |= info.saved;
        old.output |= info.output;
        return known;
    }
    const std::size_t bytes = (capacity_ + tail) * info.stride;
    Buffer buffer = allocate(bytes);
    std::memset(buffer.get(), 0, bytes);
    stores_.push_back({std::move(info), std::move(buffer)});
    return stores_.size() - 1;
}

void Columns::resize(std::size_t count) {
    if (count > capacity_) {
        const std::size_t capacity = std::max(count, capacity_ + capacity_ / 4);
        for (Store& store : stores_) {
            const std::size_t used = size_ * store.info.stride, all = (capacity + tail) * store.info.stride;
            Buffer larger = allocate(all);
            std::memcpy(larger.get(), store.bytes.get(), used);
            std::memset(larger.get() + used, 0, all - used);
            store.bytes = std::move(larger);
        }
        capacity_ = capacity;
    } else if (count > size_) {
        for (Store& store : stores_) {
            const std::size_t stride = store.info.stride;
            std::memset(store.bytes.get() + size_ * stride, 0, (count - size_ + 1) * stride);
        }
    }
    size_ = count;
    for (Store& store : stores_) std::memset(store.bytes.get() + size_ * store.info.stride, 0, store.info.stride);
}

std::size_t Columns::append(std::size_t count) {
    const std::size_t first = size_;
    resize(size_ + count);
    return first;
}

void Columns::reorder(std::span<const std::uint32_t> source) { reorder_some(source, false); }
void Columns::reorder_saved(std::span<const std::uint32_t> source) { reorder_some(source, true); }

void Columns::reorder_some(std::span<const std::uint32_t> source, bool only_saved) {
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
