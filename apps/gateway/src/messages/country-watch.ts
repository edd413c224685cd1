import { Inject, Injectable } from '@nestjs/common';
import type { Clock, WorkspaceId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { BoundedMap, LOGGER, CLOCK } from '@watchword/platform';
import type { Caller } from '../accounts/keys/key-directory.port.js';
import { judgeCountry } from './destination.policy.js';
import type { SendWords } from '../inputs/send-words.policy.js';

const LOG_AGAIN_AFTER_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Refuses or logs sends to countries that the key or the workspace has not enabled. */
@Injectable()
export class CountryWatch {
  private readonly loggedAt = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  check(caller: Caller, countryCode: string, words?: SendWords): void {
    const finding = judgeCountry(caller, countryCode, words);
    if (finding?.verdict === 'refused') throw finding.error;
    if (finding?.verdict === 'logged') this.log(caller.workspace.id, countryCode);
  }

  /** Logs once a minute for each workspace and country. */
  private log(workspaceId: WorkspaceId, countryCode: string): void {
    const identity = `${workspaceId} ${countryCode}`;
    const now = this.clock.now();
    if (now - (this.loggedAt.get(identity) ?? -Infinity) < LOG_AGAIN_AFTER_MS) return;
    this.loggedAt.set(identity, now);
    this.logger.warn({ workspaceId, countryCode }, 'sends to a country that is not enabled');
  }
}
