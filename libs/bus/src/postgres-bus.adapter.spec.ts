import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Topic } from '@watchword/contracts';
import { createLogger } from '@watchword/observability';
import {
  createClient,
  migrate,
  openServiceDatabase,
  roleOf,
  startEmbeddedPostgres,
  urlFor,
} from '@watchword/postgres';
import { eventually, type ClonedDatabase, cloneDatabase } from '@watchword/testing';
import { describeBusContract } from './bus-contract.kit.js';
import type { BusSystem, OpenTransaction } from './contract/ground.kit.js';
import { message, newTopic, range, Recorder } from './contract/messages.kit.js';
import { busPlan, provisionBus } from './bus.migration.js';
import type { OutgoingMessage } from './bus.port.js';
import { createOutbox } from './outbox.migration.js';
import { PostgresBus } from './postgres-bus.adapter.js';

class BillingOutbox1763500000000 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('billing'));
  }
  async down(): Promise<void> {}
}

class GatewayOutbox1763500000000 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(createOutbox('gateway'));
  }
  async down(): Promise<void> {}
}

const logger = createLogger({ service: 'test', level: 'silent' });

class PostgresSystem implements BusSystem {
  private readonly tools: PostgresBus[] = [];

  private constructor(readonly database: ClonedDatabase) {}

  static async start(): Promise<PostgresSystem> {
    const database = await cloneDatabase([
      { schema: 'billing', migrations: [BillingOutbox1763500000000] },
      { schema: 'gateway', migrations: [GatewayOutbox1763500000000] },
      busPlan,
    ]);
    await provisionBus(database.adminUrl, [newTopic('billing'), newTopic('gateway')]);
    return new PostgresSystem(database);
  }

  open(topics: readonly Topic[]): Promise<PostgresBus> {
    return PostgresBus.open({ url: this.database.urlOf('bus'), logger, topics });
  }

  /** As the service itself does it: in its own transaction, under its own role. */
  async begin(topic: Topic, messages: readonly OutgoingMessage[]): Promise<OpenTransaction> {
    const url = this.database.urlOf(topic.owner);
    const client = createClient({ url, applicationName: 'service', schema: topic.owner });
    await client.connect();
    await client.query('BEGIN');
    for (const { key, id, type, time, payload } of messages) {
      await client.query(
        `INSERT INTO outbox (topic, key, message_id, type, occurred_at, payload)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [topic.name, key, id, type, time, payload],
      );
    }
    const end = async (how: string) => {
      await client.query(how);
      await client.end();
    };
    return { commit: () => end('COMMIT'), rollBack: () => end('ROLLBACK') };
  }

  /** All connections of all buses in this database: the one at hand cannot be told from others. */
  async cutOff(): Promise<void> {
    await this.admin(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'watchword-bus%' AND datname = current_database()`,
    );
  }

  async deadLetters(topic: Topic, group: string) {
    const letters = await (await this.tool(topic)).listDeadLetters(topic, group, 100);
    return letters.map(({ id, reason, attempts }) => ({ id, reason, attempts }));
  }

  async replayDeadLetters(topic: Topic, group: string): Promise<number> {
    return (await this.tool(topic)).replayDeadLetters(topic, group);
  }

  async stop(): Promise<void> {
    await Promise.all(this.tools.map((bus) => bus.close()));
    await this.database.drop();
  }

  async admin(text: string, values: unknown[] = []) {
    const client = createClient({ url: this.database.adminUrl, applicationName: 'admin' });
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  private toolByTopic = new Map<string, PostgresBus>();

  private async tool(topic: Topic): Promise<PostgresBus> {
    const bus = this.toolByTopic.get(topic.name) ?? (await this.open([topic]));
    if (!this.toolByTopic.has(topic.name)) this.tools.push(bus);
    this.toolByTopic.set(topic.name, bus);
    return bus;
  }
}

describeBusContract('on the embedded PostgreSQL', () => PostgresSystem.start());

describe('the bus on a PostgreSQL that dies', () => {
  it('loses nothing it took, and goes on by itself', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'watchword-bus-'));
    const server = await startEmbeddedPostgres({ directory });
    try {
      await migrate({
        adminUrl: server.url,
        passwords: { billing: 'test', bus: 'test' },
        plans: [{ schema: 'billing', migrations: [BillingOutbox1763500000000] }, busPlan],
      });
      const topic = newTopic();
      await provisionBus(server.url, [topic]);
      const url = urlFor(server.url, roleOf('bus'), 'test');
      const bus = await PostgresBus.open({ url, logger, topics: [topic] });
      const recorder = new Recorder();
      await bus.subscribe(topic, { group: 'g', batchSizeMax: 5 }, recorder.handle);
      const taken: number[] = [];
      let killed = 0;
      for (const n of range(1, 150)) {
        await bus.publish(topic, [message(n)]).then(
          () => taken.push(n),
          () => new Promise((resolve) => setTimeout(resolve, 20)),
        );
        if (n === 50) killed = server.pid;
        if (n === 50) process.kill(server.pid, 'SIGKILL');
      }
      await eventually(() => expect(server.pid).not.toBe(killed));
      await eventually(() => bus.publish(topic, [message(151)]));
      await eventually(() => bus.look());
      const expected = new Set([...taken, 151]);
      await eventually(() => {
        const seen = new Set(recorder.numbers);
        expect([...expected].filter((n) => !seen.has(n))).toEqual([]);
      });
      expect(taken.length).toBeGreaterThanOrEqual(50);
      await bus.close();
    } finally {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    }
  }, 60_000);
});

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
  /** Five tries of a message take 550 ms: whoever blames it has buried it by then. */
  const longEnoughMs = 1_500;

  /** Breaks the world, has the messages come, and mends it; answers what was tried meanwhile. */
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

  /** As a service has it: patiently, by a pool that knows when nothing can be done. */
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

  /** As PostgreSQL says it, without anybody between. */
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

