// Which keys are selected, of which tracks; and keys that were copied.
import {computed, signal} from '@preact/signals';
import {setValue} from '../json/edit';
import {find, parse, pathText, type Path} from '../json/parse';
import * as s from '../state';
import {addKey, changeKey, keyJson, moveTogether, readTrack, removeKeys, trackJson, type Key, type Moving, type Track} from './track';

export interface Chosen { path: Path; keys: ReadonlySet<number> }
const selection = signal<Chosen[]>([]);

export const trackAt = (path: Path): Track | null => readTrack(s.at(path));
const same = (a: Path, b: Path): boolean => pathText(a) === pathText(b);

// Keys that are selected and still there, track by track.
export const chosenKeys = computed<Chosen[]>(() =>
  selection.value
    .map(({path, keys}) => ({path, keys: new Set([...keys].filter((k) => k < (trackAt(path)?.keys.length ?? 0)))}))
    .filter(({keys}) => keys.size > 0));
export const chosenOf = (path: Path): ReadonlySet<number> => chosenKeys.value.find((c) => same(c.path, path))?.keys ?? new Set();
export const select = (...all: Chosen[]): void => { selection.value = all.filter(({keys}) => keys.size > 0); };
// In or out of what is selected.
export function turnKey(path: Path, k: number): void {
  const keys = new Set(chosenOf(path));
  if (!keys.delete(k)) keys.add(k);
  select(...chosenKeys.value.filter((c) => !same(c.path, path)), {path, keys});
}

// Tracks of the scene become other ones, in one step. Where only values of keys change, only their places in the text do.
export interface Put { path: Path; track: Track }
export function putTracks(changes: Put[], group = ''): void {
  s.edit((text) => changes.reduce((now, {path, track}) => withTrack(now, path, track), text), group);
}
export const putTrack = (path: Path, track: Track, group = ''): void => putTracks([{path, track}], group);
function withTrack(text: string, path: Path, track: Track): string {
  const list = find(parse(text), [...path, 'keys']), before = trackAt(path);
  // Without keys it is a plain value again.
  if (track.keys.length === 0) return before ? setValue(text, path, before.keys[0]!.value) : text;
  const alike = before && list?.kind === 'array' && list.items.length === track.keys.length && before.over === track.over && before.interpolation === track.interpolation;
  if (!alike) return setValue(text, path, trackJson(track));
  return track.keys.reduce((next, key, k) => (JSON.stringify(keyJson(key)) === JSON.stringify(keyJson(before.keys[k]!)) ? next : setValue(next, [...path, 'keys', k], keyJson(key))), text);
}

// What is selected, with its tracks as they are now: drags begin with them, so that keys that were passed over come back.
export type Held = Put & Moving;
export const heldKeys = (): Held[] => chosenKeys.value.map(({path, keys}) => ({path, keys, track: trackAt(path)!}));

export function putHeld(all: Held[], group: string): void {
  putTracks(all, group);
  select(...chosenKeys.value.filter((c) => !all.some((h) => same(h.path, c.path))), ...all);
}

export function deleteKeys(): void {
  const all = heldKeys();
  select();
  putTracks(all.map(({path, track, keys}) => ({path, track: removeKeys(track, keys)})));
}
export function nudgeKeys(frames: number): void {
  const all = heldKeys();
  putHeld(moveTogether(all, frames / s.fps.value, s.fps.value), 'nudge ' + all.map((h) => pathText(h.path)).join());
}
export function changeSelected(change: Partial<Key>): void {
  const all = heldKeys().map(({path, track, keys}) => ({path, track: [...keys].reduce((t, k) => changeKey(t, k, change), track)}));
  putTracks(all, 'key ' + all.map((h) => pathText(h.path)).join());
}

const copied = signal<{path: Path; over: string; keys: Key[]}[]>([]);
export function copyKeys(): void {
  copied.value = heldKeys().map(({path, track, keys}) => ({path, over: track.over, keys: track.keys.filter((_, k) => keys.has(k))}));
}
// The first of them comes to stand at the time. Keys of one track go to the track that is selected, others to their own.
export function pasteKeys(selected: Path | null, time: number): void {
  const first = Math.min(...copied.value.filter((c) => c.over === 'time').flatMap((c) => c.keys.map((key) => key.at)));
  const placed = copied.value.flatMap(({path, over, keys}) => {
    const to = copied.value.length === 1 && selected ? selected : path, there = trackAt(to) ?? {over, interpolation: 'linear' as const, keys: []};
    const size = (value: unknown) => (Array.isArray(value) ? value.length : 1);
    const value = there.keys[0]?.value ?? s.at(to) ?? (to === path ? keys[0]!.value : 1); // what is left out is a weight
    if (there.over !== over || size(value) !== size(keys[0]!.value)) return [];
    const put = keys.map((key) => ({...key, at: over === 'time' ? Number((key.at - first + time).toPrecision(9)) : key.at}));
    const others = there.keys.filter((key) => !put.some((p) => Math.abs(p.at - key.at) < 1e-9));
    const all = [...others, ...put].sort((a, b) => a.at - b.at);
    return [{path: to, track: {...there, keys: all}, keys: new Set(put.map((p) => all.indexOf(p)))}];
  });
  if (placed.length > 0) putHeld(placed, '');
  else if (copied.value.length > 0) s.note('warning', 'the copied keys do not fit this track');
}

// On the curve as it is, or the value that it has without keys.
export function putKey(path: Path, at: number, constant: number | number[]): void {
  const before = trackAt(path), track = addKey(before ?? {over: 'time', interpolation: 'linear', keys: []}, at, before ? undefined : constant);
  putTrack(path, track);
  select({path, keys: new Set([track.keys.findIndex((key) => Math.abs(key.at - at) < 1e-9)])});
}
