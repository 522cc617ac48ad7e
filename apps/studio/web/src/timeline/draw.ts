// Draws the timeline: the ruler with what is simulated, bars that fade with their weights, curves, keys, the playhead.
import {pathText} from '../json/parse';
import {bodyColor} from '../view/colors';
import type {KeySelection} from './selection';
import {band, RULER, tick, toX, toY, trackPath, type Row, type Scale} from './rows';
import {handlesOf, valueAt} from './track';

export interface Picture {
  rows: Row[]; scale: Scale; width: number; height: number; scroll: number; playhead: number; fps: number; lastFrame: number;
  frames: [number, number][]; stale: number; computing: number | null; selected: string; keys: KeySelection | null; drop: {row: Row; time: number} | null;
}
export const LABELS = 168; // width of the names at the left

const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function draw(context: CanvasRenderingContext2D, p: Picture): void {
  const colors = {panel: css('--panel'), line: css('--line'), text: css('--text'), muted: css('--muted'), accent: css('--accent'), row: css('--row'), hover: css('--hover'), stale: css('--stale'), good: css('--good'), key: css('--key')};
  const c = context;
  c.fillStyle = colors.panel;
  c.fillRect(0, 0, p.width, p.height);
  c.save();
  c.beginPath();
  c.rect(0, RULER, p.width, p.height - RULER);
  c.clip();
  c.translate(0, -p.scroll);
  for (const row of p.rows) if (row.y + row.height > p.scroll && row.y < p.scroll + p.height) drawRow(c, p, row, colors);
  c.restore();
  drawRuler(c, p, colors);
  const x = toX(p.scale, p.playhead / p.fps);
  if (x >= LABELS) {
    c.strokeStyle = c.fillStyle = colors.accent;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x, 8);
    c.lineTo(x, p.height);
    c.stroke();
    c.beginPath();
    c.moveTo(x - 5, 2);
    c.lineTo(x + 5, 2);
    c.lineTo(x, 11);
    c.fill();
  }
}

type Colors = Record<'panel' | 'line' | 'text' | 'muted' | 'accent' | 'row' | 'hover' | 'stale' | 'good' | 'key', string>;

function drawRuler(c: CanvasRenderingContext2D, p: Picture, colors: Colors): void {
  c.fillStyle = colors.panel;
  c.fillRect(0, 0, p.width, RULER);
  c.save();
  c.beginPath();
  c.rect(LABELS, 0, p.width - LABELS, RULER);
  c.clip();
  const strip = (from: number, to: number, color: string) => {
    const a = toX(p.scale, from / p.fps), b = toX(p.scale, to / p.fps);
    c.fillStyle = color;
    c.fillRect(a, RULER - 5, Math.max(1, b - a), 4);
  };
  for (const [a, b] of p.frames) {
    if (a < p.stale) strip(a, Math.min(b, p.stale - 1) + 0.5, colors.good);
    if (b >= p.stale) strip(Math.max(a, p.stale) - 0.5, b + 0.5, colors.stale);
  }
  if (p.computing !== null) strip(p.computing, p.computing + 1, colors.accent);
  const every = tick(p.scale.perSecond, 64), end = toX(p.scale, p.lastFrame / p.fps);
  c.font = '11px system-ui, sans-serif';
  c.textBaseline = 'middle';
  const first = Math.ceil(p.scale.from / every) * every;
  for (let time = first; toX(p.scale, time) < p.width; time += every) {
    const x = Math.round(toX(p.scale, time)) + 0.5;
    c.fillStyle = x <= end + 1 ? colors.muted : colors.line;
    c.fillRect(x - 0.5, RULER - 9, 1, 4);
    c.fillText(`${Number(time.toPrecision(6))} s`, x + 3, 8);
  }
  c.fillStyle = colors.line;
  c.fillRect(end, 0, 1, RULER);
  c.restore();
  c.fillStyle = colors.line;
  c.fillRect(0, RULER - 1, p.width, 1);
  c.fillRect(LABELS - 1, 0, 1, p.height);
}

