// When in a step a law acts, and what it does to what: from that follows the order in which laws act, not from their
// names. Within a stage a law that takes up a quantity comes after those that have made it what it is:
//
//   sets     whatever it was before                 a pin leads what it holds
//   changes  adds to it, or exchanges some          a force, viscosity, a spring
//   bounds   takes out what cannot be               contacts, a barrier
//   reads    as these have left it
//   follows  is written last: nothing of it is anybody's business    samples of a sheet go where its points are
//
// A quantity is a column (`velocity`), or any other word that two laws agree on (`contacts`). Laws that nothing orders
// act in the order of their names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loam {

enum class Stage : std::uint8_t {
    prepare,       // once, before the first step
    begin,         // before neighbors are known: what particles are made of may change
    force,         // adds to accelerations
    implicit,      // velocities have taken up the accelerations; pressure comes next
    before_motion, // after pressure: the last word on velocities
    after_motion,  // the last word on positions
    transfer,      // what neighbors exchange at the end of a step: mass, heat, solutes
    births,        // who is born and who dies
    show,          // where a frame is due: what only frames and gauges need is brought up to date
    constrain,     // whenever forces, pushes or velocities are known: what moves as one is made to (`field`)
};
inline constexpr std::size_t stage_count = 10;

enum class Access : std::uint8_t { sets, changes, bounds, reads, follows };

struct Use {
    Access access;
    std::string quantity;
};
inline Use sets(std::string quantity) { return {Access::sets, std::move(quantity)}; }
inline Use changes(std::string quantity) { return {Access::changes, std::move(quantity)}; }
inline Use bounds(std::string quantity) { return {Access::bounds, std::move(quantity)}; }
inline Use reads(std::string quantity) { return {Access::reads, std::move(quantity)}; }
inline Use follows(std::string quantity) { return {Access::follows, std::move(quantity)}; }

struct Act {
    Stage stage;
    std::vector<Use> uses;
};

struct NamedActs {
    std::string_view name;
    std::span<const Act> acts;
};

const Act* find_act(std::span<const Act> acts, Stage stage); // null: it does not act then
bool writes(const Act& act, std::string_view quantity);      // in any way but reads it

// Which of the laws act in a stage, in their order. Throws std::logic_error where each of some laws would have to come
// before another one of them.
std::vector<std::size_t> order_in(Stage stage, std::span<const NamedActs> laws);

} // namespace loam
