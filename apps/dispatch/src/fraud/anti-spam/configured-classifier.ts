import type { Config } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Classifier } from './classifier.port.js';
import { HttpClassifier } from './http-classifier.adapter.js';
import { RuleClassifier } from './rule-classifier.adapter.js';

/** Milliseconds. A message waits so long for the operator's classifier at most. */
const TIMEOUT_MS = 800;
/** Score from which on its label flags a message. */
const THRESHOLD = 0.8;

/** Returns the rules, with the operator's HTTP classifier behind them where the settings name one. */
export function configuredClassifier(
  { antiSpamUrl: url, antiSpamToken: token, antiSpamFail: fail }: Config,
  clock: Clock,
  logger: Logger,
  timeoutMs = TIMEOUT_MS,
): Classifier {
  if (url === '') return new RuleClassifier();
  return new HttpClassifier({ url, token, timeoutMs, threshold: THRESHOLD, fail, clock, logger });
}
