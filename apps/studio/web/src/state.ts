// All that the studio shows, as signals; panels read them and draw themselves anew when they change.
import {batch, computed, effect, signal} from '@preact/signals';
import {get, listen, post, Refused, type Finding, type Job, type LogLine, type Making, type Message, type Run, type State, type StudioEvent} from './api';
import {difference} from './json/edit';
import {find, pathOf, tryParse, valueOf, type Json, type Path} from './json/parse';
import {History} from './history';
import {simulated, staleFrom} from './timeline/stale';

export const me = Math.random().toString(36).slice(2); // so that a page knows its own changes when it hears of them

export const connected = signal(false);
export const kind = signal<State['kind']>('none');
export const name = signal('');
export const opened = signal(0); // counts what was opened: saved under another name, it is still the same
export const root = signal('');
export const nonce = signal('');
export const quality = signal('');
export const saved = signal(true);
export const runs = signal<Run[]>([]);
export const job = signal<Job | null>(null);
export const making = signal<Making | null>(null);
export const progress = signal<{time: number; frame: number; seconds: number} | null>(null);
export const finding = signal<Finding | null>(null);
export const messages = signal<Message[]>([]);
export const logs = signal<Record<string, LogLine[]>>({});

// The scene
// -----------------------------------------------------------------------------

export const text = signal('');
const history = new History();
export const canUndo = signal(false);
export const canRedo = signal(false);

export const parsed = computed(() => tryParse(text.value));
let lastGood: Json = {};
export const scene = computed<Json>(() => {
  if (parsed.value.root) lastGood = valueOf(parsed.value.root);
  return lastGood;
});
const block = (value: Json | undefined): Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
export const at = (path: Path): Json | undefined => {
  let value: Json | undefined = scene.value;
  for (const step of path) value = (value as Record<string, Json> | undefined)?.[step as string];
  return value;
};
// A name that is not taken yet: duck, duck-2, ...
export function freeName(within: Path, name: string): string {
  let free = name;
  for (let k = 2; at([...within, free]) !== undefined; k++) free = `${name.replace(/-\d+$/, '')}-${k}`;
  return free;
}
export const qualities = computed(() => Object.keys(block(block(scene.value)['quality'])));
export const effective = computed(() => simulated(scene.value, quality.value));
const numberOf = (key: string, otherwise: number): number => {
  const value = block(effective.value)[key];
  return typeof value === 'number' && value > 0 ? value : otherwise;
};
export const fps = computed(() => numberOf('fps', 25));
export const duration = computed(() => numberOf('duration', 4));
export const lastFrame = computed(() => Math.max(1, Math.ceil(duration.value * fps.value - 1e-6)));

let sending = 0;
let sent: string | null = ''; // the text that the server has; null while that is not known
let posts = 0;
function send(): void {
  clearTimeout(sending);
  sending = window.setTimeout(async () => {
    const next = text.value, nth = ++posts;
    if (next === sent) return;
    sent = null;
    const done = await attempt(() => post('text', {text: next, from: me}));
    if (done && nth === posts && next === text.value) sent = next;
  }, 120);
}

// Every change of the scene goes through here. Changes with the same `group` within a moment are undone as one.
export function change(next: string, group = ''): void {
  if (next === text.value) return;
  history.push(text.value, group);
  show(next);
  saved.value = false;
  send();
}
function show(next: string): void {
  batch(() => {
    text.value = next;
    canUndo.value = history.canUndo;
    canRedo.value = history.canRedo;
  });
  if (history.canUndo) keepHistory();
}
// What was changed outlives a page that is loaded again.
const KEPT = 'loam-history';
let keeping = 0;
function keepHistory(): void {
  clearTimeout(keeping);
  keeping = window.setTimeout(() => {
    try {
      sessionStorage.setItem(KEPT, JSON.stringify({name: name.value, text: text.value, past: history.kept()}));
    } catch { /* no room: it can be done without */ }
  }, 300);
}
function restoreHistory(): void {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as {name: string; text: string; past: string[]} | null;
  if (kept && kept.name === name.value && kept.text === text.value) history.restore(kept.past);
  show(text.value);
}
export function edit(work: (text: string) => string, group = ''): void {
  if (!parsed.value.root) return note('error', 'the text of the scene is not whole: mend it first');
  try {
    change(work(text.value), group);
  } catch (error) {
    note('error', error instanceof Error ? error.message : String(error));
  }
}
export function undo(): void {
  const before = history.undo(text.value);
  if (before !== null) { show(before); saved.value = false; send(); }
}
export function redo(): void {
  const after = history.redo(text.value);
  if (after !== null) { show(after); saved.value = false; send(); }
}

