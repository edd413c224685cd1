import { describe, expect, it } from '@jest/globals';
import { counter, gauge, histogram, renderMetrics } from './metrics.js';

const lines = async (name: string) =>
  (await renderMetrics()).split('\n').filter((line) => line.startsWith(name));

describe('labels', () => {
  it('a value that was not declared counts as other', async () => {
    const count = counter('test_bounded_total', 'Test.', { kind: ['otp', 'sms'] });
    count({ kind: 'otp' });
    count({ kind: 'otp' });
    count({ kind: 'otp' });
    for (let n = 0; n < 1_000; n += 1) count({ kind: `unknown ${n}` });
    expect(await lines('test_bounded_total')).toEqual([
      'test_bounded_total{kind="otp"} 3',
      'test_bounded_total{kind="sms"} 0',
      'test_bounded_total{kind="other"} 1000',
    ]);
  });
});

describe('what is known beforehand', () => {
  it('is shown as 0 before it happens, in all combinations', async () => {
    counter('test_zero_total', 'Test.', { kind: ['otp', 'sms'], mode: ['live', 'test'] });
    expect(await lines('test_zero_total')).toEqual([
      'test_zero_total{kind="otp",mode="live"} 0',
      'test_zero_total{kind="otp",mode="test"} 0',
      'test_zero_total{kind="sms",mode="live"} 0',
      'test_zero_total{kind="sms",mode="test"} 0',
    ]);
    histogram('test_zero_seconds', 'Test.', { outcome: ['done', 'failed'] }, [1]);
    expect(await lines('test_zero_seconds_count')).toEqual([
      'test_zero_seconds_count{outcome="done"} 0',
      'test_zero_seconds_count{outcome="failed"} 0',
    ]);
  });
});

describe('gauges', () => {
  it('with labels shows what was set last', async () => {
    const waiting = gauge('test_waiting', 'Test.', ['topic']);
    waiting({ topic: 'a' }, 5);
    waiting({ topic: 'a' }, 3);
    expect(await lines('test_waiting')).toEqual(['test_waiting{topic="a"} 3']);
  });
});
