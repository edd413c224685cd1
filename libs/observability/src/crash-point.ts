/**
 * Named points before and after every durable step. `CRASH_AT=<point>:<n>` kills the process
 * without warning at the n-th pass of one, which is how the fault tests prove that nothing is
 * lost there. Of several, with commas between them, this is the first; who starts the process again
 * passes on the others. Costs one comparison when unset.
 */
const [first = ''] = (process.env['CRASH_AT'] ?? '').split(',');
const [target, passes] = first.split(':');
let left = Number(passes ?? 1);

/** Of several lives of a process, where each ends; null is one without a crash. */
export function crashList(lives: readonly ({ point: string; pass: number } | null)[]): string {
  return lives.map((life) => (life === null ? '' : `${life.point}:${life.pass}`)).join(',');
}

/** What is left of the list for the next life. */
export function laterCrashes(list = ''): string {
  return list.split(',').slice(1).join(',');
}

export function crashPoint(name: string): void {
  if (!target || name !== target) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}
