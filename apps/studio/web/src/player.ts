// The playhead: which frame is shown, and how it moves.
import {computed, effect, signal} from '@preact/signals';
import {frameMade, fps, framesOf, isRunning, job, lastFrame, newest, runNow, runs, shownRun} from './state';
import {frames} from './view/frame';

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
  if (!frames.peek(shownRun.value, next, column.value)) {
    void frames.fetch(shownRun.value, next, column.value);
    return;
  }
  shownSince = now - shownSince > 2 * pace ? now : shownSince + pace;
  playhead.value = next;
}

export function startPlayer(): void {
  requestAnimationFrame(tick);
  // Some frames ahead, so that playing does not wait for the network.
  effect(() => {
    const from = playhead.value, run = shownRun.value, what = column.value, end = playEnd.value;
    if (!playing.value) return;
    for (let ahead = 1; ahead <= 6 && from + ahead <= end; ahead++) if (frames.waiting < 6) void frames.fetch(run, from + ahead, what);
  });
  effect(() => {
    const made = frameMade.value;
    if (!made) return;
    frames.forget(made.run, made.frame); // what comes after it is of another time
    if (made.run === shownRun.peek() && follow.peek()) playhead.value = made.frame;
  });
  effect(() => {
    // Without frames there is nothing to be ahead of.
    const last = framesOf(runNow.value);
    if (runs.value.length > 0 && last >= 0 && playhead.peek() > Math.max(last, lastFrame.peek())) playhead.value = last;
  });
  effect(() => { if (job.value?.state === 'ended' && !isRunning.value) follow.value = false; });
}
