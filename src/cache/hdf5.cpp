#include "cache/hdf5.h"

#include <algorithm>
#include <array>

#include "cache/seal.h"

namespace loam::hdf5 {

std::size_t size_of(Type type) {
    switch (type) {
    case Type::u8: return 1;
    case Type::u32:
    case Type::f32: return 4;
    default: return 8;
    }
}

namespace {

hid_t native(Type type) {
    switch (type) {
    case Type::u8: return H5T_NATIVE_UINT8;
    case Type::u32: return H5T_NATIVE_UINT32;
    case Type::u64: return H5T_NATIVE_UINT64;
    case Type::i64: return H5T_NATIVE_INT64;
    case Type::f32: return H5T_NATIVE_FLOAT;
    default: return H5T_NATIVE_DOUBLE;
    }
}

std::mutex& library_lock() {
    static std::mutex lock; // the library it guards is one per process
    return lock;
}

Handle space_of(Extent extent) {
    const std::array<hsize_t, 2> sizes{extent.rows, extent.components};
    return {H5Screate_simple(extent.components == 0 ? 1 : 2, sizes.data(), nullptr), H5Sclose};
}

Handle text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, size);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

// No times of creation: equal content gives equal bytes.
Handle creation_of(Extent extent, Packing packing) {
    Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(list, false);
    if (packing == Packing::packed && extent.rows > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        const std::array<hsize_t, 2> chunk{std::min<hsize_t>(extent.rows, 1 << 16), extent.components};
        H5Pset_chunk(list, extent.components == 0 ? 1 : 2, chunk.data());
        H5Pset_shuffle(list);
        H5Pset_deflate(list, 1);
    }
    return list;
}

std::optional<Type> type_of(hid_t stored) {
    for (const Type type : {Type::u8, Type::u32, Type::u64, Type::i64, Type::f32, Type::f64})
        if (H5Tequal(stored, native(type)) > 0) return type;
    return std::nullopt;
}

} // namespace

Session::Session() : lock_(library_lock()) {
    H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_); }

// Writer -------------------------------------------------------------------------------------------------------------

Writer::Writer() : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose) {
    constexpr std::size_t growth = 4 << 20;
    check(H5Pset_fapl_core(access_, growth, false) >= 0);
    // The name is only a name: the file lives in memory.
    file_ = Handle(H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access_), H5Fclose);
    check(bool(file_));
}

bool Writer::check(bool good) {
    failed_ |= !good;
    return good;
}

void Writer::group(const std::string& path) {
    check(bool(Handle(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose)));
}

