import {describe, expect, it} from 'vitest';
import {moveShape, scaleShape, turnShape} from '../src/shape';
import {decode, Link} from '../src/view/frame';
import {decodeSurface} from '../src/view/skin';
import {Store} from '../src/view/store';

describe('shapes', () => {
  it('get larger by their own lengths, seen from a pivot', () => {
    expect(scaleShape({box: {min: [0, 0, 0], max: [1, 1, 1]}}, [2, 1, 1], [0.5, 0.5, 0.5])).toEqual({box: {min: [-0.5, 0, 0], max: [1.5, 1, 1]}});
    expect(scaleShape({sphere: {center: [1, 0, 0], radius: 0.5}}, [1, 3, 1], [1, 0, 0])).toEqual({sphere: {center: [1, 0, 0], radius: 1.5}});
    expect(scaleShape({figure: {name: 'duck', base: [0, 1, 0]}}, [2, 2, 2], [0, 0, 0])).toEqual({figure: {name: 'duck', base: [0, 2, 0], size: 2}});
    expect(scaleShape({union: []}, [2, 2, 2], [1, 0, 0])).toEqual({union: [], translate: [-1, 0, 0], scale: 2});
    expect(scaleShape({cylinder: {from: [0, 0], to: [0, 1], radius: 0.1}}, [2, 2, 2], [0, 0, 0])).toEqual({cylinder: {from: [0, 0], to: [0, 2], radius: 0.2}});
  });
  it('turn about a pivot, also when they are turned already', () => {
    const quarter = turnShape({box: {min: [0, 0, 0], max: [1, 1, 1]}}, [0, 1, 0], 90, [1, 0, 0]);
    expect(quarter).toEqual({box: {min: [0, 0, 0], max: [1, 1, 1]}, translate: [1, 0, 1], rotate: {axis: [0, 1, 0], degrees: 90}});
    expect(turnShape(quarter, [0, 1, 0], -90, [1, 0, 0])).toEqual({box: {min: [0, 0, 0], max: [1, 1, 1]}});
    expect(turnShape(quarter, [0, 1, 0], 30, [1, 0, 0])).toMatchObject({rotate: {axis: [0, 1, 0], degrees: 120}});
    expect(turnShape({box: {}, rotate: {degrees: 10}}, [0, 0, 1], 20, [0, 0, 0], true)).toMatchObject({rotate: {axis: [0, 0, 1], degrees: 30}});
  });
  it('that are placed move by that; animations have their placement within', () => {
    expect(moveShape({box: {min: [0, 0, 0], max: [1, 1, 1]}, rotate: {degrees: 5}}, [1, 0, 0])).toMatchObject({translate: [1, 0, 0]});
    expect(moveShape({animation: {file: 'a.glb'}}, [1, 0, 0])).toEqual({animation: {file: 'a.glb', translate: [1, 0, 0]}});
    expect(turnShape({animation: {file: 'a.glb'}}, [0, 1, 0], 90, [0, 0, 0])).toEqual({animation: {file: 'a.glb'}});
  });
});

function packet(head: object, ...parts: ArrayBufferView[]): ArrayBuffer {
  const padded = (n: number) => Math.ceil(n / 4) * 4;
  let text = JSON.stringify(head);
  text = text.padEnd(padded(text.length));
  const all = new Uint8Array(4 + text.length + parts.reduce((sum, p) => sum + padded(p.byteLength), 0));
  new DataView(all.buffer).setUint32(0, text.length, true);
  all.set(new TextEncoder().encode(text), 4);
  let at = 4 + text.length;
  for (const part of parts) { all.set(new Uint8Array(part.buffer), at); at += padded(part.byteLength); }
  return all.buffer;
}
it('frames and surfaces are read as the server writes them', () => {
  const frame = decode(packet({count: 1, sizes: true, column: {}, bounds: [[0, 0, 0], [1, 1, 1]]}, new Uint16Array([1, 2, 3]), new Uint8Array([4]), new Uint8Array([5]), new Uint16Array([6])), 1000);
  expect([[...frame.positions], frame.body[0], frame.size![0], frame.values![0]]).toEqual([[1, 2, 3], 4, 5, 6]);
  const surface = decodeSurface(packet({vertices: 1, triangles: 1, column: {}}, new Uint16Array([1, 2, 3]), new Int8Array([-1, 0, 127]), new Uint8Array([7]), new Uint16Array([9]), new Uint32Array([0, 0, 0])));
  expect([[...surface.normals], surface.body[0], surface.values![0], surface.corners.length]).toEqual([[-1, 0, 127], 7, 9, 3]);
});

it('over a slow way frames of many particles come thinned', () => {
  const link = new Link();
  expect(link.quick(200000)).toBe(400000);
  link.took(1.8e6, 0.72, 200000); // 20 Mbit/s
  const quick = link.quick(200000);
  expect(quick).toBeGreaterThan(20000);
  expect((quick * 9) / 2.5e6).toBeLessThan(0.25);
  expect(link.quick(30000)).toBe(400000);
  for (let k = 0; k < 20; k++) link.took(1.8e6, 0.02, 200000);
  expect(link.quick(200000)).toBe(400000);
});

it('what is kept stays below its limit, and what is made anew is forgotten', async () => {
  const store = new Store<{bytes: number}>(100), read = (bytes: number) => async () => ({bytes});
  for (let frame = 0; frame < 4; frame++) await store.fetch('', frame, 'a', read(30));
  expect([0, 1, 2, 3].map((frame) => store.peek('', frame, 'a') !== null)).toEqual([false, true, true, true]);
  const late = store.fetch('', 9, 'a', read(1));
  store.forget('', 2);
  expect(await late).toBeNull();
  expect([1, 2, 3, 9].map((frame) => store.peek('', frame, 'a') !== null)).toEqual([true, false, false, false]);
  expect(await store.fetch('', 5, 'a', () => Promise.reject(new Error('no')))).toBeNull();
});
