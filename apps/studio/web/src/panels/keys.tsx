// The selected key: its place, value and the way to the next.
import {changeSelected, deleteKeys, putTrack, selectedKeys, trackAt} from '../timeline/selection';
import {interpolations, type Interpolation} from '../timeline/track';
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
        <select aria-label="Interpolation to the next key" value={join} onChange={(e) => changeSelected({interpolation: e.currentTarget.value as Interpolation, ...(e.currentTarget.value === 'bezier' && !key.out ? {out: [0.2, 0] as [number, number]} : {})})}>
          {interpolations.map((i) => <option>{i}</option>)}
        </select></div>
      {join === 'bezier' && !several && !Array.isArray(key.value) ? (
        <div class="field-line"><label>handle out</label><span class="vector">
          <NumberField label="Handle out along" value={key.out?.[0] ?? 0} onChange={(v) => changeSelected({out: [v ?? 0, key.out?.[1] ?? 0]})} />
          <NumberField label="Handle out value" value={key.out?.[1] ?? 0} onChange={(v) => changeSelected({out: [key.out?.[0] ?? 0, v ?? 0]})} /></span></div>) : null}
      <div class="field-line"><label>keys over</label>
        <select aria-label="What keys are placed along" value={track.over} onChange={(e) => putTrack(chosen.path, {...track, over: e.currentTarget.value})}>
          {drivers().map((d) => <option>{d}</option>)}
        </select></div>
      <div class="buttons"><button onClick={deleteKeys}>Delete {several ? 'keys' : 'key'}</button></div>
    </section>
  );
}
