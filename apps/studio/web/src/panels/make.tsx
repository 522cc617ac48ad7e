// Making pictures, videos and files of a run: what is asked for, how far it is, and what came of it.
import {signal, useSignal} from '@preact/signals';
import {addressOf, post, type Making} from '../api';
import type {Json} from '../json/parse';
import {column, playhead} from '../player';
import * as s from '../state';
import {sceneCamera} from '../view/helpers';
import {held, stageNow} from '../view/options';
import {Dialog, Icon} from '../widgets';

export const makeOpen = signal(false);

const kinds: [string, string][] = [
  ['still', 'a still of this frame'], ['video', 'a video'], ['surfaces', 'surfaces as meshes (PLY)'],
  ['ply', 'particles: PLY'], ['obj', 'particles: OBJ'], ['vtp', 'particles: VTP for ParaView'], ['bgeo', 'particles: bgeo for Houdini'], ['vdb', 'particles: OpenVDB'], ['pov', 'particles: POV-Ray'],
];
const sizes: [number, number][] = [[640, 360], [960, 540], [1280, 720], [1920, 1080], [3840, 2160]];
const samples: [number, string][] = [[8, 'draft'], [32, 'good'], [128, 'final']];
const choice = signal({what: 'still', size: '960x540', samples: 32, camera: 'view', show: 'looks', first: 0, last: -1});

// What the scene says now of light and looks: the run has them as they were when it began.
function looksNow(): {[path: string]: Json} {
  const scene = s.effective.value as {[key: string]: Json} | null, all: {[path: string]: Json} = {};
  if (scene?.['light']) all['light'] = scene['light'];
  for (const [name, body] of Object.entries((scene?.['bodies'] ?? {}) as {[name: string]: Json}))
    if (body && typeof body === 'object' && !Array.isArray(body) && body['look']) all[`bodies.${name}.look`] = body['look'];
  return all;
}

function wish(): {[key: string]: Json} {
  const c = choice.value, last = c.last < 0 ? s.newest.value : c.last;
  const all: {[key: string]: Json} = {what: c.what, run: s.shownRun.value};
  if (c.what === 'still') all['frame'] = Math.min(playhead.value, s.newest.value);
  else { all['first'] = c.first; all['last'] = Math.max(c.first, last); }
  if (c.what !== 'still' && c.what !== 'video') return all;
  const stage = stageNow.value, [w, h] = c.size === 'view' ? viewSize() : (c.size.split('x').map(Number) as [number, number]);
  const scene = s.effective.value as {[key: string]: Json} | null;
  all['size'] = [w, h];
  all['samples'] = c.samples;
  all['set'] = {...looksNow(), ...(scene?.['camera'] ? {camera: scene['camera']} : {})};
  if (c.camera === 'view' && stage) {
    const {from, to, view, height} = stage.cameraNow();
    all['camera'] = {from, to, view: view ?? 30, height: height ?? 0};
  }
  if (c.show === 'particles') all['particles'] = true;
  if (c.show === 'colors' && column.value) all['color'] = column.value;
  if (c.show === 'colors' && held.value?.column === column.value) all['range'] = [held.value.least, held.value.most];
  return all;
}
function viewSize(): [number, number] {
  const aspect = stageNow.value?.aspect ?? 16 / 9, even = (x: number) => 2 * Math.round(x / 2);
  return [even(Math.sqrt(960 * 540 * aspect)), even(Math.sqrt((960 * 540) / aspect))];
}

