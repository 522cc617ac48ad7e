import {signal, useSignal} from '@preact/signals';
import {render, type FunctionComponent} from 'preact';
import {useEffect} from 'preact/hooks';
import {PlayBar, saveAs, StatusLine, TopBar} from './bar';
import {bottomHeight, bottomTab, clampSize, leftWidth, rightTab, rightWidth} from './layout';
import {Home} from './panels/home';
import {Messages, Said} from './panels/messages';
import {Plots} from './panels/plots';
import {Properties} from './panels/properties';
import {duplicateSelected, Tree} from './panels/tree';
import {playhead, seek, startPlayer, step, toggle} from './player';
import {readSchema} from './schema';
import * as run from './simulate';
import * as s from './state';
import './style.css';
import {chosenKeys, copyKeys, deleteKeys, nudgeKeys, pasteKeys, select} from './timeline/selection';
import {chosenTrack, keyNow, selectAll, Timeline, toKey} from './timeline/timeline';
import {skins, stageNow, toggleGizmo, toggleParallel} from './view/options';
import {View} from './view/view';
import {Splitter, Tabs} from './widgets';

function keyboard(e: KeyboardEvent): void {
  const mod = e.ctrlKey || e.metaKey, target = e.target as HTMLElement;
  const typing = target.closest('input:not([type=checkbox]):not([type=range]), select, textarea, .cm-editor, dialog') !== null;
  if (mod && e.key.toLowerCase() === 's') { e.preventDefault(); if (s.kind.value === 'scene') void run.save(); else saveAs.open?.(); return; }
  if (mod && e.key === 'Enter') { e.preventDefault(); if (s.isRunning.value) void run.stop(); else run.simulate(); return; }
  if (target.closest('.cm-editor')) return;
  if (mod && e.key.toLowerCase() === 'z') { e.preventDefault(); if (e.shiftKey) s.redo(); else s.undo(); return; }
  if (mod && e.key.toLowerCase() === 'y') { e.preventDefault(); s.redo(); return; }
  if (typing) return;
  const keys = chosenKeys.value.length > 0, letter = e.key.toLowerCase();
  if (mod) {
    const time = Number((playhead.value / s.fps.value).toPrecision(9));
    const withMod: Record<string, () => void> = {v: () => pasteKeys(chosenTrack(), time), a: selectAll, d: duplicateSelected, ...(keys && getSelection()?.isCollapsed !== false ? {c: copyKeys} : {})};
    if (withMod[letter]) { e.preventDefault(); withMod[letter]!(); }
    return;
  }
  const acts: Record<string, () => void> = {
    ' ': toggle, ',': () => step(-1), '.': () => step(1), Home: () => seek(0), End: () => seek(s.newest.value), k: keyNow, '[': () => toKey(-1), ']': () => toKey(1),
    f: () => stageNow.value?.frameAll(), o: toggleParallel, u: () => { skins.value = !skins.value; }, g: () => toggleGizmo('translate'), r: () => toggleGizmo('rotate'), s: () => toggleGizmo('scale'),
    ...(keys ? {Delete: deleteKeys, Backspace: deleteKeys, ArrowLeft: () => nudgeKeys(-1), ArrowRight: () => nudgeKeys(1), Escape: () => select()} : {ArrowLeft: () => step(-1), ArrowRight: () => step(1)}),
  };
  const act = acts[e.key];
  if (!act || (e.key === ' ' && target.closest('button')) || target.closest('[role=tree], [role=tablist], [role=separator]')) return;
  e.preventDefault();
  act();
}

// The editor is half of the page's code, and comes when it is first looked at.
const editor = signal<FunctionComponent | null>(null);
function TextTab() {
  useEffect(() => { if (!editor.peek()) void import('./panels/text').then((found) => { editor.value = () => <found.TextPanel />; }); }, []);
  const Panel = editor.value;
  return Panel ? <Panel /> : <p class="empty">…</p>;
}

function Studio() {
  const home = useSignal(false);
  useEffect(() => {
    addEventListener('keydown', keyboard);
    return () => removeEventListener('keydown', keyboard);
  }, []);
  const right = rightWidth[rightTab.value];
  const errors = (s.fault.value ? 1 : 0) + s.messages.value.filter((m) => m.kind === 'error').length;
  return (
    <div class="studio">
      <TopBar onHome={() => { home.value = true; }} />
      <div class="middle">
        <div class="left" style={{width: `${leftWidth.value}px`}}><Tree /></div>
        <Splitter vertical label="Width of the tree" onDrag={(by) => { leftWidth.value = clampSize(leftWidth.value + by, 150, 460); }} />
        <div class="center"><View /><Said /><PlayBar /></div>
        <Splitter vertical label="Width of the properties" onDrag={(by) => { right.value = clampSize(right.value - by, 240, 900); }} />
        <div class="right" style={{width: `${right.value}px`}}>
          <Tabs label="Scene" value={rightTab.value} onChange={(tab) => { rightTab.value = tab; }} tabs={[['properties', 'Properties'], ['text', 'Text']]} />
          <div class="panel-body" role="tabpanel">{rightTab.value === 'properties' ? <Properties /> : s.nonce.value ? <TextTab /> : null}</div>
        </div>
      </div>
      <Splitter vertical={false} label="Height of the timeline" onDrag={(by) => { bottomHeight.value = clampSize(bottomHeight.value - by, 110, 640); }} />
      <div class="bottom" style={{height: `${bottomHeight.value}px`}}>
        <Tabs label="Below" value={bottomTab.value} onChange={(tab) => { bottomTab.value = tab; }}
          tabs={[['timeline', 'Timeline'], ['plots', 'Plots'], ['messages', 'Messages', errors > 0 ? <span class="badge">{errors}</span> : null]]} />
        <div class="panel-body" role="tabpanel">{bottomTab.value === 'timeline' ? <Timeline /> : bottomTab.value === 'plots' ? <Plots /> : <Messages />}</div>
      </div>
      <StatusLine />
      {home.value || (s.kind.value === 'none' && s.connected.value) ? <Home onClose={() => { home.value = false; }} /> : null}
    </div>
  );
}

// The first frame is on its way before the view is made, which takes longer than anything else.
void s.begin().then(() => {
  startPlayer();
  run.startLive();
  void readSchema().catch(() => s.note('error', 'the declarations of the program could not be read'));
  render(<Studio />, document.getElementById('studio')!);
});
