import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { BillingCalls, Clock, PriceListVersion } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { Change, ChangeListener } from '../invalidation/change.js';
import { GatewayLease } from '../invalidation/gateway-lease.js';
import { BILLING } from '../calls/billing-calls.js';
import { PriceListVersionStore } from './price-list-version.store.js';
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
 *
 * Two gateways with different lists would give the clients of one balancer changing prices, and
 * ETags that never match. So a new list is announced to all gateways. The minute applies where the
 * announcement is lost.
 */
@Injectable()
export class PublicPriceListCache implements ChangeListener {
  private served: ServedPriceList | undefined;
  private heldUntil = FORGOTTEN;
  private refreshing: Promise<ServedPriceList> | undefined;
  private epoch = 0;

  constructor(
    @Inject(BILLING) private readonly billing: Pick<BillingCalls, 'getPriceList'>,
    @Inject(PriceListVersionStore)
    private readonly versions: Pick<PriceListVersionStore, 'reached'>,
    @Inject(GatewayLease) private readonly lease: Pick<GatewayLease, 'everyoneKnows'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async get(): Promise<ServedPriceList> {
    if (this.served && this.clock.now() < this.heldUntil) return this.served;
    this.refreshing ??= this.refresh();
    return this.refreshing;
  }

  /**
   * Returns at once what is held, also after its minute: the next one is then fetched meanwhile.
   * Waits where none is held, or where a new one was announced.
   */
  atHand(): ServedPriceList | Promise<ServedPriceList> {
    if (!this.served || this.heldUntil === FORGOTTEN) return this.get();
    // A failure is not the caller's: the list that it was given stays.
    if (this.clock.now() >= this.heldUntil) this.get().catch(() => undefined);
    return this.served;
  }

  /** Called once billing has a new list. Resolves when no gateway shows the one before. */
  async replaced(version: number): Promise<void> {
    // Also when this gateway's lease has lapsed, so that changes do not wait for it.
    this.forgetAll();
    await this.versions.reached(version);
    await this.lease.everyoneKnows();
  }

  changed({ kind }: Change): void {
    if (kind === 'prices') this.forgetAll();
  }

  forgetAll(): void {
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
