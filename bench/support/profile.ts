/** A profile of the processor, as `node --cpu-prof` writes it: in which functions the time was spent itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

interface Profile {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[];
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

export interface Sample {
  /** From the outermost function to the one that ran. */
  stack: readonly CallFrame[];
  us: number;
}

/** What was sampled in between, without idle time. */
export function samplesIn(directory: string, fromUs: number, toUs: number): Sample[] {
  const file = readdirSync(directory).find((name) => OF_MAIN_THREAD.test(name));
  if (file === undefined) throw new Error(`no profile in ${directory}`);
  const profile = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Profile;
  const stacks = stacksOf(profile);
  let at = profile.startTime;
  return profile.samples.flatMap((id, index) => {
    const us = profile.timeDeltas[index]!;
    at += us;
    const stack = stacks.get(id)!;
    const isIdle = stack.at(-1)?.functionName === '(idle)';
    return at < fromUs || at > toUs || isIdle ? [] : [{ stack, us }];
  });
}

/** By node; callers come before what they call. */
function stacksOf({ nodes }: Profile): ReadonlyMap<number, readonly CallFrame[]> {
  const callers = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const stacks = new Map<number, readonly CallFrame[]>();
  for (const { id, callFrame } of nodes) {
    const caller = callers.get(id);
    stacks.set(id, caller === undefined ? [] : [...stacks.get(caller)!, callFrame]);
  }
  return stacks;
}

/** Most time first. */
export function selfTimesIn(samples: readonly Sample[]): SelfTimes {
  const functions = new Map<string, number>();
  const parts = new Map<string, number>();
  const add = (to: Map<string, number>, name: string, us: number) =>
    to.set(name, (to.get(name) ?? 0) + us);
  for (const { stack, us } of samples) {
    const { functionName, url, lineNumber } = stack.at(-1)!;
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
export function placeOf(url: string): string {
  const inside = /\/node_modules\/(?!.*\/node_modules\/)(.*)$/.exec(url)?.[1];
  return (inside ?? url).replace(/^.*\/(?=(?:apps|libs)\/)/, '').replace('/dist/', '/');
}

export function partOf(place: string): string {
  if (place.startsWith('node:')) return 'node';
  const parts = place.split('/');
  return parts.slice(0, /^(?:apps|libs|@)/.test(place) ? 2 : 1).join('/');
}
