// The bar at the top (what is open, runs, qualities), the bar of playing, and the line of what goes on at the bottom.
import {useSignal} from '@preact/signals';
import {bottomTab} from './layout';
import {follow, loop, playhead, playing, seek, step, toggle} from './player';
import * as run from './simulate';
import * as s from './state';
import {bytesText, Dialog, Icon, IconButton, timeText} from './widgets';
import {MakeDialog, makeOpen, MakingLine} from './panels/make';
import {shownFrame} from './view/options';

export const saveAs = {open: null as null | (() => void)}; // for the keyboard

export function TopBar(props: {onHome: () => void}) {
  const naming = useSignal(false), typed = useSignal(''), taking = useSignal(false);
  const askName = () => { typed.value = s.kind.value === 'scene' ? s.name.value : 'scene.json'; naming.value = true; };
  saveAs.open = askName;
  const running = s.isRunning.value, from = run.startFrame(), whole = run.isWhole();
  const label = s.newest.value < 0 ? 'Simulate' : from !== null ? `Simulate from ${from}` : whole ? 'Simulated' : 'Go on';
  return (
    <header class="top-bar">
      <IconButton icon="open" label="Scenes and runs" onClick={props.onHome} />
      <span class="file" title={s.root.value}>{s.name.value || 'Loam studio'}{s.saved.value ? '' : ' •'}</span>
      <span class="group">
        <IconButton icon="save" label="Save (Ctrl+S)" disabled={s.saved.value && s.kind.value === 'scene'} onClick={() => (s.kind.value === 'scene' ? void run.save() : askName())} />
        <IconButton icon="undo" label="Undo (Ctrl+Z)" disabled={!s.canUndo.value} onClick={s.undo} />
        <IconButton icon="redo" label="Redo (Ctrl+Shift+Z)" disabled={!s.canRedo.value} onClick={s.redo} />
      </span>
      <span class="spring" />
      {s.qualities.value.length > 0 && s.kind.value === 'scene' ? (
        <label class="tool-label">Quality
          <select aria-label="Quality" value={s.quality.value} disabled={running} onChange={(e) => void run.chooseQuality(e.currentTarget.value)}>
            <option value="">as it stands</option>
            {s.qualities.value.map((q) => <option value={q}>{q}</option>)}
          </select>
        </label>) : null}
      {s.runs.value.length > 1 ? (
        <label class="tool-label">Take
          <select aria-label="Take" value={s.shownRun.value} disabled={running} onChange={(e) => { s.shownRun.value = e.currentTarget.value; }}>
            {s.runs.value.map((r) => <option value={r.id}>{r.id || 'first run'}</option>)}
          </select>
        </label>) : null}
      <label class="tool-label" title="After a change, simulates by itself from where frames no longer follow from the scene">
        <input type="checkbox" checked={run.live.value} onChange={(e) => { run.live.value = e.currentTarget.checked; }} /> Live</label>
      {running ? (
        <button class="main stop" onClick={() => void run.stop()} title="Ends between two steps; frames stay (Ctrl+Enter)"><Icon name="pause" />{s.job.value?.state === 'stopping' ? 'Pausing…' : 'Pause'}</button>
      ) : (
        <>
          <button class="main" disabled={whole || s.fault.value !== null || s.kind.value === 'none'} onClick={() => run.simulate()} title="Ctrl+Enter"><Icon name="play" />{label}</button>
          <button disabled={s.newest.value < 0 || playhead.value > s.newest.value || s.fault.value !== null} onClick={() => run.simulate(playhead.value)}
            title="Back to the frame that is shown, and on from there with the scene as it is now. Frames after it are replaced."><Icon name="from" />From here</button>
          <button disabled={s.newest.value < 0 || s.fault.value !== null} onClick={() => { typed.value = `take-${s.runs.value.length}`; taking.value = true; }}
            title="Keep the run as it is, and make the frames after this one in another take">New take…</button>
        </>
      )}
      <button disabled={s.newest.value < 0} onClick={() => { makeOpen.value = true; }} title="A still or a video from here, surfaces, files for other programs"><Icon name="camera" />Make…</button>
      <IconButton icon="sun" label="Light or dark" onClick={() => { s.theme.value = s.theme.value === 'dark' ? 'light' : 'dark'; }} />
      {naming.value ? (
        <Dialog title="Save the scene as" onClose={() => { naming.value = false; }}>
          <form method="dialog" onSubmit={() => void run.save(typed.value)}>
            <input type="text" aria-label="File name" value={typed.value} onInput={(e) => { typed.value = e.currentTarget.value; }} />
            <p class="hint">In {s.root.value}</p>
            <div class="buttons"><button type="button" onClick={() => { naming.value = false; }}>Cancel</button><button class="main" type="submit">Save</button></div>
          </form>
        </Dialog>) : null}
      {taking.value ? (
        <Dialog title={`Another take from frame ${Math.min(playhead.value, s.newest.value)}`} onClose={() => { taking.value = false; }}>
          <form method="dialog" onSubmit={() => void run.run(Math.min(playhead.value, s.newest.value), typed.value)}>
            <input type="text" aria-label="Name of the take" value={typed.value} onInput={(e) => { typed.value = e.currentTarget.value; }} />
            <p class="hint">Frames up to there are shared. The take gets the scene as it is now.</p>
            <div class="buttons"><button type="button" onClick={() => { taking.value = false; }}>Cancel</button><button class="main" type="submit">Simulate</button></div>
          </form>
        </Dialog>) : null}
      <AskToReplace />
      {makeOpen.value ? <MakeDialog /> : null}
    </header>
  );
}

