import { describe, expect, it } from '@jest/globals';
import { loadConfig } from './load-config.js';
import { allowsLoopbackWebhooks } from './loopback-webhooks.policy.js';

const allows = (environment: Record<string, string>) =>
  allowsLoopbackWebhooks(loadConfig(environment).config);

describe('webhooks to this machine', () => {
  it.each(['127.0.0.1', '127.8.9.10', 'localhost', 'LOCALHOST', '::1', '[::1]'])(
    'are allowed while HOST is %s',
    (HOST) => {
      expect(allows({ HOST })).toBe(true);
      expect(allows({ HOST, ALLOW_LOOPBACK_WEBHOOKS: 'false' })).toBe(false);
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.example.com', '::ffff:10.0.0.1'])(
    'are refused by default while HOST is %s',
    (HOST) => {
      expect(allows({ HOST })).toBe(false);
      expect(allows({ HOST, ALLOW_LOOPBACK_WEBHOOKS: 'true' })).toBe(true);
    },
  );

  it('are refused by default in a process without the gateway, which has no HOST', () => {
    const apart = { SERVICES: 'webhooks', RPC_PORT: '1', WEBHOOKS_RPC_SECRET: 'x'.repeat(32) };
    expect(allows(apart)).toBe(false);
    expect(allows({ ...apart, ALLOW_LOOPBACK_WEBHOOKS: 'true' })).toBe(true);
  });
});
