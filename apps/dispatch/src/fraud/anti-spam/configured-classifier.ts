import type { Config } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Classifier } from './classifier.port.js';
import { HttpClassifier } from './http-classifier.adapter.js';
import { RuleClassifier } from './rule-classifier.adapter.js';

/** Returns the rules, with the operator's HTTP classifier behind them where the settings name one. */
export function configuredClassifier(config: Config, clock: Clock, logger: Logger): Classifier {
  const { antiSpamUrl: url, antiSpamToken: token, antiSpamTimeoutMs: timeoutMs } = config;
  const { antiSpamThreshold: threshold, antiSpamFail: fail } = config;
  if (url === '') return new RuleClassifier();
  return new HttpClassifier({ url, token, timeoutMs, threshold, fail, clock, logger });
}
