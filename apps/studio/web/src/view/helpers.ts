// The scene's camera and sun, as lines in the view.
import * as THREE from 'three';
import * as s from '../state';
import {valueNow} from './handles';

export interface SceneCamera { from: number[]; to: number[]; view: number; height: number }

const point = (value: unknown): number[] | null => (Array.isArray(value) ? [Number(value[0]), Number(value[1]), Number(value[2] ?? 0)] : null);

// As it is at the playhead; none: null.
export function sceneCamera(): SceneCamera | null {
  const from = point(valueNow(['camera', 'from'])), to = point(valueNow(['camera', 'to']));
  return from && to ? {from, to, view: Number(valueNow(['camera', 'view']) ?? 30), height: Number(valueNow(['camera', 'height']) ?? 0)} : null;
}
export const sunDirection = (): number[] => point(valueNow(['light', 'sun'])) ?? [0.42, 0.8, 0.42];

const lines = (places: THREE.Vector3[], color: string): THREE.LineSegments =>
  new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(places), new THREE.LineBasicMaterial({color, transparent: true, opacity: 0.9}));

export function drawHelpers(group: THREE.Group, bounds: THREE.Box3, visible: boolean, flat: boolean): void {
  for (const child of [...group.children]) {
    group.remove(child);
    (child as THREE.LineSegments).geometry.dispose();
    ((child as THREE.LineSegments).material as THREE.Material).dispose();
  }
  if (!visible || bounds.isEmpty()) return;
  const size = bounds.getSize(new THREE.Vector3()).length(), ink = (part: string) => (s.selected.value[0] === part ? '#ffd479' : '#7f8da0');
  const camera = sceneCamera();
  if (camera) {
    const from = new THREE.Vector3(...(camera.from as [number, number, number])), to = new THREE.Vector3(...(camera.to as [number, number, number]));
    const forward = to.clone().sub(from).normalize(), right = forward.clone().cross(new THREE.Vector3(0, 1, 0)).normalize(), up = right.clone().cross(forward);
    const length = 0.12 * size, half = camera.height > 0 ? 0.06 * size : length * Math.tan((camera.view * Math.PI) / 360), wide = (half * 16) / 9;
    const corner = (x: number, y: number) => from.clone().addScaledVector(forward, length).addScaledVector(right, x * wide).addScaledVector(up, y * half);
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    const all = corners.flatMap((c, k) => [from, c, c, corners[(k + 1) % 4]!]);
    all.push(corner(-0.4, 1.15), corner(0.4, 1.15), corner(0.4, 1.15), corner(0, 1.5), corner(0, 1.5), corner(-0.4, 1.15)); // this side up
    group.add(lines(all, ink('camera')));
    if (s.selected.value[0] === 'camera') group.add(lines([from, to], ink('camera')));
  }
  if (flat || s.selected.value[0] !== 'light') return;
  const sun = new THREE.Vector3(...(sunDirection() as [number, number, number])).normalize();
  const center = bounds.getCenter(new THREE.Vector3()), at = center.clone().addScaledVector(sun, 0.75 * size);
  group.add(lines([at, center.clone().addScaledVector(sun, 0.5 * size)], ink('light')));
  const side = sun.clone().cross(new THREE.Vector3(0.3, 0.2, 1)).normalize(), other = sun.clone().cross(side), rays: THREE.Vector3[] = [];
  for (let k = 0; k < 12; k++) {
    const a = (k / 12) * 2 * Math.PI, out = side.clone().multiplyScalar(Math.cos(a)).addScaledVector(other, Math.sin(a));
    rays.push(at.clone().addScaledVector(out, 0.02 * size), at.clone().addScaledVector(out, 0.045 * size));
  }
  group.add(lines(rays, ink('light')));
}
