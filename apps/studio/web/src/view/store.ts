// What comes from the server frame by frame, and what was seen of it lately. The ones used longest ago go first.
import {signal} from '@preact/signals';

export const arrived = signal(0); // counts up when something came or went

export class Store<T extends {bytes: number}> {
  private kept = new Map<string, {frame: number; value: T}>();
  private coming = new Map<string, {frame: number; promise: Promise<T | null>}>();
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  get waiting(): number { return this.coming.size; }

  // Frames of a run by number; `what` tells apart what is fetched of one.
  peek(run: string, frame: number, what: string): T | null {
    const key = `${run}|${frame}|${what}`, found = this.kept.get(key);
    if (!found) return null;
    this.kept.delete(key);
    this.kept.set(key, found);
    return found.value;
  }

  fetch(run: string, frame: number, what: string, read: () => Promise<T>): Promise<T | null> {
    const key = `${run}|${frame}|${what}`, there = this.kept.get(key), under = this.coming.get(key);
    if (there) return Promise.resolve(there.value);
    if (under) return under.promise;
    const own: {frame: number; promise: Promise<T | null>} = {frame, promise: Promise.resolve(null)};
    own.promise = read()
      .then((value) => {
        if (this.coming.get(key) !== own) return null; // forgotten meanwhile
        this.keep(key, frame, value);
        return value;
      })
      .catch(() => null)
      .finally(() => {
        if (this.coming.get(key) === own) this.coming.delete(key);
        arrived.value = arrived.peek() + 1;
      });
    this.coming.set(key, own);
    return own.promise;
  }

  // Frames from this one on are being made anew.
  forget(run: string, from: number): void {
    for (const [key, {frame, value}] of [...this.kept])
      if (key.startsWith(run + '|') && frame >= from) { this.kept.delete(key); this.bytes -= value.bytes; }
    for (const [key, {frame}] of [...this.coming]) if (key.startsWith(run + '|') && frame >= from) this.coming.delete(key);
    arrived.value = arrived.peek() + 1;
  }

  clear(): void {
    this.kept.clear();
    this.coming.clear();
    this.bytes = 0;
  }

  private keep(key: string, frame: number, value: T): void {
    this.kept.set(key, {frame, value});
    this.bytes += value.bytes;
    for (const [old, other] of this.kept) {
      if (this.bytes < this.mostBytes || old === key) break;
      this.kept.delete(old);
      this.bytes -= other.value.bytes;
    }
  }
}
