// Keys over time or over something that a particle has, as the engine joins them (src/base/track.cpp).
import type {Json} from '../json/parse';

export type Interpolation = 'step' | 'linear' | 'smooth' | 'bezier';
export const interpolations: Interpolation[] = ['step', 'linear', 'smooth', 'bezier'];

// Of what keys may be placed along; others have none.
const units: Record<string, string> = {time: 's', temperature: 'K', height: 'm', speed: 'm/s', age: 's', pressure: 'Pa'};
export const unitOf = (over: string): string => units[over] ?? '';

export interface Key {
  at: number;
  value: number | number[];
  interpolation?: Interpolation; // its own; otherwise the track's
  in?: [number, number];
  out?: [number, number];
}
export interface Track { over: string; interpolation: Interpolation; keys: Key[] }

export function isTrack(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Array.isArray(value['keys']);
}

export function readTrack(value: Json | undefined): Track | null {
  if (!isTrack(value)) return null;
  const block = value as {[key: string]: Json};
  const keys: Key[] = [];
  for (const entry of block['keys'] as Json[]) {
    if (Array.isArray(entry)) keys.push({at: Number(entry[0]), value: entry[1] as number | number[]});
    else if (entry && typeof entry === 'object') {
      const key: Key = {at: Number(entry['at']), value: entry['value'] as number | number[]};
      if (entry['interpolation']) key.interpolation = entry['interpolation'] as Interpolation;
      if (Array.isArray(entry['in'])) key.in = entry['in'] as [number, number];
      if (Array.isArray(entry['out'])) key.out = entry['out'] as [number, number];
      keys.push(key);
    }
  }
  return {over: String(block['over'] ?? 'time'), interpolation: (block['interpolation'] as Interpolation) ?? 'linear', keys};
}

export function keyJson(key: Key): Json {
  if (!key.interpolation && !key.in && !key.out) return [key.at, key.value];
  const block: {[key: string]: Json} = {at: key.at, value: key.value};
  if (key.interpolation) block['interpolation'] = key.interpolation;
  if (key.in) block['in'] = key.in;
  if (key.out) block['out'] = key.out;
  return block;
}

export function trackJson(track: Track): Json {
  const block: {[key: string]: Json} = {};
  if (track.over !== 'time') block['over'] = track.over;
  if (track.interpolation !== 'linear') block['interpolation'] = track.interpolation;
  block['keys'] = track.keys.map(keyJson);
  return block;
}

const part = (value: number | number[], component: number): number => (Array.isArray(value) ? (value[component] ?? 0) : value);
export const joinOf = (track: Track, k: number): Interpolation => track.keys[k]?.interpolation ?? track.interpolation;

// Of a monotone cubic: zero at ends and extremes, and beside what is not smooth.
function slope(track: Track, k: number, c: number): number {
  const {keys} = track;
  if (k === 0 || k + 1 === keys.length) return 0;
  if (joinOf(track, k - 1) !== 'smooth' || joinOf(track, k) !== 'smooth') return 0;
  const before = keys[k]!.at - keys[k - 1]!.at, after = keys[k + 1]!.at - keys[k]!.at;
  const here = part(keys[k]!.value, c);
  const left = (here - part(keys[k - 1]!.value, c)) / before, right = (part(keys[k + 1]!.value, c) - here) / after;
  if (left * right <= 0) return 0;
  return (3 * (before + after)) / ((2 * after + before) / left + (after + 2 * before) / right);
}

function bezier(a: Key, b: Key, where: number): number {
  const span = b.at - a.at, clamp = (x: number, lo: number, hi: number) => Math.min(Math.max(x, lo), hi);
  const x1 = a.at + clamp(a.out?.[0] ?? 0, 0, span), x2 = b.at + clamp(b.in?.[0] ?? 0, -span, 0);
  const y0 = part(a.value, 0), y3 = part(b.value, 0), y1 = y0 + (a.out?.[1] ?? 0), y2 = y3 + (b.in?.[1] ?? 0);
  const mix = (s: number, p0: number, p1: number, p2: number, p3: number) => {
    const t = 1 - s;
    return t * t * t * p0 + 3 * t * t * s * p1 + 3 * t * s * s * p2 + s * s * s * p3;
  };
  let lo = 0, hi = 1;
  for (let round = 0; round < 50; round++) {
    const s = 0.5 * (lo + hi);
    if (mix(s, a.at, x1, x2, b.at) < where) lo = s;
    else hi = s;
  }
  return mix(0.5 * (lo + hi), y0, y1, y2, y3);
}

export function valueAt(track: Track, where: number, component = 0): number {
  const {keys} = track;
  if (keys.length === 0) return 0;
  if (where < keys[0]!.at) return part(keys[0]!.value, component);
  const last = keys[keys.length - 1]!;
  if (where >= last.at) return part(last.value, component);
  let k = 0;
  while (keys[k + 1]!.at <= where) k++;
  const a = keys[k]!, b = keys[k + 1]!, span = b.at - a.at, s = (where - a.at) / span;
  const from = part(a.value, component), rise = part(b.value, component) - from;
  switch (joinOf(track, k)) {
    case 'step': return from;
    case 'linear': return from + s * rise;
    case 'smooth': {
      const u = slope(track, k, component) * span, v = slope(track, k + 1, component) * span;
      return from + s * (u + s * (3 * rise - 2 * u - v + s * (u + v - 2 * rise)));
    }
    case 'bezier': return bezier(a, b, where);
  }
}

