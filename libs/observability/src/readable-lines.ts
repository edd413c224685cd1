import type { DestinationStream } from 'pino';

/**
 * Log lines as columns, for a person at a terminal: time, level, service, event, fields. For a
 * request the columns are method, status, time and route.
 */
interface Line extends Record<string, unknown> {
  level: string;
  time: string;
  msg?: string;
}

const RESET = '\u001b[0m';
const FAINT = '\u001b[2m';
const LEVEL_COLOURS: Record<string, string> = {
  fatal: '\u001b[31m',
  error: '\u001b[31m',
  warn: '\u001b[33m',
  info: '\u001b[32m',
};
const LEVEL_WIDTH = 5;
const OWNER_WIDTH = 9;
const METHOD_WIDTH = 6;
const MS_WIDTH = 8;

export function readableLines(
  destination: DestinationStream,
  hasColours: boolean,
): DestinationStream {
  return { write: (text) => destination.write(`${readable(text, hasColours)}\n`) };
}

function readable(text: string, hasColours: boolean): string {
  const {
    level,
    time,
    service,
    program,
    msg = '',
    err,
    stack,
    ...fields
  } = JSON.parse(text) as Line;
  const paint = (colour: string | undefined, painted: string) =>
    hasColours && colour ? `${colour}${painted}${RESET}` : painted;
  const clock = time.slice(time.indexOf('T') + 1, -1);
  const owner = String(service ?? program ?? '').padEnd(OWNER_WIDTH);
  const [what, others] = columnsOf(msg, fields);
  const columns = [
    paint(FAINT, clock),
    paint(LEVEL_COLOURS[level] ?? FAINT, level.padEnd(LEVEL_WIDTH)),
    paint(FAINT, owner),
    what,
    paint(FAINT, fieldsText(others)),
  ];
  return [columns.join(' ').trimEnd(), ...errorLines(err, stack)].join('\n');
}

function columnsOf(msg: string, fields: Record<string, unknown>): [string, object] {
  const { method, route, status, ms, ...others } = fields;
  if (typeof status !== 'number' || typeof ms !== 'number') return [msg, fields];
  const taken = `${ms.toFixed(1)} ms`.padStart(MS_WIDTH + 3);
  return [`${String(method).padEnd(METHOD_WIDTH)} ${status} ${taken}  ${String(route)} `, others];
}

function fieldsText(fields: object): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}

function errorLines(err: unknown, stack: unknown): string[] {
  if (typeof err !== 'object' || err === null) return typeof stack === 'string' ? [stack] : [];
  const { stack: trace, message, ...others } = err as Record<string, unknown>;
  const rest = fieldsText(others);
  return [`  ${String(trace ?? message ?? '')}`, ...(rest === '' ? [] : [`  ${rest}`])];
}
