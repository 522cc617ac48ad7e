// A server with a scene of its own, and pages that look at it. Tests wait for what the server tells, not for time to pass.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {chromium} from 'playwright-core';

const program = resolve(process.env.LOAM ?? '../../../build/release/apps/loam/loam');
const built = resolve(process.env.LOAM_PAGE ?? '../../../build/studio');
export const PATIENCE = 1000 * Number(process.env.LOAM_PATIENCE ?? 120); // for a machine that does much else

// A dam whose gravity is keyed, with a comment that must survive.
export const DAM = `{
  "title": "A small dam",
  "duration": 0.6, "fps": 25, "particle_radius": 0.04, // coarse
  "behaviors": {"gravity": {}},
  "bodies": {
    "water": {
      "shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.5, 0.3]}},
      "behaviors": {
        "fluid": {"density": 1000}, // of water
        "gravity": {"weight": {"keys": [[0, 1], [0.4, 1], [0.48, 0]]}}
      }
    },
    "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 0.3]}, "invert": true}, "boundary": {}}
  }
}
`;

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Asks until the answer is good, and returns it.
export async function until(ask, what) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await ask();
    if (found) return found;
    assert.ok(Date.now() < end, 'never: ' + what);
    await sleep(60);
  }
}

export class Studio {
  static async start(scene = DAM) {
    const studio = new Studio();
    studio.folder = mkdtempSync(join(tmpdir(), 'loam-studio-'));
    if (scene) writeFileSync(join(studio.folder, 'dam.json'), scene);
    const words = ['studio', ...(scene ? ['dam.json'] : []), '--no-open', '--port', '0', '--page', built];
    studio.process = spawn(program, words, {cwd: studio.folder, env: {...process.env, LOAM_VIDEO: 'off'}, stdio: ['ignore', 'pipe', 'inherit']});
    studio.address = await new Promise((found, failed) => {
      let said = '';
      studio.process.stdout.on('data', (data) => { said += data; const match = /Loam studio: (\S+)/.exec(said); if (match) found(match[1]); });
      studio.process.on('exit', () => failed(new Error('the server did not start: ' + said)));
    });
    return studio;
  }
  async state() { return (await fetch(this.address + 'api/state')).json(); }
  // The state of the server, once it is as wanted.
  until(good, what) { return until(async () => { const state = await this.state(); return good(state) ? state : null; }, what); }
  // The text that the server has, once it is as wanted.
  async text(good) { return (await this.until((state) => (good instanceof RegExp ? good.test(state.text) : state.text === good), `text ${good}`)).text; }
  ended() { return this.until((state) => state.job?.state === 'ended', 'the simulation ends'); }

  path(...parts) { return join(this.folder, ...parts); }
  hash(frame) {
    const path = this.path('out/dam/frames', String(frame).padStart(6, '0') + '.vtkhdf');
    return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
  }
  hashes() { return Array.from({length: 16}, (_, k) => this.hash(k)); }
  // How high the particles of a frame are, in the mean.
  async height(frame, run = '') {
    const bytes = await (await fetch(`${this.address}api/frame?run=${run}&frame=${frame}&column=&most=400000`)).arrayBuffer();
    const length = new DataView(bytes).getUint32(0, true), head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
    const places = new Uint16Array(bytes, 4 + length, 3 * head.count), [lo, hi] = head.bounds;
    let sum = 0;
    for (let n = 0; n < head.count; n++) sum += lo[1] + (places[3 * n + 1] / 65535) * (hi[1] - lo[1]);
    return sum / head.count;
  }
  async close() {
    const gone = new Promise((done) => this.process.on('exit', done));
    this.process.kill('SIGINT');
    setTimeout(() => this.process.kill('SIGKILL'), 5000).unref();
    await gone;
    rmSync(this.folder, {recursive: true, force: true});
  }
}

export const launch = () => chromium.launch({executablePath: process.env.LOAM_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']});

export async function openPage(browser, studio, options = {}) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}, colorScheme: 'dark', ...options});
  page.setDefaultTimeout(PATIENCE);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error' && !/404|Failed to load|WebSocket/.test(message.text())) page.faults.push(message.text()); });
  const home = new URL(studio.address).host;
  page.on('request', (request) => {
    const {protocol, host} = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && host !== home) page.faults.push('asked elsewhere: ' + request.url());
  });
  await page.goto(studio.address);
  return page;
}
export async function openScene(browser, studio, options) {
  const page = await openPage(browser, studio, options);
  await page.getByRole('treeitem', {name: /water/}).waitFor();
  await page.locator('.palette .chip').first().waitFor();
  return page;
}

// Parts of the page, by what they are called.
export const bar = (page, name) => page.locator('.top-bar').getByRole('button', {name});
export const status = (page, text) => page.locator('.status').getByText(text).waitFor();
export const shownFrame = (page) => page.getByRole('textbox', {name: 'Frame', exact: true});
export async function goTo(page, frame) {
  await shownFrame(page).fill(String(frame));
  await page.keyboard.press('Enter');
}
export const field = (page, path) => page.locator(`[data-path="${path}"]`);
export async function setField(page, path, ...values) {
  const boxes = field(page, path).locator('input[type=text]');
  for (let k = 0; k < values.length; k++) {
    await boxes.nth(k).fill(String(values[k]));
    await boxes.nth(k).press('Enter');
  }
}
export async function simulate(studio, page, name = /^(Simulate|Go on)/) {
  await studio.until((state) => state.finding?.good, 'the scene is good');
  await bar(page, name).click();
  await studio.ended();
  await status(page, 'all frames are there');
}

// Places on the timeline: of a time, and of the row of a path.
export async function timeline(page, duration) {
  const board = page.locator('.timeline canvas'), box = await board.boundingBox(), edge = 168;
  const x = (time) => edge + 6 + ((box.width - edge - 14) * time) / (duration * 1.04);
  const row = async (path) => {
    const found = await page.locator(`[data-row="${path}"]`).evaluate((item) => ({top: Number(item.dataset.top), height: Number(item.dataset.height)}));
    return {...found, bottom: found.top + found.height};
  };
  return {board, box, x, row, at: (time, y) => ({x: box.x + x(time), y: box.y + y})};
}
export async function drag(page, from, to) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, {steps: 3});
  await page.mouse.move(to.x, to.y, {steps: 3});
  await page.mouse.up();
}

// Everything that can be used has a name for those who do not see it.
export async function named(page, where) {
  const used = new Set(['button', 'textbox', 'searchbox', 'combobox', 'checkbox', 'slider', 'spinbutton', 'tab', 'treeitem', 'separator', 'application', 'img', 'link', 'progressbar', 'dialog']);
  const nameless = [];
  const look = (node) => { if (used.has(node.role) && !node.name?.trim()) nameless.push(node.role); node.children?.forEach(look); };
  look(await page.accessibility.snapshot({interestingOnly: false}));
  assert.deepEqual(nameless, [], where);
}
// By the Tab key to what is wanted; what has the focus on the way can be seen.
export async function tabTo(page, wanted) {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate((selector) => {
      const now = document.activeElement, box = now.getBoundingClientRect();
      return {there: now.matches(selector), seen: now === document.body || (box.width > 4 && box.height > 4 && !now.closest('.unseen')), what: now.outerHTML.slice(0, 120)};
    }, wanted);
    assert.ok(at.seen, 'the focus is on what nobody sees: ' + at.what);
    if (at.there) return;
  }
  assert.fail('Tab never comes to ' + wanted);
}
