import { seededRandom } from '@watchword/platform';
import { BUCKETS, probabilityOf, shareOf, type SpamModel } from './spam-model.policy.js';

/** A labelled text as the trainer sees it. */
export interface Example {
  readonly features: Uint16Array;
  readonly isSpam: boolean;
}

export type Weights = Pick<SpamModel, 'bias' | 'weights'>;

const EPOCHS = 20;
/** Step of the first example. Later ones are smaller, down to a tenth at the end. */
const FIRST_STEP = 4;
const LAST_STEP = 0.4;
/** Share of a weight that each visit takes back, so rare terms keep small weights. */
const L2 = 3e-5;
const SEED = 2026;

/**
 * Trains by stochastic gradient descent. Both classes have the same weight together, however many
 * texts each has. Equal examples make an equal model: the order is drawn from a seed.
 */
export function trainModel(examples: readonly Example[]): Weights {
  const order = shuffled(examples);
  const weights = new Float32Array(BUCKETS);
  const model = { bias: 0, weights };
  const spam = order.filter(({ isSpam }) => isSpam).length;
  const ofSpam = order.length / (2 * Math.max(1, spam));
  const ofClean = order.length / (2 * Math.max(1, order.length - spam));
  const visits = EPOCHS * order.length;
  for (let visit = 0; visit < visits; visit += 1) {
    const { features, isSpam } = order[visit % order.length]!;
    const step = FIRST_STEP * (LAST_STEP / FIRST_STEP) ** (visit / visits);
    const error = (isSpam ? 1 : 0) - probabilityOf(model, features);
    const change = step * error * (isSpam ? ofSpam : ofClean);
    const share = shareOf(features);
    model.bias += change * share;
    for (const bucket of features) {
      weights[bucket]! += change * share - step * L2 * weights[bucket]!;
    }
  }
  return model;
}

/** Fisher and Yates, with the same draw for the same number of examples. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const order = [...items];
  const draw = seededRandom(SEED);
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(draw() * (index + 1));
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}
