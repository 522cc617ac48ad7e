// Curves of what the log tells, over time.
import {signal} from '@preact/signals';
import type uPlot from 'uplot';
import * as s from '../state';
import {palette} from '../view/colors';
import {curvesOf, valueIn} from './curves';
import {Plot, type Curve} from './plot';

const chosen = signal<string[]>(['energies', 'volume error']);

export function Plots() {
  const lines = s.logs.value[s.shownRun.value] ?? [], other = s.compared.value !== null ? (s.logs.value[s.compared.value] ?? []) : [];
  if (lines.length === 0) return <p class="empty">Curves appear here when something is simulated.</p>;
  const all = curvesOf(lines[lines.length - 1]), times = lines.map((l) => l.time);
  return (
    <div class="plots">
      {chosen.value.filter((name) => all[name]).map((name) => {
        const kept = all[name]!.filter((x) => lines.some((l) => valueIn(l, x.path) !== null));
        const rows: (number | null)[][] = kept.map((x) => lines.map((l) => valueIn(l, x.path)));
        const series: Curve[] = kept.map((x, k) => ({name: x.unit ? `${x.name} [${x.unit}]` : x.name, color: palette[k % palette.length]!}));
        if (other.length > 0) {
          const byFrame = new Map(other.map((l) => [l.frame, l]));
          kept.forEach((x, k) => {
            rows.push(lines.map((l) => { const o = byFrame.get(l.frame); return o ? valueIn(o, x.path) : null; }));
            series.push({name: `${x.name}, ${s.compared.value || 'first run'}`, color: palette[k % palette.length]!, dash: [4, 4]});
          });
        }
        return <Plot key={name} title={name} data={[times, ...rows] as uPlot.AlignedData} series={series} onClose={() => { chosen.value = chosen.value.filter((c) => c !== name); }} />;
      })}
      <div class="add-plot"><label class="tool-label">Add a plot
        <select value="" onChange={(e) => { if (e.currentTarget.value) chosen.value = [...chosen.value, e.currentTarget.value]; e.currentTarget.value = ''; }}>
          <option value="">…</option>
          {Object.keys(all).filter((name) => !chosen.value.includes(name)).map((name) => <option>{name}</option>)}
        </select></label></div>
    </div>
  );
}
