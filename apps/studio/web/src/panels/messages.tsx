// What the program has to say: what is wrong with the scene, doubts, and what happened while it ran.
import * as s from '../state';
import {bottomTab, rightTab} from '../layout';
import {Icon} from '../widgets';
import {pathText} from '../json/parse';

export function Messages() {
  const fault = s.fault.value, doubts = s.finding.value?.summary?.warnings ?? [];
  const none = !fault && doubts.length === 0 && s.messages.value.length === 0;
  return (
    <div class="messages" role="log" aria-label="Messages">
      {none ? <p class="empty">Nothing to tell: the scene is good.</p> : null}
      {fault ? (
        <div class="message error"><Icon name="warning" /><div><b>The scene is wrong{fault.path.length ? <> at <button class="link" onClick={() => { s.selected.value = fault.path; rightTab.value = 'properties'; }}>{pathText(fault.path)}</button></> : ''}{fault.line ? `, line ${fault.line}` : ''}:</b> {fault.what}<small>{fault.hint}</small></div></div>) : null}
      {doubts.map((text) => <div class="message warning"><Icon name="warning" /><div>{text}</div></div>)}
      {[...s.messages.value].reverse().map((m) => <div class={`message ${m.kind}`}><Icon name="warning" /><div>{m.text}<small>{m.hint}</small></div></div>)}
    </div>
  );
}

// The last one, over the view, for a moment.
export function Said() {
  const message = s.said.value;
  if (!message || bottomTab.value === 'messages') return null;
  return (
    <button type="button" class={`said ${message.kind}`} role="status" onClick={() => { bottomTab.value = 'messages'; s.said.value = null; }}>
      <Icon name="warning" /><span>{message.text}</span></button>
  );
}
