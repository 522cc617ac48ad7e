// The canvas of the timeline: what is under the pointer, and what dragging there does.
import {computed, signal} from '@preact/signals';
import {gesture} from '../history';
import {pathText} from '../json/parse';
import {addBehavior} from '../panels/tree';
import {playhead, playing, seek} from '../player';
import {startFrame} from '../simulate';
import * as s from '../state';
import {draw, handleY, LABELS, scaleOf, type Picture} from './draw';
import {band, layRows, ownAxis, rowAt, RULER, toTime, totalHeight, toValue, toX, toY, trackPath, type Row, type Scale} from './rows';
import {chosenKeys, chosenOf, heldKeys, putHeld, putKey, putTrack, select, trackAt, turnKey, type Chosen, type Held} from './selection';
import {handlesOf, moveHandle, moveTogether, snap, valuesAt, type Side} from './track';

const tall = signal<ReadonlySet<string>>(new Set()); // rows that were made tall
export const rows = computed(() => layRows(s.scene.value, tall.value));
const zoom = signal<{from: number; span: number} | null>(null); // null: all of it
const scroll = signal(0);
const drop = signal<Picture['drop']>(null);
const frame = signal<Picture['frame']>(null);
const axis = signal<Picture['axis']>(null);

interface Place { x: number; y: number } // of the canvas; rows are at y + scroll
type Drag =
  | {kind: 'scrub'}
  | {kind: 'frame'; from: Place; before: Chosen[]; moved: boolean}
  | {kind: 'handle'; row: Row; key: number; side: Side; group: string}
  | {kind: 'keys'; row: Row; all: Held[]; from: Place; moved: boolean; group: string};

const NEAR = 9; // pixels

// A key on its curve: where the row has none yet, with the value that it has.
export function keyRow(row: Row, time: number): void {
  if (row.kind !== 'body') putKey(trackPath(row), snap(Math.max(0, time), s.fps.value), row.constant);
}

