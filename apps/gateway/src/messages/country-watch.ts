import { Inject, Injectable } from '@nestjs/common';
import type { Clock, WorkspaceId } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { CLOCK, LOGGER, OnceAMinute } from '@watchword/platform';
import type { Caller } from '../accounts/keys/key-directory.port.js';
import { judgeCountry } from './destination.policy.js';
import type { SendWords } from '../inputs/send-words.policy.js';

/** Refuses or logs sends to countries that the key or the workspace has not enabled. */
@Injectable()
export class CountryWatch {
  private readonly lines: OnceAMinute;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.lines = new OnceAMinute(clock);
  }

  check(caller: Caller, countryCode: string, words?: SendWords): void {
    const finding = judgeCountry(caller, countryCode, words);
    if (finding?.verdict === 'refused') throw finding.error;
    if (finding?.verdict === 'logged') this.note(caller.workspace.id, countryCode);
  }

  private note(workspaceId: WorkspaceId, countryCode: string): void {
    if (!this.lines.isDue(`${workspaceId} ${countryCode}`)) return;
    this.logger.warn({ workspaceId, countryCode }, 'sends to a country that is not enabled');
  }
}
