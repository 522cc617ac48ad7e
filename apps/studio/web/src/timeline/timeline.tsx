// The timeline: scrub at the top, keys below; behaviors are dropped onto it.
import {effect} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import {pathText} from '../json/parse';
import {playhead, seek} from '../player';
import * as s from '../state';
import {Board, keyRow, rows} from './board';
import {trackOf, trackPath, type Row} from './rows';
import {select} from './selection';
import {valueAt} from './track';

export function Timeline() {
  const canvas = useRef<HTMLCanvasElement>(null), holder = useRef<HTMLDivElement>(null), board = useRef<Board | null>(null);
  useEffect(() => {
    const own = (board.current = new Board(canvas.current!)), fit = () => own.fit(holder.current!.clientWidth, holder.current!.clientHeight);
    const watch = new ResizeObserver(fit);
    watch.observe(holder.current!);
    fit();
    const stop = effect(() => own.redraw());
    return () => { stop(); watch.disconnect(); };
  }, []);
  const onKey = (e: KeyboardEvent) => {
    const by = e.key === 'ArrowUp' ? -1 : e.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    e.preventDefault();
    const text = pathText(s.selected.value), now = rows.value.findIndex((row) => pathText(row.path) === text || pathText(trackPath(row)) === text);
    const row = rows.value[Math.max(0, Math.min(now + by, rows.value.length - 1))];
    if (!row) return;
    s.selected.value = row.path;
    board.current?.reveal(row);
  };
  return (
    <div class="timeline" ref={holder}>
      <canvas ref={canvas} tabIndex={0} role="application" aria-label="Timeline. Up and down choose a row, K adds a key at the playhead, [ and ] go from key to key, arrows move what is selected, Delete removes it." onKeyDown={onKey} />
      <TimelineText />
    </div>
  );
}

// The same for those who do not see the canvas: every track with its keys as buttons.
function TimelineText() {
  return (
    <ul class="unseen" aria-label="Keys">
      {rows.value.map((row) => (
        <li data-row={pathText(row.path)} data-top={row.y} data-height={row.height}>
          {row.kind === 'body' ? row.name : <RowText row={row} />}
        </li>))}
    </ul>
  );
}
function RowText({row}: {row: Row}) {
  const path = trackPath(row), {track} = row, time = playhead.value / s.fps.value;
  return (
    <>
      {row.body ?? 'all bodies'} {row.name}: {track ? track.keys.map((key, k) => (
        <button tabIndex={-1} data-key={`${pathText(path)}#${k}`} onClick={() => { select({path, keys: new Set([k])}); s.selected.value = row.path; }}>
          key at {key.at}, value {Array.isArray(key.value) ? key.value.join(' ') : key.value}</button>)) : `weight ${row.constant}`}
      {track && track.over === 'time' ? ` now ${valueAt(track, time).toPrecision(3)}` : ''}
      <button tabIndex={-1} onClick={() => keyRow(row, time)}>add a key at the playhead</button>
    </>
  );
}

// By the keyboard, for what is selected
// -----------------------------------------------------------------------------

const now = (): number => Number((playhead.value / s.fps.value).toPrecision(9));
export const chosenTrack = () => { const row = trackOf(rows.value, s.selected.value); return row ? trackPath(row) : null; };
export function keyNow(): void {
  const row = trackOf(rows.value, s.selected.value);
  if (!row || (row.track && row.track.over !== 'time')) return s.note('note', 'select a behavior, or a property that is keyed over time: K adds a key to it');
  keyRow(row, now());
}
// From key to key of the track that is selected, or of all of them.
export function toKey(by: 1 | -1): void {
  const chosen = trackOf(rows.value, s.selected.value), all = (chosen?.track ? [chosen] : rows.value).filter((row) => row.track?.over === 'time');
  const places = all.flatMap((row) => row.track!.keys.map((key, k) => ({at: key.at, row, k}))).filter(({at}) => (by > 0 ? at > now() + 1e-6 : at < now() - 1e-6));
  if (places.length === 0) return;
  const next = places.reduce((a, b) => ((b.at - a.at) * by < 0 ? b : a));
  seek(Math.round(next.at * s.fps.value));
  select(...places.filter(({at}) => at === next.at).map(({row, k}) => ({path: trackPath(row), keys: new Set([k])})));
}
export function selectAll(): void {
  const chosen = trackOf(rows.value, s.selected.value);
  select(...(chosen?.track ? [chosen] : rows.value).map((row) => ({path: trackPath(row), keys: new Set(row.track?.keys.keys() ?? [])})));
}
