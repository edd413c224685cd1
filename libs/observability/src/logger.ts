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

export function createLogger(
  options: { service: string; level: string },
  destination?: DestinationStream,
): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
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
