import { LABELS } from '../../../messages/anti-spam-verdict.js';
import { featuresOf } from './spam-model.policy.js';
import type { Example } from './train-model.policy.js';

export interface LabelledText extends Example {
  /** Line of the file, from 1. */
  readonly line: number;
}

export interface LabelledTexts {
  /** Texts that differ in more than their digits, each once. */
  readonly texts: readonly LabelledText[];
  /** Lines left out, because their words are those of a line before. */
  readonly repeated: number;
  /** One sentence for each bad line. */
  readonly problems: readonly string[];
}

const CHARACTERS_MAX = 10_000;
const IS_SPAM = new Map<string, boolean>([
  ['ham', false],
  ...LABELS.map((label): [string, boolean] => [label, label !== 'clean']),
]);
const HEADER = /^label\t(?:text|message)$/i;

/**
 * Reads lines of `label<TAB>text`. A campaign in many copies is one text: copies in several folds
 * of a cross-validation would make it look better than it is.
 */
export function readLabelledTexts(file: string): LabelledTexts {
  const texts: LabelledText[] = [];
  const problems: string[] = [];
  const seen = new Map<string, LabelledText>();
  let repeated = 0;
  const lines = file.replace(/^\ufeff/, '').split(/\r?\n/);
  for (const [index, content] of lines.entries()) {
    if (content === '' || (index === 0 && HEADER.test(content))) continue;
    const read = readLine(content, index + 1);
    if (typeof read === 'string') {
      problems.push(`line ${index + 1}: ${read}`);
      continue;
    }
    const key = read.features.join();
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, read);
      texts.push(read);
    } else if (before.isSpam !== read.isSpam) {
      problems.push(`line ${read.line}: the words of line ${before.line}, with the other label`);
    } else {
      repeated += 1;
    }
  }
  return { texts, repeated, problems };
}

function readLine(content: string, line: number): LabelledText | string {
  const [label = '', text, ...others] = content.split('\t');
  if (text === undefined) return 'no tab between label and text';
  if (others.length > 0) return 'more than one tab';
  const isSpam = IS_SPAM.get(label.trim().toLowerCase());
  if (isSpam === undefined) return `the label must be one of ${[...IS_SPAM.keys()].join(', ')}`;
  if (text.length > CHARACTERS_MAX) return `the text has more than ${CHARACTERS_MAX} characters`;
  const features = featuresOf(text);
  if (features.length === 0) return 'the text has no words';
  return { line, isSpam, features };
}
