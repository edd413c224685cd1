import { describe, expect, it } from '@jest/globals';
import { asId } from '@watchword/contracts';
import type { Caller } from '../accounts/keys/key-directory.port.js';
import { defaultSettings } from '../accounts/settings/workspace-settings.policy.js';
import { callerCounters } from './limit-table.policy.js';
import { DEFAULT_PLATFORM_SETTINGS } from './platform-settings.js';

const settings = defaultSettings('NG');
const caller: Caller = {
  last4: '0000',
  keyId: asId('k'),
  mode: 'test',
  permission: 'full',
  workspace: {
    id: asId('w'),
    name: 'Acme',
    brand: 'Acme',
    settings,
    origin: 'operator',
    trialCreditsPending: 0,
    isSuspended: false,
  },
};

describe('the limit table', () => {
  it('counts IP, key and workspace, in this order, by mode', () => {
    expect(callerCounters(caller, '192.0.2.1', DEFAULT_PLATFORM_SETTINGS, false)).toEqual([
      { key: 'ip:test:192.0.2.1', limit: 1200, windowSeconds: 60 },
      { key: 'key:k', limit: 600, windowSeconds: 60 },
      { key: 'workspace:test:w', limit: 1200, windowSeconds: 60 },
    ]);
  });

  it.each([
    [10, 20, { kind: 'bucket', limit: 20, windowSeconds: 2 }],
    [10, 5, { kind: 'bucket', limit: 5, windowSeconds: 0.5 }],
    [0, 20, { kind: 'bucket', limit: 0, windowSeconds: 1 }],
    [null, 20, { limit: null, windowSeconds: 1 }],
    [10, null, { limit: null, windowSeconds: 1 }],
  ])('has for variant B %s a second with a burst of %s', (perSecond, burst, bucket) => {
    const limits = {
      ...settings.limits,
      variant_b_per_second: perSecond,
      variant_b_burst: burst,
    };
    const workspace = { ...caller.workspace, settings: { ...settings, limits } };
    const counters = callerCounters(
      { ...caller, workspace },
      '192.0.2.1',
      DEFAULT_PLATFORM_SETTINGS,
      true,
    );
    expect(counters[3]).toEqual({ key: 'variant-b:test:w', ...bucket });
  });
});
