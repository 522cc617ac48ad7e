// Small parts that panels share.
import type {ComponentChildren} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

const paths: Record<string, string> = {
  play: 'M5 3l9 5-9 5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z', stop: 'M4 4h8v8H4z', first: 'M3 3h2v10H3zM13 3v10L6 8z', last: 'M11 3h2v10h-2zM3 3l7 5-7 5z',
  back: 'M11 3v10L5 8z', next: 'M5 3l6 5-6 5z', loop: 'M4 6h6V4l3 3-3 3V8H4v3H2V8a2 2 0 0 1 2-2z', undo: 'M6 3L2 7l4 4V8.5c4 0 6 1 7 4 0-5-3-7-7-7z',
  redo: 'M10 3l4 4-4 4V8.5c-4 0-6 1-7 4 0-5 3-7 7-7z', save: 'M2 2h10l2 2v10H2zM5 3v4h6V3zM5 9v4h6V9z', frame: 'M2 2h4v1.5H3.500V6H2zM10 2h4v4h-1.500V3.500H10zM2 10h1.500v2.500H6V14H2zM12.500 10H14v4h-4v-1.500h2.500z',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.300 1h1.400v2.500H7.300zM7.300 12.500h1.400V15H7.300zM1 7.300h2.500v1.400H1zM12.500 7.300H15v1.400h-2.500z',
  warning: 'M8 2l7 12H1zM7.300 6v4h1.400V6zM7.300 11v1.500h1.400V11z', plus: 'M7.200 3h1.600v4.200H13v1.600H8.800V13H7.200V8.800H3V7.200h4.200z', trash: 'M3 4h10v1.500H3zM4.500 6h7l-.6 8H5.100zM6 2h4v1.500H6z',
  camera: 'M1 4h9v8H1zM11 7l4-2.500v7L11 9z', corner: 'M2 5l6-3 6 3v6l-6 3-6-3zM3.300 5.900v4.300L7.300 12.200V7.800zM8 3.400L4.400 5.100 8 6.700l3.600-1.600z',
  copy: 'M2 2h8v2.500H8.500V3.500h-5v5h1V10H2zM6 6h8v8H6zM7.500 7.500v5h5v-5z', key: 'M8 3l5 5-5 5-5-5z', open: 'M1 4h5l1.500 1.500H15V13H1z', from: 'M3 3h1.500v10H3zM6 3l8 5-8 5z', close: 'M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z', more: 'M5 6l3 4 3-4z',
};
export function Icon({name}: {name: string}) {
  return <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d={paths[name] ?? ''} /></svg>;
}

export function IconButton(props: {icon: string; label: string; onClick: () => void; disabled?: boolean; pressed?: boolean; class?: string}) {
  return (
    <button class={`icon-button ${props.pressed ? 'on' : ''} ${props.class ?? ''}`} title={props.label} aria-label={props.label} aria-pressed={props.pressed}
      disabled={props.disabled ?? false} onClick={props.onClick}>
      <Icon name={props.icon} />
    </button>
  );
}

export function Tabs<T extends string>(props: {label: string; tabs: [T, string, ComponentChildren?][]; value: T; onChange: (tab: T) => void}) {
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    const k = props.tabs.findIndex(([id]) => id === props.value), next = props.tabs[(k + by + props.tabs.length) % props.tabs.length]!;
    props.onChange(next[0]);
    ((event.currentTarget as HTMLElement).querySelector(`[data-tab="${next[0]}"]`) as HTMLElement | null)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={props.label} onKeyDown={move}>
      {props.tabs.map(([id, title, badge]) => (
        <button role="tab" data-tab={id} aria-selected={props.value === id} tabIndex={props.value === id ? 0 : -1} onClick={() => props.onChange(id)}>{title}{badge}</button>
      ))}
    </div>
  );
}