function drawRow(c: CanvasRenderingContext2D, p: Picture, row: Row, colors: Colors): void {
  const chosen = p.selected === pathText(row.path) || p.selected === pathText(trackPath(row));
  const dropped = p.drop?.row.body === row.body && row.kind === 'body';
  c.fillStyle = dropped ? colors.accent : chosen ? colors.hover : row.kind === 'body' ? colors.row : colors.panel;
  c.fillRect(0, row.y, p.width, row.height);
  c.fillStyle = colors.line;
  c.fillRect(0, row.y + row.height - 1, p.width, 1);
  const middle = row.y + row.height / 2, color = row.color >= 0 ? bodyColor(row.color) : '#9aa6b2';
  c.textBaseline = 'middle';
  c.font = `${row.kind === 'body' ? '600 ' : ''}12px system-ui, sans-serif`;
  c.save();
  c.beginPath();
  c.rect(0, row.y, LABELS - 6, row.height);
  c.clip();
  if (row.kind === 'body') {
    c.fillStyle = color;
    c.fillRect(8, middle - 4, 8, 8);
  }
  c.fillStyle = row.kind === 'property' ? colors.muted : colors.text;
  c.fillText(row.name, row.kind === 'body' ? 22 : row.kind === 'behavior' ? 22 : 34, middle);
  if (row.kind !== 'body') {
    c.fillStyle = colors.muted;
    c.font = '10px system-ui, sans-serif';
    c.fillText(row.height > 100 ? '▾' : '▸', LABELS - 16, middle);
  }
  if (row.kind === 'body' && row.wall) {
    c.fillStyle = colors.muted;
    c.font = '11px system-ui, sans-serif';
    c.fillText(row.body ? 'wall' : '', LABELS - 40, middle);
  }
  c.restore();
  c.save();
  c.beginPath();
  c.rect(LABELS, row.y, p.width - LABELS, row.height);
  c.clip();
  if (row.kind !== 'body') (row.track && row.track.over !== 'time' ? drawOwnAxis : drawCurve)(c, p, row, color, colors);
  if (p.drop && p.drop.row === row) {
    c.fillStyle = colors.accent;
    c.fillRect(toX(p.scale, p.drop.time), row.y, 2, row.height);
  }
  c.restore();
}

function drawCurve(c: CanvasRenderingContext2D, p: Picture, row: Row, color: string, colors: Colors): void {
  const b = band(row), left = Math.max(LABELS, toX(p.scale, 0)), right = Math.min(p.width, toX(p.scale, p.lastFrame / p.fps));
  const components = row.track && Array.isArray(row.track.keys[0]?.value) ? row.track.keys[0]!.value.length : 1;
  const at = (x: number, k: number): number => (row.track ? valueAt(row.track, p.scale.from + (x - p.scale.left) / p.scale.perSecond, k) : row.constant);
  if (row.kind === 'behavior' && right > left) {
    // The bar is as strong as the weight, as in the thesis, figure 7.2.
    const fade = c.createLinearGradient(left, 0, right, 0);
    const places = Array.from({length: row.track ? 61 : 2}, (_, k) => left + ((right - left) * k) / (row.track ? 60 : 1));
    for (const key of row.track?.keys ?? []) places.push(toX(p.scale, key.at) - 0.5, toX(p.scale, key.at) + 0.5); // steps are sharp
    for (const x of places.filter((x_) => x_ >= left && x_ <= right).sort((a, b_) => a - b_)) {
      const weight = Math.max(0, Math.min(1, at(x, 0)));
      fade.addColorStop((x - left) / (right - left), color + Math.round(8 + weight * 150).toString(16).padStart(2, '0'));
    }
    c.fillStyle = fade;
    c.beginPath();
    c.roundRect(left, b.top, right - left, b.bottom - b.top, 3);
    c.fill();
  }
  if (row.track) {
    const inks = components > 1 ? ['#e45c6c', '#57c785', '#4a9dff'] : [color];
    for (let k = 0; k < components; k++) {
      c.strokeStyle = inks[k]!;
      c.lineWidth = 1.4;
      c.beginPath();
      for (let x = left; x <= right; x += 2) (x === left ? c.moveTo(x, toY(b, at(x, k))) : c.lineTo(x, toY(b, at(x, k))));
      c.stroke();
    }
  }
  drawKeys(c, row, colors, (at_) => toX(p.scale, at_), p.keys);
}

