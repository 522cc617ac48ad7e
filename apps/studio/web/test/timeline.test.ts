import {describe, expect, it} from 'vitest';
import {gesture, History} from '../src/history';
import {moveShape, shapePathOf} from '../src/shape';
import {layRows, ownAxis, ownScale, tick, toTime, toX, trackOf} from '../src/timeline/rows';
import {merge, simulated, staleFrom} from '../src/timeline/stale';
import {addKey, handlesOf, joinByBezier, moveHandle, moveKeys, moveTogether, readTrack, removeKeys, snap, trackJson, valueAt, type Track} from '../src/timeline/track';

const track = (keys: [number, number][], interpolation: Track['interpolation'] = 'linear'): Track => ({over: 'time', interpolation, keys: keys.map(([at, value]) => ({at, value}))});

describe('tracks', () => {
  it('are joined as the engine does', () => {
    const linear = track([[0, 0], [2, 1]]);
    expect([-1, 0, 1, 2, 3].map((t) => valueAt(linear, t))).toEqual([0, 0, 0.5, 1, 1]);
    expect(valueAt(track([[0, 0], [2, 1]], 'step'), 1.99)).toBe(0);
    expect(valueAt(track([[0, 0], [2, 1]], 'smooth'), 0.5)).toBeCloseTo(0.15625, 12); // 3 s^2 - 2 s^3 at a quarter
    const bezier: Track = {over: 'time', interpolation: 'bezier', keys: [{at: 0, value: 0, out: [0.5, 0]}, {at: 1, value: 1, in: [-0.5, 0]}]};
    expect(valueAt(bezier, 0.5)).toBeCloseTo(0.5, 9);
    expect(valueAt(bezier, 0.1)).toBeLessThan(0.1);
  });
  it('smooth ones do not overshoot', () => {
    const smooth = track([[0, 0], [1, 1], [1.1, 1], [3, 0.2]], 'smooth');
    for (let t = 0; t < 3; t += 0.01) expect(valueAt(smooth, t)).toBeLessThanOrEqual(1 + 1e-12);
  });
  it('are read and written', () => {
    const json = {interpolation: 'smooth', keys: [[0, 1], {at: 1, value: 0, interpolation: 'step'}]};
    expect(trackJson(readTrack(json)!)).toEqual(json);
    expect(readTrack(5)).toBeNull();
  });
  it('keys move, snap to frames, and give way', () => {
    const {track: moved, moved: where} = moveKeys(track([[0, 0], [1, 1], [2, 0]]), new Set([1]), 0.513, 25);
    expect(moved.keys.map((k) => k.at)).toEqual([0, 1.52, 2]);
    expect([...where]).toEqual([1]);
    expect(moveKeys(track([[0, 0], [1, 1]]), new Set([1]), -5, 25).track.keys).toEqual([{at: 0, value: 1}]);
    expect(moveKeys(track([[0, 0], [1, 1], [2, 0]]), new Set([0]), 1.5, 25).track.keys.map((k) => k.at)).toEqual([1, 1.52, 2]);
    expect(snap(0.999, 25)).toBe(1);
  });
  it('keys of several tracks keep their distance, and none comes before the start', () => {
    const all = [{track: track([[0.4, 0], [1, 1]]), keys: new Set([0, 1])}, {track: track([[2, 0]]), keys: new Set([0])}, {track: {...track([[300, 1]]), over: 'temperature'}, keys: new Set([0])}];
    expect(moveTogether(all, 0.2, 10).map((m) => m.track.keys.map((k) => k.at))).toEqual([[0.6, 1.2], [2.2]]);
    expect(moveTogether(all, -5, 10).map((m) => m.track.keys.map((k) => k.at))).toEqual([[0, 0.6], [1.6]]);
    expect(moveTogether(all.slice(2), -20, 10)[0]!.track.keys[0]!.at).toBe(280);
  });
  it('handles shape a curve, and stay between its keys', () => {
    const curve = joinByBezier(track([[0, 0], [3, 1], [4, 1]]), 0);
    expect(handlesOf(curve, 0)).toEqual([{side: 'out', at: 1, value: 0}]);
    expect(handlesOf(curve, 1)).toEqual([{side: 'in', at: 2, value: 1}]);
    expect(valueAt(curve, 1.5)).toBeCloseTo(0.5, 9);
    expect(moveHandle(curve, 0, 'out', 9, 0.5).keys[0]!.out).toEqual([3, 0.5]);
    expect(moveHandle(curve, 1, 'in', 2.5, 1.2).keys[1]!.in).toEqual([-0.5, 0.2]);
    expect(handlesOf(curve, 2)).toEqual([]);
  });
  it('keys are added on the curve and removed', () => {
    const more = addKey(track([[0, 0], [2, 1]]), 1);
    expect(more.keys[1]).toEqual({at: 1, value: 0.5});
    expect(removeKeys(more, new Set([1])).keys).toHaveLength(2);
  });
});

