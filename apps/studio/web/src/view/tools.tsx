// What lies over the view: tools, the legend, notes.
import {setValue} from '../json/edit';
import {column, follow, playhead} from '../player';
import * as s from '../state';
import {Icon, IconButton} from '../widgets';
import {bodyColor, gradient, short} from './colors';
import {sceneCamera} from './helpers';
import * as v from './options';
import type {Compare, Gizmo} from './stage';

const ways: [Gizmo, string, string][] = [['translate', 'Move', 'G'], ['rotate', 'Turn', 'R'], ['scale', 'Scale', 'S']];

function Toggle(props: {on: boolean; label: string; title: string; onClick: () => void; disabled?: boolean}) {
  return <button class={'plain' + (props.on ? ' on' : '')} aria-pressed={props.on} title={props.title} disabled={props.disabled ?? false} onClick={props.onClick}>{props.label}</button>;
}

export function ViewTools() {
  const stage = v.stageNow.value;
  return (
    <div class="view-tools" role="toolbar" aria-label="View tools">
      <span class="group">
        <IconButton icon="frame" label="Frame all (F)" onClick={() => stage?.frameAll()} />
        {(['x', 'y', 'z'] as const).map((axis) => (
          <button class="plain" title={`View along ${axis}`} aria-label={`View along ${axis}`} onClick={() => stage?.view(axis)}>{axis.toUpperCase()}</button>
        ))}
        <IconButton icon="corner" label="View from the corner" onClick={() => stage?.view('free')} />
        <Toggle on={v.parallel.value} label="Ortho" title="Parallel rays in place of perspective (O)" onClick={v.toggleParallel} />
      </span>
      <span class="group">
        {ways.map(([how, label, key]) => <Toggle on={v.gizmo.value === how} label={label} title={`${label} what is selected by a handle (${key}); Shift goes in steps`} onClick={() => v.toggleGizmo(how)} />)}
      </span>
      <span class="group">
        <Toggle on={v.walls.value} label="Walls" title="Show walls, guides, emitters, the scene's camera and light" onClick={() => { v.walls.value = !v.walls.value; }} />
        <Toggle on={v.skins.value} label="Surface" disabled={v.fluids.value.length === 0} title="Show the surfaces of fluids in place of their particles (U)" onClick={() => { v.skins.value = !v.skins.value; }} />
      </span>
      <CameraTool />
      <label class="tool-label">Clip
        <select aria-label="Clip along" value={v.clipAxis.value} onChange={(e) => { v.clipAxis.value = e.currentTarget.value as 'off'; if (v.clipAt.value === 1) v.clipAt.value = 0.5; }}>
          <option value="off">off</option><option>x</option><option>y</option><option>z</option>
        </select>
        {v.clipAxis.value !== 'off' ? <input type="range" min="0" max="1" step="0.005" value={v.clipAt.value} aria-label="Place of the clip plane" onInput={(e) => { v.clipAt.value = Number(e.currentTarget.value); }} /> : null}
      </label>
      {s.runs.value.length > 1 ? <CompareTool /> : null}
    </div>
  );
}

// The camera that pictures are taken from.
function CameraTool() {
  const choose = (what: string) => {
    const stage = v.stageNow.value, camera = sceneCamera();
    if (what === 'look' && camera) { stage?.lookThrough(camera); v.parallel.value = stage?.isParallel ?? false; }
    if (what === 'set' && stage) {
      const now = stage.cameraNow();
      s.edit((text) => Object.entries(now).reduce((t, [name, value]) => setValue(t, ['camera', name], value), text));
      s.selected.value = ['camera'];
    }
    if (what === 'select') s.selected.value = ['camera'];
  };
  return (
    <select class="tool-menu" aria-label="Camera of the scene" value="" onChange={(e) => { choose(e.currentTarget.value); e.currentTarget.value = ''; }}>
      <option value="" hidden>Camera</option>
      <option value="set">Put the scene's camera here</option>
      <option value="look" disabled={sceneCamera() === null}>Look through the scene's camera</option>
      <option value="select" disabled={sceneCamera() === null}>Select it</option>
    </select>
  );
}

