// What is declared of the selected block: every property with unit, range, default and help; what is wrong, at its field.
import {useSignal} from '@preact/signals';
import {removeValue, setValue} from '../json/edit';
import {pathText, type Json, type Path} from '../json/parse';
import {playhead} from '../player';
import {behaviorNames, partsOf, propertiesOf, rangeText, schemaAt, shapeNames, type Property} from '../schema';
import * as s from '../state';
import {addKey, isTrack, readTrack, trackJson, valuesAt, type Track} from '../timeline/track';
import {chosenKeys, select} from '../timeline/selection';
import {KeyInspector} from './keys';
import {NumberField, TextField} from '../widgets';
import {rename} from './tree';

// The block that is shown for a selection: the value itself may be a number or keys.
function blockPath(path: Path): Path {
  for (let k = path.length; k >= 0; k--) {
    const here = path.slice(0, k), schema = schemaAt(here);
    if (schema && (schema.properties || schema.patternProperties) && !isTrack(s.at(here))) return here;
  }
  return [];
}

export function Properties() {
  const path = blockPath(s.selected.value), schema = schemaAt(path);
  const searched = useSignal('');
  if (!schema) return <p class="empty">Nothing is declared here.</p>;
  const value = s.at(path), parent = schemaAt(path.slice(0, -1));
  const named = path.length > 0 && !!parent?.patternProperties;
  const title = path.length === 0 ? 'Scene' : String(path[path.length - 1]);
  const properties = propertiesOf(schema).filter((p) => p.name !== '$schema' && (p.name + p.help).toLowerCase().includes(searched.value.toLowerCase()));
  return (
    <div class="properties">
      {path.length > 0 ? <div class="crumbs">{path.map((step, k) => <button class="link" onClick={() => { s.selected.value = path.slice(0, k + 1); }}>{String(step)}</button>)}</div> : null}
      <div class="block-title">
        {named ? <TextField value={title} label="Name" onChange={(name) => { if (/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) rename(path, name); else s.note('error', `"${name}" is not a name: letters, digits, _ and -, a letter first`); }} /> : <h2>{title}</h2>}
      </div>
      {schema.description ? <p class="help">{schema.description}</p> : null}
      <Fault path={path} only />
      {chosenKeys.value.length > 0 ? <KeyInspector /> : null}
      {properties.length > 14 || searched.value ? <input class="search" type="search" placeholder="Find a property" aria-label="Find a property" value={searched.value} onInput={(e) => { searched.value = e.currentTarget.value; }} /> : null}
      {schema.patternProperties ? <Names path={path} value={value} /> : null}
      {properties.map((p) => <Field key={pathText([...path, p.name])} path={[...path, p.name]} property={p} />)}
      {schema.properties ? <Parts path={path} /> : null}
    </div>
  );
}

function Fault({path, only}: {path: Path; only?: boolean}) {
  const fault = s.fault.value;
  if (!fault) return null;
  const here = pathText(path), there = pathText(fault.path);
  const own = there === here || (!only && there.startsWith(here + '.'));
  return own && here !== '' ? <p class="fault-text" role="alert" id={`fault-${here}`}>{fault.what}{fault.hint ? <small>{fault.hint}</small> : null}</p> : null;
}

const isSet = (path: Path): boolean => s.at(path) !== undefined;
const put = (path: Path, value: Json | null): void =>
  s.edit((text) => (value === null ? removeValue(text, path) : setValue(text, path, value)), 'field ' + pathText(path));

