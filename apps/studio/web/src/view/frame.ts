// Frames as they come from the server.
import {getBytes, unpack} from '../api';
import {Store} from './store';

export interface FrameHead {
  frame: number; time: number; dimensions: number; radius: number; bodies: string[]; total: number; count: number;
  bounds: [number[], number[]]; columns: {name: string; unit: string; help: string; components: number}[];
  sizes: boolean; largest_size: number; column?: {name: string; unit: string; least: number; most: number};
}
export interface Frame {
  head: FrameHead; positions: Uint16Array; body: Uint8Array; size: Uint8Array | null; values: Uint16Array | null; bytes: number;
  most: number; // particles that were asked for
}

const padded = (n: number): number => Math.ceil(n / 4) * 4;

export function decode(bytes: ArrayBuffer, most: number): Frame {
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
  return {head, positions, body, size, values, bytes: bytes.byteLength, most};
}

const MOST_PARTICLES = 400000;

// How fast the way to the server is. Over a slow one a frame of many particles comes thinned first, and in full when
// the playhead rests.
export class Link {
  private rate = Infinity; // bytes per second
  private each = 9;        // bytes per particle

  took(bytes: number, seconds: number, particles: number): void {
    if (particles > 0) this.each = bytes / particles;
    if (bytes < 50000 || seconds <= 0) return; // too little to tell
    const now = bytes / seconds;
    this.rate = Number.isFinite(this.rate) ? 0.6 * this.rate + 0.4 * now : now;
  }
  // Particles that come within a moment.
  quick(total: number): number {
    const MOMENT = 0.15, LEAST = 20000;
    const most = Math.min(total, MOST_PARTICLES);
    if ((most * this.each) / this.rate < 2 * MOMENT) return MOST_PARTICLES;
    return Math.max(LEAST, Math.round((this.rate * MOMENT) / this.each / 10000) * 10000);
  }
}

class FrameStore {
  private readonly store = new Store<Frame>(600e6);
  private readonly link = new Link();
  private total = 0; // particles of the frame that came last
  private thinned = new Set<number>();

  get waiting(): number { return this.store.waiting; }

  // The fullest that is there.
  peek(run: string, frame: number, column: string): Frame | null {
    const full = this.store.peek(run, frame, `${column}|${MOST_PARTICLES}`);
    if (full) return full;
    for (const most of [...this.thinned].sort((a, b) => b - a)) {
      const found = this.store.peek(run, frame, `${column}|${most}`);
      if (found) return found;
    }
    return null;
  }
  fetch(run: string, frame: number, column: string, inFull = false): Promise<Frame | null> {
    const most = inFull ? MOST_PARTICLES : this.link.quick(this.total);
    if (most < MOST_PARTICLES) this.thinned.add(most);
    return this.store.fetch(run, frame, `${column}|${most}`, async () => {
      const begun = performance.now(), bytes = await getBytes('frame', {run, frame, column, most});
      const read = decode(bytes, most);
      this.link.took(bytes.byteLength, (performance.now() - begun) / 1000, read.head.count);
      this.total = read.head.total;
      return read;
    });
  }
  isThin(frame: Frame): boolean { return frame.most < MOST_PARTICLES && frame.head.count < frame.head.total; }
  forget(run: string, from: number): void { this.store.forget(run, from); }
  clear(): void { this.store.clear(); }
}
export const frames = new FrameStore();
