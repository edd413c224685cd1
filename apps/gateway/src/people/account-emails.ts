import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { EmailSettings } from '@watchword/config';
import {
  ApiError,
  type Clock,
  EMAIL_REQUESTS_PER_HOUR,
  ERROR_MESSAGES,
  type Language,
  MAILBOX_EMAILS_PER_DAY,
  MAILBOX_EMAILS_PER_HOUR,
  type UserId,
  type WorkspaceId,
} from '@watchword/contracts';
import { CLOCK } from '@watchword/platform';
import type { Queryable } from '@watchword/postgres';
import type { Counter, RateLimiter } from '@watchword/rate-limit';
import { RATE_LIMITER } from '../limits/limits.js';
import { takeOrRefuse } from '../limits/take-or-refuse.js';
import { whileCounted } from '../limits/while-counted.js';
import { countedAddress, type User } from './account.js';
import { EmailRequestStore } from './email-request.store.js';

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

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
    await this.countRequest('password-reset', requester.ip);
    const request = { purpose: 'password_reset', email, language: requester.language } as const;
    await this.requests.insert(request, new Date(this.clock.now()));
    this.ring();
  }

  async requestConfirmation(user: User, { ip, language }: EmailRequester): Promise<void> {
    this.checkConfigured();
    if (user.isEmailConfirmed) {
      throw new ApiError('conflict', { message: ERROR_MESSAGES.alreadyConfirmed });
    }
    await this.countRequest('confirmation', ip);
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
   * Sends an email with a link, or returns false when the user's mailbox has had enough. Anyone can
   * make the platform write to a mailbox, under each `+tag` of it, so all of them count together.
   * What `send` did not send does not count.
   */
  async sendTo({ email }: User, send: () => Promise<boolean>): Promise<boolean> {
    const counters = mailboxCounters(countedAddress(email));
    return (await whileCounted(this.limiter, counters, send)).admitted;
  }

  /**
   * Notifies the person who saved the card, and the owners of the workspace. Runs in the
   * transaction that removes the person. Call `ring` after its commit.
   */
  async notifySavedCardDeleted(
    workspaceId: WorkspaceId,
    userId: UserId,
    transaction: Queryable,
  ): Promise<void> {
    if (!this.isConfigured) return;
    const at = new Date(this.clock.now());
    await this.requests.within(transaction).insertNotices(workspaceId, userId, at);
  }

  private checkConfigured(): void {
    if (this.isConfigured) return;
    throw new ApiError('permission_error', { message: ERROR_MESSAGES.noPlatformEmail });
  }

  private async countRequest(purpose: string, ip: string): Promise<void> {
    const counter = counterOf(`${purpose}:ip:${ip}`, EMAIL_REQUESTS_PER_HOUR, HOUR_SECONDS);
    await takeOrRefuse(this.limiter, [counter], 'rate_limit_exceeded');
  }
}

function mailboxCounters(mailbox: string): Counter[] {
  const name = hash('sha256', mailbox);
  return [
    counterOf(`account-email:hour:${name}`, MAILBOX_EMAILS_PER_HOUR, HOUR_SECONDS),
    counterOf(`account-email:day:${name}`, MAILBOX_EMAILS_PER_DAY, DAY_SECONDS),
  ];
}

function counterOf(key: string, limit: number, windowSeconds: number): Counter {
  return { key, limit, windowSeconds };
}
