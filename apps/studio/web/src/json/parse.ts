// JSON with comments as a tree that remembers where each value stands, so that a change of a value is a change of the
// text at its place: comments, order and layout stay as their author has them.

export type Json = null | boolean | number | string | Json[] | {[key: string]: Json};
export type Step = string | number;
export type Path = Step[];

interface Placed { start: number; end: number }
export interface ObjectNode extends Placed { kind: 'object'; members: Member[] }
export interface ArrayNode extends Placed { kind: 'array'; items: Node[] }
export interface PlainNode extends Placed { kind: 'plain'; value: null | boolean | number | string }
export type Node = ObjectNode | ArrayNode | PlainNode;
export interface Member { key: string; keyStart: number; value: Node }

export class JsonError extends Error {
  constructor(message: string, readonly at: number) { super(message); }
}

class Reader {
  at = 0;
  constructor(readonly text: string) {}

  fail(message: string): never { throw new JsonError(message, this.at); }

  skip(): void {
    for (;;) {
      const c = this.text[this.at];
      if (c === ' ' || c === '\n' || c === '\t' || c === '\r') this.at++;
      else if (this.text.startsWith('//', this.at)) {
        const end = this.text.indexOf('\n', this.at);
        this.at = end < 0 ? this.text.length : end;
      } else if (this.text.startsWith('/*', this.at)) {
        const end = this.text.indexOf('*/', this.at + 2);
        if (end < 0) this.fail('this comment has no end');
        this.at = end + 2;
      } else return;
    }
  }

  expect(c: string): void {
    if (this.text[this.at] !== c) this.fail(`"${c}" is missing here`);
    this.at++;
  }

  string(): string {
    const start = this.at;
    this.expect('"');
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      if (this.text[this.at] === '\n') this.fail('this text has no end');
      this.at += this.text[this.at] === '\\' ? 2 : 1;
    }
    this.expect('"');
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      this.at = start;
      return this.fail('this text is not valid JSON');
    }
  }

  value(): Node {
    this.skip();
    const start = this.at, c = this.text[start];
    if (c === '{') return this.object();
    if (c === '[') return this.array();
    if (c === '"') return {kind: 'plain', value: this.string(), start, end: this.at};
    const word = /[-+.\w]*/y;
    word.lastIndex = start;
    const found = word.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    if (found === 'true' || found === 'false') return {kind: 'plain', value: found === 'true', start, end: this.at};
    if (found === 'null') return {kind: 'plain', value: null, start, end: this.at};
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(found)) return {kind: 'plain', value: Number(found), start, end: this.at};
    this.at = start;
    return this.fail(found ? `${found} is not a value` : 'a value is missing here');
  }

  object(): ObjectNode {
    const start = this.at++, members: Member[] = [];
    this.skip();
    while (this.text[this.at] !== '}') {
      if (members.length > 0) { this.expect(','); this.skip(); }
      const keyStart = this.at, key = this.string();
      this.skip();
      this.expect(':');
      members.push({key, keyStart, value: this.value()});
      this.skip();
    }
    this.at++;
    return {kind: 'object', members, start, end: this.at};
  }

  array(): ArrayNode {
    const start = this.at++, items: Node[] = [];
    this.skip();
    while (this.text[this.at] !== ']') {
      if (items.length > 0) this.expect(',');
      items.push(this.value());
      this.skip();
    }
    this.at++;
    return {kind: 'array', items, start, end: this.at};
  }
}

export function parse(text: string): Node {
  const reader = new Reader(text), root = reader.value();
  reader.skip();
  if (reader.at < text.length) reader.fail('there is more text behind the end');
  return root;
}

export function tryParse(text: string): {root?: Node; error?: JsonError} {
  try {
    return {root: parse(text)};
  } catch (error) {
    return {error: error as JsonError};
  }
}

export function find(node: Node | undefined, path: Path): Node | undefined {
  for (const step of path) {
    if (node?.kind === 'object') node = node.members.find((m) => m.key === step)?.value;
    else if (node?.kind === 'array' && typeof step === 'number') node = node.items[step];
    else return undefined;
  }
  return node;
}

export function valueOf(node: Node): Json {
  if (node.kind === 'plain') return node.value;
  if (node.kind === 'array') return node.items.map(valueOf);
  const all: {[key: string]: Json} = {};
  for (const member of node.members) all[member.key] = valueOf(member.value);
  return all;
}

// The innermost path at a place of the text.
export function pathAt(node: Node, at: number): Path {
  if (node.kind === 'object')
    for (const m of node.members)
      if (at >= m.keyStart && at <= m.value.end) return [m.key, ...(at >= m.value.start ? pathAt(m.value, at) : [])];
  if (node.kind === 'array') {
    const index = node.items.findIndex((item) => at >= item.start && at <= item.end);
    if (index >= 0) return [index, ...pathAt(node.items[index]!, at)];
  }
  return [];
}

// "bodies.water.behaviors.fluid.weight.keys.0", as messages have it. Names have no dots.
export const pathText = (path: Path): string => path.join('.');
export const pathOf = (text: string): Path =>
  text === '' ? [] : text.replace(/\[(\d+)\]/g, '.$1').split('.').map((word) => (/^\d+$/.test(word) ? Number(word) : word));