void Writer::dataset(const std::string& path, Type type, Extent extent, const void* values, Packing packing) {
    const Handle space = space_of(extent), creation = creation_of(extent, packing);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    const Handle set(H5Dcreate2(file_, path.c_str(), native(type), space, H5P_DEFAULT, creation, H5P_DEFAULT),
                     H5Dclose);
    if (check(bool(set)) && extent.values() > 0)
        check(H5Dwrite(set, native(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

void Writer::strings(const std::string& path, std::span<const std::string> values) {
    const Extent extent{values.size()};
    const Handle type = text_type(H5T_VARIABLE), space = space_of(extent),
                 creation = creation_of(extent, Packing::none);
    const Handle set(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    if (check(bool(set)) && !texts.empty())
        check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0);
}

void Writer::attribute(const std::string& object, const std::string& name, Type type, Extent extent,
                       const void* values) {
    const Handle space = extent.rows == 0 ? Handle(H5Screate(H5S_SCALAR), H5Sclose) : space_of(extent);
    const Handle made(H5Acreate_by_name(file_, object.c_str(), name.c_str(), native(type), space, H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
    if (check(bool(made))) check(H5Awrite(made, native(type), values) >= 0);
}

void Writer::attribute(const std::string& object, const std::string& name, std::int64_t value) {
    attribute(object, name, Type::i64, {}, &value);
}

void Writer::attribute(const std::string& object, const std::string& name, double value) {
    attribute(object, name, Type::f64, {}, &value);
}

void Writer::attribute(const std::string& object, const std::string& name, const std::string& value) {
    // Of fixed size and ASCII where it can be, as VTK wants its own.
    const Handle type = text_type(std::max<std::size_t>(value.size(), 1)), space(H5Screate(H5S_SCALAR), H5Sclose);
    const bool ascii = std::all_of(value.begin(), value.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
    if (ascii) H5Tset_cset(type, H5T_CSET_ASCII);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    const Handle made(
        H5Acreate_by_name(file_, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    if (check(bool(made))) check(H5Awrite(made, type, value.c_str()) >= 0);
}

Bytes Writer::image() {
    if (failed_ || !check(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0)) return {};
    const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
    void* handle = nullptr; // of the memory driver: where its pointer to the bytes stands
    if (!check(size > 0 && H5Fget_vfd_handle(file_, access_, &handle) >= 0 && handle != nullptr)) return {};
    return {*static_cast<const std::byte* const*>(handle), static_cast<std::size_t>(size)};
}

// Reader -------------------------------------------------------------------------------------------------------------

Result<std::unique_ptr<Reader>> Reader::open(const std::filesystem::path& path) {
    if (Status sealed = check_seal(path); !sealed) return sealed.error();
    std::unique_ptr<Reader> reader(new Reader(path));
    reader->file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    hsize_t size = 0;
    if (!reader->file_ || H5Fget_filesize(reader->file_, &size) < 0) return reader->unexpected("it is not HDF5");
    reader->file_size_ = size;
    return reader;
}

Error Reader::unexpected(const std::string& what) const {
    return {Fault::file, path_.string(), "this file is whole but not as expected: " + what,
            "it was made by another version of Loam or another program"};
}

std::vector<std::string> Reader::children(const std::string& group) const {
    std::vector<std::string> names;
    const Handle opened(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose);
    if (!opened) return names;
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
        static_cast<std::vector<std::string>*>(to)->push_back(name);
        return 0;
    };
    H5Literate(opened, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
    return names;
}

std::optional<Reader::Found> Reader::find(const std::string& dataset) const {
    const Handle set(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set) return std::nullopt;
    const Handle space(H5Dget_space(set), H5Sclose), stored(H5Dget_type(set), H5Tclose);
    std::array<hsize_t, 2> sizes{};
    const int rank = H5Sget_simple_extent_ndims(space);
    const std::optional<Type> type = type_of(stored);
    if (rank < 1 || rank > 2 || !type || H5Sget_simple_extent_dims(space, sizes.data(), nullptr) < 0)
        return std::nullopt;
    // Deflate shrinks at most about a thousandfold: a set that claims more is not believed.
    const std::uint64_t most = 1100 * file_size_;
    const Extent extent{sizes[0], sizes[1]};
    if (extent.rows > most || extent.components > 64 || extent.values() * size_of(*type) > most) return std::nullopt;
    return Found{*type, extent};
}

bool Reader::read(const std::string& dataset, Found expected, void* to) const {
    const std::optional<Found> found = find(dataset);
    if (!found || found->type != expected.type || found->extent != expected.extent) return false;
    if (found->extent.values() == 0) return true;
    const Handle set(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
    return H5Dread(set, native(expected.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
}

std::optional<std::vector<std::string>> Reader::strings(const std::string& dataset) const {
    const Handle set(H5Dopen2(file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set) return std::nullopt;
    const Handle space(H5Dget_space(set), H5Sclose), stored(H5Dget_type(set), H5Tclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (H5Tis_variable_str(stored) <= 0 || count < 0 || static_cast<std::uint64_t>(count) > file_size_)
        return std::nullopt;
    std::vector<char*> texts(static_cast<std::size_t>(count), nullptr);
    const Handle type = text_type(H5T_VARIABLE);
    if (count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) < 0) return std::nullopt;
    std::vector<std::string> values;
    values.reserve(texts.size());
    for (char* text : texts) values.push_back(text ? text : "");
    if (count > 0) H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    return values;
}

bool Reader::attribute(const std::string& object, const std::string& name, hid_t type, void* to) const {
    const Handle found(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    if (!found) return false;
    const Handle space(H5Aget_space(found), H5Sclose);
    return H5Sget_simple_extent_npoints(space) == 1 && H5Aread(found, type, to) >= 0;
}

std::optional<std::int64_t> Reader::integer(const std::string& object, const std::string& name) const {
    std::int64_t value = 0;
    return attribute(object, name, H5T_NATIVE_INT64, &value) ? std::optional(value) : std::nullopt;
}

std::optional<double> Reader::number(const std::string& object, const std::string& name) const {
    double value = 0;
    return attribute(object, name, H5T_NATIVE_DOUBLE, &value) ? std::optional(value) : std::nullopt;
}

std::optional<std::string> Reader::text(const std::string& object, const std::string& name) const {
    const Handle found(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Handle stored(found ? H5Aget_type(found) : -1, H5Tclose);
    if (!stored || H5Tget_class(stored) != H5T_STRING) return std::nullopt;
    std::array<char, 4096> value{};
    const Handle type = text_type(value.size());
    H5Tset_cset(type, H5Tget_cset(stored)); // the library does not convert between ASCII and UTF-8
    return attribute(object, name, type, value.data()) ? std::optional<std::string>(value.data()) : std::nullopt;
}

} // namespace loam::hdf5
