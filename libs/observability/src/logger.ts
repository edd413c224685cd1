import { type DestinationStream, pino, type Logger as PinoLogger } from 'pino';
import { readableLines } from './readable-lines.js';
import { errorFields } from './error-fields.js';
import { redacted } from './redacted.js';

/** JSON lines, or columns on a terminal. Fields first, then the sentence: `logger.info({ messageId }, 'sent')`. */
export type Logger = PinoLogger;

/** Whose lines they are: of one service, or of a program that is none or holds several. */
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

/** Pino formats the fields of a line, but not those that a child or `setBindings` adds to all its lines. */
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

/** Writes in the background; lines that come meanwhile go out together, at the latest when the process exits. */
function standardOutput(): DestinationStream {
  if (output) return output;
  const background = pino.destination({ dest: 1, sync: false });
  const hasColours = process.env['NO_COLOR'] === undefined;
  output = process.stdout.isTTY ? readableLines(background, hasColours) : background;
  return output;
}

/** Logger of a service in this process. A line names its service once. */
export function loggerOf(service: string, logger: Logger): Logger {
  return 'service' in logger.bindings() ? logger : logger.child({ service });
}
