#include "behaviors/acts.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace loam {
namespace {

// What an act does first to a quantity; nothing where it has no part in it. Who changes what it reads counts as one
// that changes it.
std::optional<Access> access_to(const Act& act, std::string_view quantity) {
    std::optional<Access> first;
    for (const Use& use : act.uses)
        if (use.quantity == quantity && (!first || use.access < *first)) first = use.access;
    return first;
}

bool comes_before(const Act& a, const Act& b) {
    return std::any_of(a.uses.begin(), a.uses.end(), [&](const Use& use) {
        const auto own = access_to(a, use.quantity), other = access_to(b, use.quantity);
        return other && *own < *other;
    });
}

} // namespace

const Act* find_act(std::span<const Act> acts, Stage stage) {
    const auto found = std::find_if(acts.begin(), acts.end(), [&](const Act& act) { return act.stage == stage; });
    return found == acts.end() ? nullptr : &*found;
}

bool writes(const Act& act, std::string_view quantity) {
    const auto access = access_to(act, quantity);
    return access && *access != Access::reads;
}

std::vector<std::size_t> order_in(Stage stage, std::span<const NamedActs> laws) {
    std::vector<std::size_t> waiting;
    for (std::size_t k = 0; k < laws.size(); ++k)
        if (find_act(laws[k].acts, stage)) waiting.push_back(k);
    std::sort(waiting.begin(), waiting.end(),
              [&](std::size_t a, std::size_t b) { return laws[a].name < laws[b].name; });
    std::vector<std::size_t> order;
    while (!waiting.empty()) {
        const auto free = std::find_if(waiting.begin(), waiting.end(), [&](std::size_t k) {
            const Act& own = *find_act(laws[k].acts, stage);
            return std::none_of(waiting.begin(), waiting.end(), [&](std::size_t other) {
                return other != k && comes_before(*find_act(laws[other].acts, stage), own);
            });
        });
        if (free == waiting.end())
            throw std::logic_error("the law \"" + std::string(laws[waiting.front()].name) +
                                   "\" and another one would each have to act before the other");
        order.push_back(*free);
        waiting.erase(free);
    }
    return order;
}

} // namespace loam
