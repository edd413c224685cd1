import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type DispatchCalls,
  type PrefixRestriction,
  type WorkspaceId,
} from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER, TookTooLong, within } from '@watchword/platform';
import { DISPATCH } from '../calls/dispatch-calls.js';
import { type PlacedWindow, windowId } from './limit-table.policy.js';

/** Milliseconds between refreshes of the restrictions. */
const REFRESH_EVERY_MS = 1_000;
/**
 * Milliseconds without a send after which they are refreshed rarely. The next send refreshes them
 * and waits for the answer.
 */
const USED_FOR_MS = 3_000;
const IDLE_REFRESH_EVERY_MS = 15_000;
/** Milliseconds that a send waits for that answer. Then the known restrictions decide. */
const WAIT_MS_MAX = 200;
const THROTTLED_OTPS = 10;

/**
 * Restrictions of prefixes by pumping protection, in memory because every send reads them. Dispatch
 * decides and is asked every second for changes. While it is unavailable, the known ones stay in
 * force.
 */
@Injectable()
export class PrefixGuard {
  private restrictions: ReadonlyMap<string, PrefixRestriction> = new Map();
  private version = 0;
  private timer: NodeJS.Timeout | undefined;
  private refreshing: Promise<void> = Promise.resolve();
  /** The wait of the first sends after a pause. */
  private waking: Promise<void> | undefined;
  private isStopped = false;
  private isUnavailable = false;
  private usedAtMs = -Infinity;

  constructor(
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'listPrefixRestrictions'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    await this.refreshOrWarn();
    this.schedule();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.refreshing;
  }

  /** Reads the restrictions now, so that a caller's change takes effect here at once. */
  async refresh(): Promise<void> {
    const known = { known_version: this.version };
    const { version, restrictions } = await this.dispatch.listPrefixRestrictions(known);
    if (restrictions === null || version < this.version) return;
    this.version = version;
    this.restrictions = new Map(
      restrictions.map((each) => [keyOf(each.workspace_id, each.prefix), each]),
    );
  }

  /**
   * Waits after a pause until the restrictions are read, at most `WAIT_MS_MAX`. Undefined when
   * nothing has to be awaited.
   */
  current(): Promise<void> | undefined {
    const isIdle = !this.isUsed;
    this.usedAtMs = performance.now();
    if (isIdle && !this.isStopped) {
      this.waking = this.wake().finally(() => (this.waking = undefined));
    }
    return this.waking;
  }

  /** Returns the restriction of a number, as far as it is known. */
  restrictionOf(workspaceId: WorkspaceId, e164: string): PrefixRestriction | null {
    if (this.restrictions.size === 0) return null;
    const restriction = this.restrictions.get(keyOf(workspaceId, e164.slice(1, 7)));
    if (!restriction) return null;
    const { ends_at: endsAt } = restriction;
    return endsAt === null || Date.parse(endsAt) > this.clock.now() ? restriction : null;
  }

  /** Refuses a send to a blocked prefix. */
  check(workspaceId: WorkspaceId, e164: string, field = 'phone_number'): void {
    if (this.restrictionOf(workspaceId, e164)?.state !== 'blocked') return;
    throw new ApiError('prefix_blocked', { field });
  }

  /** Returns the window of the few OTPs that a throttle admits. It ends with the throttle. */
  throttle(workspaceId: WorkspaceId, e164: string): PlacedWindow[] {
    const restriction = this.restrictionOf(workspaceId, e164);
    if (restriction?.state !== 'throttled' || restriction.ends_at === null) return [];
    const { prefix, since, ends_at: endsAt } = restriction;
    const seconds = Math.ceil((Date.parse(endsAt) - this.clock.now()) / 1_000);
    const id = windowId(`otp-throttle:${workspaceId}:${prefix}:${since}`);
    return [{ id, limit: THROTTLED_OTPS, seconds, per: 'prefix' }];
  }

  private get isUsed(): boolean {
    return performance.now() - this.usedAtMs < USED_FOR_MS;
  }

  private schedule(delayMs = this.isUsed ? REFRESH_EVERY_MS : IDLE_REFRESH_EVERY_MS): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => this.refreshAndGoOn(), delayMs).unref();
  }

  private refreshAndGoOn(): void {
    clearTimeout(this.timer);
    this.refreshing = this.refreshOrWarn().then(() => this.schedule());
  }

  private async wake(): Promise<void> {
    this.refreshAndGoOn();
    try {
      await within(WAIT_MS_MAX, this.refreshing);
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
    }
  }

  private async refreshOrWarn(): Promise<void> {
    try {
      await this.refresh();
      this.isUnavailable = false;
    } catch (error) {
      if (!this.isUnavailable)
        this.logger.warn({ err: error }, 'prefix restrictions may be out of date');
      this.isUnavailable = true;
    }
  }
}

function keyOf(workspaceId: WorkspaceId, prefix: string): string {
  return `${workspaceId} ${prefix}`;
}
