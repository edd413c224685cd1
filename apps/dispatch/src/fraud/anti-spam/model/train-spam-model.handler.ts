import { createHash } from 'node:crypto';
import { crossValidate, FOLDS } from './cross-validation.policy.js';
import { type LabelledText, readLabelledTexts } from './labelled-texts.policy.js';
import { MODEL_FLAGS_AT } from './spam-model.policy.js';
import { trainModel } from './train-model.policy.js';

/** With fewer of a class, a fold has less than 20 of it and the measured rates mean nothing. */
const EACH_CLASS_MIN = 100;
const NAMED_MAX = 10;

export interface TrainedModel {
  readonly version: string;
  /** The file to write. */
  readonly json: string;
}

/**
 * Trains a model on lines of `label<TAB>text` and says how it judges texts that it was not trained
 * on. Returns the problems of the lines if there are any.
 */
export function trainSpamModel(
  file: string,
  day: string,
  say: (line: string) => void,
): TrainedModel | { readonly problems: readonly string[] } {
  const { texts, repeated, problems } = readLabelledTexts(file);
  if (problems.length > 0) return { problems: firstOf(problems, 'more bad lines') };
  const spam = texts.filter(({ isSpam }) => isSpam).length;
  const clean = texts.length - spam;
  say(`Read ${clean} clean texts and ${spam} of spam; left out ${repeated} that repeat another.`);
  if (Math.min(spam, clean) < EACH_CLASS_MIN) {
    return { problems: [`it needs at least ${EACH_CLASS_MIN} different texts of each class`] };
  }
  const measured = measure(texts, clean, say);
  say(`Training on all ${texts.length} texts.`);
  const model = trainModel(texts);
  const [bias, weights] = [shortened(model.bias), [...model.weights].map(shortened)];
  const version = `${day}-${digestOf([bias, ...weights])}`;
  const trained = { clean, spam, flags_at: MODEL_FLAGS_AT, ...measured };
  return { version, json: `${JSON.stringify({ version, trained, bias, weights })}\n` };
}

function measure(texts: readonly LabelledText[], clean: number, say: (line: string) => void) {
  const { falsePositives, ...measured } = crossValidate(texts, (fold) =>
    say(`Cross-validation: fold ${fold} of ${FOLDS} done.`),
  );
  const { accuracy, precision, recall, falsePositiveRate } = measured;
  say(`Texts that a model had not seen, flagged from ${MODEL_FLAGS_AT} on:`);
  say(`  accuracy             ${percent(accuracy)}`);
  say(`  precision            ${percent(precision)} of the flagged texts are spam`);
  say(`  recall               ${percent(recall)} of the spam is flagged`);
  say(
    `  false positive rate  ${percent(falsePositiveRate)} of the clean texts are flagged ` +
      `(${falsePositives.length} of ${clean})`,
  );
  const lines = falsePositives.map(({ line }) => line).toSorted((one, other) => one - other);
  if (lines.length > 0) {
    say(`  flagged clean texts  lines ${firstOf(lines.map(String), 'more').join(', ')}`);
  }
  return {
    accuracy,
    precision,
    recall,
    false_positive_rate: falsePositiveRate,
  };
}

function firstOf(items: readonly string[], rest: string): string[] {
  const more = items.length - NAMED_MAX;
  return [...items.slice(0, NAMED_MAX), ...(more > 0 ? [`and ${more} ${rest}`] : [])];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`.padStart(8);
}

function digestOf(weights: readonly number[]): string {
  return createHash('sha256').update(weights.join()).digest('hex').slice(0, 8);
}

/** More decimals change no verdict. */
function shortened(weight: number): number {
  return Number(weight.toFixed(4));
}
