import type { ConnectionOptions } from 'node:tls';
import { enhancedCodeOf, meaningOf, safeAnswerText } from '@watchword/email';
import type { Capacity } from '../capacity/capacity.js';
import type { EmailOutcome, EmailProvider, EmailSubmit } from '../email-provider.port.js';
import { STOP_GRACE_MS } from '../stop-grace.js';
import { SmtpPool } from './smtp-pool.js';
import { CONNECT_TIMEOUT_MS, type SendResult, SmtpSession } from './smtp-session.js';

export type SmtpSecurity = 'starttls' | 'tls' | 'none';

export interface SmtpSettings {
  /** Id of the account. */
  readonly id: string;
  readonly host: string;
  readonly port: number;
  readonly security: SmtpSecurity;
  /** Empty where the server accepts us by our address. */
  readonly username: string;
  readonly password: string;
  /** Name in EHLO. Empty means the name of this machine. */
  readonly ehloName: string;
  readonly capacity: Capacity;
  readonly tls?: ConnectionOptions;
}

/** RFC 5321 4.5.3.2.1 allows five minutes: some relays look up their client before they greet. */
const GREETING_TIMEOUT_MS = 60_000;
/** Nodemailer's codes for an email or a login that a retry cannot help. */
const LASTING = new Set(['EENVELOPE', 'EMESSAGE', 'EAUTH']);

/** SMTP to one relay: RFC 5321 with TLS, authentication, pipelining and DSN. */
export class SmtpAdapter implements EmailProvider {
  readonly name: string;
  readonly carrier = 'smtp';
  readonly capacity: Capacity;
  private readonly pool: SmtpPool;
  private readonly running = new Set<Promise<EmailOutcome>>();
  private stopped = false;

  constructor(settings: SmtpSettings) {
    const { host, port, security, username, password, ehloName, tls } = settings;
    this.name = settings.id;
    this.capacity = settings.capacity;
    this.pool = new SmtpPool({
      credentials: username === '' ? null : { user: username, pass: password },
      connection: {
        host,
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        // Nodemailer cuts the time for the greeting by that for the connection.
        connectionTimeout: CONNECT_TIMEOUT_MS + GREETING_TIMEOUT_MS,
        greetingTimeout: GREETING_TIMEOUT_MS,
        ...(ehloName === '' ? {} : { name: ehloName }),
        ...(tls ? { tls } : {}),
      },
    });
  }

  async start(): Promise<void> {}

  submit(request: EmailSubmit): Promise<EmailOutcome> {
    const outcome = this.carry(request);
    this.running.add(outcome);
    void outcome.finally(() => this.running.delete(outcome));
    return outcome;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, STOP_GRACE_MS);
    });
    await Promise.race([Promise.allSettled(this.running), timeout]);
    clearTimeout(timer);
    this.pool.close();
  }

  private async carry(request: EmailSubmit): Promise<EmailOutcome> {
    if (this.stopped) return unsent('STOPPED', 'The account was stopped.');
    const startedMs = performance.now();
    const leftMs = () => request.deadlineMs - (performance.now() - startedMs);
    return outcomeOf(await this.send(request, leftMs));
  }

  private async send(request: EmailSubmit, leftMs: () => number): Promise<SendResult> {
    const taken = await this.pool.take(leftMs());
    if (!(taken instanceof SmtpSession)) return taken;
    const wasUsed = taken.sent > 0;
    const result = await this.sendOver(taken, request, leftMs());
    // A server may close an idle connection. Nothing of this email was sent on it.
    if (result.kind !== 'unsent' || !wasUsed || result.code === 'DEADLINE') return result;
    const fresh = await this.pool.open(leftMs());
    return fresh instanceof SmtpSession ? this.sendOver(fresh, request, leftMs()) : fresh;
  }

  private async sendOver(
    session: SmtpSession,
    request: EmailSubmit,
    leftMs: number,
  ): Promise<SendResult> {
    const result = await session.send(request, Math.max(leftMs, 1));
    if (result.kind === 'accepted') this.pool.give(session);
    else if (result.kind === 'answered' && result.stage !== 'connect') void this.recycle(session);
    else session.close();
    return result;
  }

  private async recycle(session: SmtpSession): Promise<void> {
    if (await session.reset()) this.pool.give(session);
    else session.close();
  }
}

function outcomeOf(result: SendResult): EmailOutcome {
  if (result.kind === 'accepted') {
    return { outcome: 'accepted', providerMessageId: result.providerMessageId, delivered: false };
  }
  const words = { rawCode: codeOf(result), rawMessage: safeAnswerText(result.text) };
  if (result.kind === 'unsent') return unsent(words.rawCode, words.rawMessage);
  if (result.kind === 'unanswered') return { outcome: 'ambiguous', ...words };
  const judged = meaningOf(result.stage, result);
  switch (judged.meaning) {
    case 'bounced':
      return { outcome: 'bounced', bounce: judged.bounce, suppress: judged.suppress };
    case 'deferred':
      return { outcome: 'deferred', ...words };
    case 'content_rejected':
      return { outcome: 'rejected', ...words };
    default: {
      const temporary = judged.meaning !== 'provider_refused';
      return { outcome: 'refused', temporary, ...words };
    }
  }
}

/** Returns the answer's code, for example `450 4.2.1`, else the name of the failure. */
function codeOf(result: Exclude<SendResult, { kind: 'accepted' }>): string {
  if (result.kind !== 'answered') return result.code;
  const enhanced = enhancedCodeOf(result.text);
  return enhanced === null ? String(result.code) : `${result.code} ${enhanced}`;
}

function unsent(rawCode: string, rawMessage: string): EmailOutcome {
  return { outcome: 'refused', temporary: !LASTING.has(rawCode), rawCode, rawMessage };
}
