// Undo and redo: texts as they were. Quick changes of one kind (typing, dragging) are one step.
const MOMENT = 700; // ms
// Groups that begin so, each with a name of its own, are one step however long they take.
export const GESTURE = 'gesture ';
export const gesture = (): string => GESTURE + Math.random();

export class History {
  private past: string[] = [];
  private future: string[] = [];
  private group = '';
  private when = 0;

  constructor(private readonly most = 400) {}

  get canUndo(): boolean { return this.past.length > 0; }
  get canRedo(): boolean { return this.future.length > 0; }

  // `before` is the text that a change is about to replace.
  push(before: string, group = '', now = Date.now()): void {
    const soon = now - this.when < MOMENT || group.startsWith(GESTURE);
    const same = group !== '' && group === this.group && soon && this.past.length > 0;
    this.group = group, this.when = now;
    this.future = [];
    if (same) return;
    this.past.push(before);
    if (this.past.length > this.most) this.past.shift();
  }
  undo(now: string): string | null {
    const before = this.past.pop();
    if (before === undefined) return null;
    this.future.push(now);
    this.group = '';
    return before;
  }
  redo(now: string): string | null {
    const after = this.future.pop();
    if (after === undefined) return null;
    this.past.push(now);
    this.group = '';
    return after;
  }
  // The last changes, so that a page that is loaded again can undo them; not more than fit.
  kept(most = 1e6): string[] {
    let room = most;
    const all: string[] = [];
    for (let k = this.past.length - 1; k >= 0 && (room -= this.past[k]!.length) > 0; k--) all.unshift(this.past[k]!);
    return all;
  }
  restore(past: string[]): void { this.clear(); this.past = past; }
  clear(): void { this.past = [], this.future = [], this.group = ''; }
}
