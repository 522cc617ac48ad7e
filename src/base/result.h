// Errors are values: the library never prints, never exits and does not throw across its interface.
//
//     Result<Mesh> mesh = read_mesh(path);
//     if (!mesh) return mesh.error();
//     use(*mesh);
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace loam {

// What kind of trouble; the program turns it into its exit code.
enum class Fault {
    scene,      // the scene or another input is wrong: the user edits it
    usage,      // the command line is wrong
    file,       // reading or writing failed: disk full, missing, damaged
    simulation, // the run cannot go on: non-finite values, a time step that cannot be held
    stopped,    // interrupted on request
};

struct Error {
    Fault fault = Fault::scene;
    std::string where; // file, file:line, or a path in the scene such as bodies.water.shape
    std::string what;  // what is wrong, with the value found
    std::string hint;  // what to do: allowed range, nearest name, setting to change

    std::string text() const {
        std::string all = where.empty() ? what : where + ": " + what;
        return hint.empty() ? all : all + "\n  " + hint;
    }
};

template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Error error) : state_(std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() { return std::get<0>(state_); }
    const T& operator*() const { return std::get<0>(state_); }
    T* operator->() { return &std::get<0>(state_); }
    const T* operator->() const { return &std::get<0>(state_); }
    const Error& error() const { return std::get<1>(state_); }
    Error& error() { return std::get<1>(state_); }

private:
    std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;

} // namespace loam
