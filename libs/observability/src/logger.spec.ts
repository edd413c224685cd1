import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

function logged(level: string, write: (logger: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  write(createLogger({ service: 'gateway', level }, { write: (line) => void lines.push(line) }));
  return lines;
}

describe('the log', () => {
  it('is one JSON object per line, with service, level by name and time', () => {
    const [line] = logged('info', (logger) => logger.info({ messageId: 'm1' }, 'sent'));
    const { time, ...rest } = JSON.parse(line ?? '') as Record<string, unknown>;
    expect(rest).toEqual({ level: 'info', service: 'gateway', messageId: 'm1', msg: 'sent' });
    expect(new Date(String(time)).toISOString()).toBe(time);
  });

  it.each([
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
  ])('never holds the value of %s, at the top or within five levels', (field) => {
    const sentinel = 'sentinel-493817';
    const lines = logged('trace', (logger) => {
      logger.info({ [field]: sentinel }, 'top');
      logger.error({ request: { [field]: sentinel } }, 'one level down');
      logger.warn({ request: { headers: { [field]: sentinel } } }, 'two levels down');
      logger.warn({ a: { b: { c: [{ d: { [field]: sentinel } }] } } }, 'five levels down');
      logger.info({ a: { toJSON: () => ({ [field]: sentinel }) } }, 'in what an object writes');
      logger.child({ [field]: sentinel }).info('in a child');
      logger
        .child({ a: 1 })
        .child({ request: { [field]: sentinel } })
        .info('in its child');
      const bound = logger.child({ a: 1 });
      bound.setBindings({ request: { [field]: sentinel } });
      bound.info({ list: [{ [field]: sentinel }] }, 'in its bindings and in a list');
    });
    expect(lines).toHaveLength(8);
    for (const line of lines) expect(line).toContain('[redacted]');
    expect(lines.join('')).not.toContain(sentinel);
  });

  it('leaves the fields of the caller as they are, and cuts off what is too deep or cyclic', () => {
    const fields: Record<string, unknown> = { request: { token: 'secret' }, list: [1, 2] };
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const [line] = logged('info', (logger) => logger.info({ ...fields, cyclic }, 'asked'));
    expect(fields).toEqual({ request: { token: 'secret' }, list: [1, 2] });
    expect(JSON.parse(line ?? '')).toMatchObject({ list: [1, 2] });
    expect(line).toContain('[too deep]');
  });

  it('takes of an error what is listed, and nothing that was hung onto it', () => {
    const driver = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (phone)=(+2348012345678) already exists.',
      client: { secretKey: 4711, query: { values: ['+2348012345678'] } },
    });
    const error = new TypeError('not saved', { cause: driver });
    const lines = [
      ...logged('info', (logger) => logger.error({ err: error }, 'failed')),
      ...logged('info', (logger) => logger.error(error)),
      ...logged('info', (logger) => logger.error(error, 'failed')),
    ];
    for (const line of lines) {
      const { err } = JSON.parse(line) as { err: Record<string, unknown> };
      expect(err).toMatchObject({
        name: 'TypeError',
        message: 'not saved',
        cause: { name: 'Error', message: 'duplicate key', errorCode: '23505' },
      });
      expect(err['stack']).toContain('logger.spec.ts');
      expect(line).not.toMatch(/2348012345678|4711/);
    }
  });

  it('takes of what PostgreSQL says of data only which state it is: its text quotes a value', () => {
    const text = 'invalid input syntax for type uuid: "+2348012345678"';
    const driver = Object.assign(new Error(text), { code: '22P02' });
    const error = new TypeError('not saved', { cause: driver });
    const [line] = logged('info', (logger) => logger.error({ err: error }, 'failed'));
    const { err } = JSON.parse(line ?? '') as { err: { cause: Record<string, string> } };
    expect(err.cause).toMatchObject({ errorCode: '22P02' });
    expect(err.cause['stack']).toContain('logger.spec.ts');
    expect(line).not.toContain('2348012345678');
  });
});
