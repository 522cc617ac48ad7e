// Which of the frames that are there no longer follow from the scene as it is now.
import type {Json} from '../json/parse';
import {isTrack, readTrack, valueAt, type Track} from './track';

type Block = {[key: string]: Json};
const isBlock = (value: Json | undefined): value is Block => typeof value === 'object' && value !== null && !Array.isArray(value);

// JSON Merge Patch, as the engine applies a quality.
export function merge(target: Json, patch: Json): Json {
  if (!isBlock(patch)) return patch;
  const all: Block = isBlock(target) ? {...target} : {};
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete all[key];
    else all[key] = merge(all[key] ?? null, value);
  return all;
}

// The scene as it is simulated.
export function simulated(scene: Json, quality: string): Json {
  if (!isBlock(scene)) return scene;
  const {quality: qualities, ...rest} = scene;
  const patch = quality && isBlock(qualities) ? qualities[quality] : undefined;
  return patch === undefined ? rest : merge(rest, patch);
}

// What changes pictures or names only; runs keep the presets that they used.
const unseen = (path: string): boolean =>
  /^(\$schema|title|folder|presets|camera|light|gauges|duration)(\.|$)/.test(path) || /^bodies\.[^.]+\.look(\.|$)/.test(path);

const equal = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

function sampled(value: Json | undefined, fallback: number | null): ((time: number) => string) | null {
  if (isTrack(value)) {
    const track = readTrack(value) as Track;
    if (track.over !== 'time' || track.keys.length === 0) return null;
    const size = Array.isArray(track.keys[0]!.value) ? track.keys[0]!.value.length : 1;
    return (time) => Array.from({length: size}, (_, c) => valueAt(track, time, c).toPrecision(10)).join();
  }
  if (typeof value === 'number') return () => value.toPrecision(10);
  if (Array.isArray(value) && value.every((x) => typeof x === 'number')) return () => value.map((x) => (x as number).toPrecision(10)).join();
  if (value === undefined && fallback !== null) return () => fallback.toPrecision(10);
  return null;
}

// The first frame that differs; Infinity for none. Values over time differ from where their curves part.
function firstDifference(a: Json | undefined, b: Json | undefined, path: string, fps: number, frames: number): number {
  if (equal(a, b) || unseen(path)) return Infinity;
  if (isTrack(a) || isTrack(b)) {
    const fallback = path.endsWith('.weight') ? 1 : null;
    const one = sampled(a, fallback), other = sampled(b, fallback);
    if (!one || !other) return 0;
    const between = 4; // the steps of a frame see what is between
    for (let k = 0; k <= frames * between; k++)
      if (one(k / (fps * between)) !== other(k / (fps * between))) return Math.floor(k / between) + 1;
    return Infinity;
  }
  if (isBlock(a) && isBlock(b)) {
    let first = Infinity;
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      first = Math.min(first, firstDifference(a[key], b[key], path ? `${path}.${key}` : key, fps, frames));
    return first;
  }
  // A behavior that is new, with a weight that is 0 at first, changes nothing until then.
  if (/\.?behaviors\.[^.]+$/.test(path)) {
    const weight = isBlock(a) ? a['weight'] : isBlock(b) ? b['weight'] : undefined;
    if (isTrack(weight)) return firstDifference(weight, 0, path + '.weight', fps, frames);
  }
  return 0;
}

export function staleFrom(scene: Json, run: Json, frames: number): number {
  const fps = isBlock(run) && typeof run['fps'] === 'number' ? run['fps'] : 25;
  return firstDifference(scene, run, '', fps, frames);
}
