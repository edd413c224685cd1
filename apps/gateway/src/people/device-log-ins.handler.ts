import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  type ApproveDeviceBody,
  type Clock,
  DEVICE_LOG_IN_SECONDS,
  DEVICE_LOG_INS_PER_HOUR,
  type DevicePollStatus,
  ERROR_MESSAGES,
  type Outcome,
  POLL_INTERVAL_SECONDS,
  USER_CODE_LENGTH,
  USER_CODE_LETTERS,
  USER_CODES_PER_MINUTE,
} from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { RateLimiter } from '@watchword/rate-limit';
import { ApiKeysHandler } from '../accounts/keys/api-keys.handler.js';
import { RATE_LIMITER } from '../limits/limits.js';
import { takeOfMinute, takeOrRefuse } from '../limits/take-or-refuse.js';
import type { Member } from './account.js';
import { DeviceLogInStore, type PolledDevice } from './device-log-in.store.js';
import { isToken, newToken, tokenHash } from './session-token.js';

const HOUR_SECONDS = 60 * 60;
/** Tries to find a user code that no other log-in has. */
const CODES_MAX = 3;

/** The log-in of a program without a browser: RFC 8628. */
@Injectable()
export class DeviceLogInsHandler {
  constructor(
    private readonly store: DeviceLogInStore,
    private readonly keys: ApiKeysHandler,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `page` is the address at which a member types the user code. */
  async start(clientName: string, clientIp: string, page: string) {
    const key = `device-log-in:${clientIp}`;
    const counter = { key, limit: DEVICE_LOG_INS_PER_HOUR, windowSeconds: HOUR_SECONDS };
    await takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
    const deviceCode = newToken();
    const createdAt = this.now();
    const expiresAt = new Date(createdAt.getTime() + DEVICE_LOG_IN_SECONDS * 1_000);
    const deviceCodeHash = tokenHash(deviceCode);
    for (let tries = 0; tries < CODES_MAX; tries += 1) {
      const userCode = newUserCode();
      const logIn = { deviceCodeHash, userCode, clientName, clientIp, createdAt, expiresAt };
      if (!(await this.store.insert(logIn))) continue;
      return {
        device_code: deviceCode,
        user_code: shownCode(userCode),
        verification_uri: page,
        verification_uri_complete: `${page}/${shownCode(userCode)}`,
        expires_in: DEVICE_LOG_IN_SECONDS,
        interval: POLL_INTERVAL_SECONDS,
      };
    }
    throw new Error(`${CODES_MAX} user codes in a row were taken`);
  }

  async show(member: Member, typed: string): Promise<Outcome> {
    const userCode = await this.codeOf(member, typed);
    const found = await this.store.findPending(userCode, this.now());
    if (!found) throw unknownCode();
    return {
      body: {
        user_code: shownCode(found.userCode),
        client_name: found.clientName,
        client_ip: found.clientIp,
        created_at: found.createdAt.toISOString(),
        expires_at: found.expiresAt.toISOString(),
      },
    };
  }

  async approve(member: Member, body: ApproveDeviceBody): Promise<Outcome> {
    const { workspaceId, user } = member;
    const { mode, permission = 'full' } = body;
    const userCode = await this.codeOf(member, body.user_code);
    const approval = { workspaceId, userId: user.id, mode, permission };
    const clientName = await this.store.approve(userCode, approval, this.now());
    if (clientName === null) throw unknownCode();
    return { effect: { workspace_id: workspaceId, client_name: clientName, mode, permission } };
  }

  async deny(member: Member, typed: string): Promise<Outcome> {
    const userCode = await this.codeOf(member, typed);
    const clientName = await this.store.deny(userCode, this.now());
    if (clientName === null) throw unknownCode();
    return { effect: { client_name: clientName } };
  }

  /** Returns the state that the program gets, and for an approved log-in its row. */
  async poll(deviceCode: string): Promise<{ status: DevicePollStatus; device?: PolledDevice }> {
    const at = this.now();
    const device = isToken(deviceCode) ? await this.store.poll(tokenHash(deviceCode), at) : null;
    if (!device) return { status: 'expired_token' };
    if (device.status === 'approved') return { status: 'approved', device };
    if (device.status === 'denied') return { status: 'access_denied' };
    const sinceMs = device.polledBefore === null ? Infinity : +at - +device.polledBefore;
    const isEarly = sinceMs < POLL_INTERVAL_SECONDS * 1_000;
    return { status: isEarly ? 'slow_down' : 'authorization_pending' };
  }

  /**
   * Creates the key of an approved log-in and answers it. The approval is used up first, so two polls
   * never make two keys. A lost answer leaves a key that is shown in the dashboard and can be revoked.
   */
  async redeem(deviceCode: string): Promise<Outcome> {
    const device = await this.store.take(tokenHash(deviceCode), this.now());
    if (!device) return { body: { status: 'expired_token' } };
    const { workspaceId, userId, mode, permission, clientName } = device;
    try {
      const made = await this.keys.create(
        workspaceId,
        { mode, permission, name: clientName },
        userId,
      );
      const { key } = made.body as { key: string };
      return { body: { status: 'approved', key, mode, permission }, effect: made.effect };
    } catch (error) {
      const hasLeft = error instanceof ApiError && error.type === 'authentication_error';
      if (hasLeft) return { body: { status: 'access_denied' } };
      throw error;
    }
  }

  /** Counts the code as a guess. Returns it as it is stored. */
  private async codeOf({ user }: Member, typed: string): Promise<string> {
    await takeOfMinute(this.limiter, `user-codes:${user.id}`, USER_CODES_PER_MINUTE);
    return typed.replaceAll(/[\s-]/g, '').toUpperCase();
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

function newUserCode(): string {
  const letters = Array.from(
    { length: USER_CODE_LENGTH },
    () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)],
  );
  return letters.join('');
}

/** Two groups are easier to read than one. */
function shownCode(userCode: string): string {
  return `${userCode.slice(0, USER_CODE_LENGTH / 2)}-${userCode.slice(USER_CODE_LENGTH / 2)}`;
}

function unknownCode(): ApiError {
  return new ApiError('validation_error', {
    field: 'user_code',
    message: ERROR_MESSAGES.unknownUserCode,
  });
}