function CompareTool() {
  const others = s.runs.value.filter((r) => r.id !== s.shownRun.value);
  return (
    <label class="tool-label">Compare
      <select aria-label="Compare with" value={s.compared.value ?? '-'} onChange={(e) => {
        const value = e.currentTarget.value;
        s.compared.value = value === '-' ? null : value;
        if (value !== '-' && v.compareMode.value === 'off') v.compareMode.value = 'overlay';
        v.stageNow.value?.resize();
      }}>
        <option value="-">off</option>
        {others.map((r) => <option value={r.id}>{r.id || 'first run'}</option>)}
      </select>
      {s.compared.value !== null ? (
        <select aria-label="How takes are compared" value={v.compareMode.value} onChange={(e) => { v.compareMode.value = e.currentTarget.value as Compare; v.stageNow.value?.resize(); }}>
          <option value="overlay">overlaid</option><option value="beside">side by side</option>
        </select>) : null}
    </label>
  );
}

export function Legend() {
  const frame = v.shownFrame.value;
  if (!frame) return null;
  const columns = frame.head.columns, sent = frame.head.column;
  const range = v.held.value && sent && v.held.value.column === sent.name ? v.held.value : sent;
  return (
    <div class="legend">
      <label class="tool-label">Color <select aria-label="Color by" title="What colors show" value={column.value} onChange={(e) => { column.value = e.currentTarget.value; v.held.value = null; }}>
        <option value="">body</option>
        {columns.map((c) => <option value={c.name} title={c.help}>{c.name === 'velocity' ? 'speed' : c.name}</option>)}
      </select></label>
      {sent && range ? (
        <div class="ramp-box">
          <div class="ramp" style={{background: gradient}} />
          <div class="ramp-ends"><span>{short(range.least)}</span><span>{sent.unit}</span><span>{short(range.most)}</span></div>
          <label class="hold"><input type="checkbox" checked={v.held.value !== null} onChange={(e) => { v.held.value = e.currentTarget.checked && sent ? {column: sent.name, least: sent.least, most: sent.most} : null; }} /> hold range</label>
        </div>
      ) : (
        <ul class="bodies">{frame.head.bodies.map((body, k) => frame.body.includes(k) ? <li><i style={{background: bodyColor(k)}} />{body}</li> : null)}</ul>
      )}
      {s.compared.value !== null && v.compareMode.value === 'overlay' ? <span class="hint"><i class="swatch tinted" /> {s.compared.value || 'first run'}</span> : null}
    </div>
  );
}

// Over each half.
export function Beside() {
  if (s.compared.value === null || v.compareMode.value !== 'beside') return null;
  return <div class="beside">{[s.shownRun.value, s.compared.value].map((run) => <span>{run || 'first run'}</span>)}</div>;
}

export function Notes() {
  const frame = v.shownFrame.value, stale = playhead.value >= s.stale.value;
  const notes: string[] = [];
  if (frame && frame.head.count < frame.head.total)
    notes.push(`${frame.head.count.toLocaleString('en')} of ${frame.head.total.toLocaleString('en')} particles shown`);
  else if (frame) notes.push(`${frame.head.total.toLocaleString('en')} particles`);
  if (frame && v.skins.value && v.skinComing.value) notes.push('its surface is being made');
  if (frame && frame.head.frame !== playhead.value && !s.hasFrame(s.runNow.value, playhead.value)) notes.push(`frame ${playhead.value} is not simulated yet`);
  if (v.gizmo.value && s.selected.value.length < 2 && s.selected.value[0] !== 'camera') notes.push('select a body, an emitter or the camera to get its handle');
  return (
    <div class="view-notes" aria-live="polite">
      {stale && frame ? <span class="stale-note"><Icon name="warning" /> from before the last change</span> : null}
      {follow.value ? <span>live</span> : null}
      {notes.map((note) => <span>{note}</span>)}
    </div>
  );
}
