import type { Classifiable, Classifier } from './classifier.port.js';
import { judge } from './spam-rules.policy.js';
import { RULES_VERSION } from './spam-signals.policy.js';
import type { Classification } from '../../messages/anti-spam-verdict.js';

/** The default: hand-written rules alone, microseconds per text. */
export class RuleClassifier implements Classifier {
  async classify(batch: readonly Classifiable[]): Promise<Classification[]> {
    return batch.map(({ text }) => classifiedByRules(text));
  }

  async close(): Promise<void> {}
}

export function classifiedByRules(text: string): Classification {
  const startedAt = performance.now();
  const { label, score, flagged, reasons } = judge(text);
  const latency = Math.round(performance.now() - startedAt);
  return {
    label,
    score,
    flagged,
    reasons,
    model: 'rules',
    version: RULES_VERSION,
    latency_ms: latency,
  };
}
