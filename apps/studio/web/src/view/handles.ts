// What can be grasped in the view: the shape that is selected, or a point that it has, such as the camera's place.
import * as THREE from 'three';
import {setValue} from '../json/edit';
import {pathText, type Json, type Path} from '../json/parse';
import {playhead} from '../player';
import {propertiesOf, schemaAt} from '../schema';
import {moveShape, scaleShape, shapePathOf, turnShape} from '../shape';
import * as s from '../state';
import {addKey, readTrack, trackJson, valuesAt} from '../timeline/track';
import type {Drag, Gizmo, Stage} from './stage';

export interface Held {
  center: THREE.Vector3;
  ways: Gizmo[];
  part: string | null; // of the view, that moves along
  drop: (drag: Drag, how: Gizmo) => void;
}

const now = (): number => playhead.value / s.fps.value;

// The value at a path, at the playhead.
export function valueNow(path: Path): Json | undefined {
  const raw = s.at(path), track = readTrack(raw);
  return track ? (track.over === 'time' ? valuesAt(track, now()) : undefined) : raw;
}
// A value becomes another one; where it is keyed, by a key at the playhead.
export function putNow(path: Path, value: number | number[], group = ''): void {
  const track = readTrack(s.at(path));
  const next: Json = track && track.over === 'time' ? trackJson(addKey(track, Number(now().toPrecision(9)), value)) : value;
  s.edit((text) => setValue(text, path, next), group);
}

// The point that belongs to a block: what it is centered at, or where it stands.
function pointPath(selected: Path): Path | null {
  const isPoint = (block: Path, name: string) => propertiesOf(schemaAt(block) ?? {}).some((p) => p.name === name && p.kind === 'vector' && p.unit === 'm');
  if (selected.length === 0 || selected.includes('shape')) return null;
  const parent = selected.slice(0, -1), last = selected[selected.length - 1];
  if (typeof last === 'string' && isPoint(parent, last)) return selected;
  const name = ['center', 'from'].find((n) => isPoint(selected, n));
  return name ? [...selected, name] : null;
}

export function heldNow(stage: Stage): Held | null {
  const selected = s.selected.value, point = pointPath(selected);
  if (point) {
    const value = valueNow(point);
    if (!Array.isArray(value)) return null;
    const place = new THREE.Vector3(Number(value[0]), Number(value[1]), Number(value[2] ?? 0));
    const drop = (drag: Drag) => putNow(point, place.clone().add(drag.move).toArray().map((x) => Number(x.toPrecision(5))));
    return {center: place, ways: ['translate'], part: null, drop};
  }
  const path = shapePathOf(selected), shape = path ? s.at(path) : undefined;
  if (!path || selected.length < 2 || shape === undefined) return null;
  const part = pathText(path.slice(0, -1)), box = stage.shapes.boundsOf(part);
  if (!box || box.isEmpty()) return null;
  const drop = (drag: Drag, how: Gizmo) => {
    const pivot = drag.pivot.toArray();
    const next = how === 'translate' ? moveShape(shape, drag.move.toArray())
      : how === 'scale' ? scaleShape(shape, drag.scale.toArray(), pivot) : turnShape(shape, drag.axis.toArray(), drag.degrees, pivot, stage.shapes.flat);
    s.edit((text) => setValue(text, path, next));
  };
  return {center: box.getCenter(new THREE.Vector3()), ways: ['translate', 'rotate', 'scale'], part, drop};
}
