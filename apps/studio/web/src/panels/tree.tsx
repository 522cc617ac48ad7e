// The scene as a tree of its blocks.
import {useSignal} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import {removeValue, renameKey, setValue} from '../json/edit';
import {pathText, type Json, type Path} from '../json/parse';
import {behaviorHelp, behaviorNames, schemaAt} from '../schema';
import {wallKind} from '../shape';
import * as s from '../state';
import {bodyColor} from '../view/colors';
import {IconButton} from '../widgets';
import {AddBody} from './add';

interface Item { path: Path; name: string; depth: number; open: boolean; inner: boolean; hint: string; color?: string }

const blockOf = (value: Json | undefined): {[key: string]: Json} | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Array.isArray(value['keys']) ? value : null;

const closed = new Set<string>(); // paths that were closed by hand
const openByHand = new Set<string>();

function items(): Item[] {
  const all: Item[] = [{path: [], name: 'Scene', depth: 0, open: true, inner: false, hint: ''}];
  const walk = (value: {[key: string]: Json}, path: Path, depth: number) => {
    for (const [key, inside] of Object.entries(value)) {
      const block = blockOf(inside);
      if (!block || (path.length === 0 && key === 'quality')) continue;
      const here = [...path, key], text = pathText(here);
      const inner = Object.values(block).some((v) => blockOf(v) !== null);
      const within = pathText(s.selected.value).startsWith(text + '.'); // what is selected is to be seen
      const open = inner && (openByHand.has(text) || (!closed.has(text) && (within || (depth < 3 && key !== 'shape' && key !== 'boundary'))));
      const item: Item = {path: here, name: key, depth, open, inner, hint: ''};
      if (path.length === 1 && path[0] === 'bodies') {
        const names = Object.keys(value);
        item.color = bodyColor(names.indexOf(key));
        item.hint = wallKind(block) || (Object.keys(blockOf(block['behaviors']) ?? {})[0] ?? '');
      }
      all.push(item);
      if (open) walk(block, here, depth + 1);
    }
  };
  const root = blockOf(s.scene.value);
  if (root) walk(root, [], 1);
  return all;
}

export function Tree() {
  const redraw = useSignal(0), adding = useSignal(false), list = useRef<HTMLUListElement>(null);
  void redraw.value;
  const all = items(), chosen = pathText(s.selected.value);
  let current = all.findIndex((item) => pathText(item.path) === chosen);
  if (current < 0) for (let k = s.selected.value.length - 1; k >= 0 && current < 0; k--) current = all.findIndex((i) => pathText(i.path) === pathText(s.selected.value.slice(0, k)));
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({block: 'nearest'}), [chosen]);
  const turn = (item: Item) => {
    const text = pathText(item.path);
    if (item.open) { closed.add(text); openByHand.delete(text); } else { closed.delete(text); openByHand.add(text); }
    redraw.value++;
  };
  const choose = (k: number) => {
    const item = all[Math.max(0, Math.min(k, all.length - 1))]!;
    s.selected.value = item.path;
    requestAnimationFrame(() => (list.current?.querySelector('[aria-selected=true]') as HTMLElement | null)?.focus());
  };
  const onKey = (e: KeyboardEvent) => {
    const item = all[current];
    if (e.key === 'ArrowDown') choose(current + 1);
    else if (e.key === 'ArrowUp') choose(current - 1);
    else if (e.key === 'Home') choose(0);
    else if (e.key === 'End') choose(all.length - 1);
    else if (item?.inner && ((e.key === 'ArrowRight' && !item.open) || (e.key === 'ArrowLeft' && item.open))) turn(item);
    else if (e.key === 'ArrowLeft' && item && item.path.length > 0) choose(all.findIndex((i) => pathText(i.path) === pathText(item.path.slice(0, -1))));
    else if (e.key === 'Delete' && item && item.path.length > 1) removeSelected();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const removable = s.selected.value.length >= 1 && s.selected.value.join() !== 'bodies';
  return (
    <section class="tree-panel" aria-label="Scene tree">
      <div class="panel-head">
        <h2>Scene</h2><span class="spring" />
        <IconButton icon="plus" label="Add a body" pressed={adding.value} onClick={() => { adding.value = !adding.value; }} />
        <IconButton icon="copy" label="Duplicate what is selected (Ctrl+D)" disabled={!isNamed(s.selected.value)} onClick={duplicateSelected} />
        <IconButton icon="trash" label="Remove what is selected (Delete)" disabled={!removable} onClick={removeSelected} />
      </div>
      {adding.value ? <AddBody onDone={() => { adding.value = false; }} /> : null}
      <ul class="tree" role="tree" aria-label="Blocks of the scene" ref={list} onKeyDown={onKey}>
        {all.map((item, k) => (
          <li role="treeitem" aria-level={item.depth + 1} aria-selected={k === current} {...(item.inner ? {'aria-expanded': item.open} : {})} tabIndex={k === Math.max(0, current) ? 0 : -1}
            style={{paddingLeft: `${6 + 13 * item.depth}px`}} class={s.fault.value && pathText(s.fault.value.path).startsWith(pathText(item.path)) && item.path.length > 0 ? 'bad' : ''}
            onClick={() => { s.selected.value = item.path; }} onDblClick={() => item.inner && turn(item)}>
            <span class={'twist' + (item.inner ? '' : ' none')} onClick={(e) => { e.stopPropagation(); if (item.inner) turn(item); }}>{item.inner ? (item.open ? '▾' : '▸') : ''}</span>
            {item.color ? <i class="swatch" style={{background: item.color}} /> : null}
            <span class="item-name">{item.name}</span>
            {item.hint ? <span class="hint">{item.hint}</span> : null}
          </li>
        ))}
      </ul>
      <Palette />
    </section>
  );
}

