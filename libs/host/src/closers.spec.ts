import { describe, expect, it } from '@jest/globals';
import { Closers } from './closers.js';

function recorder() {
  const log: string[] = [];
  const closers = new Closers();
  const add = (name: string, close: () => Promise<void> = async () => {}) =>
    closers.add({
      close: () => {
        log.push(`close ${name}`);
        return close();
      },
      abort: () => log.push(`abort ${name}`),
    });
  return { log, closers, add };
}

describe('closers', () => {
  it('leave time for the rest after open work', async () => {
    const closers = new Closers(600_000);
    await closers.close();
    expect(closers.graceMs()).toBeLessThan(600_000);
    expect(new Closers(1).graceMs()).toBe(0);
  });

  it('close in the reverse order', async () => {
    const { log, closers, add } = recorder();
    add('database');
    add('services');
    await closers.close();
    expect(log).toEqual(['close services', 'close database']);
  });

  it('go on after a failure, abort what failed and report it', async () => {
    const { log, closers, add } = recorder();
    add('database');
    add('services', () => Promise.reject(new Error('stuck')));
    await expect(closers.close()).rejects.toThrow('stuck');
    expect(log).toEqual(['close services', 'abort services', 'close database']);
  });

  it('abort what is still there, the one that hangs included', async () => {
    const { log, closers, add } = recorder();
    add('database');
    add('services', () => new Promise(() => undefined));
    add('done');
    void closers.close();
    await new Promise(setImmediate);
    closers.abort();
    expect(log).toEqual(['close done', 'close services', 'abort services', 'abort database']);
  });
});