export class Board {
  private readonly context: CanvasRenderingContext2D;
  private width = 1;
  private height = 1;
  private wanted = false;
  private drag: Drag | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext('2d')!;
    const on = <K extends keyof HTMLElementEventMap>(kind: K, act: (e: HTMLElementEventMap[K]) => void) => canvas.addEventListener(kind, act, {passive: false});
    on('pointerdown', (e) => { if (e.button === 0) this.down(e); });
    on('pointermove', (e) => this.move(e));
    const letGo = () => { this.drag = null; frame.value = null; axis.value = null; };
    on('pointerup', letGo);
    on('pointercancel', letGo);
    on('dblclick', (e) => this.twice(e));
    on('wheel', (e) => this.wheel(e));
    on('dragover', (e) => this.over(e));
    on('dragleave', () => { drop.value = null; });
    on('drop', (e) => this.dropped(e));
  }

  fit(width: number, height: number): void {
    const ratio = Math.min(2, devicePixelRatio);
    this.width = width, this.height = height;
    this.canvas.width = Math.max(1, width * ratio), this.canvas.height = Math.max(1, height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.redraw();
  }
  // Reads all signals that the picture depends on.
  redraw(): void {
    const picture = this.picture();
    void s.theme.value;
    if (this.wanted) return;
    this.wanted = true;
    void picture;
    requestAnimationFrame(() => { this.wanted = false; draw(this.context, this.picture()); });
  }
  private picture(): Picture {
    return {
      rows: rows.value, scale: this.scale(), width: this.width, height: this.height, scroll: scroll.value, playhead: playhead.value, fps: s.fps.value, lastFrame: s.lastFrame.value,
      frames: s.runNow.value?.frames ?? [], stale: s.stale.value, computing: s.isRunning.value ? (s.job.value?.frame ?? startFrame() ?? 0) : null,
      selected: pathText(s.selected.value), keys: chosenKeys.value, drop: drop.value, frame: frame.value, axis: axis.value,
    };
  }

  private shown(): {from: number; span: number} { return zoom.value ?? {from: 0, span: s.duration.value * 1.04}; }
  private scale(): Scale { const {from, span} = this.shown(); return {from, perSecond: (this.width - LABELS - 14) / span, left: LABELS + 6}; }
  private scaleOf(row: Row): Scale { return scaleOf(row, {scale: this.scale(), width: this.width, axis: axis.value}); }
  private timeAt(x: number): number { return toTime(this.scale(), x); }
  private place(e: MouseEvent): Place { const box = this.canvas.getBoundingClientRect(); return {x: e.clientX - box.left, y: e.clientY - box.top}; }
  private rowAt(at: Place): Row | null { return rowAt(rows.value, at.y + scroll.value); }

  private keyPlaces(row: Row): Place[] {
    const scale = this.scaleOf(row), b = band(row);
    return (row.track?.keys ?? []).map((key) => ({x: toX(scale, key.at), y: toY(b, Array.isArray(key.value) ? key.value[0]! : key.value) - scroll.value}));
  }
  private keyAt(at: Place): {row: Row; key: number} | null {
    const row = this.rowAt(at);
    if (!row?.track || at.x < LABELS) return null;
    let key = -1, nearest = NEAR;
    this.keyPlaces(row).forEach(({x, y}, k) => { const d = Math.hypot(x - at.x, y - at.y); if (d < nearest) nearest = d, key = k; });
    return key >= 0 ? {row, key} : null;
  }
  // A handle of a key that is selected.
  private handleAt(at: Place): {row: Row; key: number; side: Side} | null {
    const row = this.rowAt(at);
    if (!row?.track || at.x < LABELS) return null;
    const scale = this.scaleOf(row);
    for (const key of chosenOf(trackPath(row)))
      for (const handle of handlesOf(row.track, key))
        if (Math.hypot(toX(scale, handle.at) - at.x, handleY(row, handle.value) - (at.y + scroll.value)) < NEAR - 1) return {row, key, side: handle.side};
    return null;
  }
  private isTwist(at: Place): boolean { return at.x < LABELS && at.x > LABELS - 24; }

  private toggleTall(row: Row): void {
    const next = new Set(tall.value), path = pathText(row.path);
    if (!next.delete(path)) next.add(path);
    tall.value = next;
    this.reveal(rows.value.find((r) => pathText(r.path) === path)!); // all of it is to be seen
  }
  reveal(row: Row): void {
    scroll.value = Math.max(0, Math.min(Math.max(scroll.value, row.y + row.height - this.height), row.y - RULER));
  }

  private down(e: PointerEvent): void {
    const at = this.place(e);
    this.canvas.setPointerCapture(e.pointerId);
    if (at.y < RULER) { if (at.x > LABELS) { this.drag = {kind: 'scrub'}; this.scrub(at.x); } return; }
    const handle = this.handleAt(at);
    if (handle) { this.drag = {kind: 'handle', ...handle, group: gesture()}; this.holdAxis(handle.row); return; }
    const hit = this.keyAt(at), row = this.rowAt(at);
    if (hit) return this.grasp(hit, at, e.shiftKey);
    if (row && row.kind !== 'body' && this.isTwist(at)) return this.toggleTall(row);
    if (row) s.selected.value = row.path;
    if (!e.shiftKey) select();
    if (at.x > LABELS) this.drag = {kind: 'frame', from: {x: at.x, y: at.y + scroll.value}, before: chosenKeys.value, moved: false};
  }
  private grasp({row, key}: {row: Row; key: number}, at: Place, more: boolean): void {
    const path = trackPath(row);
    if (more) turnKey(path, key);
    else if (!chosenOf(path).has(key)) select({path, keys: new Set([key])});
    s.selected.value = row.path;
    this.holdAxis(row);
    this.drag = {kind: 'keys', row, all: heldKeys(), from: at, moved: false, group: gesture()};
  }
  private holdAxis(row: Row): void { if (row.track && row.track.over !== 'time') axis.value = {path: pathText(row.path), axis: ownAxis(row.track)}; }

  private scrub(x: number): void {
    playing.value = false;
    seek(Math.round(this.timeAt(x) * s.fps.value));
  }

  private move(e: PointerEvent): void {
    const at = this.place(e), drag = this.drag;
    if (!drag) {
      const row = this.rowAt(at);
      this.canvas.style.cursor = at.y < RULER ? 'ew-resize' : this.keyAt(at) || this.handleAt(at) ? 'grab' : row && row.kind !== 'body' && this.isTwist(at) ? 'pointer' : 'default';
    } else if (drag.kind === 'scrub') this.scrub(at.x);
    else if (drag.kind === 'frame') this.catchKeys(drag, at);
    else if (drag.kind === 'handle') {
      const path = trackPath(drag.row), along = toTime(this.scaleOf(drag.row), at.x);
      putTrack(path, moveHandle(trackAt(path)!, drag.key, drag.side, along, toValue(band(drag.row), at.y + scroll.value)), drag.group);
    } else this.moveKeys(drag, at, e.altKey);
  }

  // All keys within a frame that is drawn over rows.
  private catchKeys(drag: Drag & {kind: 'frame'}, at: Place): void {
    const to = {x: Math.max(LABELS, at.x), y: at.y + scroll.value}, {from} = drag;
    if (!drag.moved && Math.hypot(to.x - from.x, to.y - from.y) < 4) return;
    drag.moved = true;
    const box = {x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y)};
    frame.value = box;
    const caught = rows.value.map((row) => {
      const path = trackPath(row), keys = new Set(drag.before.find((c) => pathText(c.path) === pathText(path))?.keys);
      this.keyPlaces(row).forEach(({x, y}, k) => {
        if (x >= box.x && x <= box.x + box.width && y + scroll.value >= box.y && y + scroll.value <= box.y + box.height) keys.add(k);
      });
      return {path, keys};
    });
    select(...caught);
  }

  // Along, and, once it is clear that this is meant, up and down: the value of the keys of this row.
  private moveKeys(drag: Drag & {kind: 'keys'}, at: Place, free: boolean): void {
    const {row, from} = drag;
    if (!drag.moved && Math.hypot(at.x - from.x, at.y - from.y) < 4) return;
    drag.moved = true;
    const b = band(row), by = Math.abs(at.x - from.x) < 4 ? 0 : (at.x - from.x) / this.scaleOf(row).perSecond;
    const rise = Math.abs(at.y - from.y) > 6 ? toValue(b, at.y) - toValue(b, from.y) : 0, bar = row.kind === 'behavior';
    const moved = moveTogether(drag.all, by, free ? null : s.fps.value).map((held) => {
      if (rise === 0 || pathText(held.path) !== pathText(trackPath(row))) return held;
      const keys = held.track.keys.map((key, k) => {
        if (!held.keys.has(k) || Array.isArray(key.value)) return key;
        const raw = key.value + rise;
        return {...key, value: bar ? Math.max(0, Math.min(1, Math.round(raw * 20) / 20)) : Number(raw.toPrecision(3))};
      });
      return {...held, track: {...held.track, keys}};
    });
    putHeld(moved, drag.group);
  }

  private twice(e: MouseEvent): void {
    const at = this.place(e), row = this.rowAt(at);
    if (at.y < RULER) { zoom.value = null; return; }
    if (!row || row.kind === 'body' || this.keyAt(at)) return;
    if (at.x < LABELS) { if (!this.isTwist(at)) this.toggleTall(row); return; }
    if (!row.track || row.track.over === 'time') return keyRow(row, this.timeAt(at.x));
    const place = Number(toTime(this.scaleOf(row), at.x).toPrecision(3));
    putKey(trackPath(row), place, valuesAt(row.track, place));
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const {from, span} = this.shown();
    if (e.ctrlKey || e.metaKey) {
      const at = this.timeAt(this.place(e).x), next = Math.max(4 / s.fps.value, Math.min(span * Math.exp(e.deltaY * 0.002), 4 * s.duration.value));
      zoom.value = {from: Math.max(0, at - ((at - from) * next) / span), span: next};
    } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) zoom.value = {from: Math.max(0, from + ((e.deltaX || e.deltaY) / this.width) * span), span};
    else scroll.value = Math.max(0, Math.min(scroll.value + e.deltaY, Math.max(0, totalHeight(rows.value) - this.height)));
  }

  private over(e: DragEvent): void {
    if (!e.dataTransfer?.types.includes('application/x-loam-behavior')) return;
    e.preventDefault();
    e.dataTransfer.dropEffect = 'copy';
    const at = this.place(e), row = this.rowAt(at);
    drop.value = row ? {row, time: at.x < LABELS ? 0 : snap(Math.max(0, this.timeAt(at.x)), s.fps.value)} : null;
  }
  private dropped(e: DragEvent): void {
    e.preventDefault();
    const name = e.dataTransfer?.getData('application/x-loam-behavior'), at = drop.value;
    drop.value = null;
    if (name && at) addBehavior(at.row.body, name, at.time);
  }
}
