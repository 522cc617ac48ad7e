// Frames as they come from the server, and those that were seen lately.
import {signal} from '@preact/signals';
import {getBytes, unpack} from '../api';

export interface FrameHead {
  frame: number; time: number; dimensions: number; radius: number; bodies: string[]; total: number; count: number;
  bounds: [number[], number[]]; columns: {name: string; unit: string; help: string; components: number}[];
  sizes: boolean; largest_size: number; column?: {name: string; unit: string; least: number; most: number};
}
export interface Frame { head: FrameHead; positions: Uint16Array; body: Uint8Array; size: Uint8Array | null; values: Uint16Array | null; bytes: number }

const padded = (n: number): number => Math.ceil(n / 4) * 4;

export function decode(bytes: ArrayBuffer): Frame {
  const {head, at} = unpack<FrameHead>(bytes);
  const n = head.count;
  let next = at;
  const positions = new Uint16Array(bytes, next, 3 * n);
  next = padded(next + 6 * n);
  const body = new Uint8Array(bytes, next, n);
  next = padded(next + n);
  const size = head.sizes ? new Uint8Array(bytes, next, n) : null;
  if (head.sizes) next = padded(next + n);
  const values = head.column ? new Uint16Array(bytes, next, n) : null;
  return {head, positions, body, size, values, bytes: bytes.byteLength};
}

export function positionOf(frame: Frame, nth: number): [number, number, number] {
  const [lo, hi] = frame.head.bounds;
  const axis = (k: number) => lo[k]! + (frame.positions[3 * nth + k]! / 65535) * (hi[k]! - lo[k]!);
  return [axis(0), axis(1), axis(2)];
}

// Frames by run, number and column. The ones used longest ago go first when it gets too much.
const MOST_BYTES = 600e6;
export const MOST_PARTICLES = 400000;

class FrameStore {
  private kept = new Map<string, Frame>();
  private coming = new Map<string, Promise<Frame | null>>();
  private bytes = 0;
  readonly changed = signal(0); // counts up when frames came or went

  private key(run: string, frame: number, column: string): string { return `${run}|${frame}|${column}`; }

  peek(run: string, frame: number, column: string): Frame | null {
    const key = this.key(run, frame, column), found = this.kept.get(key);
    if (!found) return null;
    this.kept.delete(key);
    this.kept.set(key, found);
    return found;
  }

  fetch(run: string, frame: number, column: string): Promise<Frame | null> {
    const key = this.key(run, frame, column), there = this.peek(run, frame, column);
    if (there) return Promise.resolve(there);
    const under = this.coming.get(key);
    if (under) return under;
    const made = getBytes('frame', {run, frame, column, most: MOST_PARTICLES})
      .then((bytes) => {
        if (this.coming.get(key) !== made) return null; // forgotten meanwhile
        const read = decode(bytes);
        this.keep(key, read);
        return read;
      })
      .catch(() => null)
      .finally(() => { if (this.coming.get(key) === made) this.coming.delete(key); });
    this.coming.set(key, made);
    return made;
  }

  get waiting(): number { return this.coming.size; }

  // Frames from this one on are being made anew.
  forget(run: string, from: number): void {
    for (const [key, frame] of [...this.kept])
      if (key.startsWith(run + '|') && frame.head.frame >= from) { this.kept.delete(key); this.bytes -= frame.bytes; }
    for (const key of [...this.coming.keys()]) if (key.startsWith(run + '|') && Number(key.split('|')[1]) >= from) this.coming.delete(key);
    this.changed.value = this.changed.peek() + 1;
  }

  private keep(key: string, frame: Frame): void {
    this.kept.set(key, frame);
    this.bytes += frame.bytes;
    for (const [old, other] of this.kept) {
      if (this.bytes < MOST_BYTES) break;
      this.kept.delete(old);
      this.bytes -= other.bytes;
    }
    this.changed.value = this.changed.peek() + 1;
  }
}
export const frames = new FrameStore();
