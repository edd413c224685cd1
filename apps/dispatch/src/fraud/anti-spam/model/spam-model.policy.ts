import { shapeOf } from '../text-shape.policy.js';

/**
 * A logistic regression over the words of a text and their pairs. Each term is hashed into one of
 * 2^15 weights, so a model has a fixed size and contains no text. Digits count as zeros: the terms
 * of two codes or amounts are the same.
 */
export interface SpamModel {
  /** Names the training. Stored verdicts contain it. */
  readonly version: string;
  readonly bias: number;
  readonly weights: Float32Array;
}

export const BUCKETS = 2 ** 15;
/** Lowest probability that flags a text. Below it, models flag too many clean ones. */
export const MODEL_FLAGS_AT = 0.95;

const TERM = /[\p{L}\p{N}]+|[!?%$£€₦]/gu;
const VERSION = /^[\w.-]{1,64}$/;
/** A weight beyond it makes every text with its term certain. Training ends far below. */
const WEIGHT_MAX = 1_000;

/** Returns the buckets of a text, each once. */
export function featuresOf(text: string): Uint16Array {
  const terms =
    shapeOf(text)
      .plain.replace(/\p{Nd}/gu, '0')
      .match(TERM) ?? [];
  const buckets = new Set<number>();
  let before = '';
  for (const term of terms) {
    buckets.add(bucketOf(term));
    buckets.add(bucketOf(`${before} ${term}`));
    before = term;
  }
  return Uint16Array.from(buckets);
}

/** Returns the probability that a text with these features is not clean, 0 to 1. */
export function probabilityOf(
  { bias, weights }: Pick<SpamModel, 'bias' | 'weights'>,
  features: Uint16Array,
): number {
  let sum = 0;
  for (const bucket of features) sum += weights[bucket]!;
  return 1 / (1 + Math.exp(-(bias + sum * shareOf(features))));
}

/** The value of each feature: long texts have no more say than short ones. */
export function shareOf(features: Uint16Array): number {
  return 1 / Math.sqrt(Math.max(1, features.length));
}

/** Returns the model in a parsed file, or what is wrong with the file. */
export function readModel(given: unknown): SpamModel | string {
  if (typeof given !== 'object' || given === null) return 'it must be an object';
  const { version, bias, weights } = given as Record<string, unknown>;
  if (typeof version !== 'string' || !VERSION.test(version)) {
    return 'version must be 1 to 64 letters, digits, dots or hyphens';
  }
  if (!isWeight(bias)) return 'bias must be a number';
  if (!Array.isArray(weights) || weights.length !== BUCKETS || !weights.every(isWeight)) {
    return `weights must be ${BUCKETS} numbers`;
  }
  return { version, bias, weights: Float32Array.from(weights) };
}

function isWeight(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= WEIGHT_MAX;
}

/** FNV-1a over the UTF-16 units. Models in files depend on it: a change makes all of them void. */
function bucketOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index += 1) {
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}
