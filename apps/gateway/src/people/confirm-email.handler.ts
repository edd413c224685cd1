import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type Clock,
  type ConfirmEmailBody,
  ERROR_MESSAGES,
  type Outcome,
  type UserId,
} from '@watchword/contracts';
import { CLOCK, DATABASE } from '@watchword/platform';
import type { DatabasePool } from '@watchword/postgres';
import { ConfirmWorkspaceHandler } from '../accounts/workspaces/confirm-workspace.handler.js';
import { EmailConfirmationStore } from './email-confirmation.store.js';
import { isToken, tokenHash } from './session-token.js';
import { UserStore } from './user.store.js';

/**
 * Confirms a user's address and the workspace of the sign-up. The token is used last and each step
 * can be repeated, so the same link completes a confirmation that failed half-way.
 */
@Injectable()
export class ConfirmEmailHandler {
  constructor(
    @Inject(DATABASE) private readonly database: DatabasePool,
    private readonly users: UserStore,
    private readonly confirmations: EmailConfirmationStore,
    private readonly workspaces: ConfirmWorkspaceHandler,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async ownerOf({ confirmation_token: token }: ConfirmEmailBody): Promise<UserId> {
    const at = new Date(this.clock.now());
    const userId = isToken(token) ? await this.confirmations.find(tokenHash(token), at) : null;
    if (userId === null) throw badConfirmation();
    return userId;
  }

  async confirm(userId: UserId, { confirmation_token: token }: ConfirmEmailBody): Promise<Outcome> {
    const founded = await this.users.listUnconfirmedFoundations(userId);
    for (const workspaceId of founded) await this.workspaces.confirm(workspaceId);
    await this.database.transaction(async (transaction) => {
      const at = new Date(this.clock.now());
      const confirmations = this.confirmations.within(transaction);
      if (!(await confirmations.use(tokenHash(token), at))) throw badConfirmation();
      await this.users.within(transaction).confirmEmail(userId, at);
    });
    return { effect: { user_id: userId, workspace_ids: founded } };
  }
}

function badConfirmation(): ApiError {
  return new ApiError('validation_error', {
    field: 'confirmation_token',
    message: ERROR_MESSAGES.badConfirmation,
  });
}
