/**
 * Two programs that do nothing but send webhooks, built from their sources: `svix-server` (needs Redis) and `outpost`
 * of Hookdeck (needs Redis and RabbitMQ). Each has its own database on the bench's PostgreSQL, one application and the
 * endpoints; an event is published by its HTTP API, as they have no other way.
 *
 * - `BENCH_SVIX`: path of `svix-server`.
 * - `BENCH_OUTPOST`: path of `outpost-server`, with `outpost` beside it, and `BENCH_RABBITMQ_URL`: of a running server.
 */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { startRedis } from '@watchword/local-servers';
import { freePort } from '@watchword/postgres';
import { request } from 'undici';
import type { Environment } from '../support/environment.ts';
import { answers } from '../support/operator.ts';

export interface FanOutPeer {
  readonly name: string;
  readonly publish: (event: object) => Promise<unknown>;
}

interface Options {
  readonly environment: Environment;
  /** URL of each endpoint. */
  readonly endpoints: readonly string[];
}

/** Starts the peers whose paths are set. */
export async function startFanOutPeers(options: Options): Promise<FanOutPeer[]> {
  const { BENCH_SVIX: svix, BENCH_OUTPOST: outpost } = process.env;
  const peers: FanOutPeer[] = [];
  if (svix) peers.push(await startSvix(svix, options));
  if (outpost) peers.push(await startOutpost(outpost, options));
  return peers;
}

async function startSvix(
  program: string,
  { environment, endpoints }: Options,
): Promise<FanOutPeer> {
  const port = await freePort();
  const redis = await startRedis({ dataDir: join(environment.directory, 'svix-redis') });
  const settings = {
    SVIX_LISTEN_ADDRESS: `127.0.0.1:${port}`,
    SVIX_DB_DSN: await environment.database('svix'),
    SVIX_REDIS_DSN: redis.url,
    SVIX_JWT_SECRET: 'a secret of a bench on this machine',
    SVIX_WHITELIST_SUBNETS: '[127.0.0.1/32]',
    SVIX_DB_POOL_MAX_SIZE: '20',
    SVIX_LOG_LEVEL: 'info',
  };
  const env = { PATH: process.env['PATH'], ...settings };
  execFileSync(program, ['migrate'], { env, stdio: 'ignore' });
  const printed = execFileSync(program, ['jwt', 'generate'], { env }).toString();
  const token = /eyJ\S+/.exec(printed)![0];
  environment.program(program, [], settings, redis);
  const url = `http://127.0.0.1:${port}/api/v1`;
  await answers(`${url}/health/`);
  const post = poster(url, token);
  const { id } = await post('/app/', { name: 'bench' });
  for (const endpoint of endpoints) await post(`/app/${id}/endpoint/`, { url: endpoint });
  return {
    name: 'svix-server',
    publish: (payload) => post(`/app/${id}/msg/`, { eventType: 'sms.delivered', payload }),
  };
}

async function startOutpost(
  program: string,
  { environment, endpoints }: Options,
): Promise<FanOutPeer> {
  const port = await freePort();
  const redis = await startRedis({ dataDir: join(environment.directory, 'outpost-redis') });
  const { port: redisPort } = new URL(redis.url);
  const settings = {
    API_PORT: String(port),
    LOG_LEVEL: 'error',
    API_KEY: 'bench',
    API_JWT_SECRET: 'a secret of a bench',
    AES_ENCRYPTION_SECRET: 'another secret of it',
    TOPICS: 'sms.delivered',
    REDIS_HOST: '127.0.0.1',
    REDIS_PORT: redisPort,
    POSTGRES_URL: `${await environment.database('outpost')}?sslmode=disable`,
    RABBITMQ_SERVER_URL: process.env['BENCH_RABBITMQ_URL'] ?? '',
    // One at a time is its default.
    DELIVERY_MAX_CONCURRENCY: '64',
    LOG_MAX_CONCURRENCY: '4',
    PUBLISH_MAX_CONCURRENCY: '16',
    DISABLE_TELEMETRY: 'true',
    SERVICE: '',
  };
  const env = { PATH: process.env['PATH'], ...settings };
  const tool = join(dirname(program), 'outpost');
  execFileSync(tool, ['migrate', 'apply', '--yes'], { env, stdio: 'ignore' });
  environment.program(program, [], settings, redis);
  const url = `http://127.0.0.1:${port}/api/v1`;
  await answers(`${url}/healthz`);
  const post = poster(url, 'bench');
  await post('/tenants/bench', undefined, 'PUT');
  for (const endpoint of endpoints) {
    const destination = { type: 'webhook', topics: ['sms.delivered'], config: { url: endpoint } };
    await post('/tenants/bench/destinations', destination);
  }
  const event = { tenant_id: 'bench', topic: 'sms.delivered' };
  return { name: 'outpost', publish: (data) => post('/publish', { ...event, data }) };
}

function poster(url: string, token: string) {
  return async (path: string, body: unknown, method: 'POST' | 'PUT' = 'POST') => {
    const answer = await request(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text || '{}') as { id: string };
  };
}
