import { type DestinationStream, pino, type Logger as PinoLogger } from 'pino';
import { errorFields } from './error-fields.js';

/** Structured JSON lines. Fields first, then the sentence: `logger.info({ messageId }, 'sent')`. */
export type Logger = PinoLogger;

/**
 * Names whose values never reach a log, wherever they stand within two levels: codes, keys,
 * secrets, bodies. Destinations are masked by those who log them (`maskNumber`), because only
 * they know which field is one.
 */
const SECRET_FIELDS = [
  'code',
  'body',
  'text',
  'message_text',
  'password',
  'secret',
  'token',
  'api_key',
  'apiKey',
  'authorization',
  'cookie',
  'pepper',
];

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
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
      censor: '[redacted]',
    },
  };
  return destination ? pino(settings, destination) : pino(settings);
}

/** Of a service in this process. A line names its service once: whose all lines are already is not told again. */
export function loggerOf(service: string, logger: Logger): Logger {
  return 'service' in logger.bindings() ? logger : logger.child({ service });
}