// What is wrong with the scene, if anything: where in the text, and at which value.
export interface Fault { what: string; hint: string; path: Path; line: number; column: number }
export const fault = computed<Fault | null>(() => {
  const {error} = parsed.value;
  if (error) {
    const before = text.value.slice(0, error.at).split('\n');
    return {what: error.message, hint: '', path: [], line: before.length, column: before[before.length - 1]!.length + 1};
  }
  const found = finding.value?.error;
  if (!found) return null;
  const place = /:(\d+):(\d+)(?:: (.*))?$/s.exec(found.where);
  const path = place ? (place[3] ?? '') : (/([\w-]+(?:\.[\w-]+)+)$/.exec(found.where)?.[1] ?? '');
  const missing = /^"([\w-]+)" is missing/.exec(found.what)?.[1]; // told of its block; it belongs to its field
  return {what: found.what, hint: found.hint, path: [...pathOf(path), ...(missing ? [missing] : [])], line: Number(place?.[1] ?? 0), column: Number(place?.[2] ?? 0)};
});

// Runs and frames
// -----------------------------------------------------------------------------

export const shownRun = signal(''); // the id: "" or a take
export const compared = signal<string | null>(null);
export const runNow = computed(() => runs.value.find((r) => r.id === shownRun.value) ?? runs.value[0] ?? null);
export const framesOf = (run: Run | null): number => run?.frames[run.frames.length - 1]?.[1] ?? -1;
export const newest = computed(() => framesOf(runNow.value)); // -1: none
export const hasFrame = (run: Run | null, frame: number): boolean => run?.frames.some(([a, b]) => frame >= a && frame <= b) ?? false;

// The first frame that no longer follows from the scene; Infinity if all do.
export const stale = computed(() => {
  const run = runNow.value;
  if (!run?.scene || newest.value < 0) return Infinity;
  const {root: node} = tryParse(run.scene);
  if (!node) return 0;
  const first = staleFrom(effective.value, valueOf(node), Math.max(newest.value, 1));
  return first <= newest.value ? first : Infinity;
});
export const isRunning = computed(() => job.value !== null && job.value.state !== 'ended');

// What is selected: a path of the scene.
export const selected = signal<Path>([]);

export const theme = signal<'dark' | 'light'>(
  (localStorage.getItem('loam-theme') as 'dark' | 'light' | null) ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'));
effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
  localStorage.setItem('loam-theme', theme.value);
});

// What was just said, for a moment.
export const said = signal<Message | null>(null);
const MOMENT = 7000; // ms
let saying = 0;
function say(message: Message): void {
  messages.value = [...messages.value.slice(-199), message];
  said.value = message;
  clearTimeout(saying);
  saying = window.setTimeout(() => { said.value = null; }, MOMENT);
}
export const note = (kind_: Message['kind'], text_: string, hint = ''): void => say({kind: kind_, text: text_, hint});
// Something that may be refused; then it is told, and nothing comes back.
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) note('error', (error.problem.where ? error.problem.where + ': ' : '') + error.problem.what, error.problem.hint);
    else if (!(error instanceof DOMException && error.name === 'AbortError')) note('error', 'the server does not answer: is `loam studio` still running?');
    return undefined;
  }
}

// From the server
// -----------------------------------------------------------------------------

// Answers and events come by different ways: an answer may be older than events that were heard while it was under way.
let told = 0;

