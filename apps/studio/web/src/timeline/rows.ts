// The rows of the timeline: bodies, their behaviors with weights, and the properties that are keyed.
import {pathText, type Json, type Path} from '../json/parse';
import {wallKind} from '../shape';
import {isTrack, readTrack, type Track} from './track';

export interface Row {
  kind: 'body' | 'behavior' | 'property';
  path: Path;      // of the body, behavior or property
  name: string;
  body: string | null; // null: all bodies
  color: number;   // of the body
  y: number; height: number;
  track: Track | null; // of the weight or the property
  constant: number;    // of the weight, where it is not keyed
  hint: string;        // of a body
}
export const RULER = 22, MARKS = 14; // heights of the marks of time, and of an axis of its own
const heights = {body: 20, behavior: 28, property: 46}, OWN = 58, TALL = 128; // OWN: with an axis of its own

type Block = {[key: string]: Json};
const block = (value: Json | undefined): Block => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {});

// Everything below a block that is keyed, apart from weights of behaviors.
function keyedBelow(value: Json | undefined, path: Path): {path: Path; track: Track}[] {
  if (isTrack(value)) return [{path, track: readTrack(value)!}];
  return Object.entries(block(value)).flatMap(([key, inner]) => keyedBelow(inner, [...path, key]));
}

// `tall`: paths of rows that were made tall, to shape their curves.
export function layRows(scene: Json, tall: ReadonlySet<string> = new Set()): Row[] {
  const rows: Row[] = [];
  let y = RULER;
  const add = (row: Omit<Row, 'y' | 'height'>) => {
    const least = hasOwnAxis(row) ? OWN : heights[row.kind], height = row.kind !== 'body' && tall.has(pathText(row.path)) ? TALL : least;
    rows.push({...row, y, height});
    y += height;
  };
  const behaviors = (uses: Json | undefined, path: Path, body: string | null, color: number) => {
    for (const [name, use] of Object.entries(block(uses))) {
      if (typeof use !== 'object' || use === null) continue; // the name of a preset, or null for one of its behaviors
      const weight = block(use)['weight'], here = [...path, name];
      add({kind: 'behavior', path: here, name, body, color, track: readTrack(weight), constant: typeof weight === 'number' ? weight : 1, hint: ''});
      for (const [key, value] of Object.entries(block(use)))
        if (key !== 'weight') for (const found of keyedBelow(value, [...here, key])) property(found, body, color, here.length);
    }
  };
  const property = (found: {path: Path; track: Track}, body: string | null, color: number, from: number) =>
    add({kind: 'property', path: found.path, name: found.path.slice(from).join('.'), body, color, track: found.track, constant: 0, hint: ''});
  const root = block(scene);
  add({kind: 'body', path: ['behaviors'], name: 'all bodies', body: null, color: -1, track: null, constant: 0, hint: ''});
  behaviors(root['behaviors'], ['behaviors'], null, -1);
  Object.entries(block(root['bodies'])).forEach(([name, value], k) => {
    const path: Path = ['bodies', name], body = block(value);
    add({kind: 'body', path, name, body: name, color: k, track: null, constant: 0, hint: wallKind(body)});
    behaviors(body['behaviors'], [...path, 'behaviors'], name, k);
    for (const [key, inner] of Object.entries(body))
      if (key !== 'behaviors') for (const found of keyedBelow(inner, [...path, key])) property(found, name, k, 2);
  });
  for (const [part, value] of Object.entries(root)) {
    const found = part === 'bodies' || part === 'behaviors' || part === 'quality' ? [] : keyedBelow(value, [part]);
    if (found.length === 0) continue;
    add({kind: 'body', path: [part], name: part, body: null, color: -1, track: null, constant: 0, hint: ''});
    for (const one of found) property(one, null, -1, 1);
  }
  return rows;
}

export const isTall = (row: Row): boolean => row.height >= TALL;
export const totalHeight = (rows: Row[]): number => (rows.length ? rows[rows.length - 1]!.y + rows[rows.length - 1]!.height : RULER) + 8;
export const rowAt = (rows: Row[], y: number): Row | null => rows.find((row) => y >= row.y && y < row.y + row.height) ?? null;
// The path whose value is keyed in a row.
export const trackPath = (row: Row): Path => (row.kind === 'behavior' ? [...row.path, 'weight'] : row.path);

// Between the time axis and the canvas.
export interface Scale { from: number; perSecond: number; left: number } // time (or what a row has in its place) at the left edge; pixels per second
export const toX = (scale: Scale, time: number): number => scale.left + (time - scale.from) * scale.perSecond;
export const toTime = (scale: Scale, x: number): number => scale.from + (x - scale.left) / scale.perSecond;

// Keys over temperature, height, ... stand along an axis of their own: what lies at its left and right end.
export interface OwnAxis { lo: number; hi: number }
const INSET = 34; // pixels at both ends
export const hasOwnAxis = (row: {track: Track | null}): boolean => row.track !== null && row.track.over !== 'time';
export function ownAxis(track: Track): OwnAxis {
  const places = track.keys.map((key) => key.at), lo = Math.min(...places), hi = Math.max(...places);
  const room = hi > lo ? 0.25 * (hi - lo) : 0.5 * Math.abs(lo) || 1;
  return {lo: lo - room, hi: hi + room};
}
export const ownScale = (axis: OwnAxis, left: number, width: number): Scale =>
  ({from: axis.lo, perSecond: Math.max(60, width - left - 2 * INSET) / (axis.hi - axis.lo), left: left + INSET});

// Distances of marks on the ruler, in seconds: 1, 2, 5 times a power of ten, at least `least` pixels apart.
export function tick(perSecond: number, least: number): number {
  const wanted = least / perSecond, power = Math.pow(10, Math.floor(Math.log10(wanted)));
  return [1, 2, 5, 10].map((m) => m * power).find((t) => t >= wanted)!;
}

// The path of the track that belongs to what is selected: a weight, or a keyed property.
export function trackOf(rows: Row[], selected: Path): Row | null {
  const text = pathText(selected);
  return rows.find((row) => row.kind !== 'body' && (pathText(row.path) === text || pathText(trackPath(row)) === text)) ?? null;
}

// Values of a curve between the top and bottom of its row.
export interface Band { lo: number; hi: number; top: number; bottom: number }
export function band(row: Row): Band {
  const inset = isTall(row) ? 14 : 6;
  let lo = 0, hi = 1;
  if (row.kind === 'property' && row.track) {
    lo = Infinity, hi = -Infinity;
    for (const key of row.track.keys) for (const x of Array.isArray(key.value) ? key.value : [key.value]) lo = Math.min(lo, x), hi = Math.max(hi, x);
    if (!(hi > lo)) { const pad = Math.abs(lo) * 0.5 || 1; lo -= pad; hi += pad; }
  }
  return {lo, hi, top: row.y + inset, bottom: row.y + row.height - inset - (hasOwnAxis(row) ? MARKS : 0)};
}
export const toY = (b: Band, value: number): number => b.bottom - ((value - b.lo) / (b.hi - b.lo)) * (b.bottom - b.top);
export const toValue = (b: Band, y: number): number => b.lo + ((b.bottom - y) / (b.bottom - b.top)) * (b.hi - b.lo);
