import { setTimeout as sleep } from 'node:timers/promises';
import { AccountSlots, type Capacity, FULL } from '@watchword/carriers';

/** Milliseconds until a call that finds no free slot tries again. */
const FULL_RETRY_MS = 100;

export interface SlottedAccount {
  readonly name: string;
  readonly capacity: Capacity;
}

/** A call to a carrier that needs a slot. */
export interface SlottedCall<Outcome> {
  make(): Promise<Outcome>;
  /**
   * Called while no slot is free. Returns the outcome without a call where another account may be
   * asked, or where waiting is pointless. Null means: keep waiting.
   */
  instead(): Outcome | null;
  /** Milliseconds of waiting for a slot after which `instead` is called. Absent: never. */
  readonly timeoutMs?: number;
  /** Domain of the recipient, where the account bounds the calls to one. */
  readonly domain?: string;
}

/** The slots of a channel's accounts. Each account has its own, so a hanging one uses up only those. */
export class AccountSlotsTable {
  private readonly slotsByAccount: ReadonlyMap<string, AccountSlots>;

  constructor(
    accounts: Iterable<SlottedAccount>,
    private readonly stopping: AbortSignal,
  ) {
    this.slotsByAccount = new Map(
      [...accounts].map((one) => [one.name, new AccountSlots(one.capacity)]),
    );
  }

  /** Names of accounts without a free slot. */
  get full(): string[] {
    return [...this.slotsByAccount].filter(([, slots]) => slots.isFull).map(([name]) => name);
  }

  /** Makes the call once its account has a slot. Rejects at a stop. */
  async run<Outcome>(account: string, call: SlottedCall<Outcome>): Promise<Outcome> {
    const slots = this.slotsByAccount.get(account);
    if (!slots) throw new Error(`the account ${account} has no slots`);
    const { domain, timeoutMs } = call;
    let instead: Outcome | null = null;
    const givesUp = () => (instead = call.instead()) !== null;
    const timeout = timeoutMs === undefined ? undefined : { timeoutMs, givesUp };
    for (;;) {
      const outcome = await slots.run(() => call.make(), domain, timeout);
      if (outcome !== FULL) return outcome;
      this.stopping.throwIfAborted();
      instead ??= call.instead();
      if (instead !== null) return instead;
      // Without the signal of the stop: thousands wait here, and each listener of a signal makes the next one dearer.
      await sleep(FULL_RETRY_MS);
      this.stopping.throwIfAborted();
    }
  }

  close(): void {
    for (const slots of this.slotsByAccount.values()) slots.close();
  }
}

/** Most calls that these accounts take at a time, those that wait included. */
export function heldMax(accounts: Iterable<SlottedAccount>): number {
  return [...accounts].reduce(
    (sum, { capacity }) => sum + capacity.concurrency + capacity.waitingMax,
    0,
  );
}
