// The timeline: scrub at the top, keys below; behaviors are dropped onto it.
import {computed, effect, signal} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import {gesture} from '../history';
import {pathText} from '../json/parse';
import {addBehavior} from '../panels/tree';
import {playhead, playing, seek} from '../player';
import {startFrame} from '../simulate';
import * as s from '../state';
import {draw, handleY, LABELS, ownAxis, type Picture} from './draw';
import {putTrack, selectedKeys, trackAt} from './selection';
import {band, layRows, rowAt, RULER, toTime, totalHeight, toValue, toX, toY, trackPath, type Row, type Scale} from './rows';
import {addKey, handlesOf, moveHandle, moveKeys, snap, valueAt, type Side, type Track} from './track';

const tall = signal<ReadonlySet<string>>(new Set()); // rows that were made tall
export const rows = computed(() => layRows(s.scene.value, tall.value));
const zoom = signal<{from: number; span: number} | null>(null); // null: all of it
const scroll = signal(0);
const drop = signal<Picture['drop']>(null);

function toggleTall(row: Row, height: number): void {
  const next = new Set(tall.value), path = pathText(row.path);
  if (!next.delete(path)) next.add(path);
  tall.value = next;
  const now = rows.value.find((r) => pathText(r.path) === path)!; // all of it is to be seen
  scroll.value = Math.max(0, Math.min(Math.max(scroll.value, now.y + now.height - height), now.y - RULER));
}

interface Hit { row: Row; key: number }

