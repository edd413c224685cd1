/**
 * CPU time of one line of the log, with the fields of a message's step, against plain pino. Lines go
 * to /dev/null. A line below the level of the logger must cost next to nothing.
 */
import { createLogger, type Logger, loggerOf } from '@watchword/observability';
import { destination, pino } from 'pino';
import { benchNumber } from './support/bench-number.ts';
import { printTable } from './support/figures.ts';

const LINES = benchNumber('BENCH_LINES', 200_000);
const WARM_UP_LINES = 20_000;
const FIELDS = {
  messageId: '019ab0c0-0000-7000-8000-000000000000',
  workspaceId: '019ab0c0-0000-7000-8000-000000000001',
  provider: 'carrier_a',
  attempt: 1,
};

export async function logBench(): Promise<void> {
  const nowhere = destination({ dest: '/dev/null', sync: false });
  const ours = (level: string) =>
    loggerOf('dispatch', createLogger({ program: 'watchword', level }, nowhere));
  const plain = await microsecondsOf(pino({}, nowhere));
  const line = await microsecondsOf(ours('info'));
  const below = await microsecondsOf(ours('warn'));
  const row = (what: string, each: number) => [what, each.toFixed(2), (each / plain).toFixed(2)];
  printTable(
    ['CPU time of a line', 'µs', 'times plain pino'],
    [
      row('plain pino', plain),
      row('a step of a message', line),
      row('a step below the level', below),
    ],
  );
}

async function microsecondsOf(logger: Logger): Promise<number> {
  write(logger, WARM_UP_LINES);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const before = process.cpuUsage();
  write(logger, LINES);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / LINES;
}

function write(logger: Logger, lines: number): void {
  for (let line = 0; line < lines; line += 1) logger.info(FIELDS, 'message sent');
}
