import { hash } from 'node:crypto';
import type { BillingCalls, Clock, PriceListVersion } from '@watchword/contracts';
import { publicPriceList } from './public-price-list.policy.js';

/** The list as it is served: made once, sent to everybody. */
export interface ServedPriceList extends PriceListVersion {
  body: string;
  etag: string;
}

const HELD_MS = 60_000;

/** Holds the price list for a minute; while billing is away the last one stays in use. */
export class PriceListCache {
  private served: ServedPriceList | undefined;
  private heldUntil = 0;
  private refreshing: Promise<ServedPriceList> | undefined;

  constructor(
    private readonly billing: Pick<BillingCalls, 'getPriceList'>,
    private readonly clock: Clock,
  ) {}

  async get(): Promise<ServedPriceList> {
    if (this.served && this.clock.now() < this.heldUntil) return this.served;
    this.refreshing ??= this.refresh().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  /** A changed list shows at once in the process that changed it. */
  forget(): void {
    this.heldUntil = 0;
  }

  private async refresh(): Promise<ServedPriceList> {
    try {
      const current = await this.billing.getPriceList({});
      this.served = serve(current);
    } catch (error) {
      if (!this.served) throw error;
    }
    this.heldUntil = this.clock.now() + HELD_MS;
    return this.served;
  }
}

function serve(current: PriceListVersion): ServedPriceList {
  const body = JSON.stringify(publicPriceList(current));
  return { ...current, body, etag: `"${hash('sha256', body, 'hex').slice(0, 32)}"` };
}
