/** What one account at a carrier can take. */
export interface Capacity {
  /** Submits that are unanswered at once; of a carrier with a window, the window. */
  readonly concurrency: number;
  /** Submits that start in one second; null where the carrier names no bound. */
  readonly messagesPerSecond: number | null;
  /** Submits that may wait for a place; those beyond it are refused at once. */
  readonly waitingMax: number;
}

/** How the product learns what a message cost at the carrier. */
export interface CarrierCost {
  /** What the carrier counts. */
  readonly per: 'message' | 'segment';
  /** Where the price stands. */
  readonly stated: 'answer' | 'report' | 'invoice';
}

type CapacitySettings = Readonly<Record<string, string>>;

/** The carrier's capacity, with what the settings of an account say instead. */
export function capacityOf(usual: Capacity, settings: CapacitySettings): Capacity {
  const { concurrency, messagesPerSecond } = settings;
  return {
    ...usual,
    ...(concurrency ? { concurrency: Number(concurrency) } : {}),
    ...(messagesPerSecond ? { messagesPerSecond: Number(messagesPerSecond) } : {}),
  };
}
