/** A profile of the processor, as `node --cpu-prof` writes it: in which functions the time was spent itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
  /** On the clock of `process.hrtime`, in µs. */
  startTime: number;
}

export interface SelfTime {
  name: string;
  us: number;
}

export interface SelfTimes {
  functions: SelfTime[];
  /** By package, or by folder of this repository. */
  parts: SelfTime[];
}

/** `CPU.<date>.<time>.<process>.<thread>.<sequence>.cpuprofile`; the main thread is 0. */
const OF_MAIN_THREAD = /\.0\.\d+\.cpuprofile$/;

/** Options of Node that write a profile there when the process ends. */
export const profilingOptions = (directory: string) =>
  `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${directory}`;

/** Most time first, of what was sampled in between. */
export function selfTimesIn(directory: string, fromUs: number, toUs: number): SelfTimes {
  const file = readdirSync(directory).find((name) => OF_MAIN_THREAD.test(name));
  if (file === undefined) throw new Error(`no profile in ${directory}`);
  const profile = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Profile;
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, number>();
  const parts = new Map<string, number>();
  const add = (to: Map<string, number>, name: string, us: number) =>
    to.set(name, (to.get(name) ?? 0) + us);
  let at = profile.startTime;
  for (const [index, id] of profile.samples.entries()) {
    const us = profile.timeDeltas[index]!;
    at += us;
    const { functionName, url, lineNumber } = frames.get(id)!;
    if (at < fromUs || at > toUs || functionName === '(idle)') continue;
    const place = placeOf(url);
    const name = functionName || '(anonymous)';
    add(functions, url === '' ? name : `${name} ${place}:${lineNumber + 1}`, us);
    add(parts, url === '' ? name : partOf(place), us);
  }
  return { functions: sorted(functions), parts: sorted(parts) };
}

function sorted(times: ReadonlyMap<string, number>): SelfTime[] {
  const list = [...times].map(([name, us]) => ({ name, us }));
  return list.toSorted((one, other) => other.us - one.us);
}

/** Without the way to this repository. */
function placeOf(url: string): string {
  const inside = /\/node_modules\/(?!.*\/node_modules\/)(.*)$/.exec(url)?.[1];
  return (inside ?? url).replace(/^.*\/(?=(?:apps|libs)\/)/, '').replace('/dist/', '/');
}

function partOf(place: string): string {
  if (place.startsWith('node:')) return 'node';
  const parts = place.split('/');
  return parts.slice(0, /^(?:apps|libs|@)/.test(place) ? 2 : 1).join('/');
}
