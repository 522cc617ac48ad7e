// The studio in a browser, as a person would use it: Debian's Chromium, small scenes, and no test of how fast it draws.
// With a word, only the cases whose names have it; with --quick, those that every ./test runs.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {bar, DAM, drag, field, goTo, launch, named, openPage, openScene, setField, shownFrame, simulate, sleep, status, Studio, tabTo, timeline, until} from './support.mjs';
import {walk} from './walk.mjs';

const browser = await launch();
const open = (studio) => openScene(browser, studio);
const board = (page) => page.locator('.timeline canvas');
const select = (page, name, nth = 0) => page.getByRole('treeitem', {name, exact: true}).nth(nth).click();

const tests = {
  async 'run, scrub, move a key, go on: frames before it stay, those after it differ'(studio) {
    const page = await open(studio);
    await simulate(studio, page);
    const before = studio.hashes();
    assert.ok(before.every((hash) => hash !== null));
    await page.getByRole('button', {name: 'Play (Space)'}).click();
    await page.getByRole('button', {name: 'Pause (Space)'}).click();
    const line = await timeline(page, 0.6);
    const ruler = line.at(0.24, 8);
    await page.mouse.click(ruler.x, ruler.y);
    assert.equal(await shownFrame(page).inputValue(), '6');
    // The second key of the water's gravity, by the keyboard: two frames earlier.
    await page.locator('[data-key="bodies.water.behaviors.gravity.weight#1"]').evaluate((button) => button.click());
    await board(page).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.match(await studio.text(/\[\[0, 1\], \[0\.32, 1\], \[0\.48, 0\]\]/), /\/\/ of water/);
    await status(page, 'frames from 9 on are from before the last change');
    await simulate(studio, page, 'Simulate from 8');
    const after = studio.hashes();
    assert.deepEqual(after.map((hash, k) => hash === before[k]), after.map((_, k) => k <= 8));
    // Undone, all are as they were.
    await board(page).focus();
    await page.keyboard.press('Control+z');
    await status(page, 'frames from 9 on are from before the last change');
    await studio.text(DAM);
    await simulate(studio, page, 'Simulate from 8');
    assert.deepEqual(studio.hashes(), before);
    return page;
  },

  async 'drag a key, a handle of its curve and a behavior; undo them all'(studio) {
    const page = await open(studio), line = await timeline(page, 0.6);
    const gravity = await line.row('bodies.water.behaviors.gravity');
    await drag(page, line.at(0.4, gravity.top + 3), line.at(0.2, gravity.top + 3));
    await studio.text(/\[\[0, 1\], \[0\.2, 1\], \[0\.48, 0\]\]/);
    // Its curve to the next key gets handles; the one of the key is dragged.
    await page.getByLabel('Interpolation to the next key').selectOption('bezier');
    const bezier = await studio.text(/"out": \[0\.09333, 0\]/);
    await drag(page, line.at(0.2 + 0.28 / 3, gravity.top + 4), line.at(0.44, gravity.bottom - 4));
    await studio.text(/"out": \[0\.2[34]\d*, -[01]\.?\d*\]/);
    await page.keyboard.press('Control+z');
    await studio.text(bezier);
    await page.keyboard.press('Control+z');
    await page.locator('[data-behavior=wind]').dragTo(board(page), {targetPosition: {x: line.x(0.28), y: gravity.top + 5}});
    await studio.text(/"wind": \{"weight": \{"keys": \[\[0\.28, 0\], \[0\.48, 1\]\]\}\}/);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await studio.text(DAM);
    await page.keyboard.press('Control+Shift+z');
    await studio.text(/0\.2, 1/);
    // A page that is loaded again can still undo.
    await until(() => page.evaluate(() => sessionStorage.getItem('loam-history')?.includes('[0.2, 1]')), 'it is kept');
    await page.reload();
    await page.getByRole('treeitem', {name: /water/}).waitFor();
    await page.keyboard.press('Control+z');
    await studio.text(DAM);
    return page;
  },

  async 'keys of several tracks are caught, moved, copied and pasted; keys over something else have an axis'(studio) {
    const page = await open(studio), line = await timeline(page, 0.6);
    const gravity = await line.row('bodies.water.behaviors.gravity'), fluid = await line.row('bodies.water.behaviors.fluid');
    const key = async (row, time) => { const place = line.at(time, row.top + 9); await page.mouse.dblclick(place.x, place.y); };
    await key(fluid, 0.2);
    await key(fluid, 0.4);
    const two = await studio.text(/"density": 1000, "weight": \{"keys": \[\[0\.2, 1\], \[0\.4, 1\]\]\}/);
    // A frame around the keys at 0.4 s of both; one of them leads.
    await drag(page, line.at(0.34, fluid.top + 2), line.at(0.44, gravity.top + 14));
    await page.getByRole('heading', {name: /^2 keys of 2 tracks/}).waitFor();
    await drag(page, line.at(0.4, gravity.top + 6), line.at(0.32, gravity.top + 6));
    await studio.text(/\[0\.2, 1\], \[0\.32, 1\][^]*\[0, 1\], \[0\.32, 1\], \[0\.48, 0\]/);
    await page.keyboard.press('Control+z'); // both in one step
    await studio.text(two);
    await goTo(page, 14);
    await board(page).focus();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await studio.text(/\[0\.4, 1\], \[0\.56, 1\][^]*\[0\.48, 0\], \[0\.56, 1\]/);
    await page.keyboard.press('Delete');
    await studio.text(two);
    // Over something else.
    await select(page, 'Scene');
    await page.getByRole('tab', {name: 'Text'}).click();
    await page.getByRole('tab', {name: 'Properties'}).click();
    const place = line.at(0.48, gravity.bottom - 6);
    await page.mouse.click(place.x, place.y);
    await page.getByLabel('What keys are placed along').selectOption('speed');
    await studio.text(/"over": "speed"/);
    const own = await line.row('bodies.water.behaviors.gravity');
    assert.ok(own.height > gravity.height);
    await page.mouse.dblclick(line.box.x + line.box.width - 60, line.box.y + own.top + 20);
    const last = Number(/\[0\.48, 0\], \[([\d.]+), 0\]/.exec(await studio.text(/\[0\.48, 0\], \[[\d.]+, 0\]\]/))[1]);
    assert.ok(last > 0.48 && last < 0.7, `the key stands at ${last} m/s`);
    return page;
  },

  async 'by the keyboard alone; everything has a name'(studio) {
    const page = await open(studio);
    await named(page, 'at first');
    await tabTo(page, '[role=treeitem]');
    for (const key of ['End', 'Home', 'ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await field(page, 'bodies').or(page.getByRole('heading', {name: 'bodies'})).first().waitFor();
    await page.keyboard.press('Control+Enter');
    await studio.ended();
    await status(page, 'all frames are there');
    await tabTo(page, '.timeline canvas');
    const chosen = () => page.locator('.crumbs').innerText();
    await until(async () => { await page.keyboard.press('ArrowDown'); return /gravity/.test(await chosen()) && /water/.test(await chosen()); }, 'the row of gravity is reached');
    await page.keyboard.press('Home');
    for (const key of ['.', '.', '.', 'k', 'ArrowRight']) await page.keyboard.press(key);
    await studio.text(/\[0, 1\], \[0\.16, 1\], \[0\.4, 1\]/);
    for (const key of [']', ']', 'Delete']) await page.keyboard.press(key); // the one at 0.4 s
    await studio.text(/\[0, 1\], \[0\.16, 1\], \[0\.48, 0\]/);
    for (let k = 0; k < 3; k++) await page.keyboard.press('Control+z'); // the key, its way and the other one
    await studio.text(DAM);
    for (const tab of ['Plots', 'Messages', 'Timeline']) {
      await page.getByRole('tab', {name: tab}).click();
      await named(page, tab);
    }
    await page.getByRole('tab', {name: 'Text'}).click();
    await page.locator('.cm-content').waitFor();
    await named(page, 'text');
    for (const button of ['Make…', 'New take…']) {
      await bar(page, button).click();
      await named(page, button);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({state: 'detached'});
    }
    await page.getByRole('button', {name: 'Scenes and runs'}).click();
    await page.getByRole('region', {name: 'Runs'}).waitFor();
    await named(page, 'start page');
    return page;
  },

  async 'live: a key that moves is simulated from there at once'(studio) {
    const page = await open(studio);
    await simulate(studio, page);
    const before = studio.hashes();
    await page.getByLabel('Live').check();
    await page.locator('[data-key="bodies.water.behaviors.gravity.weight#1"]').evaluate((button) => button.click());
    await board(page).focus();
    await page.keyboard.press('ArrowLeft');
    await until(() => studio.hash(15) !== null && studio.hash(15) !== before[15], 'the last frame is another one');
    await status(page, 'all frames are there');
    assert.deepEqual(studio.hashes().map((hash, k) => hash === before[k]), before.map((_, k) => k <= 9));
    await page.getByLabel('Live').uncheck();
    return page;
  },

  async 'a wrong value shows its message at the field, in the text and below, and runs nothing'(studio) {
    const page = await open(studio);
    await page.getByRole('treeitem', {name: /water/}).click();
    await page.getByRole('treeitem', {name: 'behaviors'}).nth(1).dblclick();
    await select(page, 'fluid');
    await setField(page, 'bodies.water.behaviors.fluid.density', -5);
    const density = field(page, 'bodies.water.behaviors.fluid.density');
    await density.getByRole('alert').waitFor();
    assert.match(await density.getByRole('alert').innerText(), /-5/);
    assert.equal(await density.getByRole('textbox').getAttribute('aria-invalid'), 'true');
    assert.ok(await bar(page, /^Simulate/).isDisabled());
    await page.getByRole('tab', {name: 'Text'}).click();
    await page.locator('.cm-lint-marker-error').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('tab', {name: /Messages/}).click();
    await page.getByText('so nothing runs').waitFor();
    assert.equal((await studio.state()).job, null);
    assert.ok(!existsSync(studio.path('out')));
    // Mended in the text, it is good again, and its comments are there.
    await page.locator('.cm-content').getByText('-5').dblclick();
    await page.keyboard.type('900');
    await page.locator('.cm-lint-marker-error').waitFor({state: 'detached'});
    const mended = await studio.text(/900/);
    // What may stand there is offered.
    await page.locator('.cm-content').getByText('"density"').click();
    await page.keyboard.press('Home');
    await page.keyboard.type('"vis'); // beside fluid
    await page.locator('.cm-tooltip-autocomplete').getByText('"viscosity"').waitFor();
    await page.keyboard.press('Escape');
    for (const _ of '"vis') await page.keyboard.press('Backspace');
    await studio.text(mended);
    await page.keyboard.press('Control+s');
    await studio.until((state) => state.saved, 'it is saved');
    assert.match(readFileSync(studio.path('dam.json'), 'utf8'), /"density": 900\d?\}, \/\/ of water/); // a double click takes the sign, or the number
    return page;
  },

  async 'what the server did not get is sent again; a scene saved under another name can be undone, also after a reload'(studio) {
    const page = await open(studio), ask = (path, body) => page.evaluate(([path, body]) => fetch('./api/' + path, {method: 'POST', body}).then(() => undefined), [path, JSON.stringify(body)]);
    await select(page, 'Scene');
    await simulate(studio, page);
    await page.route('**/api/text', (route) => route.abort());
    const lost = page.waitForEvent('requestfailed');
    await setField(page, 'duration', 0.5);
    await lost;
    await page.unroute('**/api/text');
    await ask('quality', {quality: ''}); // so that the page hears what the server has
    await studio.text(/"duration": 0\.5,/);
    await ask('open', {name: 'out/dam'});
    await page.locator('.file').getByText('out/dam').waitFor();
    await select(page, 'Scene');
    await setField(page, 'duration', 0.4);
    await studio.text(/"duration": 0\.4,/);
    await page.keyboard.press('Control+s');
    await page.getByLabel('File name').fill('other.json');
    await page.keyboard.press('Enter');
    await studio.until((state) => state.name === 'other.json' && state.kind === 'scene', 'it is saved');
    await until(() => page.evaluate(() => sessionStorage.getItem('loam-history')?.includes('other.json')), 'it is kept');
    assert.ok(await bar(page, 'Undo').isEnabled());
    await page.reload();
    await page.getByRole('treeitem', {name: /water/}).waitFor();
    await page.keyboard.press('Control+z');
    await studio.text(/"duration": 0\.6,/);
    return page;
  },

  async 'two tabs see the same; a reload in the middle of a run; the simulation is killed'(studio) {
    const one = await open(studio), two = await open(studio);
    await select(one, 'Scene');
    await setField(one, 'duration', 900); // so that it does not end by itself
    await until(() => two.evaluate(() => document.querySelector('[data-path=duration] input')?.value === '900'), 'the other page has the change');
    await studio.until((state) => state.finding?.good && /900/.test(state.text), 'it is checked');
    await bar(one, /^Simulate/).click();
    await studio.until((state) => state.job?.state === 'running' && state.job.frame >= 2, 'it simulates');
    await bar(two, 'Pause').waitFor();
    await two.locator('.status').getByText(/frame \d+ of 22500/).waitFor();
    await one.reload();
    await bar(one, 'Pause').waitFor();
    const {job} = await studio.state();
    await studio.until((state) => state.job.frame > job.frame, 'it goes on');
    process.kill(job.process, 'SIGKILL');
    await studio.until((state) => state.job.state === 'ended', 'its end is noticed');
    for (const page of [one, two]) {
      await page.getByRole('tab', {name: /Messages/}).click();
      await page.getByText('was killed by signal 9').waitFor();
    }
    await bar(one, 'Go on').click();
    await studio.until((state) => state.job.state === 'running' && state.job.frame > job.frame, 'it goes on where it was');
    await bar(two, 'Pause').click();
    await studio.ended();
    await bar(one, 'Go on').waitFor();
    await two.close();
    return one;
  },

  async 'takes, colors, surfaces, a probe with its curve, a still, the start page'(studio) {
    const page = await open(studio);
    await simulate(studio, page);
    await goTo(page, 5);
    await bar(page, 'New take…').click();
    await page.getByRole('textbox', {name: 'Name of the take'}).fill('second');
    await page.getByRole('button', {name: 'Simulate', exact: true}).last().click();
    await page.getByLabel('Take', {exact: true}).waitFor();
    await studio.until((state) => state.job.run === 'second' && state.job.state === 'ended', 'the take is made');
    await status(page, 'all frames are there');
    await page.getByLabel('Compare with').selectOption({label: 'first run'});
    await page.getByLabel('How takes are compared').selectOption('side by side');
    await page.getByLabel('Compare with').selectOption('off');
    await page.getByLabel('Color by').selectOption('pressure');
    await page.locator('.ramp').waitFor();
    await page.getByRole('tab', {name: 'Plots'}).click();
    await page.getByText('energies').first().waitFor();
    const skin = page.waitForResponse(/api\/surface/);
    await page.getByRole('button', {name: 'Surface', exact: true}).click();
    assert.equal((await skin).status(), 200);
    // A click at the middle of the water: it is there, whatever view was chosen.
    const particle = page.getByRole('heading', {name: /^Particle \d+/});
    await until(async () => {
      const place = await page.evaluate(() => window.loamStudio?.screenOf(0.2, 0.1, 0.15) ?? null);
      if (place) await page.mouse.click(place.x, place.y);
      await sleep(200);
      return particle.isVisible();
    }, 'a particle is picked');
    await page.getByLabel('Particle', {exact: true}).getByText('speed over time').waitFor();
    // A still from the view's camera.
    await bar(page, 'Make…').click();
    await page.getByLabel('Size').selectOption('640x360');
    await page.getByLabel('Paths of light').selectOption('8');
    await page.getByRole('dialog').getByRole('button', {name: 'Make', exact: true}).click();
    const {making} = await studio.until((state) => ['done', 'failed'].includes(state.making?.state), 'the still is made');
    assert.equal(making.state, 'done', JSON.stringify(making));
    assert.ok(statSync(making.folder).size > 10000);
    await until(() => page.getByAltText('The still that was made').evaluate((image) => image.naturalWidth === 640), 'the still is shown');
    await page.getByRole('button', {name: 'Close', exact: true}).click();
    await page.getByRole('button', {name: 'Scenes and runs'}).click();
    await page.getByRole('region', {name: 'Runs'}).getByRole('button', {name: /dam/}).waitFor();
    return page;
  },

  async 'shapes are moved, turned and scaled by handles, added, dropped and removed'(studio) {
    const page = await open(studio);
    await page.getByRole('treeitem', {name: /water/}).click();
    await page.getByRole('button', {name: 'View along z'}).click();
    const pull = async (how, from, to) => {
      await page.keyboard.press(how);
      await until(() => page.evaluate(() => window.loamStudio?.handle()), 'there is a handle');
      const center = await page.evaluate(() => { const c = window.loamStudio.handle(); return window.loamStudio.screenOf(...c); });
      await drag(page, {x: center.x + from[0], y: center.y + from[1]}, {x: center.x + to[0], y: center.y + to[1]});
      await page.keyboard.press(how);
    };
    await board(page).focus();
    await pull('g', [50, 0], [110, 0]); // along x
    const moved = JSON.parse((await studio.text(/"min": \[0\.\d+, 0, 0\]/)).replace(/\/\/.*/g, '')).bodies.water.shape.box;
    assert.ok(Math.abs(moved.max[0] - moved.min[0] - 0.4) < 1e-6, JSON.stringify(moved));
    await page.keyboard.press('Control+z');
    await studio.text(DAM);
    await pull('s', [50, 0], [75, 0]); // wider
    const wide = JSON.parse((await studio.text(/"min": \[-0\.\d+, 0, 0\]/)).replace(/\/\/.*/g, '')).bodies.water.shape.box;
    assert.ok(wide.max[0] - wide.min[0] > 0.45 && wide.max[1] === 0.5, JSON.stringify(wide));
    await page.keyboard.press('Control+z');
    await studio.text(DAM);
    await page.getByRole('button', {name: 'Add a body'}).click();
    await page.getByLabel('What it is').selectOption('a wall');
    await page.getByLabel('Its shape').selectOption('a duck');
    await page.getByRole('button', {name: 'Add', exact: true}).click();
    await studio.text(/"duck": \{"shape": \{"figure": \{"name": "duck"/);
    await page.getByRole('button', {name: 'Duplicate what is selected (Ctrl+D)'}).click();
    await studio.text(/"duck-2": \{"shape": \{"figure": \{"name": "duck"/);
    for (let k = 0; k < 2; k++) {
      await page.getByRole('button', {name: 'Remove what is selected (Delete)'}).click();
      if (k === 0) await page.getByRole('treeitem', {name: 'duck', exact: false}).click();
    }
    await studio.text(DAM);
    // A mesh from a file, beside the scene.
    writeFileSync(studio.path('pyramid.obj'), 'v 0.6 0 0\nv 0.9 0 0\nv 0.9 0 0.3\nv 0.6 0 0.3\nv 0.75 0.3 0.15\nf 1 2 3 4\nf 1 5 2\nf 2 5 3\nf 3 5 4\nf 4 5 1\n');
    const transfer = await page.evaluateHandle((text) => { const all = new DataTransfer(); all.items.add(new File([text], 'rock.obj')); return all; }, readFileSync(studio.path('pyramid.obj'), 'utf8'));
    await page.locator('.view').dispatchEvent('drop', {dataTransfer: transfer});
    await studio.text(/"rock": \{"shape": \{"mesh": \{"file": "rock.obj"\}\}/);
    assert.ok(existsSync(studio.path('rock.obj')));
    return page;
  },

  'a duck from a breaking dam, as docs/studio.md has it': walk,

  async 'without the token there is nothing'(studio) {
    const page = await openPage(browser, {address: new URL('/', studio.address).href});
    assert.match(await page.content(), /open the address that loam studio printed/);
    assert.ok(!(await page.content()).includes('script'));
    page.faults = [];
    return page;
  },
};

const quick = ['run, scrub', 'drag a key', 'keys of several', 'a wrong value', 'without the token'];
const word = process.argv[2] ?? '';
const isWanted = (name) => (word === '--quick' ? quick.some((start) => name.startsWith(start)) : name.includes(word));

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  if (!isWanted(name)) continue;
  const begun = Date.now(), studio = await Studio.start(test === walk ? null : DAM);
  try {
    const page = await test(studio, browser);
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
