import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';
import { readableLines } from './readable-lines.js';

function shown(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  const destination = readableLines({ write: (line) => void (text += line) }, false);
  write(createLogger({ service: 'gateway', level: 'debug' }, destination));
  return text.replaceAll(/^\d\d:\d\d:\d\d\.\d{3}/gm, 'TIME');
}

describe('lines for a person', () => {
  it('show time, level, service, what happened and its fields', () => {
    expect(shown((logger) => logger.warn({ callee: 'billing', tries: 2 }, 'service away'))).toBe(
      'TIME warn  gateway   service away callee=billing tries=2\n',
    );
  });

  it('show a request as columns', () => {
    const fields = { method: 'GET', route: '/ready', status: 200, ms: 1.25, request_id: 'r1' };
    expect(shown((logger) => logger.info(fields, 'request'))).toBe(
      'TIME info  gateway   GET    200      1.3 ms  /ready  request_id=r1\n',
    );
  });

  it('show an error with its stack, and no secret', () => {
    const text = shown((logger) => logger.error({ err: new Error('away'), token: 'x1' }, 'failed'));
    expect(text).toMatch(
      /^TIME error gateway {3}failed token=\[redacted\]\n {2}Error: away\n {4}at /,
    );
    expect(text).not.toContain('x1');
  });
});
