import { describe, expect, it } from '@jest/globals';
import { createLogger, renderMetrics } from '@watchword/observability';
import { DatabaseUnavailable } from '@watchword/postgres';
import { ServiceUnavailable } from '@watchword/rpc';
import { waitUntil } from '@watchword/testing';
import { DatabaseError } from 'pg';
import {
  unavailableDelayMs,
  BatchRunner,
  type Delivery,
  pause,
  reasonOf,
  Stopped,
} from './batch-runner.js';
import { range } from '../contract/messages.kit.js';
import { type IncomingMessage, TransientError } from '../bus.port.js';
import { isTransient } from './transient-errors.js';

const logger = createLogger({ service: 'test', level: 'silent' });

function delivery(n: number, key = `key-${n}`): Delivery {
  const message = { id: String(n), key, type: 't', time: '', payload: n };
  return { message, attempts: 0 };
}

const numberOf = (message: IncomingMessage) => message.payload as number;

/**
 * Runs a batch whose handler fails when it gets one of `poison`. Records handled and buried
 * messages.
 */
function setUp(poison: number[], attemptsMax = 5) {
  const calls: number[][] = [];
  const handled: number[] = [];
  const buried: { n: number; reason: string; attempts: number }[] = [];
  const stopping = new AbortController();
  const world = { error: undefined as unknown };
  const pauses: number[] = [];
  const runner = new BatchRunner({
    about: { topic: 'spec', group: 'runner' },
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
    pause: async (delayMs, signal) => {
      pauses.push(delayMs);
      await pause(1, signal);
    },
  });
  return { runner, calls, handled, buried, stopping, world, pauses };
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
    const { runner, calls, buried, pauses } = setUp(range(1, 50));
    await runner.run(range(1, 50).map((n) => delivery(n, 'one key')));
    expect(pauses).toEqual([50, 100, 150, 250]);
    expect(buried.map(({ n, attempts }) => [n, attempts])).toEqual(range(1, 50).map((n) => [n, 5]));
    expect(calls.filter((call) => call.includes(50))).toHaveLength(5);
  });

  it('gives a message that fails alone half a second to recover', async () => {
    const { runner, buried, pauses } = setUp([1]);
    await runner.run([delivery(1)]);
    expect(pauses).toEqual([50, 100, 150, 250]);
    expect(buried).toMatchObject([{ n: 1, attempts: 5 }]);
  });

  it('counts nothing while the environment is unavailable, in a part or in the whole', async () => {
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
    stopping.abort();
    await expect(running).rejects.toThrow(Stopped);
  });

  it('tries to bury until it is written down', async () => {
    let refusals = 2;
    const written: string[] = [];
    const runner = new BatchRunner({
      about: { topic: 'spec', group: 'stubborn' },
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
    expect(await lettersCounted('stubborn')).toBe(1);
  });

  it('is handled while those that cannot be read are buried, and waits for both', async () => {
    const handled: number[] = [];
    let write: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (write = resolve));
    const runner = new BatchRunner({
      about: { topic: 'spec', group: 'unreadable' },
      logger,
      attemptsMax: 5,
      signal: new AbortController().signal,
      handle: async (batch) => void handled.push(...batch.map(numberOf)),
      bury: () => written,
    });
    const unreadable = range(1, 40).map((n) => ({ delivery: delivery(n), problem: 'no JSON' }));
    let isDone = false;
    const running = runner.run([delivery(41)], unreadable).then(() => (isDone = true));
    await waitUntil('its neighbour to be handled', () => handled.length > 0);
    expect(isDone).toBe(false);
    write();
    await running;
    expect(handled).toEqual([41]);
    expect(await lettersCounted('unreadable')).toBe(40);
  });

  it('leaves no letter being written behind it when it is stopped', async () => {
    const stopping = new AbortController();
    const writing: (() => void)[] = [];
    const written: string[] = [];
    const runner = new BatchRunner({
      about: { topic: 'spec', group: 'stopped' },
      logger,
      attemptsMax: 5,
      signal: stopping.signal,
      handle: async () => undefined,
      bury: async ({ message }) => {
        if (message.key === 'away') throw new TransientError('away');
        await new Promise<void>((resolve) => writing.push(resolve));
        written.push(message.id);
      },
    });
    const lost = [delivery(1, 'away'), delivery(2, 'slow'), delivery(3, 'slow')];
    const running = runner.run(
      [],
      lost.map((one) => ({ delivery: one, problem: 'no JSON' })),
    );
    const ended = running.catch((error: unknown) => [error, [...written]]);
    stopping.abort();
    for (let letter = 1; letter <= 2; letter += 1) {
      await waitUntil('a letter to be written', () => writing.length === letter);
      writing[letter - 1]?.();
    }
    expect(await ended).toEqual([expect.any(Stopped), ['2', '3']]);
  });

  it('counts the letters of its group, those that could not be read among them', async () => {
    const before = await lettersCounted('runner');
    const { runner } = setUp([1, 3], 2);
    const batch = range(1, 4).map((n) => delivery(n));
    await runner.run(batch, [{ delivery: delivery(5), problem: 'the payload is not JSON' }]);
    expect((await lettersCounted('runner')) - before).toBe(3);
  });
});

