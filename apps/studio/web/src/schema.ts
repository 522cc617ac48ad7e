// The declarations of the program, as its JSON Schema tells them: what may stand where, with unit, range, default and help.
import {signal} from '@preact/signals';
import {get} from './api';
import type {Json, Path} from './json/parse';

export interface Schema {
  $ref?: string; type?: string | string[]; title?: string; description?: string; properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>; anyOf?: Schema[]; oneOf?: Schema[]; items?: Schema; enum?: string[]; default?: Json;
  minimum?: number; maximum?: number; exclusiveMinimum?: number; required?: string[]; minItems?: number; maxItems?: number;
  $defs?: Record<string, Schema>; examples?: string[];
}
export const schema = signal<Schema | null>(null);
export async function readSchema(): Promise<void> { schema.value = await get<Schema>('schema'); }

export function resolve(found: Schema | undefined): Schema | undefined {
  // A block that may also be null: it leaves out what a preset has.
  const block = found?.anyOf?.find((option) => option.$ref && option.$ref !== '#/$defs/track');
  if (found && block) return resolve({...block, ...(found.description ? {description: found.description} : {})});
  if (!found?.$ref) return found;
  const name = found.$ref.replace('#/$defs/', '');
  const target = schema.value?.$defs?.[name];
  return target ? {...target, ...(found.description ? {description: found.description} : {})} : undefined;
}
export const definition = (name: string): Schema | undefined => schema.value?.$defs?.[name];

// What is declared at a path of the scene.
export function schemaAt(path: Path): Schema | undefined {
  let here = resolve(definition('scene'));
  for (const step of path) {
    if (!here) return undefined;
    const keyed = here.anyOf?.find((option) => option.$ref === '#/$defs/track');
    const block: Schema = keyed && (step === 'keys' || step === 'over' || step === 'interpolation') ? resolve(keyed)! : here;
    const next: Schema | undefined = typeof step === 'number' ? block.items : (block.properties?.[step] ?? Object.values(block.patternProperties ?? {})[0]);
    here = resolve(next);
  }
  return here;
}

export interface Property {
  name: string; kind: 'flag' | 'number' | 'integer' | 'vector' | 'text' | 'choice'; keyed: boolean; unit: string; help: string;
  initial?: Json; least?: number; most?: number; above?: number; choices: string[]; required: boolean;
}
const unitOf = (text: string): {help: string; unit: string} => {
  const found = /^(.*) \[([^\]]+)\]$/s.exec(text);
  return found ? {help: found[1]!, unit: found[2]!} : {help: text, unit: ''};
};
function propertyOf(name: string, raw: Schema, required: boolean): Property | null {
  const keyed = raw.anyOf?.some((option) => option.$ref === '#/$defs/track') ?? false;
  const single = keyed ? raw.anyOf!.find((option) => !option.$ref)! : raw;
  if (single.$ref || single.properties || single.patternProperties) return null;
  let kind: Property['kind'];
  if (single.anyOf) return null;
  if (single.enum || single.examples) kind = 'choice';
  else if (single.type === 'boolean') kind = 'flag';
  else if (single.type === 'integer') kind = 'integer';
  else if (single.type === 'number') kind = 'number';
  else if (single.type === 'array' && single.minItems === 2) kind = 'vector';
  else if (single.type === 'string') kind = 'text';
  else return null;
  const limits = kind === 'vector' ? (single.items ?? {}) : single;
  const property: Property = {name, kind, keyed, required, choices: single.enum ?? (single.examples ? ['', ...single.examples] : []), ...unitOf(raw.description ?? single.description ?? '')};
  if (single.default !== undefined) property.initial = single.default;
  if (limits.minimum !== undefined) property.least = limits.minimum;
  if (limits.maximum !== undefined) property.most = limits.maximum;
  if (limits.exclusiveMinimum !== undefined) property.above = limits.exclusiveMinimum;
  return property;
}

// The single values of a block, and the blocks within it.
export function propertiesOf(block: Schema): Property[] {
  return Object.entries(block.properties ?? {})
    .map(([name, raw]) => propertyOf(name, raw, block.required?.includes(name) ?? false))
    .filter((property): property is Property => property !== null);
}
export interface PartOf { name: string; named: boolean; list: boolean; help: string; block?: Schema }
export function partsOf(block: Schema): PartOf[] {
  const parts: PartOf[] = [];
  for (const [name, raw] of Object.entries(block.properties ?? {})) {
    if (propertyOf(name, raw, false)) continue;
    const inner = raw.patternProperties ? Object.values(raw.patternProperties)[0] : raw.items ?? raw;
    const resolved = resolve(inner);
    parts.push({name, named: !!raw.patternProperties, list: !!raw.items, help: raw.description ?? '', ...(resolved ? {block: resolved} : {})});
  }
  return parts;
}

export function behaviorNames(): string[] {
  return Object.entries(definition('behaviors')?.properties ?? {}).filter(([, raw]) => raw.type !== 'string').map(([name]) => name);
}
export function behaviorHelp(name: string): string { return resolve(definition('behaviors')?.properties?.[name])?.description ?? ''; }
export function shapeNames(): string[] {
  return Object.entries(definition('shape')?.properties ?? {}).filter(([, raw]) => raw.$ref?.startsWith('#/$defs/shape-')).map(([name]) => name);
}

// "at least 0 m", in the words of messages.
export function rangeText(p: Property): string {
  const unit = p.unit ? ' ' + p.unit : '';
  const lo = p.least ?? p.above, hi = p.most;
  if (lo !== undefined && hi !== undefined) return `${p.above !== undefined ? 'above' : 'from'} ${lo} to ${hi}${unit}`;
  if (p.above !== undefined) return `greater than ${p.above}${unit}`;
  if (lo !== undefined) return `at least ${lo}${unit}`;
  if (hi !== undefined) return `at most ${hi}${unit}`;
  return unit.trim();
}
