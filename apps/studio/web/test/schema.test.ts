import {expect, it} from 'vitest';
import {behaviorHelp, behaviorNames, partsOf, propertiesOf, rangeText, schema, schemaAt} from '../src/schema';

// As the program writes it (src/scene/schema.cpp).
schema.value = {
  $defs: {
    scene: {type: 'object', properties: {
      fps: {type: 'number', exclusiveMinimum: 0, default: 25, description: 'Frames per second. [1/s]'},
      bodies: {type: 'object', patternProperties: {'^[A-Za-z]': {$ref: '#/$defs/body'}}, description: 'By name.'},
    }},
    body: {type: 'object', title: 'Body', properties: {behaviors: {$ref: '#/$defs/behaviors', description: 'Its laws.'}}},
    behaviors: {type: 'object', title: 'Behaviors', properties: {
      like: {type: 'string', default: '', description: 'A preset.', examples: ['honey', 'water']},
      fluid: {anyOf: [{$ref: '#/$defs/behavior-fluid'}, {type: 'null'}], description: 'It flows.'},
      gravity: {$ref: '#/$defs/behavior-gravity', description: 'It falls.'},
    }},
    'behavior-fluid': {type: 'object', title: 'Fluid', required: ['density'], properties: {
      density: {anyOf: [{type: 'number', minimum: 1, maximum: 9}, {$ref: '#/$defs/track'}], description: 'Mass. [kg/m^3]'},
    }},
    'behavior-gravity': {type: 'object', properties: {acceleration: {type: 'array', items: {type: 'number'}, minItems: 2, maxItems: 3, default: [0, -9.81, 0]}}},
    track: {type: 'object', properties: {over: {enum: ['time', 'speed']}}},
  },
};

it('blocks are found by their path, also those that may be null', () => {
  const fluid = schemaAt(['bodies', 'water', 'behaviors', 'fluid'])!;
  expect(fluid.title).toBe('Fluid');
  expect(propertiesOf(fluid)).toMatchObject([{name: 'density', kind: 'number', keyed: true, unit: 'kg/m^3', help: 'Mass.', least: 1, most: 9, required: true}]);
  expect(schemaAt(['bodies', 'water', 'nothing', 'more'])).toBeUndefined();
  expect(schemaAt(['bodies', 'water', 'behaviors', 'fluid', 'density', 'over'])?.enum).toEqual(['time', 'speed']);
});
it('behaviors are those that are blocks', () => {
  expect(behaviorNames()).toEqual(['fluid', 'gravity']);
  expect(behaviorHelp('fluid')).toBe('It flows.');
  const all = schemaAt(['bodies', 'water', 'behaviors'])!;
  expect(propertiesOf(all)).toMatchObject([{name: 'like', kind: 'choice', choices: ['', 'honey', 'water']}]);
  expect(partsOf(all).map((part) => part.name)).toEqual(['fluid', 'gravity']);
});
it('ranges are told in words', () => {
  expect(rangeText(propertiesOf(schemaAt([])!)[0]!)).toBe('greater than 0 1/s');
  expect(propertiesOf(schemaAt(['bodies', 'a', 'behaviors', 'gravity'])!)[0]).toMatchObject({kind: 'vector', initial: [0, -9.81, 0]});
});