async function lettersCounted(group: string): Promise<number> {
  const name = `watchword_dead_letters_total{topic="spec",group="${group}"} `;
  const shown = (await renderMetrics()).split('\n').find((line) => line.startsWith(name));
  return Number(shown?.slice(name.length) ?? 0);
}

/** An error as the driver makes it. Its text quotes the value that it was given. */
function ofPostgres(code: string, more: Partial<DatabaseError> = {}): DatabaseError {
  const text = 'invalid input: "+2348031234599"';
  return Object.assign(new DatabaseError(text, text.length, 'error'), { code, ...more });
}

describe('the reason of a dead letter', () => {
  it.each([
    [ofPostgres('22P02'), 'database: 22P02 invalid_text_representation'],
    [ofPostgres('22099'), 'database: 22099 data_exception'],
    [
      ofPostgres('23505', { table: 'messages', constraint: 'messages_pkey' }),
      'database: 23505 unique_violation (messages, messages_pkey)',
    ],
    [new Error('no', { cause: ofPostgres('XX000') }), 'database: XX000 internal_error'],
    [new Error('a defect'), 'Error: a defect'],
    ['text', 'text'],
  ])('has no value of the message, and is the same for all of one cause: %#', (error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });

  it('says of a parser only what it is: its text quotes what it read', () => {
    const parse = () => JSON.parse('Jane +2348031234599') as unknown;
    expect(() => parse()).toThrow('Jane');
    try {
      parse();
    } catch (error) {
      expect(reasonOf(error)).toBe('SyntaxError');
    }
  });
});

const coded = (code: string) => Object.assign(new Error('socket'), { code });

describe('the pause while something is unavailable', () => {
  it('doubles with each try up to its maximum', () => {
    expect(range(0, 6).map((tries) => unavailableDelayMs(tries, 1_000))).toEqual([
      25, 50, 100, 200, 400, 800, 1_000,
    ]);
  });
});

describe('transient errors', () => {
  it.each([
    ['of cardinality', '21000'],
    ['of data', '22P02'],
    ['of data that is no text', '22021'],
    ['of a constraint', '23505'],
    ['of a limit', '54000'],
    ['of ours', 'P0001'],
    ['that it cannot explain', 'XX000'],
  ])('are not what PostgreSQL says of values: %s, %s', (_, state) => {
    expect(isTransient(ofPostgres(state))).toBe(false);
    expect(isTransient(new Error('wrapped', { cause: ofPostgres(state) }))).toBe(false);
  });

  it.each([
    ['a connection is lost', '08006'],
    ['a plan is of the table as it was', '0A000'],
    ['it is read-only', '25006'],
    ['a role is not let in', '28P01'],
    ['a deadlock', '40P01'],
    ['others were faster', '40001'],
    ['a right is missing', '42501'],
    ['a table is missing', '42P01'],
    ['a column is missing', '42703'],
    ['a function is missing', '42883'],
    ['its disk is full', '53100'],
    ['a lock was not to be had', '55P03'],
    ['a statement took too long', '57014'],
    ['it stops', '57P01'],
    ['a file cannot be read', '58030'],
  ])('are all else that PostgreSQL says: %s, %s', (_, state) => {
    expect(isTransient(ofPostgres(state))).toBe(true);
    expect(isTransient(new Error('wrapped', { cause: ofPostgres(state) }))).toBe(true);
  });

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
