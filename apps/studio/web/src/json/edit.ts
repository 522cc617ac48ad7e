// Changes of a JSON text at the place of a value. Everything around it stays, comments included.
import {find, parse, type ArrayNode, type Json, type Node, type ObjectNode, type Path, type Step} from './parse';

const WIDE = 110; // a value that is longer than this gets lines of its own

export function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  const short = Number(value.toPrecision(12));
  return String(short);
}

// A value as people write it: short ones on one line.
export function format(value: Json, indent = '', wide = WIDE): string {
  const line = inline(value);
  if (value === null || typeof value !== 'object' || line.length + indent.length <= wide) return line;
  const inner = indent + '  ';
  if (Array.isArray(value)) return '[\n' + value.map((item) => inner + format(item, inner)).join(',\n') + '\n' + indent + ']';
  const members = Object.entries(value).map(([key, item]) => inner + JSON.stringify(key) + ': ' + format(item, inner));
  return '{\n' + members.join(',\n') + '\n' + indent + '}';
}

function inline(value: Json): string {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return '[' + value.map(inline).join(', ') + ']';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return '{' + Object.entries(value).map(([key, item]) => JSON.stringify(key) + ': ' + inline(item)).join(', ') + '}';
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(lineStart(text, at)))![0];
const replace = (text: string, start: number, end: number, by: string): string => text.slice(0, start) + by + text.slice(end);

// Behind a value: its comma, then blanks and a comment that ends its line.
function restOfLine(text: string, at: number): number {
  const rest = /^[ \t]*,?[ \t]*(\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)?(?=\r?\n|$)/.exec(text.slice(at));
  return rest ? at + rest[0].length : at;
}

// Adds at the end of a block or list. `entry` makes its text for the indent that it gets.
function append(text: string, node: ObjectNode | ArrayNode, entry: (indent: string) => string): string {
  const parts: Node[] = node.kind === 'object' ? node.members.map((m) => m.value) : node.items;
  const last = parts[parts.length - 1];
  if (!last) {
    const indent = indentAt(text, node.start);
    const open = text[node.start]!, close = text[node.end - 1]!;
    const inside = text.slice(node.start + 1, node.end - 1);
    if (inside.trim() === '') {
      const one = entry(indent);
      if (!one.includes('\n') && indent.length + one.length <= WIDE && indent !== '') return replace(text, node.start, node.end, open + one + close);
    }
    return replace(text, node.start + 1 + inside.trimEnd().length, node.end, `\n${indent}  ${entry(indent + '  ')}\n${indent}${close}`);
  }
  const first = node.kind === 'object' ? node.members[0]!.keyStart : node.items[0]!.start;
  const ownLines = text.slice(node.start, first).includes('\n');
  if (!ownLines) return replace(text, last.end, last.end, ', ' + entry(indentAt(text, node.start)));
  const indent = indentAt(text, first), lineEnd = restOfLine(text, last.end);
  const tail = text.slice(last.end, lineEnd);
  return replace(text, last.end, lineEnd, ',' + tail + '\n' + indent + entry(indent));
}

// The value at a path becomes this one; blocks on the way that are not there are made.
export function setValue(text: string, path: Path, value: Json): string {
  const root = parse(text);
  const there = find(root, path);
  if (there) return replace(text, there.start, there.end, format(value, indentAt(text, there.start)));
  let known = path.length - 1;
  while (known > 0 && !find(root, path.slice(0, known))) known--;
  const block = find(root, path.slice(0, known))!;
  let made: Json = value;
  for (let k = path.length - 1; k > known; k--) made = typeof path[k] === 'number' ? [made] : {[path[k]!]: made};
  const step = path[known]!;
  if (block.kind === 'object' && typeof step === 'string')
    return append(text, block, (indent) => JSON.stringify(step) + ': ' + format(made, indent));
  if (block.kind === 'array') return append(text, block, (indent) => format(made, indent));
  // A plain value stands where a block is wanted.
  return replace(text, block.start, block.end, format(typeof step === 'number' ? [made] : {[step]: made}, indentAt(text, block.start)));
}

// The value at a path goes, with its key, its comma, and the comment that ends its line.
export function removeValue(text: string, path: Path): string {
  const root = parse(text), step = path[path.length - 1];
  const block = find(root, path.slice(0, -1));
  if (!block || step === undefined || block.kind === 'plain') return text;
  const parts = block.kind === 'object' ? block.members.map((m) => ({start: m.keyStart, end: m.value.end}))
                                        : block.items.map((item) => ({start: item.start, end: item.end}));
  const index = block.kind === 'object' ? block.members.findIndex((m) => m.key === step) : Number(step);
  const part = parts[index];
  if (!part) return text;
  if (parts.length === 1) return replace(text, block.start + 1, block.end - 1, '');
  const next = parts[index + 1], before = parts[index - 1];
  const begin = lineStart(text, part.start);
  const alone = text.slice(begin, part.start).trim() === '' && restOfLine(text, part.end) > part.end - 1 && /\n/.test(text.slice(restOfLine(text, part.end), restOfLine(text, part.end) + 2));
  if (next && alone && /\n/.test(text.slice(part.end, next.start))) {
    const end = text.indexOf('\n', restOfLine(text, part.end)) + 1;
    return replace(text, begin, end, '');
  }
  if (next) return replace(text, part.start, next.start, '');
  // The last one: the comma behind the one before goes too.
  const comma = before!.end + text.slice(before!.end).indexOf(',');
  const kept = text.slice(comma + 1, part.start);
  if (alone && kept.includes('\n')) {
    const lineEnd = restOfLine(text, part.end);
    const above = kept.slice(0, kept.lastIndexOf('\n')); // comments between them stay
    return text.slice(0, comma) + above + text.slice(lineEnd);
  }
  return replace(text, comma, part.end, '');
}

export function renameKey(text: string, path: Path, name: string): string {
  const block = find(parse(text), path.slice(0, -1));
  const member = block?.kind === 'object' ? block.members.find((m) => m.key === path[path.length - 1]) : undefined;
  if (!member) return text;
  const end = text.indexOf('"', text.indexOf('"', member.keyStart) + 1) + 1;
  return replace(text, member.keyStart, end, JSON.stringify(name));
}

// The one stretch in which two texts differ.
export function difference(before: string, after: string): {from: number; to: number; insert: string} | null {
  if (before === after) return null;
  let from = 0;
  const least = Math.min(before.length, after.length);
  while (from < least && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < least - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return {from, to: before.length - tail, insert: after.slice(from, after.length - tail)};
}

export type {Json, Path, Step};
