// Curves of what the log tells, over time.
import {signal} from '@preact/signals';
import type uPlot from 'uplot';
import type {LogLine} from '../api';
import type {Json} from '../json/parse';
import * as s from '../state';
import {palette} from '../view/colors';
import {Plot, type Curve} from './plot';

interface Series { name: string; unit: string; at: (line: LogLine) => number | null }
const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);

const energies: Series[] = ['kinetic_energy', 'potential_energy', 'elastic_energy'].map((name) => ({name: name.replace('_energy', ''), unit: 'J', at: (line) => number(line[name])}));
const single = (name: string, unit: string): Series => ({name: name.replace(/_/g, ' '), unit, at: (line) => number(line[name])});
const groups: Record<string, Series[]> = {
  energies,
  'volume error': [single('volume_error', ''), single('largest_volume_error', '')],
  'time step': [single('mean_dt', 's'), single('least_dt', 's')],
  'top speed': [single('top_speed', 'm/s')],
  iterations: [single('iterations', ''), single('divergence_iterations', '')],
  particles: [single('particles', '')],
  volume: [single('volume', 'm³')],
  'seconds per frame': [single('wall_seconds', 's')],
};

// Gauges, and everything else in the log that is a number.
function choices(lines: LogLine[]): Record<string, Series[]> {
  const all = {...groups}, last = lines[lines.length - 1];
  const gauges = last?.['gauges'] as {[name: string]: Json} | undefined;
  for (const name of Object.keys(gauges ?? {})) {
    const value = gauges![name], size = Array.isArray(value) ? value.length : 1;
    all[`gauge ${name}`] = Array.from({length: size}, (_, k) => ({
      name: size > 1 ? `${name} ${k + 1}` : name, unit: '',
      at: (line: LogLine) => { const v = (line['gauges'] as {[key: string]: Json} | undefined)?.[name]; return number(Array.isArray(v) ? v[k] : v); }}));
  }
  const known = new Set(Object.values(groups).flat().map((x) => x.name));
  for (const [name, value] of Object.entries(last ?? {}))
    if (typeof value === 'number' && !['frame', 'time'].includes(name) && !known.has(name.replace(/_/g, ' ')) && !name.endsWith('_energy')) all[name.replace(/_/g, ' ')] = [single(name, '')];
  return all;
}

const chosen = signal<string[]>(['energies', 'volume error']);

export function Plots() {
  const lines = s.logs.value[s.shownRun.value] ?? [], other = s.compared.value !== null ? (s.logs.value[s.compared.value] ?? []) : [];
  if (lines.length === 0) return <p class="empty">Curves appear here when something is simulated.</p>;
  const all = choices(lines), times = lines.map((l) => l.time);
  return (
    <div class="plots">
      {chosen.value.filter((name) => all[name]).map((name) => {
        const kept = all[name]!.filter((x) => lines.some((l) => x.at(l) !== null));
        const rows: (number | null)[][] = kept.map((x) => lines.map(x.at));
        const series: Curve[] = kept.map((x, k) => ({name: x.unit ? `${x.name} [${x.unit}]` : x.name, color: palette[k % palette.length]!}));
        if (other.length > 0) {
          const byFrame = new Map(other.map((l) => [l.frame, l]));
          kept.forEach((x, k) => {
            rows.push(lines.map((l) => { const o = byFrame.get(l.frame); return o ? x.at(o) : null; }));
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
