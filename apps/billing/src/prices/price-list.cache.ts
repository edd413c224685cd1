import type { Clock, PriceList, PriceListVersion } from '@watchword/contracts';
import type { PriceListStore } from './price-list.store.js';

/** A new list must hold for sends within 5 s in every process; each looks for one this often. */
export const PRICE_LIST_REFRESH_MS = 500;
/** By then every process has looked, if nothing is wrong with it. */
export const PRICE_LIST_SETTLED_MS = PRICE_LIST_REFRESH_MS + 100;

/** The price list in force, in memory: pricing a send costs no look-up. */
export class PriceListCache {
  private held?: PriceListVersion;

  constructor(
    private readonly store: PriceListStore,
    private readonly clock: Clock,
  ) {}

  get current(): PriceListVersion {
    if (!this.held) throw new Error('the price list is used before it was loaded');
    return this.held;
  }

  /** For who reads the list itself: also what another process put a moment ago. */
  async latest(): Promise<PriceListVersion> {
    await this.refresh();
    return this.current;
  }

  async refresh(): Promise<void> {
    const latest = await this.store.latestAfter(this.held?.version ?? 0);
    if (latest) this.hold(latest);
  }

  /** Holds here at once, and elsewhere with the next refresh. */
  async put(list: PriceList): Promise<PriceListVersion> {
    const version = await this.store.put(list, new Date(this.clock.now()));
    this.hold(version);
    return version;
  }

  /** Versions only go up, in whichever order two writers come back. */
  private hold(version: PriceListVersion): void {
    if (!this.held || version.version > this.held.version) this.held = version;
  }
}
