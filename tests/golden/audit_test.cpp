// Laws write no more than they declare: whoever reads a declaration, or orders laws by it, may trust it. Of the columns
// that all laws share; those of a law are its own.
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "golden.h"
#include "solid_scenes.h"

namespace loam::test {
namespace {

class Auditor : public Laws::Auditor {
public:
    explicit Auditor(const Pool& pool) : pool_(pool) {}

    void before(const Law&, const Act&) override {
        for (const std::size_t c : shared()) {
            const std::byte* const bytes = pool_.bytes(c);
            before_[c].assign(bytes, bytes + pool_.size() * pool_.info(c).stride);
        }
    }
    void after(const Law& law, const Act& act) override {
        ++acts;
        for (const std::size_t c : shared()) {
            const bool same = before_[c].size() == pool_.size() * pool_.info(c).stride &&
                              std::memcmp(before_[c].data(), pool_.bytes(c), before_[c].size()) == 0;
            if (!same && !writes(act, pool_.info(c).name))
                undeclared.insert(law.name + " writes " + pool_.info(c).name + " in stage " +
                                  std::to_string(static_cast<int>(act.stage)));
        }
    }

    std::set<std::string> undeclared;
    std::size_t acts = 0;

private:
    std::vector<std::size_t> shared() const {
        return {pool_.id.index,     pool_.body.index,        pool_.position.index, pool_.velocity.index,
                pool_.volume.index, pool_.mass.index,        pool_.density.index,  pool_.pressure.index,
                pool_.place.index,  pool_.acceleration.index};
    }
    const Pool& pool_;
    std::map<std::size_t, std::vector<std::byte>> before_;
};

TEST(Audit, LawsWriteNoMoreThanTheyDeclare) {
    std::size_t acts = 0;
    std::set<std::string> undeclared;
    for (const auto& path : golden_files()) {
        const Json file = read_json(path);
        for (const auto& [name, one] : file.at("cases").items()) {
            Json scene = file.value("scene", Json::object());
            scene.merge_patch(one.value("scene", Json::object()));
            const auto s = start(scene.dump());
            Auditor auditor(s->particles());
            s->laws().set_auditor(&auditor);
            const double until = one.contains("until") ? one.at("until").get<double>() : file.at("until").get<double>();
            advance(*s, until);
            acts += auditor.acts;
            undeclared.merge(auditor.undeclared);
        }
    }
    EXPECT_GT(acts, 1000u);
    for (const std::string& fault : undeclared) ADD_FAILURE() << fault;
}

} // namespace
} // namespace loam::test
