import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, every, LOGGER, PATIENT_DATABASE, type Periodic } from '@watchword/platform';
import { type Queryable, statement } from '@watchword/postgres';
import { RecoveryJob } from '../deliveries/recovery.job.js';
import { DisabledEndpointsJob } from './disabled-endpoints.job.js';

/** How soon what another process, or one that died, has left is gone on with. */
const LOOK_EVERY_MS = 3_000;

const LOOK = statement(
  'webhooks.due-work',
  `SELECT EXISTS (
      SELECT FROM webhooks.recoveries WHERE status = 'running' AND next_at <= $1
    ) AS "hasRecoveries",
    EXISTS (SELECT FROM webhooks.endpoints WHERE notice_event_id IS NOT NULL)
      OR EXISTS (SELECT FROM webhooks.endpoints WHERE closing) AS "hasDisabled"`,
);

interface DueWork {
  readonly hasRecoveries: boolean;
  readonly hasDisabled: boolean;
}

/** Asks in one statement what there is to do beside deliveries, and tells the jobs. */
@Injectable()
export class DueWorkJob {
  private job: Periodic | undefined;

  constructor(
    @Inject(PATIENT_DATABASE) private readonly database: Queryable,
    private readonly recovery: RecoveryJob,
    private readonly disabled: DisabledEndpointsJob,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.job = every(LOOK_EVERY_MS, 'due work', () => this.look(), this.logger);
  }

  async stop(): Promise<void> {
    await this.job?.stop();
  }

  private async look(): Promise<void> {
    const { rows } = await this.database.query<DueWork>(LOOK, [new Date(this.clock.now())]);
    const [found] = rows;
    if (found?.hasRecoveries) this.recovery.expect();
    if (found?.hasDisabled) this.disabled.wake();
  }
}
