import { describe, expect, it } from '@jest/globals';
import { metricsReference } from './metrics-document.js';
import {
  askWhenShown,
  counter,
  declaredMetrics,
  gauge,
  histogram,
  observed,
  openCounter,
  renderMetrics,
} from './metrics.js';

const lines = async (name: string) =>
  (await renderMetrics()).split('\n').filter((line) => line.startsWith(name));

describe('labels', () => {
  it('a value that was not declared counts as other', async () => {
    const count = counter('test_bounded_total', 'Test.', { kind: ['otp', 'sms'] });
    count({ kind: 'otp' });
    count({ kind: 'otp' });
    count({ kind: 'otp' });
    for (let n = 0; n < 1_000; n += 1) count({ kind: `stranger ${n}` });
    expect(await lines('test_bounded_total')).toEqual([
      'test_bounded_total{kind="otp"} 3',
      'test_bounded_total{kind="sms"} 0',
      'test_bounded_total{kind="other"} 1000',
    ]);
  });

  it('those of a histogram are bounded, too', async () => {
    const took = histogram('test_took_seconds', 'Test.', { by: ['one'] }, [0.1, 1]);
    took({ by: 'one' }, 0.05);
    took({ by: 'another' }, 5);
    expect(await lines('test_took_seconds_count')).toEqual([
      'test_took_seconds_count{by="one"} 1',
      'test_took_seconds_count{by="other"} 1',
    ]);
    expect(await lines('test_took_seconds_bucket{le="0.1",by="one"}')).toHaveLength(1);
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

  it('is what the program says, where it makes up the labels', async () => {
    const died = openCounter('test_died_total', 'Test.', ['topic', 'group']);
    expect(await lines('test_died_total')).toEqual([]);
    died.expect({ topic: 't', group: 'g' });
    expect(await lines('test_died_total')).toEqual(['test_died_total{topic="t",group="g"} 0']);
    died({ topic: 't', group: 'g' });
    died.expect({ topic: 't', group: 'g' });
    expect(await lines('test_died_total')).toEqual(['test_died_total{topic="t",group="g"} 1']);
  });
});

describe('gauges', () => {
  it('without labels shows 0 before it is set', async () => {
    const away = gauge('test_away', 'Test.');
    expect(await lines('test_away')).toEqual(['test_away 0']);
    away({}, 1);
    expect(await lines('test_away')).toEqual(['test_away 1']);
  });

  it('with labels shows what was set last', async () => {
    const waiting = gauge('test_waiting', 'Test.', ['topic']);
    waiting({ topic: 'a' }, 5);
    waiting({ topic: 'a' }, 3);
    expect(await lines('test_waiting')).toEqual(['test_waiting{topic="a"} 3']);
  });

  it('that is observed is read at each scrape, and summed up', async () => {
    const show = observed('test_in_hand', 'Test.');
    expect(await lines('test_in_hand')).toEqual(['test_in_hand 0']);
    let mine = 1;
    show(() => mine);
    show(() => 10);
    expect(await lines('test_in_hand')).toEqual(['test_in_hand 11']);
    mine = 2;
    expect(await lines('test_in_hand')).toEqual(['test_in_hand 12']);
  });
});

describe('numbers that a source is asked for', () => {
  it('are asked for at each scrape, and left out when the source has no answer', async () => {
    const waiting = gauge('test_asked_waiting', 'Test.', ['topic']);
    const oldest = gauge('test_asked_oldest', 'Test.');
    const answers = [Promise.resolve(5), Promise.reject(new Error('away')), Promise.resolve(7)];
    const end = askWhenShown(
      () => answers.shift() as Promise<number>,
      (answer) => {
        waiting.forget();
        oldest.forget();
        if (answer === undefined) return;
        waiting({ topic: 'a' }, answer);
        oldest({}, answer);
      },
    );
    const shown = () => lines('test_asked_');
    expect(await shown()).toEqual(['test_asked_waiting{topic="a"} 5', 'test_asked_oldest 5']);
    expect(await shown()).toEqual([]);
    expect(await shown()).toEqual(['test_asked_waiting{topic="a"} 7', 'test_asked_oldest 7']);
    end();
    expect(await shown()).toEqual(['test_asked_waiting{topic="a"} 7', 'test_asked_oldest 7']);
  });
});

describe('the reference', () => {
  it('has a line for each that is declared', () => {
    counter('test_documented_total', 'A sentence.', { kind: ['otp', 'sms'] });
    const found = declaredMetrics().filter(({ name }) => name === 'test_documented_total');
    expect(metricsReference(found).split('\n').at(-2)).toBe(
      '| `test_documented_total` | counter | `kind`: otp, sms | A sentence. |',
    );
  });
});

it('the usual numbers of a process are there', async () => {
  expect(await lines('process_resident_memory_bytes ')).toHaveLength(1);
  expect(await lines('nodejs_eventloop_lag_seconds ')).toHaveLength(1);
});
