// Where one begins: runs and scenes of the folder that was opened, templates, and the gallery.
import {useSignal} from '@preact/signals';
import {useEffect} from 'preact/hooks';
import {addressOf, get, post, type Offer, type Offers} from '../api';
import {playhead} from '../player';
import * as run from '../simulate';
import * as s from '../state';
import {postThumbnail} from '../view/thumbnail';
import {Dialog} from '../widgets';
import {templates} from './presets';

const ago = (when: number): string => {
  const minutes = (Date.now() / 1000 - when) / 60;
  if (minutes < 2) return 'just now';
  if (minutes < 90) return `${Math.round(minutes)} minutes ago`;
  return minutes < 36 * 60 ? `${Math.round(minutes / 60)} hours ago` : `${Math.round(minutes / 1440)} days ago`;
};

function Card(props: {picture: string | null; title: string; about: string; onClick: () => void; chosen?: boolean}) {
  return (
    <li><button type="button" class={'card' + (props.chosen ? ' chosen' : '')} {...(props.chosen === undefined ? {} : {'aria-pressed': props.chosen})} onClick={props.onClick}>
      {props.picture ? <img src={props.picture} alt="" loading="lazy" /> : <span class="no-picture" aria-hidden="true">{props.title.replace(/^.*\//, '').slice(0, 1)}</span>}
      <b>{props.title}</b><span>{props.about}</span></button></li>
  );
}

export function Home(props: {onClose: () => void}) {
  const offers = useSignal<Offers | null>(null), name = useSignal('new-scene.json'), searched = useSignal(''), template = useSignal(templates[0]!.name);
  useEffect(() => { void (playhead.peek() > 0 ? postThumbnail() : Promise.resolve()).then(() => s.attempt(() => get<Offers>('offers'))).then((found) => { if (found) offers.value = found; }); }, []);
  const choose = async (what: string) => { if (await run.open(what)) props.onClose(); };
  const begin = async (wish: {[key: string]: string}) => { if (await s.attempt(() => post<{name: string}>('new', wish))) props.onClose(); };
  const found = (all: Offer[] | undefined) => (all ?? []).filter((o) => (o.name + o.title).toLowerCase().includes(searched.value.toLowerCase()));
  const picture = (o: Offer) => (o.pictured ? addressOf('picture', {name: o.name}) : null);
  const runs = found(offers.value?.runs), own = found(offers.value?.scenes).filter((o) => !o.name.startsWith('examples/'));
  const examples = found(offers.value?.scenes).filter((o) => o.name.startsWith('examples/')), gallery = found(offers.value?.gallery);
  return (
    <Dialog title="Loam studio" onClose={props.onClose} class="home-dialog">
      <div class="home-head"><span class="hint path">{offers.value?.root ?? ''}</span>
        <input type="search" class="search" placeholder="Find a scene or a run" aria-label="Find a scene or a run" value={searched.value} onInput={(e) => { searched.value = e.currentTarget.value; }} /></div>
      <div class="home">
        {runs.length > 0 ? <section aria-label="Runs"><h3>Recent runs</h3><ul class="cards">{runs.slice(0, 24).map((o) =>
          <Card picture={picture(o)} title={o.name.replace(/^out\//, '')} about={`${o.frames} frames, ${ago(o.when)}`} onClick={() => void choose(o.name)} />)}</ul></section> : null}
        {own.length > 0 ? <section aria-label="Scenes"><h3>Scenes</h3><ul class="cards">{own.map((o) => <Card picture={picture(o)} title={o.name} about={o.title} onClick={() => void choose(o.name)} />)}</ul></section> : null}
        <section aria-label="New scene"><h3>New scene</h3>
          <form class="new-scene" onSubmit={(e) => { e.preventDefault(); void begin({name: name.value, text: templates.find((t) => t.name === template.value)!.text}); }}>
            <select aria-label="Template" value={template.value} onChange={(e) => { template.value = e.currentTarget.value; }}>{templates.map((t) => <option value={t.name}>{t.title}</option>)}</select>
            <input type="text" aria-label="Name of a new scene" value={name.value} onInput={(e) => { name.value = e.currentTarget.value; }} /><button class="main" type="submit">New scene</button>
          </form></section>
        {examples.length > 0 ? <section aria-label="Gallery"><h3>Gallery</h3><ul class="cards">{examples.map((o) =>
          <Card picture={picture(o)} title={o.name.replace(/^examples\/|\.json$/g, '')} about={o.title} onClick={() => void choose(o.name)} />)}</ul></section> : null}
        {gallery.length > 0 ? <section aria-label="Gallery"><h3>Gallery <span class="hint">opens a copy in this folder</span></h3><ul class="cards">{gallery.map((o) =>
          <Card picture={o.pictured ? addressOf('picture', {gallery: o.name}) : null} title={o.name} about={o.title} onClick={() => void begin({name: `${o.name}.json`, gallery: o.name})} />)}</ul></section> : null}
      </div>
      {s.messages.value.length > 0 ? <p class="fault-text" role="alert">{s.messages.value[s.messages.value.length - 1]!.text}</p> : null}
      <div class="buttons">{s.kind.value === 'none' ? null : <button type="button" onClick={props.onClose}>Close</button>}</div>
    </Dialog>
  );
}