// Keys over temperature, height, ... stand along an axis of their own.
export function ownAxis(row: Row, p: {width: number}): (at: number) => number {
  const keys = row.track!.keys, lo = keys[0]?.at ?? 0, hi = keys[keys.length - 1]?.at ?? 1, span = hi > lo ? hi - lo : 1;
  return (at) => LABELS + 60 + ((at - lo) / span) * Math.max(60, p.width - LABELS - 140);
}
function drawOwnAxis(c: CanvasRenderingContext2D, p: Picture, row: Row, color: string, colors: Colors): void {
  const place = ownAxis(row, p), b = band(row), keys = row.track!.keys;
  const left = place(keys[0]?.at ?? 0), right = place(keys[keys.length - 1]?.at ?? 1);
  const at = (x: number): number => (keys[0]?.at ?? 0) + ((x - left) / Math.max(1, right - left)) * ((keys[keys.length - 1]?.at ?? 1) - (keys[0]?.at ?? 0));
  c.strokeStyle = color;
  c.setLineDash([5, 3]);
  c.beginPath();
  c.moveTo(left - 40, toY(b, valueAt(row.track!, -Infinity)));
  for (let x = left; x <= right; x += 2) c.lineTo(x, toY(b, valueAt(row.track!, at(x))));
  c.lineTo(right + 40, toY(b, valueAt(row.track!, Infinity)));
  c.stroke();
  c.setLineDash([]);
  c.fillStyle = colors.muted;
  c.font = '11px system-ui, sans-serif';
  c.fillText(`over ${row.track!.over}`, LABELS + 6, row.y + row.height - 8);
  drawKeys(c, row, colors, place, p.keys);
}

function drawKeys(c: CanvasRenderingContext2D, row: Row, colors: Colors, place: (at: number) => number, chosen: KeySelection | null): void {
  if (!row.track) return;
  const b = band(row), own = chosen && pathText(chosen.path) === pathText(trackPath(row)) ? chosen.keys : null;
  for (const k of own ?? []) drawHandles(c, row, k, colors, place);
  row.track.keys.forEach((key, k) => {
    const x = place(key.at), y = toY(b, Array.isArray(key.value) ? key.value[0]! : key.value), r = own?.has(k) ? 5.5 : 4.5;
    c.fillStyle = own?.has(k) ? colors.key : colors.panel;
    c.strokeStyle = own?.has(k) ? colors.key : colors.text;
    c.lineWidth = 1.3;
    c.beginPath();
    if ((key.interpolation ?? row.track!.interpolation) === 'step') c.rect(x - r + 1, y - r + 1, 2 * r - 2, 2 * r - 2);
    else { c.moveTo(x, y - r); c.lineTo(x + r, y); c.lineTo(x, y + r); c.lineTo(x - r, y); c.closePath(); }
    c.fill();
    c.stroke();
  });
}

// Where a handle is drawn; within its row, also where its value is beyond.
export const handleY = (row: Row, value: number): number => { const y = toY(band(row), value); return Math.max(row.y + 4, Math.min(y, row.y + row.height - 4)); };

function drawHandles(c: CanvasRenderingContext2D, row: Row, k: number, colors: Colors, place: (at: number) => number): void {
  const key = row.track!.keys[k];
  if (!key || Array.isArray(key.value)) return;
  c.strokeStyle = c.fillStyle = colors.key;
  c.lineWidth = 1;
  for (const {at, value} of handlesOf(row.track!, k)) {
    const x = place(at), y = handleY(row, value);
    c.beginPath();
    c.moveTo(place(key.at), toY(band(row), key.value));
    c.lineTo(x, y);
    c.stroke();
    c.beginPath();
    c.arc(x, y, 3.5, 0, 2 * Math.PI);
    c.fill();
  }
}
