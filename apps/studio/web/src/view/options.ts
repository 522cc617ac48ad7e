// What the view shows, and how.
import {signal} from '@preact/signals';
import type {Frame} from './frame';
import type {Compare, Gizmo, Stage} from './stage';

export const stageNow = signal<Stage | null>(null);
export const shownFrame = signal<Frame | null>(null);
export const compareMode = signal<Compare>('off');
export const walls = signal(true);
export const skins = signal(false); // surfaces of fluids, in place of their particles
export const skinComing = signal(false);
export const fluids = signal<string[]>([]); // bodies that have a surface
export const clipAxis = signal<'off' | 'x' | 'y' | 'z'>('off');
export const clipAt = signal(1); // part of the extent
export const held = signal<{column: string; least: number; most: number} | null>(null); // what colors stand for, over all frames
export const gizmo = signal<Gizmo | null>(null);
export interface Probe { id: number; body: number; frame: number; time: number; values: Record<string, number | number[] | null> }
export const probe = signal<Probe | null>(null);        // as it was clicked at
export const probeCurve = signal<Probe[]>([]);          // over the frames of the run
export const toggleGizmo = (how: Gizmo): void => { gizmo.value = gizmo.value === how ? null : how; };
export const parallel = signal(false); // rays; else perspective
export function toggleParallel(): void {
  const stage = stageNow.value;
  stage?.useCamera(!stage.isParallel);
  parallel.value = stage?.isParallel ?? false;
}