function AskToReplace() {
  const ask = run.asking.value;
  if (!ask) return null;
  const close = () => { run.asking.value = null; };
  return (
    <Dialog title="Replace frames?" onClose={close}>
      <p>{ask.frames} frames after frame {ask.from} took {timeText(ask.seconds)} to compute. They would be replaced.</p>
      <div class="buttons">
        <button onClick={close}>Cancel</button>
        <button onClick={() => { close(); void run.run(ask.from, `take-${s.runs.value.length}`); }}>Keep them, make a take</button>
        <button class="main" onClick={() => { close(); void run.run(ask.from); }}>Replace</button>
      </div>
    </Dialog>
  );
}

export function PlayBar() {
  const time = playhead.value / s.fps.value, none = s.newest.value < 0;
  return (
    <div class="play-bar" role="toolbar" aria-label="Playing">
      <IconButton icon="first" label="First frame (Home)" onClick={() => seek(0)} />
      <IconButton icon="back" label="Frame before (,)" onClick={() => step(-1)} />
      <IconButton icon={playing.value ? 'pause' : 'play'} label={playing.value ? 'Pause (Space)' : 'Play (Space)'} disabled={none} onClick={toggle} class="wide" />
      <IconButton icon="next" label="Frame after (.)" onClick={() => step(1)} />
      <IconButton icon="last" label="Newest frame (End)" disabled={none} onClick={() => seek(Math.max(0, s.newest.value))} />
      <IconButton icon="loop" label="Loop" pressed={loop.value} onClick={() => { loop.value = !loop.value; }} />
      <label class="frame-field">Frame <input class="number" type="text" inputMode="numeric" aria-label="Frame" value={playhead.value}
        onChange={(e) => { const n = Number(e.currentTarget.value); if (Number.isFinite(n)) seek(n); }} /> / {Math.max(s.lastFrame.value, s.newest.value)}</label>
      <span class="time-field">{time.toFixed(2)} s</span>
      <label class="tool-label"><input type="checkbox" checked={follow.value} disabled={!s.isRunning.value} onChange={(e) => { follow.value = e.currentTarget.checked; if (follow.value) playhead.value = Math.max(0, s.newest.value); }} /> follow</label>
      <span class="spring" />
      <span class="hint">{shownFrame.value ? '' : s.kind.value === 'none' ? '' : 'shapes as they begin: nothing is simulated yet'}</span>
    </div>
  );
}

export function StatusLine() {
  const job = s.job.value, lines = s.logs.value[s.shownRun.value] ?? [], last = lines[lines.length - 1], summary = s.finding.value?.summary;
  const parts: string[] = [];
  let part = 0;
  if (s.isRunning.value && job) {
    const goal = job.last_frame ?? s.lastFrame.value, first = job.first_frame ?? 0;
    const done = s.progress.value ? s.progress.value.time * s.fps.value : (job.frame ?? first);
    const seconds = s.progress.value?.seconds ?? job.session_seconds ?? 0;
    part = goal > 0 ? Math.min(1, done / goal) : 0;
    parts.push(job.state === 'starting' ? 'starting' : job.state === 'stopping' ? 'pausing after this step' : `frame ${Math.floor(done) + (s.progress.value ? 1 : 0)} of ${goal}`);
    if (done > first && seconds > 0) {
      parts.push(`${timeText(((goal - done) * seconds) / (done - first))} left`);
      const speed = (done - first) / s.fps.value / seconds;
      parts.push(speed >= 0.01 ? `${(100 * speed).toFixed(0)} % of real time` : `${timeText(1 / (speed * s.fps.value))} per frame`);
    }
  } else if (job?.state === 'ended' && (job.signal || job.code) && job.code !== 130) parts.push('the simulation ended early: see messages');
  else if (s.stale.value !== Infinity) parts.push(`frames from ${s.stale.value} on are from before the last change`);
  else if (s.newest.value >= s.lastFrame.value) parts.push('all frames are there');
  else if (s.newest.value >= 0) parts.push(`${s.newest.value + 1} frames`);
  if (last && s.newest.value >= 0) {
    parts.push(`${Number(last['particles']).toLocaleString('en')} particles`);
    parts.push(`step ${(1000 * Number(last['mean_dt'])).toPrecision(2)} ms, limited by ${String(last['dt_limited_by'])}`);
    parts.push(bytesText(Number(last['bytes_per_particle']) * Number(last['particles'])));
  } else if (summary?.particles !== undefined)
    parts.push(`${summary.particles.toLocaleString('en')} particles, ${(summary.wall_particles ?? 0).toLocaleString('en')} on walls`, `first step limited by ${summary.dt_limited_by}`, bytesText(summary.bytes ?? 0));
  return (
    <footer class="status" aria-live="polite">
      {s.isRunning.value ? <progress value={part} max={1} aria-label="Simulated" /> : null}
      {parts.map((text) => <span>{text}</span>)}
      <span class="spring" />
      <MakingLine />
      {s.fault.value ? <button class="link fault" onClick={() => { bottomTab.value = 'messages'; if (s.fault.value!.path.length) s.selected.value = s.fault.value!.path; }}><Icon name="warning" /> {s.fault.value.what}</button> : null}
      {s.connected.value ? null : <span class="fault" role="alert"><Icon name="warning" /> the server does not answer</span>}
    </footer>
  );
}