export function Timeline() {
  const canvas = useRef<HTMLCanvasElement>(null), holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const board = canvas.current!, context = board.getContext('2d')!;
    let width = 1, height = 1, wanted = false;
    const scaleNow = (): Scale => {
      const shown = zoom.peek() ?? {from: 0, span: s.duration.peek() * 1.04};
      return {from: shown.from, perSecond: (width - LABELS - 14) / shown.span, left: LABELS + 6};
    };
    const picture = (): Picture => ({
      rows: rows.value, scale: scaleNow(), width, height, scroll: scroll.value, playhead: playhead.value, fps: s.fps.value, lastFrame: s.lastFrame.value,
      frames: s.runNow.value?.frames ?? [], stale: s.stale.value, computing: s.isRunning.value ? (s.job.value?.frame ?? startFrame() ?? 0) : null,
      selected: pathText(s.selected.value), keys: selectedKeys.value, drop: drop.value,
    });
    const redraw = () => {
      if (wanted) return;
      wanted = true;
      requestAnimationFrame(() => { wanted = false; draw(context, picture()); });
    };
    const fit = () => {
      const ratio = Math.min(2, devicePixelRatio);
      width = holder.current!.clientWidth, height = holder.current!.clientHeight;
      board.width = Math.max(1, width * ratio), board.height = Math.max(1, height * ratio);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      redraw();
    };
    const watch = new ResizeObserver(fit);
    watch.observe(holder.current!);
    fit();
    const stop = effect(() => { picture(); zoom.value; s.theme.value; s.duration.value; redraw(); });

    const place = (e: MouseEvent) => { const box = board.getBoundingClientRect(); return {x: e.clientX - box.left, y: e.clientY - box.top}; };
    const keyAt = (x: number, y: number): Hit | null => {
      const row = rowAt(rows.value, y + scroll.value);
      if (!row?.track) return null;
      const where = places(row), b = band(row);
      let best = -1, nearest = 9;
      row.track.keys.forEach((key, k) => {
        const d = Math.hypot(where(key.at) - x, toY(b, Array.isArray(key.value) ? key.value[0]! : key.value) - (y + scroll.value));
        if (d < nearest) nearest = d, best = k;
      });
      return best >= 0 ? {row, key: best} : null;
    };

    const places = (row: Row) => (row.track!.over === 'time' ? (at: number) => toX(scaleNow(), at) : ownAxis(row, {width}));
    // A handle of a key that is selected.
    const handleAt = (x: number, y: number): {row: Row; key: number; side: Side} | null => {
      const chosen = selectedKeys.value, row = rowAt(rows.value, y + scroll.value);
      if (!chosen || !row?.track || pathText(trackPath(row)) !== pathText(chosen.path)) return null;
      for (const key of chosen.keys)
        for (const handle of handlesOf(row.track, key))
          if (Math.hypot(places(row)(handle.at) - x, handleY(row, handle.value) - (y + scroll.value)) < 8) return {row, key, side: handle.side};
      return null;
    };

    const scrub = (x: number) => { playing.value = false; seek(Math.round(toTime(scaleNow(), x) * s.fps.value)); };
    // Each drag begins with the track as it was, so that keys that were passed over come back.
    let drag: {kind: 'scrub'} | {kind: 'handle'; row: Row; key: number; side: Side; group: string} | {kind: 'keys'; row: Row; track: Track; x: number; y: number; keys: Set<number>; moved: boolean; group: string} | null = null;
    const down = (e: PointerEvent) => {
      if (e.button !== 0) return;
      const {x, y} = place(e);
      board.setPointerCapture(e.pointerId);
      if (y < RULER && x > LABELS) { drag = {kind: 'scrub'}; scrub(x); return; }
      const handle = x > LABELS ? handleAt(x, y) : null;
      if (handle) { drag = {kind: 'handle', ...handle, group: gesture()}; return; }
      const hit = x > LABELS ? keyAt(x, y) : null, row = rowAt(rows.value, y + scroll.value);
      if (!hit) {
        if (row && row.kind !== 'body' && x < LABELS && x > LABELS - 24) return toggleTall(row, height);
        selectedKeys.value = null;
        if (row) s.selected.value = row.path;
        return;
      }
      const path = trackPath(hit.row), old = selectedKeys.value;
      const same = old && pathText(old.path) === pathText(path);
      let keys = new Set([hit.key]);
      if (same && old.keys.has(hit.key) && !e.shiftKey) keys = old.keys;
      else if (same && e.shiftKey) { keys = new Set(old.keys); if (keys.has(hit.key)) keys.delete(hit.key); else keys.add(hit.key); }
      selectedKeys.value = keys.size > 0 ? {path, keys} : null;
      s.selected.value = hit.row.path;
      drag = {kind: 'keys', row: hit.row, track: hit.row.track!, x, y, keys, moved: false, group: gesture()};
    };
    const move = (e: PointerEvent) => {
      const {x, y} = place(e);
      if (!drag) {
        board.style.cursor = y < RULER ? 'ew-resize' : x > LABELS && (keyAt(x, y) || handleAt(x, y)) ? 'grab' : x < LABELS && x > LABELS - 24 ? 'pointer' : 'default';
        return;
      }
      if (drag.kind === 'scrub') return scrub(x);
      if (drag.kind === 'handle') {
        const {row, key, side, group} = drag, track = trackAt(trackPath(row))!, own = track.over !== 'time';
        const first = track.keys[0]!.at, along = ownAxis(row, {width}), unit = own ? along(first + 1) - along(first) : 1;
        const at = own ? first + (x - along(first)) / unit : toTime(scaleNow(), x);
        return putTrack(trackPath(row), moveHandle(track, key, side, at, toValue(band(row), y + scroll.value)), group);
      }
      if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < 4) return;
      drag.moved = true;
      const path = trackPath(drag.row), own = drag.track.over !== 'time';
      const span = (drag.track.keys[drag.track.keys.length - 1]?.at ?? 1) - (drag.track.keys[0]?.at ?? 0) || 1;
      const by = own ? ((x - drag.x) * span) / Math.max(60, width - LABELS - 140) : (x - drag.x) / scaleNow().perSecond;
      const {track, moved} = moveKeys(drag.track, drag.keys, Math.abs(x - drag.x) < 4 ? 0 : by, own || e.altKey ? null : s.fps.value);
      // Up and down changes the value, once it is clear that this is meant.
      const bar = drag.row.kind === 'behavior', b = band(drag.row), rise = Math.abs(y - drag.y) > 6 ? toValue(b, y) - toValue(b, drag.y) : 0;
      const keys = track.keys.map((key, k) => {
        if (!moved.has(k) || rise === 0 || Array.isArray(key.value)) return key;
        const raw = key.value + rise, value = bar ? Math.max(0, Math.min(1, Math.round(raw * 20) / 20)) : Number(raw.toPrecision(3));
        return {...key, value};
      });
      putTrack(path, {...track, keys}, drag.group);
      selectedKeys.value = {path, keys: moved};
    };
    const up = () => { drag = null; };
    const twice = (e: MouseEvent) => {
      const {x, y} = place(e), row = rowAt(rows.value, y + scroll.value);
      if (y < RULER) { zoom.value = null; return; }
      if (row && row.kind !== 'body' && x < LABELS - 24) return toggleTall(row, height);
      if (!row || row.kind === 'body' || x < LABELS || keyAt(x, y)) return;
      if (row.track && row.track.over !== 'time') return;
      const at = snap(Math.max(0, toTime(scaleNow(), x)), s.fps.value), path = trackPath(row);
      const base: Track = row.track ?? {over: 'time', interpolation: 'linear', keys: []};
      const track = addKey(base, at, row.track ? undefined : row.constant);
      putTrack(path, track);
      selectedKeys.value = {path, keys: new Set([track.keys.findIndex((key) => key.at === at)])};
    };
    const wheel = (e: WheelEvent) => {
      e.preventDefault();
      const shown = zoom.value ?? {from: 0, span: s.duration.value * 1.04};
      if (e.ctrlKey || e.metaKey) {
        const at = toTime(scaleNow(), place(e).x), factor = Math.exp(e.deltaY * 0.002);
        const span = Math.max(4 / s.fps.value, Math.min(shown.span * factor, 4 * s.duration.value));
        zoom.value = {from: Math.max(0, at - ((at - shown.from) * span) / shown.span), span};
      } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        zoom.value = {from: Math.max(0, shown.from + ((e.deltaX || e.deltaY) / width) * shown.span), span: shown.span};
      } else scroll.value = Math.max(0, Math.min(scroll.value + e.deltaY, Math.max(0, totalHeight(rows.value) - height)));
    };
    const over = (e: DragEvent) => {
      if (!e.dataTransfer?.types.includes('application/x-loam-behavior')) return;
      e.preventDefault();
      e.dataTransfer.dropEffect = 'copy';
      const {x, y} = place(e), row = rowAt(rows.value, y + scroll.value);
      drop.value = row ? {row, time: x < LABELS ? 0 : snap(Math.max(0, toTime(scaleNow(), x)), s.fps.value)} : null;
    };
    const leave = () => { drop.value = null; };
    const dropped = (e: DragEvent) => {
      e.preventDefault();
      const name = e.dataTransfer?.getData('application/x-loam-behavior'), at = drop.value;
      drop.value = null;
      if (name && at) addBehavior(at.row.body, name, at.time);
    };
    board.addEventListener('pointerdown', down);
    board.addEventListener('pointermove', move);
    board.addEventListener('pointerup', up);
    board.addEventListener('dblclick', twice);
    board.addEventListener('wheel', wheel, {passive: false});
    board.addEventListener('dragover', over);
    board.addEventListener('dragleave', leave);
    board.addEventListener('drop', dropped);
    return () => { stop(); watch.disconnect(); };
  }, []);
  return (
    <div class="timeline" ref={holder}>
      <canvas ref={canvas} tabIndex={0} role="application" aria-label="Timeline. Drag in the ruler to scrub; double-click a bar to add a key; drag keys to move them; Delete removes; arrows nudge." />
      <TimelineText />
    </div>
  );
}

