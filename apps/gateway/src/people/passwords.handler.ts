import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type ChangePasswordBody,
  type Clock,
  ERROR_MESSAGES,
  type Outcome,
  type RedeemPasswordResetBody,
  unknownResource,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { DATABASE, CLOCK } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import { ApiKeyStore } from '../accounts/keys/api-key.store.js';
import { pathId } from '../accounts/settings/path-id.js';
import type { Session } from './account.js';
import { DeviceStore } from './device.store.js';
import { InvitationStore } from './invitation.store.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordResetStore } from './password-reset.store.js';
import { checkNewPassword } from './password.policy.js';
import { isToken, newToken, tokenHash } from './session-token.js';
import { SessionStore } from './session.store.js';
import { UserStore } from './user.store.js';

const RESET_LIFE_MS = 24 * 60 * 60 * 1_000;

/** Changes passwords: by the user, or with an operator's token. */
@Injectable()
export class PasswordsHandler {
  constructor(
    @Inject(DATABASE) private readonly database: DatabasePool,
    private readonly users: UserStore,
    private readonly sessions: SessionStore,
    private readonly devices: DeviceStore,
    private readonly resets: PasswordResetStore,
    private readonly passwords: PasswordHasher,
    private readonly invitations: InvitationStore,
    private readonly apiKeys: ApiKeyStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Changes the password and ends every other session of the user. */
  async change({ token, member }: Session, body: ChangePasswordBody): Promise<Outcome> {
    const { id, email } = member.user;
    checkNewPassword(body.new_password, 'new_password');
    const user = await this.users.findByEmail(email);
    const stored = user?.passwordHash ?? null;
    if (!(await this.passwords.matches(body.current_password, stored))) throw wrongPassword();
    const hashed = await this.passwords.hash(body.new_password);
    await this.database.transaction(async (transaction) => {
      const users = this.users.within(transaction);
      if (!(await users.replacePassword(id, stored as string, hashed))) throw wrongPassword();
      await this.sessions.within(transaction).deleteOthers(id, tokenHash(token));
      await this.resets.within(transaction).delete(id);
    });
    return { effect: { user_id: id } };
  }

  /** Returns a reset token. It is shown once; the operator passes it on to the user. */
  async issueReset(userId: UserId): Promise<Outcome> {
    const user = await this.users.find(pathId(userId, 'user'));
    if (!user) throw unknownResource('user');
    const token = newToken();
    const expiresAt = new Date(this.clock.now() + RESET_LIFE_MS);
    await this.resets.put(user.id, tokenHash(token), expiresAt);
    const answer = { user_id: user.id, email: user.email };
    return {
      body: { ...answer, reset_token: token, expires_at: expiresAt.toISOString() },
      effect: answer,
    };
  }

  async ownerOfReset({ reset_token: token }: RedeemPasswordResetBody): Promise<UserId> {
    const at = new Date(this.clock.now());
    const userId = isToken(token) ? await this.resets.find(tokenHash(token), at) : null;
    if (userId === null) throw badReset();
    return userId;
  }

  /**
   * Sets the password, ends every session of the user and deletes the user's devices. With
   * `revoke_keys` it resolves once no gateway accepts the revoked keys.
   */
  async redeemReset(userId: UserId, body: RedeemPasswordResetBody): Promise<Outcome> {
    checkNewPassword(body.new_password, 'new_password');
    const hashed = await this.passwords.hash(body.new_password);
    const used = tokenHash(body.reset_token);
    const reclaimed = await this.database.transaction(async (transaction: Queryable) => {
      const at = new Date(this.clock.now());
      if (!(await this.resets.within(transaction).use(userId, used, at))) throw badReset();
      await this.users.within(transaction).setPassword(userId, hashed);
      await this.sessions.within(transaction).deleteOthers(userId, null);
      await this.devices.within(transaction).forget(userId);
      return body.revoke_keys ? this.reclaim(transaction, userId) : null;
    });
    if (reclaimed === null) return { effect: { user_id: userId } };
    const { workspaceIds, revokedKeys } = reclaimed;
    return {
      effect: { user_id: userId, workspace_ids: workspaceIds, revoked_keys: revokedKeys },
    };
  }

  /**
   * Ends what the person who signed up with the user's address can hold of the workspaces: keys,
   * sessions and invitations. The members stay, and the owner can remove them.
   */
  private async reclaim(transaction: Queryable, userId: UserId): Promise<Reclaimed> {
    const workspaceIds = await this.users.within(transaction).listFoundations(userId);
    await this.sessions.within(transaction).deleteOfWorkspaces(workspaceIds);
    await this.invitations.within(transaction).withdrawAll(workspaceIds);
    // Last, because it holds the number of changes until the end.
    const revokedKeys = await this.apiKeys.revokeAll(workspaceIds, transaction);
    return { workspaceIds, revokedKeys };
  }
}

interface Reclaimed {
  readonly workspaceIds: readonly WorkspaceId[];
  readonly revokedKeys: number;
}

function wrongPassword(): ApiError {
  return new ApiError('permission_error', {
    field: 'current_password',
    message: ERROR_MESSAGES.wrongCurrentPassword,
  });
}

function badReset(): ApiError {
  return new ApiError('validation_error', {
    field: 'reset_token',
    message: ERROR_MESSAGES.badPasswordReset,
  });
}
