/** How much one account at a carrier can take. */
export interface Capacity {
  /** Most unanswered submits. For a carrier with a window, the window. */
  readonly concurrency: number;
  /** Most submits started per second. Null where the carrier names no limit. */
  readonly messagesPerSecond: number | null;
  /** Most submits that wait for a slot. Further ones are refused at once. */
  readonly waitingMax: number;
  /** Most unanswered emails to one recipient domain. Absent where no domain is slower than others. */
  readonly perDomain?: number | undefined;
}

/** The source of a message's cost at the carrier. */
export interface CarrierCost {
  /** The unit that the carrier bills. */
  readonly per: 'message' | 'segment';
  /** Where the carrier states the price. */
  readonly stated: 'answer' | 'report' | 'invoice';
}

interface CapacitySettings {
  readonly concurrency: number | null;
  readonly messagesPerSecond: number | null;
}

/** Returns the carrier's capacity, with the values that an account's settings replace. */
export function capacityOf(usual: Capacity, settings: CapacitySettings): Capacity {
  return {
    ...usual,
    concurrency: settings.concurrency ?? usual.concurrency,
    messagesPerSecond: settings.messagesPerSecond ?? usual.messagesPerSecond,
  };
}