describe('the bus on PostgreSQL', () => {
  let system: PostgresSystem;

  beforeAll(async () => {
    system = await PostgresSystem.start();
  }, 120_000);

  afterAll(async () => {
    await system?.stop();
  }, 60_000);

  it('tells how far each group is behind', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    const recorder = new Recorder();
    const subscription = await bus.subscribe(topic, { group: 'one' }, recorder.handle);
    await bus.publish(
      topic,
      range(1, 3).map((n) => message(n)),
    );
    await eventually(async () => {
      expect(await bus.lag()).toEqual([
        { topic: topic.name, group: 'one', waiting: 0, oldestSeconds: 0 },
      ]);
    });
    await subscription.close();
    const time = new Date(Date.now() - 60_000).toISOString();
    await bus.publish(topic, [{ ...message(4), time }, message(5)]);
    const [reading] = await bus.lag();
    expect(reading?.waiting).toBe(2);
    expect(reading?.oldestSeconds).toBeGreaterThanOrEqual(60);
    expect(reading?.oldestSeconds).toBeLessThan(120);
    await bus.close();
  });

  it('prunes what all groups have passed and what is old enough, and nothing else', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    const old = new Date(Date.now() - 2 * 3_600_000).toISOString();
    const recorders = [new Recorder(), new Recorder()];
    const [, slow] = await Promise.all(
      recorders.map(({ handle }, index) => bus.subscribe(topic, { group: `g${index}` }, handle)),
    );
    await bus.publish(
      topic,
      range(1, 3).map((n) => ({ ...message(n), time: old })),
    );
    for (const recorder of recorders) {
      await eventually(() => expect(recorder.numbers).toEqual([1, 2, 3]));
    }
    await slow?.close();
    await bus.publish(topic, [{ ...message(4), time: old }, message(5)]);
    await eventually(() => expect(recorders[0]?.numbers).toEqual([1, 2, 3, 4, 5]));
    await eventually(async () => expect(await bus.prune()).toBe(3));
    const rest = await system.admin(
      'SELECT message_id FROM billing.outbox WHERE topic = $1 ORDER BY position',
      [topic.name],
    );
    expect(rest).toEqual([{ message_id: 'message-4' }, { message_id: 'message-5' }]);
    const again = await bus.subscribe(topic, { group: 'g1' }, recorders[1]!.handle);
    await eventually(() => expect(recorders[1]?.numbers).toEqual([1, 2, 3, 4, 5]));
    await eventually(async () => expect(await bus.prune()).toBe(1));
    await again.close();
    await bus.close();
  });

  it('hands over at once, without waiting for the next look by itself', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: 'g' }, recorder.handle);
    const tookMs: number[] = [];
    for (const n of range(1, 21)) {
      const startedAt = performance.now();
      await bus.publish(topic, [message(n)]);
      await eventually(() => expect(recorder.seen).toHaveLength(n));
      tookMs.push(performance.now() - startedAt);
    }
    expect(tookMs.toSorted((a, b) => a - b)[10]).toBeLessThan(100);
    await bus.close();
  });

  it('notices by itself when the transaction that held messages back has ended', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    const recorder = new Recorder();
    await bus.subscribe(topic, { group: 'g' }, recorder.handle);
    const url = system.database.urlOf('gateway');
    const bystander = createClient({ url, applicationName: 'bystander' });
    await bystander.connect();
    await bystander.query('BEGIN; SELECT pg_current_xact_id()');
    await bus.publish(topic, [message(1)]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(recorder.numbers).toEqual([]);
    await bystander.query('COMMIT');
    await bystander.end();
    await eventually(() => expect(recorder.numbers).toEqual([1]), 800);
    await bus.close();
  });

  it('asks the database next to nothing while nothing happens', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    await bus.subscribe(topic, { group: 'g' }, new Recorder().handle);
    await eventually(async () => expect(await bus.lag()).toHaveLength(1));
    const count = async () => {
      const rows = await system.admin(
        `SELECT pg_stat_clear_snapshot(), xact_commit::integer AS n FROM pg_stat_database
          WHERE datname = current_database()`,
      );
      return (rows[0] as { n: number }).n;
    };
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    const before = await count();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await count()) - before).toBeLessThan(25);
    await bus.close();
  }, 15_000);

  it('reads along the primary key, also when it is far from the beginning', async () => {
    const topic = newTopic();
    const bus = await system.open([topic]);
    for (const part of range(0, 9)) {
      await bus.publish(
        topic,
        range(1, 1_000).map((n) => message(part * 1_000 + n)),
      );
    }
    await system.admin('ANALYZE billing.outbox');
    const [last] = await system.admin(
      'SELECT xid, position FROM billing.outbox WHERE topic = $1 ORDER BY position DESC LIMIT 1',
      [topic.name],
    );
    const plan = await system.admin(
      `EXPLAIN (FORMAT JSON)
       SELECT payload FROM billing.outbox
        WHERE topic = '${topic.name}' AND (xid, position) > ('${last.xid}'::xid8, 0)
        ORDER BY xid, position LIMIT 500`,
    );
    const text = JSON.stringify(plan);
    expect(text).toContain('outbox_pkey');
    expect(text).not.toContain('Sort');
    expect(text).not.toContain('"Filter"');
    await bus.close();
  }, 20_000);

  it('lets the services write their own outbox only', async () => {
    const topic = newTopic('billing');
    const url = system.database.urlOf('gateway');
    const client = createClient({ url, applicationName: 'gateway', schema: 'gateway' });
    await client.connect();
    await expect(client.query('SELECT FROM billing.outbox')).rejects.toThrow('permission denied');
    await expect(client.query('SELECT FROM bus.dead_letters')).rejects.toThrow('permission denied');
    await client.end();
    expect(topic.owner).toBe('billing');
  });

  it('refuses topics it does not know and work after its end', async () => {
    const bus = await system.open([newTopic()]);
    await expect(bus.publish(newTopic(), [message(1)])).rejects.toThrow('not a topic of this bus');
    await bus.close();
    await expect(bus.publish(newTopic(), [message(1)])).rejects.toThrow('the bus is closed');
  });
});
