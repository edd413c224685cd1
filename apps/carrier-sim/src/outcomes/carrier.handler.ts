import type { HandsetMessage, HandsetStore } from '../handset/handset.store.js';
import type { CallbackRequest, CallbackTarget } from '../receipts/callback.adapter.js';
import type { ReceiptJob } from '../receipts/receipt.job.js';
import type { ScenarioStore } from '../scenarios/scenario.store.js';
import type { CarrierRolesStore } from './carrier-roles.store.js';
import { magicDigits, magicPlan } from './magic-number.policy.js';
import type { NativeCodes } from './magic-number.policy.js';
import { ACCEPT, makePlan } from './outcome.js';
import type { Plan, Provider, Receipt } from './outcome.js';

/** What the outcome of a message depends on besides scenario and number. */
export interface CarrierTraits {
  readonly provider: Provider;
  readonly nativeCodes: NativeCodes;
  /** Whether the carrier reports the hand-over of a message before its result. */
  readonly announcesHandover: boolean;
  report(message: HandsetMessage, target: CallbackTarget, receipt: Receipt): CallbackRequest;
  /** Present where the carrier posts reports that are due together in one call. */
  reportTogether?(
    message: HandsetMessage,
    target: CallbackTarget,
    receipts: readonly Receipt[],
  ): CallbackRequest;
}

export interface CarrierParts {
  readonly scenarios: ScenarioStore;
  readonly roles: CarrierRolesStore;
  readonly messages: HandsetStore;
  readonly receipts: ReceiptJob;
  readonly defaultReceiptDelayMs: number;
}

/**
 * The part of a carrier that is the same for all dialects: it decides what happens to a message
 * (newest scenario, else magic number, else delivered), puts it on the handset and sends its
 * receipts.
 */
export class Carrier {
  private readonly announce: readonly Receipt[];
  private readonly delivered: Receipt;
  private readonly usualReceipts: readonly Receipt[];
  private readonly usualPlan: Plan;

  constructor(
    private readonly traits: CarrierTraits,
    private readonly parts: CarrierParts,
  ) {
    this.announce = traits.announcesHandover ? [{ afterMs: 0, outcome: 'buffered' }] : [];
    this.delivered = { afterMs: parts.defaultReceiptDelayMs, outcome: 'delivered' };
    this.usualReceipts = [...this.announce, this.delivered];
    this.usualPlan = makePlan(ACCEPT, this.usualReceipts);
  }

  planFor(to: string): Plan {
    const { provider, nativeCodes } = this.traits;
    const scenario = this.parts.scenarios.take(provider, to);
    if (scenario) return makePlan(scenario.submit, scenario.receipts ?? this.usualReceipts);
    const digits = magicDigits(to);
    if (digits === undefined) return this.usualPlan;
    const role = this.parts.roles.roleOf(provider, to, Date.now());
    const plan = magicPlan(digits, nativeCodes, role, this.announce, this.delivered);
    return plan ?? this.usualPlan;
  }

  /** Accepts a message. Without `target` the sender requested no receipts. */
  accept(plan: Plan, message: HandsetMessage, target: CallbackTarget | undefined): void {
    if (plan.reachesHandset) this.parts.messages.add(message);
    if (!target) return;
    const { traits } = this;
    this.parts.receipts.start({
      steps: plan.steps,
      acceptedAtMs: message.receivedAtMs,
      render: (receipt) => traits.report(message, target, receipt),
      renderTogether: (receipts) => traits.reportTogether?.(message, target, receipts),
    });
  }
}
