import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK, NextPoll } from '@watchword/platform';
import type { Email } from './email.js';

/** Milliseconds between polls when nothing announces a due email. */
const POLL_EVERY_MS = 60_000;

/** When the job of due emails polls next. What writes an email notes its times. */
@Injectable()
export class DueEmailsPoll extends NextPoll {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {
    super(POLL_EVERY_MS);
  }

  /** Notes when a written email is due next, without reading the database. */
  pollWhenDue({ recipients }: Email): void {
    for (const { dueAt } of recipients) if (dueAt !== null) this.pollAt(dueAt);
  }

  /** Notes that an email is due then. */
  pollAt(at: Date): void {
    this.at(at, this.clock);
  }
}
