/** Labels of a text. Every label except `clean` can be flagged. */
export const LABELS = ['clean', 'phishing', 'scam', 'adult_gambling', 'spam'] as const;
export type Label = (typeof LABELS)[number];
export type BadLabel = Exclude<Label, 'clean'>;

/**
 * A classifier's answer for one text, in the words of the wire, because it is stored and shown
 * unchanged.
 */
export type Classification = {
  readonly label: Label;
  /** Certainty that the text is not clean, 0 to 1. */
  readonly score: number;
  readonly flagged: boolean;
  /** Reasons, the strongest first. */
  readonly reasons: readonly string[];
  /** What decided. `error`: the HTTP classifier did not answer, and `ANTI_SPAM_FAIL` decided. */
  readonly model: 'rules' | 'http' | 'test' | 'error';
  readonly version: string;
  readonly latency_ms: number;
};

export type Verdict = Classification & { readonly action: 'none' | 'tag' | 'block' };
