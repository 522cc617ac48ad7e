// Bodies to begin with.
import type {Json} from '../json/parse';
import * as s from '../state';

interface Preset { name: string; title: string; help: string; body: () => Json }

// The size of things in the scene, so that what is added fits.
function size(): number {
  const radius = Number((s.effective.value as {[key: string]: Json} | null)?.['particle_radius'] ?? 0.01);
  return Number((20 * radius).toPrecision(2));
}
const box = (w: number, h: number, y = 0): Json => ({box: {min: [-w / 2, y, -w / 2].map(tidy), max: [w / 2, y + h, w / 2].map(tidy)}});
const tidy = (x: number): number => Number(x.toPrecision(3));

export const presets: Preset[] = [
  {name: 'water', title: 'Water', help: 'A block of water', body: () => ({shape: box(size(), size()), behaviors: {fluid: {}, viscosity: {viscosity: 0.05}}})},
  {name: 'honey', title: 'Honey', help: 'A thick fluid', body: () => ({shape: box(size(), size()), behaviors: {fluid: {density: 1400}, viscosity: {model: 'implicit', viscosity: 10}}})},
  {name: 'jelly', title: 'Jelly', help: 'A soft elastic body', body: () => ({shape: box(size() / 2, size() / 2, size()), behaviors: {elastic: {young_modulus: 20000}}})},
  {name: 'block', title: 'Rigid block', help: 'A rigid body that floats', body: () => ({shape: box(size() / 2, size() / 2, size()), behaviors: {rigid: {density: 500}}})},
  {name: 'tank', title: 'Tank', help: 'A container of walls', body: () => ({shape: {...(box(2 * size(), 1.6 * size()) as object), invert: true}, boundary: {}})},
  {name: 'ball', title: 'Wall: a ball', help: 'A sphere that does not move', body: () => ({shape: {sphere: {center: [0, tidy(size() / 4), 0], radius: tidy(size() / 4)}}, boundary: {}})},
  {name: 'guide', title: 'Guide: a duck', help: 'A figure that control particles fill; it takes no space', body: () => ({shape: {figure: {name: 'duck', size: size(), base: [0, 0, 0]}}, boundary: {method: 'none'}})},
];

export const emptyScene = `{
  "title": "A new scene",
  "duration": 3,
  "fps": 25,
  "particle_radius": 0.02,
  "behaviors": {"gravity": {}},
  "bodies": {
    "water": {
      "shape": {"box": {"min": [-0.5, 0, -0.25], "max": [0, 0.5, 0.25]}},
      "behaviors": {"fluid": {}}
    },
    "tank": {
      "shape": {"box": {"min": [-0.5, 0, -0.25], "max": [0.5, 1, 0.25]}, "invert": true},
      "boundary": {}
    }
  }
}
`;
