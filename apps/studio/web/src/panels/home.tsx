// Where one begins: scenes and runs of the folder that was opened.
import {useSignal} from '@preact/signals';
import {useEffect} from 'preact/hooks';
import {get, post, type Offers} from '../api';
import * as run from '../simulate';
import * as s from '../state';
import {Dialog} from '../widgets';
import {emptyScene} from './presets';

export function Home(props: {onClose: () => void}) {
  const offers = useSignal<Offers | null>(null), name = useSignal('new-scene.json'), searched = useSignal('');
  useEffect(() => { void s.attempt(() => get<Offers>('offers')).then((found) => { if (found) offers.value = found; }); }, []);
  const choose = async (what: string) => { if (await run.open(what)) props.onClose(); };
  const fits = (o: {name: string; title: string}) => (o.name + o.title).toLowerCase().includes(searched.value.toLowerCase());
  const begin = async () => {
    const made = await s.attempt(() => post<{name: string}>('new', {name: name.value, text: emptyScene}));
    if (made) props.onClose();
  };
  return (
    <Dialog title="Loam studio" onClose={props.onClose}>
      <p class="hint">{offers.value?.root ?? ''}</p>
      <input type="search" class="search" placeholder="Find a scene or a run" aria-label="Find a scene or a run" value={searched.value} onInput={(e) => { searched.value = e.currentTarget.value; }} />
      <div class="home">
        <section aria-label="Scenes"><h3>Scenes</h3><ul>{(offers.value?.scenes ?? []).filter(fits).map((o) => <li><button class="offer" onClick={() => void choose(o.name)}><b>{o.name}</b><span>{o.title}</span></button></li>)}</ul></section>
        <section aria-label="Runs"><h3>Runs</h3><ul>{(offers.value?.runs ?? []).filter(fits).map((o) => <li><button class="offer" onClick={() => void choose(o.name)}><b>{o.name}</b><span>{o.frames} frames{o.title ? ' · ' + o.title : ''}</span></button></li>)}</ul>
          {offers.value?.runs.length === 0 ? <p class="hint">None yet: what is simulated is found here.</p> : null}</section>
      </div>
      <form class="add-name" onSubmit={(e) => { e.preventDefault(); void begin(); }}>
        <input type="text" aria-label="Name of a new scene" value={name.value} onInput={(e) => { name.value = e.currentTarget.value; }} /><button class="main" type="submit">New scene</button>
        <span class="spring" />{s.kind.value === 'none' ? null : <button type="button" onClick={props.onClose}>Close</button>}
      </form>
      {s.messages.value.length > 0 && s.kind.value === 'none' ? <p class="fault-text">{s.messages.value[s.messages.value.length - 1]!.text}</p> : null}
    </Dialog>
  );
}
