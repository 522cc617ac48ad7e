// The studio in a browser, as a person would use it: Debian's Chromium, small scenes, and no test of how fast it draws.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync} from 'node:fs';
import {createHash} from 'node:crypto';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {chromium} from 'playwright-core';

const program = resolve(process.env.LOAM ?? '../../../build/release/apps/loam/loam');
const page_ = resolve(process.env.LOAM_PAGE ?? '../../../build/studio');
const PATIENCE = 60000; // for a machine that does much else

// A dam whose gravity is keyed, with a comment that must survive.
const DAM = `{
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

class Studio {
  static async start(scene) {
    const studio = new Studio();
    studio.folder = mkdtempSync(join(tmpdir(), 'loam-studio-'));
    writeFileSync(join(studio.folder, 'dam.json'), scene);
    studio.process = spawn(program, ['studio', 'dam.json', '--no-open', '--port', '0', '--page', page_], {cwd: studio.folder, env: {...process.env, LOAM_VIDEO: 'off'}, stdio: ['ignore', 'pipe', 'inherit']});
    studio.address = await new Promise((found, failed) => {
      let said = '';
      studio.process.stdout.on('data', (data) => { said += data; const match = /Loam studio: (\S+)/.exec(said); if (match) found(match[1]); });
      studio.process.on('exit', () => failed(new Error('the server did not start: ' + said)));
    });
    return studio;
  }
  async state() { return (await fetch(this.address + 'api/state')).json(); }
  hash(frame) {
    const path = join(this.folder, 'out/dam/frames', String(frame).padStart(6, '0') + '.vtkhdf');
    return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
  }
  hashes() { return Array.from({length: 16}, (_, k) => this.hash(k)); }
  async close() {
    const gone = new Promise((done) => this.process.on('exit', done));
    this.process.kill('SIGINT');
    setTimeout(() => this.process.kill('SIGKILL'), 5000).unref();
    await gone;
    rmSync(this.folder, {recursive: true, force: true});
  }
}

const browser = await chromium.launch({executablePath: process.env.LOAM_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']});

async function open(studio) {
  const page = await browser.newPage({viewport: {width: 1280, height: 800}, colorScheme: 'dark'});
  page.setDefaultTimeout(PATIENCE);
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error' && !/404|Failed to load|WebSocket/.test(message.text())) page.faults.push(message.text()); });
  await page.goto(studio.address);
  await page.getByRole('treeitem', {name: /water/}).waitFor();
  await page.locator('.palette .chip').first().waitFor();
  return page;
}
const main = (page, name) => page.locator('.top-bar').getByRole('button', {name});
const status = (page, text) => page.locator('.status').getByText(text).waitFor();
async function simulate(page) {
  await main(page, /^(Simulate|Go on)/).click();
  await status(page, 'all frames are there');
}
// The page's policy forbids what waitForFunction() does.
async function until(page, what) {
  const end = Date.now() + PATIENCE;
  while (!(await page.evaluate(what))) {
    assert.ok(Date.now() < end, 'never: ' + what);
    await page.waitForTimeout(100);
  }
}
const shown = (page) => page.getByRole('textbox', {name: 'Frame', exact: true}).inputValue();
async function textOf(page) { // what the server has, once it has it
  let text = '';
  await page.waitForTimeout(250);
  text = (await page.evaluate(async () => (await (await fetch('./api/state')).json()).text));
  return text;
}

const tests = {
  async 'run, scrub, move a key, go on: frames before it stay, those after it differ'(studio) {
    const page = await open(studio);
    await simulate(page);
    const before = studio.hashes();
    assert.ok(before.every((hash) => hash !== null));
    await page.getByRole('button', {name: 'Play (Space)'}).click();
    await page.getByRole('button', {name: 'Pause (Space)'}).click();
    // Scrub in the ruler of the timeline.
    const board = await page.locator('.timeline canvas').boundingBox();
    await page.mouse.click(board.x + 168 + 6 + (board.width - 182) * (0.24 / (0.6 * 1.04)), board.y + 8);
    assert.equal(await shown(page), '6');
    // The second key of the water's gravity, by the keyboard: two frames earlier.
    await page.locator('[data-key="bodies.water.behaviors.gravity.weight#1"]').evaluate((button) => button.click());
    await page.locator('.timeline canvas').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.match(await textOf(page), /\[\[0, 1\], \[0\.32, 1\], \[0\.48, 0\]\]/);
    assert.match(await textOf(page), /\/\/ of water/);
    await status(page, 'frames from 9 on are from before the last change');
    await main(page, 'Simulate from 8').click();
    await status(page, 'all frames are there');
    const after = studio.hashes();
    assert.deepEqual(after.map((hash, k) => hash === before[k]), after.map((_, k) => k <= 8));
    // Undone, all are as they were.
    await page.locator('.timeline canvas').focus();
    await page.keyboard.press('Control+z');
    await status(page, 'frames from 9 on are from before the last change');
    await main(page, 'Simulate from 8').click();
    await status(page, 'all frames are there');
    assert.deepEqual(studio.hashes(), before);
    return page;
  },

  async 'drag a key with the mouse, drag a behavior onto the timeline, undo both'(studio) {
    const page = await open(studio), start = await textOf(page);
    const board = await page.locator('.timeline canvas').boundingBox();
    const x = (time) => board.x + 168 + 6 + (board.width - 182) * (time / (0.6 * 1.04));
    const row = 22 + 20 + 24 + 20 + 24 + 3; // the top of the bar of the water's gravity
    await page.mouse.move(x(0.4), board.y + row);
    await page.mouse.down();
    await page.mouse.move(x(0.45), board.y + row, {steps: 4});
    await page.mouse.move(x(0.2), board.y + row, {steps: 8});
    await page.mouse.up();
    assert.match(await textOf(page), /\[\[0, 1\], \[0\.2, 1\], \[0\.48, 0\]\]/);
    await page.locator('[data-behavior=wind]').dragTo(page.locator('.timeline canvas'), {targetPosition: {x: x(0.28) - board.x, y: row}});
    assert.match(await textOf(page), /"wind": \{"weight": \{"keys": \[\[0\.28, 0\], \[0\.48, 1\]\]\}\}/);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    assert.equal(await textOf(page), start);
    await page.keyboard.press('Control+Shift+z');
    assert.match(await textOf(page), /0\.2, 1/);
    return page;
  },

  async 'a wrong value shows its message at the field, in the text and below, and runs nothing'(studio) {
    const page = await open(studio);
    await page.getByRole('treeitem', {name: /water/}).click();
    await page.getByRole('treeitem', {name: 'behaviors'}).nth(1).dblclick();
    await page.getByRole('treeitem', {name: 'fluid', exact: true}).click();
    await page.getByRole('textbox', {name: 'density'}).fill('-5');
    await page.keyboard.press('Enter');
    const field = page.locator('[data-path="bodies.water.behaviors.fluid.density"]');
    await field.getByRole('alert').waitFor();
    assert.match(await field.getByRole('alert').innerText(), /-5/);
    assert.equal(await field.getByRole('textbox').getAttribute('aria-invalid'), 'true');
    assert.ok(await main(page, /^Simulate/).isDisabled());
    await page.getByRole('tab', {name: 'Text'}).click();
    await page.locator('.cm-lint-marker-error').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.waitForTimeout(300);
    assert.equal((await studio.state()).job, null);
    assert.ok(!existsSync(join(studio.folder, 'out')));
    // Mended in the text, it is good again, and its comments are there.
    await page.locator('.cm-content').getByText('-5').dblclick();
    await page.keyboard.type('900');
    await page.locator('.cm-lint-marker-error').waitFor({state: 'detached'});
    await page.keyboard.press('Control+s');
    await page.waitForTimeout(400);
    const saved = readFileSync(join(studio.folder, 'dam.json'), 'utf8');
    assert.match(saved, /"density": 900\d?\}, \/\/ of water/); // a double click takes the sign, or the number
    return page;
  },

  async 'two tabs see the same; a reload in the middle of a run; the simulation is killed'(studio) {
    const one = await open(studio), two = await open(studio);
    await one.getByRole('treeitem', {name: 'Scene'}).click();
    await one.getByRole('textbox', {name: 'duration'}).fill('30');
    await one.keyboard.press('Enter');
    await until(two, () => document.querySelector('[data-path=duration] input')?.value === '30');
    await main(one, /^Simulate/).click();
    await main(two, 'Pause').waitFor();
    await until(two, () => Number(document.querySelector('.frame-field input')?.value) >= 0 && /frame \d+ of 750/.test(document.querySelector('.status')?.textContent ?? ''));
    await one.reload();
    await main(one, 'Pause').waitFor();
    await until(one, () => /frame ([2-9]|\d\d+) of 750/.test(document.querySelector('.status')?.textContent ?? ''));
    process.kill((await studio.state()).job.process, 'SIGKILL');
    for (const page of [one, two]) {
      await page.getByRole('tab', {name: /Messages/}).click();
      await page.getByText('was killed by signal 9').waitFor();
    }
    await main(one, 'Go on').click();
    await main(two, 'Pause').click();
    await main(one, 'Go on').waitFor();
    await two.close();
    return one;
  },

  async 'takes, colors, a probe and the home page'(studio) {
    const page = await open(studio);
    await simulate(page);
    await page.getByRole('textbox', {name: 'Frame', exact: true}).fill('5');
    await page.keyboard.press('Enter');
    await main(page, 'New take…').click();
    await page.getByRole('textbox', {name: 'Name of the take'}).fill('second');
    await page.getByRole('button', {name: 'Simulate', exact: true}).last().click();
    await page.getByLabel('Take', {exact: true}).waitFor();
    await status(page, 'all frames are there');
    await page.getByLabel('Compare with').selectOption({label: 'first run'});
    await page.getByLabel('Color by').selectOption('pressure');
    await page.locator('.ramp').waitFor();
    await page.getByRole('button', {name: 'First frame (Home)'}).click();
    await page.waitForTimeout(500);
    const view = await page.locator('.view canvas').boundingBox();
    await page.getByRole('tab', {name: 'Plots'}).click();
    await page.getByText('energies').first().waitFor();
    // Where the water is, whatever view was chosen.
    const particle = page.getByRole('heading', {name: /^Particle \d+/});
    for (const [a, b] of [[0.4, 0.55], [0.35, 0.6], [0.4, 0.65], [0.45, 0.6], [0.45, 0.7], [0.35, 0.5], [0.5, 0.6]]) {
      await page.mouse.click(view.x + a * view.width, view.y + b * view.height);
      await page.waitForTimeout(400);
      if (await particle.isVisible()) break;
    }
    await particle.waitFor();
    await page.getByRole('button', {name: 'Scenes and runs'}).click();
    await page.getByRole('button', {name: /out\/dam/}).waitFor();
    return page;
  },

  async 'without the token there is nothing'(studio) {
    const page = await browser.newPage();
    const answer = await page.goto(new URL('/', studio.address).href);
    assert.equal(answer.status(), 403);
    assert.ok(!(await page.content()).includes('script'));
    page.faults = [];
    return page;
  },
};

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  if (process.argv[2] && !name.includes(process.argv[2])) continue;
  const begun = Date.now(), studio = await Studio.start(DAM);
  try {
    const page = await test(studio);
    assert.deepEqual(page.faults, []);
    await page.close();
    console.log(`ok   ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${name}\n${error.stack ?? error}`);
    for (const context of browser.contexts()) for (const page of context.pages()) {
      await page.screenshot({path: join(tmpdir(), `loam-studio-${failures}.png`)}).catch(() => undefined);
      await page.close().catch(() => undefined);
    }
  }
  await studio.close();
}
await browser.close();
process.exit(failures ? 1 : 0);
