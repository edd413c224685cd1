import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type DispatchCalls,
  type EmailContent,
  ERROR_MESSAGES,
  type StoredBytesBound,
} from '@watchword/contracts';
import type { Logger } from '@watchword/observability';
import { LOGGER } from '@watchword/platform';
import { isWithoutEffect } from '@watchword/rpc';
import type { Caller, WorkspaceView } from '../../accounts/keys/key-directory.port.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { TrialWorkspaces } from '../../limits/trial-workspaces.js';

const MIB = 1_048_576;
/** Bytes of a trial workspace's contents, in both modes together. */
const TRIAL_BYTES_MAX = 100 * MIB;
/** Bytes of the contents of a workspace's test emails. */
const TEST_BYTES_MAX = 1_024 * MIB;

/** Contents of test emails go after a day, and others when their owner or an operator acts. */
const RETRY_AFTER_SECONDS = 3_600;

/** Contents are stored before the acceptance, within the bound of their workspace, and deleted when it refuses. */
@Injectable()
export class EmailContents {
  constructor(
    @Inject(DISPATCH)
    private readonly dispatch: Pick<DispatchCalls, 'storeEmailContents' | 'releaseEmailContents'>,
    private readonly trials: TrialWorkspaces,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns one hash per content, in order. */
  async store(
    { workspace, mode }: Caller,
    contents: readonly EmailContent[],
  ): Promise<readonly string[]> {
    const bound = await this.boundOf(workspace, mode === 'test');
    const stored = await this.dispatch.storeEmailContents({
      workspace_id: workspace.id,
      test_mode: mode === 'test',
      contents: [...contents],
      bound,
    });
    if (!('verdict' in stored)) return stored.sha256;
    throw new ApiError('rate_limited', {
      message: fullMessage(bound!, mode === 'test'),
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /** Deletes what a refused send stored. A failure leaves it to the purge, a day later. */
  async release({ workspace }: Caller, sha256: Iterable<string>): Promise<void> {
    const hashes = [...new Set(sha256)];
    if (hashes.length === 0) return;
    try {
      await this.dispatch.releaseEmailContents({ workspace_id: workspace.id, sha256: hashes });
    } catch (error) {
      this.logger.warn({ err: error }, 'the content of a refused email was not deleted');
    }
  }

  private async boundOf(
    workspace: WorkspaceView,
    isTest: boolean,
  ): Promise<StoredBytesBound | null> {
    if (await this.trials.isTrial(workspace)) {
      return { bytes_max: TRIAL_BYTES_MAX, both_modes: true };
    }
    const { stored_bytes_max: ofLive } = workspace.settings.limits;
    const bytesMax = isTest ? TEST_BYTES_MAX : ofLive;
    return bytesMax === null ? null : { bytes_max: bytesMax, both_modes: false };
  }
}

/** Returns whether the acceptance certainly did not accept. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError || isWithoutEffect(error);
}

function fullMessage(
  { bytes_max: bytesMax, both_modes: isTrial }: StoredBytesBound,
  isTest: boolean,
) {
  if (isTrial) return ERROR_MESSAGES.trialBytesFull(bytesMax / MIB);
  return isTest
    ? ERROR_MESSAGES.testBytesFull(bytesMax / MIB)
    : ERROR_MESSAGES.storedBytesFull(bytesMax);
}
