import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, openServiceDatabase, roleOf } from '@watchword/postgres';
import { eventually } from '@watchword/testing';
import { message, newTopic, range } from '../contract/messages.kit.js';
import { PostgresSystem } from '../contract/postgres-system.kit.js';

describe('a handler whose PostgreSQL is not as it should be', () => {
  let system: PostgresSystem;

  beforeAll(async () => {
    system = await PostgresSystem.start();
    await system.admin('CREATE TABLE billing.done (n integer PRIMARY KEY)');
    await system.admin(`GRANT SELECT, INSERT ON billing.done TO ${roleOf('billing')}`);
  }, 120_000);

  afterAll(async () => {
    await system?.stop();
  }, 60_000);

  const insert = 'INSERT INTO done SELECT unnest($1::integer[]) ON CONFLICT DO NOTHING';
  const numbers = range(1, 20);
  /**
   * Milliseconds. Five tries take 550 ms, so a consumer that blames the message has buried it by
   * then.
   */
  const longEnoughMs = 1_500;

  /** Breaks the environment, publishes, and repairs it. Returns the tries made meanwhile. */
  async function throughTrouble(
    work: (values: number[]) => Promise<unknown>,
    trouble: { begin: () => Promise<unknown>; end: () => Promise<unknown> },
  ): Promise<unknown[]> {
    await system.admin('TRUNCATE billing.done');
    const topic = newTopic();
    const bus = await system.open([topic]);
    const failures: unknown[] = [];
    await trouble.begin();
    await bus.subscribe<{ n: number }>(topic, { group: 'g' }, async (batch) => {
      await work(batch.map(({ payload }) => payload.n)).catch((error: unknown) => {
        failures.push(error);
        throw error;
      });
    });
    await bus.publish(
      topic,
      numbers.map((n) => message(n)),
    );
    await new Promise((resolve) => setTimeout(resolve, longEnoughMs));
    expect(await system.admin('SELECT n FROM billing.done')).toEqual([]);
    await trouble.end();
    await eventually(async () => {
      const done = await system.admin('SELECT n FROM billing.done ORDER BY n');
      expect(done.map(({ n }) => n)).toEqual(numbers);
    });
    expect(await system.deadLetters(topic, 'g')).toEqual([]);
    await bus.close();
    return failures;
  }

  /** Handles as a service does: by a pool that reports an unavailable database. */
  async function byPool(trouble: Parameters<typeof throughTrouble>[1]): Promise<unknown[]> {
    const database = openServiceDatabase({
      service: 'billing',
      url: system.database.urlOf('billing'),
      poolSize: 2,
      statementTimeoutMs: 100,
    });
    try {
      return await throughTrouble(
        (values) => database.pool.patient.query(insert, [values]),
        trouble,
      );
    } finally {
      await database.close();
    }
  }

  /** Handles with a plain client, so that PostgreSQL's own errors arrive. */
  function byClient(trouble: Parameters<typeof throughTrouble>[1]): Promise<unknown[]> {
    const url = system.database.urlOf('billing');
    const options = { applicationName: 'handler', schema: 'billing', statementTimeoutMs: 100 };
    return throughTrouble(async (values) => {
      const client = createClient({ url, ...options });
      await client.connect();
      await client.query(insert, [values]).finally(() => client.end());
    }, trouble);
  }

  const readOnly = () => {
    const role = `${roleOf('billing')} IN DATABASE ${databaseName()}`;
    return {
      begin: () => system.admin(`ALTER ROLE ${role} SET default_transaction_read_only = on`),
      end: () => system.admin(`ALTER ROLE ${role} RESET default_transaction_read_only`),
    };
  };
  const databaseName = () => new URL(system.database.adminUrl).pathname.slice(1);

  const locked = () => {
    const url = system.database.adminUrl;
    const holder = createClient({ url, applicationName: 'holder' });
    return {
      begin: async () => {
        await holder.connect();
        await holder.query('BEGIN; LOCK TABLE billing.done IN EXCLUSIVE MODE');
      },
      end: async () => {
        await holder.query('ROLLBACK');
        await holder.end();
      },
    };
  };

  const withoutRight = () => ({
    begin: () => system.admin(`REVOKE INSERT ON billing.done FROM ${roleOf('billing')}`),
    end: () => system.admin(`GRANT INSERT ON billing.done TO ${roleOf('billing')}`),
  });

  it.each([
    ['is read-only', readOnly, '25006'],
    ['holds a lock for longer than a statement may take', locked, '57014'],
    ['lacks a right', withoutRight, '42501'],
  ])('waits while it %s, and buries nothing', async (_, trouble, state) => {
    const failures = await byClient(trouble());
    expect(new Set(failures.map((failure) => (failure as { code: string }).code))).toEqual(
      new Set([state]),
    );
  });

  it.each([
    ['is read-only', readOnly],
    ['holds a lock for longer than a statement may take', locked],
  ])('waits by the pool of a service while it %s, too', async (_, trouble) => {
    const failures = await byPool(trouble());
    expect(failures.length).toBeGreaterThan(1);
    for (const failure of failures) {
      expect(failure).toMatchObject({ name: 'DatabaseUnavailable', outcomeUnknown: false });
    }
  });

  it('is not waited for when it is what the message says that it cannot take', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    await bus.subscribe<{ n: number }>(topic, { group: 'g', attemptsMax: 2 }, (batch) =>
      Promise.all(
        batch.map(({ payload }) => system.admin('SELECT $1::uuid', [`+234803000${payload.n}`])),
      ).then(() => undefined),
    );
    await bus.publish(topic, [message(1), message(2)]);
    const reason = 'database: 22P02 invalid_text_representation';
    await eventually(async () => {
      expect((await system.deadLetters(topic, 'g')).map((letter) => letter.reason)).toEqual([
        reason,
        reason,
      ]);
    });
    await bus.close();
  });
});
