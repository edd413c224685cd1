/** One exit code for each kind of error, so that scripts need not read texts. */
import { ApiError, ConnectionError } from '../../sdks/typescript/src/index.js';
import { UsageError } from './command.js';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  credits: 6,
  limit: 7,
  server: 8,
  connection: 9,
  wrongCode: 10,
  interrupted: 130,
} as const;

export const EXIT_TEXTS: Record<keyof typeof EXIT, string> = {
  done: 'done',
  failed: 'failed for another reason',
  usage: 'the arguments or the input are wrong',
  notAllowed: 'the key is wrong or may not do this',
  notFound: 'not found',
  conflict: 'the state of the resource does not allow it',
  credits: 'not enough credits',
  limit: 'too many requests',
  server: 'the server failed',
  connection: 'no connection, or no answer',
  wrongCode: 'the code was wrong',
  interrupted: 'Ctrl-C',
};

const BY_STATUS: Record<number, number> = {
  401: EXIT.notAllowed,
  402: EXIT.credits,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
  429: EXIT.limit,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof ConnectionError) return EXIT.connection;
  if (!(error instanceof ApiError)) return EXIT.failed;
  if (error.type === 'authentication_error') return EXIT.notAllowed;
  const status = error.status ?? 400;
  return BY_STATUS[status] ?? (status >= 500 ? EXIT.server : EXIT.usage);
}