// The same for those who do not see the canvas, and for the keyboard: every track with its keys as buttons.
function TimelineText() {
  return (
    <ul class="unseen" aria-label="Keys">
      {rows.value.map((row) => row.kind === 'body' ? <li data-row={pathText(row.path)} data-top={row.y} data-height={row.height}>{row.name}</li> : (
        <li data-row={pathText(row.path)} data-top={row.y} data-height={row.height}>{row.body ?? 'all bodies'} {row.name}: {row.track ? row.track.keys.map((key, k) => (
          <button data-key={`${pathText(trackPath(row))}#${k}`} onClick={() => { selectedKeys.value = {path: trackPath(row), keys: new Set([k])}; s.selected.value = row.path; }}>
            key at {key.at}, value {Array.isArray(key.value) ? key.value.join(' ') : key.value}</button>)) : `weight ${row.constant}`}
          {row.track && row.track.over === 'time' ? ` now ${valueAt(row.track, playhead.value / s.fps.value).toPrecision(3)}` : ''}
          <button onClick={() => { const t = trackAt(trackPath(row)) ?? {over: 'time', interpolation: 'linear' as const, keys: []}; putTrack(trackPath(row), addKey(t, playhead.value / s.fps.value, row.track ? undefined : row.constant)); }}>add a key at the playhead</button>
        </li>))}
    </ul>
  );
}
