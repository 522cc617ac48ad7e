// Walls, guides, emitters and what bodies begin as: meshes that the program made of the scene's shapes.
import * as THREE from 'three';
import {unpack} from '../api';
import {bodyColor} from './colors';

interface PartHead {
  name: string; path: string; role: 'wall' | 'body' | 'guide' | 'emitter' | 'drain' | 'heater' | 'pin'; body?: number; vertices: number; triangles: number;
  box?: [number[], number[]]; pivot?: number[]; poses?: number[];
}
const inks: Partial<Record<PartHead['role'], string>> = {emitter: '#57c785', drain: '#e45c6c', guide: '#e8c547', heater: '#ff8a3d', pin: '#c58cf0', wall: '#8b98a8'};
const inkOf = (head: PartHead): string => inks[head.role] ?? bodyColor(head.body ?? 0);
interface Part { head: PartHead; object: THREE.Object3D; fill: THREE.Material; lines: THREE.LineBasicMaterial }

const boxEdges = (lo: number[], hi: number[]): THREE.BufferGeometry => {
  const box = new THREE.BoxGeometry(hi[0]! - lo[0]!, hi[1]! - lo[1]!, hi[2]! - lo[2]!);
  box.translate((lo[0]! + hi[0]!) / 2, (lo[1]! + hi[1]!) / 2, (lo[2]! + hi[2]!) / 2);
  return box;
};

export class Shapes {
  readonly group = new THREE.Group();
  readonly bounds = new THREE.Box3();
  fluids: string[] = []; // bodies that have a surface
  flat = false;
  private parts: Part[] = [];

  read(bytes: ArrayBuffer): void {
    this.clear();
    const {head, at} = unpack<{dimensions: number; fluids: string[]; parts: PartHead[]}>(bytes);
    this.fluids = head.fluids, this.flat = head.dimensions === 2;
    let next = at;
    for (const part of head.parts) {
      let geometry: THREE.BufferGeometry;
      if (part.box) geometry = boxEdges(part.box[0], part.box[1]);
      else {
        geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(bytes, next, 3 * part.vertices), 3));
        next += 12 * part.vertices;
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(bytes, next, 3 * part.triangles), 1));
        next += 12 * part.triangles;
        geometry.computeVertexNormals();
      }
      this.add(part, geometry, head.dimensions === 2);
    }
  }

  private add(head: PartHead, geometry: THREE.BufferGeometry, flat: boolean): void {
    const color = new THREE.Color(inkOf(head));
    const solid = head.role === 'wall' && !head.box;
    const fill = new THREE.MeshLambertMaterial({
      color, transparent: !solid, opacity: solid ? 1 : head.box ? 0.04 : 0.22, depthWrite: solid, side: head.box ? THREE.BackSide : THREE.DoubleSide});
    const lines = new THREE.LineBasicMaterial({color, transparent: true, opacity: head.box ? 0.55 : 0.5});
    const object = new THREE.Group();
    const mesh = new THREE.Mesh(geometry, fill);
    if (head.role !== 'guide') object.add(mesh);
    if (!solid || flat) object.add(new THREE.LineSegments(head.role === 'guide' ? new THREE.WireframeGeometry(geometry) : new THREE.EdgesGeometry(geometry, 35), lines));
    if (head.role === 'guide') lines.opacity = 0.12;
    this.parts.push({head, object, fill, lines});
    this.group.add(object);
    geometry.computeBoundingBox();
    if (geometry.boundingBox && !geometry.boundingBox.isEmpty()) this.bounds.union(geometry.boundingBox);
  }

  // Walls as they are at a frame; bodies as they begin, where no particles are shown yet or they are selected.
  pose(frame: number, particlesShown: boolean, selected: string, walls: boolean): void {
    for (const {head, object, lines} of this.parts) {
      const within = head.role === 'body' ? '.shape' : '.'; // what a body began as is shown only where that is meant
      const chosen = selected === head.path || selected.startsWith(head.path + within);
      object.visible = chosen || (head.role === 'body' ? !particlesShown : walls);
      lines.color.set(chosen ? '#ffd479' : inkOf(head));
      if (!head.poses || !head.pivot) continue;
      const k = 6 * Math.max(0, Math.min(Math.round(frame), head.poses.length / 6 - 1)), p = head.poses;
      const turn = new THREE.Vector3(p[k + 3], p[k + 4], p[k + 5]), angle = turn.length();
      const pivot = new THREE.Vector3(head.pivot[0], head.pivot[1], head.pivot[2]);
      object.quaternion.setFromAxisAngle(angle > 0 ? turn.divideScalar(angle) : new THREE.Vector3(0, 1, 0), angle);
      object.position.copy(pivot).add(new THREE.Vector3(p[k], p[k + 1], p[k + 2])).sub(pivot.applyQuaternion(object.quaternion));
    }
  }

  // While it is dragged: as it would be.
  preview(path: string, change: THREE.Matrix4): void {
    const part = this.parts.find((p) => p.head.path === path);
    if (!part) return;
    part.object.visible = true;
    part.object.updateMatrix();
    part.object.matrixAutoUpdate = false;
    part.object.matrix.premultiply(change);
    part.object.matrixWorldNeedsUpdate = true;
  }

  boundsOf(path: string): THREE.Box3 | null {
    const part = this.parts.find((p) => p.head.path === path);
    return part ? new THREE.Box3().setFromObject(part.object) : null;
  }

  clear(): void {
    for (const {object, fill, lines} of this.parts) {
      object.traverse((o) => (o as THREE.Mesh).geometry?.dispose());
      fill.dispose();
      lines.dispose();
    }
    this.parts = [];
    this.group.clear();
    this.bounds.makeEmpty();
  }
}
