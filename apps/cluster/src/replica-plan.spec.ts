import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { accessOf, planReplicas, portsNeeded } from './replica-plan.js';

const SERVERS = {
  databaseUrl: 'postgres://admin:of-all@127.0.0.1:5432/watchword',
  kafkaBrokers: ['127.0.0.1:9092'],
  kafkaHasUsers: true,
  redisUrl: 'redis://127.0.0.1',
};

function planned(environment: Record<string, string>) {
  return planReplicas({
    config: loadConfig(environment).config,
    servers: SERVERS,
    baseUrl: 'http://127.0.0.1:3000',
    replicas: 1,
    ports: Array.from({ length: portsNeeded(1) }, (_, index) => index + 1),
    access: accessOf((purpose) => `secret of ${purpose}`),
    carriersFile: '/data/carriers.json',
  });
}

function loopbackWebhooks(environment: Record<string, string>): Set<string | undefined> {
  const values = planned(environment).map((plan) => plan.environment['ALLOW_LOOPBACK_WEBHOOKS']);
  return new Set(values.filter((value) => value !== undefined));
}

describe('the replicas of a cluster', () => {
  it('post to this machine only while the balancer listens on loopback', () => {
    expect(loopbackWebhooks({})).toEqual(new Set(['true']));
    expect(loopbackWebhooks({ HOST: '0.0.0.0' })).toEqual(new Set(['false']));
    const asked = { HOST: '0.0.0.0', ALLOW_LOOPBACK_WEBHOOKS: 'true' };
    expect(loopbackWebhooks(asked)).toEqual(new Set(['true']));
  });

  it('get their own role, user and secrets, and those of no other service', () => {
    const keys = { PEPPER: 'p'.repeat(32), ENCRYPTION_KEYS: '0f'.repeat(32) };
    const read = (name: string) =>
      planned({ ...keys, OPERATOR_TOKEN: 'o'.repeat(32), CALLBACK_SECRET: 'c'.repeat(16) })
        .filter(({ environment }) => (environment[name] ?? '') !== '')
        .map(({ service }) => service)
        .toSorted();
    expect(read('PEPPER')).toEqual(['dispatch']);
    expect(read('ENCRYPTION_KEYS')).toEqual(['billing', 'dispatch', 'webhooks']);
    expect(read('OPERATOR_TOKEN')).toEqual(['gateway']);
    expect(read('CALLBACK_SECRET')).toEqual(['dispatch', 'gateway']);
    expect(read('BILLING_RPC_SECRET')).toEqual(['billing', 'gateway']);
    expect(read('REDIS_URL')).toEqual(['gateway']);
    expect(read('CARRIERS_FILE')).toEqual(['dispatch', 'gateway']);
    for (const { service, environment } of planned(keys)) {
      const url = new URL(environment['DATABASE_URL'] ?? '');
      expect(url.username).toBe(`watchword_${service}`);
      expect(environment['KAFKA_USERNAME']).toBe(`watchword_${service}`);
      expect(JSON.stringify(environment)).not.toContain('of-all');
    }
  });
});
