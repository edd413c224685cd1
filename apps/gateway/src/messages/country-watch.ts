import type { Clock } from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { BoundedMap } from '@watchword/platform';
import type { WorkspaceView } from '../accounts/keys/key-directory.port.js';
import { countryNotEnabled, judgeCountry } from './destination.policy.js';
import type { SendWords } from './send-words.policy.js';

const LOG_AGAIN_AFTER_MS = 60_000;
const REMEMBERED_MAX = 10_000;

/** Countries that a workspace has not enabled: refused or logged, as it chose. */
export class CountryWatch {
  private readonly loggedAt = new BoundedMap<string, number>(REMEMBERED_MAX);

  constructor(
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {}

  check(workspace: WorkspaceView, countryCode: string, testMode: boolean, words?: SendWords): void {
    const verdict = judgeCountry(countryCode, workspace.settings, testMode);
    if (verdict === 'refused') throw countryNotEnabled(countryCode, words);
    if (verdict === 'logged') this.log(workspace.id, countryCode);
  }

  /** Once a minute each: the fact matters, a line per message would only cost. */
  private log(workspaceId: string, countryCode: string): void {
    const identity = `${workspaceId} ${countryCode}`;
    const now = this.clock.now();
    if (now - (this.loggedAt.get(identity) ?? -Infinity) < LOG_AGAIN_AFTER_MS) return;
    this.loggedAt.set(identity, now);
    this.logger.warn({ workspaceId, countryCode }, 'sends to a country that is not enabled');
  }
}
