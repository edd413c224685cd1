import { Inject, Injectable } from '@nestjs/common';
import type { Bus } from '@watchword/bus';
import { asId, type Clock, type EmailReport, newId, TOPICS } from '@watchword/contracts';
import { crashPoint } from '@watchword/observability';
import { BoundedMap, BUS, CLOCK } from '@watchword/platform';

/** Milliseconds in which a second hit on a link counts as the same: a double click, or a flood. */
const SAME_HIT_MS = 1_000;
const REMEMBERED_MAX = 10_000;

export type EmailHit = Pick<EmailReport, 'kind' | 'recipient'> & { email_id: string } & Partial<
    Pick<EmailReport, 'open' | 'click' | 'workspace_id' | 'address'>
  >;

/** Publishes a hit on a signed link of an email. */
@Injectable()
export class EmailHitsHandler {
  private readonly takenAtMs = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async take(hit: EmailHit): Promise<void> {
    const nowMs = this.clock.now();
    // A link protector looks just before the person whom it protects.
    const isByMachine = hit.open?.machine_open === true || hit.click?.machine_click === true;
    // A token can be spelled and signed in several ways.
    const { kind, email_id: emailId, recipient, click } = hit;
    const sameHit = `${isByMachine} ${kind} ${emailId} ${recipient} ${click?.url ?? ''}`;
    if (nowMs - (this.takenAtMs.get(sameHit) ?? -Infinity) < SAME_HIT_MS) return;
    const at = new Date(nowMs).toISOString();
    const report: EmailReport = {
      report_id: newId(),
      ...hit,
      email_id: asId(hit.email_id),
      provider: null,
      occurred_at: at,
      received_at: at,
    };
    crashPoint('gateway.email-hit.before-publish');
    await this.bus.publish(TOPICS.emailReports, [
      {
        id: report.report_id,
        key: report.email_id,
        type: 'svc.email-report.v1',
        payload: JSON.stringify(report),
        time: at,
      },
    ]);
    crashPoint('gateway.email-hit.after-publish');
    this.takenAtMs.set(sameHit, nowMs);
  }
}
