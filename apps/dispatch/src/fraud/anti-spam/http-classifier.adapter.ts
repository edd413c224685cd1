import { createHash } from 'node:crypto';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { Pool } from 'undici';
import { faultOf, ProviderHealth } from '../../routing/provider-health.policy.js';
import { AnswerCache } from './answer.cache.js';
import type { Classifiable, Classifier } from './classifier.port.js';
import { answerIn, type HttpAnswer, withoutDigits } from './http-answer.policy.js';
import { classifiedByRules } from './rule-classifier.adapter.js';
import type { Classification } from '../../messages/anti-spam-verdict.js';

/**
 * The operator's own classifier behind a URL. It is asked only about texts that the rules let pass,
 * so no text can talk it out of a flag.
 *
 * - It gets the text without its digits, the country and the sender, never the number.
 * - A send waits at most for the time-out, including the wait for one of the 50 connections. A failing
 *   classifier is skipped for a while (see `ProviderHealth`).
 * - Without an answer `fail` decides, and the verdict says so: `model: "error"`.
 */
export interface HttpClassifierOptions {
  readonly url: string;
  /** Sent as a bearer token, unless empty. */
  readonly token: string;
  readonly timeoutMs: number;
  /** Lowest score that flags a text. */
  readonly threshold: number;
  readonly fail: 'open' | 'closed';
  readonly clock: Clock;
  readonly logger: Logger;
}

const CONNECTIONS_MAX = 50;
const ANSWER_BYTES_MAX = 16_384;
const VERSION = '1';

type Asked = HttpAnswer | 'no_answer';

export class HttpClassifier implements Classifier {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly health = new ProviderHealth();
  private readonly cache = new AnswerCache<HttpAnswer>();
  /** Equal texts at the same time share one question. */
  private readonly pending = new Map<string, Promise<Asked>>();

  constructor(private readonly options: HttpClassifierOptions) {
    const { origin, pathname, search } = new URL(options.url);
    this.path = pathname + search;
    this.pool = new Pool(origin, {
      connections: CONNECTIONS_MAX,
      pipelining: 1,
      connectTimeout: options.timeoutMs,
    });
  }

  classify(batch: readonly Classifiable[]): Promise<Classification[]> {
    return Promise.all(batch.map((item) => this.classifyOne(item)));
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  private async classifyOne(item: Classifiable): Promise<Classification> {
    const startedAt = performance.now();
    const judged = classifiedByRules(item.text);
    if (judged.flagged) return judged;
    const answer = await this.answerFor(item);
    const latency = Math.round(performance.now() - startedAt);
    if (answer === 'no_answer') return this.unanswered(judged, latency);
    const flagged = answer.label !== 'clean' && answer.score >= this.options.threshold;
    return {
      label: flagged ? answer.label : 'clean',
      score: answer.score,
      flagged,
      reasons: answer.reasons,
      model: 'http',
      version: VERSION,
      latency_ms: latency,
    };
  }

  private unanswered(judged: Classification, latency: number): Classification {
    const failed = {
      reasons: ['classifier_unavailable'],
      model: 'error',
      latency_ms: latency,
    } as const;
    if (this.options.fail === 'open') return { ...judged, ...failed };
    return { ...judged, ...failed, label: 'spam', score: 1, flagged: true };
  }

  private answerFor(item: Classifiable): Promise<Asked> {
    const text = withoutDigits(item.text);
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.cache.get(key, this.options.clock.now());
    if (known) return Promise.resolve(known);
    const underWay = this.pending.get(key);
    if (underWay) return underWay;
    const asked = this.ask({ ...item, text }, key).finally(() => this.pending.delete(key));
    this.pending.set(key, asked);
    return asked;
  }

  private async ask(item: Classifiable, key: string): Promise<Asked> {
    const { clock, logger } = this.options;
    if (this.health.admit(key, clock.now()) === 'sick') return 'no_answer';
    const answer = await this.post(item).catch(() => null);
    const fault = answer ? null : faultOf('provider_timeout');
    const opened = this.health.record(key, fault, clock.now());
    if (opened) logger.error('anti-spam classifier circuit opened');
    if (answer) this.cache.set(key, answer, clock.now());
    return answer ?? 'no_answer';
  }

  private async post({ id, text, country, sender }: Classifiable): Promise<HttpAnswer | null> {
    const { token, timeoutMs } = this.options;
    const { statusCode, body } = await this.pool.request({
      method: 'POST',
      path: this.path,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(token !== '' && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ id, text, country, sender, kind: 'sms' }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) return null;
      chunks.push(chunk);
    }
    return statusCode === 200 ? answerIn(Buffer.concat(chunks).toString()) : null;
  }
}
