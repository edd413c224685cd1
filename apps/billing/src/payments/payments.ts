import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { every, KeyRing, type Periodic } from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import type { PriceListCache } from '../prices/price-list.cache.js';
import { AUTHORISATION_PURPOSE, Authorisations } from './authorisations.js';
import { AutomaticTopUpHandler } from './automatic-top-up.handler.js';
import { CreatePaymentHandler } from './create-payment.handler.js';
import { DuePaymentsHandler } from './due-payments.handler.js';
import { PaymentCallbackHandler } from './payment-callback.handler.js';
import { PaymentsRpc } from './payments.rpc.js';
import type { PaymentProviders } from './providers.js';
import { SettlePaymentHandler } from './settle-payment.handler.js';

/** A low balance is noticed, and a due payment looked at, within this time. */
const LOOK_EVERY_MS = 5_000;

export interface PaymentsGround {
  readonly pool: DatabasePool;
  readonly prices: PriceListCache;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly providers: PaymentProviders;
  readonly encryptionKeys: readonly string[];
}

/** The parts of payments, wired. */
export class Payments {
  readonly rpc: PaymentsRpc;
  readonly callbacks: PaymentCallbackHandler;
  readonly topUps: AutomaticTopUpHandler;
  readonly due: DuePaymentsHandler;

  constructor(private readonly ground: PaymentsGround) {
    const { pool, prices, clock, logger, providers } = ground;
    const authorisations = new Authorisations(
      new KeyRing(ground.encryptionKeys, AUTHORISATION_PURPOSE),
    );
    const settling = new SettlePaymentHandler(pool, authorisations, clock, logger);
    this.topUps = new AutomaticTopUpHandler(
      pool,
      providers,
      authorisations,
      settling,
      prices,
      clock,
    );
    this.due = new DuePaymentsHandler(pool, providers, settling, this.topUps, clock, logger);
    this.callbacks = new PaymentCallbackHandler(providers, settling, this.due, logger);
    const creating = new CreatePaymentHandler(pool, providers, prices, clock);
    this.rpc = new PaymentsRpc(pool, creating, settling, this.topUps, clock);
  }

  jobs(): Periodic[] {
    const { logger } = this.ground;
    return [
      every(LOOK_EVERY_MS, 'automatic top-ups', () => this.topUps.begin(), logger),
      every(LOOK_EVERY_MS, 'due payments', () => this.due.handle(), logger),
    ];
  }

  close(): Promise<void> {
    return this.ground.providers.close();
  }
}
