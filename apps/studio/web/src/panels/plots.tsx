// Curves of what the log tells, over time, with the playhead; and of a particle that was clicked at.
import {effect, signal, useSignal} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {get, type LogLine} from '../api';
import type {Json} from '../json/parse';
import {playhead, seek} from '../player';
import * as s from '../state';
import {palette, short} from '../view/colors';
import {probe, shownFrame, type Probe} from '../view/view';

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

function Plot({title, data, series, onClose}: {title: string; data: uPlot.AlignedData; series: {name: string; color: string; dash?: number[]}[]; onClose?: () => void}) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue('--muted').trim(), line = style.getPropertyValue('--line').trim();
    const axis = {stroke: ink, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1}, font: '11px system-ui'};
    const plot = new uPlot({
      width: 300, height: 150, cursor: {drag: {x: false, y: false}, y: false}, legend: {show: false}, scales: {x: {time: false}},
      axes: [{...axis, size: 26}, {...axis, size: 54, values: (_, ticks) => ticks.map(short)}],
      series: [{}, ...series.map((x) => ({label: x.name, stroke: x.color, width: 1.5, points: {show: false}, spanGaps: true, ...(x.dash ? {dash: x.dash} : {})}))],
      hooks: {
        draw: [(u) => {
          const x = Math.round(u.valToPos(playhead.peek() / s.fps.peek(), 'x', true));
          u.ctx.save();
          u.ctx.strokeStyle = style.getPropertyValue('--accent').trim();
          u.ctx.beginPath();
          u.ctx.moveTo(x, u.bbox.top);
          u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
          u.ctx.stroke();
          u.ctx.restore();
        }],
        ready: [(u) => u.over.addEventListener('click', (e) => seek(u.posToVal((e as MouseEvent).offsetX, 'x') * s.fps.peek()))],
      },
    }, data, holder.current!);
    const fit = () => { const box = holder.current; if (box && box.clientWidth > 40) plot.setSize({width: box.clientWidth, height: Math.max(90, box.clientHeight)}); };
    const watch = new ResizeObserver(fit);
    watch.observe(holder.current!);
    fit();
    const stop = effect(() => { playhead.value; plot.redraw(false); });
    return () => { stop(); watch.disconnect(); plot.destroy(); };
  }, [data, s.theme.value]);
  return (
    <figure class="plot">
      <figcaption>{title}<span class="keys">{series.map((x) => <span><i style={{background: x.color}} />{x.name}</span>)}</span>
        {onClose ? <button class="link" aria-label={`Close ${title}`} onClick={onClose}>×</button> : null}</figcaption>
      <div class="plot-area" ref={holder} />
    </figure>
  );
}

export function Plots() {
  const lines = s.logs.value[s.shownRun.value] ?? [], other = s.compared.value !== null ? (s.logs.value[s.compared.value] ?? []) : [];
  if (lines.length === 0) return <p class="empty">Curves appear here when something is simulated.</p>;
  const all = choices(lines), times = lines.map((l) => l.time);
  return (
    <div class="plots">
      {chosen.value.filter((name) => all[name]).map((name) => {
        const kept = all[name]!.filter((x) => lines.some((l) => x.at(l) !== null));
        const rows: (number | null)[][] = kept.map((x) => lines.map(x.at));
        const series: {name: string; color: string; dash?: number[]}[] = kept.map((x, k) => ({name: x.unit ? `${x.name} [${x.unit}]` : x.name, color: palette[k % palette.length]!}));
        if (other.length > 0) {
          const byFrame = new Map(other.map((l) => [l.frame, l]));
          kept.forEach((x, k) => {
            rows.push(lines.map((l) => { const o = byFrame.get(l.frame); return o ? x.at(o) : null; }));
            series.push({name: `${x.name}, ${s.compared.value || 'first run'}`, color: palette[k % palette.length]!, dash: [4, 4]});
          });
        }
        return <Plot key={name} title={name} data={[times, ...rows] as uPlot.AlignedData} series={series} onClose={() => { chosen.value = chosen.value.filter((c) => c !== name); }} />;
      })}
      <ProbePlot />
      <div class="add-plot"><label class="tool-label">Add a plot
        <select value="" onChange={(e) => { if (e.currentTarget.value) chosen.value = [...chosen.value, e.currentTarget.value]; e.currentTarget.value = ''; }}>
          <option value="">…</option>
          {Object.keys(all).filter((name) => !chosen.value.includes(name)).map((name) => <option>{name}</option>)}
        </select></label></div>
    </div>
  );
}

const length = (value: number | number[] | null | undefined): number | null => (Array.isArray(value) ? Math.hypot(...value) : (value ?? null));

// The particle that was clicked at: its values now, and one of them over time.
function ProbePlot() {
  const found = probe.value, what = useSignal('velocity'), series = useSignal<Probe[] | null>(null);
  useEffect(() => {
    series.value = null;
    if (!found) return;
    void s.attempt(() => get<(Probe & {time: number})[]>('particle', {run: s.shownRun.value, id: found.id})).then((all) => { if (all && probe.value === found) series.value = all; });
  }, [found]);
  if (!found) return null;
  const names = Object.keys(found.values).filter((n) => n !== 'position');
  const body = shownFrame.value?.head.bodies[found.body] ?? '';
  const all = (series.value ?? []) as (Probe & {time: number})[];
  return (
    <div class="probe">
      <h3>Particle {found.id} <span class="hint">{body}, frame {found.frame}</span><button class="link" aria-label="Close the probe" onClick={() => { probe.value = null; }}>×</button></h3>
      <table><tbody>{Object.entries(found.values).map(([name, value]) => (
        <tr class={name === what.value ? 'on' : ''} onClick={() => { if (names.includes(name)) what.value = name; }}><th>{name}</th><td>{Array.isArray(value) ? value.map(short).join('  ') : short(value ?? NaN)}</td></tr>))}</tbody></table>
      {all.length > 1 ? <Plot title={`${what.value} over time`} series={[{name: what.value, color: palette[1]!}]} data={[all.map((p) => p.time), all.map((p) => length(p.values[what.value]))] as uPlot.AlignedData} /> : null}
    </div>
  );
}
