import { type DestinationStream, pino, type Logger as PinoLogger } from 'pino';
import { readableLines } from './readable-lines.js';
import { errorFields } from './error-fields.js';
import { redacted } from './redacted.js';

/** JSON lines, or columns on a terminal. Fields first, then the sentence: `logger.info({ messageId }, 'sent')`. */
export type Logger = PinoLogger;

/** Owner of the lines: a service, or a program that is no service or holds several. */
export type LoggerOwner = { service: string } | { program: string };

export function createLogger(
  { level, ...owner }: LoggerOwner & { level: string },
  destination?: DestinationStream,
): Logger {
  const settings = {
    level,
    base: owner,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => errorFields(error) },
    formatters: { level: (label: string) => ({ level: label }), log: redacted },
  };
  return withSafeChildren(pino(settings, destination ?? standardOutput()));
}

/**
 * Formats the fields that a child logger or `setBindings` adds to all lines. Pino formats only
 * those of a single line.
 */
function withSafeChildren(logger: Logger): Logger {
  const { child, setBindings } = logger;
  logger.child = function (this: Logger, bindings: object, options?: object) {
    return child.call(this, redacted(bindings), options);
  } as Logger['child'];
  logger.setBindings = function (this: Logger, bindings: object) {
    setBindings.call(this, redacted(bindings));
  };
  return logger;
}

let output: DestinationStream | undefined;

/**
 * Writes in the background. Lines that come meanwhile go out together, at the latest at the exit.
 */
function standardOutput(): DestinationStream {
  if (output) return output;
  const background = pino.destination({ dest: 1, sync: false });
  const hasColours = process.env['NO_COLOR'] === undefined;
  output = process.stdout.isTTY ? readableLines(background, hasColours) : background;
  return output;
}

/** Returns the logger of a service in this process. A line names its service once. */
export function loggerOf(service: string, logger: Logger): Logger {
  return 'service' in logger.bindings() ? logger : logger.child({ service });
}
