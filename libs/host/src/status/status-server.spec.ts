import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@watchword/postgres';
import { createLogger } from '@watchword/observability';
import { type StatusOptions, type StatusServer, startStatusServer } from './status-server.js';

const logger = createLogger({ service: 'test', level: 'silent' });

/** Each check answers as this says at that time. */
interface World {
  database: boolean | 'silent';
  bus: boolean | 'silent';
  redis: boolean;
  billing: boolean;
}

let world: World;
let port: number;
let status: StatusServer;
let options: StatusOptions;

const waiting = { topic: 't', group: 'g', waiting: 3, oldestSeconds: 90 };
const backlog = { service: 'gateway' as const, waiting: 5, oldestSeconds: 70 };

function answered<Answer>(isThere: boolean | 'silent', answer: Answer): Promise<Answer> {
  if (isThere === 'silent') return new Promise(() => undefined);
  return isThere ? Promise.resolve(answer) : Promise.reject(new Error('away'));
}

beforeEach(async () => {
  world = { database: true, bus: true, redis: true, billing: true };
  port = await freePort();
  const check = () => answered(world.database, undefined);
  options = {
    config: { metricsPort: port, internalHost: '127.0.0.1' },
    databases: new Map([['gateway', { pool: { check } }]]),
    hostBus: {
      check: () => answered(world.bus, undefined),
      lag: () => answered(world.bus, [waiting]),
      backlogs: () => answered(world.database, [backlog]),
    },
    rpc: { reachable: () => ({ billing: world.billing }) },
    schemas: [{ schema: 'gateway', at: 'Gateway1763680000002', ran: 1 }],
    dependencies: new Map([['redis', () => world.redis]]),
    logger,
    checkTimeoutMs: 60_000,
  };
  status = await startStatusServer(options);
});

/** What hangs takes longer than this server waits. */
async function startImpatient(): Promise<void> {
  await status.close();
  status = await startStatusServer({ ...options, checkTimeoutMs: 100 });
}

afterEach(() => status.close());

async function ready() {
  const answer = await fetch(`http://127.0.0.1:${port}/ready`);
  return { code: answer.status, ...((await answer.json()) as Record<string, unknown>) };
}

async function metrics(): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return text.split('\n').filter((line) => /^watchword_(?:bus|message_queue)_/.test(line));
}

async function dependencies(): Promise<string[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return text.split('\n').filter((line) => line.startsWith('watchword_dependency_up'));
}

describe('/ready', () => {
  it('shows what the process depends on, how far it is, and its migrations', async () => {
    expect(await ready()).toEqual({
      code: 200,
      status: 'ready',
      migrations: { gateway: { at: 'Gateway1763680000002', ran: 1 } },
      own: { 'database of gateway': true },
      others: { bus: true, redis: true, billing: true },
      lag: [waiting],
    });
  });

  it.each(['bus', 'redis', 'billing'] as const)(
    'says that %s is away, which is no reason not to be ready, and that it is back',
    async (name) => {
      world[name] = false;
      const others = { bus: true, redis: true, billing: true, [name]: false };
      expect(await ready()).toMatchObject({ code: 200, status: 'ready', others });
      world[name] = true;
      expect(await ready()).toMatchObject({ code: 200, others: { [name]: true } });
    },
  );

  it('is 503 without the database, and from the moment on that it leaves', async () => {
    world.database = false;
    expect(await ready()).toMatchObject({
      code: 503,
      status: 'unavailable',
      own: { 'database of gateway': false },
    });
    world.database = true;
    const health = async () => (await fetch(`http://127.0.0.1:${port}/health`)).json();
    expect(await health()).toEqual({ status: 'ok' });
    status.leaving();
    expect(await ready()).toMatchObject({ code: 503, status: 'leaving' });
    expect(await health()).toEqual({ status: 'leaving' });
  });
});

describe('/metrics', () => {
  it('shows no old numbers of a bus that is away, but that it is', async () => {
    await metrics();
    world.bus = false;
    expect(await metrics()).toEqual([
      'watchword_bus_unavailable 1',
      'watchword_message_queue_waiting{service="gateway"} 5',
      'watchword_message_queue_oldest_waiting_seconds{service="gateway"} 70',
    ]);
    world.bus = true;
    world.database = false;
    expect(await metrics()).toEqual([
      'watchword_bus_unavailable 0',
      'watchword_bus_waiting{topic="t",group="g"} 3',
      'watchword_bus_oldest_waiting_seconds{topic="t",group="g"} 90',
    ]);
  });
});

describe('dependencies', () => {
  const shown = (values: Record<string, number>) =>
    Object.entries(values).map(
      ([name, value]) => `watchword_dependency_up{dependency="${name}"} ${value}`,
    );

  it('are shown in time when the database and the bus hang', async () => {
    await startImpatient();
    world = { ...world, database: 'silent', bus: 'silent' };
    expect(await dependencies()).toEqual(shown({ database: 0, bus: 0, redis: 1, billing: 1 }));
  });
});