// A number that is typed, or dragged by its label. What is typed counts when Enter is pressed or the field is left.
export function NumberField(props: {value: number | null; label: string; placeholder?: string; invalid?: boolean; describedBy?: string | undefined; onChange: (value: number | null) => void}) {
  const shown = props.value === null ? '' : String(Number(props.value.toPrecision(8)));
  const [typed, setTyped] = useState<string | null>(null);
  const commit = () => {
    if (typed === null) return;
    const trimmed = typed.trim();
    setTyped(null);
    if (trimmed === '') props.onChange(null);
    else if (Number.isFinite(Number(trimmed)) && Number(trimmed) !== props.value) props.onChange(Number(trimmed));
  };
  return (
    <input class="number" type="text" inputMode="decimal" aria-label={props.label} placeholder={props.placeholder ?? ''} value={typed ?? shown}
      aria-invalid={(typed !== null && typed.trim() !== '' && !Number.isFinite(Number(typed))) || props.invalid || false} aria-describedby={props.describedBy}
      onInput={(e) => setTyped(e.currentTarget.value)} onBlur={commit}
      onKeyDown={(e) => {
        if (e.key === 'Enter') commit();
        if (e.key === 'Escape') { setTyped(null); e.currentTarget.blur(); }
        if ((e.key === 'ArrowUp' || e.key === 'ArrowDown') && props.value !== null) {
          e.preventDefault();
          const size = Math.pow(10, Math.floor(Math.log10(Math.abs(props.value) || 1)) - (e.shiftKey ? 0 : 1));
          props.onChange(Number((props.value + (e.key === 'ArrowUp' ? size : -size)).toPrecision(8)));
        }
      }} />
  );
}

export function TextField(props: {value: string; label: string; placeholder?: string; invalid?: boolean; choices?: string[]; onChange: (value: string) => void}) {
  const list = props.choices ? `choices-${props.label}` : undefined;
  const [typed, setTyped] = useState<string | null>(null);
  const commit = () => {
    if (typed !== null && typed !== props.value) props.onChange(typed);
    setTyped(null);
  };
  return (
    <>
      <input type="text" aria-label={props.label} placeholder={props.placeholder ?? ''} title={props.value} value={typed ?? props.value} aria-invalid={props.invalid ?? false} list={list}
        onInput={(e) => setTyped(e.currentTarget.value)} onBlur={commit}
        onKeyDown={(e) => { if (e.key === 'Enter') commit(); if (e.key === 'Escape') setTyped(null); }} />
      {props.choices ? <datalist id={list}>{props.choices.map((c) => <option value={c} />)}</datalist> : null}
    </>
  );
}

// A question over everything else; the keyboard stays in it until it is answered.
export function Dialog(props: {title: string; onClose: () => void; children: ComponentChildren; class?: string}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => { dialog.current?.showModal(); }, []);
  return (
    <dialog ref={dialog} class={props.class ?? ''} aria-label={props.title} onClose={props.onClose} onCancel={props.onClose}>
      <h2>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

// A bar between two panels that is dragged to size them.
export function Splitter(props: {vertical: boolean; label: string; onDrag: (by: number) => void}) {
  return (
    <div class={`splitter ${props.vertical ? 'vertical' : 'horizontal'}`} role="separator" aria-label={props.label} aria-orientation={props.vertical ? 'vertical' : 'horizontal'} tabIndex={0}
      onKeyDown={(e) => {
        const by = e.key === 'ArrowLeft' || e.key === 'ArrowUp' ? -16 : e.key === 'ArrowRight' || e.key === 'ArrowDown' ? 16 : 0;
        if (by !== 0) { e.preventDefault(); props.onDrag(by); }
      }}
      onPointerDown={(e) => {
        const bar = e.currentTarget;
        bar.setPointerCapture(e.pointerId);
        let last = props.vertical ? e.clientX : e.clientY;
        const move = (m: PointerEvent) => { const now = props.vertical ? m.clientX : m.clientY; props.onDrag(now - last); last = now; };
        const up = () => { bar.removeEventListener('pointermove', move); bar.removeEventListener('pointerup', up); };
        bar.addEventListener('pointermove', move);
        bar.addEventListener('pointerup', up);
      }} />
  );
}

export function timeText(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '–';
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
export const bytesText = (bytes: number): string => (bytes > 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`);
