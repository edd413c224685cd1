import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { planReplicas, portsNeeded } from './replica-plan.js';

const SERVERS = { databaseUrl: '', kafkaBrokers: ['127.0.0.1:9092'], redisUrl: '' };

function loopbackWebhooks(environment: Record<string, string>): Set<string | undefined> {
  const plans = planReplicas({
    config: loadConfig(environment).config,
    servers: SERVERS as unknown as Parameters<typeof planReplicas>[0]['servers'],
    baseUrl: 'http://127.0.0.1:3000',
    replicas: 1,
    ports: Array.from({ length: portsNeeded(1) }, (_, index) => index + 1),
  });
  return new Set(plans.map(({ environment: told }) => told['ALLOW_LOOPBACK_WEBHOOKS']));
}

describe('the replicas of a cluster', () => {
  it('post to this machine only while the balancer listens on loopback', () => {
    expect(loopbackWebhooks({})).toEqual(new Set(['true']));
    expect(loopbackWebhooks({ HOST: '0.0.0.0' })).toEqual(new Set(['false']));
    const asked = { HOST: '0.0.0.0', ALLOW_LOOPBACK_WEBHOOKS: 'true' };
    expect(loopbackWebhooks(asked)).toEqual(new Set(['true']));
  });
});
