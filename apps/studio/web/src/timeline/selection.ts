// Which keys are selected, of which track; and keys that were copied.
import {signal} from '@preact/signals';
import {setValue} from '../json/edit';
import {find, parse, pathText, type Path} from '../json/parse';
import * as s from '../state';
import {changeKey, keyJson, moveKeys, readTrack, removeKeys, trackJson, type Key, type Track} from './track';

export interface KeySelection { path: Path; keys: Set<number> }
export const selectedKeys = signal<KeySelection | null>(null);
const copied = signal<Key[]>([]);

export const trackAt = (path: Path): Track | null => readTrack(s.at(path));

// A track of the scene becomes another one. Where only values of keys change, only their places in the text do.
export function putTrack(path: Path, track: Track, group = ''): void {
  s.edit((text) => {
    const list = find(parse(text), [...path, 'keys']), before = trackAt(path);
    const same = before && list?.kind === 'array' && list.items.length === track.keys.length && before.over === track.over && before.interpolation === track.interpolation;
    if (!same) return setValue(text, path, trackJson(track));
    let next = text;
    track.keys.forEach((key, k) => {
      if (JSON.stringify(keyJson(key)) !== JSON.stringify(keyJson(before.keys[k]!))) next = setValue(next, [...path, 'keys', k], keyJson(key));
    });
    return next;
  }, group);
}

export function deleteKeys(): void {
  const chosen = selectedKeys.value, track = chosen && trackAt(chosen.path);
  if (!chosen || !track) return;
  const rest = removeKeys(track, chosen.keys);
  const last = track.keys[0]!.value;
  selectedKeys.value = null;
  // Without keys it is a plain value again.
  if (rest.keys.length === 0) s.edit((text) => setValue(text, chosen.path, last));
  else putTrack(chosen.path, rest);
}
export function copyKeys(): void {
  const chosen = selectedKeys.value, track = chosen && trackAt(chosen.path);
  if (chosen && track) copied.value = track.keys.filter((_, k) => chosen.keys.has(k));
}
export function pasteKeys(path: Path, time: number): void {
  const track = trackAt(path), first = copied.value[0];
  if (!track || !first) return;
  const placed = copied.value.map((key) => ({...key, at: Number((key.at - first.at + time).toPrecision(9))}));
  const others = track.keys.filter((key) => !placed.some((p) => Math.abs(p.at - key.at) < 1e-9));
  const keys = [...others, ...placed].sort((a, b) => a.at - b.at);
  putTrack(path, {...track, keys});
  selectedKeys.value = {path, keys: new Set(placed.map((p) => keys.indexOf(p)))};
}
export function nudgeKeys(frames: number): void {
  const chosen = selectedKeys.value, track = chosen && trackAt(chosen.path);
  if (!chosen || !track) return;
  const {track: next, moved} = moveKeys(track, chosen.keys, frames / s.fps.value, s.fps.value);
  putTrack(chosen.path, next, 'nudge ' + pathText(chosen.path));
  selectedKeys.value = {path: chosen.path, keys: moved};
}
export function changeSelected(change: Partial<Key>): void {
  const chosen = selectedKeys.value;
  let track = chosen && trackAt(chosen.path);
  if (!chosen || !track) return;
  for (const k of chosen.keys) track = changeKey(track, k, change);
  putTrack(chosen.path, track, 'key ' + pathText(chosen.path));
}
