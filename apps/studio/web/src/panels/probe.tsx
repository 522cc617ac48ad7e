// The particle that was clicked at: its values at the frame that is shown, and one of them over time.
import {useSignal} from '@preact/signals';
import type uPlot from 'uplot';
import {palette, short} from '../view/colors';
import * as v from '../view/options';
import {Plot} from './plot';

const length = (value: number | number[] | null | undefined): number | null => (Array.isArray(value) ? Math.hypot(...value) : (value ?? null));

export function ProbeCard() {
  const clicked = v.probe.value, what = useSignal('velocity'), frame = v.shownFrame.value;
  if (!clicked || !frame) return null;
  const curve = v.probeCurve.value;
  const now = clicked.frame === frame.head.frame ? clicked : curve.find((p) => p.frame === frame.head.frame);
  const units = new Map(frame.head.columns.map((c) => [c.name, c.unit]));
  const names = Object.keys(clicked.values), shown = names.includes(what.value) && what.value !== 'position' ? what.value : (names.find((n) => n !== 'position') ?? '');
  const title = (name: string) => (name === 'velocity' ? 'speed' : name);
  return (
    <aside class="probe" aria-label="Particle">
      <header><h3>Particle {clicked.id}</h3><span class="hint">{frame.head.bodies[clicked.body] ?? ''}, frame {frame.head.frame}</span>
        <button class="link" aria-label="Close the probe" onClick={() => { v.probe.value = null; }}>×</button></header>
      {now ? (
        <table><tbody>{names.map((name) => (
          <tr class={name === shown ? 'on' : ''}>
            <th>{name === 'position' ? name : <button class="link" title="Its curve over time" aria-pressed={name === shown} onClick={() => { what.value = name; }}>{name}</button>}</th>
            <td>{Array.isArray(now.values[name]) ? (now.values[name] as number[]).map(short).join('  ') : short((now.values[name] as number | null) ?? NaN)}</td><td class="unit">{units.get(name) ?? (name === 'position' ? 'm' : '')}</td>
          </tr>))}</tbody></table>
      ) : <p class="hint">It is not in this frame.</p>}
      {curve.length > 1 && shown ? (
        <Plot title={`${title(shown)} over time`} series={[{name: units.get(shown) ?? '', color: palette[1]!}]}
          data={[curve.map((p) => p.time), curve.map((p) => length(p.values[shown]))] as uPlot.AlignedData} />) : null}
    </aside>
  );
}
