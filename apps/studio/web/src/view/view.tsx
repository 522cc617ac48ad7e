// The 3D view with what lies over it: tools, legend, notes.
import {effect, signal, useSignal} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import {get, getBytes, postFile} from '../api';
import {setValue} from '../json/edit';
import {pathText, type Json} from '../json/parse';
import {column, follow, playhead} from '../player';
import {moveShape, shapePathOf} from '../shape';
import * as s from '../state';
import {Icon, IconButton} from '../widgets';
import {bodyColor, gradient, short} from './colors';
import {frames, MOST_PARTICLES, type Frame} from './frame';
import {Stage, type Compare} from './stage';

export const shownFrame = signal<Frame | null>(null);
export const compareMode = signal<Compare>('off');
export const walls = signal(true);
export const clipAxis = signal<'off' | 'x' | 'y' | 'z'>('off');
export const clipAt = signal(1); // part of the extent
export const held = signal<{column: string; least: number; most: number} | null>(null); // what colors stand for, over all frames
export interface Probe { id: number; body: number; frame: number; values: Record<string, number | number[] | null> }
export const probe = signal<Probe | null>(null);
export const stageNow = signal<Stage | null>(null);

// Shows the frame at the playhead as soon as it is there; while it comes, the one before stays.
function keepShown(stage: Stage): () => void {
  return effect(() => {
    const run = s.runNow.value, id = s.shownRun.value, frame = playhead.value, what = column.value, other = s.compared.value;
    const mode = compareMode.value, limits = held.value?.column === what ? held.value : null;
    frames.changed.value; // look again when frames came
    stage.compare = other === null ? 'off' : mode;
    const wanted = s.hasFrame(run, frame);
    if (!wanted) {
      if (s.newest.value < 0) { shownFrame.value = null; stage.show(null, null, null); }
      return;
    }
    const there = frames.peek(id, frame, what);
    const second = other !== null && mode !== 'off' ? frames.peek(other, frame, what) : null;
    if (there) {
      const first = shownFrame.peek() === null;
      stage.show(there, second, limits);
      shownFrame.value = there;
      if (first) stage.frameAll();
      stage.resize();
    } else void frames.fetch(id, frame, what);
    if (other !== null && mode !== 'off' && !second) void frames.fetch(other, frame, what);
  });
}

function keepShapes(stage: Stage): () => void {
  let known = '';
  return effect(() => {
    const good = s.finding.value?.good, what = `${s.finding.value?.version}|${s.quality.value}|${s.name.value}`;
    if (!good || what === known || s.kind.value === 'none') return;
    known = what;
    void getBytes('shapes').then((bytes) => {
      if (what !== known) return;
      stage.readShapes(bytes);
      stage.place(playhead.peek(), pathText(s.selected.peek()), walls.peek());
      holdSelected(stage);
    }).catch(() => undefined);
  });
}

function holdSelected(stage: Stage): void {
  const path = shapePathOf(s.selected.value);
  const box = path && s.selected.value.length >= 2 && moveable.value ? stage.shapes.boundsOf(pathText(path.slice(0, -1))) : null;
  stage.hold(box && !box.isEmpty() ? box.getCenter(stage.shapes.bounds.getCenter(box.min.clone())) : null);
}
export const moveable = signal(false);

async function pickAt(stage: Stage, event: PointerEvent): Promise<void> {
  const box = stage.canvas.getBoundingClientRect();
  const nth = stage.pick(event.clientX - box.left, event.clientY - box.top);
  if (nth < 0) { probe.value = null; stage.mark(null, 0); return; }
  stage.mark(stage.placeOf(nth), shownFrame.value!.head.radius);
  const found = await s.attempt(() => get<Probe>('particle', {run: s.shownRun.value, frame: playhead.value, nth, most: MOST_PARTICLES}));
  if (found) probe.value = found;
}

async function dropMesh(event: DragEvent): Promise<void> {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  const stored = await s.attempt(() => postFile<{file: string}>('mesh', {name: file.name}, file));
  if (!stored) return;
  const base = file.name.replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9_-]/g, '-').replace(/^[^A-Za-z]+/, '') || 'mesh';
  let name = base;
  for (let k = 2; s.at(['bodies', name]) !== undefined; k++) name = `${base}-${k}`;
  const body: Json = {shape: {mesh: {file: stored.file}}, boundary: {}};
  s.edit((text) => setValue(text, ['bodies', name], body));
  s.selected.value = ['bodies', name];
}

