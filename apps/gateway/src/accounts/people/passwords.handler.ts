import {
  ApiError,
  type ChangePasswordBody,
  type Clock,
  ERROR_MESSAGES,
  type RedeemPasswordResetBody,
} from '@watchword/contracts';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import type { Outcome } from '../audit/outcome.js';
import { pathId } from '../settings/path-id.js';
import type { Session } from './account.js';
import type { DeviceStore } from './device.store.js';
import type { PasswordHasher } from './password-hasher.js';
import { checkNewPassword } from './password.policy.js';
import type { PasswordResetStore } from './password-reset.store.js';
import type { SessionStore } from './session.store.js';
import { isToken, newToken, tokenHash } from './session-token.js';
import type { UserStore } from './user.store.js';

const RESET_LIFE_MS = 24 * 60 * 60 * 1_000;

export interface PasswordStores {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly devices: DeviceStore;
  readonly resets: PasswordResetStore;
}

/** Changes passwords: by the user, or with the token of an operator. */
export class PasswordsHandler {
  constructor(
    private readonly database: DatabasePool,
    private readonly stores: PasswordStores,
    private readonly passwords: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Ends every other session of the user. */
  async change({ token, member }: Session, body: ChangePasswordBody): Promise<Outcome> {
    const { id, email } = member.user;
    checkNewPassword(body.new_password, 'new_password');
    const user = await this.stores.users.findByEmail(email);
    const stored = user?.passwordHash ?? null;
    if (!(await this.passwords.matches(body.current_password, stored))) throw wrongPassword();
    const hashed = await this.passwords.hash(body.new_password);
    await this.database.transaction(async (transaction) => {
      const users = this.stores.users.within(transaction);
      if (!(await users.replacePassword(id, stored as string, hashed))) throw wrongPassword();
      await this.stores.sessions.within(transaction).deleteOthers(id, tokenHash(token));
      await this.stores.resets.within(transaction).delete(id);
    });
    return { effect: { user_id: id } };
  }

  /** The token is shown once; the operator passes it on to the user. */
  async issueReset(userId: string): Promise<Outcome> {
    const user = await this.stores.users.find(pathId(userId));
    if (!user) throw new ApiError('not_found', { message: ERROR_MESSAGES.noUser });
    const token = newToken();
    const expiresAt = new Date(this.clock.now() + RESET_LIFE_MS);
    await this.stores.resets.put(user.id, tokenHash(token), expiresAt);
    const answer = { user_id: user.id, email: user.email };
    return {
      body: { ...answer, reset_token: token, expires_at: expiresAt.toISOString() },
      effect: answer,
    };
  }

  /** The user that a reset token belongs to. */
  async ownerOfReset({ reset_token: token }: RedeemPasswordResetBody): Promise<string> {
    const at = new Date(this.clock.now());
    const userId = isToken(token) ? await this.stores.resets.find(tokenHash(token), at) : null;
    if (userId === null) throw badReset();
    return userId;
  }

  /** Ends every session of the user and forgets the user's devices. */
  async redeemReset(userId: string, body: RedeemPasswordResetBody): Promise<Outcome> {
    checkNewPassword(body.new_password, 'new_password');
    const hashed = await this.passwords.hash(body.new_password);
    const used = tokenHash(body.reset_token);
    await this.database.transaction(async (transaction: Queryable) => {
      const at = new Date(this.clock.now());
      if (!(await this.stores.resets.within(transaction).use(used, at))) throw badReset();
      await this.stores.users.within(transaction).setPassword(userId, hashed);
      await this.stores.sessions.within(transaction).deleteOthers(userId, null);
      await this.stores.devices.within(transaction).forget(userId);
    });
    return { effect: { user_id: userId } };
  }
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
