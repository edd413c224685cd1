/** A terminal whose input, files and time are those of a test, on a scripted server. */
import { type ScriptedServer, startScriptedServer } from '../../tools/sdks/scripted-server.mjs';
import { run } from './run.js';
import type { Terminal } from './terminal.js';

export const KEY = `svc_test_${'a'.repeat(32)}`;
export const CONFIG = '/home/ada/.config/watchword/config.json';

export interface Run {
  code: number;
  output: string;
  notes: string;
}

export interface Desk {
  server: ScriptedServer;
  files: Map<string, string>;
  sleeps: number[];
  /** Ends what goes on for ever: after so many sleeps. */
  sleepsMax: number;
  secret: string | undefined;
  terminal: Terminal;
  run(line: string, answers?: unknown[]): Promise<Run>;
}

/** Milliseconds since 1970. */
const STARTED_AT = 1_795_219_728_000;

export async function openDesk(): Promise<Desk> {
  const server = await startScriptedServer();
  let written = { output: '', notes: '' };
  let now = STARTED_AT;
  const newTerminal = (): Terminal => {
    const stopping = new AbortController();
    let sleeps = 0;
    return {
      write: (text) => void (written.output += text),
      note: (text) => void (written.notes += `${text}\n`),
      environment: { HOME: '/home/ada', WATCHWORD_BASE_URL: server.url, WATCHWORD_KEY: KEY },
      isInteractive: false,
      signal: stopping.signal,
      fetch,
      hostname: 'ada-laptop',
      now: () => now,
      random: () => 0,
      sleep: (milliseconds) => {
        desk.sleeps.push(milliseconds);
        now += milliseconds;
        sleeps += 1;
        if (sleeps < desk.sleepsMax) return Promise.resolve();
        stopping.abort();
        return Promise.reject(stopping.signal.reason as Error);
      },
      readSecret: () => Promise.resolve(desk.secret),
      readFile: (path) => desk.files.get(path),
      writeFile: (path, text) => void desk.files.set(path, text),
    };
  };
  const desk: Desk = {
    server,
    files: new Map(),
    sleeps: [],
    sleepsMax: Infinity,
    secret: undefined,
    terminal: newTerminal(),
    async run(line, answers = []) {
      server.script(answers);
      written = { output: '', notes: '' };
      desk.sleeps = [];
      const { environment, isInteractive } = desk.terminal;
      desk.terminal = { ...newTerminal(), environment, isInteractive };
      const words = line.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
      return { code: await run(words, desk.terminal), ...written };
    },
  };
  return desk;
}
