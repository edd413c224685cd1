import type { Classification } from '../../messages/anti-spam-verdict.js';

/** A text to judge. Classifiers never get the number. */
export interface Classifiable {
  readonly id: string;
  readonly text: string;
  readonly country: string;
  readonly sender: string | null;
}

export interface Classifier {
  /** Returns one answer per text, in order. It never fails because of a text or the network. */
  classify(batch: readonly Classifiable[]): Promise<Classification[]>;
  close(): Promise<void>;
}

export const CLASSIFIER = Symbol('classifier');
