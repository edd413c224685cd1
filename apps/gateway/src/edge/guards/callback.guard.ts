import { Inject, Injectable } from '@nestjs/common';
import { CallbackEntryPoints, type CallbackEntryPoint } from '@watchword/carriers';
import { CARRIER_TOKENS } from '@watchword/carriers/registry';
import { HttpSettings } from '@watchword/config';
import { ApiError, type Clock } from '@watchword/contracts';
import { counter as metric, type Logger } from '@watchword/observability';
import { CLOCK, LOGGER, OnceAMinute } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import type { FastifyRequest } from 'fastify';
import { clientIpOf } from '../../limits/client-ip.js';
import { RATE_LIMITER } from '../../limits/limits.js';
import { takeOfMinute } from '../../limits/take-or-refuse.js';

export const countRefusedCallback = metric(
  'watchword_callbacks_refused_total',
  'Refused callbacks of carriers. `wrong_secret`: the carrier has an old address. `malformed`: also one of which entries were left out.',
  {
    carrier: CARRIER_TOKENS,
    cause: ['wrong_secret', 'unknown_account', 'forged', 'malformed'],
  },
);

export const countCallbackBySecond = metric(
  'watchword_callbacks_by_second_secret_total',
  'Callbacks at addresses of the second secret of `CALLBACK_SECRET`. While it grows, the carrier still has the old address.',
  { carrier: CARRIER_TOKENS },
);

const FAILURES_PER_MINUTE = 100;
/** Payment providers repeat each event until it is answered, from few addresses. */
const PAYMENT_EVENTS_PER_MINUTE = 6_000;

/**
 * Checks the account and the secret in a callback's path before its body is read. Failures count by
 * address and real reports by carrier, so a forger cannot lock a carrier out.
 */
@Injectable()
export class CallbackGuard {
  private readonly entered = new WeakMap<FastifyRequest, CallbackEntryPoint>();
  /** Each message calls the address of the second secret; the operator needs one line. */
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(CallbackEntryPoints) private readonly entryPoints: CallbackEntryPoints,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly http: HttpSettings,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.lines = new OnceAMinute(clock);
  }

  async enter(request: FastifyRequest): Promise<void> {
    const { account, secret } = request.params as { account: string; secret: string };
    const check = this.entryPoints.check(account, secret);
    if (check.verdict === 'admitted') {
      this.entered.set(request, check.entryPoint);
      if (check.bySecond) this.noteSecond(check.entryPoint);
      return;
    }
    countRefusedCallback({ carrier: check.carrier, cause: check.cause });
    await this.fail(request, new ApiError('not_found'));
  }

  /** Counts a payment provider's event by its address, before its body is read. */
  async enterPayment(request: FastifyRequest): Promise<void> {
    const key = `payment-callback:${this.addressOf(request)}`;
    await takeOfMinute(this.limiter, key, PAYMENT_EVENTS_PER_MINUTE);
  }

  /** Returns the entry point that the request used. */
  entryPointOf(request: FastifyRequest): CallbackEntryPoint {
    const entryPoint = this.entered.get(request);
    if (!entryPoint) throw new ApiError('not_found');
    return entryPoint;
  }

  /** Counts the failure against the address, then throws the error or the 429. */
  async fail(request: FastifyRequest, error: ApiError): Promise<never> {
    const key = `callback-failure:${this.addressOf(request)}`;
    await takeOfMinute(this.limiter, key, FAILURES_PER_MINUTE);
    throw error;
  }

  private addressOf(request: FastifyRequest): string {
    return clientIpOf(request, this.http.trustedProxies);
  }

  private noteSecond({ account, carrier }: CallbackEntryPoint): void {
    countCallbackBySecond({ carrier });
    if (!this.lines.isDue(account)) return;
    this.logger.info(
      { account, carrier },
      'callback to the address of the second CALLBACK_SECRET; print the new one: npm run operator -- callback-urls',
    );
  }
}
