// Surfaces of fluids: as they come from the server, and as they are drawn.
import * as THREE from 'three';
import {getBytes, unpack} from '../api';
import {palette, rgb} from './colors';
import {rampTexture} from './ramp';
import {Store} from './store';

export interface SurfaceHead {
  frame: number; vertices: number; triangles: number; bounds: [number[], number[]];
  column?: {name: string; unit: string; least: number; most: number};
}
export interface Surface {
  head: SurfaceHead; positions: Uint16Array; normals: Int8Array; body: Uint8Array; values: Uint16Array | null; corners: Uint32Array;
  bytes: number; seconds: number; // that it took to get it
}

const padded = (n: number): number => Math.ceil(n / 4) * 4;

export function decodeSurface(bytes: ArrayBuffer, seconds = 0): Surface {
  const {head, at} = unpack<SurfaceHead>(bytes);
  const n = head.vertices;
  let next = at;
  const positions = new Uint16Array(bytes, next, 3 * n);
  next = padded(next + 6 * n);
  const normals = new Int8Array(bytes, next, 3 * n);
  next = padded(next + 3 * n);
  const body = new Uint8Array(bytes, next, n);
  next = padded(next + n);
  const values = head.column ? new Uint16Array(bytes, next, n) : null;
  if (values) next = padded(next + 2 * n);
  const corners = new Uint32Array(bytes, next, 3 * head.triangles);
  return {head, positions, normals, body, values, corners, bytes: bytes.byteLength, seconds};
}

class SurfaceStore {
  private readonly store = new Store<Surface>(400e6);
  slow = false; // the last one took so long that particles are shown meanwhile

  get waiting(): number { return this.store.waiting; }
  peek(run: string, frame: number, column: string, bodies: string): Surface | null { return this.store.peek(run, frame, `${column}|${bodies}`); }
  fetch(run: string, frame: number, column: string, bodies: string): Promise<Surface | null> {
    return this.store.fetch(run, frame, `${column}|${bodies}`, async () => {
      const begun = performance.now(), bytes = await getBytes('surface', {run, frame, column, bodies});
      const read = decodeSurface(bytes, (performance.now() - begun) / 1000);
      this.slow = read.seconds > 0.4;
      return read;
    });
  }
  forget(run: string, from: number): void { this.store.forget(run, from); }
  clear(): void { this.store.clear(); }
}
export const surfaces = new SurfaceStore();

const vertexShader = /* glsl */ `
uniform vec3 lo, extent;
uniform float colored, tinted;
uniform vec3 colors[10];
uniform vec3 tint;
uniform sampler2D ramp;
uniform vec2 shown;
in float body;
in float value;
out vec3 vColor, vNormal, vEye, vPlace;

void main() {
  vPlace = lo + position * extent;
  vec4 eye = modelViewMatrix * vec4(vPlace, 1.0);
  vEye = eye.xyz;
  vNormal = normalMatrix * normal;
  int b = int(body + 0.5) - 10 * (int(body + 0.5) / 10);
  vec3 color = colors[b];
  if (colored > 0.5) color = texture(ramp, vec2(clamp((value - shown.x) / max(shown.y - shown.x, 1e-6), 0.002, 0.998), 0.5)).rgb;
  vColor = mix(color, tint, tinted);
  gl_Position = projectionMatrix * eye;
}`;
const fragmentShader = /* glsl */ `
uniform bool parallel;
uniform vec4 clip;
in vec3 vColor, vNormal, vEye, vPlace;
out vec4 color;

void main() {
  if (dot(clip.xyz, vPlace) > clip.w) discard;
  vec3 toEye = parallel ? vec3(0.0, 0.0, 1.0) : normalize(-vEye);
  vec3 n = normalize(vNormal);
  bool inside = dot(n, toEye) < 0.0;
  if (inside) n = -n;
  vec3 key = normalize(vec3(0.45, 0.75, 0.5));
  float diffuse = max(0.0, dot(n, key)), fill = max(0.0, dot(n, normalize(vec3(-0.6, 0.1, 0.4))));
  float shine = pow(max(0.0, dot(reflect(-key, n), toEye)), 60.0);
  float rim = pow(1.0 - max(0.0, dot(n, toEye)), 3.0);
  vec3 lit = vColor * (0.36 + 0.56 * diffuse + 0.14 * fill) + 0.45 * shine + 0.16 * rim;
  color = vec4(inside ? 0.55 * vColor : lit, 1.0);
}`;

export class Skin {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly material: THREE.ShaderMaterial;

  constructor() {
    this.material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader, fragmentShader, side: THREE.DoubleSide,
      uniforms: {
        lo: {value: new THREE.Vector3()}, extent: {value: new THREE.Vector3()}, colored: {value: 0}, tinted: {value: 0}, parallel: {value: false},
        ramp: {value: rampTexture()}, shown: {value: new THREE.Vector2(0, 1)}, clip: {value: new THREE.Vector4(0, 0, 0, 1)},
        colors: {value: palette.map((hex) => new THREE.Vector3(...rgb(hex)))}, tint: {value: new THREE.Vector3(1, 0.45, 0.2)},
      },
    });
    this.mesh = new THREE.Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  show(surface: Surface | null, shown: {least: number; most: number} | null): void {
    this.mesh.visible = surface !== null && surface.head.triangles > 0;
    if (!surface || !this.mesh.visible) return;
    const {head} = surface, [lo, hi] = head.bounds, u = this.material.uniforms;
    if ((this.geometry.getAttribute('position') as THREE.BufferAttribute | undefined)?.array !== surface.positions) {
      this.geometry.setAttribute('position', new THREE.BufferAttribute(surface.positions, 3, true));
      this.geometry.setAttribute('normal', new THREE.BufferAttribute(surface.normals, 3, true));
      this.geometry.setAttribute('body', new THREE.BufferAttribute(surface.body, 1, false));
      this.geometry.setAttribute('value', new THREE.BufferAttribute(surface.values ?? surface.body, 1, true));
      this.geometry.setIndex(new THREE.BufferAttribute(surface.corners, 1));
    }
    (u['lo']!.value as THREE.Vector3).set(lo[0]!, lo[1]!, lo[2]!);
    (u['extent']!.value as THREE.Vector3).set(hi[0]! - lo[0]!, hi[1]! - lo[1]!, hi[2]! - lo[2]!);
    u['colored']!.value = surface.values ? 1 : 0;
    const sent = head.column, span = sent ? sent.most - sent.least : 0, range = u['shown']!.value as THREE.Vector2;
    if (sent && shown && span > 0) range.set((shown.least - sent.least) / span, (shown.most - sent.least) / span);
    else range.set(0, 1);
  }

  look(options: {parallel: boolean; clip: THREE.Vector4; tinted: number}): void {
    const u = this.material.uniforms;
    u['parallel']!.value = options.parallel;
    u['tinted']!.value = options.tinted;
    (u['clip']!.value as THREE.Vector4).copy(options.clip);
  }
  dispose(): void { this.geometry.dispose(); this.material.dispose(); }
}
