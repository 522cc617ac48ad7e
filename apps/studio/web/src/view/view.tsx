// The 3D view, kept in step with the playhead, the scene and what is selected.
import {effect, signal, untracked, useSignal} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import {get, getBytes} from '../api';
import {pathText} from '../json/parse';
import {addMesh} from '../panels/add';
import {ProbeCard} from '../panels/probe';
import {column, playhead, playing} from '../player';
import * as s from '../state';
import {frames} from './frame';
import {heldNow, type Held} from './handles';
import {drawHelpers} from './helpers';
import * as v from './options';
import {surfaces} from './skin';
import {Stage} from './stage';
import {arrived} from './store';
import {postThumbnail} from './thumbnail';
import {Beside, Legend, Notes, ViewTools} from './tools';

// For tests, which click at places of the scene.
declare global { interface Window { loamStudio?: {screenOf: (x: number, y: number, z: number) => {x: number; y: number}; handle: () => [number, number, number] | null} } }

const MOST_WAITING = 3; // requests for frames under way; the one that is wanted then comes before those that were

// Shows the frame at the playhead as soon as it is there; while it comes, the one before stays.
function keepShown(stage: Stage): () => void {
  let rest = 0;
  return effect(() => {
    const run = s.runNow.value, id = s.shownRun.value, frame = playhead.value, what = column.value, other = s.compared.value;
    const mode = other === null ? 'off' : v.compareMode.value, limits = v.held.value?.column === what ? v.held.value : null;
    const bodies = v.skins.value ? v.fluids.value.join(',') : '';
    arrived.value; // look again when something came
    stage.compare = mode;
    clearTimeout(rest);
    if (!s.hasFrame(run, frame)) {
      if (s.newest.value < 0) { v.shownFrame.value = null; stage.show(null, null, null); }
      return;
    }
    const takes = mode === 'off' ? [id] : [id, other!];
    const there = takes.map((take) => frames.peek(take, frame, what));
    const skins = takes.map((take) => (bodies ? surfaces.peek(take, frame, what, bodies) : null));
    const wait = bodies !== '' && skins[0] === null;
    v.skinComing.value = wait;
    takes.forEach((take, k) => {
      if (!there[k] && frames.waiting < MOST_WAITING) void frames.fetch(take, frame, what);
      if (bodies && !skins[k] && surfaces.waiting < 2) void surfaces.fetch(take, frame, what, bodies);
    });
    const [first, second] = there;
    if (!first || (wait && !surfaces.slow && v.shownFrame.peek() !== null)) return;
    const begins = v.shownFrame.peek() === null;
    stage.show(first, second ?? null, limits, skins);
    v.shownFrame.value = first;
    if (begins && framed !== s.opened.peek()) stage.frameAll(); // before its shapes have come
    stage.resize();
    // Over a slow way it came thinned; in full when the playhead rests.
    if (frames.isThin(first) && !playing.value) rest = window.setTimeout(() => void frames.fetch(id, frame, what, true), 300);
  });
}

let framed = 0; // which of those that were opened is seen in whole, or was until somebody turned elsewhere

function keepShapes(stage: Stage): () => void {
  let known = '';
  return effect(() => {
    if (framed !== s.opened.value) stage.shapes.clear();
    const good = s.finding.value?.good, what = `${s.finding.value?.version}|${s.quality.value}|${s.name.value}`;
    if (!good || what === known || s.kind.value === 'none') return;
    known = what;
    void getBytes('shapes').then((bytes) => {
      if (what !== known) return;
      stage.readShapes(bytes);
      if (framed !== s.opened.peek()) stage.frameAll();
      framed = s.opened.peek();
      if (stage.shapes.fluids.join() !== v.fluids.peek().join()) v.fluids.value = stage.shapes.fluids;
      stage.place(playhead.peek(), pathText(s.selected.peek()), v.walls.peek());
      shapesRead.value++;
    }).catch(() => undefined);
  });
}
const shapesRead = signal(0); // handles and lines follow shapes

function keepHandle(stage: Stage): () => void {
  let held: Held | null = null;
  stage.onDragged = (drag, done) => {
    const how = v.gizmo.value;
    if (!held || !how) return;
    const moved = drag.move.length() > 1e-9 || drag.degrees > 1e-3 || Math.abs(drag.scale.x * drag.scale.y * drag.scale.z - 1) > 1e-6;
    if (done && moved) held.drop(drag, how);
    else if (held.part && moved) { stage.place(playhead.peek(), pathText(s.selected.peek()), v.walls.peek()); stage.shapes.preview(held.part, drag.matrix); stage.draw(); }
  };
  return effect(() => {
    const how = v.gizmo.value;
    s.scene.value, playhead.value, v.shownFrame.value, shapesRead.value;
    held = how ? heldNow(stage) : null;
    stage.hold(held?.center ?? null, held && how && held.ways.includes(how) ? how : 'translate');
  });
}

