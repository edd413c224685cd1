import { describe, expect, it } from '@jest/globals';
import { BUCKETS, featuresOf, probabilityOf, readModel } from './spam-model.policy.js';

const some = (text: string) => [...featuresOf(text)];

describe('features', () => {
  it('are words and pairs of words, each once', () => {
    expect(some('call')).toHaveLength(2);
    expect(some('call me')).toHaveLength(4);
    expect(some('call me call me')).toHaveLength(5);
    expect(some('call me')).not.toEqual(some('me call'));
    expect(some('')).toEqual([]);
    expect(some(' ... ')).toEqual([]);
  });

  it('do not change with the release: models in files depend on them', () => {
    expect(some('Call 0803 now!')).toEqual([
      25_418, 23_039, 14_606, 16_454, 19_348, 19_097, 17_909, 25_245,
    ]);
  });

  it('see through case, accents, hidden characters and digits', () => {
    expect(some('Gagnez 250 € à Dakar')).toEqual(some('GAGNEZ 731 € a\u200b dakar'));
    expect(some('संदेश 短信')).toHaveLength(some('संदेश 短信 !').length - 2);
    expect(some('code 1234')).not.toEqual(some('code 123456'));
  });

  it('fit into the buckets', () => {
    const text = Array.from({ length: 50_000 }, (_, at) => at.toString(36)).join(' ');
    const features = featuresOf(text);
    expect(features.length).toBeLessThanOrEqual(1_600);
    expect(Math.max(...features)).toBeLessThan(BUCKETS);
  });
});

describe('the probability', () => {
  const weights = new Float32Array(BUCKETS);

  it('is that of the bias for a text without words', () => {
    expect(probabilityOf({ bias: 0, weights }, featuresOf(''))).toBe(0.5);
    expect(probabilityOf({ bias: -3, weights }, featuresOf(''))).toBeCloseTo(0.047, 3);
  });

  it('grows with the weights of the words, in texts of any length', () => {
    const heavy = weights.map(() => 1);
    const short = probabilityOf({ bias: 0, weights: heavy }, featuresOf('win'));
    const long = probabilityOf({ bias: 0, weights: heavy }, featuresOf('win a b c d e'));
    expect(short).toBeCloseTo(1 / (1 + Math.exp(-Math.sqrt(2))), 5);
    expect(long).toBeCloseTo(1 / (1 + Math.exp(-Math.sqrt(12))), 5);
  });
});

describe('a model in a file', () => {
  const good = { version: '2026-11-26-1a2b', bias: -1, weights: Array(BUCKETS).fill(0.5) };

  it('is read', () => {
    expect(readModel({ ...good, trained: { spam: 100 } })).toEqual({
      ...good,
      weights: new Float32Array(BUCKETS).fill(0.5),
    });
  });

  it.each([
    ['null', null, 'an object'],
    ['a list', [], 'version'],
    ['no version', { ...good, version: undefined }, 'version'],
    ['a version that is no word', { ...good, version: 'a b' }, 'version'],
    ['a bias that is no number', { ...good, bias: '1' }, 'bias'],
    ['a weight that is none', { ...good, weights: good.weights.with(7, null) }, 'weights'],
    ['a weight beyond all measure', { ...good, weights: good.weights.with(7, 1e9) }, 'weights'],
    ['a weight too few', { ...good, weights: good.weights.slice(1) }, 'weights'],
    ['weights that are no list', { ...good, weights: { length: BUCKETS } }, 'weights'],
  ])('is refused: %s', (_name, given, word) => {
    expect(readModel(given)).toEqual(expect.stringContaining(word));
  });
});
