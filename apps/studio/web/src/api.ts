// What the server is asked for, and the events that it tells.
import type {Json} from './json/parse';

export interface Run { id: string; folder: string; frames: [number, number][]; scene: string | null; changed_after?: number[] }
export interface Job {
  state: 'starting' | 'running' | 'stopping' | 'ended';
  run: string; process?: number; frame: number | null; first_frame: number | null; last_frame: number | null;
  particles?: number; session_seconds?: number; code?: number; signal?: number; error?: {what: string; where: string; hint: string};
}
export interface Problem { where: string; what: string; hint: string }
export interface Summary {
  particles?: number; wall_particles?: number; last_frame?: number; bytes?: number; time_step?: number; dt_limited_by?: string;
  warnings?: string[]; bodies?: {name: string; wall: boolean; particles: number}[];
}
export interface Finding { version: number; good: boolean; whole: boolean; summary?: Summary; error?: Problem }
// What is made of a run: pictures, videos, files.
export interface Making {
  what: string; state: 'running' | 'stopping' | 'stopped' | 'done' | 'failed'; done: number; all: number | null; file: string; folder: string; shown: boolean;
  error?: Problem;
}
export interface Message { kind: 'error' | 'warning' | 'note'; text: string; hint: string }
export interface State {
  version: number; text: string; saved: boolean; quality: string; name: string; kind: 'scene' | 'run' | 'none'; root: string;
  runs: Run[]; job: Job | null; making: Making | null; finding: Finding | null; messages: Message[]; nonce: string; told: number;
}
export interface LogLine { frame: number; time: number; [name: string]: Json }
export interface Offer { name: string; title: string; frames: number; when: number; pictured: boolean }
export interface Offers { root: string; scenes: Offer[]; runs: Offer[]; gallery: Offer[] }
export type StudioEvent = {event: string} & {[name: string]: unknown};

export class Refused extends Error {
  constructor(readonly problem: Problem, readonly status: number) { super(problem.what); }
}

async function answer(response: Response): Promise<Response> {
  if (response.ok) return response;
  let problem: Problem = {where: '', what: `the server said ${response.status}`, hint: ''};
  try {
    problem = (await response.json()) as Problem;
  } catch { /* not ours: the number must do */ }
  throw new Refused(problem, response.status);
}

const query = (with_: Record<string, string | number>): string =>
  Object.entries(with_).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

export const addressOf = (path: string, with_: Record<string, string | number>): string => `./api/${path}?${query(with_)}`;
export async function get<T>(path: string, with_: Record<string, string | number> = {}): Promise<T> {
  return (await (await answer(await fetch(`./api/${path}?${query(with_)}`))).json()) as T;
}
export async function getBytes(path: string, with_: Record<string, string | number> = {}, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await answer(await fetch(`./api/${path}?${query(with_)}`, signal ? {signal} : {}))).arrayBuffer();
}
export async function post<T>(path: string, body: Json): Promise<T> {
  return (await (await answer(await fetch(`./api/${path}`, {method: 'POST', body: JSON.stringify(body)}))).json()) as T;
}
export async function postFile<T>(path: string, with_: Record<string, string>, body: Blob): Promise<T> {
  return (await (await answer(await fetch(`./api/${path}?${query(with_)}`, {method: 'POST', body}))).json()) as T;
}

// Events until the page closes; connects again by itself. `connected` hears of both.
export function listen(heard: (event: StudioEvent) => void, connected: (yes: boolean) => void): void {
  const address = new URL('./events', location.href);
  address.protocol = 'ws:';
  let wait = 250;
  const connect = () => {
    const socket = new WebSocket(address);
    socket.onopen = () => { wait = 250; connected(true); };
    socket.onmessage = (message) => heard(JSON.parse(String(message.data)) as StudioEvent);
    socket.onclose = () => {
      connected(false);
      setTimeout(connect, wait);
      wait = Math.min(4000, wait * 2);
    };
  };
  connect();
}

// A description in front of arrays of bytes, as frames and shapes come.
export function unpack<T>(bytes: ArrayBuffer): {head: T; at: number} {
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as T;
  return {head, at: 4 + length};
}
