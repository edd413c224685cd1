import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { type SendResult, type SmtpCredentials, SmtpSession } from './smtp-session.js';

export interface SmtpPoolOptions {
  readonly connection: SMTPConnectionOptions;
  readonly credentials: SmtpCredentials | null;
}

/**
 * Emails per connection. Servers close a connection after some; this limit closes it first, between
 * two emails.
 */
const EMAILS_PER_CONNECTION = 100;
/** Milliseconds. Below the five minutes that servers must wait (RFC 5321 4.5.3.2.7). */
const IDLE_MS = 60_000;

/**
 * Open connections between emails. Nodemailer's own pool does not say whether the final dot was
 * written before a connection was lost, and requeues emails itself. Here that decides whether
 * another provider may be tried.
 */
export class SmtpPool {
  private readonly idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  private readonly all = new Set<SmtpSession>();

  constructor(private readonly options: SmtpPoolOptions) {}

  /** Returns an open connection, or why there is none. */
  async take(deadlineMs: number): Promise<SmtpSession | SendResult> {
    for (let kept = this.idle.pop(); kept; kept = this.idle.pop()) {
      clearTimeout(kept.timer);
      if (kept.session.isOpen) return kept.session;
    }
    return this.open(deadlineMs);
  }

  /** Opens a new connection, for an email that found its connection dead. */
  async open(deadlineMs: number): Promise<SmtpSession | SendResult> {
    const session: SmtpSession = new SmtpSession(this.options.connection, () =>
      this.forget(session),
    );
    this.all.add(session);
    const failure = await session.start(this.options.credentials, deadlineMs);
    if (failure === null) return session;
    this.all.delete(session);
    return failure;
  }

  give(session: SmtpSession): void {
    if (!session.isOpen) return;
    if (session.sent >= EMAILS_PER_CONNECTION) return session.quit();
    const timer = setTimeout(() => session.quit(), IDLE_MS);
    timer.unref();
    this.idle.push({ session, timer });
  }

  close(): void {
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    for (const session of this.all) session.close();
    this.all.clear();
  }

  private forget(session: SmtpSession): void {
    this.all.delete(session);
    const at = this.idle.findIndex((kept) => kept.session === session);
    if (at >= 0) clearTimeout(this.idle.splice(at, 1)[0]!.timer);
  }
}
