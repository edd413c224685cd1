import type { Classification } from '../../messages/anti-spam-verdict.js';
import type { Classifiable, Classifier, Judge } from './classifier.port.js';

/** The default classifier: judges in this process, by the rules and the trained model if any. */
export class LocalClassifier implements Classifier {
  constructor(private readonly judge: Judge) {}

  async classify(batch: readonly Classifiable[]): Promise<Classification[]> {
    return batch.map(({ text }) => this.judge(text));
  }

  async close(): Promise<void> {}
}
