// The selected keys: place, value and the way to the next.
import {changeSelected, chosenKeys, deleteKeys, putTracks, select, trackAt} from '../timeline/selection';
import {handlesOf, interpolations, joinByBezier, joinOf, unitOf, type Interpolation, type Side, type Track} from '../timeline/track';
import {pathText, type Path} from '../json/parse';
import {definition} from '../schema';
import {NumberField} from '../widgets';

const drivers = (): string[] => definition('track')?.properties?.['over']?.enum ?? ['time'];

export function KeyInspector() {
  const chosen = chosenKeys.value, first = chosen[0], track = first && trackAt(first.path);
  if (!first || !track) return null;
  const count = chosen.reduce((sum, {keys}) => sum + keys.size, 0), k = [...first.keys][0]!;
  const joins = new Set(chosen.flatMap(({path, keys}) => { const t = trackAt(path)!; return [...keys].map((n) => joinOf(t, n)); }));
  return (
    <section class="key-inspector" aria-label="Selected keys">
      <h3>{count === 1 ? `Key ${k + 1} of ${track.keys.length}` : `${count} keys`} <span class="hint">{chosen.length === 1 ? pathText(first.path) : `of ${chosen.length} tracks`}</span></h3>
      {count === 1 ? <Place path={first.path} track={track} k={k} /> : null}
      {chosen.length === 1 ? <Value value={track.keys[k]!.value} /> : null}
      <div class="field-line"><label>to the next</label>
        <select aria-label="Interpolation to the next key" value={joins.size === 1 ? [...joins][0] : ''} onChange={(e) => join(e.currentTarget.value as Interpolation)}>
          {joins.size === 1 ? null : <option value="" hidden>several</option>}
          {interpolations.map((i) => <option>{i}</option>)}
        </select></div>
      {count === 1 ? handlesOf(track, k).map(({side}) => <HandleFields side={side} by={track.keys[k]![side] ?? [0, 0]} />) : null}
      {chosen.length === 1 ? (
        <div class="field-line"><label>keys over</label>
          <select aria-label="What keys are placed along" value={track.over} onChange={(e) => putTracks([{path: first.path, track: {...track, over: e.currentTarget.value}}])}>
            {drivers().map((d) => <option>{d}</option>)}
          </select></div>) : null}
      <div class="buttons"><button onClick={deleteKeys}>Delete {count > 1 ? 'keys' : 'key'}</button></div>
    </section>
  );
}

function join(way: Interpolation): void {
  if (way !== 'bezier') return changeSelected({interpolation: way});
  putTracks(chosenKeys.value.map(({path, keys}) => ({path, track: [...keys].reduce(joinByBezier, trackAt(path)!)})));
}

function Place({path, track, k}: {path: Path; track: Track; k: number}) {
  const put = (at: number | null) => {
    if (at === null) return;
    changeSelected({at});
    select({path, keys: new Set([trackAt(path)!.keys.findIndex((key) => key.at === at)])});
  };
  return <div class="field-line"><label>at</label><NumberField label="Key at" value={track.keys[k]!.at} onChange={put} /><span class="unit">{unitOf(track.over)}</span></div>;
}

function Value({value}: {value: number | number[]}) {
  return (
    <div class="field-line"><label>value</label>
      {Array.isArray(value)
        ? <span class="vector">{value.map((x, c) => <NumberField label={`Key value ${'xyz'[c]}`} value={x} onChange={(v) => changeSelected({value: value.map((y, d) => (d === c ? (v ?? 0) : y))})} />)}</span>
        : <NumberField label="Key value" value={value} onChange={(v) => { if (v !== null) changeSelected({value: v}); }} />}
    </div>
  );
}

function HandleFields({side, by}: {side: Side; by: [number, number]}) {
  return (
    <div class="field-line"><label>handle {side}</label><span class="vector">
      <NumberField label={`Handle ${side} along`} value={by[0]} onChange={(v) => changeSelected({[side]: [v ?? 0, by[1]]})} />
      <NumberField label={`Handle ${side} value`} value={by[1]} onChange={(v) => changeSelected({[side]: [by[0], v ?? 0]})} /></span></div>
  );
}
