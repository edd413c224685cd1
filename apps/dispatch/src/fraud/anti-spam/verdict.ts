/** What a classifier may call a text; everything but `clean` can be flagged. */
export const LABELS = ['clean', 'phishing', 'scam', 'adult_gambling', 'spam'] as const;
export type Label = (typeof LABELS)[number];
export type BadLabel = Exclude<Label, 'clean'>;

/**
 * What a classifier says of one text. In the words of the wire, because it is stored and shown as
 * it is.
 */
export type Classification = {
  readonly label: Label;
  /** How sure it is that the text is not clean, 0 to 1. */
  readonly score: number;
  readonly flagged: boolean;
  /** The strongest first. */
  readonly reasons: readonly string[];
  /**
   * `rules`, `http`, `test`; `error`: the classifier did not answer, and `ANTI_SPAM_FAIL` decided.
   */
  readonly model: 'rules' | 'http' | 'test' | 'error';
  readonly version: string;
  readonly latency_ms: number;
};

/** A classification, and what was done about it. */
export type Verdict = Classification & { readonly action: 'none' | 'tag' | 'block' };
