// Types that make themselves known: a static Registry<T>::Entry in a source file adds one. T has declaration.name.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

namespace loam {

template <class T> class Registry {
public:
    struct Entry {
        explicit Entry(T type) {
            auto& types = storage();
            types.push_back(std::make_unique<const T>(std::move(type)));
            std::sort(types.begin(), types.end(),
                      [](const auto& a, const auto& b) { return a->declaration.name < b->declaration.name; });
        }
    };

    static const std::vector<std::unique_ptr<const T>>& all() { return storage(); } // sorted by name
    static const T* find(std::string_view name) {
        for (const auto& type : storage())
            if (type->declaration.name == name) return type.get();
        return nullptr;
    }

private:
    static std::vector<std::unique_ptr<const T>>& storage() {
        static std::vector<std::unique_ptr<const T>> types;
        return types;
    }
};

} // namespace loam
