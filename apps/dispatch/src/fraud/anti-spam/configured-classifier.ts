import type { Config } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Classifier } from './classifier.port.js';
import { HttpClassifier } from './http-classifier.adapter.js';
import { RuleClassifier } from './rule-classifier.adapter.js';

/** Returns the operator's own classifier, where the settings name one, else the rules alone. */
export function configuredClassifier(config: Config, clock: Clock, logger: Logger): Classifier {
  const { antiSpamUrl: url, antiSpamTimeoutMs: timeoutMs, antiSpamFail: fail } = config;
  const threshold = config.antiSpamThreshold;
  if (url === '') return new RuleClassifier();
  return new HttpClassifier({ url, timeoutMs, threshold, fail, clock, logger });
}
