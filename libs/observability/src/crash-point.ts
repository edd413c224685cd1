/**
 * Named points before and after every durable step. `CRASH_AT=<point>:<n>` kills the process
 * without warning at the n-th pass, so that fault tests can prove that nothing is lost there. Of
 * several, separated by commas, this process uses the first, and its starter passes on the others.
 * Unset, it costs one comparison.
 */
const [first = ''] = (process.env['CRASH_AT'] ?? '').split(',');
const [target, passes] = first.split(':');
let left = Number(passes ?? 1);

/** Returns the list for several lives of a process. Null is a life without a crash. */
export function crashList(lives: readonly ({ point: string; pass: number } | null)[]): string {
  return lives.map((life) => (life === null ? '' : `${life.point}:${life.pass}`)).join(',');
}

/** Returns the rest of the list for the next life. */
export function laterCrashes(list = ''): string {
  return list.split(',').slice(1).join(',');
}

export function crashPoint(name: string): void {
  if (!target || name !== target) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}