export function MakeDialog() {
  const c = choice.value, change = (part: Partial<typeof c>) => { choice.value = {...choice.value, ...part}; };
  const making = s.making.value, busy = making?.state === 'running' || making?.state === 'stopping';
  const close = () => { makeOpen.value = false; };
  const pictures = c.what === 'still' || c.what === 'video', one = c.what === 'still';
  const number = (text: string, otherwise: number) => (/^\d+$/.test(text.trim()) ? Number(text) : otherwise);
  const begin = async () => { const made = await s.attempt(() => post<Making>('make', wish())); if (made) s.making.value = made; };
  return (
    <Dialog title="Make" onClose={close}>
      <form class="make" onSubmit={(e) => { e.preventDefault(); void begin(); }}>
        <label>What<select aria-label="What is made" value={c.what} onChange={(e) => change({what: e.currentTarget.value})}>{kinds.map(([id, title]) => <option value={id}>{id === 'still' ? `a still of frame ${Math.max(0, Math.min(playhead.value, s.newest.value))}` : title}</option>)}</select></label>
        {one ? null : (
          <label>Frames<span class="vector"><input class="number" type="text" aria-label="First frame" value={c.first} onChange={(e) => change({first: number(e.currentTarget.value, 0)})} />
            <input class="number" type="text" aria-label="Last frame" value={c.last < 0 ? s.newest.value : c.last} onChange={(e) => change({last: number(e.currentTarget.value, -1)})} /></span></label>)}
        {pictures ? (
          <>
            <label>Camera<select aria-label="Camera" value={c.camera} onChange={(e) => change({camera: e.currentTarget.value})}>
              <option value="view">as the view is now</option><option value="scene">{sceneCamera() ? "the scene's" : 'chosen by itself'}</option></select></label>
            <label>Size<select aria-label="Size" value={c.size} onChange={(e) => change({size: e.currentTarget.value})}>
              <option value="view">as the view: {viewSize().join(' x ')}</option>{sizes.map(([w, h]) => <option value={`${w}x${h}`}>{w} x {h}</option>)}</select></label>
            <label>Light<select aria-label="Paths of light" value={c.samples} onChange={(e) => change({samples: Number(e.currentTarget.value)})}>{samples.map(([n, name]) => <option value={n}>{name}: {n} paths per pixel</option>)}</select></label>
            <label>Show<select aria-label="Show" value={c.show} onChange={(e) => change({show: e.currentTarget.value})}>
              <option value="looks">surfaces and looks</option><option value="particles">particles</option>{column.value ? <option value="colors">particles by {column.value === 'velocity' ? 'speed' : column.value}</option> : null}</select></label>
          </>) : null}
        {making ? <Outcome making={making} /> : null}
        <div class="buttons">
          {busy ? <button type="button" onClick={() => void s.attempt(() => post('cancel', {}))}>Cancel it</button> : null}
          <button type="button" onClick={() => void reveal()}>Folder</button>
          <button type="button" onClick={close}>Close</button><button class="main" type="submit" disabled={busy}>Make</button>
        </div>
      </form>
    </Dialog>
  );
}

async function reveal(): Promise<void> {
  const found = await s.attempt(() => post<{folder: string; opened: boolean}>('reveal', {run: s.shownRun.value}));
  if (found) s.note('note', `${found.opened ? 'opened' : 'the run is in'} ${found.folder}`);
  if (found && !found.opened) folderShown.value = found.folder;
}
const folderShown = signal('');

function Outcome({making}: {making: Making}) {
  const large = useSignal(false);
  const address = addressOf('made', {name: making.file}), done = making.state === 'done';
  return (
    <section class="outcome" aria-live="polite">
      {making.state === 'running' || making.state === 'stopping' ? <progress value={making.done} max={making.all ?? undefined} aria-label="Made" /> : null}
      <p>{told(making)}</p>
      {making.error ? <p class="fault-text">{making.error.where ? making.error.where + ': ' : ''}{making.error.what}<small>{making.error.hint}</small></p> : null}
      {done && making.what === 'still' ? <img src={address} alt="The still that was made" class={large.value ? 'large' : ''} onClick={() => { large.value = !large.value; }} /> : null}
      {done && making.what === 'video' ? <video src={address} controls loop muted /> : null}
      {done && making.shown ? <p><a href={address} download={making.file}>Save a copy of {making.file}</a></p> : null}
      {done ? <p class="hint path">{making.folder}</p> : folderShown.value ? <p class="hint path">{folderShown.value}</p> : null}
    </section>
  );
}

function told(m: Making): string {
  const name = kinds.find(([id]) => id === m.what)?.[1] ?? m.what;
  if (m.state === 'done') return `Done: ${m.shown ? m.file : `${m.done} files`}`;
  if (m.state === 'stopped') return 'Cancelled.';
  if (m.state === 'failed') return 'It could not be made.';
  if (m.state === 'stopping') return 'Cancelling …';
  return m.what === 'still' ? 'Making a still …' : `Making ${name}: ${m.done} of ${m.all ?? '?'}`;
}

// In the last line, while the question is closed.
export function MakingLine() {
  const m = s.making.value;
  if (!m || makeOpen.value || (m.state !== 'running' && m.state !== 'stopping')) return null;
  return <button class="link" onClick={() => { makeOpen.value = true; }}><Icon name="camera" /> {told(m)}</button>;
}
