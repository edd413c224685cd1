import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { EmailSettings } from '@watchword/config';
import {
  ApiError,
  type Clock,
  ERROR_MESSAGES,
  type Language,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import { keptAddress } from '@watchword/email';
import type { Queryable } from '@watchword/postgres';
import type { Counter, RateLimiter, Verdict } from '@watchword/rate-limit';
import { RATE_LIMITER } from '../limits/limits.js';
import { tooManyRequests } from '../limits/take-or-refuse.js';
import { countedAddress, type User } from './account.js';
import { EmailRequestStore } from './email-request.store.js';

const PER_ADDRESS_AND_HOUR = 3;
const PER_CLIENT_AND_HOUR = 10;
const HOUR = 60 * 60;
/** Position of each counter in its call. */
const COUNTERS = { client: 0, address: 1 } as const;

type Refusal = Extract<Verdict, { admitted: false }>;

/** Address of the client, and language of the email. */
export interface EmailRequester {
  readonly ip: string;
  readonly language: Language;
}

/**
 * Accepts requests for emails to users. A request is one row, whether its address has an account or
 * not; `AccountEmailsJob` sends the email. So neither the answer nor its time reveals anything
 * about the address.
 */
@Injectable()
export class AccountEmails {
  private listener: () => void = () => {};

  constructor(
    private readonly requests: EmailRequestStore,
    @Inject(RATE_LIMITER) private readonly limiter: RateLimiter,
    private readonly settings: EmailSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  get isConfigured(): boolean {
    return this.settings.platformEmailFrom !== '';
  }

  /** Registers a listener that is called after each stored request. */
  listen(listener: () => void): void {
    this.listener = listener;
  }

  ring(): void {
    this.listener();
  }

  async requestReset(address: string, requester: EmailRequester): Promise<void> {
    this.checkConfigured();
    const email = address.toLowerCase();
    const refusal = await this.count('password-reset', keptAddress(email), requester.ip);
    // A stranger may have asked. Links that were sent stay valid, and no more are sent.
    if (refusal?.refusedBy === COUNTERS.address) return;
    if (refusal) throw tooManyRequests(refusal, 'rate_limit_exceeded');
    const request = { purpose: 'password_reset', email, language: requester.language } as const;
    await this.requests.insert(request, new Date(this.clock.now()));
    this.ring();
  }

  async requestConfirmation(user: User, { ip, language }: EmailRequester): Promise<void> {
    this.checkConfigured();
    if (user.isEmailConfirmed) {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.alreadyConfirmed });
    }
    const refusal = await this.count('confirmation', countedAddress(user.email), ip);
    if (refusal) throw tooManyRequests(refusal, 'rate_limit_exceeded');
    const request = { purpose: 'email_confirmation', email: user.email, language } as const;
    await this.requests.insert(request, new Date(this.clock.now()));
    this.ring();
  }

  /** Runs in the transaction that creates the user. Call `ring` after its commit. */
  async confirmNewcomer(email: string, language: Language, transaction: Queryable): Promise<void> {
    if (!this.isConfigured) return;
    const request = { purpose: 'email_confirmation', email, language } as const;
    await this.requests.within(transaction).insert(request, new Date(this.clock.now()));
  }

  /**
   * Tells the person whose card it was, and the owners of the workspace, that it is deleted. Runs in the
   * transaction that removes the person. Call `ring` after its commit.
   */
  async tellSavedCardDeleted(
    workspaceId: WorkspaceId,
    userId: UserId,
    transaction: Queryable,
  ): Promise<void> {
    if (!this.isConfigured) return;
    const at = new Date(this.clock.now());
    await this.requests.within(transaction).insertNotices(workspaceId, userId, at);
  }

  /** Returns whether the user's mailbox may get another reset. `countReset` counts those sent. */
  async mayReset(user: User): Promise<boolean> {
    const counter = taggedCounter(user);
    return counter === null || (await this.limiter.wouldTake([counter])).admitted;
  }

  async countReset(user: User): Promise<void> {
    const counter = taggedCounter(user);
    if (counter !== null) await this.limiter.take([counter]);
  }

  private checkConfigured(): void {
    if (this.isConfigured) return;
    throw new ApiError('permission_error', { message: ERROR_MESSAGES.noPlatformEmail });
  }

  private async count(purpose: string, email: string, ip: string): Promise<Refusal | null> {
    const counters = [
      counterOf(`${purpose}:ip:${ip}`, PER_CLIENT_AND_HOUR),
      counterOf(`${purpose}:address:${hash('sha256', email)}`, PER_ADDRESS_AND_HOUR),
    ];
    const verdict = await this.limiter.take(counters);
    return verdict.admitted ? null : verdict;
  }
}

/**
 * Returns the counter of resets to one mailbox under its `+tag` addresses. Anyone can sign up with
 * such an address, so only accounts with an unconfirmed one share it: a stranger cannot use up the
 * resets of the owner.
 */
function taggedCounter({ email, isEmailConfirmed }: User): Counter | null {
  const mailbox = countedAddress(email);
  if (isEmailConfirmed || mailbox === keptAddress(email)) return null;
  return counterOf(`password-reset:tagged:${hash('sha256', mailbox)}`, PER_ADDRESS_AND_HOUR);
}

function counterOf(key: string, limit: number): Counter {
  return { key, limit, windowSeconds: HOUR, strict: true };
}
