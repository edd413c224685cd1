import { Inject, Injectable } from '@nestjs/common';
import type { Clock, PriceList, PriceListVersion } from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { PriceListStore } from './price-list.store.js';

/** A new list must hold for sends within 5 s in every process; each looks for one this often. */
export const PRICE_LIST_REFRESH_MS = 500;
/** Without a send for this long, the next send refreshes the list before it is priced. */
const USED_MS = 5_000;
/** By then every process has looked, if nothing is wrong with it. */
export const PRICE_LIST_SETTLED_MS = PRICE_LIST_REFRESH_MS + 100;

/** The price list in force, in memory: pricing a send costs no look-up. */
@Injectable()
export class PriceListCache {
  private held?: PriceListVersion;
  private refreshedAtMs = -Infinity;
  private usedAtMs = -Infinity;

  constructor(
    private readonly store: PriceListStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** For pricing a send. */
  async current(): Promise<PriceListVersion> {
    this.usedAtMs = performance.now();
    if (this.usedAtMs - this.refreshedAtMs > PRICE_LIST_REFRESH_MS * 2) await this.refresh();
    return this.known;
  }

  /** For showing the list: also what another process put a moment ago. */
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

  /** Between sends that come one after the other. */
  async refreshWhileUsed(): Promise<void> {
    if (performance.now() - this.usedAtMs < USED_MS) await this.refresh();
  }

  private get known(): PriceListVersion {
    if (!this.held) throw new Error('the price list is used before it was loaded');
    return this.held;
  }

  /** Holds here at once, and elsewhere with the next refresh. */
  async put(list: PriceList): Promise<PriceListVersion> {
    const version = await this.store.put(list, new Date(this.clock.now()));
    this.hold(version);
    return version;
  }

  /** Versions only go up, in any order of answers to two writers. */
  private hold(version: PriceListVersion): void {
    if (!this.held || version.version > this.held.version) this.held = version;
  }
}