export function View() {
  const canvas = useRef<HTMLCanvasElement>(null), holder = useRef<HTMLDivElement>(null);
  const failed = useSignal('');
  useEffect(() => {
    let stage: Stage;
    try {
      stage = new Stage(canvas.current!);
    } catch (error) {
      failed.value = 'This browser has no WebGL 2, which the view needs: ' + (error instanceof Error ? error.message : '');
      return undefined;
    }
    stageNow.value = stage;
    const watch = new ResizeObserver(() => stage.resize());
    watch.observe(holder.current!);
    let press: {x: number; y: number} | null = null;
    const down = (e: PointerEvent) => { press = {x: e.clientX, y: e.clientY}; };
    const up = (e: PointerEvent) => {
      if (press && e.button === 0 && Math.hypot(e.clientX - press.x, e.clientY - press.y) < 4) void pickAt(stage, e);
      press = null;
    };
    canvas.current!.addEventListener('pointerdown', down);
    canvas.current!.addEventListener('pointerup', up);
    let begun: Json | undefined;
    stage.onMoved = (delta, done) => {
      const path = shapePathOf(s.selected.value);
      if (!path || !done) return;
      begun = s.at(path);
      if (begun !== undefined && delta.length() > 1e-9) s.edit((text) => setValue(text, path, moveShape(begun!, delta.toArray())));
    };
    const stops = [
      keepShown(stage), keepShapes(stage),
      effect(() => stage.setTheme(s.theme.value)),
      effect(() => stage.place(playhead.value, pathText(s.selected.value), walls.value && s.kind.value !== 'none')),
      effect(() => { moveable.value; s.selected.value; holdSelected(stage); }),
      effect(() => {
        const axis = clipAxis.value, at = clipAt.value, box = stage.shapes.bounds, frame = shownFrame.value;
        const k = {off: -1, x: 0, y: 1, z: 2}[axis];
        if (k < 0) stage.clip.set(0, 0, 0, 1);
        else {
          const lo = Math.min(frame?.head.bounds[0][k] ?? Infinity, box.isEmpty() ? Infinity : box.min.getComponent(k));
          const hi = Math.max(frame?.head.bounds[1][k] ?? -Infinity, box.isEmpty() ? -Infinity : box.max.getComponent(k));
          stage.clip.set(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, lo + at * (hi - lo));
        }
        stage.draw();
      }),
      effect(() => { s.name.value; probe.value = null; stage.mark(null, 0); }),
      effect(() => { playhead.value; if (probe.peek() && probe.peek()!.frame !== playhead.value) stage.mark(null, 0); }),
    ];
    return () => { stops.forEach((stop) => stop()); watch.disconnect(); stage.dispose(); };
  }, []);
  return (
    <section class="view" ref={holder} aria-label="View" onDragOver={(e) => e.preventDefault()} onDrop={(e) => void dropMesh(e)}>
      <canvas ref={canvas} aria-label="Particles and walls" tabIndex={0} />
      {failed.value ? <p class="view-note">{failed.value}</p> : null}
      <ViewTools />
      <Legend />
      <Notes />
    </section>
  );
}