export function valuesAt(track: Track, where: number): number | number[] {
  const first = track.keys[0]?.value;
  return Array.isArray(first) ? first.map((_, c) => valueAt(track, where, c)) : valueAt(track, where);
}

// Changes; each gives another track, in order, with no two keys at one place.
// -----------------------------------------------------------------------------

const tidyNumber = (x: number): number => Number(x.toPrecision(9));
const inOrder = (track: Track, keys: Key[]): Track => ({...track, keys: [...keys].sort((a, b) => a.at - b.at)});
export const snap = (at: number, fps: number): number => tidyNumber(Math.round(at * fps) / fps);

export function addKey(track: Track, at: number, value?: number | number[]): Track {
  const put = value ?? valuesAt(track, at);
  const rounded = Array.isArray(put) ? put.map(tidyNumber) : tidyNumber(put);
  const others = track.keys.filter((key) => Math.abs(key.at - at) > 1e-9);
  return inOrder(track, [...others, {at: tidyNumber(at), value: rounded}]);
}

export function removeKeys(track: Track, which: ReadonlySet<number>): Track {
  return {...track, keys: track.keys.filter((_, k) => !which.has(k))};
}

// Moves keys along; those that they come to lie on give way. Returns where the moved ones are now.
export function moveKeys(track: Track, which: ReadonlySet<number>, by: number, fps: number | null): {track: Track; moved: Set<number>} {
  const moving = track.keys.filter((_, k) => which.has(k));
  const first = Math.min(...moving.map((key) => key.at));
  const shift = track.over === 'time' ? Math.max(by, -first) : by;
  const placed = moving.map((key) => ({...key, at: fps ? snap(key.at + shift, fps) : tidyNumber(key.at + shift)}));
  const others = track.keys.filter((key, k) => !which.has(k) && !placed.some((p) => Math.abs(p.at - key.at) < 1e-9));
  const result = inOrder(track, [...others, ...placed]);
  return {track: result, moved: new Set(placed.map((p) => result.keys.indexOf(p)))};
}

// Keys of several tracks: what stands over time stays at 0 or later, and what does not only moves by itself.
export interface Moving { track: Track; keys: ReadonlySet<number> }
export function moveTogether<T extends Moving>(all: T[], by: number, fps: number | null): T[] {
  const moving = all.length === 1 ? all : all.filter(({track}) => track.over === 'time');
  const times = moving.filter(({track}) => track.over === 'time').flatMap(({track, keys}) => [...keys].map((k) => track.keys[k]!.at));
  const shift = Math.max(by, -Math.min(Infinity, ...times));
  return moving.map((one) => {
    const {track, moved} = moveKeys(one.track, one.keys, shift, one.track.over === 'time' ? fps : null);
    return {...one, track, keys: moved};
  });
}

export function changeKey(track: Track, k: number, change: Partial<Key>): Track {
  return inOrder(track, track.keys.map((key, n) => (n === k ? {...key, ...change} : key)));
}

// The handles of a key that shape its curve: towards the next one, and towards the one before.
export type Side = 'in' | 'out';
export function handlesOf(track: Track, k: number): {side: Side; at: number; value: number}[] {
  const key = track.keys[k];
  if (!key || Array.isArray(key.value)) return [];
  const all: {side: Side; at: number; value: number}[] = [];
  const add = (side: Side) => { const by = key[side] ?? [0, 0]; all.push({side, at: key.at + by[0], value: (key.value as number) + by[1]}); };
  if (k > 0 && joinOf(track, k - 1) === 'bezier') add('in');
  if (k + 1 < track.keys.length && joinOf(track, k) === 'bezier') add('out');
  return all;
}
export function moveHandle(track: Track, k: number, side: Side, at: number, value: number): Track {
  const key = track.keys[k]!, other = track.keys[k + (side === 'out' ? 1 : -1)];
  const span = other ? Math.abs(other.at - key.at) : 0, along = side === 'out' ? Math.max(0, Math.min(at - key.at, span)) : Math.min(0, Math.max(at - key.at, -span));
  return changeKey(track, k, {[side]: [Number(along.toPrecision(4)), Number((value - (key.value as number)).toPrecision(4))]});
}
// Joined to the next key by a curve with handles; those that are not there yet lie level, a third of the way.
export function joinByBezier(track: Track, k: number): Track {
  const key = track.keys[k]!, next = track.keys[k + 1];
  let made = changeKey(track, k, {interpolation: 'bezier'});
  if (!next || Array.isArray(key.value)) return made;
  const third = Number(((next.at - key.at) / 3).toPrecision(4));
  if (!key.out) made = changeKey(made, k, {out: [third, 0]});
  if (!next.in) made = changeKey(made, k + 1, {in: [-third, 0]});
  return made;
}

export function range(track: Track): {lo: number; hi: number} {
  let lo = Infinity, hi = -Infinity;
  for (const key of track.keys)
    for (const x of Array.isArray(key.value) ? key.value : [key.value]) lo = Math.min(lo, x), hi = Math.max(hi, x);
  return lo <= hi ? {lo, hi} : {lo: 0, hi: 1};
}
