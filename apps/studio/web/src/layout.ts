// Which panels are open, and how large they are; kept from one visit to the next.
import {effect, signal} from '@preact/signals';

const kept = <T,>(name: string, initial: T) => {
  let first = initial;
  try {
    const text = localStorage.getItem('loam-' + name);
    if (text !== null) first = JSON.parse(text) as T;
  } catch { /* as it was */ }
  const value = signal<T>(first);
  effect(() => localStorage.setItem('loam-' + name, JSON.stringify(value.value)));
  return value;
};
export const leftWidth = kept('left', 230);
export const rightWidth = {properties: kept('right', 340), text: kept('right-text', 480)}; // lines of text are longer than fields
export const bottomHeight = kept('bottom', 250);
export const rightTab = kept<'properties' | 'text'>('right-tab', 'properties');
export const bottomTab = kept<'timeline' | 'plots' | 'messages'>('bottom-tab', 'timeline');
export const clampSize = (value: number, lo: number, hi: number): number => Math.min(Math.max(value, lo), hi);
