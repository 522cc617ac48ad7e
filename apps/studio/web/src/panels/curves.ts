// What of a run's log can be drawn over time: everything in it that is a number.
import type {LogLine} from '../api';
import type {Json} from '../json/parse';

export interface Series { name: string; unit: string; path: (string | number)[] }
export type Curves = Record<string, Series[]>; // by what they are together

export function valueIn(line: LogLine, path: (string | number)[]): number | null {
  let value: Json | undefined = line;
  for (const step of path) value = (value as {[key: string]: Json} | null | undefined)?.[step as string];
  return typeof value === 'number' ? value : null;
}

const words = (name: string): string => name.replace(/_/g, ' ');
const single = (name: string, unit = ''): Series => ({name: words(name), unit, path: [name]});
const groups: Curves = {
  energies: ['kinetic', 'potential', 'elastic'].map((name) => ({name, unit: 'J', path: [`${name}_energy`]})),
  'volume error': [single('volume_error'), single('largest_volume_error')],
  'time step': [single('mean_dt', 's'), single('least_dt', 's')],
  'top speed': [single('top_speed', 'm/s')],
  iterations: [single('iterations'), single('divergence_iterations')],
  particles: [single('particles')],
  volume: [single('volume', 'm³')],
  'seconds per frame': [single('wall_seconds', 's')],
};
const told = new Set(['frame', 'time', ...Object.values(groups).flat().map(({path}) => String(path[0]))]);
const once = new Set(['step_times', 'gauge_steps']); // what is between frames

const isBlock = (value: Json | undefined): value is {[key: string]: Json} => typeof value === 'object' && value !== null && !Array.isArray(value);
// A number, or the components of a vector.
function seriesOf(name: string, value: Json | undefined, path: (string | number)[]): Series[] {
  if (typeof value === 'number') return [{name: words(name), unit: '', path}];
  if (!Array.isArray(value) || !value.every((x) => typeof x === 'number')) return [];
  return value.map((_, k) => ({name: `${words(name)} ${value.length <= 3 ? 'xyz'[k] : k + 1}`, unit: '', path: [...path, k]}));
}

// Laws tell accounts (water, heat, solutes) as blocks; gauges and bodies have several values each.
export function curvesOf(last: LogLine | undefined): Curves {
  const all: Curves = {...groups};
  const add = (title: string, series: Series[]) => { if (series.length > 0) all[title] = series; };
  for (const [name, value] of Object.entries(last ?? {})) {
    if (told.has(name) || once.has(name)) continue;
    if (name === 'gauges' && isBlock(value)) for (const [gauge, found] of Object.entries(value)) add(`gauge ${gauge}`, seriesOf(gauge, found, [name, gauge]));
    else if (name === 'bodies' && isBlock(value)) {
      for (const [body, facts] of Object.entries(value))
        if (isBlock(facts)) for (const [fact, found] of Object.entries(facts)) add(`${body}: ${words(fact)}`, seriesOf(fact, found, [name, body, fact]));
    } else if (isBlock(value)) add(words(name), Object.entries(value).flatMap(([part, found]) => seriesOf(part, found, [name, part])));
    else add(words(name), seriesOf(name, value, [name]));
  }
  return all;
}
