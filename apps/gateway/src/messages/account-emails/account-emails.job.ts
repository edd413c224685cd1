import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  type DispatchCalls,
  newId,
  PLATFORM_WORKSPACE_ID,
  type SendPlatformEmail,
  type UserId,
} from '@watchword/contracts';
import { parseMailbox } from '@watchword/email';
import { crashPoint, type Logger } from '@watchword/observability';
import { CLOCK, DATABASE, every, LOGGER, type Periodic } from '@watchword/platform';
import type { DatabasePool, Queryable } from '@watchword/postgres';
import type { User } from '../../people/account.js';
import { AccountEmails } from '../../people/account-emails.js';
import { EmailConfirmationStore } from '../../people/email-confirmation.store.js';
import { type EmailRequest, EmailRequestStore } from '../../people/email-request.store.js';
import { PasswordResetStore } from '../../people/password-reset.store.js';
import { newToken, tokenHash } from '../../people/session-token.js';
import { UserStore } from '../../people/user.store.js';
import { DISPATCH } from '../../calls/dispatch-calls.js';
import { renderAccountEmail } from './account-email-texts.policy.js';
import { PlatformSender } from './platform-sender.js';

const HOUR_MS = 60 * 60 * 1_000;
/** Milliseconds; the emails state the same times. A notice has no link, and so no token. */
const TOKEN_LIFE_MS = { password_reset: HOUR_MS, email_confirmation: 7 * 24 * HOUR_MS } as const;
const PATHS = {
  password_reset: '/account/reset-password',
  email_confirmation: '/account/confirm-email',
  saved_card_deleted: null,
} as const;

/** Milliseconds between searches for requests of dead processes and failed ones. */
const SWEEP_EVERY_MS = 10_000;
/** Milliseconds. By then the answer has left, so its time does not reveal the work. */
const SOON_MS = 100;
const AT_ONCE_MAX = 20;
/** Milliseconds. An older request is dropped: the user has asked again or left. */
const KEPT_MS = HOUR_MS;

interface Recipient {
  readonly user: User;
  /** Address for mail programs: the domain in ASCII. */
  readonly address: string;
}

/**
 * Turns requests into emails. The content goes to dispatch first. Then one transaction deletes the
 * request and writes the hash of the token and the command. A crash in between leaves the request,
 * and a content that dispatch purges; the next run draws another token.
 */
@Injectable()
export class AccountEmailsJob {
  private periodic: Periodic | undefined;
  private soon: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;
  private hasDomain = false;

  constructor(
    @Inject(DATABASE) private readonly database: DatabasePool,
    private readonly emails: AccountEmails,
    private readonly requests: EmailRequestStore,
    private readonly users: UserStore,
    private readonly resets: PasswordResetStore,
    private readonly confirmations: EmailConfirmationStore,
    private readonly sender: PlatformSender,
    @Inject(DISPATCH) private readonly dispatch: Pick<DispatchCalls, 'storeEmailContents'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    if (!this.emails.isConfigured) return;
    this.periodic = every(SWEEP_EVERY_MS, 'account emails', () => this.run(), this.logger);
    this.emails.listen(() => this.wake());
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.emails.listen(() => {});
    clearTimeout(this.soon);
    await Promise.all([this.periodic?.stop(), this.running]);
  }

  /** Returns whether more may be due. */
  async run(): Promise<boolean> {
    if (!this.hasDomain) this.hasDomain = (await this.sender.ensureDomain()) !== null;
    const due = await this.requests.claimDue(new Date(this.clock.now()), AT_ONCE_MAX);
    for (const request of due) await this.attempt(request);
    return due.length === AT_ONCE_MAX;
  }

