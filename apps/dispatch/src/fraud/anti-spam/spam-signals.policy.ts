import data from './data/spam-signals.json' with { type: 'json' };
import type { LinkSign } from './link.policy.js';
import type { BadLabel } from '../../messages/anti-spam-verdict.js';

/**
 * What makes a text suspicious, from `data/spam-signals.json`. Its phrases are patterns of whole
 * words, matched against texts in lower case and without accents. Every repetition is bounded and a
 * signal has at most one gap (`within` characters from a phrase of `first` to one of `then`), so
 * all take linear time.
 */
export type ShapeSign = 'mixed_scripts' | 'disguised_words' | 'hidden_characters' | 'capitals';

export interface Weight {
  /** Four points flag a text. Negative points count in its favour. */
  readonly weight: number;
  /** The likely label of a text with this signal. */
  readonly label?: BadLabel;
}

export interface Signal extends Weight {
  readonly name: string;
  readonly pattern: RegExp;
  /** One of these must match, too, anywhere in the text. */
  readonly and?: RegExp;
  /** A match cancels the signal. */
  readonly unless?: RegExp;
  /** `contact`: a link, a phone number or an address to write to. */
  readonly needs?: 'link' | 'contact' | 'no_link';
}

/** Phrases, or the name of a list in the vocabulary. */
type Phrases = string | readonly string[];

interface SignalData extends Weight {
  readonly name: string;
  readonly first: Phrases;
  readonly within?: number;
  readonly then?: Phrases;
  readonly and?: readonly string[];
  readonly unless?: string;
  readonly needs?: Signal['needs'];
}

/** Names the set of signals and weights. Stored verdicts contain it. */
export const RULES_VERSION: string = data.version;
export const FLAG_AT: number = data.flagAt;
/** Slope from points to certainty: four points are even, eight are 97 %. */
export const POINTS_PER_LOGIT: number = data.pointsPerLogit;
export const LINK_WEIGHTS = data.links as Readonly<Record<LinkSign, Weight>>;
export const SHAPE_WEIGHTS = data.shapes as Readonly<Record<ShapeSign, Weight>>;
export const SIGNALS: readonly Signal[] = (data.signals as readonly SignalData[]).map(compiled);

function compiled({ name, weight, label, needs, ...phrases }: SignalData): Signal {
  const { first, within = 0, then, and, unless } = phrases;
  const rest = then === undefined ? '' : `.{0,${within}}${anyOf(then)}`;
  return {
    name,
    weight,
    label,
    needs,
    pattern: new RegExp(anyOf(first) + rest),
    and: and && new RegExp(anyOf(and.flatMap(listed))),
    unless: unless === undefined ? undefined : new RegExp(anyOf(unless)),
  };
}

function anyOf(phrases: Phrases): string {
  return `(?<![a-z0-9])(?:${listed(phrases).join('|')})(?![a-z0-9])`;
}

function listed(phrases: Phrases): readonly string[] {
  if (typeof phrases !== 'string') return phrases;
  const list = (data.vocabulary as Record<string, readonly string[]>)[phrases];
  if (list === undefined) throw new Error(`there is no list ${phrases} in the vocabulary`);
  return list;
}
