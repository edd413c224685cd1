import { MODEL_FLAGS_AT, probabilityOf } from './spam-model.policy.js';
import { type Example, shuffled, trainModel } from './train-model.policy.js';

export const FOLDS = 5;

/** How a model judges texts that it was not trained on, at the threshold that flags. */
export interface Measurement {
  /** Shares, 0 to 1. */
  readonly accuracy: number;
  /** Of the flagged texts, those that are spam. 1 where none is flagged. */
  readonly precision: number;
  /** Of the spam, what is flagged. */
  readonly recall: number;
  /** Of the clean texts, those that are flagged. */
  readonly falsePositiveRate: number;
}

export interface Validation<Item extends Example> extends Measurement {
  /** Clean texts that a model would flag that had not seen them. */
  readonly falsePositives: readonly Item[];
}

/**
 * Trains on four fifths and judges the last fifth, five times. Each fold has the same share of
 * both classes.
 */
export function crossValidate<Item extends Example>(
  examples: readonly Item[],
  folded: (fold: number) => void,
): Validation<Item> {
  const [spam, clean] = [true, false].map((wanted) =>
    shuffled(examples.filter(({ isSpam }) => isSpam === wanted)),
  ) as [Item[], Item[]];
  let found = 0;
  const falsePositives: Item[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const [train, judged] = [false, true].map((inFold) =>
      [spam, clean].flatMap((some) => some.filter((_, at) => (at % FOLDS === fold) === inFold)),
    ) as [Item[], Item[]];
    const model = trainModel(train);
    for (const item of judged) {
      if (probabilityOf(model, item.features) < MODEL_FLAGS_AT) continue;
      if (item.isSpam) found += 1;
      else falsePositives.push(item);
    }
    folded(fold + 1);
  }
  const wrong = falsePositives.length;
  return {
    accuracy: (found + clean.length - wrong) / examples.length,
    precision: found + wrong === 0 ? 1 : found / (found + wrong),
    recall: found / spam.length,
    falsePositiveRate: wrong / clean.length,
    falsePositives,
  };
}
