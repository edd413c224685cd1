import type { AcceptRequest, AcceptResult, BillingCalls, Clock } from '@watchword/contracts';

/** The windows of sends, as billing counts them. */
export class ScriptedWindows {
  private readonly windows = new Map<string, { sends: number; endsAtMs: number }>();

  constructor(private readonly clock: Clock) {}

  /** Counts a send, or returns its refusal. A workspace that has bought credits shares no window. */
  take(asked: AcceptRequest['windows'] = [], hasBought = false): AcceptResult | undefined {
    const windows = asked.filter(({ shared }) => !(shared && hasBought));
    for (const window of windows) {
      const seconds = this.fullFor(window);
      if (seconds !== null) return { verdict: 'limited', retry_after_seconds: seconds };
    }
    for (const { id, seconds } of windows) {
      const open = this.open(id) ?? { sends: 0, endsAtMs: this.clock.now() + seconds * 1_000 };
      this.windows.set(id, { ...open, sends: open.sends + 1 });
    }
    return undefined;
  }

  readonly findFullWindows: BillingCalls['findFullWindows'] = async ({ windows }) => ({
    retry_after_seconds: windows.map((window) => this.fullFor(window)),
  });

  private fullFor({ id, limit, seconds }: NonNullable<AcceptRequest['windows']>[number]) {
    const open = this.open(id);
    if ((open?.sends ?? 0) < limit) return null;
    return open ? Math.max(1, Math.ceil((open.endsAtMs - this.clock.now()) / 1_000)) : seconds;
  }

  private open(id: string) {
    const window = this.windows.get(id);
    return window && window.endsAtMs > this.clock.now() ? window : undefined;
  }
}
