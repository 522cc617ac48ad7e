import {describe, expect, it} from 'vitest';
import {difference, format, removeValue, renameKey, setValue} from '../src/json/edit';
import {parse, pathAt, pathOf, tryParse, valueOf} from '../src/json/parse';

const scene = `{
  // a dam
  "title": "Dam", // its name
  "bodies": {
    "water": {
      "shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}},
      "behaviors": {"fluid": {"density": 1000}} /* wet */
    }
  },
  "fps": 25
}
`;

describe('parse', () => {
  it('reads values with comments', () => {
    expect(valueOf(parse(scene))).toEqual({
      title: 'Dam', fps: 25,
      bodies: {water: {shape: {box: {min: [0, 0, 0], max: [1, 1, 1]}}, behaviors: {fluid: {density: 1000}}}},
    });
  });
  it('tells where it is wrong', () => {
    expect(tryParse('{"a": }').error?.at).toBe(6);
    expect(tryParse('{"a": 1} x').error?.message).toMatch(/more text/);
    expect(tryParse('{"a": 01}').error?.message).toMatch(/not a value/);
    expect(tryParse('{"a": 1,}').error).toBeDefined();
  });
  it('finds the path at a place', () => {
    expect(pathAt(parse(scene), scene.indexOf('1000') + 1)).toEqual(['bodies', 'water', 'behaviors', 'fluid', 'density']);
    expect(pathOf('a.keys[2].b')).toEqual(['a', 'keys', 2, 'b']);
  });
});

describe('setValue', () => {
  it('changes only the value', () => {
    expect(setValue(scene, ['bodies', 'water', 'behaviors', 'fluid', 'density'], 800)).toBe(scene.replace('1000', '800'));
    expect(setValue(scene, ['fps'], 30)).toBe(scene.replace('25', '30'));
  });
  it('adds to a block on one line', () => {
    const after = setValue(scene, ['bodies', 'water', 'behaviors', 'viscosity'], {viscosity: 0.1});
    expect(after).toBe(scene.replace('{"density": 1000}}', '{"density": 1000}, "viscosity": {"viscosity": 0.1}}'));
  });
  it('adds a line to a block on several, and keeps its comments', () => {
    const after = setValue(scene, ['bodies', 'water', 'velocity'], [1, 0, 0]);
    expect(after).toContain('"behaviors": {"fluid": {"density": 1000}}, /* wet */\n      "velocity": [1, 0, 0]\n    }');
    expect(setValue(scene, ['duration'], 4)).toContain('"fps": 25,\n  "duration": 4\n}');
  });
  it('makes the blocks on the way', () => {
    expect(valueOf(parse(setValue(scene, ['bodies', 'tank', 'boundary', 'slip'], 'free')))).toMatchObject({bodies: {tank: {boundary: {slip: 'free'}}}});
    expect(valueOf(parse(setValue('{}', ['a', 'b'], 1)))).toEqual({a: {b: 1}});
    expect(valueOf(parse(setValue('{"a": 1}', ['a', 'b'], 1)))).toEqual({a: {b: 1}});
  });
  it('writes numbers as people do', () => expect(format([0.1 + 0.2, 1e-7, 4])).toBe('[0.3, 1e-7, 4]'));
});

describe('removeValue', () => {
  it('takes the comma along', () => {
    for (const path of [['title'], ['bodies'], ['fps'], ['bodies', 'water', 'shape'], ['bodies', 'water', 'behaviors'], ['bodies', 'water', 'behaviors', 'fluid']])
      expect(tryParse(removeValue(scene, path)).error, path.join()).toBeUndefined();
    expect(removeValue(scene, ['fps'])).toBe(scene.replace(',\n  "fps": 25', ''));
    expect(removeValue('[1, 2, 3]', [1])).toBe('[1, 3]');
    expect(removeValue('[1, 2, 3]', [2])).toBe('[1, 2]');
  });
  it('removes a line with its comment', () => expect(removeValue(scene, ['title'])).toBe(scene.replace('  "title": "Dam", // its name\n', '')));
  it('leaves what is not there', () => expect(removeValue(scene, ['nothing'])).toBe(scene));
});

it('every change can be read, and says what was meant', () => {
  let text = scene, seed = 7;
  const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  for (let k = 0; k < 300; k++) {
    const path = ['a', 'b', 'c', 'bodies'].slice(random(4)).slice(0, 1 + random(2));
    if (random(3) > 0) {
      const value = [random(100), [1, 2], {x: 1}, 'text'][random(4)]!;
      text = setValue(text, path, value);
      let here: unknown = valueOf(parse(text));
      for (const step of path) here = (here as Record<string, unknown>)[step];
      expect(here).toEqual(value);
    } else text = removeValue(text, path);
    expect(tryParse(text).error).toBeUndefined();
    expect(text).toContain('// a dam');
  }
});

it('renames', () => expect(renameKey(scene, ['bodies', 'water'], 'oil')).toBe(scene.replace('"water"', '"oil"')));
it('finds what differs', () => {
  expect(difference('abc', 'abc')).toBeNull();
  const found = difference('one two three', 'one 2 three')!;
  expect('one two three'.slice(0, found.from) + found.insert + 'one two three'.slice(found.to)).toBe('one 2 three');
});