  /** Sets a timer unless one is running. Runs do not overlap. */
  private wake(): void {
    if (this.soon !== undefined || this.isStopped) return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      this.running = this.running.then(() => this.runSoon());
    }, SOON_MS);
    this.soon.unref();
  }

  private async runSoon(): Promise<void> {
    try {
      if (!this.isStopped && (await this.run())) this.wake();
    } catch (error) {
      this.logger.warn({ err: error }, 'account emails failed, retrying in the next run');
    }
  }

  /**
   * Sends one email. A failed request is due again when its lease ends; the others of its batch
   * continue.
   */
  private async attempt(request: EmailRequest): Promise<void> {
    try {
      await this.handle(request);
    } catch (error) {
      const about = { err: error, request: request.id };
      this.logger.warn(about, 'account email failed, retrying in the next run');
    }
  }

  private async handle(request: EmailRequest): Promise<void> {
    const recipient = await this.recipient(request);
    const isOld = this.clock.now() - request.askedAt.getTime() > KEPT_MS;
    const about = { request: request.id };
    if (isOld) this.logger.error(about, 'account email dropped: older than an hour');
    if (isOld || recipient === null) await this.requests.delete(request);
    else if (!(await this.deliver(request, recipient))) {
      this.logger.info(about, 'account email dropped: the limit of its mailbox is reached');
      await this.requests.delete(request);
    }
  }

  /** Returns false when the limit of the mailbox is reached. Notices do not count. */
  private async deliver(request: EmailRequest, recipient: Recipient): Promise<boolean> {
    const send = () => this.send(request, recipient);
    if (PATHS[request.purpose] !== null) return this.emails.sendTo(recipient.user, send);
    await send();
    return true;
  }

  /** Returns null where there is nothing to send: no account, or nothing to confirm. */
  private async recipient({ purpose, email }: EmailRequest): Promise<Recipient | null> {
    const parsed = parseMailbox(email);
    if (!parsed.ok || parsed.mailbox.name !== null || email.endsWith('>')) return null;
    const user = await this.users.findByEmail(email);
    if (user === null || (purpose === 'email_confirmation' && user.isEmailConfirmed)) return null;
    return { user, address: parsed.mailbox.address };
  }

  /** Returns false when another process sent it. */
  private async send(request: EmailRequest, { user, address }: Recipient): Promise<boolean> {
    const token = newToken();
    const { subject, content } = this.letter(request, user, token);
    const stored = await this.dispatch.storeEmailContents({
      workspace_id: PLATFORM_WORKSPACE_ID,
      test_mode: false,
      contents: [content],
      bound: null,
    });
    if ('verdict' in stored) throw new Error('the contents of the platform have no bound');
    const command: SendPlatformEmail = {
      message_id: newId(),
      purpose: request.purpose,
      from: this.sender.from,
      from_domain: this.sender.domainName,
      to: address,
      subject,
      content_sha256: stored.sha256[0] as string,
      created_at: new Date(this.clock.now()).toISOString(),
    };
    const isSent = await this.database.transaction(async (transaction) => {
      if (!(await this.requests.within(transaction).fulfil(request, command))) return false;
      await this.putToken(request, user.id, tokenHash(token), transaction);
      crashPoint('gateway.account-email.before-commit');
      return true;
    });
    crashPoint('gateway.account-email.after-commit');
    return isSent;
  }

  private letter({ purpose, language }: EmailRequest, { name }: User, token: string) {
    const { brand, baseUrl } = this.sender;
    const path = PATHS[purpose];
    const url = `${baseUrl}${path}#token=${token}`;
    return renderAccountEmail({ purpose, language, brand, name, url });
  }

  private async putToken(
    { purpose }: EmailRequest,
    userId: UserId,
    hashed: string,
    transaction: Queryable,
  ): Promise<void> {
    if (purpose === 'saved_card_deleted') return;
    const at = new Date(this.clock.now());
    const expiresAt = new Date(at.getTime() + TOKEN_LIFE_MS[purpose]);
    if (purpose === 'password_reset') {
      await this.resets.within(transaction).putEmailed(userId, hashed, at, expiresAt);
    } else {
      await this.confirmations.within(transaction).put(userId, hashed, expiresAt);
    }
  }
}
