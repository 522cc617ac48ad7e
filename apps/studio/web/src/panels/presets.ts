// Bodies and scenes to begin with.
import type {Json} from '../json/parse';
import {definition} from '../schema';
import * as s from '../state';

type Block = {[key: string]: Json};
const tidy = (x: number): number => Number(x.toPrecision(3));

// The size of things in the scene, so that what is added fits.
function size(): number {
  const radius = Number((s.effective.value as Block | null)?.['particle_radius'] ?? 0.01);
  return tidy(20 * radius);
}

export interface Material { name: string; title: string; help: string; body: Block; lifted?: boolean }
export const materials: Material[] = [
  {name: 'water', title: 'water', help: 'A fluid', body: {behaviors: {fluid: {}, viscosity: {viscosity: 0.05}}}},
  {name: 'honey', title: 'honey', help: 'A thick fluid', body: {behaviors: {like: 'honey'}}},
  {name: 'jelly', title: 'jelly', help: 'A soft elastic body', body: {behaviors: {elastic: {young_modulus: 20000}}}, lifted: true},
  {name: 'block', title: 'a rigid body', help: 'It floats', body: {behaviors: {rigid: {density: 500}}}, lifted: true},
  {name: 'sand', title: 'sand', help: 'Grains as a continuum', body: {behaviors: {sand: {}}}},
  {name: 'wall', title: 'a wall', help: 'What the rest bumps into', body: {boundary: {}}},
  {name: 'tank', title: 'a container', help: 'A wall around the rest', body: {boundary: {}}},
  {name: 'guide', title: 'a guide', help: 'For control particles to fill; it takes no space', body: {boundary: {method: 'none'}}},
];

const box = (w: number, h: number): Block => ({box: {min: [-w / 2, 0, -w / 2].map(tidy), max: [w / 2, h, w / 2].map(tidy)}});
export const forms = (): {name: string; title: string}[] => [
  {name: 'box', title: 'a box'}, {name: 'sphere', title: 'a sphere'}, {name: 'cylinder', title: 'a cylinder'}, {name: 'torus', title: 'a ring'},
  ...(definition('shape-figure')?.properties?.['name']?.enum ?? ['dragon', 'duck', 'bunny']).map((name) => ({name, title: `a ${name}`})),
  {name: 'mesh', title: 'a mesh from a file …'},
];
function shapeOf(form: string, w: number): Block {
  switch (form) {
    case 'box': return box(w, w);
    case 'sphere': return {sphere: {center: [0, tidy(w / 2), 0], radius: tidy(w / 2)}};
    case 'cylinder': return {cylinder: {from: [0, 0, 0], to: [0, tidy(w), 0], radius: tidy(w / 3)}};
    case 'torus': return {torus: {center: [0, tidy(w / 5), 0], radius: tidy(w / 2), tube: tidy(w / 5)}};
    default: return {figure: {name: form, size: tidy(1.5 * w), base: [0, 0, 0]}};
  }
}

export function bodyOf(material: Material, form: string): Json {
  const w = material.name === 'tank' ? 2 * size() : material.lifted ? size() / 2 : size();
  const shape = shapeOf(form, w);
  if (material.name === 'tank') shape['invert'] = true;
  if (material.lifted) shape['translate'] = [0, size(), 0];
  return {shape, ...material.body};
}

const scene = (title: string, rest: string): string => `{
  "title": "${title}",
  "duration": 3,
  "fps": 25,
${rest}
}
`;
const tank = `    "tank": {
      "shape": {"box": {"min": [-0.5, 0, -0.25], "max": [0.5, 1, 0.25]}, "invert": true},
      "boundary": {}
    }`;
export interface Template { name: string; title: string; text: string }
export const templates: Template[] = [
  {name: 'dam', title: 'Water in a tank', text: scene('A new scene', `  "particle_radius": 0.02,
  "behaviors": {"gravity": {}},
  "bodies": {
    "water": {
      "shape": {"box": {"min": [-0.5, 0, -0.25], "max": [0, 0.5, 0.25]}},
      "behaviors": {"fluid": {}}
    },
${tank}
  }`)},
  {name: 'pour', title: 'Something poured', text: scene('Something poured', `  "particle_radius": 0.015,
  "behaviors": {"gravity": {}},
  "bodies": {
    "water": {
      "behaviors": {"fluid": {}},
      "emitters": {
        "tap": {"shape": {"disk": {"center": [0, 0.8, 0], "radius": 0.06}}, "direction": [0, -1, 0], "speed": 1.5}
      }
    },
${tank}
  }`)},
  {name: 'drop', title: 'A soft body that falls', text: scene('A soft body falls', `  "particle_radius": 0.02,
  "behaviors": {"gravity": {}},
  "bodies": {
    "jelly": {
      "shape": {"box": {"min": [-0.15, 0.4, -0.15], "max": [0.15, 0.7, 0.15]}},
      "behaviors": {"elastic": {"young_modulus": 20000}}
    },
    "floor": {"shape": {"plane": {"point": [0, 0, 0], "size": 2}}, "boundary": {}}
  }`)},
  {name: 'flat', title: 'A dam break in 2D', text: scene('A dam break in 2D', `  "dimensions": 2,
  "particle_radius": 0.01,
  "behaviors": {"gravity": {}},
  "bodies": {
    "water": {"shape": {"box": {"min": [-0.5, 0], "max": [0, 0.5]}}, "behaviors": {"fluid": {}}},
    "tank": {"shape": {"box": {"min": [-0.5, 0], "max": [0.5, 1]}, "invert": true}, "boundary": {}}
  }`)},
];
