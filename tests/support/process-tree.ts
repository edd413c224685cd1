import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createConnection } from 'node:net';

/** A process that another one has started, itself or by way of others. */
export interface Descendant {
  pid: number;
  command: string;
  /** Ports that it listens on. */
  ports: number[];
}

const LISTENING = '0A';

/** Itself and all that have come from it, for as long as it lives. */
export function processTree(root: number): Descendant[] {
  const children = Map.groupBy(allPids(), parentOf);
  const ports = listeningSockets();
  const under = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(under)];
  return under(root).map((pid) => ({
    pid,
    command: commandOf(pid),
    ports: socketsOf(pid).flatMap((socket) => ports.get(socket) ?? []),
  }));
}

/** Returns those that still run. A new process with an old id does not count. */
export function stillThere(processes: readonly Descendant[]): Descendant[] {
  return processes.filter(({ pid, command }) => command !== '' && commandOf(pid) === command);
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    socket.once('connect', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Nothing, of a process that has just ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The name before it is in brackets, and may hold anything. */
function parentOf(pid: number): number {
  return Number(read(pid, 'stat').split(') ').at(-1)?.split(' ')[1]);
}

function commandOf(pid: number): string {
  return read(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      const place = readlinkSync(`/proc/${pid}/fd/${name}`);
      return /^socket:\[(\d+)\]$/.exec(place)?.[1] ?? [];
    });
  } catch {
    return [];
  }
}

/** Port by the number of the socket. */
function listeningSockets(): Map<string, number> {
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/net/${name}`, 'utf8'));
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1));
  return new Map(
    rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, , , state]) => state === LISTENING)
      .map((fields) => [fields[9]!, Number.parseInt(fields[1]!.split(':').at(-1)!, 16)]),
  );
}
