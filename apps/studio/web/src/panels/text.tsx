// The scene's text, in step with the panels: what is changed here is seen there, and the other way round.
import {autocompletion, completionKeymap, type CompletionContext} from '@codemirror/autocomplete';
import {defaultKeymap, indentWithTab} from '@codemirror/commands';
import {json} from '@codemirror/lang-json';
import {bracketMatching, foldGutter, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting} from '@codemirror/language';
import {lintGutter, setDiagnostics, type Diagnostic} from '@codemirror/lint';
import {EditorState, Transaction} from '@codemirror/state';
import {Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, MatchDecorator, ViewPlugin, type ViewUpdate} from '@codemirror/view';
import {tags} from '@lezer/highlight';
import {effect} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import {difference} from '../json/edit';
import {find, pathAt, pathText, tryParse} from '../json/parse';
import {schemaAt} from '../schema';
import * as s from '../state';

const colors = HighlightStyle.define([
  {tag: tags.propertyName, color: 'var(--code-key)'}, {tag: tags.string, color: 'var(--code-string)'}, {tag: tags.number, color: 'var(--code-number)'},
  {tag: [tags.bool, tags.null], color: 'var(--code-word)'}, {tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic'},
]);
const look = EditorView.theme({
  '&': {height: '100%', fontSize: '12px', backgroundColor: 'var(--field)', color: 'var(--text)'},
  '.cm-content': {fontFamily: 'var(--mono)', caretColor: 'var(--text)'},
  '.cm-gutters': {backgroundColor: 'var(--panel)', color: 'var(--muted)', border: 'none'},
  '.cm-scene-comment, .cm-scene-comment *': {color: 'var(--muted) !important', fontStyle: 'italic'},
  '.cm-activeLine': {backgroundColor: 'var(--hover)'}, '.cm-cursor': {borderLeftColor: 'var(--text)'},
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {backgroundColor: 'var(--selection) !important'},
  '.cm-tooltip': {backgroundColor: 'var(--panel)', color: 'var(--text)', border: '1px solid var(--line)'},
  '.cm-tooltip-autocomplete ul li[aria-selected]': {backgroundColor: 'var(--accent)', color: '#fff'},
});

// The grammar of JSON has no comments; scenes have.
const comment = new MatchDecorator({regexp: /(?<=^|[\s,{}[\]])\/\/.*$/g, decoration: Decoration.mark({class: 'cm-scene-comment'})});
const comments = ViewPlugin.fromClass(class {
  shown: DecorationSet;
  constructor(view: EditorView) { this.shown = comment.createDeco(view); }
  update(update: ViewUpdate) { this.shown = comment.updateDeco(update, this.shown); }
}, {decorations: (plugin) => plugin.shown});

// Keys and choices that are declared for the place.
function complete(context: CompletionContext) {
  const word = context.matchBefore(/"[\w-]*/);
  if (!word && !context.explicit) return null;
  const text = context.state.doc.toString(), at = word?.from ?? context.pos;
  // The text up to here is made whole, so that its blocks can be read.
  const before = text.slice(0, at).replace(/[,\s]*$/, '');
  const isValue = /:$/.test(before);
  const open: string[] = [];
  let quoted = false;
  for (let k = 0; k < before.length; k++) {
    const c = before[k]!;
    if (c === '"' && before[k - 1] !== '\\') quoted = !quoted;
    else if (!quoted && (c === '{' || c === '[')) open.push(c === '{' ? '}' : ']');
    else if (!quoted && (c === '}' || c === ']')) open.pop();
  }
  const {root} = tryParse(before + (isValue ? ' null' : '') + open.reverse().join(''));
  if (!root) return null;
  const path = pathAt(root, isValue ? before.length + 1 : before.length), block = find(root, path);
  const place = isValue || block?.kind === 'object' || block?.kind === 'array' ? path : path.slice(0, -1);
  const schema = schemaAt(place);
  const from = word ? word.from : context.pos;
  if (isValue) {
    const choices = schema?.enum ?? schema?.anyOf?.find((o) => o.enum)?.enum;
    return choices ? {from, options: choices.map((c) => ({label: `"${c}"`, type: 'enum'}))} : null;
  }
  const inner = schema?.properties ?? {};
  const known = block?.kind === 'object' ? block.members.map((m) => m.key) : [];
  return {from, options: Object.entries(inner).filter(([key]) => !known.includes(key)).map(([key, p]) => ({label: `"${key}"`, apply: `"${key}": `, detail: p.type as string | undefined, info: p.description}))};
}

function marks(view: EditorView): Diagnostic[] {
  const fault = s.fault.value;
  if (!fault) return [];
  const node = fault.path.length > 0 ? s.nodeAt(fault.path) : undefined;
  const line = view.state.doc.line(Math.max(1, Math.min(fault.line || 1, view.state.doc.lines)));
  const from = fault.line ? Math.min(line.from + fault.column - 1, line.to) : (node?.start ?? 0);
  const to = Math.min(view.state.doc.length, node && node.start >= from - 1 && node.end > from ? node.end : Math.max(from + 1, from));
  return [{from: Math.min(from, view.state.doc.length), to, severity: 'error', message: fault.what + (fault.hint ? '\n' + fault.hint : '')}];
}

export function TextPanel() {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let own = false; // our own changes are not told to us again
    const view = new EditorView({
      parent: holder.current!,
      state: EditorState.create({
        doc: s.text.peek(),
        extensions: [
          EditorView.cspNonce.of(s.nonce.peek()), lineNumbers(), foldGutter(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), indentUnit.of('  '), json(),
          syntaxHighlighting(colors), comments, look, lintGutter(), autocompletion({override: [complete]}), EditorView.contentAttributes.of({'aria-label': 'Text of the scene'}),
          keymap.of([
            {key: 'Mod-z', run: () => { s.undo(); return true; }}, {key: 'Mod-Shift-z', run: () => { s.redo(); return true; }}, {key: 'Mod-y', run: () => { s.redo(); return true; }},
            ...completionKeymap, ...defaultKeymap, indentWithTab]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !own) s.change(update.state.doc.toString(), 'typing');
            if (update.selectionSet && !own && update.view.hasFocus) {
              const {root} = s.parsed.peek();
              const path = root ? pathAt(root, update.state.selection.main.head) : [];
              if (root && pathText(path) !== pathText(s.selected.peek())) { moved = true; s.selected.value = path; }
            }
          }),
        ],
      }),
    });
    let moved = false;
    const stops = [
      effect(() => {
        const change = difference(view.state.doc.toString(), s.text.value);
        if (!change) return;
        own = true;
        view.dispatch({changes: change, annotations: Transaction.addToHistory.of(false)});
        own = false;
      }),
      effect(() => { s.fault.value; own = true; view.dispatch(setDiagnostics(view.state, marks(view))); own = false; }),
      effect(() => {
        const path = s.selected.value;
        if (moved) { moved = false; return; }
        const node = s.nodeAt(path);
        if (node && path.length > 0) view.dispatch({effects: EditorView.scrollIntoView(Math.min(node.start, view.state.doc.length), {y: 'start', yMargin: 40})});
      }),
    ];
    return () => { stops.forEach((stop) => stop()); view.destroy(); };
  }, []);
  return <div class="text-panel" ref={holder} />;
}
