/** CPU time of processes (Linux): what it says stays true when others use the machine meanwhile. */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/** A process, or several that are counted as one. */
export interface Watched {
  name: string;
  pids: () => number[];
}

/** Milliseconds by name. */
export type ProcessorTimes = ReadonlyMap<string, number>;

/** `USER_HZ`, which is the same on every Linux that Node runs on. */
const TICK_MS = 10;

export function processorTimes(watched: readonly Watched[]): ProcessorTimes {
  const times = new Map<string, number>();
  for (const { name, pids } of watched) {
    const spent = pids().reduce((sum, pid) => sum + processorMs(pid), 0);
    times.set(name, (times.get(name) ?? 0) + spent);
  }
  return times;
}

/** Returns what was spent in between. */
export function spentBetween(before: ProcessorTimes, after: ProcessorTimes): ProcessorTimes {
  return new Map([...after].map(([name, spent]) => [name, spent - (before.get(name) ?? 0)]));
}

/**
 * Returns its own time, with that of children that have ended. One that has just ended has none: its
 * parent has it.
 */
function processorMs(pid: number): number {
  const text = statOf(pid);
  if (text === undefined) return 0;
  const [user, system, usersOfChildren, systemOfChildren] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number) as [number, number, number, number];
  return (user + system + usersOfChildren + systemOfChildren) * TICK_MS;
}

function statOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

/** A process and those that it has started and that still live. */
export function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number).filter(isThere))];
}

function isThere(pid: number): boolean {
  return readdirSync('/proc').includes(String(pid));
}

/** Returns the machine's description for the head of a table. */
export function machine(): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return (
    `${new Date().toISOString().slice(0, 16)}Z, ${cpus().length} x ${first?.model ?? 'unknown'}, ` +
    `${gigabytes} GB, Node ${process.versions.node}`
  );
}

/** CPU time of all processors since the machine started: used by any program, and in total. */
export interface MachineTimes {
  busy: number;
  all: number;
}

export function machineTimes(): MachineTimes {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1, 9);
  const [user, nice, system, idle, waiting, ...interrupts] = fields.map(Number) as number[];
  const all = [user, nice, system, idle, waiting, ...interrupts].reduce((a, b) => a! + b!, 0)!;
  return { busy: all - idle! - waiting!, all };
}

/** Returns the share of all processors that any program has used since then. */
export function busySince(before: MachineTimes): number {
  const after = machineTimes();
  return (after.busy - before.busy) / (after.all - before.all);
}
