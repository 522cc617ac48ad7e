// Scenes that use all of the format, for the tests of the reader and of the schema.
#pragma once

#include <string>
#include <vector>

namespace loam::test {

inline const std::string dam_break = R"({
  // The classic.
  "title": "dam break",
  "duration": 2, "fps": 25, "particle_radius": 0.02,
  "behaviors": {"gravity": {}},
  "bodies": {
    "water": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 2, 1]}}, "behaviors": {"fluid": {"density": 1000}}},
    "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [4, 4, 1]}, "invert": true}, "boundary": {"slip": "no"}}
  }
})";

inline const std::string everything = R"({
  "$schema": "scene.schema.json", "title": "all of it", "dimensions": 3, "duration": 1.5, "fps": 30, "seed": 7,
  "particle_radius": 0.01,
  "solver": {"pressure": "wcsph", "kernel": "wendland", "integrator": "velocity-verlet", "time_step": 0.001, "cfl": 0.3,
             "max_time_step": 0.01, "min_time_step": 1e-6, "support": 4, "max_iterations": 50,
             "dfsph": {"divergence_error": 0.002}, "wcsph": {"equation": "linear"}},
  "domain": {"min": [0, null, -1], "max": [2, null, 1], "periodic": "xz"},
  "behaviors": {"gravity": {"acceleration": [0, -3]}, "dust": {}},
  "bodies": {
    "milk": {
      "shape": {"difference": [{"sphere": {"center": [0, 1, 0], "radius": 0.5}}, {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}],
                "smooth": 0.05, "rotate": {"axis": [1, 0, 0], "degrees": 30}, "scale": 2, "translate": [1, 0], "hollow": 0.1},
      "velocity": [1, 0, 0], "jitter": 0.1, "seed": 3, "lattice": "hexagonal",
      "start": {"velocity": {"spin": [0, 2, 0], "rates": [1, 0, -1], "about": [0, 1, 0], "gradient": {"y": [0, 0, 3]},
                             "formula": {"x": "sin(y) + 1", "z": "2*x"}}},
      "behaviors": {"fluid": {"density": 1030}, "viscosity": {"model": "implicit", "viscosity": 2, "passes": 3}},
      "emitters": {"nozzle": {"shape": {"sphere": {"radius": 0.1}}, "direction": [0, -2, 0], "speed": 2, "rate": 0.1,
                              "start": 0.5, "stop": 1, "jitter": 0.2, "seed": 9}}
    },
    "mixer": {"shape": {"union": [{"mesh": {"file": "ball.obj"}}, {"sphere": {}}]},
              "boundary": {"method": "dem", "slip": "friction", "friction": 0.4, "adhesion": 1, "layers": 2, "stiffness": 1e5,
                           "damping": 0.2, "strength": 3,
                           "motion": {"pivot": [0, 1, 0], "axis": [0, 0, 3], "turns_per_second": 0.5, "velocity": [0, 0.1, 0],
                                      "translation": {"interpolation": "smooth", "keys": [[0, [0, 0, 0]], [1, [0, 1, 0]]]},
                                      "angle": {"over": "time", "keys": [{"at": 0, "value": 0, "interpolation": "bezier",
                                                "out": [0.2, 0]}, {"at": 1, "value": 90, "in": [-0.1, 5]}]}}},
              "look": {"material": "matte"}}
  },
  "gauges": {"full": {"level": {"at": [0, 0, 0], "body": "milk"}, "every": "step"}, "heavy": {"load": {"on": "mixer"}}},
  "drains": {"hole": {"shape": {"sphere": {"radius": 0.2}}, "bodies": ["milk"]}, "far": {"shape": {"sphere": {}}}},
  "quality": {"preview": {"particle_radius": 0.02, "solver": {"wcsph": {"equation": "tait"}, "time_step": null}}, "final": {}}
})";

inline const std::string flat = R"({
  "dimensions": 2, "particle_radius": 0.02, "duration": 1,
  "domain": {"min": [0, 0], "max": [1, 2], "periodic": "x"},
  "bodies": {
    "water": {"shape": {"box": {"min": [0, 0], "max": [1, 1]}, "rotate": {"degrees": 10}}, "behaviors": {"fluid": {}}},
    "gate": {"shape": {"sphere": {"radius": 0.1}}, "boundary": {"motion": {"turns_per_second": 1}}}
  }
})";

} // namespace loam::test
