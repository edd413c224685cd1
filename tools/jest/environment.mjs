/**
 * The environment of each file of tests: the worker's own realm, and at the end a check of what the file left open,
 * which fails the file. A file with a failed test is not checked: it often leaves resources open.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { restoreAll } from './globals.mjs';

/** Exit code that Jest expects of a worker that it ended. */
const ENDED_BY_SIGTERM = 143;
/** Milliseconds in which what was closed is gone, on a slow machine too. */
const GONE_WITHIN_MS = 60_000;
const CHECK_EVERY_MS = 20;

/** Counts what keeps this process alive, by type. */
async function openNow() {
  // The timer of the sleep itself is counted each time, or never.
  await sleep(CHECK_EVERY_MS);
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo()) {
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

function more(counts, before) {
  return [...counts]
    .map(([type, count]) => [type, count - (before.get(type) ?? 0)])
    .filter(([, count]) => count > 0)
    .map(([type, count]) => `${count} ${type}`);
}

// A worker ends with Jest, and by `exit`, so that what its file has started can end with it.
const end = () => process.exit(ENDED_BY_SIGTERM);
process.once('SIGTERM', end);
process.once('disconnect', end);
// A listener holds the channel to Jest open. This one goes with Jest's own, so that the worker can end by itself.
process.on('removeListener', (event) => {
  if (event === 'message') process.off('disconnect', end);
});

export default class NativeEnvironment {
  global = globalThis;
  before = new Map();
  hasFailed = false;

  constructor(_config, context) {
    this.file = context.testPath;
    this.exit = process.exit;
    this.variables = { ...process.env };
    this.exitListeners = process.listeners('exit');
    this.globals = Object.getOwnPropertyDescriptors(globalThis);
  }

  async setup() {
    // Made at their first use, and never closed.
    void [process.stdin, process.stdout, process.stderr];
    this.before = await openNow();
  }

  /** Jest asks for a context to run code in. There is none: see native-runtime.mjs. */
  getVmContext() {
    return null;
  }

  handleTestEvent({ name }) {
    if (['hook_failure', 'test_fn_failure', 'error'].includes(name)) this.hasFailed = true;
  }

  async teardown() {
    restoreAll();
    this.restoreProcess();
    const until = performance.now() + GONE_WITHIN_MS;
    let left = more(await openNow(), this.before);
    while (left.length > 0 && !this.hasFailed && performance.now() < until) {
      left = more(await openNow(), this.before);
    }
    if (left.length > 0 && !this.hasFailed)
      throw new Error(`LEFT OPEN: ${left.join(', ')} by ${this.file}`);
  }

  /** What a file has started ends with the file: its listeners of `exit` see to that. */
  restoreProcess() {
    for (const listener of process.listeners('exit')) {
      if (this.exitListeners.includes(listener)) continue;
      process.off('exit', listener);
      listener.call(process, 0);
    }
    for (const name of Object.keys(process.env)) {
      if (!(name in this.variables)) delete process.env[name];
    }
    Object.assign(process.env, this.variables);
    process.exit = this.exit;
    this.restoreGlobals();
  }

  /** Replaced ones, such as `fetch`. Added ones stay: libraries keep what they share there. */
  restoreGlobals() {
    for (const [name, now] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
      const before = this.globals[name];
      if (before && (now.value !== before.value || now.get !== before.get)) {
        Object.defineProperty(globalThis, name, before);
      }
    }
  }
}
