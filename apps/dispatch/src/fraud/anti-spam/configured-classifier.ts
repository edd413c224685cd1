import type { Config } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Classifier } from './classifier.port.js';
import { HttpClassifier } from './http-classifier.adapter.js';
import { LocalClassifier } from './local-classifier.adapter.js';
import { judgeWith, loadModel } from './model-classifier.adapter.js';
import { classifiedByRules } from './rule-classifier.adapter.js';

/** Returns the rules, with the operator's model and HTTP classifier where the settings name them. */
export function configuredClassifier(config: Config, clock: Clock, logger: Logger): Classifier {
  const { antiSpamUrl: url, antiSpamTimeoutMs: timeoutMs, antiSpamFail: fail } = config;
  const { antiSpamThreshold: threshold, antiSpamModel: file } = config;
  const judge = file === '' ? classifiedByRules : judgeWith(loadModel(file));
  if (url === '') return new LocalClassifier(judge);
  return new HttpClassifier({ judge, url, timeoutMs, threshold, fail, clock, logger });
}
