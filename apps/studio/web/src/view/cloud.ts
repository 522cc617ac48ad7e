// Particles as lit spheres: one point each, whose fragments know the depth of a sphere.
import * as THREE from 'three';
import {palette, rgb} from './colors';
import {rampTexture} from './ramp';
import type {Frame} from './frame';

const vertexShader = /* glsl */ `
uniform vec3 lo, extent;
uniform float radius, pixels, largest, colored;
uniform bool sized, parallel;
uniform vec4 clip;
uniform vec3 colors[10];
uniform sampler2D ramp;
uniform vec2 shown; // least and most of the values, as parts of what was sent
uniform vec3 tint;
uniform float tinted;
uniform uint hidden[8]; // bodies whose particles are not shown, as bits
in float body;
in float value;
in float scale;
out vec3 vColor;
out vec3 vCenter;
out float vRadius;

void main() {
  vec3 place = lo + position * extent;
  vec4 eye = modelViewMatrix * vec4(place, 1.0);
  vRadius = radius * (sized ? scale * largest : 1.0);
  vCenter = eye.xyz;
  int b = int(body + 0.5) - 10 * (int(body + 0.5) / 10);
  vec3 color = colors[b];
  if (colored > 0.5) color = texture(ramp, vec2(clamp((value - shown.x) / max(shown.y - shown.x, 1e-6), 0.002, 0.998), 0.5)).rgb;
  vColor = mix(color, tint, tinted);
  gl_Position = projectionMatrix * eye;
  gl_PointSize = max(1.5, pixels * vRadius * projectionMatrix[1][1] / (parallel ? 1.0 : gl_Position.w) * 1.15);
  int number = int(body + 0.5);
  bool gone = (hidden[number / 32] >> uint(number - 32 * (number / 32)) & 1u) == 1u;
  if (gone || dot(clip.xyz, place) > clip.w) gl_Position = vec4(2.0, 2.0, 2.0, 0.0);
}`;

const fragmentShader = /* glsl */ `
uniform bool parallel;
uniform float opacity;
uniform mat4 projectionMatrix;
in vec3 vColor;
in vec3 vCenter;
in float vRadius;
out vec4 color;

void main() {
  vec2 at = (gl_PointCoord * 2.0 - 1.0) * 1.15;
  float r2 = dot(at, at);
  if (r2 > 1.0) discard;
  vec3 normal = vec3(at.x, -at.y, sqrt(1.0 - r2));
  vec3 point = vCenter + vRadius * normal;
  vec4 clipped = projectionMatrix * vec4(point, 1.0);
  gl_FragDepth = clamp(0.5 * clipped.z / clipped.w + 0.5, 0.0, 1.0);
  vec3 toEye = parallel ? vec3(0.0, 0.0, 1.0) : normalize(-point);
  float key = max(0.0, dot(normal, normalize(vec3(0.45, 0.75, 0.5))));
  float fill = max(0.0, dot(normal, normalize(vec3(-0.6, 0.1, 0.4))));
  float shine = pow(max(0.0, dot(reflect(-normalize(vec3(0.45, 0.75, 0.5)), normal), toEye)), 24.0);
  vec3 lit = vColor * (0.34 + 0.62 * key + 0.14 * fill) + 0.10 * shine;
  color = vec4(lit, opacity);
}`;

export class Cloud {
  readonly points: THREE.Points;
  private readonly geometry = new THREE.BufferGeometry();
  private readonly material: THREE.ShaderMaterial;

  constructor() {
    this.material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader, fragmentShader,
      uniforms: {
        lo: {value: new THREE.Vector3()}, extent: {value: new THREE.Vector3()}, radius: {value: 0.01}, pixels: {value: 400},
        largest: {value: 1}, colored: {value: 0}, sized: {value: false}, parallel: {value: false}, ramp: {value: rampTexture()},
        clip: {value: new THREE.Vector4(0, 0, 0, 1)}, shown: {value: new THREE.Vector2(0, 1)},
        colors: {value: palette.map((hex) => new THREE.Vector3(...rgb(hex)))},
        tint: {value: new THREE.Vector3(1, 0.45, 0.2)}, tinted: {value: 0}, opacity: {value: 1}, hidden: {value: new Uint32Array(8)},
      },
    });
    this.points = new THREE.Points(this.geometry, this.material);
    this.points.frustumCulled = false;
    this.points.visible = false;
  }

  private set(name: string, value: unknown): void { this.material.uniforms[name]!.value = value; }

  // `shown`: what colors stand for, if it is held over time; otherwise all that is in the frame.
  show(frame: Frame | null, shown: {least: number; most: number} | null): void {
    this.points.visible = frame !== null;
    if (!frame) return;
    const {head} = frame, [lo, hi] = head.bounds, n = head.count;
    const put = (name: string, data: Uint8Array | Uint16Array, size: number, normalized: boolean) => {
      const old = this.geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
      if (old && old.array === data) return;
      this.geometry.setAttribute(name, new THREE.BufferAttribute(data, size, normalized));
    };
    put('position', frame.positions, 3, true);
    put('body', frame.body, 1, false);
    put('scale', frame.size ?? frame.body, 1, true);
    put('value', frame.values ?? frame.body, 1, true);
    this.geometry.setDrawRange(0, n);
    (this.material.uniforms['lo']!.value as THREE.Vector3).set(lo[0]!, lo[1]!, lo[2]!);
    (this.material.uniforms['extent']!.value as THREE.Vector3).set(hi[0]! - lo[0]!, hi[1]! - lo[1]!, hi[2]! - lo[2]!);
    this.set('radius', head.radius);
    this.set('sized', frame.size !== null);
    this.set('largest', head.largest_size);
    this.set('colored', frame.values ? 1 : 0);
    const sent = head.column, range = this.material.uniforms['shown']!.value as THREE.Vector2;
    const span = sent ? sent.most - sent.least : 0;
    if (sent && shown && span > 0) range.set((shown.least - sent.least) / span, (shown.most - sent.least) / span);
    else range.set(0, 1);
  }

  // Bodies that are shown otherwise.
  hide(bodies: number[]): void {
    const bits = this.material.uniforms['hidden']!.value as Uint32Array;
    bits.fill(0);
    for (const body of bodies) if (body < 255) bits[body >> 5]! |= 1 << (body & 31);
  }

  look(options: {pixels: number; parallel: boolean; clip: THREE.Vector4; tinted: number}): void {
    this.set('pixels', options.pixels);
    this.set('parallel', options.parallel);
    this.set('tinted', options.tinted);
    (this.material.uniforms['clip']!.value as THREE.Vector4).copy(options.clip);
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}
