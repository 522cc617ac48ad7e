import {expect, it} from 'vitest';
import {curvesOf, valueIn} from '../src/panels/curves';

const line = {
  frame: 3, time: 0.12, kinetic_energy: 2, volume_error: 0.1, momentum: [1, 2, 3], simd: 'avx2', born: 4, step_times: [0.1, 0.2],
  gauges: {level: 0.3, force: [1, 0, 0]}, water: {in_pores: 0.2, free: 0.8}, bodies: {ball: {top_speed: 3, center: [0, 1, 0], spin: null}},
};

it('everything in the log that is a number can be drawn', () => {
  const all = curvesOf(line), names = Object.keys(all);
  for (const name of ['energies', 'momentum', 'born', 'gauge level', 'gauge force', 'water', 'ball: top speed', 'ball: center']) expect(names).toContain(name);
  for (const name of ['step times', 'simd', 'frame', 'kinetic energy', 'ball: spin']) expect(names).not.toContain(name);
  expect(all['water']!.map((x) => [x.name, valueIn(line, x.path)])).toEqual([['in pores', 0.2], ['free', 0.8]]);
  expect(all['ball: center']!.map((x) => valueIn(line, x.path))).toEqual([0, 1, 0]);
  expect(valueIn(line, ['nothing', 'there'])).toBeNull();
});
