// The walk of docs/studio.md, step by step: an empty scene becomes a breaking dam that takes the shape of a duck.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {bar, drag, field, goTo, openPage, setField, simulate, status, timeline} from './support.mjs';

// With LOAM_PICTURES, a folder, it is done as the words have it, and the pictures of docs/studio.md are taken on the way.
const pictures = process.env.LOAM_PICTURES;
async function picture(page, name) {
  if (!pictures) return;
  await page.waitForTimeout(3000); // for what is drawn
  await page.screenshot({path: join(pictures, `studio-${name}.jpg`), type: 'jpeg', quality: 82});
}

export async function walk(studio, browser) {
  const page = await openPage(browser, studio);
  // 1. A scene.
  await page.getByRole('textbox', {name: 'Name of a new scene'}).fill('my-duck.json');
  await page.getByRole('button', {name: 'New scene'}).click();
  await page.getByRole('treeitem', {name: /water/}).waitFor();
  await setField(page, 'particle_radius', pictures ? 0.012 : 0.03); // coarser, to be quick
  await page.getByRole('treeitem', {name: 'shape'}).first().click();
  await page.getByRole('button', {name: 'box', exact: true}).click();
  await setField(page, 'bodies.water.shape.box.max', -0.18, 0.36, 0.15);
  await simulate(studio, page);
  await goTo(page, 12);
  await picture(page, 'dam');
  assert.ok((await studio.height(70)) < 0.15, 'the dam has broken');

  // 2. A duck to lead it.
  await page.getByRole('button', {name: 'Add a body'}).click();
  await page.getByLabel('What it is').selectOption('a guide');
  await page.getByLabel('Its shape').selectOption('a duck');
  await page.getByRole('button', {name: 'Add', exact: true}).click();
  await page.getByRole('button', {name: 'shape', exact: true}).click();
  await page.getByRole('button', {name: 'figure', exact: true}).click();
  await setField(page, 'bodies.duck.shape.figure.size', 0.6);
  await setField(page, 'bodies.duck.shape.figure.base', 0, 0.06, 0);

  // 3. Control.
  let line = await timeline(page, 3);
  const water = await line.row('bodies.water');
  const dropAt = (name, time) => page.locator(`[data-behavior=${name}]`).dragTo(line.board, {targetPosition: {x: line.x(time), y: water.top + 8}});
  await dropAt('control', 1.2);
  await studio.text(/"control": \{"weight": \{"keys": \[\[1\.2, 0\], \[1\.4, 1\]\]\}\}/);
  await field(page, 'bodies.water.behaviors.control.by').getByRole('alert').waitFor();
  assert.ok(await bar(page, /^Simulate/).isDisabled());
  await goTo(page, 30);
  await picture(page, 'control');
  await setField(page, 'bodies.water.behaviors.control.by', 'duck');
  await field(page, 'bodies.water.behaviors.control.by').getByRole('alert').waitFor({state: 'detached'});
  for (const [name, value] of [['attraction', 60], ['rate', 12], ['distance', 1.5], ['reach', 4]]) await setField(page, `bodies.water.behaviors.control.${name}`, value);
  await dropAt('viscosity', 0);
  await field(page, 'bodies.water.behaviors.viscosity.model').locator('select').selectOption('xsph');
  await setField(page, 'bodies.water.behaviors.viscosity.rate', 3);

  // 4. Gravity must let go.
  await dropAt('gravity', 0);
  await studio.text(/"gravity": \{\}[^}]*\}/);
  const gravity = await line.row('bodies.water.behaviors.gravity');
  const twice = async (row, time) => { const place = line.at(time, row.top + 5); await page.mouse.dblclick(place.x, place.y); };
  await twice(gravity, 0.92);
  await twice(gravity, 1.32);
  await drag(page, line.at(1.32, gravity.top + 3), line.at(1.32, gravity.bottom - 2));
  await studio.text(/"gravity": \{"weight": \{"keys": \[\[0\.92, 1\], \[1\.32, 0\]\]\}\}/);

  // 5. Gather it.
  await dropAt('attractor', 0.92);
  await setField(page, 'bodies.water.behaviors.attractor.center', 0, 0.33, 0);
  await setField(page, 'bodies.water.behaviors.attractor.strength', 60);
  await setField(page, 'bodies.water.behaviors.attractor.reach', 0.4);
  const attractor = await line.row('bodies.water.behaviors.attractor');
  await twice(attractor, 1.72);
  await twice(attractor, 2.12);
  await drag(page, line.at(2.12, attractor.top + 3), line.at(2.12, attractor.bottom - 2));
  await studio.text(/\[1\.72, 1\], \[2\.12, 0\]/);

  // 6. What follows no more is computed again: a body has come, so all of it.
  await simulate(studio, page, /^Simulate from/);
  await goTo(page, 72);
  await page.getByRole('button', {name: 'Surface', exact: true}).click();
  await picture(page, 'duck');
  const lifted = await studio.height(70);
  assert.ok(lifted > 0.2, `the water is led up, not lying at ${lifted}`);

  // 7. Another timing: a take of its own, in which gravity lets go later. Frames before that are shared.
  await goTo(page, 20);
  await drag(page, line.at(0.92, gravity.top + 3), line.at(1.2, gravity.top + 3));
  await studio.text(/\[\[1\.2, 1\], \[1\.32, 0\]\]/);
  await status(page, 'frames from 24 on are from before the last change');
  await bar(page, 'New take…').click();
  await page.getByRole('textbox', {name: 'Name of the take'}).fill('later');
  await page.getByRole('button', {name: 'Simulate', exact: true}).last().click();
  await studio.until((state) => state.job.run === 'later' && state.job.state === 'ended', 'the take is made');
  await page.getByLabel('Compare with').selectOption({label: 'first run'});
  await goTo(page, 60);
  await page.getByLabel('How takes are compared').selectOption('side by side');
  await picture(page, 'takes');
  assert.equal(await studio.height(20, 'later'), await studio.height(20));
  assert.notEqual(await studio.height(45, 'later'), await studio.height(45));

  // 8. Saved.
  await line.board.focus();
  await page.keyboard.press('Control+s');
  await studio.until((state) => state.saved, 'it is saved');
  const saved = JSON.parse(readFileSync(studio.path('my-duck.json'), 'utf8'));
  assert.deepEqual(Object.keys(saved.bodies), ['water', 'tank', 'duck']);
  assert.deepEqual(Object.keys(saved.bodies.water.behaviors), ['fluid', 'control', 'viscosity', 'gravity', 'attractor']);
  assert.deepEqual(saved.bodies.water.behaviors.gravity.weight.keys, [[1.2, 1], [1.32, 0]]);
  return page;
}