function removeSelected(): void {
  const path = s.selected.value;
  s.edit((text) => removeValue(text, path));
  s.selected.value = path.slice(0, -1);
}

// Bodies, emitters, heaters, ...: what has a name of its own.
const isNamed = (path: Path): boolean => path.length > 1 && !!schemaAt(path.slice(0, -1))?.patternProperties;
export function duplicateSelected(): void {
  const path = s.selected.value, value = s.at(path), within = path.slice(0, -1);
  if (!isNamed(path) || value === undefined) return;
  const copy = [...within, s.freeName(within, String(path[path.length - 1]))];
  s.edit((text) => setValue(text, copy, value));
  s.selected.value = copy;
}

export function rename(path: Path, name: string): void {
  s.edit((text) => renameKey(text, path, name));
  s.selected.value = [...path.slice(0, -1), name];
}

// Behaviors to be dragged onto a track; Enter adds one to the body that is selected.
function Palette() {
  const body = s.selected.value[0] === 'bodies' && s.selected.value.length >= 2 ? String(s.selected.value[1]) : null;
  return (
    <div class="palette">
      <div class="panel-head"><h2>Behaviors</h2><span class="spring" /><span class="hint">drag onto the timeline</span></div>
      <ul aria-label="Behaviors to drag onto the timeline">
        {behaviorNames().map((name) => (
          <li>
            <button class="chip" draggable title={behaviorHelp(name)} data-behavior={name}
              onDragStart={(e) => { e.dataTransfer!.setData('application/x-loam-behavior', name); e.dataTransfer!.setData('text/plain', name); e.dataTransfer!.effectAllowed = 'copy'; }}
              onDblClick={() => addBehavior(body, name)} onKeyDown={(e) => { if (e.key === 'Enter') addBehavior(body, name); }}>{name}</button>
          </li>
        ))}
      </ul>
    </div>
  );
}

// At a time, it fades in from there; at the start it acts all the time. `body` null: on all bodies.
export function addBehavior(body: string | null, name: string, time = 0): void {
  const path: Path = body === null ? ['behaviors', name] : ['bodies', body, 'behaviors', name];
  if (body !== null && s.at(['bodies', body, 'boundary']) !== undefined) return s.note('warning', `${body} is a wall: behaviors act on what is made of particles`);
  if (s.at(path) !== undefined) { s.selected.value = path; return; }
  const fade = Math.max(1, Math.round(0.2 * s.fps.value)) / s.fps.value;
  const value: Json = time > 0 ? {weight: {keys: [[time, 0], [Number((time + fade).toPrecision(6)), 1]]}} : {};
  s.edit((text) => setValue(text, path, value));
  s.selected.value = path;
}