async function pickAt(stage: Stage, event: PointerEvent): Promise<void> {
  const box = stage.canvas.getBoundingClientRect(), shown = v.shownFrame.value;
  const nth = stage.pick(event.clientX - box.left, event.clientY - box.top);
  if (nth < 0 || !shown) { v.probe.value = null; return; }
  const found = await s.attempt(() => get<v.Probe>('particle', {run: s.shownRun.value, frame: shown.head.frame, nth, most: shown.most}));
  if (found) v.probe.value = found;
}

// The particle that was clicked at, with its curve over the run, and a mark that goes with it.
function keepProbe(stage: Stage): () => void {
  const stops = [
    effect(() => { s.name.value, s.shownRun.value; v.probe.value = null; }),
    effect(() => {
      const found = v.probe.value, newest = s.isRunning.value ? -1 : s.newest.value; // while it simulates the curve stays
      void newest;
      if (!found) { v.probeCurve.value = []; return; }
      void get<v.Probe[]>('particle', {run: s.shownRun.peek(), id: found.id}).then((all) => { if (v.probe.peek() === found) v.probeCurve.value = all; }).catch(() => undefined);
    }),
    effect(() => {
      const found = v.probe.value, frame = v.shownFrame.value;
      const now = found && frame ? (found.frame === frame.head.frame ? found : v.probeCurve.value.find((p) => p.frame === frame.head.frame)) : undefined;
      const place = now?.values['position'];
      stage.mark(Array.isArray(place) ? (place as [number, number, number]) : null, frame?.head.radius ?? 0);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

function keepClip(stage: Stage): () => void {
  return effect(() => {
    const axis = v.clipAxis.value, at = v.clipAt.value, box = stage.shapes.bounds, frame = v.shownFrame.value;
    const k = {off: -1, x: 0, y: 1, z: 2}[axis];
    if (k < 0) stage.clip.set(0, 0, 0, 1);
    else {
      const lo = Math.min(frame?.head.bounds[0][k] ?? Infinity, box.isEmpty() ? Infinity : box.min.getComponent(k));
      const hi = Math.max(frame?.head.bounds[1][k] ?? -Infinity, box.isEmpty() ? -Infinity : box.max.getComponent(k));
      stage.clip.set(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, lo + at * (hi - lo));
    }
    stage.draw();
  });
}

// When a run has ended, what is seen of it is kept.
function keepThumbnail(): () => void {
  let wanted = false;
  return effect(() => {
    const state = s.job.value?.state, shown = v.shownFrame.value;
    if (state === 'running') wanted = true;
    if (state !== 'ended' || !wanted || !shown) return;
    wanted = false;
    setTimeout(() => void postThumbnail(), 400);
  });
}

async function dropMesh(event: DragEvent): Promise<void> {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) await addMesh(file);
}
// A click, as opposed to a drag, picks.
function listenForClicks(stage: Stage, canvas: HTMLCanvasElement): void {
  let press: {x: number; y: number} | null = null;
  canvas.addEventListener('pointerdown', (e) => { press = {x: e.clientX, y: e.clientY}; });
  canvas.addEventListener('pointerup', (e) => {
    if (press && e.button === 0 && Math.hypot(e.clientX - press.x, e.clientY - press.y) < 4) void pickAt(stage, e);
    press = null;
  });
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
    v.stageNow.value = stage;
    window.loamStudio = {screenOf: (x, y, z) => stage.screenOf(x, y, z), handle: () => stage.held};
    const watch = new ResizeObserver(() => stage.resize());
    watch.observe(holder.current!);
    listenForClicks(stage, canvas.current!);
    const shift = (e: KeyboardEvent) => { if (e.key === 'Shift') stage.snap(e.type === 'keydown'); };
    addEventListener('keydown', shift);
    addEventListener('keyup', shift);
    const stops = [
      keepShown(stage), keepShapes(stage), keepProbe(stage), keepClip(stage), keepThumbnail(), keepHandle(stage),
      effect(() => stage.setTheme(s.theme.value)),
      effect(() => {
        const visible = v.walls.value && s.kind.value !== 'none', frame = playhead.value;
        s.scene.value, shapesRead.value;
        stage.place(frame, pathText(s.selected.value), visible);
        drawHelpers(stage.helpers, untracked(() => stage.allBounds()), visible, stage.shapes.flat);
      }),
    ];
    return () => {
      stops.forEach((stop) => stop());
      removeEventListener('keydown', shift);
      removeEventListener('keyup', shift);
      watch.disconnect();
      stage.dispose();
    };
  }, []);
  return (
    <section class="view" ref={holder} aria-label="View" onDragOver={(e) => e.preventDefault()} onDrop={(e) => void dropMesh(e)}>
      <canvas ref={canvas} aria-label="Particles and walls. Drag to turn, right-drag to move, wheel to zoom, click to see the values of a particle." tabIndex={0} />
      {failed.value ? <p class="view-note">{failed.value}</p> : null}
      <ViewTools />
      <ProbeCard />
      <Legend />
      <Beside />
      <Notes />
    </section>
  );
}
