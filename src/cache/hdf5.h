// The little of HDF5 that frames and checkpoints need. Files are built in memory, so that nothing can fail half way
// inside the HDF5 library (it does not recover from a full disk), and are read from disk once their seal has been
// checked.
//
// While a Writer or Reader lives it holds a lock on the library, which is not thread-safe in every build, and keeps it
// from printing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hdf5.h>

#include "base/result.h"
#include "cache/durable.h"

namespace loam::hdf5 {

enum class Type { u8, u32, u64, i64, f32, f64 };

std::size_t size_of(Type type);

class Session {
public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

private:
    std::unique_lock<std::mutex> lock_;
    H5E_auto2_t printer_ = nullptr;
    void* printer_data_ = nullptr;
};

// Owns an identifier of the library.
class Handle {
public:
    using Close = herr_t (*)(hid_t);
    Handle(hid_t id = -1, Close close = nullptr) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    operator hid_t() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }

private:
    hid_t id_;
    Close close_;
};

// rows x components; one-dimensional when components is 0.
struct Extent {
    std::uint64_t rows = 0;
    std::uint64_t components = 0;

    std::uint64_t values() const { return components == 0 ? rows : rows * components; }
    friend bool operator==(const Extent&, const Extent&) = default;
};

// Packed: shuffled and deflated. Pays for numbers that follow a pattern, not for measured ones.
enum class Packing { none, packed };

// Builds a file in memory. A failure (only memory can run out) is remembered and comes out of image().
class Writer {
public:
    Writer();

    void group(const std::string& path);
    void dataset(const std::string& path, Type type, Extent extent, const void* values,
                 Packing packing = Packing::none);
    void strings(const std::string& path, std::span<const std::string> values);
    // Of the group or dataset `object`.
    void attribute(const std::string& object, const std::string& name, Type type, Extent extent, const void* values);
    void attribute(const std::string& object, const std::string& name, std::int64_t value);
    void attribute(const std::string& object, const std::string& name, double value);
    void attribute(const std::string& object, const std::string& name, const std::string& value);

    // The finished file, valid as long as the writer lives; empty after a failure.
    Bytes image();

private:
    bool check(bool good);

    Session session_;
    Handle access_, file_;
    bool failed_ = false;
};

// Reads a file. Whatever is missing or of another kind than asked for is an empty optional or false.
class Reader {
public:
    // Checks the seal first.
    static Result<std::unique_ptr<Reader>> open(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return path_; }
    std::vector<std::string> children(const std::string& group) const;
    struct Found {
        Type type;
        Extent extent;
    };
    // Only datasets of numbers whose size fits into the file.
    std::optional<Found> find(const std::string& dataset) const;
    bool read(const std::string& dataset, Found expected, void* to) const;
    std::optional<std::vector<std::string>> strings(const std::string& dataset) const;

    std::optional<std::int64_t> integer(const std::string& object, const std::string& name) const;
    std::optional<double> number(const std::string& object, const std::string& name) const;
    std::optional<std::string> text(const std::string& object, const std::string& name) const;

    // The error for a file that is whole but does not hold what it should.
    Error unexpected(const std::string& what) const;

private:
    explicit Reader(std::filesystem::path path) : path_(std::move(path)) {}
    bool attribute(const std::string& object, const std::string& name, hid_t type, void* to) const;

    Session session_;
    std::filesystem::path path_;
    Handle file_;
    std::uint64_t file_size_ = 0;
};

} // namespace loam::hdf5
