// Adding bodies: what of, and in which shape.
import {useSignal} from '@preact/signals';
import {useRef} from 'preact/hooks';
import {postFile} from '../api';
import {setValue} from '../json/edit';
import type {Json} from '../json/parse';
import * as s from '../state';
import {bodyOf, forms, materials} from './presets';

function addBody(name: string, body: Json): void {
  const free = s.freeName(['bodies'], name);
  s.edit((text) => setValue(text, ['bodies', free], body));
  s.selected.value = ['bodies', free];
}

// A mesh from the visitor's disk is put beside the scene; then it is a body.
export async function addMesh(file: File, rest: {[key: string]: Json} = {boundary: {}}): Promise<void> {
  const stored = await s.attempt(() => postFile<{file: string}>('mesh', {name: file.name}, file));
  if (!stored) return;
  const name = file.name.replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9_-]/g, '-').replace(/^[^A-Za-z]+/, '') || 'mesh';
  addBody(name, {shape: {mesh: {file: stored.file}}, ...rest});
}

export function AddBody(props: {onDone: () => void}) {
  const material = useSignal(materials[0]!.name), form = useSignal('box'), file = useRef<HTMLInputElement>(null);
  const chosen = materials.find((m) => m.name === material.value)!;
  const add = () => {
    if (form.value === 'mesh') { file.current?.click(); return; }
    const isWall = chosen.body['boundary'] !== undefined;
    addBody(isWall && form.value !== 'box' && chosen.name !== 'tank' ? form.value : chosen.name, bodyOf(chosen, form.value));
    props.onDone();
  };
  return (
    <form class="menu" aria-label="A body to add" onSubmit={(e) => { e.preventDefault(); add(); }}>
      <select aria-label="What it is" title={chosen.help} value={material.value} onChange={(e) => { material.value = e.currentTarget.value; }}>{materials.map((m) => <option value={m.name}>{m.title}</option>)}</select>
      <select aria-label="Its shape" value={form.value} onChange={(e) => { form.value = e.currentTarget.value; }}>{forms().map((f) => <option value={f.name}>{f.title}</option>)}</select>
      <button class="main" type="submit">Add</button>
      <input type="file" hidden accept=".obj,.ply,.stl" aria-label="Mesh file" ref={file}
        onChange={(e) => { const picked = e.currentTarget.files?.[0]; if (picked) void addMesh(picked, chosen.body).then(props.onDone); }} />
    </form>
  );
}
