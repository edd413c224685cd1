import { Inject, Injectable } from '@nestjs/common';
import type { Clock, PriceList, PriceListVersion } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { PriceListStore } from './price-list.store.js';

/** Milliseconds between refreshes. A new list must apply to sends within 5 s in every process. */
export const PRICE_LIST_REFRESH_MS = 500;
/** Milliseconds without a send after which the next send refreshes the list before it is priced. */
const USED_MS = 5_000;
/** Milliseconds after which every healthy process has refreshed. */
export const PRICE_LIST_SETTLED_MS = PRICE_LIST_REFRESH_MS + 100;

/** The current price list in memory, so that pricing a send needs no look-up. */
@Injectable()
export class PriceListCache {
  private held?: PriceListVersion;
  private refreshedAtMs = -Infinity;
  private usedAtMs = -Infinity;

  constructor(
    private readonly store: PriceListStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns the list for pricing a send. */
  async current(): Promise<PriceListVersion> {
    this.usedAtMs = performance.now();
    if (this.usedAtMs - this.refreshedAtMs > PRICE_LIST_REFRESH_MS * 2) await this.refresh();
    return this.known;
  }

  /** Returns the list for display, including one that another process has just written. */
  async latest(): Promise<PriceListVersion> {
    await this.refresh();
    return this.known;
  }

  async refresh(): Promise<void> {
    const askedAtMs = performance.now();
    const latest = await this.store.latestAfter(this.held?.version ?? 0);
    if (latest) this.hold(latest);
    this.refreshedAtMs = askedAtMs;
  }

  /** Refreshes the list while sends come. */
  async refreshWhileUsed(): Promise<void> {
    if (performance.now() - this.usedAtMs < USED_MS) await this.refresh();
  }

  private get known(): PriceListVersion {
    if (!this.held) throw new Error('the price list is used before it was loaded');
    return this.held;
  }

  /** Writes a list. It applies here at once, elsewhere with the next refresh. */
  async put(list: PriceList): Promise<PriceListVersion> {
    const version = await this.store.put(list, new Date(this.clock.now()));
    this.hold(version);
    return version;
  }

  /** Keeps the list if its version is higher. Answers to two writers may come in any order. */
  private hold(version: PriceListVersion): void {
    if (!this.held || version.version > this.held.version) this.held = version;
  }
}
