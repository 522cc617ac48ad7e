// The 3D view: renderer, cameras, particles and shapes. Draws only when something has changed.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {TransformControls} from 'three/examples/jsm/controls/TransformControls.js';
import {Cloud} from './cloud';
import type {Frame} from './frame';
import {Shapes} from './shapes';
import {Skin, type Surface} from './skin';

export type Axis = 'x' | 'y' | 'z' | 'free';
export type Gizmo = 'translate' | 'rotate' | 'scale';
export interface Drag { move: THREE.Vector3; axis: THREE.Vector3; degrees: number; scale: THREE.Vector3; pivot: THREE.Vector3; matrix: THREE.Matrix4 }
export type Compare = 'off' | 'overlay' | 'beside';

const grids = {dark: {background: '#14181d', major: '#39424e', minor: '#232a32'}, light: {background: '#eceff3', major: '#b6bfc9', minor: '#d5dbe2'}};

export class Stage {
  readonly cloud = new Cloud();
  readonly other = new Cloud(); // the take that it is compared with
  readonly skin = new Skin();
  readonly otherSkin = new Skin();
  readonly shapes = new Shapes();
  readonly helpers = new THREE.Group(); // the scene's camera and sun
  compare: Compare = 'off';
  clip = new THREE.Vector4(0, 0, 0, 1);
  onDragged: ((drag: Drag, done: boolean) => void) | null = null;

  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly perspective = new THREE.PerspectiveCamera(30, 1, 0.01, 1000);
  private readonly parallel = new THREE.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  private camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.perspective;
  private readonly controls: OrbitControls;
  private readonly gizmo: TransformControls;
  private readonly handle = new THREE.Object3D();
  private readonly probe: THREE.Mesh;
  private grid: THREE.GridHelper | null = null;
  private wanted = false;
  private flat = false;
  private colors = grids.dark;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, powerPreference: 'high-performance', preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.scene.add(new THREE.HemisphereLight('#ffffff', '#8a93a0', 1.6));
    const sun = new THREE.DirectionalLight('#ffffff', 1.6);
    sun.position.set(0.5, 1, 0.6);
    this.probe = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), new THREE.MeshBasicMaterial({color: '#ffd479', wireframe: true}));
    this.probe.visible = false;
    this.scene.add(sun, this.shapes.group, this.cloud.points, this.other.points, this.skin.mesh, this.otherSkin.mesh, this.helpers, this.probe, this.handle);
    this.controls = this.makeControls();
    this.gizmo = new TransformControls(this.camera, canvas);
    this.gizmo.setSize(0.8);
    this.gizmo.addEventListener('change', () => this.draw());
    this.gizmo.addEventListener('dragging-changed', (event) => {
      this.controls.enabled = !event.value;
      if (!event.value) this.dragged(true);
    });
    this.gizmo.addEventListener('objectChange', () => this.dragged(false));
    this.scene.add(this.gizmo.getHelper());
    this.setTheme('dark');
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.addEventListener('change', () => this.draw());
    return controls;
  }

  private dragged(done: boolean): void {
    const {position, quaternion, scale} = this.handle, half = Math.acos(Math.min(1, Math.abs(quaternion.w)));
    const axis = new THREE.Vector3(quaternion.x, quaternion.y, quaternion.z).multiplyScalar(quaternion.w < 0 ? -1 : 1);
    const matrix = new THREE.Matrix4().compose(position, quaternion, scale).multiply(new THREE.Matrix4().makeTranslation(this.pivot.clone().negate()));
    this.onDragged?.({move: position.clone().sub(this.pivot), axis: axis.lengthSq() > 0 ? axis.normalize() : new THREE.Vector3(0, 1, 0),
      degrees: (half * 360) / Math.PI, scale: scale.clone(), pivot: this.pivot.clone(), matrix}, done);
  }
  private readonly pivot = new THREE.Vector3();

  // The handle by which something is moved, turned or scaled; none: null.
  hold(center: THREE.Vector3 | null, how: Gizmo = 'translate'): void {
    if (this.gizmo.dragging) return;
    if (center) {
      this.handle.position.copy(center);
      this.handle.quaternion.identity();
      this.handle.scale.setScalar(1);
      this.pivot.copy(center);
      this.gizmo.setMode(how);
      this.gizmo.showX = this.gizmo.showY = !(this.flat && how === 'rotate');
      this.gizmo.showZ = !this.flat || how === 'rotate';
      this.gizmo.attach(this.handle);
    } else this.gizmo.detach();
    this.draw();
  }
  // In steps, while a key is held.
  snap(on: boolean): void {
    const size = this.allBounds().getSize(new THREE.Vector3()).length() || 1;
    this.gizmo.setTranslationSnap(on ? Math.pow(10, Math.floor(Math.log10(size / 10))) / 2 : null);
    this.gizmo.setRotationSnap(on ? Math.PI / 12 : null);
    this.gizmo.setScaleSnap(on ? 0.1 : null);
  }

  setTheme(theme: 'dark' | 'light'): void {
    this.colors = grids[theme];
    this.scene.background = new THREE.Color(this.colors.background);
    this.makeGrid();
    this.draw();
  }

  private makeGrid(): void {
    if (this.grid) { this.scene.remove(this.grid); this.grid.dispose(); this.grid = null; }
    const box = this.allBounds();
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, 0, -1), new THREE.Vector3(1, 1, 1));
    const size = box.getSize(new THREE.Vector3()), longest = Math.max(size.x, this.flat ? size.y : size.z, 1e-6);
    const cell = Math.pow(10, Math.floor(Math.log10(longest / 2)));
    const cells = 2 * Math.ceil((0.9 * longest) / cell);
    const middle = box.getCenter(new THREE.Vector3());
    this.grid = new THREE.GridHelper(cells * cell, Math.min(cells, 60), this.colors.major, this.colors.minor);
    const round = (x: number) => Math.round(x / cell) * cell;
    if (this.flat) {
      this.grid.rotation.x = Math.PI / 2;
      this.grid.position.set(round(middle.x), round(middle.y), -2 * longest);
    } else this.grid.position.set(round(middle.x), box.min.y - 0.002 * longest, round(middle.z));
    this.scene.add(this.grid);
  }

  private cloudBounds(frame: Frame | null): THREE.Box3 {
    if (!frame || frame.head.count === 0) return new THREE.Box3();
    const [lo, hi] = frame.head.bounds;
    return new THREE.Box3(new THREE.Vector3(...(lo as [number, number, number])), new THREE.Vector3(...(hi as [number, number, number])));
  }
  private frame: Frame | null = null;
  private second: Frame | null = null;
  allBounds(): THREE.Box3 { return this.shapes.bounds.clone().union(this.cloudBounds(this.frame)); }

  show(frame: Frame | null, second: Frame | null, shown: {least: number; most: number} | null, skins: (Surface | null)[] = []): void {
    this.frame = frame, this.second = second;
    this.cloud.show(frame, shown);
    this.other.show(second, shown);
    this.skin.show(skins[0] ?? null, shown);
    this.otherSkin.show(skins[1] ?? null, shown);
    const fluids = (f: Frame | null) => this.shapes.fluids.map((name) => f?.head.bodies.indexOf(name) ?? -1).filter((k) => k >= 0);
    this.cloud.hide(skins[0] ? fluids(frame) : []);
    this.other.hide(skins[1] ? fluids(second) : []);
    this.skinned = [!!skins[0] && skins[0].head.triangles > 0, !!skins[1] && skins[1].head.triangles > 0];
    if (frame) this.setFlat(frame.head.dimensions === 2);
    this.draw();
  }
  private skinned = [false, false];

  setFlat(flat: boolean): void {
    if (flat === this.flat) return;
    this.flat = flat;
    this.useCamera(flat);
    this.controls.enableRotate = !flat;
    this.controls.mouseButtons.LEFT = flat ? THREE.MOUSE.PAN : THREE.MOUSE.ROTATE;
    this.frameAll();
  }
  get isParallel(): boolean { return this.camera === this.parallel; }
  useCamera(parallel: boolean): void {
    const next = parallel ? this.parallel : this.perspective;
    if (next === this.camera) return;
    const from = this.camera.position.clone(), distance = from.distanceTo(this.controls.target);
    if (parallel) this.span = 2 * distance * Math.tan((this.perspective.fov * Math.PI) / 360);
    next.position.copy(from);
    next.up.copy(this.camera.up);
    this.camera = next;
    this.parallel.zoom = 1;
    this.controls.object = next;
    this.gizmo.camera = next;
    this.resize();
    this.controls.update();
  }
  private span = 2; // height that the parallel view shows

  frameAll(): void {
    const box = this.allBounds();
    if (box.isEmpty()) box.set(new THREE.Vector3(-0.5, 0, -0.5), new THREE.Vector3(0.5, 1, 0.5));
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const direction = this.flat ? new THREE.Vector3(0, 0, 1) : this.camera.position.clone().sub(this.controls.target);
    if (direction.lengthSq() < 1e-12 || (!this.flat && !this.placed)) direction.set(0.62, 0.42, 1);
    this.placed = true;
    this.lookAt(sphere.center, direction.normalize(), sphere.radius);
    this.makeGrid();
  }
  private placed = false;

  private lookAt(center: THREE.Vector3, direction: THREE.Vector3, radius: number): void {
    const aspect = Math.max(0.2, this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight));
    const half = (this.perspective.fov * Math.PI) / 360;
    const distance = (1.02 * radius) / Math.sin(Math.atan(Math.tan(half) * Math.min(1, aspect)));
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, distance);
    this.span = (2.1 * radius) / Math.min(1, aspect);
    this.parallel.zoom = 1;
    this.setDepths(distance);
    this.resize();
    this.controls.update();
    this.draw();
  }
  private setDepths(distance: number): void {
    this.perspective.near = distance / 500;
    this.perspective.far = distance * 50;
    this.parallel.near = -50 * distance;
    this.parallel.far = 50 * distance;
  }

  view(axis: Axis): void {
    const box = this.allBounds(), sphere = box.isEmpty() ? new THREE.Sphere(new THREE.Vector3(), 1) : box.getBoundingSphere(new THREE.Sphere());
    const direction = {x: [1, 0, 0.0001], y: [0, 1, 0.0001], z: [0, 0, 1], free: [0.62, 0.42, 1]}[axis] as [number, number, number];
    this.lookAt(sphere.center, new THREE.Vector3(...direction).normalize(), sphere.radius);
  }

  place(frame: number, selected: string, walls: boolean): void {
    this.shapes.pose(frame, this.frame !== null, selected, walls);
    this.draw();
  }
  readShapes(bytes: ArrayBuffer): void {
    this.shapes.read(bytes);
    this.setFlat(this.shapes.flat);
    this.makeGrid();
  }

  mark(place: [number, number, number] | null, radius: number): void {
    this.probe.visible = place !== null;
    if (place) {
      this.probe.position.set(...place);
      this.probe.scale.setScalar(radius * 1.25);
    }
    this.draw();
  }

  // The particle under a place of the canvas: its number in the frame, or -1.
  pick(x: number, y: number): number {
    const frame = this.frame;
    if (!frame) return -1;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    this.camera.updateMatrixWorld();
    const all = new THREE.Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).elements;
    const [lo, hi] = frame.head.bounds, p = frame.positions;
    const scale = [0, 1, 2].map((k) => (hi[k]! - lo[k]!) / 65535);
    let best = -1, nearest = Infinity;
    for (let n = 0; n < frame.head.count; n++) {
      const px = lo[0]! + p[3 * n]! * scale[0]!, py = lo[1]! + p[3 * n + 1]! * scale[1]!, pz = lo[2]! + p[3 * n + 2]! * scale[2]!;
      if (this.clip.x * px + this.clip.y * py + this.clip.z * pz > this.clip.w) continue;
      const w = all[3]! * px + all[7]! * py + all[11]! * pz + all[15]!;
      const sx = ((all[0]! * px + all[4]! * py + all[8]! * pz + all[12]!) / w * 0.5 + 0.5) * width;
      const sy = (0.5 - (all[1]! * px + all[5]! * py + all[9]! * pz + all[13]!) / w * 0.5) * height;
      const depth = (all[2]! * px + all[6]! * py + all[10]! * pz + all[14]!) / w;
      const reach = Math.max(4, (frame.head.radius * this.camera.projectionMatrix.elements[5]! * height) / 2 / (this.isParallel ? 1 : w));
      if (depth < nearest && Math.hypot(sx - x, sy - y) < reach) nearest = depth, best = n;
    }
    return best;
  }
  // Where a place is on the page.
  screenOf(x: number, y: number, z: number): {x: number; y: number} {
    this.camera.updateMatrixWorld();
    const box = this.canvas.getBoundingClientRect(), at = new THREE.Vector3(x, y, z).project(this.camera);
    return {x: box.left + (0.5 + 0.5 * at.x) * box.width, y: box.top + (0.5 - 0.5 * at.y) * box.height};
  }
  get held(): [number, number, number] | null { return this.gizmo.object ? (this.handle.position.toArray() as [number, number, number]) : null; }

  resize(): void {
    const width = Math.max(1, this.canvas.clientWidth), height = Math.max(1, this.canvas.clientHeight);
    const size = this.renderer.getSize(new THREE.Vector2());
    if (size.x !== width || size.y !== height) this.renderer.setSize(width, height, false);
    const aspect = (this.compare === 'beside' ? width / 2 : width) / height;
    this.perspective.aspect = aspect;
    this.parallel.top = this.span / 2, this.parallel.bottom = -this.span / 2;
    this.parallel.right = (this.span / 2) * aspect, this.parallel.left = -this.parallel.right;
    this.perspective.updateProjectionMatrix();
    this.parallel.updateProjectionMatrix();
    this.draw();
  }

  draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => { this.wanted = false; this.drawNow(); });
  }

  private marked = 0; // when the first particles were drawn, for measurements
  private drawNow(): void {
    const size = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    const options = {pixels: size.y, parallel: this.isParallel, clip: this.clip};
    const overlay = this.compare === 'overlay' && this.second !== null, beside = this.compare === 'beside' && this.second !== null;
    this.cloud.look({...options, tinted: 0});
    this.other.look({...options, tinted: overlay ? 0.75 : 0});
    this.skin.look({...options, tinted: 0});
    this.otherSkin.look({...options, tinted: overlay ? 0.75 : 0});
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    const half = (left: number, first: boolean, second: boolean) => {
      this.cloud.points.visible = first && this.frame !== null;
      this.other.points.visible = second && this.second !== null;
      this.skin.mesh.visible = first && this.skinned[0]!;
      this.otherSkin.mesh.visible = second && this.skinned[1]!;
      const span = beside ? width / 2 : width;
      this.renderer.setViewport(left, 0, span, height);
      this.renderer.setScissor(left, 0, span, height);
      this.renderer.setScissorTest(beside);
      this.renderer.render(this.scene, this.camera);
    };
    half(0, true, overlay);
    if (beside) half(width / 2, false, true);
    if (this.frame && this.marked === 0) this.marked = performance.mark('first picture').startTime;
  }

  // As the scene's block `camera` has it.
  cameraNow(): {from: number[]; to: number[]; view?: number; height?: number} {
    const tidy = (v: THREE.Vector3) => v.toArray().map((x) => Number(x.toPrecision(5)));
    const places = {from: tidy(this.camera.position), to: tidy(this.controls.target)};
    return this.isParallel ? {...places, height: Number((this.span / this.parallel.zoom).toPrecision(5))} : {...places, view: this.perspective.fov};
  }
  lookThrough(camera: {from: number[]; to: number[]; view: number; height: number}): void {
    const from = new THREE.Vector3(...(camera.from as [number, number, number])), to = new THREE.Vector3(...(camera.to as [number, number, number]));
    this.useCamera(camera.height > 0 || this.flat);
    this.perspective.fov = camera.view;
    this.controls.target.copy(to);
    this.camera.position.copy(from);
    const distance = from.distanceTo(to) || 1;
    this.span = camera.height > 0 ? camera.height : 2 * distance * Math.tan((camera.view * Math.PI) / 360);
    this.parallel.zoom = 1;
    this.setDepths(distance);
    this.placed = true;
    this.resize();
    this.controls.update();
  }
  get aspect(): number { return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight); }

  // A small picture of what is shown.
  async thumbnail(width: number, height: number): Promise<Blob | null> {
    this.drawNow();
    const small = document.createElement('canvas'), context = small.getContext('2d');
    small.width = width, small.height = height;
    const {width: w, height: h} = this.canvas, part = Math.min(w / width, h / height);
    context?.drawImage(this.canvas, (w - part * width) / 2, (h - part * height) / 2, part * width, part * height, 0, 0, width, height);
    return new Promise((done) => small.toBlob(done, 'image/jpeg', 0.82));
  }
  dispose(): void { this.controls.dispose(); this.gizmo.dispose(); this.renderer.dispose(); }
}
