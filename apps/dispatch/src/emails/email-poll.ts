import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import { CLOCK, NextPoll } from '@watchword/platform';
import type { Email } from './email.js';

/** Milliseconds between looks when nothing announces a due email. */
const LOOK_EVERY_MS = 60_000;

/** When the job of due emails looks next. What writes an email notes its times. */
@Injectable()
export class EmailPoll extends NextPoll {
  constructor(@Inject(CLOCK) private readonly clock: Clock) {
    super(LOOK_EVERY_MS);
  }

  /** Notes when a written email is due next, without reading the database. */
  lookWhenDue({ recipients }: Email): void {
    for (const { dueAt } of recipients) if (dueAt !== null) this.lookAt(dueAt);
  }

  /** Notes that an email is due then. */
  lookAt(at: Date): void {
    this.at(at, this.clock);
  }
}
