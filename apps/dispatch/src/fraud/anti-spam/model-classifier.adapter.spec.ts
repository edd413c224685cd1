import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@watchword/config';
import { createLogger } from '@watchword/observability';
import { configuredClassifier } from './configured-classifier.js';
import { corpus, tsvOf } from '../../../test/spam-corpus.kit.js';
import { BUCKETS, type SpamModel } from './model/spam-model.policy.js';
import { trainSpamModel } from './model/train-spam-model.handler.js';
import { judgeWith, loadModel } from './model-classifier.adapter.js';
import { classifiedByRules } from './rule-classifier.adapter.js';

const PHISHING = 'Your account is suspended. Verify it within 24hrs: https://bit.ly/3xY';
const HARMLESS = 'Your parcel is here.';

let directory: string;
let written: { version: string; json: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchword-model-'));
  const trained = trainSpamModel(tsvOf(corpus(120)), '2026-11-26', () => {});
  if ('problems' in trained) throw new Error(trained.problems.join());
  written = trained;
});

afterAll(() => rm(directory, { recursive: true }));

const rulesOn = (text: string) => ({
  ...classifiedByRules(text),
  latency_ms: expect.any(Number),
});

/** A model that gives every text this probability. */
function constant(probability: number): SpamModel {
  const bias = Math.log(probability / (1 - probability));
  return { version: 'constant', bias, weights: new Float32Array(BUCKETS) };
}

async function file(content: string): Promise<string> {
  const path = join(directory, 'model.json');
  await writeFile(path, content);
  return path;
}

describe('the rules with a trained model', () => {
  it('flag what the model is certain of, and say which model it was', () => {
    expect(judgeWith(constant(0.96))(HARMLESS)).toEqual({
      label: 'spam',
      score: 0.96,
      flagged: true,
      reasons: ['trained_model'],
      model: 'trained',
      version: 'constant',
      latency_ms: expect.any(Number),
    });
  });

  it('flag from 0.95 on, not before', () => {
    expect(judgeWith(constant(0.9501))(HARMLESS).flagged).toBe(true);
    expect(judgeWith(constant(0.9499))(HARMLESS)).toEqual(rulesOn(HARMLESS));
  });

  it('keep the flag, label and reasons of the rules, however clean the model finds a text', () => {
    const byRules = rulesOn(PHISHING);
    expect(byRules.flagged).toBe(true);
    expect(judgeWith(constant(0.0001))(PHISHING)).toEqual(byRules);
    expect(judgeWith(constant(0.9999))(PHISHING)).toMatchObject({
      label: byRules.label,
      score: 1,
      flagged: true,
      reasons: ['trained_model', ...byRules.reasons],
      model: 'trained',
    });
  });

  it('take the likely label of the rules where only the model flags', () => {
    const verdict = judgeWith(constant(0.99))('Play slots at our club');
    expect(verdict).toMatchObject({ label: 'adult_gambling', flagged: true });
  });
});

describe('ANTI_SPAM_MODEL', () => {
  const classifierOf = (settings: Record<string, string>) => {
    const logger = createLogger({ service: 'dispatch', level: 'silent' });
    return configuredClassifier(loadConfig(settings).config, Date, logger);
  };
  const item = (text: string) => ({ id: '1', text, country: 'NG', sender: null });

  it('names a file of the trainer, which is read at the start', async () => {
    const classifier = classifierOf({ ANTI_SPAM_MODEL: await file(written.json) });
    const { spam, clean } = corpus(1, 9);
    expect(await classifier.classify([item(spam[0]!), item(clean[0]!)])).toMatchObject([
      { flagged: true, model: 'trained', version: written.version },
      { flagged: false, model: 'rules' },
    ]);
    await classifier.close();
  });

  it('stands before ANTI_SPAM_URL, which is not asked about what the model flags', async () => {
    const classifier = classifierOf({
      ANTI_SPAM_MODEL: await file(written.json),
      ANTI_SPAM_URL: 'http://127.0.0.1:1/',
    });
    const { spam, clean } = corpus(1, 9);
    expect(await classifier.classify([item(spam[0]!), item(clean[0]!)])).toMatchObject([
      { flagged: true, model: 'trained' },
      { flagged: false, model: 'error' },
    ]);
    await classifier.close();
  });

  it.each([
    ['that is no JSON', '{"version":', 'it is no JSON'],
    ['of another kind', '{"hello":"world"}', 'version must be'],
    ['that is too large', ' '.repeat(2_000_001), 'it has more than 2000000 bytes'],
    ['that is empty', '', 'it is no JSON'],
  ])('refuses to start with a file %s', async (_name, content, problem) => {
    const ANTI_SPAM_MODEL = await file(content);
    expect(() => classifierOf({ ANTI_SPAM_MODEL })).toThrow(/^The settings are not usable:\n/);
    expect(() => loadModel(ANTI_SPAM_MODEL)).toThrow(
      `ANTI_SPAM_MODEL must be a file that train-anti-spam wrote (${ANTI_SPAM_MODEL}): ${problem}`,
    );
  });

  it('refuses to start without the file, or with a folder', () => {
    expect(() => loadModel(join(directory, 'none.json'))).toThrow('ENOENT');
    expect(() => loadModel(directory)).toThrow('it is no file');
  });
});
