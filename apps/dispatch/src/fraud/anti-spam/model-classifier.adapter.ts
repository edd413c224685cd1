import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from '@watchword/config';
import type { Judge } from './classifier.port.js';
import {
  featuresOf,
  MODEL_FLAGS_AT,
  probabilityOf,
  readModel,
  type SpamModel,
} from './model/spam-model.policy.js';
import { classifiedByRules } from './rule-classifier.adapter.js';
import { judge } from './spam-rules.policy.js';

/** A trained model has about 300 kB. */
const FILE_BYTES_MAX = 2_000_000;
/** The reason of texts that the model flags, before those of the rules. */
const REASON = 'trained_model';

/**
 * The rules with a trained model beside them. The higher score counts, and the model's only from
 * `MODEL_FLAGS_AT` on. So the model can flag more than the rules, and never less.
 */
export function judgeWith(model: SpamModel): Judge {
  return (text) => {
    const startedAt = performance.now();
    const byRules = classifiedByRules(text);
    const score = probabilityOf(model, featuresOf(text));
    if (score < MODEL_FLAGS_AT || score <= byRules.score) return byRules;
    return {
      label: judge(text).likely,
      score: Math.round(score * 100) / 100,
      flagged: true,
      reasons: [REASON, ...byRules.reasons],
      model: 'trained',
      version: model.version,
      latency_ms: Math.round(performance.now() - startedAt),
    };
  };
}

/** Reads the file of `ANTI_SPAM_MODEL` once, at the start. */
export function loadModel(path: string): SpamModel {
  const model = read(path);
  if (typeof model !== 'string') return model;
  throw new ConfigError([
    `ANTI_SPAM_MODEL must be a file that train-anti-spam wrote (${path}): ${model}`,
  ]);
}

function read(path: string): SpamModel | string {
  try {
    const file = statSync(path);
    if (!file.isFile()) return 'it is no file';
    if (file.size > FILE_BYTES_MAX) return `it has more than ${FILE_BYTES_MAX} bytes`;
    return readModel(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    return error instanceof SyntaxError ? 'it is no JSON' : (error as Error).message;
  }
}
