// Shapes as values of the scene: the same ones elsewhere, turned, or larger.
import type {Json, Path} from './json/parse';

type Block = {[key: string]: Json};
type Vector = [number, number, number];

// What of a primitive is a place, a length, or an extent along the axes.
interface Parts { points: string[]; lengths?: string[]; extents?: string[] }
const primitives: Record<string, Parts> = {
  box: {points: ['min', 'max'], lengths: ['rounding']}, sphere: {points: ['center'], lengths: ['radius']}, circle: {points: ['center'], lengths: ['radius']},
  ellipsoid: {points: ['center'], extents: ['radii']}, torus: {points: ['center'], lengths: ['radius', 'tube']}, disk: {points: ['center'], lengths: ['radius', 'thickness']},
  dome: {points: ['center'], lengths: ['radius']}, cylinder: {points: ['from', 'to'], lengths: ['radius']}, capsule: {points: ['from', 'to'], lengths: ['radius']},
  cone: {points: ['from', 'to'], lengths: ['radius_from', 'radius_to']}, plane: {points: ['point'], lengths: ['size']}, figure: {points: ['base'], lengths: ['size']},
  sheet: {points: ['corner'], extents: ['u', 'v']}, fountain: {points: ['base'], lengths: ['size', 'thickness']},
};
const lengthsByDefault: Record<string, number> = {size: 1, radius: 1, radius_from: 0.5, thickness: 0.03};

const tidy = (x: number): number => { const y = Number(x.toPrecision(6)); return Math.abs(y) < 1e-9 ? 0 : y; };
const vector = (value: Json | undefined): Vector => {
  const list = Array.isArray(value) ? value.map(Number) : [];
  return [list[0] ?? 0, list[1] ?? 0, list[2] ?? 0];
};
// As it was written: [x, y] stays so where z is 0.
const asWritten = (v: Vector, before: Json | undefined): Json => {
  const all = v.map(tidy);
  return Array.isArray(before) && before.length === 2 && all[2] === 0 ? all.slice(0, 2) : all;
};
const isBlock = (value: Json | undefined): value is Block => typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlaced = (shape: Block): boolean => ['rotate', 'scale', 'translate'].some((key) => shape[key] !== undefined);

// A guide is a wall that takes no space.
export function wallKind(body: {[key: string]: Json}): '' | 'wall' | 'guide' {
  const boundary = body['boundary'];
  return boundary === undefined ? '' : isBlock(boundary) && boundary['method'] === 'none' ? 'guide' : 'wall';
}

// The path of the shape that belongs to what is selected.
export function shapePathOf(selected: Path): Path | null {
  const at = selected.indexOf('shape');
  if (at >= 0) return selected.slice(0, at + 1);
  if (selected[0] === 'bodies' && selected.length >= 4 && (selected[2] === 'emitters' || selected[2] === 'pins')) return [...selected.slice(0, 4), 'shape'];
  if (selected[0] === 'bodies' && selected.length >= 2) return [...selected.slice(0, 2), 'shape'];
  return (selected[0] === 'drains' || selected[0] === 'heaters') && selected.length >= 2 ? [...selected.slice(0, 2), 'shape'] : null;
}

// A primitive changes by its own points and lengths; what is combined, or placed already, by how it is placed.
function changed(shape: Json, points: (p: Vector) => Vector, lengths: number, extents: Vector, placed: (shape: Block) => Block): Json {
  if (!isBlock(shape)) return shape;
  if (isBlock(shape['animation'])) return {...shape, animation: placed(shape['animation'])}; // has its placement within
  const kind = Object.keys(shape).find((key) => key in primitives);
  if (!kind || isPlaced(shape) || !isBlock(shape[kind])) return placed(shape);
  const inner: Block = {...shape[kind]}, parts = primitives[kind]!;
  for (const name of parts.points) inner[name] = asWritten(points(vector(inner[name])), inner[name]);
  if (lengths !== 1) for (const name of parts.lengths ?? []) {
    const now = inner[name] ?? (parts.lengths![0] === name ? lengthsByDefault[name] : undefined);
    if (typeof now === 'number') inner[name] = tidy(now * lengths);
  }
  for (const name of parts.extents ?? [])
    if (inner[name] !== undefined) inner[name] = asWritten(vector(inner[name]).map((x, k) => x * extents[k]!) as Vector, inner[name]);
  return {...shape, [kind]: inner};
}
const moved = (block: Block, to: (t: Vector) => Vector): Block => {
  const next = to(vector(block['translate'])).map(tidy) as Vector;
  const {translate: before, ...rest} = block;
  return next.every((x) => x === 0) ? rest : {...rest, translate: asWritten(next, before)};
};

