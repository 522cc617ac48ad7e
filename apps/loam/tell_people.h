// What people are told, on stderr. It is no use to fail where it cannot be written.
#pragma once

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace loam {

template <class... Values> void tell_people(fmt::format_string<Values...> text, Values&&... values) {
    std::fputs(fmt::format(text, std::forward<Values>(values)...).c_str(), stderr);
}

} // namespace loam
