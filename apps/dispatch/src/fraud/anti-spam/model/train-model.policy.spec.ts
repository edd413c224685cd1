import { describe, expect, it } from '@jest/globals';
import { corpus, tsvOf } from '../../../../test/spam-corpus.kit.js';
import { crossValidate } from './cross-validation.policy.js';
import { readLabelledTexts } from './labelled-texts.policy.js';
import { featuresOf, MODEL_FLAGS_AT, probabilityOf } from './spam-model.policy.js';
import { trainModel } from './train-model.policy.js';

const { texts } = readLabelledTexts(tsvOf(corpus(200)));
const model = trainModel(texts);
const judged = (text: string) => probabilityOf(model, featuresOf(text));

describe('training', () => {
  it('finds spam of the same kind, and none in clean texts', () => {
    const fresh = corpus(200, 2);
    const flagged = (some: string[]) => some.filter((text) => judged(text) >= MODEL_FLAGS_AT);
    expect(flagged(fresh.spam).length).toBeGreaterThan(190);
    expect(flagged(fresh.clean)).toEqual([]);
  });

  it('makes the same model of the same texts', () => {
    expect(trainModel(texts)).toEqual(model);
  });

  it('weighs both classes alike, however many texts each has', () => {
    const few = texts.filter(({ isSpam }, at) => !isSpam || at % 10 === 0);
    const skewed = trainModel(few);
    const spam = texts.filter(({ isSpam }) => isSpam);
    const found = spam.filter(({ features }) => probabilityOf(skewed, features) > 0.5);
    expect(found.length / spam.length).toBeGreaterThan(0.95);
  });

  it('does not fail on a single class or on nothing', () => {
    expect(trainModel([]).bias).toBe(0);
    const clean = trainModel(texts.filter(({ isSpam }) => !isSpam));
    expect(probabilityOf(clean, featuresOf('anything'))).toBeLessThan(0.5);
  });
});

describe('cross-validation', () => {
  it('judges each text once, by a model that has not seen it', () => {
    const folds: number[] = [];
    const measured = crossValidate(texts, (fold) => folds.push(fold));
    expect(folds).toEqual([1, 2, 3, 4, 5]);
    expect(measured).toMatchObject({ precision: 1, falsePositiveRate: 0, falsePositives: [] });
    expect(measured.recall).toBeGreaterThan(0.9);
    expect(measured.accuracy).toBeCloseTo((1 + measured.recall) / 2, 10);
  });

  it('names the clean texts that would be flagged', () => {
    const { spam } = corpus(3, 3);
    const odd = readLabelledTexts(
      tsvOf(corpus(200)) + spam.map((text) => `ham\tDear ${text}\n`).join(''),
    );
    const { falsePositives, falsePositiveRate, precision } = crossValidate(odd.texts, () => {});
    expect(falsePositives.length).toBeGreaterThan(0);
    expect(falsePositives.every(({ line }) => line > 400)).toBe(true);
    expect(falsePositiveRate).toBeCloseTo(falsePositives.length / 203, 10);
    expect(precision).toBeLessThan(1);
  });

  it('shows that nothing was learnt from random labels', () => {
    const random = texts.map((text, at) => ({ ...text, isSpam: at % 2 === 0 }));
    expect(crossValidate(random, () => {}).recall).toBeLessThan(0.3);
  });
});