describe('stale frames', () => {
  const scene = (weight: unknown, more = {}) => ({fps: 10, duration: 3, title: 'a', bodies: {water: {behaviors: {fluid: {weight}}}}, ...more}) as never;
  const keys = (...all: [number, number][]) => ({keys: all});
  it('none where nothing that counts has changed', () => {
    expect(staleFrom(scene(1), scene(1), 30)).toBe(Infinity);
    expect(staleFrom(scene(1, {title: 'b', camera: {view: 20}, duration: 9}), scene(1), 30)).toBe(Infinity);
  });
  it('from where the curves part', () => {
    expect(staleFrom(scene(keys([0, 1], [1, 1], [2, 0])), scene(keys([0, 1], [1.5, 1], [2, 0])), 30)).toBe(11);
    expect(staleFrom(scene(keys([0, 1], [2, 1], [2.5, 0])), scene(1), 30)).toBe(21);
    expect(staleFrom(scene(keys([0, 1], [2, 1])), scene(undefined), 30)).toBe(Infinity);
  });
  it('from the start where a plain value differs', () => expect(staleFrom(scene(0.5), scene(1), 30)).toBe(0));
  it('a behavior that fades in counts from there', () => {
    const before = {fps: 10, bodies: {water: {behaviors: {fluid: {}}}}}, after = {fps: 10, bodies: {water: {behaviors: {fluid: {}, wind: {weight: {keys: [[1, 0], [1.2, 1]]}}}}}};
    expect(staleFrom(after as never, before as never, 30)).toBe(11);
  });
  it('a quality is merged as the engine does', () => {
    expect(merge({a: 1, b: {c: 2}}, {a: null, b: {d: 3}})).toEqual({b: {c: 2, d: 3}});
    expect(simulated({radius: 1, quality: {preview: {radius: 2}}}, 'preview')).toEqual({radius: 2});
  });
});

it('rows follow the scene', () => {
  const rows = layRows({behaviors: {gravity: {}}, bodies: {water: {behaviors: {like: 'water', drag: null, fluid: {}, viscosity: {viscosity: {keys: [[0, 1]]}}}}, tank: {boundary: {motion: {angle: {keys: [[0, 0]]}}}}}});
  expect(rows.map((r) => `${r.kind} ${r.name}`)).toEqual(['body all bodies', 'behavior gravity', 'body water', 'behavior fluid', 'behavior viscosity', 'property viscosity', 'body tank', 'property boundary.motion.angle']);
});
it('time and place are inverse', () => {
  const scale = {from: 1, perSecond: 80, left: 100};
  expect(toTime(scale, toX(scale, 2.5))).toBeCloseTo(2.5);
  expect(tick(100, 60)).toBe(1);
  expect(tick(10, 60)).toBe(10);
});

it('shapes move by their own points', () => {
  expect(moveShape({box: {min: [0, 0, 0], max: [1, 1, 1]}}, [0.5, 0, 0])).toEqual({box: {min: [0.5, 0, 0], max: [1.5, 1, 1]}});
  expect(moveShape({union: []}, [0, 1, 0])).toEqual({union: [], translate: [0, 1, 0]});
  expect(moveShape({sphere: {radius: 1}, scale: 2}, [1, 0, 0])).toEqual({sphere: {radius: 1}, scale: 2, translate: [1, 0, 0]});
  expect(shapePathOf(['bodies', 'water', 'behaviors', 'fluid'])).toEqual(['bodies', 'water', 'shape']);
  expect(shapePathOf(['camera'])).toBeNull();
});

it('history joins quick changes of one kind', () => {
  const history = new History();
  history.push('a', 'typing', 0);
  history.push('ab', 'typing', 100);
  history.push('abc', '', 200);
  expect(history.undo('abcd')).toBe('abc');
  expect(history.undo('abc')).toBe('a');
  expect(history.undo('a')).toBeNull();
  expect(history.redo('a')).toBe('abc');
});
it('history outlives a reload, as much of it as fits', () => {
  const history = new History(), next = new History();
  for (const text of ['aaaa', 'bbbb', 'cccc']) history.push(text);
  next.restore(history.kept(10));
  expect([next.undo('d'), next.undo('c'), next.undo('b')]).toEqual(['cccc', 'bbbb', null]);
});
it('a gesture is one step, however long it takes', () => {
  const history = new History(), drag = gesture();
  history.push('a', drag, 0);
  history.push('b', drag, 5000);
  expect(history.undo('c')).toBe('a');
});
it('rows that were made tall are', () => {
  const rows = layRows({behaviors: {gravity: {}, wind: {}}}, new Set(['behaviors.gravity']));
  expect(rows[1]!.height).toBeGreaterThan(100);
  expect(rows[2]!.y).toBe(rows[1]!.y + rows[1]!.height);
});
it('keys over something else than time stand on an axis of their own', () => {
  const rows = layRows({bodies: {wax: {behaviors: {fluid: {weight: {over: 'temperature', keys: [[300, 0], [340, 1]]}}, gravity: {}}}}});
  const axis = ownAxis(rows[2]!.track!), scale = ownScale(axis, 168, 800);
  expect(axis).toEqual({lo: 290, hi: 350});
  expect(toTime(scale, toX(scale, 312))).toBeCloseTo(312, 9);
  expect(toX(scale, 350)).toBeLessThan(800);
  expect(rows[2]!.height).toBeGreaterThan(rows[3]!.height);
  expect(trackOf(rows, ['bodies', 'wax', 'behaviors', 'fluid', 'weight'])).toBe(rows[2]);
});
