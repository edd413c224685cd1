import type { Config } from '@watchword/config';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import type { Classifier } from './classifier.port.js';
import { HttpClassifier } from './http-classifier.adapter.js';
import { HTTP_DIALECTS } from './http-dialects.policy.js';
import { LocalClassifier } from './local-classifier.adapter.js';
import { judgeWith, loadModel } from './model-classifier.adapter.js';
import { classifiedByRules } from './rule-classifier.adapter.js';

/** Returns the rules, with the operator's model and HTTP classifier where the settings name them. */
export function configuredClassifier(config: Config, clock: Clock, logger: Logger): Classifier {
  const { antiSpamUrl: url, antiSpamTimeoutMs: timeoutMs, antiSpamFail: fail } = config;
  const { antiSpamThreshold: threshold, antiSpamModel: file } = config;
  const { antiSpamToken: token, antiSpamUrlModel: model } = config;
  const judge = file === '' ? classifiedByRules : judgeWith(loadModel(file));
  if (url === '') return new LocalClassifier(judge);
  const dialect = HTTP_DIALECTS[config.antiSpamUrlDialect];
  const endpoint = { url, dialect, model, token, timeoutMs };
  return new HttpClassifier({ judge, ...endpoint, threshold, fail, clock, logger });
}