export async function refresh(): Promise<void> {
  const state = await attempt(() => get<State>('state'));
  if (!state) return;
  if (state.told < told) return refresh();
  told = state.told;
  batch(() => {
    const other = state.name !== name.value || state.kind !== kind.value;
    kind.value = state.kind, name.value = state.name, root.value = state.root, nonce.value = state.nonce;
    quality.value = state.quality, runs.value = state.runs, job.value = state.job, making.value = state.making, finding.value = state.finding;
    messages.value = state.messages;
    if (other) { opened.value++; history.clear(); selected.value = []; shownRun.value = ''; compared.value = null; logs.value = {}; }
    if (other || text.value === sent || text.value === state.text) {
      sent = state.text;
      show(state.text);
      saved.value = state.saved;
    } else send(); // what is typed here is newer
    if (other) restoreHistory();
    const isGone = (id: string | null) => id && !state.runs.some((r) => r.id === id);
    if (isGone(shownRun.value)) shownRun.value = '';
    if (isGone(compared.value)) compared.value = null;
  });
  document.title = state.name ? `${state.name} · Loam studio` : 'Loam studio';
  for (const run of state.runs) void readLog(run.id);
}

async function readLog(id: string): Promise<void> {
  const lines = await attempt(() => get<LogLine[]>('log', {run: id}));
  if (lines) logs.value = {...logs.value, [id]: lines};
}

function addFrame(line: LogLine & {run: string}): void {
  const run = runs.value.find((r) => r.id === line.run);
  if (!run) return;
  const frames = run.frames.map(([a, b]) => [a, b] as [number, number]);
  const last = frames[frames.length - 1];
  if (hasFrame(run, line.frame)) { /* computed again */ }
  else if (last && last[1] + 1 === line.frame) last[1] = line.frame;
  else frames.push([line.frame, line.frame]);
  runs.value = runs.value.map((r) => (r.id === run.id ? {...r, frames} : r));
  const before = (logs.value[run.id] ?? []).filter((l) => l.frame < line.frame);
  logs.value = {...logs.value, [run.id]: [...before, line]};
  if (job.value) job.value = {...job.value, frame: line.frame, session_seconds: Number(line['session_seconds'])};
}

export const frameMade = signal<{run: string; frame: number} | null>(null);

function heard(event: StudioEvent): void {
  const number = Number(event['told']), known = number <= told;
  const passing = event.event === 'frame' || event.event === 'progress'; // so many that an answer could be older forever
  if (!passing) told = Math.max(told, number);
  if (known && event.event !== 'frame') return;
  switch (event.event) {
    case 'state': void refresh(); break;
    case 'text':
      if (event['from'] !== me) {
        const next = String(event['text']);
        if (difference(text.value, next)) history.push(text.value, 'other page');
        sent = next;
        show(next);
      }
      saved.value = event['saved'] === true && event['text'] === text.value;
      break;
    case 'saved':
      batch(() => {
        if (kind.value === 'run') kind.value = 'scene', logs.value = {}; // a run's scene has got a file: runs of that are others
        saved.value = true;
        name.value = String(event['name']);
      });
      keepHistory();
      break;
    case 'finding': finding.value = event['finding'] as Finding; break;
    case 'job':
      job.value = event['job'] as Job;
      progress.value = null;
      if (job.value.state === 'running') shownRun.value = job.value.run;
      break;
    case 'runs': {
      runs.value = event['runs'] as Run[];
      for (const run of runs.value) void readLog(run.id);
      break;
    }
    case 'frame': {
      const line = event as unknown as LogLine & {run: string};
      addFrame(line);
      frameMade.value = {run: line.run, frame: line.frame};
      progress.value = null;
      break;
    }
    case 'progress': progress.value = {time: Number(event['time']), frame: Number(event['frame']), seconds: Number(event['session_seconds'])}; break;
    case 'making': making.value = event['making'] as Making; break;
    case 'message': say(event['message'] as Message); break;
  }
}

// Done when it is known what is open.
export function begin(): Promise<void> {
  let first = true;
  const asked = refresh(); // not only when events come: the first picture is waited for
  listen(heard, (yes) => {
    connected.value = yes;
    if (!yes) return;
    told = 0;
    void (first ? asked : Promise.resolve()).then(refresh); // what changed meanwhile
    first = false;
  });
  return asked;
}

export const nodeAt = (path: Path) => (parsed.value.root ? find(parsed.value.root, path) : undefined);
