import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { BillingCalls, Clock, PriceListVersion } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { BILLING } from '../calls/billing-calls.js';
import { publicPriceList } from './public-price-list.policy.js';

/** The list as every client gets it. */
export interface ServedPriceList extends PriceListVersion {
  body: string;
  etag: string;
}

const HELD_MS = 60_000;
/** `heldUntil` of a list that may be out of date. */
const FORGOTTEN = 0;
/** Milliseconds between questions while billing is unavailable, however many clients ask. */
const ASK_AGAIN_MS = 1_000;

/**
 * Keeps the price list for a minute. While billing is unavailable the last one stays in use.
 */
@Injectable()
export class PublicPriceListCache {
  private served: ServedPriceList | undefined;
  private heldUntil = FORGOTTEN;
  private refreshing: Promise<ServedPriceList> | undefined;
  private epoch = 0;

  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getPriceList'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async get(): Promise<ServedPriceList> {
    if (this.served && this.clock.now() < this.heldUntil) return this.served;
    this.refreshing ??= this.refresh();
    return this.refreshing;
  }

  /**
   * Returns at once what is held, also after its minute: the next one is then fetched meanwhile.
   * Waits where none is held, or where this gateway has replaced it.
   */
  atHand(): ServedPriceList | Promise<ServedPriceList> {
    if (!this.served || this.heldUntil === FORGOTTEN) return this.get();
    // A failure is not the caller's: the list that it was given stays.
    if (this.clock.now() >= this.heldUntil) this.get().catch(() => undefined);
    return this.served;
  }

  /** Call it when billing has a new list. Other gateways show it within the minute. */
  replaced(): void {
    this.heldUntil = FORGOTTEN;
    // A later caller must not join a refresh that began earlier.
    this.epoch += 1;
    this.refreshing = undefined;
  }

  private async refresh(): Promise<ServedPriceList> {
    const { epoch } = this;
    try {
      const { list, heldMs } = await this.ask();
      if (epoch === this.epoch) this.hold(list, heldMs);
      return list;
    } finally {
      if (epoch === this.epoch) this.refreshing = undefined;
    }
  }

  private hold(list: ServedPriceList, heldMs: number): void {
    this.served = list;
    this.heldUntil = this.clock.now() + heldMs;
  }

  private async ask(): Promise<{ list: ServedPriceList; heldMs: number }> {
    try {
      return { list: serve(await this.billing.getPriceList({})), heldMs: HELD_MS };
    } catch (error) {
      if (!this.served) throw error;
      return { list: this.served, heldMs: ASK_AGAIN_MS };
    }
  }
}

function serve(current: PriceListVersion): ServedPriceList {
  const body = JSON.stringify(publicPriceList(current));
  return { ...current, body, etag: `"${hash('sha256', body, 'hex').slice(0, 32)}"` };
}
