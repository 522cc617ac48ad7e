// Starting, stopping and going on.
import {effect, signal} from '@preact/signals';
import {post, type Job} from './api';
import {follow, playhead, playing} from './player';
import * as s from './state';

export interface Ask { from: number | null; frames: number; seconds: number }
export const asking = signal<Ask | null>(null); // whether frames that took long may be replaced

const LONG = 60; // seconds of computing that are not thrown away without a question

// Where going on begins: the last frame that still follows from the scene.
export function startFrame(): number | null {
  if (s.newest.value < 0) return null;
  return s.stale.value === Infinity ? null : Math.max(0, s.stale.value - 1);
}
export const isWhole = (): boolean => s.newest.value >= s.lastFrame.value && s.stale.value === Infinity;

let begun = ''; // the text of the last start: where that failed, it is not tried again by itself
export async function run(from: number | null, take = ''): Promise<void> {
  if (s.fault.value) return s.note('error', 'the scene is wrong, so nothing runs: ' + s.fault.value.what, s.fault.value.hint);
  begun = s.text.value; // what changes from here on is not in it
  await flush();
  const wish: {[key: string]: string | number} = {run: s.shownRun.value};
  if (from !== null) wish['from'] = from;
  if (take) wish['take'] = take;
  playing.value = false;
  const job = await s.attempt(() => post<Job>('simulate', wish));
  if (!job) return;
  follow.value = true;
  if (from !== null) playhead.value = from;
}

// The server must have the text that is seen.
async function flush(): Promise<void> { await s.attempt(() => post('text', {text: s.text.value, from: s.me})); }

// What would be replaced.
function lostAfter(from: number): {frames: number; seconds: number} {
  const lost = (s.logs.value[s.shownRun.value] ?? []).filter((line) => line.frame > from);
  return {frames: lost.length, seconds: lost.reduce((sum, line) => sum + Number(line['wall_seconds'] ?? 0), 0)};
}
export function simulate(from: number | null = startFrame()): void {
  const lost = from === null ? null : lostAfter(from);
  if (from !== null && lost && lost.seconds > LONG) asking.value = {from, ...lost};
  else void run(from);
}

// A change is seen at once: what no longer follows from the scene is simulated anew, as soon as hands are still.
export const live = signal(false);
const STILL = 500; // ms
export function startLive(): void {
  let waiting = 0, open = 0;
  effect(() => {
    if (s.opened.value !== open) open = s.opened.value, begun = s.text.peek(); // opened, not changed
    const text = s.text.value, from = startFrame(), running = s.isRunning.value;
    const starting = running && s.job.value?.state !== 'running'; // what it has of the scene is not known yet
    clearTimeout(waiting);
    if (!live.value || from === null || s.fault.value || starting || text === begun) return;
    waiting = window.setTimeout(() => {
      if (running) return void stop();
      if (lostAfter(from).seconds > LONG) return s.note('note', 'these frames took long to compute: they are not replaced by themselves');
      void run(from);
    }, STILL);
  });
}
export const stop = (): Promise<unknown> => s.attempt(() => post('stop', {}));
export const chooseQuality = (quality: string): Promise<unknown> => s.attempt(() => post('quality', {quality}));
export async function save(as?: string): Promise<boolean> {
  await flush();
  const done = await s.attempt(() => post<{name: string}>('save', as ? {name: as} : {}));
  if (done) s.saved.value = true;
  return done !== undefined;
}
export const open = (name: string): Promise<unknown> => s.attempt(() => post('open', {name}));
