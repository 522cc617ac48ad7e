// Shapes as values of the scene: where they are, and the same ones elsewhere.
import type {Json, Path} from './json/parse';

type Block = {[key: string]: Json};
const points: Record<string, string[]> = {
  box: ['min', 'max'], sphere: ['center'], circle: ['center'], ellipsoid: ['center'], torus: ['center'], disk: ['center'], dome: ['center'],
  cylinder: ['from', 'to'], capsule: ['from', 'to'], cone: ['from', 'to'], plane: ['point'], figure: ['base'], sheet: ['corner'],
};
const tidy = (x: number): number => Number(x.toPrecision(6));
const shifted = (value: Json | undefined, by: number[]): Json => {
  const old = Array.isArray(value) ? value.map(Number) : [0, 0, 0];
  return Array.from({length: Math.max(old.length, by[2] ? 3 : 2)}, (_, k) => tidy((old[k] ?? 0) + (by[k] ?? 0)));
};

// The path of the shape that belongs to what is selected.
export function shapePathOf(selected: Path): Path | null {
  const at = selected.indexOf('shape');
  if (at >= 0) return selected.slice(0, at + 1);
  if (selected[0] === 'bodies' && selected.length >= 4 && selected[2] === 'emitters') return [...selected.slice(0, 4), 'shape'];
  if (selected[0] === 'bodies' && selected.length >= 2) return [...selected.slice(0, 2), 'shape'];
  return selected[0] === 'drains' && selected.length >= 2 ? [...selected.slice(0, 2), 'shape'] : null;
}

// A primitive moves by its own points; what is combined, turned or scaled, by `translate`.
export function moveShape(shape: Json, by: number[]): Json {
  if (typeof shape !== 'object' || shape === null || Array.isArray(shape)) return shape;
  const kind = Object.keys(shape).find((key) => key in points), changed = shape['rotate'] !== undefined || shape['scale'] !== undefined;
  if (!kind || changed || shape['translate'] !== undefined) return {...shape, translate: shifted(shape['translate'], by)};
  const inner: Block = {...(shape[kind] as Block)};
  for (const name of points[kind]!) inner[name] = shifted(inner[name], by);
  return {...shape, [kind]: inner};
}
