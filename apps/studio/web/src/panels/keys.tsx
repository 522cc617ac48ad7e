// The selected key: its place, value and the way to the next.
import {changeSelected, deleteKeys, putTrack, selectedKeys, trackAt} from '../timeline/selection';
import {handlesOf, interpolations, joinByBezier, type Interpolation, type Side} from '../timeline/track';
import {pathText} from '../json/parse';
import {definition} from '../schema';
import {NumberField} from '../widgets';

// What keys may be over is declared; these are units that are known.
const units: Record<string, string> = {time: 's', temperature: 'K', height: 'm', speed: 'm/s', age: 's', pressure: 'Pa'};
const drivers = (): string[] => definition('track')?.properties?.['over']?.enum ?? ['time'];

export function KeyInspector() {
  const chosen = selectedKeys.value, track = chosen && trackAt(chosen.path);
  if (!chosen || !track) return null;
  const k = [...chosen.keys][0]!, key = track.keys[k];
  if (!key) return null;
  const join = key.interpolation ?? track.interpolation, several = chosen.keys.size > 1;
  const setJoin = (way: Interpolation) => {
    if (way !== 'bezier') return changeSelected({interpolation: way});
    let next = track;
    for (const n of chosen.keys) next = joinByBezier(next, n);
    putTrack(chosen.path, next);
  };
  return (
    <section class="key-inspector" aria-label="Selected key">
      <h3>{several ? `${chosen.keys.size} keys` : `Key ${k + 1} of ${track.keys.length}`} <span class="hint">{pathText(chosen.path)}</span></h3>
      {several ? null : (
        <div class="field-line"><label>at</label><NumberField label="Key at" value={key.at} onChange={(at) => { if (at !== null) { changeSelected({at}); selectedKeys.value = {path: chosen.path, keys: new Set([trackAt(chosen.path)!.keys.findIndex((q) => q.at === at)])}; } }} /><span class="unit">{units[track.over] ?? ''}</span></div>)}
      <div class="field-line"><label>value</label>
        {Array.isArray(key.value)
          ? <span class="vector">{key.value.map((x, c) => <NumberField label={`Key value ${'xyz'[c]}`} value={x} onChange={(v) => changeSelected({value: (key.value as number[]).map((y, d) => (d === c ? (v ?? 0) : y))})} />)}</span>
          : <NumberField label="Key value" value={key.value} onChange={(v) => { if (v !== null) changeSelected({value: v}); }} />}
      </div>
      <div class="field-line"><label>to the next</label>
        <select aria-label="Interpolation to the next key" value={join} onChange={(e) => setJoin(e.currentTarget.value as Interpolation)}>
          {interpolations.map((i) => <option>{i}</option>)}
        </select></div>
      {several ? null : handlesOf(track, k).map(({side}) => <HandleFields side={side} by={key[side] ?? [0, 0]} />)}
      <div class="field-line"><label>keys over</label>
        <select aria-label="What keys are placed along" value={track.over} onChange={(e) => putTrack(chosen.path, {...track, over: e.currentTarget.value})}>
          {drivers().map((d) => <option>{d}</option>)}
        </select></div>
      <div class="buttons"><button onClick={deleteKeys}>Delete {several ? 'keys' : 'key'}</button></div>
    </section>
  );
}

function HandleFields({side, by}: {side: Side; by: [number, number]}) {
  return (
    <div class="field-line"><label>handle {side}</label><span class="vector">
      <NumberField label={`Handle ${side} along`} value={by[0]} onChange={(v) => changeSelected({[side]: [v ?? 0, by[1]]})} />
      <NumberField label={`Handle ${side} value`} value={by[1]} onChange={(v) => changeSelected({[side]: [by[0], v ?? 0]})} /></span></div>
  );
}
