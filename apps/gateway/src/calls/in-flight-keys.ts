import { Injectable } from '@nestjs/common';
import {
  ApiError,
  ERROR_MESSAGES,
  type IdempotencyClaim,
  type WorkspaceId,
} from '@watchword/contracts';

/**
 * Idempotency keys of first requests without an answer, in this process. A second request must
 * retry, because there is no answer to repeat. Bounded by the open requests.
 */
@Injectable()
export class InFlightKeys {
  private readonly open = new Set<string>();

  async during<Result>(
    workspaceId: WorkspaceId | null,
    claim: IdempotencyClaim | null,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (claim === null) return work();
    const identity = `${workspaceId} ${claim.scope} ${claim.key}`;
    if (this.open.has(identity)) {
      throw new ApiError('conflict', {
        message: ERROR_MESSAGES.keyInFlight,
        retryAfterSeconds: 1,
      });
    }
    this.open.add(identity);
    try {
      return await work();
    } finally {
      this.open.delete(identity);
    }
  }
}
