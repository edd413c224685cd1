import { type Reason, type ReasonRule, reasonRule } from '@watchword/contracts';

/**
 * Circuit breaker of one provider. States: closed, open (since `openedAt`), probing.
 * - It opens when at least half of at least 20 calls within 30 s failed because of the provider,
 *   after `faultsInARowMax` such calls in a row, and at once when the provider refuses us
 *   (credentials, credit).
 * - After 15 s one message may go through as the probe. Only its outcome closes or reopens the
 *   circuit. A message that is chosen as the probe and does not call loses its place after another
 *   15 s. Once it calls, it keeps the place until its outcome, which always follows.
 * - Calls are counted by whole seconds, so memory stays bounded at every rate.
 */
const WINDOW_SECONDS = 30;
const CALLS_MIN = 20;
const FAILURE_SHARE = 0.5;
export const PROBE_AFTER_MS = 15_000;
/**
 * Milliseconds. A provider that no message reaches while others work waits longer for its
 * probe.
 */
export const SPARE_PROBE_AFTER_MS = 60_000;

/** Why a call failed. */
export interface Fault {
  /** In our words or the provider's. */
  readonly reason: string;
  readonly health: ReasonRule['health'];
}

/** Returns the fault of a call that ended with this reason. Null is a success. */
export function faultOf(reason: Reason | null): Fault | null {
  return reason === null ? null : { reason, health: reasonRule(reason).health };
}

/** `sick`: the circuit is open, and another message is the probe or none is due. */
export type Admission = 'well' | 'probe' | 'sick';

interface Probe {
  readonly messageId: string;
  readonly since: number;
  readonly isCalled: boolean;
}

interface Second {
  second: number;
  calls: number;
  failures: number;
}

export class ProviderHealth {
  private seconds: Second[] = [];
  private openedAt: number | null = null;
  private probe: Probe | null = null;
  private openedBy: string | null = null;
  private faultsInARow = 0;

  constructor(private readonly faultsInARowMax = Infinity) {}

  /** Returns whether a call may go to it now. */
  isAvailable(now: number): boolean {
    return this.openedAt === null || this.hasWaited(PROBE_AFTER_MS, now);
  }

  /** Returns whether this message is its probe. */
  isProbedBy(messageId: string): boolean {
    return this.probe?.messageId === messageId;
  }

  /** Returns whether a message should probe it although another provider is available. */
  needsProbe(now: number): boolean {
    return this.openedAt !== null && this.hasWaited(SPARE_PROBE_AFTER_MS, now);
  }

  private hasWaited(durationMs: number, now: number): boolean {
    if (this.probe?.isCalled) return false;
    return now >= (this.probe?.since ?? this.openedAt ?? now) + durationMs;
  }

  get circuit(): 'closed' | 'open' | 'probing' {
    if (this.openedAt === null) return 'closed';
    return this.probe === null ? 'open' : 'probing';
  }

  /** What opened the circuit. Null while it is closed. */
  get reason(): string | null {
    return this.openedBy;
  }

  /** Called when a message is routed here. The first one after a probe is due becomes the probe. */
  reserve(messageId: string, now: number): void {
    if (this.openedAt === null || this.isProbedBy(messageId) || !this.isAvailable(now)) return;
    this.probe = { messageId, since: now, isCalled: false };
  }

  /** Called for a message right before its call. After `probe`, `record` must follow. */
  admit(messageId: string, now: number): Admission {
    if (this.openedAt === null) return 'well';
    this.reserve(messageId, now);
    if (!this.isProbedBy(messageId)) return 'sick';
    this.probe = { messageId, since: now, isCalled: true };
    return 'probe';
  }

  /** Records an outcome; `null` is a success. Returns whether this opened the circuit. */
  record(messageId: string, fault: Fault | null, now: number): boolean {
    if (this.openedAt !== null) {
      if (this.isProbedBy(messageId)) this.recordProbe(fault, now);
      return false;
    }
    if (fault?.health === 'open') return this.open(fault, now);
    const isFailure = fault?.health === 'counts';
    this.count(isFailure, now);
    return isFailure && this.isSick() ? this.open(fault, now) : false;
  }

  /** A refusal that is the message's own fault proves nothing. The next message is the probe. */
  private recordProbe(fault: Fault | null, now: number): void {
    if (fault === null) this.close();
    else if (fault.health === 'open' || fault.health === 'counts') this.open(fault, now);
    else this.probe = null;
  }

  private open({ reason }: Fault, now: number): true {
    this.openedBy = reason;
    this.faultsInARow = 0;
    this.openedAt = now;
    this.probe = null;
    this.seconds = [];
    return true;
  }

  private close(): void {
    this.openedBy = null;
    this.openedAt = null;
    this.probe = null;
  }

  private count(isFailure: boolean, now: number): void {
    const second = Math.floor(now / 1_000);
    this.seconds = this.seconds.filter((kept) => kept.second > second - WINDOW_SECONDS);
    let current = this.seconds.at(-1);
    if (current?.second !== second) {
      current = { second, calls: 0, failures: 0 };
      this.seconds.push(current);
    }
    current.calls += 1;
    if (isFailure) current.failures += 1;
    this.faultsInARow = isFailure ? this.faultsInARow + 1 : 0;
  }

  private isSick(): boolean {
    if (this.faultsInARow >= this.faultsInARowMax) return true;
    const calls = this.seconds.reduce((sum, kept) => sum + kept.calls, 0);
    const failures = this.seconds.reduce((sum, kept) => sum + kept.failures, 0);
    return calls >= CALLS_MIN && failures >= calls * FAILURE_SHARE;
  }
}
