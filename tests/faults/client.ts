import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from '../support/http.ts';
import {
  type ClientLogWriter,
  type Exchange,
  isAccepted,
  isDefinite,
  type LoadedWorkspace,
  type Operation,
} from '../invariants/client-log.ts';

export interface Customer extends LoadedWorkspace {
  liveKey: string;
}

export interface Request {
  customer: Customer;
  operation: Operation;
  /** In the log it names the request, with and without a header. */
  idempotencyKey: string;
  isWithoutKey?: boolean;
  body: string;
  destination: string;
}

const PATHS: Record<Operation, string> = {
  otp_send: '/v1/otp/send',
  sms_send: '/v1/sms/send',
  otp_verify: '/v1/otp/verify',
};

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 1_000;
/**
 * Milliseconds for which an acceptance may run after its caller died: the call's deadline, and a
 * second.
 */
const UNDER_WAY_MS = 6_000;

/**
 * A customer's program, written as `docs/guides/retry-safely.md` says: an open request is retried
 * with its key, not before the answer allows it, and so is a refusal soon after a silence.
 */
export class RetryingClient {
  private readonly http: HttpClient;
  private readonly log: ClientLogWriter;
  private readonly giveUp: AbortSignal;

  constructor(http: HttpClient, log: ClientLogWriter, giveUp: AbortSignal) {
    this.http = http;
    this.log = log;
    this.giveUp = giveUp;
  }

  /** The answer, once there is one that says what happened; undefined when it was given up. */
  async settle(request: Request): Promise<Exchange | undefined> {
    let silentAt = -Infinity;
    for (let backoffMs = RETRY_MS_MIN; !this.giveUp.aborted; backoffMs *= 2) {
      const { exchange, retryAfterMs } = await this.exchange(request);
      const stillUnderWayMs = isAccepted(exchange) ? 0 : silentAt + UNDER_WAY_MS - Date.now();
      if (isDefinite(exchange) && stillUnderWayMs <= 0) return exchange;
      if (isDefinite(exchange)) {
        await sleep(stillUnderWayMs);
      } else {
        if (exchange.status === null || exchange.status >= 500) silentAt = Date.now();
        await sleep(retryAfterMs + Math.min(backoffMs, RETRY_MS_MAX) * (0.5 + Math.random()));
      }
    }
    return undefined;
  }

  async exchange(request: Request) {
    const { customer, operation, idempotencyKey, isWithoutKey, body, destination } = request;
    const sentAt = Date.now();
    const answer = await this.http
      .post(PATHS[operation], undefined, {
        key: customer.liveKey,
        raw: body,
        headers: isWithoutKey ? {} : { 'idempotency-key': idempotencyKey },
      })
      .catch(() => undefined);
    const exchange: Exchange = {
      workspaceId: customer.id,
      operation,
      idempotencyKey,
      body,
      destination,
      sentAt,
      answeredAt: Date.now(),
      status: answer?.status ?? null,
      answer: answer?.text ?? '',
      replayed: answer?.headers['idempotent-replayed'] === 'true',
    };
    this.log.add('exchanges', exchange);
    return { exchange, retryAfterMs: Number(answer?.headers['retry-after'] ?? 0) * 1_000 };
  }

  /** Reads a message. Silence and 5xx are no observation. */
  async observe(customer: Customer, kind: 'otp' | 'sms', id: string): Promise<void> {
    const sentAt = Date.now();
    const answer = await this.http
      .get(`/v1/${kind}/${id}`, { key: customer.liveKey })
      .catch(() => undefined);
    if (answer === undefined || answer.status >= 500) return;
    const status = isAccepted(answer) ? String(answer.json.status) : '';
    this.log.add('observations', {
      id,
      sentAt,
      answeredAt: Date.now(),
      httpStatus: answer.status,
      status,
    });
  }
}
