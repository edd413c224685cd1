/**
 * The environment of each test file: Node, and at the end a look at what the file left open, which fails the file.
 * A file with a failed test is not checked: it often leaves resources open.
 * Jest itself only says that a worker did not end, which names no file and also happens on a slow machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import NodeEnvironment from 'jest-environment-node';

/** Milliseconds in which what was closed is gone, on a slow machine too. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** Counts what keeps this process alive, by type. */
async function openNow() {
  // The timer of the sleep itself is counted each time, or never.
  await sleep(LOOK_EVERY_MS);
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

export default class ClosingEnvironment extends NodeEnvironment {
  constructor(config, context) {
    super(config, context);
    this.file = context.testPath;
  }

  async setup() {
    await super.setup();
    // Made at their first use, and never closed. An import of `node:process` uses all three.
    void [process.stdin, process.stdout, process.stderr];
    this.before = await openNow();
  }

  handleTestEvent({ name }) {
    if (['hook_failure', 'test_fn_failure', 'error'].includes(name)) this.hasFailed = true;
  }

  async teardown() {
    const until = performance.now() + PATIENCE_MS;
    let left = more(await openNow(), this.before);
    while (left.length > 0 && !this.hasFailed && performance.now() < until) {
      left = more(await openNow(), this.before);
    }
    await super.teardown();
    if (left.length > 0 && !this.hasFailed)
      throw new Error(`LEFT OPEN: ${left.join(', ')} by ${this.file}`);
  }
}
