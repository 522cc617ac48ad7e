// Draws the timeline: the ruler with what is simulated, bars that fade with their weights, curves, keys, the playhead.
import {pathText} from '../json/parse';
import {bodyColor} from '../view/colors';
import type {Chosen} from './selection';
import {band, hasOwnAxis, isTall, MARKS, ownAxis, ownScale, RULER, tick, toTime, toX, toY, trackPath, type OwnAxis, type Row, type Scale} from './rows';
import {handlesOf, unitOf, valueAt, valuesAt} from './track';

export interface Picture {
  rows: Row[]; scale: Scale; width: number; height: number; scroll: number; playhead: number; fps: number; lastFrame: number;
  frames: [number, number][]; stale: number; computing: number | null; selected: string; keys: Chosen[]; drop: {row: Row; time: number} | null;
  frame: {x: number; y: number; width: number; height: number} | null; // that keys are caught in
  axis: {path: string; axis: OwnAxis} | null;                           // of a row whose keys are dragged: it stays as it was
}
export const LABELS = 168; // width of the names at the left

// Where keys of a row stand.
export function scaleOf(row: Row, p: Pick<Picture, 'scale' | 'width' | 'axis'>): Scale {
  if (!hasOwnAxis(row)) return p.scale;
  return ownScale(p.axis?.path === pathText(row.path) ? p.axis.axis : ownAxis(row.track!), LABELS, p.width);
}

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
  if (p.frame) {
    c.strokeStyle = colors.key;
    c.lineWidth = 1;
    c.setLineDash([4, 3]);
    c.strokeRect(p.frame.x + 0.5, p.frame.y + 0.5, p.frame.width, p.frame.height);
    c.setLineDash([]);
  }
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
    c.fillText(isTall(row) ? '▾' : '▸', LABELS - 16, middle);
    c.textAlign = 'right';
    c.fillText(valueNow(row, p.playhead / p.fps), LABELS - 22, middle);
    c.textAlign = 'left';
  }
  if (row.hint) {
    c.fillStyle = colors.muted;
    c.font = '11px system-ui, sans-serif';
    c.fillText(row.hint, LABELS - 44, middle);
  }
  c.restore();
  c.save();
  c.beginPath();
  c.rect(LABELS, row.y, p.width - LABELS, row.height);
  c.clip();
  if (row.kind !== 'body') {
    const scale = scaleOf(row, p);
    if (hasOwnAxis(row)) drawMarks(c, p, row, scale, colors);
    drawCurve(c, p, row, scale, color, colors);
  }
  if (p.drop && p.drop.row === row) {
    c.fillStyle = colors.accent;
    c.fillRect(toX(p.scale, p.drop.time), row.y, 2, row.height);
  }
  c.restore();
}

const short = (x: number): string => String(Number(x.toPrecision(3)));
function valueNow(row: Row, time: number): string {
  if (!row.track || hasOwnAxis(row)) return row.track ? '' : row.constant === 1 ? '' : short(row.constant);
  const value = valuesAt(row.track, time);
  return Array.isArray(value) ? '' : short(value);
}

// The bar of a weight is as strong as it, as in the thesis, figure 7.2; a property is a curve.
function drawCurve(c: CanvasRenderingContext2D, p: Picture, row: Row, scale: Scale, color: string, colors: Colors): void {
  const b = band(row), own = hasOwnAxis(row);
  const left = own ? LABELS + 4 : Math.max(LABELS, toX(scale, 0)), right = own ? p.width - 4 : Math.min(p.width, toX(scale, p.lastFrame / p.fps));
  const components = row.track && Array.isArray(row.track.keys[0]?.value) ? row.track.keys[0]!.value.length : 1;
  const at = (x: number, k: number): number => (row.track ? valueAt(row.track, toTime(scale, x), k) : row.constant);
  if (row.kind === 'behavior' && right > left) {
    const fade = c.createLinearGradient(left, 0, right, 0);
    const places = Array.from({length: row.track ? 61 : 2}, (_, k) => left + ((right - left) * k) / (row.track ? 60 : 1));
    for (const key of row.track?.keys ?? []) places.push(toX(scale, key.at) - 0.5, toX(scale, key.at) + 0.5); // steps are sharp
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
  drawKeys(c, p, row, scale, colors);
}

// What a row has in place of time, with its unit.
function drawMarks(c: CanvasRenderingContext2D, p: Picture, row: Row, scale: Scale, colors: Colors): void {
  const y = row.y + row.height - MARKS, over = row.track!.over, unit = unitOf(over), every = tick(scale.perSecond, 70);
  c.fillStyle = colors.row;
  c.fillRect(LABELS, y, p.width - LABELS, MARKS - 1);
  c.font = '10px system-ui, sans-serif';
  c.fillStyle = colors.text;
  const name = unit ? `${over} [${unit}]` : over, end = LABELS + 8 + c.measureText(name).width + 8;
  c.fillText(name, LABELS + 6, y + MARKS / 2);
  c.fillStyle = colors.muted;
  for (let value = Math.ceil(toTime(scale, end) / every) * every; toX(scale, value) < p.width - 20; value += every) {
    const x = Math.round(toX(scale, value)) + 0.5;
    c.fillRect(x - 0.5, y - 3, 1, 6);
    c.fillText(String(Number(value.toPrecision(6))), x + 4, y + MARKS / 2);
  }
}

function drawKeys(c: CanvasRenderingContext2D, p: Picture, row: Row, scale: Scale, colors: Colors): void {
  if (!row.track) return;
  const b = band(row), path = pathText(trackPath(row)), own = p.keys.find((chosen) => pathText(chosen.path) === path)?.keys;
  for (const k of own ?? []) drawHandles(c, row, k, colors, scale);
  row.track.keys.forEach((key, k) => {
    const x = toX(scale, key.at), y = toY(b, Array.isArray(key.value) ? key.value[0]! : key.value), r = own?.has(k) ? 5.5 : 4.5;
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

function drawHandles(c: CanvasRenderingContext2D, row: Row, k: number, colors: Colors, scale: Scale): void {
  const key = row.track!.keys[k];
  if (!key || Array.isArray(key.value)) return;
  c.strokeStyle = c.fillStyle = colors.key;
  c.lineWidth = 1;
  for (const {at, value} of handlesOf(row.track!, k)) {
    const x = toX(scale, at), y = handleY(row, value);
    c.beginPath();
    c.moveTo(toX(scale, key.at), toY(band(row), key.value));
    c.lineTo(x, y);
    c.stroke();
    c.beginPath();
    c.arc(x, y, 3.5, 0, 2 * Math.PI);
    c.fill();
  }
}
