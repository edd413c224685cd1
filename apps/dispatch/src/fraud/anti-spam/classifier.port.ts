import type { Classification } from './verdict.js';

/** A text to judge. The number it goes to is none of a classifier's business. */
export interface Classifiable {
  readonly id: string;
  readonly text: string;
  readonly country: string;
  readonly sender: string | null;
}

export interface Classifier {
  /** One answer per text, in order. It never fails for what a text holds or a network does. */
  classify(batch: readonly Classifiable[]): Promise<Classification[]>;
  close(): Promise<void>;
}

export const CLASSIFIER = Symbol('classifier');