function ViewTools() {
  const stage = stageNow.value;
  return (
    <div class="view-tools" role="toolbar" aria-label="View tools">
      <IconButton icon="frame" label="Frame all (F)" onClick={() => stage?.frameAll()} />
      <span class="group">
        {(['x', 'y', 'z'] as const).map((axis) => (
          <button class="plain" title={`View along ${axis}`} aria-label={`View along ${axis}`} onClick={() => stage?.view(axis)}>{axis.toUpperCase()}</button>
        ))}
        <button class="plain" title="View from the corner" aria-label="View from the corner" onClick={() => stage?.view('free')}>◪</button>
      </span>
      <button class="plain" title="Perspective or parallel" onClick={() => stage?.useCamera(!stage.isParallel)}>Persp/Ortho</button>
      <button class={'plain' + (walls.value ? ' on' : '')} aria-pressed={walls.value} title="Show walls, guides and emitters" onClick={() => { walls.value = !walls.value; }}>Walls</button>
      <button class={'plain' + (moveable.value ? ' on' : '')} aria-pressed={moveable.value} title="Move the selected shape by a handle (G)" onClick={() => { moveable.value = !moveable.value; }}>Move</button>
      <label class="tool-label">Clip
        <select aria-label="Clip along" value={clipAxis.value} onChange={(e) => { clipAxis.value = e.currentTarget.value as 'off'; if (clipAt.value === 1) clipAt.value = 0.5; }}>
          <option value="off">off</option><option>x</option><option>y</option><option>z</option>
        </select>
      </label>
      {clipAxis.value !== 'off' ? <input type="range" min="0" max="1" step="0.005" value={clipAt.value} aria-label="Place of the clip plane" onInput={(e) => { clipAt.value = Number(e.currentTarget.value); }} /> : null}
      {s.runs.value.length > 1 ? <CompareTool /> : null}
    </div>
  );
}

function CompareTool() {
  const others = s.runs.value.filter((r) => r.id !== s.shownRun.value);
  return (
    <label class="tool-label">Compare
      <select aria-label="Compare with" value={s.compared.value ?? '-'} onChange={(e) => {
        const value = e.currentTarget.value;
        s.compared.value = value === '-' ? null : value;
        if (value !== '-' && compareMode.value === 'off') compareMode.value = 'overlay';
      }}>
        <option value="-">off</option>
        {others.map((r) => <option value={r.id}>{r.id || 'first run'}</option>)}
      </select>
      {s.compared.value !== null ? (
        <select aria-label="How takes are compared" value={compareMode.value} onChange={(e) => { compareMode.value = e.currentTarget.value as Compare; stageNow.value?.resize(); }}>
          <option value="overlay">overlaid</option><option value="beside">side by side</option>
        </select>) : null}
    </label>
  );
}

function Legend() {
  const frame = shownFrame.value;
  if (!frame) return null;
  const columns = frame.head.columns, sent = frame.head.column;
  const range = held.value && sent && held.value.column === sent.name ? held.value : sent;
  return (
    <div class="legend">
      <select aria-label="Color by" title="What colors show" value={column.value} onChange={(e) => { column.value = e.currentTarget.value; held.value = null; }}>
        <option value="">body</option>
        {columns.map((c) => <option value={c.name}>{c.name === 'velocity' ? 'speed' : c.name}</option>)}
      </select>
      {sent && range ? (
        <div class="ramp-box">
          <div class="ramp" style={{background: gradient}} />
          <div class="ramp-ends"><span>{short(range.least)}</span><span>{sent.unit}</span><span>{short(range.most)}</span></div>
          <label class="hold"><input type="checkbox" checked={held.value !== null} onChange={(e) => { held.value = e.currentTarget.checked && sent ? {column: sent.name, least: sent.least, most: sent.most} : null; }} /> hold range</label>
        </div>
      ) : (
        <ul class="bodies">{frame.head.bodies.map((body, k) => frame.body.includes(k) ? <li><i style={{background: bodyColor(k)}} />{body}</li> : null)}</ul>
      )}
    </div>
  );
}

function Notes() {
  const frame = shownFrame.value, stale = playhead.value >= s.stale.value;
  const notes: string[] = [];
  if (frame && frame.head.count < frame.head.total)
    notes.push(`${frame.head.count.toLocaleString('en')} of ${frame.head.total.toLocaleString('en')} particles shown`);
  else if (frame) notes.push(`${frame.head.total.toLocaleString('en')} particles`);
  if (frame && frame.head.frame !== playhead.value && !s.hasFrame(s.runNow.value, playhead.value)) notes.push(`frame ${playhead.value} is not simulated yet`);
  return (
    <div class="view-notes" aria-live="polite">
      {stale && frame ? <span class="stale-note"><Icon name="warning" /> from before the last change</span> : null}
      {follow.value ? <span>live</span> : null}
      {notes.map((note) => <span>{note}</span>)}
    </div>
  );
}
