// The playhead: which frame is shown, and how it moves.
import {computed, effect, signal} from '@preact/signals';
import {frameMade, fps, framesOf, job, lastFrame, name, newest, quality, runNow, runs, shownRun} from './state';
import {frames} from './view/frame';
import {fluids, shownFrame, skins} from './view/options';
import {surfaces} from './view/skin';
import {arrived} from './view/store';

export const playhead = signal(0);
export const playing = signal(false);
export const loop = signal(true);
export const follow = signal(false); // the newest frame, while it simulates
export const column = signal(''); // what colors show; "" is the body
export const playEnd = computed(() => Math.max(0, newest.value));

export function seek(frame: number): void {
  follow.value = false;
  playhead.value = Math.max(0, Math.min(Math.round(frame), Math.max(lastFrame.value, newest.value)));
}
export function step(by: number): void { playing.value = false; seek(playhead.value + by); }
export function toggle(): void {
  if (!playing.value && playhead.value >= playEnd.value) playhead.value = 0;
  playing.value = !playing.value;
  if (playing.value) follow.value = false;
}

const bodies = (): string => (skins.value ? fluids.value.join(',') : '');
const isThere = (frame: number): boolean =>
  frames.peek(shownRun.value, frame, column.value) !== null && (bodies() === '' || surfaces.slow || surfaces.peek(shownRun.value, frame, column.value, bodies()) !== null);
function fetch(frame: number): void {
  void frames.fetch(shownRun.value, frame, column.value);
  if (bodies() !== '' && surfaces.waiting < 3) void surfaces.fetch(shownRun.value, frame, column.value, bodies());
}

let shownSince = 0;
function tick(now: number): void {
  requestAnimationFrame(tick);
  if (!playing.value || newest.value < 0) return;
  const pace = 1000 / fps.value;
  if (now - shownSince < pace - 2) return;
  const next = playhead.value + 1;
  if (next > playEnd.value) {
    if (loop.value && playEnd.value > 0) playhead.value = 0;
    else playing.value = false;
    shownSince = now;
    return;
  }
  // What is not there yet is waited for: frames are never skipped.
  if (!isThere(next)) return fetch(next);
  shownSince = now - shownSince > 2 * pace ? now : shownSince + pace;
  playhead.value = next;
}

export function startPlayer(): void {
  requestAnimationFrame(tick);
  effect(() => {
    // Another scene, or another quality of it: other frames under the same numbers.
    name.value, quality.value;
    frames.clear();
    surfaces.clear();
    shownFrame.value = null;
    playing.value = false;
  });
  if (newest.peek() >= 0) fetch(playhead.peek());
  // Some frames ahead, so that playing does not wait for the network.
  effect(() => {
    const from = playhead.value, end = playEnd.value;
    if (!playing.value) return;
    for (let ahead = 1; ahead <= 6 && from + ahead <= end; ahead++) if (frames.waiting < 6) fetch(from + ahead);
  });
  effect(() => {
    const made = frameMade.value;
    if (!made) return;
    frames.forget(made.run, made.frame); // what comes after it is of another time
    surfaces.forget(made.run, made.frame);
  });
  effect(() => {
    // Frames may be made faster than they arrive: then some are not seen, and none waits for another.
    const made = frameMade.value;
    arrived.value;
    const idle = frames.waiting === 0 && (bodies() === '' || surfaces.waiting === 0);
    if (made && made.run === shownRun.peek() && follow.value && idle) playhead.value = made.frame;
  });
  effect(() => {
    // Without frames there is nothing to be ahead of.
    const last = framesOf(runNow.value);
    if (runs.value.length > 0 && last >= 0 && playhead.peek() > Math.max(last, lastFrame.peek())) playhead.value = last;
  });
  effect(() => {
    if (job.value?.state !== 'ended' || !follow.peek()) return;
    follow.value = false;
    playhead.value = Math.max(0, newest.peek());
  });
}