function Field({path, property: p}: {path: Path; property: Property}) {
  const raw = s.at(path), track = readTrack(raw), time = playhead.value / s.fps.value;
  const id = pathText(path), bad = s.fault.value !== null && pathText(s.fault.value.path).startsWith(id);
  const now = track ? (track.over === 'time' ? valuesAt(track, time) : null) : raw;
  const set = (value: Json | null) => {
    if (track && value !== null && track.over === 'time') put(path, trackJson(addKey(track, snapNow(), value as number | number[])));
    else put(path, value);
  };
  const range = rangeText(p), chosen = pathText(s.selected.value) === id;
  return (
    <div class={`field ${isSet(path) ? 'set' : ''} ${bad ? 'bad' : ''} ${chosen ? 'chosen' : ''}`} data-path={id}>
      <div class="field-line">
        <label title={`${p.help}${range ? ` (${range})` : ''}`} onClick={() => { s.selected.value = path; }}><span>{p.name}</span><span class="unit">{p.unit}</span></label>
        {track && track.over !== 'time'
          ? <button class="over" onClick={() => select({path, keys: new Set(track.keys.keys())})} title="Its keys">{track.keys.length} keys over {track.over}</button>
          : <Input property={p} value={now ?? null} bad={bad} id={id} onChange={set} />}
        {p.keyed ? (
          <button class={'key-button' + (track ? ' on' : '')} aria-label={`Key ${p.name} at the playhead`} aria-pressed={track !== null}
            title={track ? `${track.keys.length} keys over ${track.over}; adds one at the playhead` : 'Key it: adds a key at the playhead'}
            onClick={() => { put(path, trackJson(keyed(track, raw, p))); s.selected.value = path; }}>◆</button>) : <span class="no-key" />}
        <button class="reset" aria-label={`Reset ${p.name}`} title="Back to the default" disabled={!isSet(path) || p.required} onClick={() => put(path, null)}>×</button>
      </div>
      <InQuality path={path} property={p} />
      {chosen || bad ? <p class="field-help">{p.help} {range ? <em>{range}</em> : null}</p> : null}
      <Fault path={path} />
    </div>
  );
}

// What the chosen quality has in place of it.
function InQuality({path, property: p}: {path: Path; property: Property}) {
  const there: Path = ['quality', s.quality.value, ...path], value = s.quality.value ? s.at(there) : undefined;
  if (value === undefined || path[0] === 'quality' || isTrack(value)) return null;
  return (
    <div class="field-line in-quality">
      <label title={`The quality ${s.quality.value} has this in place of it`}><span>in {s.quality.value}</span></label>
      <Input property={{...p, name: `${p.name} in ${s.quality.value}`}} value={value} bad={false} id={pathText(there)} onChange={(next) => put(there, next)} />
      <span /><button class="reset" aria-label={`${p.name}: the same in ${s.quality.value}`} title="The same as without this quality" onClick={() => put(there, null)}>×</button>
    </div>
  );
}

const snapNow = (): number => Number((playhead.value / s.fps.value).toPrecision(9));
function keyed(track: Track | null, raw: Json | undefined, p: Property): Track {
  if (track) return addKey(track, track.over === 'time' ? snapNow() : (track.keys[track.keys.length - 1]?.at ?? 0) + 1);
  const value = (raw ?? p.initial ?? (p.name === 'weight' ? 1 : 0)) as number | number[];
  return {over: 'time', interpolation: 'linear', keys: [{at: snapNow(), value}]};
}

