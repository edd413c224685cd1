import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@watchword/observability';
import { DatabaseUnavailable } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';
import { waitUntil } from '@watchword/testing';
import { BatchRunner, type Delivery, Stopped } from './batch-runner.js';
import { range } from './contract/messages.kit.js';
import { type IncomingMessage, TransientError } from './bus.port.js';
import { isTransient } from './transient-errors.js';

const logger = createLogger({ service: 'test', level: 'silent' });

function delivery(n: number, key = `key-${n}`): Delivery {
  const message = { id: String(n), key, type: 't', time: '', payload: n };
  return { message, attempts: 0 };
}

const numberOf = (message: IncomingMessage) => message.payload as number;

/** Fails every call that holds one of the `poison`; keeps what was handled and what was buried. */
function setUp(poison: number[], attemptsMax = 5) {
  const calls: number[][] = [];
  const handled: number[] = [];
  const buried: { n: number; reason: string; attempts: number }[] = [];
  const stopping = new AbortController();
  const world = { error: undefined as unknown };
  const runner = new BatchRunner({
    about: {},
    logger,
    attemptsMax,
    signal: stopping.signal,
    handle: async (batch) => {
      const numbers = batch.map(numberOf);
      calls.push(numbers);
      if (world.error) throw world.error;
      if (numbers.some((n) => poison.includes(n))) throw new Error('poison');
      handled.push(...numbers);
    },
    bury: async ({ message, attempts }, reason) => {
      buried.push({ n: numberOf(message), reason, attempts });
    },
  });
  return { runner, calls, handled, buried, stopping, world };
}

describe('a batch', () => {
  it('is one call when all is well', async () => {
    const { runner, calls } = setUp([]);
    await runner.run(range(1, 100).map((n) => delivery(n)));
    expect(calls).toEqual([range(1, 100)]);
  });

  it('is no call when it is empty', async () => {
    const { runner, calls } = setUp([]);
    await runner.run([]);
    expect(calls).toEqual([]);
  });

  it('gives up on a message after attemptsMax calls that held it, and on no other', async () => {
    for (const size of [1, 2, 3, 10, 500]) {
      const { runner, calls, handled, buried } = setUp([1], 4);
      await runner.run(range(1, size).map((n) => delivery(n)));
      expect(buried).toEqual([{ n: 1, reason: 'Error: poison', attempts: 4 }]);
      expect(calls.filter((call) => call.includes(1))).toHaveLength(4);
      expect(handled).toEqual(range(2, size));
    }
  });

  it('tries a message alone before it gives up on it, however few the attempts', async () => {
    const { runner, handled, buried } = setUp([2], 1);
    await runner.run(range(1, 3).map((n) => delivery(n)));
    expect(buried.map(({ n }) => n)).toEqual([2]);
    expect(handled).toEqual([1, 3]);
  });

  it('hands each message over once when it succeeds, also next to poison', async () => {
    const { runner, handled, buried } = setUp([3, 77, 78, 400]);
    await runner.run(range(1, 400).map((n) => delivery(n)));
    expect(handled.toSorted((a, b) => a - b)).toEqual(
      range(1, 400).filter((n) => ![3, 77, 78, 400].includes(n)),
    );
    expect(buried.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual([3, 77, 78, 400]);
  });

  it('keeps the order of a key behind its poison, and lets other keys pass', async () => {
    const { runner, handled, buried } = setUp([3, 5], 3);
    await runner.run(range(1, 12).map((n) => delivery(n, n % 2 ? 'odd' : 'even')));
    expect(handled).toEqual([2, 4, 6, 8, 10, 12].toSpliced(0, 0, 1).concat([7, 9, 11]));
    expect(buried.map(({ n }) => n)).toEqual([3, 5]);
  });

  it('makes neighbours wait for half a second in all, however many of a key fail', async () => {
    const { runner, calls, buried } = setUp(range(1, 50));
    const startedAt = performance.now();
    await runner.run(range(1, 50).map((n) => delivery(n, 'one key')));
    // 550 ms of pauses, however busy the machine is; each with pauses of its own would take half a minute.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(buried.map(({ n, attempts }) => [n, attempts])).toEqual(range(1, 50).map((n) => [n, 5]));
    expect(calls.filter((call) => call.includes(50))).toHaveLength(5);
  });

  it('gives a message that fails alone half a second to recover', async () => {
    const { runner, handled } = setUp([]);
    const failing = setUp([1]);
    const startedAt = performance.now();
    await Promise.all([runner.run([delivery(1)]), failing.runner.run([delivery(1)])]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(540);
    expect([handled, failing.buried]).toMatchObject([[1], [{ n: 1, attempts: 5 }]]);
  });

  it('counts nothing while the world is away, in a part or in the whole', async () => {
    const { runner, world, calls, handled, buried } = setUp([2], 3);
    world.error = new TransientError('away');
    const running = runner.run(range(1, 4).map((n) => delivery(n)));
    await waitUntil('three calls', () => calls.length >= 3);
    world.error = undefined;
    await running;
    expect(handled).toEqual([1, 3, 4]);
    expect(buried).toEqual([{ n: 2, reason: 'Error: poison', attempts: 3 }]);
  });

  it('stops between tries, and then nothing counts as handled', async () => {
    const { runner, world, stopping } = setUp([]);
    world.error = new TransientError('away');
    const running = runner.run([delivery(1)]);
    setTimeout(() => stopping.abort(), 20);
    await expect(running).rejects.toThrow(Stopped);
  });

  it('tries to bury until it is written down', async () => {
    let refusals = 2;
    const written: string[] = [];
    const runner = new BatchRunner({
      about: {},
      logger,
      attemptsMax: 1,
      signal: new AbortController().signal,
      handle: () => Promise.reject(new Error('poison')),
      bury: async (_, reason) => {
        refusals -= 1;
        if (refusals >= 0) throw new DatabaseUnavailable(false, undefined);
        written.push(reason);
      },
    });
    await runner.run([delivery(1)]);
    expect(written).toEqual(['Error: poison']);
  });
});

const coded = (code: string) => Object.assign(new Error('socket'), { code });

describe('transient errors', () => {
  it.each([
    new TransientError('away'),
    new DatabaseUnavailable(true, undefined),
    new ServiceUnavailable('billing', 'charge'),
    coded('ECONNREFUSED'),
    coded('ECONNRESET'),
    new Error('wrapped', { cause: new Error('twice', { cause: coded('EPIPE') }) }),
  ])('are recognised: %s', (error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each([new Error('a defect'), new TypeError('undefined'), coded('ENOENT'), 'text', undefined])(
    'are not to be confused with: %s',
    (error) => {
      expect(isTransient(error)).toBe(false);
    },
  );
});