export function moveShape(shape: Json, by: number[]): Json {
  const shift = (p: Vector): Vector => [p[0] + (by[0] ?? 0), p[1] + (by[1] ?? 0), p[2] + (by[2] ?? 0)];
  return changed(shape, shift, 1, [1, 1, 1], (block) => moved(block, shift));
}

// Seen from `pivot`. What cannot be stretched along one axis gets larger by the factor that differs most from 1.
export function scaleShape(shape: Json, factors: number[], pivot: number[]): Json {
  const f = [0, 1, 2].map((k) => Math.max(1e-4, Math.abs(factors[k] ?? 1))) as Vector;
  const even = f.reduce((a, b) => (Math.abs(Math.log(b)) > Math.abs(Math.log(a)) ? b : a));
  const stretches = isBlock(shape) && !isPlaced(shape) && (isBlock(shape['box']) || isBlock(shape['ellipsoid']) || isBlock(shape['sheet']));
  const by: Vector = stretches ? f : [even, even, even];
  const from = (p: Vector): Vector => [0, 1, 2].map((k) => (pivot[k] ?? 0) + by[k]! * (p[k]! - (pivot[k] ?? 0))) as Vector;
  const least = Math.min(...by);
  return changed(shape, from, stretches ? least : even, by, (block) =>
    ({...moved(block, from), scale: tidy(Number(block['scale'] ?? 1) * even)}));
}

// Turned about an axis through `pivot`; angles are degrees.
export function turnShape(shape: Json, axis: number[], degrees: number, pivot: number[], flat = false): Json {
  if (!isBlock(shape) || isBlock(shape['animation']) || Math.abs(degrees) < 1e-6) return shape;
  const turn = quaternion(axis as Vector, degrees), c = pivot as Vector;
  const about = (p: Vector): Vector => { const q = apply(turn, [p[0] - c[0], p[1] - c[1], p[2] - c[2]]); return [c[0] + q[0], c[1] + q[1], c[2] + q[2]]; };
  const before = isBlock(shape['rotate']) ? quaternion(vector(shape['rotate']['axis'] ?? (flat ? [0, 0, 1] : [0, 1, 0])), Number(shape['rotate']['degrees'] ?? 0)) : ([0, 0, 0, 1] as Quaternion);
  const after = times(turn, before), angle = 2 * Math.acos(Math.min(1, Math.abs(after[3]))), sign = after[3] < 0 ? -1 : 1;
  const along = Math.hypot(after[0], after[1], after[2]);
  const {rotate: _, ...rest} = moved(shape, about);
  if (along < 1e-7) return rest;
  return {...rest, rotate: {axis: [0, 1, 2].map((k) => Number(((sign * after[k]!) / along).toFixed(5))), degrees: tidy((angle * 180) / Math.PI)}};
}

type Quaternion = [number, number, number, number];
function quaternion(axis: Vector, degrees: number): Quaternion {
  const size = Math.hypot(...axis) || 1, half = (degrees * Math.PI) / 360, s = Math.sin(half) / size;
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(half)];
}
function times(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
}
function apply(q: Quaternion, v: Vector): Vector {
  const [x, y, z] = times(times(q, [v[0], v[1], v[2], 0]), [-q[0], -q[1], -q[2], q[3]]);
  return [x, y, z];
}