function Input(props: {property: Property; value: Json | null; bad: boolean; id: string; onChange: (value: Json | null) => void}) {
  const {property: p, value} = props, described = props.bad ? `fault-${props.id}` : undefined;
  const initial = p.initial === undefined ? (p.required ? 'needed' : '') : typeof p.initial === 'object' ? '' : String(p.initial);
  switch (p.kind) {
    case 'flag':
      return <input type="checkbox" aria-label={p.name} checked={(value ?? p.initial) === true} onChange={(e) => props.onChange(e.currentTarget.checked)} />;
    case 'choice':
      return (
        <select aria-label={p.name} aria-invalid={props.bad} aria-describedby={described} class={value === null ? 'default' : ''} value={String(value ?? p.initial ?? '')} onChange={(e) => props.onChange(e.currentTarget.value === '' ? null : e.currentTarget.value)}>
          {typeof value === 'string' && !p.choices.includes(value) ? <option>{value}</option> : null}
          {p.choices.map((c) => <option>{c}</option>)}
        </select>);
    case 'text':
      return /color|glow/.test(p.name) && (value === null || /^#[0-9a-f]{6}$/i.test(String(value)))
        ? <span class="color-field"><input type="color" aria-label={p.name} value={String(value ?? (String(p.initial ?? '').startsWith('#') ? p.initial : '#808080'))} onChange={(e) => props.onChange(e.currentTarget.value)} /><span class="hint">{String(value ?? '')}</span></span>
        : <TextField value={String(value ?? '')} label={p.name} placeholder={initial} invalid={props.bad} {...(/\b(body|bodies|guide)\b/i.test(p.help) ? {choices: Object.keys((s.at(['bodies']) ?? {}) as object)} : {})}
          onChange={(text) => props.onChange(text === '' ? null : text)} />;
    case 'vector': {
      const now = Array.isArray(value) ? value : null, basis = Array.isArray(p.initial) ? p.initial : [0, 0, 0];
      return (
        <span class="vector">{[0, 1, 2].map((k) => (
          <NumberField label={`${p.name} ${'xyz'[k]}`} value={typeof now?.[k] === 'number' ? (now[k] as number) : null} placeholder={String(basis[k] ?? '')} invalid={props.bad} describedBy={described}
            onChange={(x) => props.onChange([0, 1, 2].map((c) => (c === k ? (x ?? 0) : Number(now?.[c] ?? basis[c] ?? 0))))} />))}
        </span>);
    }
    default: {
      const known = typeof value === 'number' ? value : null;
      return typeof value === 'string' ? <TextField value={value} label={p.name} invalid={props.bad} onChange={(t) => props.onChange(Number.isFinite(Number(t)) && t !== '' ? Number(t) : t)} />
        : <NumberField value={known} label={p.name} placeholder={initial} invalid={props.bad} describedBy={described} onChange={props.onChange} />;
    }
  }
}

// The blocks within: those that are there, and those that may be added.
function Parts({path}: {path: Path}) {
  const schema = schemaAt(path)!, last = path[path.length - 1];
  const parts = partsOf(schema);
  if (parts.length === 0) return null;
  const there = parts.filter((part) => isSet([...path, part.name])), others = parts.filter((part) => !isSet([...path, part.name]));
  const add = (name: string) => {
    const part = parts.find((q) => q.name === name);
    if (!part) return;
    s.edit((text) => setValue(text, [...path, name], part.list ? [] : {}));
    s.selected.value = [...path, name];
  };
  const isShape = schemaAt(path)?.title === 'Shape' || last === 'shape';
  const kinds = isShape ? shapeNames() : last === 'behaviors' ? behaviorNames() : [];
  return (
    <div class="parts">
      <h3>{last === 'behaviors' ? 'Behaviors' : 'Within'}</h3>
      <div class="part-list">{there.map((part) => <button class="chip" title={part.help} onClick={() => { s.selected.value = [...path, part.name]; }}>{part.name}</button>)}</div>
      <label class="tool-label">Add
        <select aria-label="Add a block" value="" onChange={(e) => { add(e.currentTarget.value); e.currentTarget.value = ''; }}>
          <option value="">…</option>
          {others.filter((part) => !isShape || !kinds.some((k) => isSet([...path, k])) || !kinds.includes(part.name)).map((part) => <option value={part.name} title={part.help}>{part.name}</option>)}
        </select>
      </label>
    </div>
  );
}

function Names({path, value}: {path: Path; value: Json | undefined}) {
  const typed = useSignal('');
  const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const add = () => {
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(typed.value)) return;
    const name = typed.value;
    typed.value = '';
    s.edit((text) => setValue(text, [...path, name], {}));
    s.selected.value = [...path, name];
  };
  return (
    <div class="parts">
      <div class="part-list">{names.map((name) => <button class="chip" onClick={() => { s.selected.value = [...path, name]; }}>{name}</button>)}</div>
      <form class="add-name" onSubmit={(e) => { e.preventDefault(); add(); }}>
        <input type="text" placeholder="a new name" aria-label="A new name" value={typed.value} onInput={(e) => { typed.value = e.currentTarget.value; }} /><button type="submit">Add</button>
      </form>
    </div>
  );
}
